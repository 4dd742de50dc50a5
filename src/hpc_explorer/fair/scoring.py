"""Compute the score of the paper (section III-A) from findings and answers.

Each of the 47 indicators that is fully reached gives one point. With open indicators, the score is an interval from
certain to possible points: "31 to 36 of 47".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from hpc_explorer.errors import WrongAnswers
from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.assessment import Assessment
from hpc_explorer.fair.indicators import indicator as indicator_named
from hpc_explorer.fair.readings import HYBRID, Reading
from hpc_explorer.fair.values import Answer, Basis, Finding, Indicator, Level, Principle, Verdict


@dataclass(frozen=True)
class Interval:
    """An interval of points, from certain to possible.

    Args:
        low, high: both included.
    """

    low: int
    high: int

    @property
    def is_open(self) -> bool:
        """Whether the ends differ."""
        return self.low != self.high

    def __str__(self) -> str:
        """For example `31 to 36`, or `39`."""
        return f"{self.low} to {self.high}" if self.is_open else str(self.low)

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)


NOT_REACHED, OPEN, REACHED = Interval(0, 0), Interval(0, 1), Interval(1, 1)
"""The points of an indicator."""


@dataclass(frozen=True)
class Decided:
    """The result of an indicator.

    Args:
        indicator: the indicator.
        finding: the result of its test.
        answer: the answer of a person, or None.
        points: 0, 1 or open.
        basis: what decided it.
        is_override: whether the answer overrides the test.
        sentence: the explanation of the decision in one sentence.
    """

    indicator: Indicator
    finding: Finding
    answer: Answer | None
    points: Interval
    basis: Basis
    is_override: bool
    sentence: str


def decided(assessment: Assessment, answers: Answers | None = None, reading: Reading = HYBRID) -> tuple[Decided, ...]:
    """The results of all indicators, in order.

    If a person decides, suggestions of the test are open until confirmed. If a test decides, a contradicting answer
    counts only with a reason; if the test is undecided, any answer counts.
    """
    said = {answer.indicator: answer for answer in answers.answers} if answers is not None else {}
    return tuple(
        _decided(indicator_named(finding.indicator), finding, said.get(finding.indicator), reading)
        for finding in assessment.findings
    )


def goes_against(finding: Finding, answer: Answer) -> bool:
    """Whether an answer contradicts a deciding test and so needs a reason."""
    if not indicator_named(finding.indicator).decider.is_automatic or finding.verdict is Verdict.UNKNOWN:
        return False
    return (finding.verdict is Verdict.PASS) != (answer.level is Level.IMPLEMENTED)


def check_answer(finding: Finding, answer: Answer) -> None:
    """Refuse an answer that would not count.

    Raises:
        WrongAnswers: it contradicts the test without a reason.
    """
    if goes_against(finding, answer) and not answer.note.strip():
        said = "reached" if finding.verdict is Verdict.PASS else "not reached"
        raise WrongAnswers(
            f"the test says that {answer.indicator} is {said}, and the answer contradicts it without a reason",
            finding.sentence,
            "give the reason as the note of the answer",
        )


_LEVELS = {
    Level.NOT_APPLICABLE: "not applicable, which earns no point",
    Level.NOT_CONSIDERED: "not considered yet",
    Level.PLANNED: "planned",
    Level.IN_IMPLEMENTATION: "in implementation",
    Level.IMPLEMENTED: "implemented",
}


def _decided(indicator: Indicator, finding: Finding, answer: Answer | None, reading: Reading) -> Decided:
    if indicator.id in reading.automatic and finding.verdict is not Verdict.UNKNOWN:
        return _by_test(indicator, finding, answer)
    if answer is not None:
        against = goes_against(finding, answer)
        if against and not answer.note.strip():
            words = f"{finding.sentence} The contradicting answer has no reason and does not count."
            return replace(_by_test(indicator, finding, answer), sentence=words)
        points = REACHED if answer.level is Level.IMPLEMENTED else NOT_REACHED
        return Decided(indicator, finding, answer, points, Basis.HUMAN, against, _told(answer))
    if not indicator.decider.is_automatic or finding.verdict is Verdict.UNKNOWN:
        basis = Basis.UNKNOWN if finding.verdict is Verdict.UNKNOWN else finding.basis
        return Decided(indicator, finding, None, OPEN, basis, False, finding.sentence)
    return _by_test(indicator, finding, None)


def _by_test(indicator: Indicator, finding: Finding, answer: Answer | None) -> Decided:
    points = REACHED if finding.verdict is Verdict.PASS else NOT_REACHED
    return Decided(indicator, finding, answer, points, finding.basis, False, finding.sentence)


def _told(answer: Answer) -> str:
    note = answer.note.strip()
    reason = f" {note[0].upper()}{note[1:]}{'' if note[-1] in '.!?' else '.'}" if note else ""
    who = answer.who or "A person"
    return f"{who} answered on {answer.when.date().isoformat()}: {_LEVELS[answer.level]}.{reason}"


# Score


@dataclass(frozen=True)
class Part:
    """The points of one principle or subprinciple.

    Args:
        name: "F", "A1.1".
        points: the points.
        of: the number of indicators.
    """

    name: str
    points: Interval
    of: int

    def __str__(self) -> str:
        """For example `F 6/8`, `I 9 to 11/14`."""
        return f"{self.name} {self.points}/{self.of}"


@dataclass(frozen=True)
class Score:
    """The paper's score.

    Args:
        points: the points.
        of: the number of indicators, 47.
        by_principle: F, A, I, R.
        by_subprinciple: F1 to R1.3.
        overrides: the ids of the indicators where an answer overrides the test.
        open: the ids of the open indicators.
    """

    points: Interval
    of: int
    by_principle: tuple[Part, ...]
    by_subprinciple: tuple[Part, ...]
    overrides: tuple[str, ...]
    open: tuple[str, ...]

    @property
    def low(self) -> int:
        """The certain points."""
        return self.points.low

    @property
    def high(self) -> int:
        """The possible points."""
        return self.points.high

    @property
    def percent_low(self) -> Fraction:
        """The exact share of certain points in percent."""
        return Fraction(100 * self.low, self.of)

    @property
    def percent_high(self) -> Fraction:
        """The exact share of possible points in percent."""
        return Fraction(100 * self.high, self.of)

    @property
    def percent(self) -> str:
        """For example `83.0 %`, `66.0 to 76.6 %`."""
        low, high = percent_text(self.percent_low), percent_text(self.percent_high)
        return f"{low} to {high} %" if self.points.is_open else f"{low} %"

    def __str__(self) -> str:
        """For example `31 to 36 of 47`."""
        return f"{self.points} of {self.of}"


def percent_text(share: Fraction) -> str:
    """A share in percent with one decimal place, rounded half up."""
    tenths = int(share * 10 + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10}"


def points_for(target: int | float, of: int) -> int:
    """The least number of points for a target.

    Args:
        target: points as an integer, or percent with a decimal point. A rounded share that equals the target reaches
            it: 83.0 is 39 of 47.
        of: the number of indicators.

    Raises:
        WrongAnswers: the target is out of range.
    """
    most = of if isinstance(target, int) else 100
    if not 0 <= target <= most:
        raise WrongAnswers(f"the target is not from 0 to {most}", str(target), "give points, or percent as in 83%")
    if isinstance(target, int):
        return target
    wanted = Fraction(percent_text(Fraction(str(target))))
    return next(n for n in range(of + 1) if Fraction(percent_text(Fraction(100 * n, of))) >= wanted)


def score_of(decided: Sequence[Decided]) -> Score:
    """The score for the results of all indicators."""
    return Score(
        _sum(one.points for one in decided),
        len(decided),
        _parts(decided, lambda one: one.indicator.principle.value, [principle.value for principle in Principle]),
        _parts(decided, lambda one: one.indicator.subprinciple, [one.indicator.subprinciple for one in decided]),
        tuple(one.indicator.id for one in decided if one.is_override),
        tuple(one.indicator.id for one in decided if one.points.is_open),
    )


def _parts(decided: Sequence[Decided], name_of: Callable[[Decided], str], names: Iterable[str]) -> tuple[Part, ...]:
    found = []
    for name in dict.fromkeys(names):
        members = [one.points for one in decided if name_of(one) == name]
        found.append(Part(name, _sum(members), len(members)))
    return tuple(found)


def _sum(points: Iterable[Interval]) -> Interval:
    return sum(points, NOT_REACHED)
