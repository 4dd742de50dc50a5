"""Convert between literals and their parts in the columns."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.columns.layout import LITERAL, QUOTED, PredicateFacts
from hpc_explorer.stores.columns.relation import DATE_TIME, DECIMAL, DOUBLE, INTEGER, NUMERIC, NotByColumns
from hpc_explorer.stores.local.spellings import stored_form

MOST_DIGITS = 15
"""The most characters of an integer or decimal that a double represents exactly."""

LARGEST_INTEGER = 2**63 - 1
"""The largest integer that the triple store computes with (xsd:long)."""

LARGEST_DECIMAL = 10**20
"""Smaller decimals are numbers to the triple store, which keeps them in units of 1e-18 in 128 bits."""

_NUMBERS = (*NUMERIC, XSD.float.value)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

INTEGER_TEXT = r"(0|-?[1-9]\d*)"
DECIMAL_TEXT = r"-?(0|[1-9]\d*)(\.\d*[1-9])?"
DOUBLE_TEXT = r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?"
"""Regular expressions of numbers: the stored form of integers and decimals, any form of doubles."""

MOMENT = r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[+-]((0\d|1[0-3]):[0-5]\d|14:00))?"
"""The regular expression of the moments that the columns store; the year 0000 is excluded."""

_MOMENT = re.compile(rf"(?!0000){MOMENT}\Z", re.ASCII)
_DOUBLE = re.compile(rf"{DOUBLE_TEXT}\Z", re.ASCII)
_EXACT = {INTEGER: re.compile(rf"{INTEGER_TEXT}\Z", re.ASCII), DECIMAL: re.compile(rf"{DECIMAL_TEXT}\Z", re.ASCII)}


@dataclass(frozen=True)
class Parts:
    """A literal as stored in the columns.

    Args:
        kind: its datatype, or `@` and its language.
        t: its text, if number and moment are not enough.
        n: its number.
        m: its moment in microseconds since 1970.
    """

    kind: str
    t: str | None
    n: float | None
    m: int | None


def parts_of(literal: Literal) -> Parts:
    """The parts of a literal; building columns does the same in SQL."""
    literal = stored_form(literal)
    text, kind = literal.value, literal.datatype.value
    if getattr(literal, "direction", None) is not None:
        return Parts(QUOTED, text, None, None)
    if literal.datatype == RDF.langString:
        return Parts(f"@{(literal.language or '').lower()}", text, None, None)
    if kind == DOUBLE:
        number = _finite(text)
        return Parts(kind, text if number is None else None, number, None)
    if kind in _EXACT and len(text) <= MOST_DIGITS and _EXACT[kind].match(text):
        return Parts(kind, None if kind == INTEGER else text, float(text), None)
    if kind == DATE_TIME and _MOMENT.match(text):
        moment = _moment(text)
        if moment is not None:
            return Parts(kind, None if text.endswith("Z") else text, None, moment)
    return Parts(kind, text, None, None)


def _finite(text: str) -> float | None:
    """The double of a text; None if it is not one, infinite, or negative zero, which is another term."""
    number = float(text) if _DOUBLE.match(text) else math.nan
    return number if math.isfinite(number) and (number or math.copysign(1.0, number) > 0) else None


def _moment(text: str) -> int | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1)


def literal_of(kind: str, t: str | None, n: float | None, m: int | None) -> Literal:
    """The literal with these parts, as the triple store returns it."""
    if kind.startswith("@"):
        return Literal(t or "", language=kind[1:])
    datatype = NamedNode(kind)
    if t is not None:
        return Literal(t) if datatype == XSD.string else stored_form(Literal(t, datatype=datatype))
    if n is not None:
        return number_literal(n if kind == DOUBLE else int(n), kind)
    assert m is not None
    told = (_EPOCH + timedelta(microseconds=m)).isoformat().removesuffix("+00:00")
    return stored_form(Literal(f"{told}Z", datatype=datatype))


def literal_text(name: str, doubles: int | None) -> str:
    """The text of a literal as SQL: what `STR` of SPARQL gives.

    Args:
        name: of its SQL columns, without the parts.
        doubles: the number of the kind `xsd:double`.
    """
    d, t, n, m = (f"{name}{part}" for part in LITERAL)
    # The triple store writes doubles without an exponent.
    digits, exponent = (
        f"replace(split_part(abs({n})::VARCHAR, 'e', 1), '.', '')",
        f"split_part({n}::VARCHAR, 'e', 2)::INT",
    )
    sign = f"CASE WHEN {n} < 0 THEN '-' ELSE '' END"
    return f"""CASE
        WHEN {t} IS NOT NULL THEN {t}
        WHEN {m} IS NOT NULL THEN replace(make_timestamp({m})::VARCHAR, ' ', 'T') || 'Z'
        WHEN {d} IS DISTINCT FROM {doubles or "NULL"} THEN {n}::BIGINT::VARCHAR
        WHEN NOT contains({n}::VARCHAR, 'e') THEN regexp_replace({n}::VARCHAR, '\\.0$', '')
        WHEN {exponent} < 0 THEN {sign} || '0.' || repeat('0', -1 - {exponent}) || {digits}
        ELSE {sign} || rpad({digits}, {exponent} + 1, '0') END"""


def number_literal(number: float, datatype: str, scale: int = 0) -> Literal:
    """A computed number as a literal of a datatype.

    Args:
        scale: an integer or decimal is a number of units of `10**-scale`.

    Raises:
        NotByColumns: it is not finite or out of the triple store's range.
    """
    if datatype == DOUBLE:
        if not math.isfinite(number):
            raise NotByColumns("a number that is not finite")
        return stored_form(Literal(repr(number), datatype=NamedNode(datatype)))
    units = int(number)
    if datatype == INTEGER:
        if abs(units) > LARGEST_INTEGER:
            raise NotByColumns("an integer of more than 64 bits")
        return Literal(str(units), datatype=NamedNode(datatype))
    if abs(units) >= LARGEST_DECIMAL * 10**scale:
        raise NotByColumns("a decimal of too many digits")
    whole, part = divmod(abs(units), 10**scale)
    spelled = f"{'-' if units < 0 else ''}{whole}.{part:0{scale}}" if scale else str(units)
    return stored_form(Literal(spelled, datatype=NamedNode(datatype)))


def with_literal(facts: PredicateFacts, literal: Literal) -> PredicateFacts:
    """Update the statistics of a predicate for one more literal."""
    parts = parts_of(literal)
    kinds = facts.kinds if parts.kind in facts.kinds else tuple(sorted((*facts.kinds, parts.kind)))
    exact, clock = facts.exact, facts.clock
    is_moment = parts.kind == DATE_TIME
    if is_moment:
        own = (
            "Z"
            if literal.value.endswith("Z")
            else "none"
            if parts.m is not None and not _has_zone(literal.value)
            else "mixed"
        )
        clock = own if parts.kind not in facts.kinds or clock == own else "mixed"
    if (is_moment and parts.m is None) or (parts.kind in _NUMBERS and parts.n is None):
        exact = False
    scale = facts.scale
    if parts.kind == DECIMAL and parts.n is not None:
        scale = max(scale, len((parts.t or "").partition(".")[2]))
    return replace(
        facts,
        values=facts.values + 1,
        subjects=facts.subjects + 1,
        kinds=kinds,
        exact=exact,
        clock=clock,
        scale=scale,
    )


def _has_zone(text: str) -> bool:
    return text.endswith("Z") or text[-6:-5] in ("+", "-")
