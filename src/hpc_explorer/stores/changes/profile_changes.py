"""The effect of a change on the profile, computed from the touched subjects only."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import GraphName, Literal, NamedNode, Resource, Triple
from hpc_explorer.stores.local.profile import Profile, TypeSet

if TYPE_CHECKING:
    from hpc_explorer.stores.changes.changes import Effect
    from hpc_explorer.stores.local.local import LocalStore

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class ProfileChange:
    """The difference to each count of a `Profile`; never zero.

    Args:
        class_predicates: by class and predicate.
        datatypes: by predicate and datatype.
    """

    type_sets: Mapping[TypeSet, int]
    predicates: Mapping[NamedNode, int]
    class_predicates: Mapping[tuple[NamedNode, NamedNode], int]
    datatypes: Mapping[tuple[NamedNode, NamedNode], int]
    graphs: Mapping[GraphName, int]


def profile_change(store: LocalStore, effect: Effect) -> ProfileChange:
    """Compute how an effect that is not applied yet changes the profile.

    Reads only the subjects of the change, and all their statements if their classes change.
    """
    type_sets: Counter[TypeSet] = Counter()
    predicates: Counter[NamedNode] = Counter()
    class_predicates: Counter[tuple[NamedNode, NamedNode]] = Counter()
    datatypes: Counter[tuple[NamedNode, NamedNode]] = Counter()
    of_subject: dict[Resource, list[tuple[Triple, int]]] = defaultdict(list)
    for triples, sign in ((effect.left, -1), (effect.entered, 1)):
        for triple in triples:
            of_subject[triple.subject].append((triple, sign))  # type: ignore[index]  # no quoted subjects
            predicates[triple.predicate] += sign
            if isinstance(triple.object, Literal):
                datatypes[triple.predicate, triple.object.datatype] += sign
    for subject, changes in of_subject.items():
        before = _classes(quad.triple for quad in store.match(subject, RDF.type))
        after = before - _classes(triple for triple, sign in changes if sign < 0)
        after |= _classes(triple for triple, sign in changes if sign > 0)
        for cls in before & after:
            for triple, sign in changes:
                class_predicates[cls, triple.predicate] += sign
        if before == after:
            continue
        if before:
            type_sets[before] -= 1
        if after:
            type_sets[after] += 1
        there = Counter(triple.predicate for triple in store.stored_triples_of(subject))
        for cls in before - after:
            for predicate, number in there.items():
                class_predicates[cls, predicate] -= number
        for triple, sign in changes:
            there[triple.predicate] += sign
        for cls in after - before:
            for predicate, number in there.items():
                class_predicates[cls, predicate] += number
    graphs: Counter[GraphName] = Counter(quad.graph_name for quad in effect.change.added)
    graphs.subtract(quad.graph_name for quad in effect.change.removed)
    return ProfileChange(
        _without_zeros(type_sets),
        _without_zeros(predicates),
        _without_zeros(class_predicates),
        _without_zeros(datatypes),
        _without_zeros(graphs),
    )


def _classes(triples: Iterable[Triple]) -> frozenset[NamedNode]:
    return frozenset(
        triple.object for triple in triples if triple.predicate == RDF.type and isinstance(triple.object, NamedNode)
    )


def changed_profile(profile: Profile, change: ProfileChange) -> Profile:
    """Apply a change to a profile."""
    return Profile(
        _changed(profile.type_sets, change.type_sets),
        _changed(profile.predicates, change.predicates),
        _changed_by(profile.class_predicates, change.class_predicates),
        _changed_by(profile.datatypes, change.datatypes),
        _changed(profile.graphs, change.graphs),
    )


def _changed(counts: Mapping[K, int], change: Mapping[K, int]) -> Mapping[K, int]:
    if not change:
        return counts
    after = {**counts, **{key: counts.get(key, 0) + number for key, number in change.items()}}
    for key in change:
        if not after[key]:
            del after[key]
    return after


def _changed_by(
    counts: Mapping[NamedNode, Mapping[NamedNode, int]], change: Mapping[tuple[NamedNode, NamedNode], int]
) -> Mapping[NamedNode, Mapping[NamedNode, int]]:
    if not change:
        return counts
    inner: dict[NamedNode, dict[NamedNode, int]] = defaultdict(dict)
    for (outer, key), number in change.items():
        inner[outer][key] = number
    after = {**counts, **{outer: _changed(counts.get(outer, {}), numbers) for outer, numbers in inner.items()}}
    for outer in inner:
        if not after[outer]:
            del after[outer]
    return after


def _without_zeros(counts: Mapping[K, int]) -> dict[K, int]:
    return {key: number for key, number in counts.items() if number}
