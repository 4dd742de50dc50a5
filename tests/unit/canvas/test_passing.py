from __future__ import annotations

from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.layout import arrange_beside
from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.canvas.picture import crossed_cards, emphasis
from hpc_explorer.canvas.primitives import Line, Text
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode


def test_a_card_on_the_way_of_a_marked_line_is_drawn_over_it() -> None:
    nodes = tuple(SceneNode(name, f"Card {name}") for name in ("a", "b", "c", "d"))
    scene = Scene(nodes, (SceneEdge("a", "c"), SceneEdge("a", "d")))
    places = {"a": (0, 0), "b": (300, 0), "c": (600, 0), "d": (300, 400)}
    cards = {key: Rect(float(x), float(y), 128.0, 48.0) for key, (x, y) in places.items()}
    layout = arrange_beside(scene, cards)
    assert crossed_cards(scene, layout, layout.routes, nodes) == [nodes[1]]
    marks = emphasis(scene, layout, LIGHT, selected="a")
    assert [item.text for item in marks if isinstance(item, Text)] == ["Card b"]
    last_line = max(at for at, item in enumerate(marks) if isinstance(item, Line))
    assert next(at for at, item in enumerate(marks) if isinstance(item, Text)) > last_line


def test_of_very_many_cards_or_lines_none_is_looked_for() -> None:
    nodes = tuple(SceneNode(f"n{number}", f"Card {number}") for number in range(80))
    scene = Scene(nodes, tuple(SceneEdge("n0", node.key) for node in nodes[1:]))
    cards = {node.key: Rect(200.0 * at, 0.0, 128.0, 48.0) for at, node in enumerate(nodes)}
    layout = arrange_beside(scene, cards)
    assert crossed_cards(scene, layout, layout.routes, nodes) == []
    assert crossed_cards(scene, layout, layout.routes[40:41], nodes) != []
