"""Sections as of a moment: those that were there by then, and the numbers that were.

What was there is told by `as_of.Moment`, thing by thing, and put into a store of its own; there `StoreSections` answers
as ever. So it is exact over any store, and takes as long as there are sections. Where a workspace keeps its facts by
column, `ColumnSections` answers the same from these, as far as they tell.
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
_SAID_OF_SECTION = SECTION_TO_PLAN | {RDF.type, PROV.startedAtTime, PROV.endedAtTime}
_SAID_OF_VALUE = VALUE_TO_PLAN | VALUES | {RDF.type}


class MomentSections:
    """Answers about sections as they were at a moment, see `section_facts.SectionFacts`.

    Args:
        moment: what was there, and the store it was there in.
        general: classes that say less than another one of the graph does; no kind is told by them.
    """

    def __init__(self, moment: Moment, general: Collection[NamedNode] = ()) -> None:
        self._moment = moment
        self._general = tuple(general)
        self._there = LocalStore.in_memory()
        self._below: dict[Resource, tuple[Resource, ...]] = {}
        self._with_values: set[Resource] = set()
        self._answering: StoreSections | None = None

    def sections(
        self, activities: Collection[NamedNode], depth: int = 1, *, limits: Limits = NO_LIMITS
    ) -> Mapping[NamedNode, tuple[Sections, ...]]:
        self._put_down(activities, depth, limits)
        return self._store().sections(activities, depth, limits=limits)

    def values(
        self, sections: Collection[Sections], *, limits: Limits = NO_LIMITS
    ) -> Mapping[Sections, tuple[ValueFacts, ...]]:
        for one in sections:
            self._put_values(self._put_down([one.parent], one.depth, limits), limits)
        return self._store().values(sections, limits=limits)

    def series(self, sections: Sections, value: SectionKind, *, limits: Limits = NO_LIMITS) -> Series:
        self._put_values(self._put_down([sections.parent], sections.depth, limits), limits)
        return self._store().series(sections, value, limits=limits)

    def members(self, sections: Sections, *, limits: Limits = NO_LIMITS) -> tuple[NamedNode, ...]:
        self._put_down([sections.parent], sections.depth, limits)
        return self._store().members(sections, limits=limits)

    def _store(self) -> StoreSections:
        """Who answers; again once more was put into the store, as it keeps what it has asked."""
        if self._answering is None:
            self._answering = StoreSections(self._there, self._general)
        return self._answering

    def _put_down(self, activities: Iterable[Resource], depth: int, limits: Limits) -> list[Resource]:
        """Put the sections down to a depth into the store; those at that depth."""
        level = list(dict.fromkeys(activities))
        for _ in range(depth):
            self._put_sections([one for one in level if one not in self._below], limits)
            level = list(dict.fromkeys(section for one in level for section in self._below[one]))
        return level

    def _put_sections(self, wholes: Collection[Resource], limits: Limits) -> None:
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
        said = self._moment.store.match_many(subjects=list(there), predicates=_SAID_OF_SECTION, limits=limits)
        self._put([*quads, *filter(self._had_happened, said)])
        self._below.update({whole: tuple(some) for whole, some in found.items()})

    def _had_happened(self, quad: Quad) -> bool:
        """Whether a statement tells no end that was still to come."""
        if quad.predicate != PROV.endedAtTime or not isinstance(quad.object, Literal):
            return True
        ended = moment_of(quad.object)
        return ended is None or ended <= self._moment.at

    def _put_values(self, sections: Iterable[Resource], limits: Limits) -> None:
        new = [one for one in sections if one not in self._with_values]
        if not new:
            return
        links = self._links(new, VALUE_TO_SECTION, SECTION_TO_VALUE, limits)
        there = self._moment.there({value for value, _, _ in links}, limits=limits)
        said = self._moment.store.match_many(subjects=list(there), predicates=_SAID_OF_VALUE, limits=limits)
        self._put([*(quad for value, _, quad in links if value in there), *said])
        self._with_values.update(new)

    def _links(
        self,
        ends: Collection[Resource],
        inward: frozenset[NamedNode],
        outward: frozenset[NamedNode],
        limits: Limits,
    ) -> list[tuple[Resource, Resource, Quad]]:
        """What is linked to some resources by predicates that lead to them, or from them: it, the resource, and how."""
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

    def _put(self, quads: Iterable[Quad]) -> None:
        """Put statements into the store."""
        # Which graph states it makes no difference to a sum.
        self._there.add_quads(Quad(quad.subject, quad.predicate, quad.object, _GRAPH) for quad in quads)
        self._answering = None
