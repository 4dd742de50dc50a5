"""Compares a local table with its described columns.

Source: CSV on the Web, "Metadata Vocabulary for Tabular Data", sections 5.6 (columns) and 5.11 (datatypes). Checked are
the header, the columns that are required, whole numbers, numbers and truth values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from hpc_explorer.errors import Cancelled, DeadlineExceeded, ExplorerError
from hpc_explorer.fair.subject import Node, Subject
from hpc_explorer.fair.surroundings import TableCheck
from hpc_explorer.fair.terms import Role
from hpc_explorer.ontology.common_terms import CSVW
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits

TEXT_ENDINGS = (".csv", ".tsv", ".txt")
"""Of the tables that are checked."""

ROWS_CHECKED = 100_000
"""The maximum number of rows checked."""

_MOST_TOLD = 20

_DIGITS = re.compile(r"[+-]?\d+")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


_TESTS: Mapping[str, Callable[[str], bool]] = {
    "whole number": lambda text: _DIGITS.fullmatch(text) is not None,
    "number": _is_number,
    "truth value": lambda text: text.casefold() in ("true", "false", "0", "1"),
}
_OF_DATATYPE = {
    **dict.fromkeys(
        ("integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger"), "whole number"
    ),
    **dict.fromkeys(("number", "decimal", "double", "float"), "number"),
    "boolean": "truth value",
}


def columns_of(subject: Subject) -> dict[str, Node]:
    """The described columns of a resource, by their names in the file."""
    found: dict[str, Node] = {}
    for node in sorted(subject.of(Role.STRUCTURE), key=lambda node: str(node.resource)):
        # A title is what the header says; a name is for programs.
        for predicate in (CSVW.term("title"), CSVW.term("name")):
            name = next(iter(_literals(node, predicate)), None)
            if name is not None:
                found[name] = node
                break
    return found


def check_table(path: Path, columns: Mapping[str, Node], *, limits: Limits = NO_LIMITS) -> TableCheck:
    """The differences between a file and its described columns; an unreadable file is one too.

    Raises:
        Cancelled, DeadlineExceeded: by the limits.
    """
    try:
        return TableCheck(path.name, tuple(islice(_faults(path, columns, limits), _MOST_TOLD)))
    except (Cancelled, DeadlineExceeded):
        raise
    except ExplorerError as problem:
        return TableCheck(path.name, (problem.what,))


def _faults(path: Path, columns: Mapping[str, Node], limits: Limits) -> Iterator[str]:
    from hpc_explorer.annotate.tables.reading import open_table

    with open_table(path) as table:
        there = table.columns or ()
        yield from (f"the column {name} is not in the file" for name in columns if name not in there)
        yield from (f"the column {name} is not described" for name in there if name not in columns)
        wanted = [(name, _kind(column), _required(column)) for name, column in columns.items() if name in there]
        told: set[tuple[str, bool]] = set()
        for row in islice(table.rows(), ROWS_CHECKED):
            limits.check("the check of a table")
            if row.fault:
                yield f"row {row.number}: {row.fault}"
                continue
            for name, kind, required in wanted:
                text = row.text(name)
                wrong = bool(text) and kind in _TESTS and not _TESTS[kind](text)
                # One row tells what is wrong with a column.
                if ((required and not text) or wrong) and (name, bool(text)) not in told:
                    told.add((name, bool(text)))
                    yield f"row {row.number}: {name} is {f'{text[:40]!r}, no {kind}' if text else 'empty'}"


def _literals(node: Node, predicate: NamedNode) -> list[str]:
    return [
        quad.object.value for quad in node.quads if quad.predicate == predicate and isinstance(quad.object, Literal)
    ]


def _kind(column: Node) -> str:
    """The expected datatype of a column, or empty."""
    for quad in column.quads:
        if quad.predicate == CSVW.datatype and isinstance(quad.object, (Literal, NamedNode)):
            return _OF_DATATYPE.get(quad.object.value.removeprefix(str(XSD)), "")
    return ""


def _required(column: Node) -> bool:
    return any(text in ("true", "1") for text in _literals(column, CSVW.required))
