"""The one way from a resource to the next."""

from __future__ import annotations

import pytest

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import Navigator, Place, View

A, B, C = (NamedNode(f"http://example.org/{name}") for name in "abc")


@pytest.fixture
def moves() -> list[tuple[Place, Place]]:
    return []


@pytest.fixture
def navigator(moves: list[tuple[Place, Place]]) -> Navigator:
    navigator = Navigator()
    navigator.moved.connect(lambda place, before: moves.append((place, before)))
    return navigator


def test_it_begins_with_the_classes(navigator: Navigator) -> None:
    assert navigator.place == Place(View.CLASSES, None, None)
    assert not navigator.can_go_back


def test_opening_keeps_the_view_and_choosing_keeps_the_picture(navigator: Navigator) -> None:
    navigator.trace(A, downstream=False)
    navigator.select(B)
    assert navigator.place == Place(View.LINEAGE, A, B)
    navigator.open(C)
    assert navigator.place == Place(View.LINEAGE, C, C)


def test_every_step_can_be_gone_back(navigator: Navigator) -> None:
    navigator.open(A)
    navigator.select(B)
    navigator.show_view(View.LINEAGE)
    navigator.turn(downstream=True)
    way = [navigator.place]
    while navigator.can_go_back:
        navigator.back()
        way.append(navigator.place)
    assert [(place.view, place.focus, place.selected) for place in way] == [
        (View.LINEAGE, B, B),
        (View.LINEAGE, B, B),
        (View.EXPLORE, A, B),
        (View.EXPLORE, A, A),
        (View.CLASSES, None, None),
    ]
    while navigator.can_go_forward:
        navigator.forward()
    assert navigator.place == way[0]


def test_going_where_one_is_is_no_step(navigator: Navigator, moves: list[tuple[Place, Place]]) -> None:
    navigator.open(A)
    navigator.open(A)
    navigator.show_view(View.EXPLORE)
    assert len(moves) == 1


def test_choosing_nothing_returns_to_what_the_picture_is_about(navigator: Navigator) -> None:
    navigator.open(A)
    navigator.select(B)
    navigator.select(None)
    assert navigator.place.selected == A


def test_the_depth_is_no_step(navigator: Navigator) -> None:
    navigator.trace(A, downstream=False)
    navigator.limit(3)
    assert navigator.place.depth == 3
    navigator.back()
    assert navigator.place.focus is None


def test_what_is_gone_leaves_the_way(navigator: Navigator, moves: list[tuple[Place, Place]]) -> None:
    navigator.open(A)
    navigator.open(B)
    navigator.forget(lambda resource: resource == B)
    assert navigator.place == Place()
    navigator.back()
    assert navigator.place.focus == A


def test_reset_forgets_the_way(navigator: Navigator) -> None:
    navigator.trace(A, downstream=True)
    navigator.reset()
    assert navigator.place == Place()
    assert not navigator.can_go_back


def test_exploring_nothing_leads_to_the_classes_and_a_resource_out_of_them(navigator: Navigator) -> None:
    navigator.open(A)
    navigator.explore(None)
    assert navigator.place == Place(View.CLASSES, None, None)
    navigator.show_view(View.EXPLORE)
    assert navigator.place.view is View.CLASSES
    navigator.select(B)
    assert navigator.place == Place(View.CLASSES, None, B)
    navigator.show_view(View.EXPLORE)
    assert navigator.place == Place(View.EXPLORE, B, B)
    navigator.show_view(View.CLASSES)
    assert navigator.place == Place(View.CLASSES, None, B)
    navigator.open(C)
    assert navigator.place == Place(View.EXPLORE, C, C)
