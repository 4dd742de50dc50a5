"""Find the smallest plan that reaches a target score, verified by running the tests again.

Repairs overlap: one DOI raises four indicators, and some indicators need two repairs. Gains are therefore not added up:
each candidate set is applied to a copy of the description, and the tests run on the copy (`smallest_set.py`). Questions
for the user are steps of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.assessment import Assessment
from hpc_explorer.fair.readings import HYBRID, Reading
from hpc_explorer.fair.repairing import Ask, Repair, example_answers, filled, repairs
from hpc_explorer.fair.scoring import Decided, Interval, decided, points_for, score_of
from hpc_explorer.fair.smallest_set import RepairTester, smallest_set
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS, Surroundings
from hpc_explorer.fair.values import Verdict
from hpc_explorer.stores.base import NO_LIMITS, Limits


class StepKind(Enum):
    """The kind of a step."""

    APPLY = "apply"
    """A change that can be applied directly."""
    ANSWER = "answer"
    """A change that needs a fact from the user."""
    CONFIRM = "confirm"
    """A check and an answer by the user."""


@dataclass(frozen=True)
class Step:
    """One thing to do.

    Args:
        kind: its kind.
        words: a short instruction.
        repair: the repair with its assumed change; None for a confirmation.
        confirms: the id of the indicator to answer; empty for a repair.
        gains: the ids of the indicators it raises after the steps before it.
        points: the score after it.
        to_confirm: the ids in `gains` that need an answer of the user too.
    """

    kind: StepKind
    words: str
    repair: Repair | None
    confirms: str
    gains: tuple[str, ...]
    points: Interval
    to_confirm: tuple[str, ...] = ()

    @property
    def earned(self) -> tuple[str, ...]:
        """The ids in `gains` that need no answer."""
        return tuple(each for each in self.gains if each not in self.to_confirm)


@dataclass(frozen=True)
class Plan:
    """A plan for a target.

    Args:
        target: points.
        start: the score before.
        steps: the steps in order, largest gain first.
        reaches: the score after all steps.
        exact: whether the tests show that no smaller set reaches the target. An indicator is assumed to depend on the
            repairs that change its result alone or after all others; no test contradicted this. If false, at least
            `fewest` steps are needed.
        fewest: a lower bound of the number of steps.
        assumes: the assumed answers.
    """

    target: int
    start: Interval
    steps: tuple[Step, ...]
    reaches: Interval
    exact: bool
    fewest: int
    assumes: Mapping[Ask, str]

    @property
    def is_reached(self) -> bool:
        """Whether the steps reach the target."""
        return self.reaches.low >= self.target


def plan(
    assessment: Assessment,
    subject: Subject,
    target: int | float,
    *,
    answers: Answers | None = None,
    reading: Reading = HYBRID,
    surroundings: Surroundings = NO_SURROUNDINGS,
    given: Mapping[Ask, str] | None = None,
    limits: Limits = NO_LIMITS,
) -> Plan:
    """Find the smallest set of steps that reaches a target; if none does, all steps with a gain.

    Args:
        target: points, or percent as a number with a decimal point.
        given: answers of the user; other questions use their examples.

    Raises:
        WrongAnswers: the target is out of range.
        WrongEntry: an answer has the wrong type.
        DeadlineExceeded, Cancelled: see `limits`.
    """
    before = decided(assessment, answers, reading)
    start = score_of(before).points
    wanted = points_for(target, len(before))
    if start.low >= wanted:
        return Plan(wanted, start, (), start, True, 0, {})
    assumed: dict[Ask, str] = {}
    offered = (_with_answers(repair, given or {}, assumed) for repair in repairs(assessment, subject, surroundings))
    available = tuple(repair for repair in offered if repair.change)
    tester = RepairTester(assessment, subject, answers, reading, surroundings, limits, available)
    chosen, exact, fewest = smallest_set(available, tester, wanted)
    steps = (*_repair_steps(chosen, tester), *_confirming(chosen, tester, wanted))
    used = {ask for step in steps if step.repair is not None for ask in step.repair.asks}
    *_, reaches = (start, *(step.points for step in steps))
    return Plan(
        wanted, start, steps, reaches, exact, fewest, {ask: text for ask, text in assumed.items() if ask in used}
    )


def _with_answers(repair: Repair, given: Mapping[Ask, str], assumed: dict[Ask, str]) -> Repair:
    """A repair with the given answers and examples for the rest."""
    texts = {ask: given[ask] for ask in repair.asks if given.get(ask, "").strip()}
    for ask, example in example_answers(repair).items():
        if ask not in texts:
            texts[ask] = assumed[ask] = example
    return filled(repair, texts)


_HOPE = (Verdict.PASS, Verdict.UNKNOWN, Verdict.PARTIAL, Verdict.FAIL)
"""Sort key: how likely the user confirms it, by the test result."""


def _repair_steps(chosen: Sequence[Repair], tester: RepairTester) -> tuple[Step, ...]:
    """The repairs ordered by their gain after the previous ones."""
    done: list[Repair] = []
    steps = []
    while len(done) < len(chosen):
        before = tester.after(done)
        rest = [repair for repair in chosen if repair not in done]
        gained = [(_gains(tester, before, tester.after([*done, repair])), repair) for repair in rest]
        gains, repair = max(gained, key=lambda pair: len(pair[0]))
        waiting = {one.indicator.id for one in tester.after([*done, repair]) if not tester.worth(one)[0]}
        done.append(repair)
        kind = StepKind.ANSWER if repair.asks else StepKind.APPLY
        points = score_of(tester.after(done)).points
        to_confirm = tuple(each for each in gains if each in waiting)
        steps.append(Step(kind, repair.words, repair, "", gains, points, to_confirm))
    return tuple(steps)


def _gains(tester: RepairTester, before: Sequence[Decided], after: Sequence[Decided]) -> tuple[str, ...]:
    """The ids of the indicators that pass or can be confirmed."""
    gained = []
    for was, now in zip(before, after, strict=True):
        old, new = tester.worth(was), tester.worth(now)
        if new[0] > old[0] or sum(new) > sum(old):
            gained.append(now.indicator.id)
    return tuple(gained)


def _confirming(chosen: Sequence[Repair], tester: RepairTester, wanted: int) -> tuple[Step, ...]:
    """The confirmations that are needed; suggested passes first."""
    told = tester.after(chosen)
    points = score_of(told).points
    steps = []
    for one in sorted(told, key=lambda one: _HOPE.index(one.finding.verdict)):
        if points.low >= wanted:
            break
        if tester.worth(one) == (0, 1):
            points = Interval(points.low + 1, points.high if one.points.is_open else points.high + 1)
            words = f"Check and answer{'' if one.answer is None else ' again'}: {one.indicator.text}"
            steps.append(Step(StepKind.CONFIRM, words, None, one.indicator.id, (one.indicator.id,), points))
    return tuple(steps)
