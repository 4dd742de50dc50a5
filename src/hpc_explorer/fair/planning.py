"""The smallest set of things to do that reaches a target, each with what it gains, verified by testing again.

Repairs overlap: one DOI raises four indicators, and some indicators need two repairs. So nothing is summed up: each set
that is looked at is applied to a copy of what is known of the resource, and the tests are run on that. What a person
has to confirm or answer is a step of its own.
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
"""So many sets of repairs are looked at before a plan is given that may not be the smallest."""

MOST_TOGETHER = 6
"""Of so many repairs at most that one indicator depends on all combinations are tested."""

MOST_TESTED = 400
"""So many sets that are hoped to be good are tested."""


class StepKind(Enum):
    """What a step asks for."""

    APPLY = "apply"
    """A change that can be applied as it stands."""
    ANSWER = "answer"
    """A change that needs a fact that only a person knows."""
    CONFIRM = "confirm"
    """A look at something, and an answer: only a person can say it."""


@dataclass(frozen=True)
class Step:
    """One thing to do.

    Args:
        kind: what it asks for.
        words: what to do, in a few words.
        repair: with the change that was reckoned with; None where a person confirms.
        confirms: the id of the indicator to be answered; empty where something is mended.
        gains: the ids of the indicators that it raises, after the steps before it.
        points: the score after it.
        to_confirm: those of `gains` that earn their point only when a person has looked and answered.
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
        """The ids of the indicators whose point is earned by the step itself."""
        return tuple(each for each in self.gains if each not in self.to_confirm)


@dataclass(frozen=True)
class Plan:
    """What to do for a target.

    Args:
        target: points.
        start: the score before.
        steps: in the order to do them, those that gain most first.
        reaches: the score after all of them.
        exact: whether no smaller set of steps reaches the target, as far as testing shows: an indicator is taken to
            depend on the repairs that change what its test finds alone or as the last of all, and nothing that was
            tested is otherwise. If not, none of `fewest` - 1 steps does.
        fewest: so many steps are needed at least.
        assumes: the answers that were reckoned with, where none were given.
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
    """The smallest set of steps that reaches a target; where nothing does, all steps that gain anything.

    Args:
        target: points, or percent as a number with a decimal point.
        given: what a person has answered already; for all else the examples of the questions are reckoned with.

    Raises:
        WrongAnswers: there is no such target.
        WrongEntry: an answer is not of the kind that is wanted.
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
    """A repair with what was answered; what was not is reckoned with by the example of its question."""
    texts = {ask: given[ask] for ask in repair.asks if given.get(ask, "").strip()}
    for ask, example in example_answers(repair).items():
        if ask not in texts:
            texts[ask] = assumed[ask] = example
    return filled(repair, texts)


class _Tester:
    """What the tests say of the resource as it would be after some repairs, each set tested once."""

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
        """What the indicators come to after these repairs."""
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
        """All that was tested so far, by the repairs as bits."""
        place = {repair.name: bit for bit, repair in enumerate(self.mends)}
        return {sum(1 << place[name] for name in names): told for names, told in self._known.items()}

    def worth(self, one: Decided) -> tuple[int, int]:
        """The points that are certain of one indicator, and those that a person can add by a look.

        What the graph fills in as not reached is first to be mended; where nothing mends it, a person may know better.
        """
        if one.answer is not None and not one.points.high:
            # Somebody said that it is not there yet: once the test finds it, they can answer anew.
            return 0, int(one.finding.verdict is Verdict.PASS)
        filled_in = one.finding.verdict in (Verdict.PASS, Verdict.UNKNOWN) or one.indicator.id not in self._mendable
        return one.points.low, int(one.points.is_open and filled_in)

    @cached_property
    def _mendable(self) -> frozenset[str]:
        """The ids of the indicators that all repairs together mend."""
        return frozenset(one.indicator.id for one in self.after(self.mends) if one.finding.verdict is Verdict.PASS)


def changed(subject: Subject, change: ChangeSet) -> Subject:
    """What may count for a resource after a change: collected anew from all that is known of it."""
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
        worth: what the indicators come to with each combination of them: points, and what a person can add. Where
            there are too many combinations to test, it has one entry, by 0: the best that was seen.
    """

    on: int
    worth: Mapping[int, tuple[int, int]]


def _smallest(mends: Sequence[Repair], tester: _Tester, wanted: int) -> tuple[tuple[Repair, ...], bool, int]:
    """The repairs of the smallest plan, whether no other is smaller, and how many steps are needed at least.

    An indicator depends on the repairs that change what its test finds. All combinations of these are tested where
    they are not too many; else the best is hoped for. Sets are looked at by their size, and what is hoped is tested.
    A test that shows an indicator otherwise than by what it was taken to depend on makes it one to hope for, and the
    sets are looked at again: so the answer agrees with every test that was made.
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
    """The same, by what the indicators are taken to depend on."""
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
    """How good a set is, the best first: fewer steps, fewer questions, more points; None where it does not reach."""
    low, more = worth
    if low + more < wanted:
        return None
    looks = max(0, wanted - low)
    asked = looks + sum(len(mends[bit].asks) for bit in members)
    return len(members) + looks, asked, -low, members


def _most(groups: Sequence[_Group], relevant: Sequence[int], wanted: int) -> int:
    """The points that any set of repairs comes to, or `wanted` if all of them come to that."""
    everything = sum(1 << bit for bit in relevant)
    most = sum(_together(groups, everything))
    # One repair may cost what another gains, so all together need not be the best.
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
    """The indicators by what they depend on."""
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
            # Something more than these has a bearing on it, and which is not known: any repair may.
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
    """Whether an indicator came out in every test as it does with only those repairs that it is taken to depend on."""
    return all(
        tester.worth(told[place]) == tester.worth(table[members & bits][place]) for members, told in tested.items()
    )


def _dependence(mends: Sequence[Repair], tester: _Tester) -> list[tuple[int, tuple[int, int]]]:
    """For each indicator the repairs that it depends on, as bits, and the best that was seen of it."""
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
        # What comes to the same however it is mended depends on nothing.
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
"""How likely a person finds it reached, by what the test found."""


def _mending(chosen: Sequence[Repair], tester: _Tester) -> tuple[Step, ...]:
    """The repairs in the order of what they gain after those before."""
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
    """The ids of the indicators that are reached now, or can be confirmed now."""
    gained = []
    for was, now in zip(before, after, strict=True):
        old, new = tester.worth(was), tester.worth(now)
        if new[0] > old[0] or sum(new) > sum(old):
            gained.append(now.indicator.id)
    return tuple(gained)


def _confirming(chosen: Sequence[Repair], tester: _Tester, wanted: int) -> tuple[Step, ...]:
    """What a person has to look at, as much of it as is needed; first what the graph fills in as reached."""
    told = tester.after(chosen)
    points = score_of(told).points
    steps = []
    for one in sorted(told, key=lambda one: _HOPE.index(one.finding.verdict)):
        if points.low >= wanted:
            break
        if tester.worth(one) == (0, 1):
            points = Interval(points.low + 1, points.high if one.points.is_open else points.high + 1)
            words = f"Look, and answer{'' if one.answer is None else ' anew'}: {one.indicator.text}"
            steps.append(Step(StepKind.CONFIRM, words, None, one.indicator.id, (one.indicator.id,), points))
    return tuple(steps)
