from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.navigation import LONGEST, History

PLACES = st.lists(st.sampled_from("abc"), max_size=12)


def walked(places: list[str]) -> History[str]:
    history: History[str] = History()
    for place in places:
        history = history.visit(place)
    return history


def test_a_new_history_leads_nowhere() -> None:
    history: History[str] = History()
    assert not history.can_go_back
    assert not history.can_go_forward
    assert history.back() == history == history.forward()


def test_back_and_forward_retrace_the_way() -> None:
    history = walked(["a", "b", "c"])
    assert history.back().current == "b"
    assert history.back().back().current == "a"
    assert history.back().back().forward().forward() == history


def test_a_new_place_forgets_what_lay_ahead() -> None:
    history = walked(["a", "b", "c"]).back().visit("d")
    assert history == History(("a", "b"), "d")


def test_going_where_one_is_changes_nothing_and_keeps_what_lies_ahead() -> None:
    history = walked(["a", "b"]).back()
    assert history.visit("a") is history


def test_replacing_the_place_keeps_the_way() -> None:
    history = walked(["a", "b", "c"]).back().replace("B")
    assert (history.past, history.current, history.future) == (("a",), "B", ("c",))


def test_places_that_are_gone_leave_the_way() -> None:
    history = walked(["a", "b", "a", "c", "a"]).back()
    assert history.keep(lambda place: place != "b") == History(("a",), "c", ("a",))
    assert history.keep(lambda place: place == "a") == History(("a",), None, ("a",))


def test_only_so_many_places_are_remembered() -> None:
    history = walked([str(number) for number in range(LONGEST + 20)])
    assert len(history.past) == LONGEST
    assert history.past[0] == "19"


@given(PLACES)
def test_back_undoes_visit(places: list[str]) -> None:
    history = walked(places)
    if history.can_go_back:
        assert history.back().forward() == history


@given(PLACES, st.sets(st.sampled_from("abc")))
def test_keep_holds_only_what_is_there_and_no_twins(places: list[str], there: set[str]) -> None:
    kept = walked(places).keep(lambda place: place in there)
    line = [*kept.past, *([kept.current] if kept.current is not None else []), *kept.future]
    assert set(line) <= there
    assert all(one != other for one, other in zip(kept.past, kept.past[1:], strict=False))
