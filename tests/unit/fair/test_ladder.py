"""The RDA's levels from 0 to 5, against the rule counted out."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.fair.indicators import INDICATORS
from hpc_explorer.fair.ladder import ladder
from hpc_explorer.fair.scoring import Interval, decided
from hpc_explorer.fair.values import Principle, Priority
from tests.helpers.assessments import answers, assessment

OF_RDA = [one for one in INDICATORS if one.priority is not Priority.NONE]


def levels(reached: set[str], open: set[str] = frozenset()) -> dict[str, Interval]:  # type: ignore[assignment]
    verdicts = {one.id: "p" if one.id in reached else "?" if one.id in open else "f" for one in INDICATORS}
    said = {one.id: 4 if one.id in reached else 1 for one in INDICATORS if one.id not in open}
    said = {
        id: level for id, level in said.items() if not next(o for o in INDICATORS if o.id == id).decider.is_automatic
    }
    rungs = ladder(decided(assessment(verdicts), answers(said)))
    return {rung.principle.value: rung.level for rung in rungs}


def of(principle: str, *priorities: Priority) -> set[str]:
    return {one.id for one in OF_RDA if one.principle.value == principle and one.priority in priorities}


def test_nothing_is_reached() -> None:
    assert {area: level.low for area, level in levels(set()).items()} == {"F": 0, "A": 0, "I": 1, "R": 0}


def test_everything_is_reached_without_what_only_f_uji_has() -> None:
    assert {area: level.low for area, level in levels({one.id for one in OF_RDA}).items()} == dict.fromkeys("FAIR", 5)


def test_all_but_the_useful_ones() -> None:
    """A has one useful indicator and I five of them: less than half is none to two."""
    useful = sorted(of("I", Priority.USEFUL))
    assert len(useful) == 5
    base = of("I", Priority.ESSENTIAL, Priority.IMPORTANT)
    assert [levels(base | set(useful[:n]))["I"].low for n in range(6)] == [3, 3, 3, 4, 4, 5]


def test_half_of_the_important_ones() -> None:
    important = sorted(of("R", Priority.IMPORTANT))
    base = of("R", Priority.ESSENTIAL, Priority.USEFUL)
    assert len(important) == 4
    assert [levels(base | set(important[:n]))["R"].low for n in range(5)] == [1, 1, 2, 2, 5]


def by_the_workbook(all_of: tuple[int, int, int], reached: tuple[int, int, int]) -> int:
    """The level as the RDA's workbook has it in calc!C13, from the counts of each priority.

    =IF(AND(C$7=C$6,C$9=C8,C$11=C$10),L5,IF(AND(C$7=C$6,C$9=C$8,C$11>=C$10/2),L4,IF(AND(C$7=C$6,C$9=C$8),L3,
    IF(AND(C$7=C$6,C$9>=C$8/2),L2,IF(C$7=C$6,L1,L0)))))
    """
    (c6, c8, c10), (c7, c9, c11) = all_of, reached
    if c7 == c6 and c9 == c8 and c11 == c10:
        return 5
    if c7 == c6 and c9 == c8 and c11 >= c10 / 2:
        return 4
    if c7 == c6 and c9 == c8:
        return 3
    if c7 == c6 and c9 >= c8 / 2:
        return 2
    return 1 if c7 == c6 else 0


@pytest.mark.parametrize("area", [principle.value for principle in Principle])
def test_every_count_is_on_the_level_that_the_workbook_of_the_rda_gives_it(area: str) -> None:
    ids = [sorted(of(area, priority)) for priority in (Priority.ESSENTIAL, Priority.IMPORTANT, Priority.USEFUL)]
    all_of = (len(ids[0]), len(ids[1]), len(ids[2]))
    for e, i, u in product(*(range(count + 1) for count in all_of)):
        reached = {*ids[0][:e], *ids[1][:i], *ids[2][:u]}
        assert levels(reached)[area].low == by_the_workbook(all_of, (e, i, u))


def test_the_priorities_are_those_of_the_rda() -> None:
    """20 essential, 14 important and 7 useful ones, by area."""
    counts = {
        area: tuple(len(of(area, each)) for each in (Priority.ESSENTIAL, Priority.IMPORTANT, Priority.USEFUL))
        for area in "FAIR"
    }
    assert counts == {"F": (7, 0, 0), "A": (8, 3, 1), "I": (0, 7, 5), "R": (5, 4, 1)}


def test_open_ones_make_an_interval_and_the_next_step_is_named() -> None:
    everything = {one.id for one in OF_RDA}
    assert levels(everything - {"RDA-F4-01M"}, {"RDA-F4-01M"})["F"] == Interval(0, 5)
    rungs = ladder(decided(assessment(rest="p"), answers({"RDA-F2-01M": 4})))
    assert rungs[0].next == ("RDA-F4-01M",)


@pytest.mark.parametrize("area", [principle.value for principle in Principle])
@given(data=st.data())
def test_one_more_never_costs_a_level(area: str, data: st.DataObject) -> None:
    ids = sorted(of(area, *Priority))
    reached = set(data.draw(st.lists(st.sampled_from(ids), unique=True)))
    more = data.draw(st.sampled_from(ids))
    assert levels(reached)[area].low <= levels(reached | {more})[area].low
