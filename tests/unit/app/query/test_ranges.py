"""Bounds of ranges as a person writes them."""

from __future__ import annotations

import operator
from decimal import Decimal

import pytest

from hpc_explorer.app.query.ranges import (
    Asked,
    How,
    amount_bound,
    asked_range,
    asked_values,
    excludes_values,
    moment_bound,
    number_bound,
    with_bounds,
)
from hpc_explorer.errors import WrongParameter
from hpc_explorer.query import building
from hpc_explorer.query.building import Direction, FocusedQuery
from hpc_explorer.query.facets.bins import Bin, Histogram, ScaleKind
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import HPC, QUDT, UNIT, XSD
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import Count
from hpc_explorer.stores.local.local import LocalStore

MOMENT = Literal("2024-03-01T10:00:00Z", datatype=XSD.dateTime)


def memory() -> FocusedQuery:
    return building.with_property(
        building.new_query(HPC.Computer), HPC.term("memory"), Direction.FORWARD, name="memory"
    )


def spread(kind: ScaleKind, least: Literal | Decimal, unit: NamedNode | None = None) -> Histogram:
    known = known_units()[unit] if unit is not None else None
    return Histogram(kind, (Bin(0, 10, 1, least, least),), Count(1), Count(0), known)


def test_numbers_keep_their_kind() -> None:
    assert number_bound("1,204") == Literal("1204", datatype=XSD.integer)
    assert number_bound("0.5") == Literal("0.5", datatype=XSD.decimal)
    assert number_bound("1e6") == Literal("1e6", datatype=XSD.double)
    assert number_bound(" ") is None
    with pytest.raises(WrongParameter):
        number_bound("many")


def test_amounts_lose_no_digit() -> None:
    assert amount_bound("0.0149") == Decimal("0.0149")
    assert amount_bound("") is None
    with pytest.raises(WrongParameter):
        amount_bound("x")


def test_a_day_is_whole_where_values_have_a_time() -> None:
    assert moment_bound("2024-03-01", MOMENT, is_most=False) == Literal("2024-03-01T00:00:00Z", datatype=XSD.dateTime)
    last = moment_bound("2024-03-01", MOMENT, is_most=True)
    assert last == Literal("2024-03-01T23:59:59.999999Z", datatype=XSD.dateTime)


def test_moments_are_written_as_the_values_are() -> None:
    day = Literal("2024-03-01", datatype=XSD.date)
    assert moment_bound("2025-01-02T10:00:00", day, is_most=True) == Literal("2025-01-02", datatype=XSD.date)
    without_zone = Literal("2024-03-01T10:00:00", datatype=XSD.dateTime)
    assert moment_bound("2025-01-02", without_zone, is_most=False) == Literal(
        "2025-01-02T00:00:00", datatype=XSD.dateTime
    )
    with pytest.raises(WrongParameter):
        moment_bound("spring", MOMENT, is_most=False)


NUMBERS = spread(ScaleKind.NUMBERS, Literal(3))
GIGABYTES = spread(ScaleKind.QUANTITIES, Decimal(16), UNIT.GigaBYTE)
TIMES = spread(ScaleKind.MOMENTS, MOMENT)
DAYS = spread(ScaleKind.MOMENTS, Literal("2024-03-01", datatype=XSD.date))

COMPARED = {
    How.ABOVE: operator.gt,
    How.AT_LEAST: operator.ge,
    How.BELOW: operator.lt,
    How.AT_MOST: operator.le,
    How.EQUAL: operator.eq,
    How.NOT: operator.ne,
}


@pytest.mark.parametrize(
    ("over", "texts", "written"),
    [
        (NUMBERS, ("1", "2.5", "3"), "{}"),
        (GIGABYTES, ("1", "2.5", "3"), "[ qudt:value {} ; qudt:unit unit:GigaBYTE ]"),
        (TIMES, ("2024-03-01", "2024-03-02", "2024-03-03"), '"{}T12:00:00Z"^^xsd:dateTime'),
        (DAYS, ("2024-03-01", "2024-03-02", "2024-03-03"), '"{}"^^xsd:date'),
    ],
    ids=["numbers", "amounts", "times", "days"],
)
@pytest.mark.parametrize("how", COMPARED)
def test_a_comparison_finds_the_values_that_python_finds_and_comes_back(
    how: How, over: Histogram, texts: tuple[str, ...], written: str
) -> None:
    store = LocalStore.in_memory()
    prefixes = f"PREFIX qudt: <{QUDT}> PREFIX unit: <{UNIT}> PREFIX xsd: <{XSD}>"
    facts = "".join(f"<urn:{text}> a {HPC.Computer} ; {HPC.term('memory')} {written.format(text)} . " for text in texts)
    store.update(f"{prefixes} INSERT DATA {{ {facts} }}")
    asked = Asked(texts[1], "", how) if how.has_least else Asked("", texts[1], how)
    focused = with_bounds(memory(), over, asked)
    assert with_bounds(memory(), over, asked_range(focused, over)) == focused
    assert asked_range(focused, over).how is how
    assert query_model(sparql_text(focused.query)) == focused.query
    found = {row["thing"].value for row in store.select(sparql_text(focused.query))}
    assert found == {f"urn:{text}" for text in texts if COMPARED[how](text, texts[1])}


def test_a_range_comes_back_as_it_was_given() -> None:
    asked = with_bounds(memory(), NUMBERS, Asked("3", "7.5"))
    assert asked_range(asked, NUMBERS) == Asked("3", "7.5")
    assert with_bounds(asked, NUMBERS, Asked()) == memory()
    excluded = with_bounds(memory(), GIGABYTES, Asked("3", "", How.NOT))
    assert with_bounds(excluded, GIGABYTES, Asked()) == memory()


def test_amounts_are_shown_in_the_unit_that_is_chosen() -> None:
    asked = with_bounds(memory(), GIGABYTES, Asked("16", "", How.ABOVE))
    terabytes = spread(ScaleKind.QUANTITIES, Decimal(16), UNIT.TeraBYTE)
    assert asked_range(asked, terabytes) == Asked("0.016", "", How.ABOVE)


def test_values_that_are_asked_for() -> None:
    asked = building.with_values(memory(), (Literal("a"), HPC.Computer))
    assert asked_values(asked) == (Literal("a"), HPC.Computer)
    assert not excludes_values(asked)
    others = building.with_values(asked, (Literal("a"), HPC.Computer), excluded=True)
    assert asked_values(others) == (Literal("a"), HPC.Computer)
    assert excludes_values(others)
    assert building.with_values(others, ()) == memory()
