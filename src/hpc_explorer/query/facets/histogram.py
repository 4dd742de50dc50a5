"""Histograms of the numbers, dates and quantities of the focus; each bin is a range that can be queried.

The query's own range on the focus is ignored, so that it can be widened. Quantities of one kind are converted to one
unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from enum import Enum
from typing import Any

from hpc_explorer.query.building import FocusedQuery, main_variable, with_quantity, with_range
from hpc_explorer.query.facets.bins import Bin, Histogram, ScaleKind, Tally, edges_of_moments, edges_of_numbers, filled
from hpc_explorer.query.facets.by_columns import InFocus, in_focus
from hpc_explorer.query.facets.by_sparql import number_of
from hpc_explorer.query.facets.places import MOMENTS, comparable_with, exact_of
from hpc_explorer.query.facets.suggestions import pairs_of
from hpc_explorer.query.facets.texts import Bindings
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.sparql.quantity_pattern import comparable_units
from hpc_explorer.rdf.datatypes import FRACTIONS, INTEGERS
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.quantities import UNIT_PREDICATES, VALUE_PREDICATES, Quantity, known_units, unit_of
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Store
from hpc_explorer.stores.columns.relation import DATE_TIME, NUMERIC, NotByColumns
from hpc_explorer.stores.columns.store import ColumnStore

MOST_VALUES = 20_000
"""The maximum number of different values counted without columns."""

# The significant digits of converted amounts.
_DIGITS = 15


class Among(Enum):
    """The possible types of the values; a narrower one saves a request."""

    ANYTHING = "anything"
    LITERALS = "literals"
    QUANTITIES = "quantities"


def histogram(
    store: Store,
    query: QueryModel,
    focus: Variable,
    *,
    among: Among = Among.ANYTHING,
    unit: NamedNode | None = None,
    limits: Limits = NO_LIMITS,
) -> Histogram | None:
    """The distribution of the focus's values; None if there are no numbers, dates and quantities.

    Args:
        unit: the unit of the amounts; None: the most frequent one.
    """
    plain = with_range(FocusedQuery(query, focus), None, None).query
    pairs = pairs_of(plain, main_variable(query), focus)
    if pairs.is_anything:
        return None
    if among is not Among.QUANTITIES and isinstance(store, ColumnStore):
        try:
            with in_focus(store.columns, pairs, limits) as there:
                if there.is_literal:
                    return histogram_in_focus(there)
            among = Among.QUANTITIES
        except NotByColumns:
            pass
    if among is Among.QUANTITIES:
        return _quantities(store, query, focus, unit, limits)
    found = _by_values(store, pairs, limits)
    if found is not None or among is Among.LITERALS:
        return found
    return _quantities(store, query, focus, unit, limits)


# Literals


def histogram_in_focus(there: InFocus) -> Histogram | None:
    """The distribution of the literals in focus.

    Raises:
        NotByColumns: the columns cannot answer exactly.
    """
    import numpy as np

    kinds = there.column.datatypes
    numbers = [kind for kind in kinds if kind in NUMERIC]
    if not numbers and DATE_TIME not in kinds:
        if any(NamedNode(kind) in MOMENTS | FRACTIONS | INTEGERS for kind in kinds if not kind.startswith("@")):
            raise NotByColumns("numbers or dates stored as texts")
        return None
    if not there.column.exact or there.column.clock == "mixed" or XSD.float.value in kinds or XSD.date.value in kinds:
        raise NotByColumns("numbers or dates not stored exactly")
    source = there.table if there.main is not None else f"(SELECT DISTINCT {there.keys} FROM {there.table})"
    ((number_count, moment_count, total),) = there.work.run(f"SELECT count(fn), count(fm), count(*) FROM {source}")
    kind = ScaleKind.NUMBERS if number_count >= moment_count else ScaleKind.MOMENTS
    shown = number_count if kind is ScaleKind.NUMBERS else moment_count
    if not shown:
        return None
    place = "fn" if kind is ScaleKind.NUMBERS else "fm"
    (values,) = there.work.arrays(f"SELECT {place} FROM {source} WHERE {place} IS NOT NULL")
    places = values if kind is ScaleKind.NUMBERS else values / 1_000_000.0
    edges = _edges(kind, float(places.min()), float(places.max()), are_whole=set(numbers) <= {XSD.integer.value})
    which = np.searchsorted(np.array(edges), places, side="right") - 1
    counts = np.bincount(which, minlength=len(edges) - 1)
    ends: list[tuple[Any, Any] | None] = []
    for at, count in enumerate(counts):
        own = values[which == at]
        ends.append((own.min().item(), own.max().item()) if count else None)
    spelled = there.literals_at(place, {end for pair in ends if pair is not None for end in pair})
    bins = tuple(
        Bin(edges[at], edges[at + 1], int(count), *(() if pair is None else (spelled[pair[0]], spelled[pair[1]])))
        for at, (count, pair) in enumerate(zip(counts, ends, strict=True))
    )
    return Histogram(kind, bins, Count(int(shown)), Count(int(total - shown)))


def _by_values(store: Store, pairs: Bindings, limits: Limits) -> Histogram | None:
    (number,) = pairs.names("number")
    one, main = str(pairs.variables[-1]), str(pairs.variables[0])
    rows = store.select(
        pairs.around(
            f"{one} (COUNT(DISTINCT {main}) AS {number})",
            f"FILTER(isLiteral({one}))",
            f"GROUP BY {one} LIMIT {MOST_VALUES + 1}",
        ),
        limits=limits,
    )
    found = [(row[one[1:]], number_of(row[number[1:]])) for row in rows if one[1:] in row]
    looked_at = MOST_VALUES if rows.limited or len(found) > MOST_VALUES else None
    by_kind: dict[str, list[Tally]] = {}
    everything = 0
    for value, often in found[:MOST_VALUES]:
        assert isinstance(value, Literal)
        everything += often
        exact = exact_of(value)
        if exact is not None:
            by_kind.setdefault(comparable_with(value), []).append(Tally(float(exact), often, value, exact))
    if not by_kind:
        return None
    which, shown = max(sorted(by_kind.items()), key=lambda pair: _sum(pair[1]))
    kind = ScaleKind.MOMENTS if which else ScaleKind.NUMBERS
    are_whole = all(isinstance(one.value, Literal) and one.value.datatype in INTEGERS for one in shown)
    edges = _edges(kind, min(one.place for one in shown), max(one.place for one in shown), are_whole=are_whole)
    certainty = CountKind.EXACT if looked_at is None else CountKind.AT_LEAST
    return Histogram(
        kind,
        filled(edges, shown),
        Count(_sum(shown), certainty),
        Count(everything - _sum(shown), certainty),
        looked_at=looked_at,
    )


def _sum(tallies: Sequence[Tally]) -> int:
    return sum(one.number for one in tallies)


def _edges(kind: ScaleKind, low: float, high: float, *, are_whole: bool) -> list[float]:
    if kind is ScaleKind.MOMENTS:
        return edges_of_moments(low, high)
    return edges_of_numbers(low, high, are_whole=are_whole)


# Quantities


def _quantities(
    store: Store, query: QueryModel, focus: Variable, unit: NamedNode | None, limits: Limits
) -> Histogram | None:
    if isinstance(store, ColumnStore) and not any(map(store.columns.predicate, UNIT_PREDICATES)):
        return None
    any_unit = next(iter(known_units()))
    plain = with_quantity(FocusedQuery(query, focus), any_unit, None, None).query
    pairs = pairs_of(plain, main_variable(query), focus)
    value, given, number = pairs.names("amount", "unit", "number")
    one, main = str(pairs.variables[-1]), str(pairs.variables[0])
    numbers, units = ("|".join(map(str, terms)) for terms in (VALUE_PREDICATES, UNIT_PREDICATES))
    rows = store.select(
        pairs.around(
            f"{value} {given} (COUNT(DISTINCT {main}) AS {number})",
            f"{one} ({numbers}) {value} . {one} ({units}) {given} FILTER(isLiteral({value}))",
            f"GROUP BY {value} {given} LIMIT {MOST_VALUES + 1}",
        ),
        limits=limits,
    )
    amounts: list[tuple[Quantity, int]] = []
    others = 0
    found: list[Any] = list(rows)
    for row in found[:MOST_VALUES]:
        often = number_of(row[number[1:]])
        named = row.get(given[1:])
        quantity = Quantity(row[value[1:]].value, unit_of(named)) if isinstance(named, NamedNode) else None
        if quantity is None or quantity.base_value is None or not quantity.base_value.is_finite():
            others += often
        else:
            amounts.append((quantity, often))
    if not amounts:
        return None
    used: Counter[NamedNode] = Counter()
    for quantity, often in amounts:
        assert quantity.unit is not None
        assert quantity.unit.iri is not None
        used[quantity.unit.iri] += often
    chosen = known_units()[unit if unit is not None and unit in known_units() else used.most_common(1)[0][0]]
    assert chosen.iri is not None
    assert chosen.factor is not None
    ends: list[tuple[Tally, Decimal, Decimal]] = []
    for quantity, often in amounts:
        base = quantity.base_value
        assert quantity.unit is not None
        assert base is not None
        if quantity.unit.kind != chosen.kind:
            others += often
            continue
        low, high = (
            Context(prec=_DIGITS, rounding=rounding).divide(base, chosen.factor)
            for rounding in (ROUND_FLOOR, ROUND_CEILING)
        )
        ends.append((Tally(float(base / chosen.factor), often, low, base), low, high))
    if not ends:
        return None
    tallies = [tally for tally, _, _ in ends]
    upper = {low: high for _, low, high in ends}
    edges = edges_of_numbers(min(one.place for one in tallies), max(one.place for one in tallies), are_whole=False)
    bins = tuple(
        Bin(one.low, one.high, one.count, one.least, upper[one.most] if isinstance(one.most, Decimal) else None)
        for one in filled(edges, tallies)
    )
    looked_at = MOST_VALUES if rows.limited or len(found) > MOST_VALUES else None
    certainty = CountKind.EXACT if looked_at is None else CountKind.AT_LEAST
    return Histogram(
        ScaleKind.QUANTITIES,
        bins,
        Count(_sum(tallies), certainty),
        Count(others, certainty),
        chosen,
        comparable_units(chosen.iri),
        looked_at,
    )
