"""Find the smallest set of steps that reaches a target score, verified by running the tests again.

Repairs overlap: one DOI raises four indicators, and some indicators need two repairs. Gains are therefore not added up:
each candidate set is applied to a copy of the description, and the tests run on the copy. Questions for the user are
steps of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import combinations

from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.assessment import Assessment, assess
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.readings import HYBRID, Reading
from hpc_explorer.fair.repairing import Ask, Repair, example_answers, filled, repairs
from hpc_explorer.fair.scoring import Decided, Interval, decided, points_for, score_of
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS, Surroundings
from hpc_explorer.fair.values import Verdict
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import DefaultGraph, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet, net_change
from hpc_explorer.stores.local.local import LocalStore

MOST_LOOKED_AT = 300_000
"""Limit of examined sets; after it, the plan may not be the smallest."""

MOST_TOGETHER = 6
"""All combinations are tested for indicators that depend on at most this many repairs."""

MOST_TESTED = 400
"""Limit of promising sets that are tested."""


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
    mends = tuple(repair for repair in offered if repair.change)
    tester = _Tester(assessment, subject, answers, reading, surroundings, limits, mends)
    chosen, exact, fewest = _smallest(mends, tester, wanted)
    steps = (*_mending(chosen, tester), *_confirming(chosen, tester, wanted))
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


class _Tester:
    """The test results after sets of repairs, cached."""

    def __init__(
        self,
        assessment: Assessment,
        subject: Subject,
        answers: Answers | None,
        reading: Reading,
        surroundings: Surroundings,
        limits: Limits,
        mends: Sequence[Repair],
    ) -> None:
        self._assessment = assessment
        self._subject = subject
        self._answers = answers
        self._reading = reading
        self._surroundings = surroundings
        self._limits = limits
        self.mends = mends
        self._known: dict[frozenset[str], tuple[Decided, ...]] = {}

    def after(self, chosen: Iterable[Repair]) -> tuple[Decided, ...]:
        """The results of the indicators after these repairs."""
        chosen = tuple(chosen)
        names = frozenset(repair.name for repair in chosen)
        if names not in self._known:
            self._limits.check("the plan")
            assessment = self._assessment
            if names:
                change = net_change([repair.change for repair in chosen if repair.change is not None])
                subject = changed(self._subject, change)
                assessment = assess(subject, self._surroundings, when=assessment.when, limits=self._limits)
            self._known[names] = decided(assessment, self._answers, self._reading)
        return self._known[names]

    def tested(self) -> Mapping[int, tuple[Decided, ...]]:
        """The cached results by repairs as bits."""
        place = {repair.name: bit for bit, repair in enumerate(self.mends)}
        return {sum(1 << place[name] for name in names): told for names, told in self._known.items()}

    def worth(self, one: Decided) -> tuple[int, int]:
        """The certain points of an indicator, and those that an answer can add.

        A suggested failure should be repaired first; without a repair, the user may know better.
        """
        if one.answer is not None and not one.points.high:
            # The user answered that it is missing: after the repair they can answer again.
            return 0, int(one.finding.verdict is Verdict.PASS)
        filled_in = one.finding.verdict in (Verdict.PASS, Verdict.UNKNOWN) or one.indicator.id not in self._mendable
        return one.points.low, int(one.points.is_open and filled_in)

    @cached_property
    def _mendable(self) -> frozenset[str]:
        """The ids of the indicators that pass after all repairs."""
        return frozenset(one.indicator.id for one in self.after(self.mends) if one.finding.verdict is Verdict.PASS)


def changed(subject: Subject, change: ChangeSet) -> Subject:
    """Collect the relevant statements of a resource again after a change."""
    gone = {(quad.subject, quad.predicate, quad.object) for quad in change.removed}
    quads = [quad for quad in _known(subject) if (quad.subject, quad.predicate, quad.object) not in gone]
    store = LocalStore.in_memory()
    store.add_quads([*quads, *change.added])
    return subject_of(store, subject.resource)


def _known(subject: Subject) -> list[Quad]:
    classes = [
        Quad(target, RDF.type, each, DefaultGraph()) for target, members in subject.targets.items() for each in members
    ]
    return [*(quad for quad in subject.all_quads() if quad.graph_name != INFERRED), *classes]


# The smallest set


@dataclass(frozen=True)
class _Group:
    """Indicators that depend on the same repairs.

    Args:
        on: those repairs, as bits.
        worth: the points and possible answers for each combination. With too many combinations, one entry for 0: the
            best result seen.
    """

    on: int
    worth: Mapping[int, tuple[int, int]]


def _smallest(mends: Sequence[Repair], tester: _Tester, wanted: int) -> tuple[tuple[Repair, ...], bool, int]:
    """The repairs of the smallest plan, whether it is proven smallest, and a lower bound of steps.

    An indicator depends on the repairs that change its result. All combinations of these are tested if there are few
    enough; otherwise the best result is assumed. Sets are examined by size, and assumptions are tested. If a test
    contradicts an assumed dependency, the best result is assumed for that indicator and the search restarts, so the
    answer agrees with all tests.
    """
    groups = _groups(mends, tester)
    while True:
        answer = _smallest_by(groups, mends, tester, wanted)
        again = _groups(mends, tester)
        if again == groups:
            return answer
        groups = again


def _smallest_by(
    groups: Sequence[_Group], mends: Sequence[Repair], tester: _Tester, wanted: int
) -> tuple[tuple[Repair, ...], bool, int]:
    """The same, for given dependencies of the indicators."""
    relevant = [bit for bit in range(len(mends)) if any(group.on >> bit & 1 for group in groups)]
    wanted = min(wanted, _most(groups, relevant, wanted))
    best: tuple[int, int, int, tuple[int, ...]] | None = None
    looked_at = tested = size = 0
    while size <= len(relevant) and (best is None or size <= best[0]):
        for members in combinations(relevant, size):
            looked_at += 1
            if looked_at > MOST_LOOKED_AT or tested > MOST_TESTED:
                return _chosen(mends, best, relevant), False, size
            hoped = _ranked(mends, members, _together(groups, sum(1 << bit for bit in members)), wanted)
            if hoped is None or (best is not None and hoped >= best):
                continue
            tested += 1
            told = [tester.worth(one) for one in tester.after(mends[bit] for bit in members)]
            found = _ranked(mends, members, (sum(low for low, _ in told), sum(more for _, more in told)), wanted)
            if found is not None and (best is None or found < best):
                best = found
        size += 1
    return _chosen(mends, best, relevant), best is not None, best[0] if best is not None else len(relevant)


def _ranked(
    mends: Sequence[Repair], members: tuple[int, ...], worth: tuple[int, int], wanted: int
) -> tuple[int, int, int, tuple[int, ...]] | None:
    """Sort key of a set: fewer steps, fewer questions, more points; None if it misses the target."""
    low, more = worth
    if low + more < wanted:
        return None
    looks = max(0, wanted - low)
    asked = looks + sum(len(mends[bit].asks) for bit in members)
    return len(members) + looks, asked, -low, members


def _most(groups: Sequence[_Group], relevant: Sequence[int], wanted: int) -> int:
    """The most points of any set of repairs, or `wanted` if all repairs together reach it."""
    everything = sum(1 << bit for bit in relevant)
    most = sum(_together(groups, everything))
    # A repair may lose points that another gains, so all together need not be best.
    if most < wanted and 1 << len(relevant) <= MOST_LOOKED_AT:
        most = max(sum(_together(groups, members)) for members in _combinations(everything))
    return most


def _chosen(
    mends: Sequence[Repair], best: tuple[int, int, int, tuple[int, ...]] | None, relevant: Sequence[int]
) -> tuple[Repair, ...]:
    return tuple(mends[bit] for bit in (relevant if best is None else best[3]))


def _together(groups: Iterable[_Group], members: int) -> tuple[int, int]:
    low = more = 0
    for group in groups:
        points, open = group.worth.get(members & group.on) or group.worth[0]
        low += points
        more += open
    return low, more


def _groups(mends: Sequence[Repair], tester: _Tester) -> list[_Group]:
    """The indicators by their dependencies."""
    groups = []
    by_repairs: dict[int, list[int]] = {}
    tables: dict[int, dict[int, tuple[Decided, ...]]] = {}
    dependence = _dependence(mends, tester)
    for bits, _ in dependence:
        if bits.bit_count() <= MOST_TOGETHER and bits not in tables:
            tables[bits] = {each: tester.after(mends[bit] for bit in _bits(each)) for each in _combinations(bits)}
    tested = tester.tested()
    for place, (bits, best) in enumerate(dependence):
        if bits.bit_count() > MOST_TOGETHER:
            groups.append(_Group(bits, {0: best}))
        elif _agrees(tables[bits], bits, place, tested, tester):
            by_repairs.setdefault(bits, []).append(place)
        else:
            # It depends on other repairs too, and it is unknown which.
            seen = max(tester.worth(told[place]) for told in tested.values())
            groups.append(_Group((1 << len(mends)) - 1, {0: seen}))
    for bits, places in by_repairs.items():
        worth = {}
        for members, told in tables[bits].items():
            each = [tester.worth(told[place]) for place in places]
            worth[members] = sum(low for low, _ in each), sum(more for _, more in each)
        groups.append(_Group(bits, worth))
    return groups


def _agrees(
    table: Mapping[int, Sequence[Decided]],
    bits: int,
    place: int,
    tested: Mapping[int, Sequence[Decided]],
    tester: _Tester,
) -> bool:
    """Whether all tests agree with the assumed dependencies of an indicator."""
    return all(
        tester.worth(told[place]) == tester.worth(table[members & bits][place]) for members, told in tested.items()
    )


def _dependence(mends: Sequence[Repair], tester: _Tester) -> list[tuple[int, tuple[int, int]]]:
    """The dependencies of each indicator as bits, and its best result."""
    base, everything = tester.after(()), tester.after(mends)
    alone = [tester.after((mend,)) for mend in mends]
    last = [tester.after(other for other in mends if other is not mend) for mend in mends]
    found = []
    for place, one in enumerate(base):
        seen = {tester.worth(told[place]) for told in (base, everything, *alone, *last)}
        bits = 0
        for bit, mend in enumerate(mends):
            told = alone[bit][place], last[bit][place]
            changes = _told(told[0]) != _told(one) or _told(told[1]) != _told(everything[place])
            if one.indicator.id in mend.indicators or changes:
                bits |= 1 << bit
        # The result never changes, so it depends on nothing.
        found.append((bits if len(seen) > 1 else 0, max(seen)))
    return found


def _told(one: Decided) -> tuple[Verdict, frozenset[Quad]]:
    return one.finding.verdict, frozenset(one.finding.evidence)


def _bits(members: int) -> list[int]:
    return [bit for bit in range(members.bit_length()) if members >> bit & 1]


def _combinations(members: int) -> Iterable[int]:
    """All subsets of some bits."""
    subset = members
    while True:
        yield subset
        if not subset:
            return
        subset = (subset - 1) & members


# Steps

_HOPE = (Verdict.PASS, Verdict.UNKNOWN, Verdict.PARTIAL, Verdict.FAIL)
"""Sort key: how likely the user confirms it, by the test result."""


def _mending(chosen: Sequence[Repair], tester: _Tester) -> tuple[Step, ...]:
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


def _gains(tester: _Tester, before: Sequence[Decided], after: Sequence[Decided]) -> tuple[str, ...]:
    """The ids of the indicators that pass or can be confirmed."""
    gained = []
    for was, now in zip(before, after, strict=True):
        old, new = tester.worth(was), tester.worth(now)
        if new[0] > old[0] or sum(new) > sum(old):
            gained.append(now.indicator.id)
    return tuple(gained)


def _confirming(chosen: Sequence[Repair], tester: _Tester, wanted: int) -> tuple[Step, ...]:
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
