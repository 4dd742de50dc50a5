"""Sections by SPARQL over any store: counted and summed in the store, fetched one by one for a series.

Each level takes a handful of queries, whatever the number of activities.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise

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
    section_order,
)
from hpc_explorer.lineage.phases.section_rows import (
    Place,
    SeriesNumber,
    finite_first,
    iri_of,
    kind_of,
    kind_values,
    moment_in,
    number_of,
    place_of,
    renamed,
    text_of,
)
from hpc_explorer.rdf.namespaces import PROV, RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Term, Triple
from hpc_explorer.stores.base import NO_LIMITS, Limits, Row, Store

_STARTED = frozenset({PROV.startedAtTime})
_ENDED = frozenset({PROV.endedAtTime})
# Maximum number of resources in a query; servers may reject longer ones.
_MOST_NAMED = 500
# The largest finite double; comparisons with NaN are false.
_LARGEST = "1.7976931348623157E308"


class StoreSections:
    """Implements `SectionFacts` from the triples.

    Args:
        general: classes with more specific ones in the graph; they define no kind.
    """

    def __init__(self, store: Store, general: Collection[NamedNode] = ()) -> None:
        self._store = store
        self._general = " ".join(f"{cls}," for cls in sorted(general, key=str)).rstrip(",")
        # The predicates in use, queried once: unused ones make queries slower.
        self._used: frozenset[NamedNode] | None = None
        # The kind of the sections below an activity at a depth, where all are of one kind.
        self._kinds: dict[tuple[NamedNode, int], SectionKind] = {}
        # The activities and depths where all numbers and their sections are of one kind.
        self._single: set[tuple[NamedNode, int]] = set()

    def sections(
        self, activities: Collection[NamedNode], depth: int = 1, *, limits: Limits = NO_LIMITS
    ) -> Mapping[NamedNode, tuple[Sections, ...]]:
        found: dict[NamedNode, list[Sections]] = defaultdict(list)
        for some in _portions(activities):
            for row in self._counted(some, depth, limits):
                top = row["top"]
                if isinstance(top, NamedNode):
                    number, began, ended = int(text_of(row, "number")), moment_in(row, "began"), moment_in(row, "ended")
                    found[top].append(Sections(top, depth, kind_of(row), number, began, ended))
        self._kinds.update({(top, depth): some[0].kind for top, some in found.items() if len(some) == 1})
        return {top: tuple(sorted(kinds, key=_most_first)) for top, kinds in found.items()}

    def values(
        self, sections: Collection[Sections], *, limits: Limits = NO_LIMITS
    ) -> Mapping[Sections, tuple[ValueFacts, ...]]:
        found: dict[Sections, tuple[ValueFacts, ...]] = {}
        for depth in sorted({one.depth for one in sections}):
            level = {(one.parent, one.kind): one for one in sections if one.depth == depth}
            sums: dict[tuple[Sections, SectionKind], list[tuple[bool, int, float, float, float]]] = defaultdict(list)
            for some in _portions({one.parent for one in level.values()}):
                for row in self._summed(some, depth, limits):
                    one = level.get((row["top"], kind_of(row)))  # type: ignore[arg-type]  # only IRIs were asked for
                    number, finite = int(text_of(row, "number")), text_of(row, "finite") == "true"
                    if one is not None:
                        numbers = tuple(float(text_of(row, name) or "nan") for name in ("low", "mean", "high"))
                        sums[one, kind_of(row, "of_")].append((finite, number, *numbers))  # type: ignore[arg-type]  # three
            ends = self._ends({one for one, _ in sums}, limits)
            for one in level.values():
                kinds = [
                    _facts(kind, rows, ends.get((one, kind), (None, None)))
                    for (of, kind), rows in sums.items()
                    if of is one
                ]
                if kinds:
                    found[one] = tuple(sorted(kinds, key=lambda facts: (-facts.count, str(facts.kind))))
        return found

    def series(self, sections: Sections, value: SectionKind, *, limits: Limits = NO_LIMITS) -> Series:
        above = self._places_above(sections, limits)
        parent = "?top" if sections.depth == 1 else f"?s{sections.depth - 1}"
        single = (sections.parent, sections.depth) in self._single
        dated = self._starts(["?s"], limits) if sections.started is not None else ""
        kinds = f"{self._kind('s', SECTION_TO_PLAN, limits)} {self._kind('v', VALUE_TO_PLAN, limits)}"
        selected, names = ("", "") if single else (kinds, "?s_plan ?s_class ?v_plan ?v_class")
        query = f"""SELECT {parent} ?s ?v ?text {"?s_begin" if dated else ""} {names} WHERE {{
  {self._below([sections.parent], sections.depth, limits)}
  {self._values(limits)} {selected} {dated}
}}"""
        rows = self._store.select(query, limits=limits)
        numbers: dict[tuple[str, str, float], SeriesNumber] = {}
        for row in rows:
            number = number_of(row["text"])
            if number is not None:
                key = iri_of(row, "s"), str(row["v"]), number
                numbers.setdefault(key, SeriesNumber()).see(row, iri_of(row, parent[1:]))
        found = [
            ((*min(above.get(parent, ()) for parent in one.parents), section_order(iri, one.began)), iri, number)
            for (iri, _, number), one in numbers.items()
            if single or (one.kind("s"), one.kind("v")) == (sections.kind, value)
        ]
        found.sort(key=lambda one: one[0])
        return Series([iri for _, iri, _ in found], [number for _, _, number in found], not rows.limited)

    def _places_above(self, sections: Sections, limits: Limits) -> dict[str, tuple[Place, ...]]:
        """The sort key of each activity just above some sections; of several, the first."""
        chain = [f"?s{level}" for level in range(1, sections.depth - 1)] + ["?s"]
        if sections.depth == 1:
            return {}
        query = f"""SELECT {" ".join(chain)} {_started_of(chain)} WHERE {{
  {self._below([sections.parent], sections.depth - 1, limits)}
  {self._starts(chain, limits)}
}} GROUP BY {" ".join(chain)}"""
        places: dict[str, tuple[Place, ...]] = {}
        for row in self._store.select(query, limits=limits):
            iri, place = iri_of(row, "s"), place_of(row, chain)
            places[iri] = min(places.get(iri, place), place)
        return places

    def members(self, sections: Sections, *, limits: Limits = NO_LIMITS) -> tuple[NamedNode, ...]:
        chain = [f"?s{level}" for level in range(1, sections.depth)] + ["?s"]
        query = f"""SELECT {" ".join(chain)} {_KIND_OF_SECTION} {_started_of(chain)} WHERE {{
  {self._below([sections.parent], sections.depth, limits)}
  {self._starts(chain, limits)}
  {self._kind("s", SECTION_TO_PLAN, limits)}
}} GROUP BY {" ".join(chain)}"""
        rows = [row for row in self._store.select(query, limits=limits) if kind_of(row) == sections.kind]
        rows.sort(key=lambda row: place_of(row, chain))
        return tuple(dict.fromkeys(NamedNode(iri_of(row, "s")) for row in rows))

    def _ends(
        self, sections: Iterable[Sections], limits: Limits
    ) -> dict[tuple[Sections, SectionKind], tuple[float | None, float | None]]:
        """The numbers of the first and last section, found by descending along the first and last of each level."""
        wanted_of = set(sections)
        ends: dict[Sections, tuple[NamedNode, NamedNode]] = {one: (one.parent, one.parent) for one in wanted_of}
        depth = max((one.depth for one in ends), default=0)
        for level in range(1, depth + 1):
            below: dict[NamedNode, list[tuple[tuple[bool, float, int, str], NamedNode, SectionKind]]] = defaultdict(
                list
            )
            for some in _portions({end for pair in ends.values() for end in pair}):
                query = f"""SELECT ?top ?s {_KIND_OF_SECTION} {_started_of(["?s"])} WHERE {{
  {self._below(some, 1, limits)}
  {self._starts(["?s"], limits)}
  {self._kind("s", SECTION_TO_PLAN, limits)}
}} GROUP BY ?top ?s"""
                for row in self._store.select(query, limits=limits):
                    top, iri = row["top"], iri_of(row, "s")
                    if isinstance(top, NamedNode):
                        below[top].append((place_of(row, ["?s"])[0], NamedNode(iri), kind_of(row)))
            following = {}
            for one, (first, last) in ends.items():
                wanted = [
                    [found for found in below[end] if level < depth or found[2] == one.kind] for end in (first, last)
                ]
                if wanted[0] and wanted[1]:
                    following[one] = (min(wanted[0])[1], max(wanted[1])[1])
            ends = following
            shared = self._of_several({last for _, last in ends.values()}, limits) if level > 1 else set()
            ends = {one: pair for one, pair in ends.items() if pair[1] not in shared}
        for one in wanted_of - ends.keys():
            # The first or last parent has no such section, or the last section also has an earlier parent: read all.
            members = self.members(one, limits=limits)
            ends[one] = members[0], members[-1]
        numbers: dict[tuple[NamedNode, SectionKind], list[float]] = defaultdict(list)
        for some in _portions({end for pair in ends.values() for end in pair}):
            query = f"""SELECT ?s ?x {_KIND_OF_VALUE} WHERE {{
  VALUES ?s {{ {" ".join(map(str, some))} }}
  {self._numbers(limits)}
}} GROUP BY ?s ?v ?x"""
            for row in self._store.select(query, limits=limits):
                numbers[NamedNode(iri_of(row, "s")), kind_of(row, "of_")].append(float(text_of(row, "x")))
        found: dict[tuple[Sections, SectionKind], tuple[float | None, float | None]] = {}
        for one, (first, last) in ends.items():
            for kind in {kind for section, kind in numbers if section in (first, last)}:
                found[one, kind] = tuple(  # type: ignore[assignment]  # two ends
                    min(numbers.get((end, kind), ()), key=finite_first, default=None) for end in (first, last)
                )
        return found

    def _of_several(self, sections: Collection[NamedNode], limits: Limits) -> set[NamedNode]:
        """The sections with more than one parent."""
        way = self._way(SECTION_TO_WHOLE, WHOLE_TO_SECTION, PROV.wasInformedBy, limits)
        found: set[NamedNode] = set()
        for some in _portions(sections):
            query = f"""SELECT ?s (COUNT(DISTINCT ?whole) AS ?number) WHERE {{
  VALUES ?s {{ {" ".join(map(str, some))} }} ?s {way} ?whole
}} GROUP BY ?s"""
            rows = self._store.select(query, limits=limits)
            found.update(NamedNode(iri_of(row, "s")) for row in rows if "s" in row and int(text_of(row, "number")) > 1)
        return found

    # The parts of a query

    def _counted(self, activities: Collection[NamedNode], depth: int, limits: Limits) -> list[Row]:
        """Sections by kind. Uses simple sums if each section has at most one plan and class, else counts each once."""
        below, kind = self._below(activities, depth, limits), self._kind("s", SECTION_TO_PLAN, limits)
        total = f"SELECT ?top (COUNT(DISTINCT ?s) AS ?number) WHERE {{ {below} }} GROUP BY ?top"
        totals = list(self._store.select(total, limits=limits))
        names = "?s_plan ?s_class"
        rows = self._by_kind(names, "COUNT(?s) AS ?number", below, kind, limits)
        if not _adds_up(rows.values(), totals):
            below = f"{{ SELECT ?top ?s {_KIND_OF_SECTION} WHERE {{ {below} {kind} }} GROUP BY ?top ?s }}"
            names, kind = "?plan ?class", ""
            rows = self._by_kind(names, "COUNT(?s) AS ?number", below, kind, limits)
        # Undated sections are left out, because an aggregate over an unbound variable is unbound.
        for terms, extreme in ((_STARTED, "MIN(?time) AS ?began"), (_ENDED, "MAX(?time) AS ?ended")):
            dated = f"{below} ?s {self._way(terms, frozenset(), next(iter(terms)), limits)} ?time ."
            for place, row in self._by_kind(names, extreme, dated, kind, limits).items():
                rows[place] |= row
        return list(rows.values())

    def _by_kind(
        self, names: str, aggregate: str, pattern: str, kind: str, limits: Limits
    ) -> dict[tuple[object, SectionKind], dict[str, Term | Triple]]:
        """An aggregate over the sections of each activity and kind. The optional `kind` comes last, or the engine joins
        everything.
        """
        query = f"SELECT ?top {names} ({aggregate}) WHERE {{\n  {pattern} {kind}\n}} GROUP BY ?top {names}"
        rows = map(renamed, self._store.select(query, limits=limits))
        return {(row["top"], kind_of(row)): row for row in rows if "top" in row}

    def _summed(self, activities: Collection[NamedNode], depth: int, limits: Limits) -> list[Row]:
        """Sums of numbers by kind. Uses simple sums if each value has one kind and all are finite, else reads them
        first.
        """
        below, kind = self._below(activities, depth, limits), self._kind("s", SECTION_TO_PLAN, limits)
        values, of = self._values(limits), self._kind("v", VALUE_TO_PLAN, limits)
        known = {activity: self._kinds.get((activity, depth)) for activity in activities}
        # Known kinds are not queried. Optional parts come last, or the engine joins everything.
        asked, names = (kind, "?s_plan ?s_class") if None in known.values() else ("", "")
        plain = f"""SELECT ?top {names} ?v_plan ?v_class
  (COUNT(?text) AS ?number) (MIN(?text) AS ?low) (AVG(?text) AS ?mean) (MAX(?text) AS ?high) WHERE {{
  {below} {values} {asked} {of}
}} GROUP BY ?top {names} ?v_plan ?v_class"""
        total = f"SELECT ?top (COUNT(DISTINCT ?v) AS ?number) WHERE {{ {below} {values} }} GROUP BY ?top"
        rows = [row for row in self._store.select(plain, limits=limits) if "top" in row]
        extremes = [number_of(row.get(name)) for row in rows for name in ("low", "mean", "high")]
        finite = all(number is not None and math.isfinite(number) for number in extremes)
        if finite and _adds_up(rows, self._store.select(total, limits=limits)):
            groups = Counter(row["top"] for row in rows)
            self._single.update((activity, depth) for activity in activities if groups[activity] == 1)
            return [{**kind_values(known.get(row["top"])), **renamed(row), "finite": _TRUE} for row in rows]  # type: ignore[arg-type]  # only IRIs were asked for
        exact = f"""SELECT ?top ?plan ?class ?of_plan ?of_class ?finite
  (COUNT(*) AS ?number) (MIN(?x) AS ?low) (AVG(?x) AS ?mean) (MAX(?x) AS ?high) WHERE {{
  {{ SELECT ?top ?s ?v ?x {_KIND_OF_SECTION} {_KIND_OF_VALUE} WHERE {{
    {below} {self._numbers(limits)} {kind}
  }} GROUP BY ?top ?s ?v ?x }}
  BIND((ABS(?x) <= {_LARGEST}) AS ?finite)
}} GROUP BY ?top ?plan ?class ?of_plan ?of_class ?finite"""
        return list(self._store.select(exact, limits=limits))

    def _below(self, activities: Iterable[NamedNode], depth: int, limits: Limits) -> str:
        way = self._way(SECTION_TO_WHOLE, WHOLE_TO_SECTION, PROV.wasInformedBy, limits)
        chain = ["?top", *(f"?s{level}" for level in range(1, depth)), "?s"]
        steps = " ".join(f"{lower} {way} {upper} ." for upper, lower in pairwise(chain))
        return f"VALUES ?top {{ {' '.join(map(str, activities))} }} {steps}"

    def _values(self, limits: Limits) -> str:
        way = self._way(VALUE_TO_SECTION, SECTION_TO_VALUE, PROV.wasGeneratedBy, limits)
        return f"?v {way} ?s . ?v {self._way(VALUES, frozenset(), PROV.value, limits)} ?text ."

    def _numbers(self, limits: Limits) -> str:
        # Engines read true as 1; nobody measured that.
        number = f"BIND({XSD.double}(?text) AS ?x) FILTER(BOUND(?x) && DATATYPE(?text) != {XSD.boolean})"
        return f"{self._values(limits)} {number} {self._kind('v', VALUE_TO_PLAN, limits)}"

    def _kind(self, name: str, plans: frozenset[NamedNode], limits: Limits) -> str:
        way = self._way(plans, frozenset(), next(iter(sorted(plans, key=str))), limits)
        special = f" && ?{name}_class NOT IN ({self._general})" if self._general else ""
        return (
            f"OPTIONAL {{ ?{name} {way} ?{name}_plan FILTER(isIRI(?{name}_plan)) }} "
            f"OPTIONAL {{ ?{name} {RDF.type} ?{name}_class FILTER(isIRI(?{name}_class){special}) }}"
        )

    def _starts(self, chain: Iterable[str], limits: Limits) -> str:
        way = self._way(_STARTED, frozenset(), PROV.startedAtTime, limits)
        return " ".join(f"OPTIONAL {{ {one} {way} {one}_begin }}" for one in chain)

    def _way(
        self, along: frozenset[NamedNode], against: frozenset[NamedNode], otherwise: NamedNode, limits: Limits
    ) -> str:
        """A property path over those of the predicates that the graph uses."""
        if self._used is None:
            asked = (term for term in _ALL if self._store.ask(f"ASK {{ ?s {term} ?o }}", limits=limits))
            self._used = frozenset(asked)
        ways = [
            *map(str, sorted(along & self._used, key=str)),
            *(f"^{p}" for p in sorted(against & self._used, key=str)),
        ]
        return "|".join(ways) or str(otherwise)


_TRUE = Literal("true", datatype=XSD.boolean)
_ALL = frozenset(
    {
        *(SECTION_TO_WHOLE | WHOLE_TO_SECTION | VALUE_TO_SECTION | SECTION_TO_VALUE),
        *(SECTION_TO_PLAN | VALUE_TO_PLAN | VALUES | _STARTED | _ENDED),
    }
)
_KIND_OF_SECTION = "(MIN(STR(?s_plan)) AS ?plan) (MIN(STR(?s_class)) AS ?class)"
_KIND_OF_VALUE = "(MIN(STR(?v_plan)) AS ?of_plan) (MIN(STR(?v_class)) AS ?of_class)"


def _started_of(chain: Iterable[str]) -> str:
    return " ".join(f"(MIN({one}_begin) AS {one}_began)" for one in chain)


def _adds_up(rows: Iterable[Row], totals: Iterable[Row]) -> bool:
    """Whether the groups of each activity have together as many members as there are."""
    found: Counter[object] = Counter()
    for row in rows:
        found[row.get("top")] += int(text_of(row, "number") or 0)
    return found == Counter({row.get("top"): int(text_of(row, "number") or 0) for row in totals})


def _portions(activities: Collection[NamedNode]) -> Iterator[list[NamedNode]]:
    ordered = sorted(set(activities), key=str)
    for begin in range(0, len(ordered), _MOST_NAMED):
        yield ordered[begin : begin + _MOST_NAMED]


def _facts(
    kind: SectionKind, rows: Iterable[tuple[bool, int, float, float, float]], ends: tuple[float | None, float | None]
) -> ValueFacts:
    finite = next((row for row in rows if row[0]), None)
    others = sum(row[1] for row in rows if not row[0])
    low, mean, high = finite[2:] if finite else (None, None, None)
    return ValueFacts(kind, (finite[1] if finite else 0) + others, low, mean, high, *ends, not_finite=others)


def _most_first(one: Sections) -> tuple[int, str]:
    return -one.count, str(one.kind)
