"""What is named from far away: the weightiest first, none over another, and no more than there is room for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hpc_explorer.canvas.camera import Camera, fitting
from hpc_explorer.canvas.finder import Finder
from hpc_explorer.canvas.geometry import Rect, Size, union
from hpc_explorer.canvas.landmarks import MOST, groups, landmarks
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.layout.result import Layout
from hpc_explorer.canvas.palette import LIGHT, THEMES, contrast
from hpc_explorer.canvas.primitives import Primitive, Text
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode
from hpc_explorer.canvas.spatial import spatial_index
from hpc_explorer.canvas.walk import links
from tests.helpers.scenes import field, hub

VIEW = Size(1200.0, 800.0)


def found(scene: Scene, *, indexed: bool) -> Finder:
    layout = arrange(scene)
    plain = Finder(scene, layout, links(scene))
    return replace(plain, index=spatial_index(scene, layout, LIGHT)) if indexed else plain


def texts(primitives: list[Primitive]) -> list[Text]:
    assert all(isinstance(primitive, Text) for primitive in primitives)
    return [primitive for primitive in primitives if isinstance(primitive, Text)]


@pytest.mark.parametrize("indexed", [False, True])
def test_a_block_of_many_says_how_many_of_what_it_is(indexed: bool) -> None:
    finder = found(hub(1_164), indexed=indexed)
    camera = fitting(finder.layout.bounds, VIEW)
    said = [text.text for text in texts(landmarks(finder, groups(finder), camera, VIEW, LIGHT))]
    assert said == ["1,164 × Experiment · used", "hub dataset"], "none of the 1,164 stands out"


@pytest.mark.slow
@pytest.mark.parametrize("indexed", [False, True])
def test_the_nodes_with_most_links_are_named_first(indexed: bool) -> None:
    nodes = tuple(SceneNode(f"n{at}", f"Node {at}") for at in range(1_000))
    edges = [SceneEdge(f"n{at}", f"n{at // 50 * 50}", "part of") for at in range(1_000) if at % 50]
    finder = found(Scene(nodes, tuple(edges), arrangement="force"), indexed=indexed)
    camera = fitting(finder.layout.bounds, VIEW)
    said = {text.text for text in texts(landmarks(finder, (), camera, VIEW, LIGHT))}
    assert said
    assert said <= {f"Node {at}" for at in range(0, 1_000, 50)}


@pytest.mark.parametrize("scale", [0.02, 0.1, 0.3, 0.45])
def test_no_name_covers_another_and_all_are_in_sight(scale: float) -> None:
    scene, layout = field(3_000)
    finder = Finder(scene, layout, links(scene), spatial_index(scene, layout, LIGHT))
    taken = Rect(0.0, 700.0, 300.0, 100.0)
    camera = Camera(scale).centred(layout.bounds.centre, VIEW)
    named = texts(landmarks(finder, (), camera, VIEW, LIGHT, taken=[taken]))
    boxes = [text.patch.rect for text in named if text.patch is not None]
    assert 8 <= len(boxes) <= MOST
    for at, box in enumerate(boxes):
        assert not box.overlaps(taken)
        assert min(box.x, box.y) >= 0
        assert max(box.right - VIEW.width, box.bottom - VIEW.height) <= 0, "no edge cuts a name"
        assert not any(box.overlaps(other) for other in boxes[at + 1 :])
    across = [box.centre.x for box in boxes]
    down = [box.centre.y for box in boxes]
    seen = camera.rect_to_view(layout.bounds)
    assert max(across) - min(across) > 0.5 * min(VIEW.width, seen.width), "the names are not all in one place"
    assert max(down) - min(down) > 0.5 * min(VIEW.height, seen.height)


@pytest.mark.parametrize("count", [4, 30])
@pytest.mark.parametrize("label", ["decisionTree.onnx", "a name of " + "very " * 60 + "many letters"])
def test_names_at_the_edges_of_a_picture_that_fits_are_whole(count: int, label: str) -> None:
    places = {f"n{at}": Rect(at * 400.0, 0.0, 200.0, 48.0) for at in range(count)}
    layout = Layout(places, dict.fromkeys(places, 0.0), bounds=union(places.values()))
    scene = Scene(tuple(SceneNode(key, f"{label} {key}", "Dataset") for key in places))
    view = Size(400.0, 300.0)
    ends = ["n0", f"n{count - 1}"]
    finder = Finder(scene, layout, links(scene))
    named = texts(landmarks(finder, (), fitting(layout.bounds, view), view, LIGHT, first=ends))
    assert len(named) >= 2
    for text in named:
        box = text.patch.rect if text.patch is not None else None
        assert box is not None
        assert box.x >= 0
        assert box.right <= view.width
    said = [text.text for text in named]
    assert said[0].startswith(label[:9])
    assert said[1].startswith(label[:9])


def test_what_is_chosen_is_always_named() -> None:
    scene, layout = field(3_000)
    finder = Finder(scene, layout, links(scene), spatial_index(scene, layout, LIGHT))
    camera = fitting(layout.bounds, VIEW)
    named = texts(landmarks(finder, (), camera, VIEW, LIGHT, first=["n1777", "no such key"]))
    assert named[0].text == "Batch 1777 of epoch 7"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_names_can_be_read(theme) -> None:  # type: ignore[no-untyped-def]
    scene, layout = field(100)
    finder = Finder(scene, layout, links(scene))
    for text in texts(landmarks(finder, (), Camera(0.2), VIEW, theme)):
        assert text.patch is not None
        assert text.patch.fill is not None
        assert contrast(text.colour, text.patch.fill) >= 4.5
