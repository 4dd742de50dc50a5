"""Literals of every kind that one predicate may have at once, and draws of some of them."""

from __future__ import annotations

from hypothesis import strategies as st

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal


def _of(datatype: str, *texts: str) -> list[Literal]:
    return [Literal(text, datatype=XSD.term(datatype)) for text in texts]


WHOLE = _of("integer", "-3", "0", "1", "2", "7", "30", "1000000")
DECIMALS = _of("decimal", "0.10", "-0.25", "2.0", "2.5", "123456.123456", "1000.07")
DOUBLES = _of("double", "1.0E0", "-0.0E0", "0.0E0", "0.1", "2.5", "-2.5E-7", "1.0E300")
ODD_NUMBERS = [
    *_of("double", "NaN", "INF", "-INF"),
    *_of("integer", "9007199254740992", "9007199254740993", "12345678901234567890", "abc", "1_0"),
    *_of("decimal", "0.1234567890123456", "0.1234567890123457"),
    *_of("float", "0.5", "8.25"),
    *_of("int", "5"),
    *_of("byte", "7"),
]
MOMENTS = _of(
    "dateTime", "2021-03-01T08:00:00Z", "2021-03-02T00:00:00.25Z", "1969-12-31T23:59:59Z", "2021-11-30T01:02:03Z"
)
LOCAL_MOMENTS = _of("dateTime", "2021-03-01T08:00:00", "2021-03-01T08:00:00.5", "2022-01-01T00:00:00")
ODD_MOMENTS = [
    *_of("dateTime", "2021-03-01T09:00:00+01:00", "2021-03-01T08:00:00.0000001Z", "2021-03-01T08:00:00.0000002Z"),
    *_of("dateTime", "2021-02-28T24:00:00Z", "2021-02-30T00:00:00Z", "soon"),
    *_of("date", "2021-03-01", "2021-03-05", "2021-03-01Z", "2021-03-02+05:00"),
]
TEXTS = [
    Literal("a"),
    Literal("B"),
    Literal("1"),
    Literal("İx"),
    Literal("a", language="en"),
    Literal("a", language="de"),
]
OTHERS = [*_of("boolean", "true", "1", "false"), *_of("dayTimeDuration", "PT60S", "PT1M"), *_of("anyURI", "urn:x")]

EVERYTHING = [*WHOLE, *DECIMALS, *DOUBLES, *ODD_NUMBERS, *MOMENTS, *LOCAL_MOMENTS, *ODD_MOMENTS, *TEXTS, *OTHERS]

KINDS = [WHOLE, DECIMALS, WHOLE + DECIMALS, WHOLE + DECIMALS + DOUBLES, DOUBLES, MOMENTS, LOCAL_MOMENTS, TEXTS,
    WHOLE + TEXTS, MOMENTS + TEXTS, WHOLE + MOMENTS, WHOLE + DECIMALS + ODD_NUMBERS, MOMENTS + ODD_MOMENTS, EVERYTHING]  # fmt: skip
"""What the values of one predicate may be: of one kind, as most are, or of several."""

values_of_a_predicate = st.sampled_from(KINDS)
"""The literals that one predicate of a graph may have."""
