"""Quantities keep their digits, convert exactly, and never lose an unknown unit."""

from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, parse

from hpc_explorer.rdf.literals import grouped, literal_detail, literal_text
from hpc_explorer.rdf.namespaces import QUDT, RDF, SKOS, UNIT, XSD
from hpc_explorer.rdf.quantities import Quantity, Unit, known_units, read_quantity, unit_of
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.shipped import shipped_folder
from tests.helpers.plain_engine import PlainEngine


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
    with pytest.raises(ValueError, match="cannot be converted to"):
        furlong.to(unit_of(UNIT.BYTE))
    with pytest.raises(ValueError, match="cannot be converted to"):
        Quantity("many", unit_of(UNIT.BYTE)).to(unit_of(UNIT.BYTE))
    assert str(read_quantity([(QUDT.value, number("8")), (QUDT.unit, Literal("GB"))])) == "8 GB"


def test_a_converted_number_has_no_exponent() -> None:
    assert str(Quantity("0.016", unit_of(UNIT.TeraBYTE)).to(unit_of(UNIT.GigaBYTE))) == "16 GB"
    assert str(Quantity("2000", unit_of(UNIT.TeraBYTE)).to(unit_of(UNIT.BYTE))) == "2,000,000,000,000,000 B"


units = st.deferred(lambda: st.sampled_from(sorted(known_units().values(), key=lambda unit: unit.symbol)))


def test_the_units_are_those_of_the_file() -> None:
    file = PlainEngine(parse(path=str(shipped_folder("ontology") / "units.ttl"), format=RdfFormat.TURTLE))
    rows = file.rows(f"""SELECT ?unit ?label ?symbol ?kind ?factor (COALESCE(?code, "") AS ?c) (COALESCE(?other, "") AS ?o) {{
        ?unit a {QUDT.Unit} ; rdfs:label ?label ; {QUDT.symbol} ?symbol ; {QUDT.hasQuantityKind} ?kind ;
        {QUDT.conversionMultiplier} ?factor
        OPTIONAL {{ ?unit {QUDT.ucumCode} ?code }} OPTIONAL {{ ?unit {SKOS.altLabel} ?other }} }}""")
    known_units.cache_clear()
    assert known_units() == {
        iri: Unit(iri, label.value, symbol.value, kind, Decimal(factor.value), code.value, other.value)
        for iri, label, symbol, kind, factor, code, other in rows
    }


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9), units, units)
def test_an_amount_is_the_same_in_each_unit_of_its_kind(value: Decimal, one: Unit, other: Unit) -> None:
    quantity = Quantity(str(value), one)
    assert one.factor is not None
    assert other.factor is not None
    amount = Fraction(value) * Fraction(one.factor)
    assert quantity.base_value == amount
    if one.kind != other.kind:
        with pytest.raises(ValueError, match="cannot be converted to"):
            quantity.to(other)
        return
    there = quantity.to(other)
    assert there.unit == other
    assert there.value is not None
    # Exact to 25 digits, where the number has more than can be written.
    assert abs(Fraction(there.value) * Fraction(other.factor) - amount) <= abs(amount) / 10**25


@pytest.mark.parametrize(
    ("spelled", "unit", "shown", "value"),
    [
        ("1234.50", UNIT.GigaBYTE, "1,234.50 GB", Decimal("1234.50")),
        ("12.5", UNIT.PERCENT, "12.5%", Decimal("12.5")),
        (" 1,234 ", None, " 1,234 ", Decimal(1234)),
        ("many", UNIT.BYTE, "many B", None),
    ],
)
def test_a_number_is_shown_as_it_is_spelled(
    spelled: str, unit: NamedNode | None, shown: str, value: Decimal | None
) -> None:
    quantity = Quantity(spelled, None if unit is None else unit_of(unit))
    assert (str(quantity), quantity.value) == (shown, value)
    assert (quantity.base_value is None) == (value is None or quantity.unit is None)


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        *((f"http://x.org/{path}", "MAX") for path in ("units/MAX", "units#MAX", "units/MAX/", "MAX#")),
        ("urn:units:ell", "urn:units:ell"),
    ],
)
def test_an_unknown_unit_is_called_by_the_end_of_its_iri(iri: str, name: str) -> None:
    assert unit_of(NamedNode(iri)) == Unit(NamedNode(iri), name, name, None, None)


PARTS = {QUDT.value: number("1"), QUDT.numericValue: number("2"), RDF.value: number("3"), QUDT.unit: UNIT.W, QUDT.hasUnit: UNIT.HZ}  # fmt: skip


@given(st.sets(st.sampled_from(sorted(PARTS))), st.randoms())
def test_the_number_and_the_unit_are_read_by_rank_and_not_by_place(stated: set[NamedNode], chance: Random) -> None:
    statements = [(term, PARTS[term]) for term in sorted(stated)]
    chance.shuffle(statements)
    quantity = read_quantity(statements)
    spelled = [PARTS[term].value for term in (QUDT.value, QUDT.numericValue, RDF.value) if term in stated]
    unit = [unit_of(UNIT.W if term == QUDT.unit else UNIT.HZ) for term in (QUDT.unit, QUDT.hasUnit) if term in stated]
    if not spelled or (stated == {RDF.value}):
        assert quantity is None
    else:
        assert quantity == Quantity(spelled[0], unit[0] if unit else None)


def test_a_number_must_be_a_literal() -> None:
    assert read_quantity([(QUDT.value, UNIT.W), (RDF.value, number("3")), (QUDT.unit, UNIT.W)]) == Quantity("3", unit_of(UNIT.W))  # fmt: skip
    assert read_quantity([(QUDT.value, UNIT.W)]) is None


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
