"""Literals as SHACL judges them: what XML Schema allows to be written, and what SPARQL says is less than what."""

from __future__ import annotations

import pytest

from hpc_explorer.annotate.validation.literals import compares, is_of_datatype
from hpc_explorer.rdf.lexical import is_well_formed
from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode
from tests.helpers.graphs import ex


@pytest.mark.parametrize(
    ("datatype", "right", "wrong"),
    [
        ("integer", "0 -12 +007 " + "9" * 5000, "1_000 1.0 1e3 ٣ abc - 0x1"),
        ("byte", "127 -128 +0000127", "128 -129 1.0"),
        ("long", "9223372036854775807 -9223372036854775808", "9223372036854775808 " + "9" * 5000),
        ("unsignedByte", "0 255 -0", "256 -1"),
        ("positiveInteger", "1 " + "9" * 5000, "0 -1 -" + "9" * 5000),
        ("nonPositiveInteger", "0 -" + "9" * 5000, "1 " + "9" * 5000),
        ("decimal", "1 1. .5 -0.10 +1.5", "1e3 NaN INF . 1_0.5 1,5"),
        ("double", "1 1.5e0 -1E-7 INF -INF NaN .5", "inf infinity nan 0x1p3 1_0.5 e5 -NaN"),
        ("boolean", "true false 1 0", "TRUE yes maybe 2"),
        ("date", "2021-02-28 2020-02-29 -0001-01-01 12021-01-01 2000-02-29+02:00 2021-01-01Z", "2021-02-29 2021-02-30 1900-02-29 20210101 2021-1-1 2021-13-01 012021-01-01 2021-W01-1"),
        ("dateTime", "2021-03-01T08:00:00 2021-03-01T24:00:00Z 2021-03-01T08:00:00.123456789-14:00", "2021-03-01 2021-03-01T08:00 2021-03-01T24:00:01 2021-02-29T08:00:00 2021-03-01T08:00:00+14:01"),
        ("dateTimeStamp", "2021-03-01T08:00:00Z", "2021-03-01T08:00:00"),
        ("time", "08:00:00 24:00:00", "08:00 24:00:01 25:00:00"),
        ("gYear", "2021 -0044 2021Z", "x 21 02021"),
        ("gMonthDay", "--02-29 --12-31", "--02-30 --13-01 02-28"),
        ("duration", "P1Y PT2H30M -P1DT0.5S P1Y2M3DT4H5M6S", "P PT 1Y P1DT P1H PT1D P-1D"),
        ("dayTimeDuration", "P1D PT0.5S", "P1Y P1M"),
        ("yearMonthDuration", "P1Y P2M", "P1D PT1M"),
        ("hexBinary", "00ff AB", "0 zz"),
        ("base64Binary", "aGk= aGVsbG8h", "aGk a=== !!!!"),
        ("language", "en de-CH-1996", "e1 de_CH toolongtag"),
        ("anyURI", "http://x/ nearly-anything", ""),
    ],
)  # fmt: skip
def test_a_text_is_of_a_datatype_where_xml_schema_allows_it(datatype: str, right: str, wrong: str) -> None:
    assert [text for text in right.split() if not is_well_formed(text, XSD.term(datatype))] == []
    assert [text for text in wrong.split() if is_well_formed(text, XSD.term(datatype))] == []


def test_spaces_and_line_ends_count() -> None:
    for text in (" 12", "12 ", "12\n", ""):
        assert not is_well_formed(text, XSD.integer)
    assert is_well_formed("a b", XSD.token)
    assert not is_well_formed("a  b", XSD.token)
    assert not is_well_formed(" a", XSD.token)
    assert not is_well_formed("a\tb", XSD.normalizedString)


def test_a_value_is_of_its_own_datatype_only() -> None:
    assert is_of_datatype(Literal("x", language="en"), RDF.langString)
    assert not is_of_datatype(Literal("x", language="en"), XSD.string)
    assert not is_of_datatype(Literal("1", datatype=XSD.int), XSD.integer)
    assert is_of_datatype(Literal("anything", datatype=ex("own")), ex("own"))
    assert is_of_datatype(Literal("many", datatype=XSD.integer), RDFS.Literal)
    assert not is_of_datatype(ex("a"), RDFS.Literal)


def literal(text: str) -> Literal | NamedNode | BlankNode:
    """`12 integer` as a literal; without a datatype a text, `text@en` one with its language."""
    value, _, datatype = text.partition(" ")
    if "@" in value:
        return Literal(value.partition("@")[0], language=value.partition("@")[2])
    return Literal(value, datatype=XSD.term(datatype)) if datatype else Literal(value)


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("1 integer", "2 integer"), ("-0.10 decimal", "0 integer"), ("2 byte", "2.5e0 double"), ("1e0 double", "INF double"),
        ("9007199254740992 integer", "9007199254740993 integer"), ("0.1 decimal", "0.10000000000000000000001 decimal"),
        ("1 integer", "123456789012345678901234567890 integer"), ("false boolean", "1 boolean"), ("a", "b"),
        ("2021-02-28 date", "2021-03-01 date"), ("2021-03-01T08:00:00Z dateTime", "2021-03-01T08:00:00-01:00 dateTime"),
        ("PT59M dayTimeDuration", "PT1H dayTimeDuration"),
    ],
)  # fmt: skip
def test_what_is_less_is_less_and_not_the_other_way(less: str, more: str) -> None:
    one, other = literal(less), literal(more)
    assert [compares(one, "<", other), compares(one, "<=", other)] == [True, True]
    assert [compares(other, "<", one), compares(other, "<=", one)] == [False, False]
    assert [compares(one, "<", one), compares(one, "<=", one)] == [False, True]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("12 integer", "2021-02-28 date"), ("12 integer", "13"), ("true boolean", "2 integer"), ("a", "b@en"),
        ("many integer", "many integer"), ("many integer", "2 integer"), ("NaN double", "NaN double"), ("NaN float", "1 integer"),
        ("2021-03-01T08:00:00 dateTime", "2021-03-01T09:00:00Z dateTime"), ("2021-02-30 date", "2022-01-01 date"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_not_less(one: str, other: str) -> None:
    for left, right in ((one, other), (other, one)):
        assert not compares(literal(left), "<", literal(right))
        assert not compares(literal(left), "<=", literal(right))


def test_only_literals_are_compared() -> None:
    for left, right in ((ex("a"), ex("b")), (BlankNode("a"), Literal(1)), (Literal(1), ex("b")), (ex("a"), ex("a"))):
        assert not compares(left, "<", right)
        assert not compares(left, "<=", right)
