"""Quantities keep their digits, convert exactly, and never lose an unknown unit."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.rdf.literals import grouped, literal_detail, literal_text
from hpc_explorer.rdf.namespaces import QUDT, RDF, UNIT, XSD
from hpc_explorer.rdf.quantities import Quantity, known_units, read_quantity, unit_of
from hpc_explorer.rdf.terms import Literal, NamedNode


def number(text: str, datatype: NamedNode = XSD.decimal) -> Literal:
    return Literal(text, datatype=datatype)


@pytest.mark.parametrize("predicate", [QUDT.value, QUDT.numericValue])
@pytest.mark.parametrize("unit", [QUDT.unit, QUDT.hasUnit])
def test_a_quantity_is_read_under_all_its_predicates(predicate: NamedNode, unit: NamedNode) -> None:
    quantity = read_quantity([(predicate, number("442010.00")), (unit, UNIT.TeraFLOPS)])
    assert str(quantity) == "442,010.00 Tflop/s"


def test_what_is_no_quantity() -> None:
    assert read_quantity([(RDF.value, number("3"))]) is None
    assert read_quantity([(QUDT.unit, UNIT.BYTE)]) is None
    assert str(read_quantity([(QUDT.value, number("3"))])) == "3"


def test_unknown_units_are_shown_by_name_and_compared_with_nothing() -> None:
    furlong = read_quantity([(QUDT.value, number("8")), (QUDT.unit, UNIT.FURLONG)])
    assert furlong is not None
    assert str(furlong) == "8 FURLONG"
    assert furlong.base_value is None
    with pytest.raises(ValueError, match="cannot be given in"):
        furlong.to(unit_of(UNIT.BYTE))
    assert str(read_quantity([(QUDT.value, number("8")), (QUDT.unit, Literal("GB"))])) == "8 GB"


def test_amounts_compare_across_units() -> None:
    small = Quantity("16", unit_of(UNIT.GigaBYTE))
    large = Quantity("0.016", unit_of(UNIT.TeraBYTE))
    assert small.base_value == large.base_value == Decimal(16_000_000_000)
    assert str(large.to(unit_of(UNIT.GigaBYTE))) == "16 GB"
    with pytest.raises(ValueError, match="cannot be given in"):
        small.to(unit_of(UNIT.SEC))
    assert Quantity("many", unit_of(UNIT.BYTE)).base_value is None


units = st.sampled_from(sorted(known_units().values(), key=lambda unit: unit.symbol))


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9), units, units)
def test_there_and_back_is_the_same_amount(value: Decimal, one, other) -> None:  # type: ignore[no-untyped-def]
    quantity = Quantity(str(value), one)
    if one.kind == other.kind:
        there = quantity.to(other).base_value
        assert there is not None
        assert quantity.base_value is not None
        assert abs(there - quantity.base_value) <= abs(quantity.base_value) * Decimal("1e-25")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("7630848", "7,630,848"),
        ("-1234.50", "-1,234.50"),
        ("0.9600", "0.9600"),
        ("007", "007"),
        ("1E6", "1E6"),
        ("NaN", "NaN"),
        ("", ""),
    ],
)
def test_grouping_changes_no_digit(text: str, shown: str) -> None:
    assert grouped(text) == shown
    assert shown.replace(",", "") == text


def test_literals_for_people() -> None:
    assert literal_text(number("2021-06-01T08:00:00Z", XSD.dateTime)) == "2021-06-01 08:00:00 UTC"
    assert literal_text(number("2021-06-01T08:00:00.5+02:00", XSD.dateTime)) == "2021-06-01 08:00:00.5 +02:00"
    assert literal_text(number("someday", XSD.dateTime)) == "someday"
    assert literal_text(Literal("1234")) == "1234"
    assert literal_detail(Literal("Baum", language="de")) == "de"
    assert literal_detail(number("P1D", XSD.duration)) == "xsd:duration"
    assert literal_detail(number("1")) == ""
