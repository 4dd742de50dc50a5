"""Cells as text for people and as values for programs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal

from hpc_explorer.app.results.answer import Cell
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.query.table import CellKind, Column
from hpc_explorer.rdf.literals import is_number, literal_text
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, Resource, Term, Triple, iri_text, is_resource
from hpc_explorer.wording import time_text

Refs = Mapping[Resource, ResourceRef]
"""The names of resources."""

_MOST_DIGITS = 6

# A duration without months, whose length varies (XML Schema 1.1, section 3.4.27).
_DURATION = re.compile(r"(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?\Z")


def cell_texts(column: Column, cells: Sequence[Cell]) -> list[str]:
    """The texts of a column, all numbers with the same number of decimals."""
    decimals = decimals_of(cells)
    return [cell_text(column, cell, decimals) for cell in cells]


def cell_value(cell: Cell | Term) -> str | int | float | None:
    """A cell for programs: an ISO 8601 time, a duration in seconds, an IRI, or the value of a literal."""
    if isinstance(cell, ResourceRef):
        return cell.iri
    if isinstance(cell, datetime):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return cell.total_seconds()
    return cell if cell is None or isinstance(cell, (str, int, float)) else plain_text(cell)


def plain_text(term: Term) -> str:
    """A term without its datatype: the value of a literal, or an IRI."""
    if is_resource(term):
        return iri_text(term)
    return term.value if isinstance(term, Literal) else str(term)


def term_text(term: Term | None, refs: Refs) -> str:
    """A term for people, in one line, with all digits of a number; empty if unbound."""
    if term is None:
        return ""
    if is_resource(term):
        return refs[term].label
    return " ".join((literal_text(term) if isinstance(term, Literal) else str(term)).split())


def duration_text(span: timedelta) -> str:
    """A duration as hours, minutes and seconds, with days if there are any."""
    seconds = abs(span.total_seconds())
    whole = int(seconds)
    part = f"{seconds - whole:.3f}"[1:] if seconds != whole else ""
    days, rest = divmod(whole, 86_400)
    sign = "-" if span < timedelta() else ""
    return f"{sign}{f'{days:,} d ' if days else ''}{rest // 3600}:{rest % 3600 // 60:02}:{rest % 60:02}{part}"


def cell_text(column: Column, cell: Cell | Term, decimals: int | None) -> str:
    """A cell for people.

    Args:
        decimals: for numbers; None for as many as each needs.
    """
    if cell is None:
        return ""
    if isinstance(cell, ResourceRef):
        return cell.label
    if isinstance(cell, datetime):
        return time_text(cell)
    if isinstance(cell, timedelta):
        return duration_text(cell)
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Literal):
        return literal_text(cell)
    if isinstance(cell, int):
        # Years and identifiers have no thousands separators.
        return f"{cell:,}" if column.kind is CellKind.NUMBER else str(cell)
    if not isinstance(cell, float):
        return plain_text(cell)
    if not math.isfinite(cell):
        return "not a number" if math.isnan(cell) else ("∞" if cell > 0 else "-∞")
    return f"{cell:.{_MOST_DIGITS}g}" if decimals is None else f"{cell:,.{decimals}f}"


def decimals_of(cells: Iterable[Cell | Term]) -> int | None:
    """The number of decimals at which a column keeps six digits; None if its numbers differ too much in size."""
    sizes = [abs(cell) for cell in cells if isinstance(cell, float) and math.isfinite(cell) and cell]
    if not sizes or max(sizes) >= 1e12 or min(sizes) < 1e-6:
        return None if sizes else 0
    written = (f"{size:.{_MOST_DIGITS}g}" for size in sizes)
    needed = max(len(text.partition(".")[2]) if "e" not in text else 0 for text in written)
    largest, smallest = (math.floor(math.log10(size)) for size in (max(sizes), min(sizes)))
    # The largest keeps six digits, and the smallest three.
    return min(needed, max(_MOST_DIGITS - 1 - largest, 2 - smallest, 0))


def python_value(term: Term | Triple) -> bool | int | float | Decimal | date | datetime | timedelta | str:
    """A term as a value of Python: the value of a literal, or the text of an IRI.

    `xsd:decimal` becomes a `Decimal`. A literal without a value in Python, such as a duration with months, is its text.
    """
    if not isinstance(term, Literal):
        return str(term) if isinstance(term, Triple) else plain_text(term)
    if term.datatype == XSD.boolean:
        return _TRUTHS.get(term.value, term.value)
    if term.datatype == XSD.decimal and _DECIMAL.fullmatch(term.value):
        return Decimal(term.value)
    if is_number(term) and _WHOLE.fullmatch(term.value):
        return int(term.value)
    value = literal_value(term)
    if isinstance(value, datetime) and term.datatype == XSD.date and value.tzinfo is None:
        return value.date()
    return term.value if value is None else value


_TRUTHS: Mapping[str, bool] = {"true": True, "1": True, "false": False, "0": False}

# As many digits as Python reads.
_WHOLE = re.compile(r"[+-]?\d{1,4000}")

# Decimals have no exponent (XML Schema 1.1, section 3.3.3.1).
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)", re.ASCII)


def literal_value(value: object) -> int | float | datetime | timedelta | None:
    """A literal as a number, time or duration; None for other literals.

    A date is its first moment. A time keeps its time zone, or has none.
    """
    if not isinstance(value, Literal):
        return None
    try:
        if is_number(value):
            whole = re.fullmatch(r"[+-]?\d{1,18}", value.value)
            return int(value.value) if whole else float(value.value.replace("INF", "inf"))
        if value.datatype in (XSD.dateTime, XSD.dateTimeStamp, XSD.date):
            return datetime.fromisoformat(value.value)
    except (ValueError, OverflowError):
        return None
    parts = _DURATION.match(value.value) if value.datatype in (XSD.dayTimeDuration, XSD.duration) else None
    if parts is None:
        return None
    days, hours, minutes = (int(part or 0) for part in parts.group(2, 3, 4))
    try:
        length = timedelta(days=days, hours=hours, minutes=minutes, seconds=float(parts[5] or 0))
    except OverflowError:
        return None
    return -length if parts[1] else length
