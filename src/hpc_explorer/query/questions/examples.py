"""Examples of a question: recorded answers, compared with the current ones."""

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
"""The maximum number of rows of an example, which people read and every start of the program loads."""

# Engines compute means as decimals or doubles; these agree to nine decimal places.
_DIGITS = 9


def example_of(graph: str, values: Mapping[str, Value], table: TermTable) -> Example:
    """Record an answer as an example.

    Args:
        graph: the queried graph, as on the command line.

    Raises:
        WrongParameter: the answer has blank nodes, whose names change, or is cut off, or has more than
            `MOST_EXAMPLE_ROWS` rows.
    """
    if table.total.kind is not CountKind.EXACT or len(table.rows) > MOST_EXAMPLE_ROWS:
        raise WrongParameter("too many rows for an example", f"{table.total} rows", "ask for fewer, such as with LIMIT")
    for number, row in enumerate(table.rows, 1):
        if any(isinstance(value, BlankNode) for value in row):
            raise WrongParameter(
                "an example cannot have blank nodes", f"row {number}", "query resources with an IRI, or values"
            )
    return Example(graph, tuple(sorted(values.items())), table.names, tuple(table.rows))


def difference(example: Example, table: TermTable) -> str:
    """The first difference between an answer and the example; empty if they agree.

    The order of rows matters. Numbers are compared by value to nine decimal places, times as instants, and everything
    else literally.
    """
    columns = table.names
    if columns != example.columns:
        return f"columns {', '.join(columns)} and not {', '.join(example.columns)}"
    for number, (expected, found) in enumerate(zip(example.rows, table.rows, strict=False), 1):
        for column, one, other in zip(columns, expected, found, strict=True):
            if _plain(one) != _plain(other):
                return f"row {number}, {column}: {_text(other)} and not {_text(one)}"
    if len(table.rows) != len(example.rows):
        return f"{counted(len(table.rows), 'row')} and not {len(example.rows):,}"
    return ""


def comparable(row: Row) -> tuple[object, ...]:
    """A row in the form that `difference` compares."""
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


def _text(value: Term | None) -> str:
    return "nothing" if value is None else str(value)
