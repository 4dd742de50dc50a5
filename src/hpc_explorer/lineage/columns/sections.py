"""Query sections from the columns: a whole level, with its numbers, in one scan per table.

Answers agree with `store_sections.StoreSections`, which is used when the columns are not exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar, overload

from hpc_explorer.lineage.columns.expressions import EPOCH
from hpc_explorer.lineage.columns.section_tables import Kinds, SectionTables
from hpc_explorer.lineage.facts.facts import VALUES
from hpc_explorer.lineage.phases.section_facts import (
    SECTION_TO_PLAN,
    SECTION_TO_VALUE,
    SECTION_TO_WHOLE,
    VALUE_TO_PLAN,
    VALUE_TO_SECTION,
    WHOLE_TO_SECTION,
    SectionFacts,
    SectionKind,
    Sections,
    Series,
    ValueFacts,
)
from hpc_explorer.lineage.time.as_of import Moment
from hpc_explorer.rdf.namespaces import PROV, RDF
from hpc_explorer.rdf.terms import BlankNode, NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.layout import QUOTED
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.columns.work import Work

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[tuple[int], np.dtype[np.uint32]]

T = TypeVar("T")

_ALL = frozenset(
    {
        *SECTION_TO_WHOLE,
        *WHOLE_TO_SECTION,
        *VALUE_TO_SECTION,
        *SECTION_TO_VALUE,
        *SECTION_TO_PLAN,
        *VALUE_TO_PLAN,
        *VALUES,
        RDF.type,
        PROV.startedAtTime,
        PROV.endedAtTime,
    }
)


class ColumnSections:
    """Implements `SectionFacts` from the columns.

    Args:
        general: classes with more specific ones in the graph; they define no kind.
        otherwise: the fallback when the columns are not exact.
        moment: the moment to query, also used by `otherwise`; None: everything.
    """

    def __init__(
        self,
        columns: Columns,
        general: Collection[NamedNode],
        otherwise: SectionFacts,
        moment: Moment | None = None,
    ) -> None:
        self._columns = columns
        self._moment = moment
        self._general = frozenset(general)
        self._otherwise = otherwise
        # Edits do not change the ids of resources.
        self._ids: dict[NamedNode, int] = {}
        self._kinds: Kinds = {}

    def sections(
        self, activities: Collection[NamedNode], depth: int = 1, *, limits: Limits = NO_LIMITS
    ) -> Mapping[NamedNode, tuple[Sections, ...]]:
        return self._answer(
            lambda: self._sections(activities, depth, limits),
            lambda: self._otherwise.sections(activities, depth, limits=limits),
        )

    def values(
        self, sections: Collection[Sections], *, limits: Limits = NO_LIMITS
    ) -> Mapping[Sections, tuple[ValueFacts, ...]]:
        def by_columns() -> dict[Sections, tuple[ValueFacts, ...]]:
            found: dict[Sections, tuple[ValueFacts, ...]] = {}
            for depth in sorted({one.depth for one in sections}):
                found |= self._values([one for one in sections if one.depth == depth], depth, limits)
            return found

        return self._answer(by_columns, lambda: self._otherwise.values(sections, limits=limits))

    def series(self, sections: Sections, value: SectionKind, *, limits: Limits = NO_LIMITS) -> Series:
        return self._answer(
            lambda: self._series(sections, value, limits),
            lambda: self._otherwise.series(sections, value, limits=limits),
        )

    def members(self, sections: Sections, *, limits: Limits = NO_LIMITS) -> tuple[NamedNode, ...]:
        return self._answer(
            lambda: self._members(sections, limits), lambda: self._otherwise.members(sections, limits=limits)
        )

    def _answer(self, by_columns: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """Answer by the columns if they have all statements with these predicates, which edits may change."""
        known = (self._columns.predicate(term) for term in _ALL)
        if all(facts is None or QUOTED not in facts.kinds for facts in known):
            try:
                return by_columns()
            except NotByColumns:
                pass
        return otherwise()

    def _sections(
        self, activities: Collection[NamedNode], depth: int, limits: Limits
    ) -> dict[NamedNode, tuple[Sections, ...]]:
        tops = self._tops(activities)
        with self._columns.work(limits) as work:
            tables = self._tables(work)
            tables.create_sections(tops, depth, with_end=True)
            rows = work.run(
                "SELECT top, plan, class, count(*), min(began), max(ended) "
                f"FROM {tables.distinct_sections} GROUP BY ALL"
            )
            kinds = tables.kinds((row[1], row[2]) for row in rows)
        groups: dict[tuple[int, SectionKind], list[tuple[Any, ...]]] = defaultdict(list)
        for top, plan, cls, *facts in rows:
            groups[top, kinds[plan, cls]].append(tuple(facts))
        found: dict[NamedNode, list[Sections]] = defaultdict(list)
        for (top, kind), some in groups.items():
            counts, begins, ends = zip(*some, strict=True)
            began = min((one for one in begins if one is not None), default=None)
            ended = max((one for one in ends if one is not None), default=None)
            found[tops[top]].append(Sections(tops[top], depth, kind, sum(counts), _moment(began), _moment(ended)))
        return {top: tuple(sorted(some, key=lambda one: (-one.count, str(one.kind)))) for top, some in found.items()}

    def _values(
        self, sections: Collection[Sections], depth: int, limits: Limits
    ) -> dict[Sections, tuple[ValueFacts, ...]]:
        tops = self._tops({one.parent for one in sections})
        level = {(one.parent, one.kind): one for one in sections}
        with self._columns.work(limits) as work:
            tables = self._tables(work)
            tables.create_sections(tops, depth, placed=True)
            tables.create_numbers()
            rows = work.run(
                "SELECT top, plan, class, of_plan, of_class, count(*) FILTER (isfinite(x)), "
                "count(*) FILTER (NOT isfinite(x)), min(x) FILTER (isfinite(x)), avg(x) FILTER (isfinite(x)), "
                "max(x) FILTER (isfinite(x)) FROM number "
                f"JOIN {tables.distinct_sections} ON sections.id = number.section GROUP BY ALL"
            )
            ends = tables.ends()
            firsts = {
                (section, of_plan, of_class): x
                for section, of_plan, of_class, x in work.run(
                    "SELECT section, of_plan, of_class, min(x) FROM number WHERE section IN (SELECT id FROM ends) "
                    "GROUP BY ALL"
                )
            }
            kinds = tables.kinds(
                [*(row[1:3] for row in rows), *(row[3:5] for row in rows), *(row[1:3] for row in ends)]
                + [key[1:] for key in firsts]
            )
        least: dict[tuple[int, SectionKind], float] = {}
        for (section, of_plan, of_class), x in firsts.items():
            key = section, kinds[of_plan, of_class]
            least[key] = min(least.get(key, x), x)
        first: dict[tuple[int, SectionKind], int] = {}
        last: dict[tuple[int, SectionKind], int] = {}
        for top, plan, cls, section in ends:  # in the order of the sections
            first.setdefault((top, kinds[plan, cls]), section)
            last[top, kinds[plan, cls]] = section
        groups: dict[tuple[int, SectionKind, SectionKind], list[_Sum]] = defaultdict(list)
        for top, plan, cls, of_plan, of_class, *sums in rows:
            groups[top, kinds[plan, cls], kinds[of_plan, of_class]].append(_Sum(*sums))
        found: dict[Sections, list[ValueFacts]] = defaultdict(list)
        for (top, kind, of), some in groups.items():
            one = level.get((tops[top], kind))
            if one is not None:
                begin, end = (least.get((which[top, kind], of)) for which in (first, last))
                found[one].append(_together(of, some, begin, end))
        return {
            one: tuple(sorted(kinds, key=lambda facts: (-facts.count, str(facts.kind)))) for one, kinds in found.items()
        }

    def _series(self, sections: Sections, value: SectionKind, limits: Limits) -> Series:
        tops = self._tops([sections.parent])
        with self._columns.work(limits) as work:
            tables = self._tables(work)
            tables.create_sections(tops, sections.depth, placed=True)
            tables.keep("sections", ("plan", "class"), sections.kind)
            tables.create_numbers()
            tables.keep("number", ("of_plan", "of_class"), value)
            ids, numbers = work.arrays(
                f"SELECT section, x FROM number JOIN ({tables.in_order()}) AS o ON o.id = number.section "
                "ORDER BY place, x, v"
            )
        return Series(_Names(self._columns, ids), numbers.tolist())

    def _members(self, sections: Sections, limits: Limits) -> tuple[NamedNode, ...]:
        tops = self._tops([sections.parent])
        with self._columns.work(limits) as work:
            tables = self._tables(work)
            tables.create_sections(tops, sections.depth, placed=True)
            tables.keep("sections", ("plan", "class"), sections.kind)
            (ids,) = work.arrays(f"SELECT id FROM ({tables.in_order()}) ORDER BY place")
        return tuple(NamedNode(name) for name in _Names(self._columns, ids))

    def _tables(self, work: Work) -> SectionTables:
        return SectionTables(self._columns, work, self._general, self._kinds, self._moment)

    def _tops(self, activities: Iterable[NamedNode]) -> dict[int, NamedNode]:
        """The ids of activities, with the activities."""
        asked = set(activities)
        found = self._columns.ids_of(asked - self._ids.keys())
        self._ids |= {one: number for one, number in found.items() if number is not None and isinstance(one, NamedNode)}
        return {self._ids[one]: one for one in asked if one in self._ids}


@dataclass(frozen=True)
class _Sum:
    finite: int
    others: int
    lowest: float | None
    mean: float | None
    highest: float | None


def _together(kind: SectionKind, sums: Collection[_Sum], first: float | None, last: float | None) -> ValueFacts:
    """Merge sums of one kind: a blank plan or a general class counts as none."""
    lows = [one.lowest for one in sums if one.lowest is not None]
    highs = [one.highest for one in sums if one.highest is not None]
    finite, others = sum(one.finite for one in sums), sum(one.others for one in sums)
    mean = sum(one.mean * (one.finite / finite) for one in sums if one.mean is not None) if finite else None
    return ValueFacts(
        kind, finite + others, min(lows, default=None), mean, max(highs, default=None), first, last, not_finite=others
    )


class _Names(Sequence[str]):
    """The names of sections, loaded on demand: a plot needs few of them."""

    def __init__(self, columns: Columns, ids: Numbers) -> None:
        self._columns, self._ids = columns, ids

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return self._names(self._ids[index].tolist())
        (name,) = self._names([int(self._ids[index])])
        return name

    def __iter__(self) -> Iterator[str]:
        return iter(self._names(self._ids.tolist()))

    def _names(self, ids: list[int]) -> list[str]:
        found = self._columns.resources(ids)
        texts = {number: str(one) if isinstance(one, BlankNode) else one.value for number, one in found.items()}
        return [texts[number] for number in ids]


def _moment(microseconds: int | None) -> datetime | None:
    return EPOCH + timedelta(microseconds=microseconds) if microseconds is not None else None
