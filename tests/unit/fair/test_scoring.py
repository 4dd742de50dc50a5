"""Points: who decides an indicator, what is open, the paper's percentages, and its three readings."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import WrongAnswers
from hpc_explorer.fair.indicators import INDICATORS
from hpc_explorer.fair.readings import AUTOMATIC_STARS, HYBRID, LITERAL, READINGS, reading
from hpc_explorer.fair.scoring import Interval, check_answer, decided, percent_text, points_for, score_of
from hpc_explorer.fair.values import Basis
from tests.helpers.assessments import answers, assessment

LICENCE, CONFIRMED, ASKED, KNOWN_WORDS = "RDA-R1.1-01M", "RDA-A1-02M", "RDA-A1-03M", "FsF-I1-02M"
BY_PERSON = [one.id for one in INDICATORS if not one.decider.is_automatic]


def points(id: str, verdict: str, level: int | None = None, note: str = "", how: str = "hybrid") -> Interval:
    said = answers({} if level is None else {id: level}, note)
    return next(one.points for one in decided(assessment({id: verdict}), said, reading(how)) if one.indicator.id == id)


@pytest.mark.parametrize(("verdict", "earned"), [("p", (1, 1)), ("-", (0, 0)), ("f", (0, 0)), ("?", (0, 1))])
def test_a_test_decides(verdict: str, earned: tuple[int, int]) -> None:
    assert points(LICENCE, verdict) == Interval(*earned)


@pytest.mark.parametrize("id", [CONFIRMED, ASKED])
@pytest.mark.parametrize("verdict", "p-f?")
def test_what_a_person_decides_is_open_until_then(id: str, verdict: str) -> None:
    assert points(id, verdict) == Interval(0, 1)
    assert points(id, verdict, 4) == Interval(1, 1)
    assert [points(id, verdict, level) for level in range(4)] == [Interval(0, 0)] * 4


@pytest.mark.parametrize(
    ("id", "verdict", "level", "note", "how", "basis"),
    [
        (LICENCE, "f", 2, "", "hybrid", Basis.HUMAN),
        (LICENCE, "f", 4, "", "hybrid", Basis.VERIFIED),
        (LICENCE, "f", 4, "why", "hybrid", Basis.HUMAN),
        (LICENCE, "?", 4, "", "hybrid", Basis.HUMAN),
        (CONFIRMED, "p", 4, "", "hybrid", Basis.HUMAN),
        (KNOWN_WORDS, "f", 4, "why", "hybrid", Basis.HUMAN),
        (KNOWN_WORDS, "f", 4, "why", "literal", Basis.VERIFIED),
    ],
)
def test_the_answer_is_kept_whether_it_or_the_test_decides(
    id: str, verdict: str, level: int, note: str, how: str, basis: Basis
) -> None:
    said = answers({id: level}, note)
    told = {one.indicator.id: one for one in decided(assessment({id: verdict}), said, reading(how))}
    assert (told[id].answer, told[id].basis) == (said.answers[0], basis)


def test_an_override_needs_a_reason() -> None:
    said = answers({LICENCE: 4})
    (told,) = [one for one in decided(assessment(), said) if one.indicator.id == LICENCE]
    assert (told.points, told.is_override, told.basis) == (Interval(0, 0), False, Basis.VERIFIED)
    assert "has no reason and does not count" in told.sentence
    (finding,) = [finding for finding in assessment().findings if finding.indicator == LICENCE]
    with pytest.raises(WrongAnswers) as caught:
        check_answer(finding, said.answers[0])
    assert LICENCE in caught.value.what
    assert "reason" in caught.value.remedy
    check_answer(finding, answers({LICENCE: 4}, "by contract").answers[0])
    check_answer(finding, answers({LICENCE: 2}).answers[0])


def test_an_override_with_a_reason_counts_both_ways_and_is_listed() -> None:
    graph = assessment({LICENCE: "p"})
    score = score_of(decided(graph, answers({LICENCE: 3, KNOWN_WORDS: 4}, "see the minutes")))
    assert score.overrides == (KNOWN_WORDS, LICENCE)
    assert (points(LICENCE, "p", 3, "why"), points(KNOWN_WORDS, "f", 4, "why")) == (Interval(0, 0), Interval(1, 1))


@pytest.mark.parametrize(
    ("note", "sentence"),
    [
        ("", "Ada answered on 2026-11-22: planned."),
        ("when Grace is back", "Ada answered on 2026-11-22: planned. When Grace is back."),
        ("Why not?", "Ada answered on 2026-11-22: planned. Why not?"),
    ],
)
def test_an_answer_is_told_as_a_sentence(note: str, sentence: str) -> None:
    told = {one.indicator.id: one.sentence for one in decided(assessment(), answers({CONFIRMED: 2}, note))}
    assert told[CONFIRMED] == sentence


def test_an_answer_that_agrees_is_no_override() -> None:
    assert score_of(decided(assessment(), answers({LICENCE: 2, "RDA-F1-01M": 0}))).overrides == ()


def test_an_answer_settles_what_a_test_cannot_tell() -> None:
    for how in READINGS:
        assert points("RDA-R1.3-02M", "?", 4, how=how.name) == Interval(1, 1)
    assert score_of(decided(assessment({"RDA-R1.3-02M": "?"}), answers({"RDA-R1.3-02M": 4}))).overrides == ()


def test_the_readings_of_the_contradiction() -> None:
    """Section VI: 39 as it counts, 38 where FsF-I1-02M is not fulfilled, 40 where F-UJI decides all that it has."""
    starred = ("RDA-R1.3-01M", "RDA-R1.3-01D")
    in_implementation = (
        "RDA-I3-01D", "RDA-I3-02D", "RDA-I3-04M", "RDA-R1.2-02M", *starred, "RDA-R1.3-02M", "RDA-R1.3-02D",
    )  # fmt: skip
    graph = assessment({KNOWN_WORDS: "f"}, rest="p")
    said = answers({**dict.fromkeys(BY_PERSON, 4), **dict.fromkeys(in_implementation, 3), KNOWN_WORDS: 4}, "as in VI")
    totals = {how: score_of(decided(graph, said, how)) for how in READINGS}
    assert {how.name: str(score) for how, score in totals.items()} == {
        "hybrid": "39 of 47", "literal": "38 of 47", "automatic-stars": "40 of 47",
    }  # fmt: skip
    assert [str(part) for part in totals[HYBRID].by_principle] == ["F 8/8", "A 13/13", "I 11/14", "R 7/12"]
    assert totals[HYBRID].percent == "83.0 %"
    assert KNOWN_WORDS in totals[HYBRID].overrides
    assert KNOWN_WORDS not in totals[LITERAL].overrides
    assert not set(starred) & set(totals[AUTOMATIC_STARS].overrides)


def test_the_other_star_that_a_person_confirms_is_decided_by_what_is_filled_in() -> None:
    assert points("RDA-F4-01M", "p", how="automatic-stars") == Interval(1, 1)
    assert points("RDA-F4-01M", "f", 4, "why", how="automatic-stars") == Interval(0, 0)


def test_score_is_an_interval_while_something_is_open() -> None:
    score = score_of(decided(assessment({LICENCE: "?"}, rest="p"), None))
    assert str(score) == "37 to 47 of 47"
    assert score.percent == "78.7 to 100.0 %"
    assert len(score.open) == len(BY_PERSON) + 1 == 10
    assert [str(part) for part in score.by_subprinciple][-4:] == [
        "R1 1 to 2/2",
        "R1.1 2 to 3/3",
        "R1.2 3/3",
        "R1.3 4/4",
    ]


def test_the_papers_percentages() -> None:
    assert percent_text(Fraction(900, 47)) == "19.1"
    assert percent_text(Fraction(3900, 47)) == "83.0"
    assert percent_text(Fraction(1, 20)) == "0.1"


@pytest.mark.parametrize(("target", "wanted"), [(39, 39), (83.0, 39), (82.9, 39), (83.1, 40), (100.0, 47), (0, 0)])
def test_targets(target: float, wanted: int) -> None:
    assert points_for(target, 47) == wanted


@pytest.mark.parametrize("target", [48, -1, 100.5])
def test_targets_out_of_reach(target: float) -> None:
    with pytest.raises(WrongAnswers):
        points_for(target, 47)


VERDICTS = st.fixed_dictionaries({one.id: st.sampled_from("p-f?") for one in INDICATORS})
LEVELS = st.dictionaries(st.sampled_from([one.id for one in INDICATORS]), st.integers(0, 4))


def expected(row: dict[str, str], verdict: str, level: int | None, note: str, how: str) -> Interval:
    """The points of one line of the published table, as section III-A and the three readings have them."""
    by_machine, passed = row["auto"] in "LGF", Interval(1, 1) if verdict == "p" else Interval(0, 0)
    only_tests = (row["fuji_id"] == KNOWN_WORDS and how != "hybrid") or (
        row["shared"] == "*" and how == "automatic-stars"
    )
    if only_tests and verdict != "?":
        return passed
    if level is None:
        return passed if by_machine and verdict != "?" else Interval(0, 1)
    if by_machine and verdict != "?" and not note:
        return passed
    return Interval(1, 1) if level == 4 else Interval(0, 0)


@given(VERDICTS, LEVELS, st.sampled_from(["", "a reason"]), st.sampled_from(["hybrid", "literal", "automatic-stars"]))
def test_score_is_that_of_the_published_table(
    shared_data: Callable[[str], Path], verdicts: dict[str, str], levels: dict[str, int], note: str, how: str
) -> None:
    rows = list(csv.DictReader(shared_data("fair/hybrid47_tests.csv").read_text(encoding="utf-8").splitlines()))
    score = score_of(decided(assessment(verdicts), answers(levels, note), reading(how)))
    parts: dict[str, list[Interval]] = defaultdict(list)
    open_ones = []
    for row in rows:
        id = row["rda_id"] or row["fuji_id"]
        points = expected(row, verdicts[id], levels.get(id), note, how)
        for name in ("", row["principle"], row["subprinciple"]):
            parts[name].append(points)
        if points.is_open:
            open_ones.append(id)
    sums = {name: Interval(sum(one.low for one in some), sum(one.high for one in some)) for name, some in parts.items()}
    assert (score.points, score.of) == (sums.pop(""), 47)
    told = {part.name: part for part in (*score.by_principle, *score.by_subprinciple)}
    assert {name: (part.points, part.of) for name, part in told.items()} == {
        name: (points, len(parts[name])) for name, points in sums.items()
    }
    assert sorted(score.open) == sorted(open_ones)
    assert (score.percent_low, score.percent_high) == (Fraction(100 * score.low, 47), Fraction(100 * score.high, 47))
