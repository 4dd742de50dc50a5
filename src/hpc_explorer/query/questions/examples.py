"""Examples of a question: the rows that answered it once, and whether those of today are the same."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.questions.question import Example, Value
from hpc_explorer.query.table import Row, TermTable
from hpc_explorer.rdf.literals import is_number
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, Term
from hpc_explorer.stores.base import CountKind
from hpc_explorer.wording import counted

MOST_EXAMPLE_ROWS = 1_000
"""So many rows an example has at most: it is read by people and with every start of the program."""

# Engines compute means in decimals or doubles; to so many digits after the point they agree.
_DIGITS = 9


def example_of(graph: str, values: Mapping[str, Value], table: TermTable) -> Example:
    """What was answered just now, to be compared with later.

    Args:
        graph: where it was asked, as a command line takes it.

    Raises:
        WrongParameter: it cannot be compared with: a row has a blank node, whose name is another one at the next
            start, or the rows are cut off or more than `MOST_EXAMPLE_ROWS`.
    """
    if table.total.kind is not CountKind.EXACT or len(table.rows) > MOST_EXAMPLE_ROWS:
        raise WrongParameter("too many rows for an example", f"{table.total} rows", "ask for fewer, such as with LIMIT")
    for number, row in enumerate(table.rows, 1):
        if any(isinstance(value, BlankNode) for value in row):
            raise WrongParameter(
                "an example cannot hold blank nodes", f"row {number}", "ask for what has an IRI, or for values"
            )
    return Example(graph, tuple(sorted(values.items())), table.names, tuple(table.rows))


def difference(example: Example, table: TermTable) -> str:
    """How an answer differs from the example, in a few words; empty where it does not.

    The order of the rows counts, as it is part of a question. Numbers are compared by value, to nine digits after the
    point, and times by the moment; everything else as it is written.
    """
    columns = table.names
    if columns != example.columns:
        return f"columns {', '.join(columns)} and not {', '.join(example.columns)}"
    for number, (expected, found) in enumerate(zip(example.rows, table.rows, strict=False), 1):
        for column, one, other in zip(columns, expected, found, strict=True):
            if _plain(one) != _plain(other):
                return f"row {number}, {column}: {_said(other)} and not {_said(one)}"
    if len(table.rows) != len(example.rows):
        return f"{_rows(len(table.rows))} and not {len(example.rows):,}"
    return ""


def comparable(row: Row) -> tuple[object, ...]:
    """A row with its numbers as numbers and its times as moments, as `difference` compares it."""
    return tuple(map(_plain, row))


def _plain(value: Term | None) -> object:
    try:
        if isinstance(value, Literal) and is_number(value):
            return round(Decimal(value.value), _DIGITS)
        if isinstance(value, Literal) and value.datatype == XSD.dateTime:
            return datetime.fromisoformat(value.value)
    except (InvalidOperation, ValueError):
        pass
    return value


def _said(value: Term | None) -> str:
    return "nothing" if value is None else str(value)


def _rows(number: int) -> str:
    return counted(number, "row")
