"""Sections as of a moment.

Copies what existed by then, according to `as_of.Moment`, into a store in memory and queries that with `StoreSections`.
This is exact for any store; the time grows with the number of sections. `ColumnSections` is faster where it applies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from hpc_explorer.lineage.facts.facts import VALUES
from hpc_explorer.lineage.phases.section_facts import (
    SECTION_TO_PLAN,
    SECTION_TO_VALUE,
    SECTION_TO_WHOLE,
    VALUE_TO_PLAN,
    VALUE_TO_SECTION,
    WHOLE_TO_SECTION,
    SectionKind,
    Sections,
    Series,
    ValueFacts,
)
from hpc_explorer.lineage.phases.store_sections import StoreSections
from hpc_explorer.lineage.time.as_of import Moment, moment_of
from hpc_explorer.rdf.namespaces import PROV, RDF
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.local.local import LocalStore

_GRAPH = NamedNode("urn:hpc-explorer:there")
_ABOUT_SECTION = SECTION_TO_PLAN | {RDF.type, PROV.startedAtTime, PROV.endedAtTime}
_ABOUT_VALUE = VALUE_TO_PLAN | VALUES | {RDF.type}


class MomentSections:
    """Implements `SectionFacts` for a moment.

    Args:
        moment: the moment, with its store.
        general: classes with more specific ones in the graph; they define no kind.
    """

    def __init__(self, moment: Moment, general: Collection[NamedNode] = ()) -> None:
        self._moment = moment
        self._general = tuple(general)
        self._copy = LocalStore.in_memory()
        self._below: dict[Resource, tuple[Resource, ...]] = {}
        self._with_values: set[Resource] = set()
        self._sections: StoreSections | None = None

    def sections(
        self, activities: Collection[NamedNode], depth: int = 1, *, limits: Limits = NO_LIMITS
    ) -> Mapping[NamedNode, tuple[Sections, ...]]:
        self._copy_sections_to(activities, depth, limits)
        return self._copied().sections(activities, depth, limits=limits)

    def values(
        self, sections: Collection[Sections], *, limits: Limits = NO_LIMITS
    ) -> Mapping[Sections, tuple[ValueFacts, ...]]:
        for one in sections:
            self._copy_values(self._copy_sections_to([one.parent], one.depth, limits), limits)
        return self._copied().values(sections, limits=limits)

    def series(self, sections: Sections, value: SectionKind, *, limits: Limits = NO_LIMITS) -> Series:
        self._copy_values(self._copy_sections_to([sections.parent], sections.depth, limits), limits)
        return self._copied().series(sections, value, limits=limits)

    def members(self, sections: Sections, *, limits: Limits = NO_LIMITS) -> tuple[NamedNode, ...]:
        self._copy_sections_to([sections.parent], sections.depth, limits)
        return self._copied().members(sections, limits=limits)

    def _copied(self) -> StoreSections:
        """The copy's sections; created again after additions, because `StoreSections` caches answers."""
        if self._sections is None:
            self._sections = StoreSections(self._copy, self._general)
        return self._sections

    def _copy_sections_to(self, activities: Iterable[Resource], depth: int, limits: Limits) -> list[Resource]:
        """Copy the sections down to a depth, and return those at that depth."""
        level = list(dict.fromkeys(activities))
        for _ in range(depth):
            self._copy_sections([one for one in level if one not in self._below], limits)
            level = list(dict.fromkeys(section for one in level for section in self._below[one]))
        return level

    def _copy_sections(self, wholes: Collection[Resource], limits: Limits) -> None:
        if not wholes:
            return
        links = self._links(wholes, SECTION_TO_WHOLE, WHOLE_TO_SECTION, limits)
        there = self._moment.there({section for section, _, _ in links}, limits=limits)
        found: dict[Resource, dict[Resource, None]] = {whole: {} for whole in wholes}
        quads = []
        for section, whole, quad in links:
            if section in there:
                found[whole][section] = None
                quads.append(quad)
        said = self._moment.store.match_many(subjects=list(there), predicates=_ABOUT_SECTION, limits=limits)
        self._add([*quads, *filter(self._not_in_future, said)])
        self._below.update({whole: tuple(some) for whole, some in found.items()})

    def _not_in_future(self, quad: Quad) -> bool:
        if quad.predicate != PROV.endedAtTime or not isinstance(quad.object, Literal):
            return True
        ended = moment_of(quad.object)
        return ended is None or ended <= self._moment.at

    def _copy_values(self, sections: Iterable[Resource], limits: Limits) -> None:
        new = [one for one in sections if one not in self._with_values]
        if not new:
            return
        links = self._links(new, VALUE_TO_SECTION, SECTION_TO_VALUE, limits)
        there = self._moment.there({value for value, _, _ in links}, limits=limits)
        said = self._moment.store.match_many(subjects=list(there), predicates=_ABOUT_VALUE, limits=limits)
        self._add([*(quad for value, _, quad in links if value in there), *said])
        self._with_values.update(new)

    def _links(
        self,
        ends: Collection[Resource],
        inward: frozenset[NamedNode],
        outward: frozenset[NamedNode],
        limits: Limits,
    ) -> list[tuple[Resource, Resource, Quad]]:
        """The (resource, end, statement) triples that lead to, or from, some ends."""
        store = self._moment.store
        leading = store.match_many(objects=list(ends), predicates=inward, limits=limits)
        found: list[tuple[object, object, Quad]] = [(quad.subject, quad.object, quad) for quad in leading]
        leading = store.match_many(subjects=list(ends), predicates=outward, limits=limits)
        found += [(quad.object, quad.subject, quad) for quad in leading]
        return [
            (one, end, quad)
            for one, end, quad in found
            if isinstance(one, (NamedNode, BlankNode)) and isinstance(end, (NamedNode, BlankNode))
        ]

    def _add(self, quads: Iterable[Quad]) -> None:
        self._copy.add_quads(Quad(quad.subject, quad.predicate, quad.object, _GRAPH) for quad in quads)
        self._sections = None
