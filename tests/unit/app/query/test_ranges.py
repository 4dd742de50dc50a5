"""Bounds of ranges as a person writes them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from hpc_explorer.app.query.ranges import (
    amount_bound,
    asked_values,
    moment_bound,
    number_bound,
    range_ends,
    with_bounds,
)
from hpc_explorer.errors import WrongParameter
from hpc_explorer.query import building
from hpc_explorer.query.building import Direction, FocusedQuery
from hpc_explorer.query.facets.bins import Bin, Histogram, ScaleKind
from hpc_explorer.rdf.namespaces import HPC, UNIT, XSD
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import Count

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


def test_a_range_comes_back_as_it_was_given() -> None:
    numbers = spread(ScaleKind.NUMBERS, Literal(3))
    asked = with_bounds(memory(), numbers, "3", "")
    assert range_ends(asked, numbers) == ("3", "")
    asked = with_bounds(asked, numbers, "3", "7.5")
    assert range_ends(asked, numbers) == ("3", "7.5")
    assert with_bounds(asked, numbers, "", "") == memory()


def test_amounts_are_shown_in_the_unit_that_is_chosen() -> None:
    gigabytes = spread(ScaleKind.QUANTITIES, Decimal(16), UNIT.GigaBYTE)
    asked = with_bounds(memory(), gigabytes, "16", "")
    assert range_ends(asked, gigabytes) == ("16", "")
    assert range_ends(asked, spread(ScaleKind.QUANTITIES, Decimal(16), UNIT.TeraBYTE)) == ("0.016", "")


def test_values_that_are_asked_for() -> None:
    asked = building.with_values(memory(), (Literal("a"), HPC.Computer))
    assert asked_values(asked) == (Literal("a"), HPC.Computer)
    assert asked_values(memory()) == ()
