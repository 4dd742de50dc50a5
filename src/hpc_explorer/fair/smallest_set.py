"""Search for the smallest set of repairs that reaches a target: promising sets are tried on a copy and tested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.assessment import Assessment, assess
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.readings import Reading
from hpc_explorer.fair.repairing import Repair
from hpc_explorer.fair.scoring import Decided, decided
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import Surroundings
from hpc_explorer.fair.values import Verdict
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import DefaultGraph, Quad
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.changes.changes import ChangeSet, net_change
from hpc_explorer.stores.local.local import LocalStore

MOST_LOOKED_AT = 300_000
"""Limit of examined sets; after it, the plan may not be the smallest."""

MOST_TOGETHER = 6
"""All combinations are tested for indicators that depend on at most this many repairs."""

MOST_TESTED = 400
"""Limit of promising sets that are tested."""


class RepairTester:
    """The test results after sets of repairs, cached."""

    def __init__(
        self,
        assessment: Assessment,
        subject: Subject,
        answers: Answers | None,
        reading: Reading,
        surroundings: Surroundings,
        limits: Limits,
        repairs: Sequence[Repair],
    ) -> None:
        self._assessment = assessment
        self._subject = subject
        self._answers = answers
        self._reading = reading
        self._surroundings = surroundings
        self._limits = limits
        self.repairs = repairs
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
        place = {repair.name: bit for bit, repair in enumerate(self.repairs)}
        return {sum(1 << place[name] for name in names): told for names, told in self._known.items()}

    def worth(self, one: Decided) -> tuple[int, int]:
        """The certain points of an indicator, and those that an answer can add.

        A suggested failure should be repaired first; without a repair, the user may know better.
        """
        if one.answer is not None and not one.points.high:
            # The user answered that it is missing: after the repair they can answer again.
            return 0, int(one.finding.verdict is Verdict.PASS)
        filled_in = one.finding.verdict in (Verdict.PASS, Verdict.UNKNOWN) or one.indicator.id not in self._repairable
        return one.points.low, int(one.points.is_open and filled_in)

    @cached_property
    def _repairable(self) -> frozenset[str]:
        """The ids of the indicators that pass after all repairs."""
        return frozenset(one.indicator.id for one in self.after(self.repairs) if one.finding.verdict is Verdict.PASS)


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


def smallest_set(repairs: Sequence[Repair], tester: RepairTester, wanted: int) -> tuple[tuple[Repair, ...], bool, int]:
    """The repairs of the smallest plan, whether it is proven smallest, and a lower bound of steps.

    An indicator depends on the repairs that change its result. All combinations of these are tested if there are few
    enough; otherwise the best result is assumed. Sets are examined by size, and assumptions are tested. If a test
    contradicts an assumed dependency, the best result is assumed for that indicator and the search restarts, so the
    answer agrees with all tests.
    """
    groups = _groups(repairs, tester)
    while True:
        answer = _smallest_by(groups, repairs, tester, wanted)
        again = _groups(repairs, tester)
        if again == groups:
            return answer
        groups = again


def _smallest_by(
    groups: Sequence[_Group], repairs: Sequence[Repair], tester: RepairTester, wanted: int
) -> tuple[tuple[Repair, ...], bool, int]:
    """The same, for given dependencies of the indicators."""
    relevant = [bit for bit in range(len(repairs)) if any(group.on >> bit & 1 for group in groups)]
    wanted = min(wanted, _most(groups, relevant, wanted))
    best: tuple[int, int, int, tuple[int, ...]] | None = None
    looked_at = tested = size = 0
    while size <= len(relevant) and (best is None or size <= best[0]):
        for members in combinations(relevant, size):
            looked_at += 1
            if looked_at > MOST_LOOKED_AT or tested > MOST_TESTED:
                return _chosen(repairs, best, relevant), False, size
            hoped = _ranked(repairs, members, _together(groups, sum(1 << bit for bit in members)), wanted)
            if hoped is None or (best is not None and hoped >= best):
                continue
            tested += 1
            told = [tester.worth(one) for one in tester.after(repairs[bit] for bit in members)]
            found = _ranked(repairs, members, (sum(low for low, _ in told), sum(more for _, more in told)), wanted)
            if found is not None and (best is None or found < best):
                best = found
        size += 1
    return _chosen(repairs, best, relevant), best is not None, best[0] if best is not None else len(relevant)


def _ranked(
    repairs: Sequence[Repair], members: tuple[int, ...], worth: tuple[int, int], wanted: int
) -> tuple[int, int, int, tuple[int, ...]] | None:
    """Sort key of a set: fewer steps, fewer questions, more points; None if it misses the target."""
    low, more = worth
    if low + more < wanted:
        return None
    looks = max(0, wanted - low)
    asked = looks + sum(len(repairs[bit].asks) for bit in members)
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
    repairs: Sequence[Repair], best: tuple[int, int, int, tuple[int, ...]] | None, relevant: Sequence[int]
) -> tuple[Repair, ...]:
    return tuple(repairs[bit] for bit in (relevant if best is None else best[3]))


def _together(groups: Iterable[_Group], members: int) -> tuple[int, int]:
    low = more = 0
    for group in groups:
        points, open = group.worth.get(members & group.on) or group.worth[0]
        low += points
        more += open
    return low, more


def _groups(repairs: Sequence[Repair], tester: RepairTester) -> list[_Group]:
    """The indicators by their dependencies."""
    groups = []
    by_repairs: dict[int, list[int]] = {}
    tables: dict[int, dict[int, tuple[Decided, ...]]] = {}
    dependence = _dependence(repairs, tester)
    for bits, _ in dependence:
        if bits.bit_count() <= MOST_TOGETHER and bits not in tables:
            tables[bits] = {each: tester.after(repairs[bit] for bit in _bits(each)) for each in _combinations(bits)}
    tested = tester.tested()
    for place, (bits, best) in enumerate(dependence):
        if bits.bit_count() > MOST_TOGETHER:
            groups.append(_Group(bits, {0: best}))
        elif _agrees(tables[bits], bits, place, tested, tester):
            by_repairs.setdefault(bits, []).append(place)
        else:
            # It depends on other repairs too, and it is unknown which.
            seen = max(tester.worth(told[place]) for told in tested.values())
            groups.append(_Group((1 << len(repairs)) - 1, {0: seen}))
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
    tester: RepairTester,
) -> bool:
    """Whether all tests agree with the assumed dependencies of an indicator."""
    return all(
        tester.worth(told[place]) == tester.worth(table[members & bits][place]) for members, told in tested.items()
    )


def _dependence(repairs: Sequence[Repair], tester: RepairTester) -> list[tuple[int, tuple[int, int]]]:
    """The dependencies of each indicator as bits, and its best result."""
    base, everything = tester.after(()), tester.after(repairs)
    alone = [tester.after((repair,)) for repair in repairs]
    last = [tester.after(other for other in repairs if other is not repair) for repair in repairs]
    found = []
    for place, one in enumerate(base):
        seen = {tester.worth(told[place]) for told in (base, everything, *alone, *last)}
        bits = 0
        for bit, repair in enumerate(repairs):
            told = alone[bit][place], last[bit][place]
            changes = _told(told[0]) != _told(one) or _told(told[1]) != _told(everything[place])
            if one.indicator.id in repair.indicators or changes:
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
