"""Literals and their parts: what a number computed by the columns is written as, and what is known of a predicate."""

from __future__ import annotations

import pytest

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.columns.layout import PredicateFacts
from hpc_explorer.stores.columns.literals import literal_of, number_literal, parts_of, with_literal
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.local.spellings import stored_form


@pytest.mark.parametrize(
    ("number", "datatype", "scale", "text"),
    [
        (5, "integer", 0, "5"), (-5, "integer", 0, "-5"), (0, "integer", 0, "0"),
        (2**63 - 1, "integer", 0, "9223372036854775807"), (1 - 2**63, "integer", 0, "-9223372036854775807"),
        (2**63, "integer", 0, None), (-(2**63), "integer", 0, None),
        (125, "decimal", 2, "1.25"), (-125, "decimal", 2, "-1.25"), (5, "decimal", 2, "0.05"), (-5, "decimal", 3, "-0.005"),
        (0, "decimal", 2, "0"), (150, "decimal", 2, "1.5"), (7, "decimal", 0, "7"), (-7, "decimal", 0, "-7"), (100, "decimal", 1, "10"),
        (10**20 - 1, "decimal", 0, "99999999999999999999"), (10**20, "decimal", 0, None), (-(10**20), "decimal", 0, None),
        (10**22 - 1, "decimal", 2, "99999999999999999999.99"), (10**22, "decimal", 2, None),
        (1.5, "double", 0, "1.5"), (-0.25, "double", 0, "-0.25"), (1e300, "double", 0, str(10**300)),
        (float("inf"), "double", 0, None), (float("-inf"), "double", 0, None), (float("nan"), "double", 0, None),
    ],
)  # fmt: skip
def test_a_computed_number_is_a_literal_or_refused(number: float, datatype: str, scale: int, text: str | None) -> None:
    kind = XSD.term(datatype)
    if text is None:
        with pytest.raises(NotByColumns):
            number_literal(number, kind.value, scale)
    else:
        assert number_literal(number, kind.value, scale) == stored_form(Literal(text, datatype=kind))


@pytest.mark.parametrize(
    ("datatype", "text", "t", "n", "m"),
    [
        ("integer", "12", False, 12.0, None), ("integer", "-3", False, -3.0, None), ("integer", "0", False, 0.0, None),
        ("integer", "123456789012345", False, 123456789012345.0, None), ("integer", "1234567890123456", True, None, None),
        ("decimal", "1.5", True, 1.5, None), ("decimal", "1234567890123.5", True, 1234567890123.5, None),
        ("decimal", "12345678901234.5", True, None, None), ("double", "0.5", False, 0.5, None), ("double", "-0.0", True, None, None),
        ("double", "0.0", False, 0.0, None), ("double", "INF", True, None, None), ("double", "NaN", True, None, None), ("double", "1e400", True, None, None),
        ("dateTime", "1970-01-01T00:00:01Z", False, None, 1_000_000), ("dateTime", "1969-12-31T23:59:59.5Z", False, None, -500_000),
        ("dateTime", "1970-01-01T00:00:00.000001Z", False, None, 1), ("dateTime", "1970-01-01T01:00:00+01:00", True, None, 0),
        ("dateTime", "1970-01-01T00:00:02", True, None, 2_000_000), ("dateTime", "0000-01-01T00:00:00Z", True, None, None),
        ("dateTime", "2021-02-30T08:00:00Z", True, None, None), ("float", "1.5", True, None, None), ("boolean", "true", True, None, None),
        ("string", "12", True, None, None), ("date", "2021-03-01", True, None, None),
    ],
)  # fmt: skip
def test_a_literal_comes_back_from_its_parts(datatype: str, text: str, t: bool, n: float | None, m: int | None) -> None:
    literal = Literal(text, datatype=XSD.term(datatype))
    parts = parts_of(literal)
    assert (parts.kind, parts.t is not None, parts.n, parts.m) == (XSD.term(datatype).value, t, n, m)
    assert literal_of(parts.kind, parts.t, parts.n, parts.m) == stored_form(literal)


def test_texts_in_languages_come_back_with_them() -> None:
    for literal, kind in ((Literal("a", language="de-AT"), "@de-at"), (Literal("", language="en"), "@en")):
        parts = parts_of(literal)
        assert (parts.kind, parts.t, parts.n, parts.m) == (kind, literal.value, None, None)
        assert literal_of(parts.kind, parts.t, None, None) == Literal(literal.value, language=kind[1:])


ZULU, EAST, LOCAL, NONE = (
    "2021-03-01T08:00:00Z",
    "2021-03-01T08:00:00+01:00",
    "2021-03-01T08:00:00",
    "2021-02-30T08:00:00",
)


@pytest.mark.parametrize(
    ("said", "kinds", "exact", "clock", "scale"),
    [
        (["dateTime " + ZULU], 1, True, "Z", 0), (["dateTime " + ZULU] * 2, 1, True, "Z", 0), (["dateTime " + LOCAL] * 2, 1, True, "none", 0),
        (["dateTime " + EAST], 1, True, "mixed", 0), (["dateTime " + EAST.replace("+", "-")], 1, True, "mixed", 0),
        (["dateTime " + ZULU, "dateTime " + LOCAL], 1, True, "mixed", 0), (["dateTime " + LOCAL, "dateTime " + ZULU], 1, True, "mixed", 0),
        (["dateTime " + ZULU, "dateTime " + EAST, "dateTime " + EAST], 1, True, "mixed", 0), (["dateTime " + NONE], 1, False, "mixed", 0),
        (["string a", "dateTime " + ZULU], 2, True, "Z", 0), (["dateTime " + ZULU, "string a"], 2, True, "Z", 0),
        (["decimal 1.25", "decimal 1.5"], 1, True, "none", 2), (["decimal 1", "decimal 0.125"], 1, True, "none", 3), (["decimal 7"], 1, True, "none", 0),
        (["decimal 12345678901234.5"], 1, False, "none", 0), (["decimal 12345678901234.5", "integer 1"], 2, False, "none", 0),
        (["integer 1", "double 0.5"], 2, True, "none", 0), (["double NaN"], 1, False, "none", 0), (["float 1.5"], 1, False, "none", 0),
        (["string 1.25"], 1, True, "none", 0), (["boolean true", "date 2021-03-01"], 2, True, "none", 0),
    ],
)  # fmt: skip
def test_what_is_known_of_a_predicate_goes_with_each_literal(
    said: list[str], kinds: int, exact: bool, clock: str, scale: int
) -> None:
    facts = PredicateFacts(7, "p", 2, 3, 4, 5, wide=True, kinds=(), exact=True, clock="none")
    for one in said:
        datatype, text = one.split(" ")
        facts = with_literal(facts, Literal(text, datatype=XSD.term(datatype)))
    assert (facts.id, facts.iri, facts.links, facts.objects, facts.wide) == (7, "p", 2, 5, True)
    assert (facts.values, facts.subjects) == (3 + len(said), 4 + len(said))
    assert facts.kinds == tuple(sorted({XSD.term(one.split(" ")[0]).value for one in said}))
    assert len(facts.kinds) == kinds
    assert (facts.exact, facts.clock, facts.scale) == (exact, clock, scale)
