"""Three-way merge of two changes of a graph.

The unit is the set of values of one property of one resource. If only one side changed it, or both made the same
change, it is applied. Anything else is a conflict for the user to resolve, even two added values: a second name is
rarely intended.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hpc_explorer.annotate.pushing.values import Choice, Conflict, ConflictKind, in_order
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.rdf.terms import BlankNode, GraphName, NamedNode, Quad, Resource, Term

_Place = tuple[GraphName, Resource, NamedNode]
_Subject = tuple[GraphName, Resource]

_NOTHING: tuple[set[Term], set[Term]] = (set(), set())


@dataclass(frozen=True)
class Changes:
    """The statements removed and added by one side."""

    removed: frozenset[Quad]
    added: frozenset[Quad]

    @classmethod
    def between(cls, before: Collection[Quad], after: Collection[Quad]) -> Changes:
        """The difference between two graphs."""
        one, other = frozenset(before), frozenset(after)
        return cls(one - other, other - one)

    def __bool__(self) -> bool:
        return bool(self.removed or self.added)

    @property
    def places(self) -> dict[_Place, tuple[set[Term], set[Term]]]:
        """The removed and added values by resource and property."""
        found: dict[_Place, tuple[set[Term], set[Term]]] = defaultdict(lambda: (set(), set()))
        for quads, side in ((self.removed, 0), (self.added, 1)):
            for quad in quads:
                found[_place(quad)][side].add(quad.object)  # type: ignore[arg-type]  # no quoted triples are walked
        return found


NO_CHANGES = Changes(frozenset(), frozenset())


@dataclass(frozen=True)
class Merge:
    """The result of a merge.

    Args:
        conflicts: the conflicts.
        here: the changes for the local graph, without conflicts.
        there: the changes for the target, without conflicts.
        mine: the local additions.
        theirs: the additions in the target.
        made: blank nodes created by either side since the common base.
    """

    conflicts: tuple[Conflict, ...]
    here: Changes
    there: Changes
    mine: frozenset[Quad]
    theirs: frozenset[Quad]
    made: frozenset[BlankNode]


def merged(mine: Changes, theirs: Changes, there: Collection[Quad]) -> Merge:
    """Merge two changes of one graph.

    Args:
        mine: the local change.
        theirs: the change of the target since the common base.
        there: the current target, or at least all statements about the resources of both changes.
    """
    my_places, their_places = mine.places, theirs.places
    values: dict[_Place, set[Term]] = defaultdict(set)
    left_there: Counter[_Subject] = Counter()
    for quad in there:
        place = _place(quad)
        left_there[place[:2]] += 1
        if place in my_places or place in their_places:
            values[place].add(quad.object)  # type: ignore[arg-type]  # no quoted triples are walked
    base = left_there + _sizes(theirs.removed) - _sizes(theirs.added)
    gone_here = _emptied(mine, base)
    gone_there = _emptied(theirs, base)
    conflicts = []
    for place in sorted({*my_places, *their_places}, key=_reading_order):
        taken, given = their_places.get(place, _NOTHING)
        before = (values[place] - given) | taken
        taken, given = my_places.get(place, _NOTHING)
        here = (before - taken) | given
        by_both = place in my_places and place in their_places
        emptied = place[:2] in (gone_there if place in my_places else gone_here)
        if here == values[place] or not (by_both or emptied):
            continue
        kind = ConflictKind.CHANGED
        if not here:
            kind = ConflictKind.REMOVED_HERE
        elif not values[place]:
            kind = ConflictKind.REMOVED_THERE
        graph, subject, predicate = place
        terms = (in_order(before), in_order(here), in_order(values[place]))
        conflicts.append(Conflict(subject, predicate, graph, *terms, kind))
    disputed = {(conflict.graph, conflict.subject, conflict.predicate) for conflict in conflicts}
    return Merge(
        tuple(conflicts),
        _without(Changes(theirs.removed - mine.removed, theirs.added - mine.added), disputed),
        _without(Changes(mine.removed - theirs.removed, mine.added - theirs.added), disputed),
        mine.added,
        theirs.added,
        frozenset(
            quad.subject
            for quad in mine.added | theirs.added
            if isinstance(quad.subject, BlankNode) and not base.get(_place(quad)[:2])
        ),
    )


def resolved(merge: Merge, choices: Mapping[Conflict, Choice]) -> tuple[Changes, Changes]:
    """The changes for both sides after all conflicts are resolved.

    If a blank node is not chosen, its own statements are removed on both sides too.

    Raises:
        KeyError: a conflict is not resolved.
    """
    here, there = _Sum(merge.here), _Sum(merge.there)
    unchosen: set[Quad] = set()
    for conflict in merge.conflicts:
        choice = choices[conflict]
        mine, theirs = set(conflict.mine), set(conflict.theirs)
        wanted = {Choice.MINE: mine, Choice.THEIRS: theirs, Choice.BOTH: mine | theirs}[choice]
        for side, values in ((here, mine), (there, theirs)):
            side.removed |= {_quad(conflict, value) for value in values - wanted}
            side.added |= {_quad(conflict, value) for value in wanted - values}
        unchosen |= {_quad(conflict, value) for value in (mine | theirs) - wanted}
    of_unchosen = _said_of_values(merge, unchosen)
    for side, own in ((here, merge.mine), (there, merge.theirs)):
        side.added -= of_unchosen
        side.removed |= of_unchosen & own
    return here.changes(), there.changes()


def _said_of_values(merge: Merge, links: Collection[Quad]) -> set[Quad]:
    """The additions about blank nodes that are reachable only by these links."""
    said = (merge.mine | merge.theirs).difference(links)
    by_subject: dict[object, list[Quad]] = defaultdict(list)
    for quad in said:
        by_subject[quad.subject].append(quad)
    values = _reached({quad.object for quad in links}, by_subject, merge.made)
    # From outside: cycles among the values do not count.
    kept = _reached({quad.object for quad in said if quad.subject not in values}, by_subject, merge.made)
    return {quad for node in values - kept for quad in by_subject[node]}


def _reached(
    nodes: Collection[object], by_subject: Mapping[object, list[Quad]], among: Collection[object]
) -> set[object]:
    """The nodes and everything reachable from them within a set."""
    found: set[object] = set()
    to_do = [node for node in nodes if node in among]
    while to_do:
        node = to_do.pop()
        if node not in found:
            found.add(node)
            to_do += (quad.object for quad in by_subject.get(node, ()) if quad.object in among)
    return found


def _place(quad: Quad) -> _Place:
    return quad.graph_name, quad.subject, quad.predicate  # type: ignore[return-value]  # no quoted subjects


def _reading_order(place: _Place) -> tuple[object, ...]:
    """ "run 9" before "run 10"."""
    return tuple(label_order(str(part)) for part in place)


def _quad(conflict: Conflict, value: Term) -> Quad:
    return Quad(conflict.subject, conflict.predicate, value, conflict.graph)


def _sizes(quads: Iterable[Quad]) -> Counter[_Subject]:
    return Counter(_place(quad)[:2] for quad in quads)


def _emptied(change: Changes, base: Mapping[_Subject, int]) -> set[_Subject]:
    """The resources that a change removes completely."""
    added = _sizes(change.added)
    return {key for key, number in _sizes(change.removed).items() if number == base.get(key, 0) and not added[key]}


def _without(change: Changes, places: Collection[_Place]) -> Changes:
    if not places:
        return change
    return Changes(
        frozenset(quad for quad in change.removed if _place(quad) not in places),
        frozenset(quad for quad in change.added if _place(quad) not in places),
    )


class _Sum:
    def __init__(self, start: Changes) -> None:
        self.removed, self.added = set(start.removed), set(start.added)

    def changes(self) -> Changes:
        return Changes(frozenset(self.removed - self.added), frozenset(self.added))
