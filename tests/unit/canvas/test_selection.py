"""Selecting nodes: what is selected after each choice, and which one was chosen last."""

from __future__ import annotations

from hpc_explorer.canvas.selection import NOTHING, Selection, area, only


def test_one_node_or_none() -> None:
    assert only("a") == Selection(frozenset("a"), "a")
    assert only(None) == NOTHING


def test_toggling_takes_a_node_in_and_out_again() -> None:
    both = only("a").toggled("b")
    assert both == Selection(frozenset("ab"), "b")
    assert both.toggled("b") == Selection(frozenset("a"), None)
    assert both.toggled("a") == Selection(frozenset("b"), "b")


def test_an_area_has_no_node_that_was_chosen_unless_it_is_alone() -> None:
    assert area(["a", "b"]) == Selection(frozenset("ab"), None)
    assert area(["a"]) == only("a")
    assert only("a").added(["b", "c"]) == Selection(frozenset("abc"), "a")
    assert only("a").added(["b"]).current == "b"
    assert only("a").added([]) == only("a")


def test_what_is_gone_is_not_selected() -> None:
    chosen = area(["a", "b"]).added(["c"])
    assert chosen.among(["a", "c", "x"]) == Selection(frozenset("ac"), "c")
    assert chosen.among(["a", "b"]).current is None
