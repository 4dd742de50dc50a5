"""Places by forces, and scenes that grow: what is pinned or old stays, nothing overlaps, the order does not matter."""

from __future__ import annotations

import itertools
import math
import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.layout import Layout, arrange, arrange_again, arrange_beside
from hpc_explorer.canvas.layout.force import force_places
from hpc_explorer.canvas.layout.free import STEP_X, STEP_Y
from hpc_explorer.canvas.scene import Arrangement, Scene, SceneEdge, SceneNode
from tests.helpers.examples import examples
from tests.helpers.scenes import hub, mesh, scenes

CROSS = [(at, at + 1) for at in range(199)] + [(at, at + 20) for at in range(180)]


def cards(layout: Layout) -> dict[str, Rect]:
    return {key: Rect(c.x, c.y, c.width, c.height + layout.feet[key]) for key, c in layout.places.items()}


def overlapping(layout: Layout) -> list[tuple[str, str]]:
    pairs = itertools.combinations(cards(layout).items(), 2)
    return [(one, other) for (one, first), (other, second) in pairs if first.overlaps(second)]


def shuffled(scene: Scene, chance: random.Random) -> Scene:
    nodes, edges = list(scene.nodes), list(scene.edges)
    chance.shuffle(nodes)
    chance.shuffle(edges)
    return Scene(tuple(nodes), tuple(edges), scene.title, scene.arrangement)


def simple(scene: Scene) -> Scene:
    """The scene with one edge at most between two nodes: which of several is drawn first is the scene's order."""
    known: dict[frozenset[str], SceneEdge] = {}
    for edge in scene.edges:
        known.setdefault(frozenset((edge.source, edge.target)), edge)
    return Scene(scene.nodes, tuple(known.values()), scene.title, scene.arrangement)


@examples(60)
@given(scenes("force", most=16), st.data())
def test_what_is_pinned_stays_and_nothing_else_overlaps_it(scene: Scene, data: st.DataObject) -> None:
    keys = [node.key for node in scene.nodes]
    pinned = data.draw(st.sets(st.sampled_from(keys))) if keys else set()
    placed = {key: Rect(at * 400.0, at % 3 * 90.0 - 77.5, 200.0, 64.0) for at, key in enumerate(sorted(pinned))}
    layout = arrange_again(scene, placed, frozenset(pinned))
    assert {key: layout.places[key] for key in pinned} == placed
    assert not [pair for pair in overlapping(layout) if not set(pair) <= pinned]


@examples(60)
@given(scenes("force", most=16), st.randoms(use_true_random=False))
def test_the_order_of_a_scene_has_no_influence_on_forces(scene: Scene, chance: random.Random) -> None:
    scene = simple(scene)
    assert arrange(scene).places == arrange(shuffled(scene, chance)).places


def stress(places: list[Point], edges: list[tuple[int, int]]) -> float:
    """How far distances are from those along edges, at the best scale (Kruskal 1964); 0 where they agree."""
    beside: list[list[int]] = [[] for _ in places]
    for left, right in edges:
        beside[left].append(right)
        beside[right].append(left)
    ratios = []
    for start, place in enumerate(places):
        far = {start: 0}
        queue = [start]
        for vertex in queue:
            new = dict.fromkeys(end for end in beside[vertex] if end not in far)
            far |= dict.fromkeys(new, far[vertex] + 1)
            queue += new
        ratios += [_distance(place, places[vertex]) / steps for vertex, steps in far.items() if vertex > start]
    scale = sum(ratios) / sum(ratio**2 for ratio in ratios)
    return sum((1 - scale * ratio) ** 2 for ratio in ratios) / len(ratios)


