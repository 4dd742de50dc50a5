"""The one way from a resource to the next."""

from __future__ import annotations

import pytest

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import VIEWS, Level, Navigator, Place, View, views_of

A, B, C = (NamedNode(f"http://example.org/{name}") for name in "abc")


@pytest.fixture
def moves() -> list[tuple[Place, Place]]:
    return []


@pytest.fixture
def navigator(moves: list[tuple[Place, Place]]) -> Navigator:
    navigator = Navigator()
    navigator.moved.connect(lambda place, before: moves.append((place, before)))
    return navigator


def test_it_begins_at_home(navigator: Navigator) -> None:
    assert navigator.place == Place(View.HOME, None, None)
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
        (View.HOME, None, None),
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


def test_the_overview_of_nothing_is_the_home_page(navigator: Navigator) -> None:
    navigator.open(A)
    navigator.explore(None)
    assert navigator.place == Place(View.HOME, None, None)
    navigator.show_view(View.EXPLORE)
    assert navigator.place.view is View.HOME


def test_a_resource_leads_out_of_the_classes_and_back(navigator: Navigator) -> None:
    navigator.show_view(View.CLASSES)
    navigator.select(B)
    assert navigator.place == Place(View.CLASSES, None, B)
    navigator.show_view(View.EXPLORE)
    assert navigator.place == Place(View.EXPLORE, B, B)
    navigator.show_view(View.CLASSES)
    assert navigator.place == Place(View.CLASSES, None, B)
    navigator.open(C)
    assert navigator.place == Place(View.EXPLORE, C, C)


def test_a_workspace_is_shown_as_it_was_left(navigator: Navigator) -> None:
    navigator.show_level(Level.GRAPH)
    assert navigator.place.view is View.CLASSES
    navigator.show_view(View.GRAPH)
    navigator.show_level(Level.QUERY)
    assert navigator.place.view is View.ASK
    navigator.show_level(Level.GRAPH)
    assert navigator.place.view is View.GRAPH


def test_each_view_has_an_entry_and_a_level() -> None:
    assert set(VIEWS) == set(View)
    assert sorted(view.value for level in Level for view in views_of(level)) == sorted(view.value for view in View)


def test_only_back_and_forward_return(navigator: Navigator) -> None:
    seen: list[bool] = []
    navigator.moved.connect(lambda place, before: seen.append(navigator.is_returning))
    navigator.open(A)
    navigator.open(B)
    navigator.back()
    navigator.forward()
    navigator.open(C)
    assert seen == [False, False, True, True, False]
