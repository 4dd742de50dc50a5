"""Literals and their parts in the columns."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.columns.layout import PredicateFacts
from hpc_explorer.stores.columns.relation import DATE_TIME, DECIMAL, DOUBLE, INTEGER, NUMERIC
from hpc_explorer.stores.spellings import stored_form

MOST_DIGITS = 15
"""Beyond so many characters a double may not say all of an integer or a decimal."""

_NUMBERS = (*NUMERIC, XSD.float.value)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)\Z", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)?\Z", re.ASCII)


@dataclass(frozen=True)
class Parts:
    """A literal as it lies in the columns.

    Args:
        kind: its datatype, or `@` and its language.
        t: its text, where number and moment do not say it all.
        n: its number.
        m: its moment in microseconds since 1970.
    """

    kind: str
    t: str | None
    n: float | None
    m: int | None


def parts_of(literal: Literal) -> Parts:
    """The parts of a literal; drawing columns does the same in SQL."""
    literal = stored_form(literal)
    text, kind = literal.value, literal.datatype.value
    if literal.datatype == RDF.langString:
        return Parts(f"@{(literal.language or '').lower()}", text, None, None)
    if kind == DOUBLE:
        number = _finite(text)
        return Parts(kind, text if number is None else None, number, None)
    if kind in (INTEGER, DECIMAL) and len(text) <= MOST_DIGITS and _DECIMAL.match(text):
        return Parts(kind, None if kind == INTEGER else text, float(text), None)
    if kind == DATE_TIME and _MOMENT.match(text):
        moment = _moment(text)
        if moment is not None:
            return Parts(kind, None if text.endswith("Z") else text, None, moment)
    return Parts(kind, text, None, None)


def _finite(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def _moment(text: str) -> int | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1)


def literal_of(kind: str, t: str | None, n: float | None, m: int | None) -> Literal:
    """The literal with these parts, as the store would give it."""
    if kind.startswith("@"):
        return Literal(t or "", language=kind[1:])
    datatype = NamedNode(kind)
    if t is not None:
        return Literal(t) if datatype == XSD.string else stored_form(Literal(t, datatype=datatype))
    if n is not None:
        return number_literal(n, kind)
    assert m is not None
    told = (_EPOCH + timedelta(microseconds=m)).isoformat().removesuffix("+00:00")
    return stored_form(Literal(f"{told}Z", datatype=datatype))


def number_literal(number: float, datatype: str) -> Literal:
    """A number as a literal of a datatype."""
    if datatype == INTEGER:
        return Literal(str(int(number)), datatype=NamedNode(datatype))
    if datatype == DECIMAL:
        spelled = f"{number:.15f}".rstrip("0").rstrip(".") if abs(number) < 1e15 else str(int(number))
        return stored_form(Literal(spelled if spelled not in ("-0", "") else "0", datatype=NamedNode(datatype)))
    return stored_form(Literal(repr(number), datatype=NamedNode(datatype)))


def with_literal(facts: PredicateFacts, literal: Literal) -> PredicateFacts:
    """What is known of a predicate, once it leads to one more literal."""
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
    return replace(facts, values=facts.values + 1, subjects=facts.subjects + 1, kinds=kinds, exact=exact, clock=clock)


def _has_zone(text: str) -> bool:
    return text.endswith("Z") or text[-6:-5] in ("+", "-")