def below(number: int, degree: int) -> list[tuple[int, int]]:
    return [(at, (at - 1) // degree) for at in range(1, number)]


@pytest.mark.parametrize(
    ("count", "edges", "most", "apart", "width", "height"),
    [
        pytest.param(30, [(at, (at + 1) % 30) for at in range(30)], 0.0162, 2.21, 21.2, 22.0, id="ring"),
        pytest.param(200, [(at, (at + 1) % 200) for at in range(200)], 0.0258, 1.54, 98.5, 98.2, id="large ring"),
        pytest.param(200, CROSS, 0.0884, 1.09, 44.8, 41.9, id="grid"),
        pytest.param(120, below(120, 2), 0.1287, 0.86, 55.9, 38.2, id="tree"),
        pytest.param(60, below(60, 59), 0.1646, 0.64, 7.2, 7.2, id="star"),
        pytest.param(400, below(400, 3), 0.1445, 0.0, 89.7, 88.3, id="large tree"),
        pytest.param(60, [edge for edge in below(60, 2) if edge[0] % 7], 0.0846, 0.99, 27.9, 21.6, id="parts"),
    ],
)
def test_distances_are_no_less_like_those_along_edges_than_they_were(
    count: int, edges: list[tuple[int, int]], most: float, apart: float, width: float, height: float
) -> None:
    """Measured, as in `test_a_picture_is_no_worse_than_it_was`; the last digits depend on the processor."""
    places = force_places(count, edges)
    assert stress(places, edges) <= 1.02 * most
    assert min(_distance(one, other) for one, other in itertools.combinations(places, 2)) >= 0.98 * apart
    assert max(place.x for place in places) - min(place.x for place in places) <= 1.02 * width
    assert max(place.y for place in places) - min(place.y for place in places) <= 1.02 * height


def _distance(one: Point, other: Point) -> float:
    return ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5


def test_places_that_are_given_are_the_start_and_pinned_ones_the_end() -> None:
    before = force_places(200, CROSS)
    after = force_places(200, CROSS, initial=dict(enumerate(before)), pinned={3, 77})
    assert (after[3], after[77]) == (before[3], before[77])
    moved = [_distance(one, other) for one, other in zip(before, after, strict=True)]
    assert sum(distance > 0 for distance in moved) == 198
    spread = max(_distance(before[0], place) for place in before)
    assert sum(moved) / len(moved) < 0.1 * spread


def test_many_cards_stand_in_slots_around_those_that_are_pinned() -> None:
    scene = mesh(700)
    placed = {f"n{at}": Rect(at * 37.0, at * 11.0, 200.0, 48.0) for at in (0, 300, 699)}
    layout = arrange_again(scene, placed, frozenset(placed))
    assert {key: layout.places[key] for key in placed} == placed
    assert not overlapping(layout)


def test_parts_that_are_not_linked_stand_apart() -> None:
    layout = arrange(Scene(mesh(30).nodes, tuple(e for e in mesh(30).edges if int(e.source[1:]) < 12), "", "force"))
    assert not overlapping(layout)
    assert layout.bounds.width < 4 * layout.bounds.height < 16 * layout.bounds.width


def test_layouts_are_shown_while_they_improve() -> None:
    seen: list[Layout] = []
    scene = mesh(120)
    layout = arrange(Scene(scene.nodes, scene.edges, "", "force"), show=seen.append)
    assert len(seen) > 2
    assert all(one.places.keys() == layout.places.keys() for one in seen)
    seen.clear()
    arrange(mesh(800), show=seen.append)
    assert len(seen) == 1


@examples(80)
@given(scenes(most=20), st.data())
def test_old_nodes_stay_and_new_ones_find_room(scene: Scene, data: st.DataObject) -> None:
    old = data.draw(st.sets(st.sampled_from([node.key for node in scene.nodes]))) if scene.nodes else set()
    nodes = tuple(node for node in scene.nodes if node.key in old)
    edges = tuple(edge for edge in scene.edges if {edge.source, edge.target} <= old)
    before = arrange(Scene(nodes, edges, "", scene.arrangement))
    after = arrange_beside(scene, before.places)
    assert {key: after.places[key] for key in old} == before.places
    assert not overlapping(after)
    assert sorted(at for route in after.routes for at in route.bundle.edges) == list(range(len(scene.edges)))


@examples(60)
@given(scenes(most=16), st.randoms(use_true_random=False))
def test_the_order_of_a_scene_has_no_influence_on_growth(scene: Scene, chance: random.Random) -> None:
    placed = {node.key: Rect(at * 300.0, 0.0, 200.0, 64.0) for at, node in enumerate(scene.nodes[::3])}
    assert arrange_beside(scene, placed).places == arrange_beside(shuffled(scene, chance), placed).places


@pytest.mark.parametrize("arrangement", ["layered", "tree", "star"])
def test_new_nodes_stand_beside_what_they_are_linked_to(arrangement: Arrangement) -> None:
    scene = hub(12, arrangement)
    placed = {"hub": Rect(800.0, 400.0, 200.0, 64.0)}
    layout = arrange_beside(scene, placed)
    new = [card for key, card in layout.places.items() if key != "hub"]
    assert all(card.x >= 1000.0 for card in new)
    assert max(abs(card.centre.y - 432.0) for card in new) < 700.0


@pytest.mark.parametrize("arrangement", ["layered", "tree", "star"])
@given(st.permutations(range(1, 15)), st.booleans())
def test_new_nodes_linked_to_the_same_stand_in_the_order_of_their_names(
    arrangement: Arrangement, numbers: list[int], after: bool
) -> None:
    nodes = (
        SceneNode("old", "an old one"),
        *(SceneNode(f"k{number * 37 % 15}", f"run {number}") for number in numbers),
    )
    edges = [SceneEdge(*(("old", node.key) if after else (node.key, "old")), "leads to") for node in nodes[1:]]
    layout = arrange_beside(Scene(nodes, tuple(edges), "", arrangement), {"old": Rect(0.0, 0.0, 200.0, 48.0)})
    new = [(layout.places[node.key], int(node.label[4:])) for node in nodes[1:]]
    for _, column in itertools.groupby(sorted(new, key=lambda one: (one[0].x, one[0].y)), key=lambda one: one[0].x):
        told = [number for _, number in column]
        assert told == sorted(told)
    assert all(card.x >= 200.0 + 24.0 if after else card.right <= -24.0 for card, _ in new)


def test_in_a_picture_by_forces_a_new_node_stands_right_of_the_only_old_one() -> None:
    scene = Scene((SceneNode("old", "old"), SceneNode("new", "new")), (SceneEdge("old", "new"),), "", "force")
    places = arrange_beside(scene, {"old": Rect(-900.0, -700.0, 200.0, 48.0)}).places
    assert places["new"].x == pytest.approx(-700.0 + 88.0, abs=1.5 * STEP_X)
    assert places["new"].centre.y == pytest.approx(-676.0, abs=1.5 * STEP_Y)


@given(st.floats(0.0, 6.28), st.integers(500, 3000))
def test_in_a_picture_by_forces_a_new_node_stands_farther_out_than_what_it_is_linked_to(turn: float, far: int) -> None:
    across, down = math.cos(turn), math.sin(turn)
    placed = {"one": Rect(far * across - 100.0, far * down - 24.0, 200.0, 48.0)}
    placed["other"] = Rect(-far * across - 100.0, -far * down - 24.0, 200.0, 48.0)
    nodes = tuple(SceneNode(key, key) for key in ("one", "other", "new"))
    layout = arrange_beside(Scene(nodes, (SceneEdge("one", "new"),), "", "force"), placed)
    new, old = layout.places["new"].centre, placed["one"].centre
    width = layout.places["new"].width
    assert new.x - old.x == pytest.approx(across * (width + 88.0), abs=1.5 * STEP_X)
    assert new.y - old.y == pytest.approx(down * 88.0, abs=1.5 * STEP_Y)


def test_the_library_of_arrays_is_loaded_for_large_scenes_only() -> None:
    program = (
        "import sys\n"
        "from hpc_explorer.canvas.layout import arrange\n"
        "from tests.helpers.scenes import story\n"
        "arrange(story())\n"
        "sys.exit('numpy' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
