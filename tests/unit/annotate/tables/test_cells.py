"""Cells as literals."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.tables.cells import DATATYPES, CellFault, literal_of
from hpc_explorer.annotate.tables.mapping import NumberFormat
from hpc_explorer.rdf.namespaces import XSD

ENGLISH, GERMAN, BARE = NumberFormat(), NumberFormat(".", ","), NumberFormat("", ".")


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15, places=3))
def test_a_number_keeps_its_value_however_it_is_written(number: Decimal) -> None:
    written = f"{number:,.3f}"
    assert Decimal(literal_of(written, XSD.decimal, ENGLISH).value) == number
    german = written.translate(str.maketrans(",.", ".,"))
    assert Decimal(literal_of(german, XSD.decimal, GERMAN).value) == number
    assert Decimal(literal_of(f"{number:E}", XSD.decimal, BARE).value) == number


@pytest.mark.parametrize(
    ("text", "datatype", "lexical"),
    [
        ("442,010.00", XSD.decimal, "442010.00"),
        ("7,630,848", XSD.integer, "7630848"),
        ("1.0", XSD.integer, "1"),
        ("1e3", XSD.integer, "1000"),
        ("+5", XSD.integer, "5"),
        ("-0", XSD.integer, "0"),
        ("1.5e-3", XSD.decimal, "0.0015"),
        ("1.5e-3", XSD.double, "1.5E-3"),
        ("nan", XSD.double, "NaN"),
        ("yes", XSD.boolean, "true"),
        ("2020-11-01", XSD.date, "2020-11-01"),
        ("2020-11-01 10:30:00", XSD.dateTime, "2020-11-01T10:30:00"),
        ("2020", XSD.gYear, "2020"),
        (" a ", XSD.string, " a "),
    ],
)
def test_what_a_text_means(text: str, datatype: object, lexical: str) -> None:
    literal = literal_of(text, datatype, ENGLISH)
    assert (literal.value, literal.datatype) == (lexical, datatype)


@pytest.mark.parametrize(
    ("text", "datatype"),
    [
        ("1,00", XSD.decimal),
        ("1,000,00", XSD.decimal),
        (",100", XSD.decimal),
        ("1.5", XSD.integer),
        ("-1", XSD.nonNegativeInteger),
        ("0", XSD.positiveInteger),
        ("nan", XSD.decimal),
        ("1e9999", XSD.decimal),
        ("٣", XSD.integer),
        ("=1+1", XSD.integer),
        ("perhaps", XSD.boolean),
        ("2020-13-01", XSD.date),
        ("noon", XSD.dateTime),
        ("20", XSD.gYear),
        ("x> <y", XSD.anyURI),
        ("\ud800", XSD.string),
    ],
)
def test_what_is_refused(text: str, datatype: object) -> None:
    with pytest.raises(CellFault):
        literal_of(text, datatype, ENGLISH)


def test_dates_in_a_form_of_the_table() -> None:
    assert literal_of("01.11.2020", XSD.date, ENGLISH, "%d.%m.%Y").value == "2020-11-01"
    with pytest.raises(CellFault):
        literal_of("2020-11-01", XSD.date, ENGLISH, "%d.%m.%Y")


@given(st.text(), st.sampled_from(sorted(DATATYPES, key=str)), st.sampled_from([ENGLISH, GERMAN, BARE]))
def test_any_text_gives_a_literal_or_its_reason(text: str, datatype: object, numbers: NumberFormat) -> None:
    try:
        assert literal_of(text, datatype, numbers).datatype == datatype
    except CellFault as fault:
        assert str(fault)
