"""A scene refuses what cannot be drawn and knows its focus."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode


def test_two_nodes_with_one_key_are_refused() -> None:
    with pytest.raises(ValueError, match="share one key"):
        Scene((SceneNode("a", "A"), SceneNode("a", "B")))


def test_an_edge_to_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="'b'"):
        Scene((SceneNode("a", "A"),), (SceneEdge("a", "b"),))


def test_an_edge_knows_which_end_stands_left() -> None:
    forward, back = SceneEdge("a", "b"), SceneEdge("a", "b", leads="back")
    assert (forward.left, forward.right) == ("a", "b")
    assert (back.left, back.right) == ("b", "a")


def test_nodes_edges_and_focus_are_found() -> None:
    scene = Scene(
        (SceneNode("a", "A"), SceneNode("b", "B", focus=True), SceneNode("c", "C")),
        (SceneEdge("a", "b", "x"), SceneEdge("b", "c", "y")),
    )
    focus = scene.focus()
    assert focus is not None
    assert focus.key == "b"
    assert scene.node("z") is None
    assert Scene().focus() is None


def test_another_scene_with_other_looks_has_the_same_layout() -> None:
    scene = Scene((SceneNode("a", "A", "Dataset"), SceneNode("b", "B")), (SceneEdge("a", "b", "used"),), "T")
    first, second = scene.nodes
    recoloured = replace(scene, nodes=(replace(first, colour_key="urn:Mine"), second))
    assert recoloured.differs_in_looks(scene)
    assert replace(scene).differs_in_looks(scene)
    assert not scene.differs_in_looks(scene)
    assert not replace(scene, nodes=(replace(first, label="Another"), second)).differs_in_looks(scene)
    assert not replace(scene, nodes=(first,), edges=()).differs_in_looks(scene)
    assert not replace(scene, arrangement="star").differs_in_looks(scene)
    assert not replace(scene, edges=()).differs_in_looks(scene)
