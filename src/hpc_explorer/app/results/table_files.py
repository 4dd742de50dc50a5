"""Writes tables as CSV, TSV, JSON, Markdown and Parquet.

TSV and JSON are the W3C formats (SPARQL 1.1 Query Results) and lossless; they and Parquet are for terms only. Parquet
has typed columns.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import repeat
from pathlib import Path
from typing import Any, TypeVar

from hpc_explorer.app.results.answer import AnswerTable, Cell
from hpc_explorer.app.results.cells import Refs, cell_text, cell_value, decimals_of, literal_value, plain_text
from hpc_explorer.app.results.rows import HeldRows
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.errors import UnknownFormat
from hpc_explorer.query.table import CellKind, Column, Row, Table, TermTable
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.syntax.csv_writing import CsvWriter
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

RIGHT = (CellKind.NUMBER, CellKind.DURATION)
"""The kinds that are right-aligned."""

R = TypeVar("R")

AnyTable = AnswerTable | TermTable

_CHECK_EVERY = 2_000


def row_table(held: HeldRows, shown: Sequence[int], columns: Sequence[int]) -> TermTable:
    """Some of the rows as a table.

    Args:
        shown, columns: the rows and columns, in order.
    """
    rows = [tuple(held.term(row, column) for column in columns) for row in shown]
    return Table(tuple(held.columns[column] for column in columns), rows)


def _checked(rows: Sequence[R], limits: Limits) -> Iterator[R]:
    for number, row in enumerate(rows):
        if number % _CHECK_EVERY == 0:
            limits.check("writing the rows")
        yield row


def _labelled(table: AnyTable, refs: Refs | None) -> frozenset[int]:
    """The columns that have labels beside the IRIs."""
    if refs is None:
        return frozenset()
    return frozenset(
        place
        for place, column in enumerate(table.columns)
        if column.kind is CellKind.RESOURCE or any(is_resource(row[place]) for row in table.rows)
    )


def _ref(cell: Cell | Term, refs: Refs | None) -> ResourceRef | None:
    if isinstance(cell, ResourceRef):
        return cell
    return refs.get(cell) if refs and is_resource(cell) else None


def term_json(value: object) -> dict[str, Any]:
    """A term in the SPARQL 1.1 Query Results JSON Format, section 3.2.2; a quoted triple as in SPARQL 1.2."""
    if isinstance(value, NamedNode):
        return {"type": "uri", "value": value.value}
    if isinstance(value, BlankNode):
        return {"type": "bnode", "value": value.value}
    if isinstance(value, Literal):
        described: dict[str, Any] = {"type": "literal", "value": value.value}
        if value.language is not None:
            described["xml:lang"] = value.language
        elif value.datatype != XSD.string:
            described["datatype"] = value.datatype.value
        return described
    parts = (("subject", "subject"), ("predicate", "predicate"), ("object", "object"))
    return {"type": "triple", "value": {name: term_json(getattr(value, part)) for name, part in parts}}


def table_csv(table: AnyTable, refs: Refs | None = None, limits: Limits = NO_LIMITS) -> str:
    """CSV (RFC 4180): values without datatypes. A column of resources becomes two: labels and IRIs.

    Args:
        refs: the names of terms; None writes IRIs only.
    """
    labelled = _labelled(table, refs)
    text = io.StringIO()
    writer = CsvWriter(text)
    writer.writerow(name for place, one in enumerate(table.columns) for name in _csv_names(one, place in labelled))
    for row in _checked(table.rows, limits):
        writer.writerow([text for place, cell in enumerate(row) for text in _csv(cell, refs, place in labelled)])
    return text.getvalue()


def _csv_names(column: Column, labelled: bool) -> tuple[str, ...]:
    if labelled:
        name = column.name or column.title
        return (name, f"{name} IRI")
    return (column.name or (f"{column.title} (s)" if column.kind is CellKind.DURATION else column.heading),)


def _csv(cell: Cell | Term, refs: Refs | None, labelled: bool) -> tuple[str | int | float, ...]:
    ref = _ref(cell, refs) if labelled else None
    if ref is not None:
        return (ref.label, ref.iri)
    value = cell_value(cell)
    plain = "" if value is None else value
    return (plain, "") if labelled else (plain,)


def table_tsv(table: TermTable, limits: Limits = NO_LIMITS) -> str:
    """SPARQL 1.1 Query Results TSV Format."""
    lines = ["\t".join(f"?{name}" for name in table.names)]
    lines += ["\t".join(map(_tsv, row)) for row in _checked(table.rows, limits)]
    return "\n".join(lines) + "\n"


def _tsv(term: Term | None) -> str:
    return "" if term is None else str(term).replace("\t", "\\t")


def table_json(table: TermTable, limits: Limits = NO_LIMITS) -> str:
    """SPARQL 1.1 Query Results JSON Format."""
    names = table.names
    rows = (
        json.dumps({name: term_json(term) for name, term in zip(names, row, strict=True) if term is not None},
                   ensure_ascii=False)
        for row in _checked(table.rows, limits)
    )  # fmt: skip
    head = json.dumps({"vars": names}, ensure_ascii=False)
    return f'{{"head": {head},\n"results": {{"bindings": [\n' + ",\n".join(rows) + "\n]}}\n"


def table_markdown(table: AnyTable, refs: Refs | None = None, limits: Limits = NO_LIMITS) -> str:
    """A table in GitHub's Markdown, with links to resources.

    Args:
        refs: the names of terms.
    """
    decimals = [decimals_of(row[place] for row in table.rows) for place in range(len(table.columns))]
    lines = [
        _markdown_row(markdown_text(column.heading) for column in table.columns),
        _markdown_row("---:" if column.kind in RIGHT else "---" for column in table.columns),
    ]
    for row in _checked(table.rows, limits):
        lines.append(_markdown_row(map(_markdown, table.columns, row, decimals, repeat(refs))))
    return "\n".join(lines) + "\n"


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown(column: Column, cell: Cell | Term, decimals: int | None, refs: Refs | None) -> str:
    ref = _ref(cell, refs)
    if ref is not None:
        return markdown_link(ref.label, ref.iri)
    if is_resource(cell):
        return markdown_link(plain_text(cell), plain_text(cell))
    return markdown_text(cell_text(column, cell, decimals))


_NOT_FOLLOWED = frozenset({"javascript", "vbscript", "data", "file"})


def markdown_link(text: str, iri: str) -> str:
    """A link to an IRI; plain text if it cannot be opened, or points to a script or a local file."""
    scheme = iri.partition(":")[0].casefold()
    if ":" not in iri or scheme == "_":
        return markdown_text(text)
    if scheme in _NOT_FOLLOWED:
        return markdown_text(text if text == iri else f"{text} ({iri})")
    return f"[{markdown_text(text)}](<{iri}>)"


def markdown_text(text: str) -> str:
    """Escape a text for Markdown, in one line."""
    for sign in "\\`*_[]<>|#":
        text = text.replace(sign, "\\" + sign)
    return " ".join(text.split())


# Parquet


def write_table_parquet(table: TermTable, path: Path, refs: Refs | None = None, limits: Limits = NO_LIMITS) -> None:
    """Write a Parquet file with typed columns.

    A column has a type if all its values do; decimals become doubles. Other values are text: the value of a literal,
    or an IRI. Known labels have columns of their own.
    """
    from hpc_explorer.stores.columns.parquet import ParquetColumn, ParquetType, Value, write_parquet

    labelled = _labelled(table, refs)
    columns: list[ParquetColumn] = []
    cells: list[Callable[[Row], Value]] = []
    taken: set[str] = set()

    def named(name: str) -> str:
        """A unique name; the engine ignores case."""
        free, number = name, 2
        while free.casefold() in taken:
            free, number = f"{name} ({number})", number + 1
        taken.add(free.casefold())
        return free

    for place, name in enumerate(table.names):
        kind = _parquet_kind(row[place] for row in table.rows)
        columns.append(ParquetColumn(named(name), ParquetType[kind]))
        cells.append(lambda row, place=place, kind=kind: _parquet_value(row[place], kind))  # type: ignore[misc]  # bound now
        if place in labelled:
            columns.append(ParquetColumn(named(f"{name} label"), ParquetType.TEXT))
            cells.append(lambda row, place=place: _label(row[place], refs))  # type: ignore[misc]  # bound now
    rows = ([cell(row) for cell in cells] for row in _checked(table.rows, limits))
    write_parquet(columns, rows, path, limits=limits)


def _label(term: Term | None, refs: Refs | None) -> str | None:
    ref = _ref(term, refs)
    return ref.label if ref is not None else None


def _parquet_kind(terms: Iterable[Term | None]) -> str:
    """The type that all values have."""
    kinds = {_kind_of_one(term) for term in terms if term is not None}
    if kinds == {"WHOLE_NUMBER", "NUMBER"}:
        return "NUMBER"
    return kinds.pop() if len(kinds) == 1 else "TEXT"


def _kind_of_one(term: Term) -> str:
    if isinstance(term, Literal) and term.datatype == XSD.boolean and term.value in _TRUTHS:
        return "TRUTH"
    value = literal_value(term)
    if isinstance(value, int):
        return "WHOLE_NUMBER"
    if isinstance(value, float):
        return "NUMBER"
    if isinstance(value, datetime) and isinstance(term, Literal):
        if term.datatype == XSD.date and len(term.value) == len("2024-03-01"):
            return "DATE"
        return "MOMENT_WITH_ZONE" if value.tzinfo is not None else "MOMENT"
    return "TEXT"


_TRUTHS = {"true": True, "1": True, "false": False, "0": False}


def _parquet_value(term: Term | None, kind: str) -> str | int | float | bool | None:
    if term is None:
        return None
    if kind == "TEXT":
        return plain_text(term)
    if kind == "TRUTH":
        return _TRUTHS[plain_text(term)]
    value = literal_value(term)
    if isinstance(value, float):
        # The engine receives JSON, which has no infinity.
        return value if abs(value) < float("inf") else str(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if kind == "DATE" else value.isoformat()
    return value if isinstance(value, int) else None


# Files

FORMS: Mapping[str, str] = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".json": "SPARQL JSON",
    ".md": "Markdown",
    ".parquet": "Parquet",
}
"""The formats of rows, by suffix."""


def write_rows(table: TermTable, path: Path, refs: Refs | None = None, *, limits: Limits = NO_LIMITS) -> Path:
    """Write rows in the format of the file's suffix.

    Args:
        refs: the names of resources; None writes IRIs only.

    Raises:
        UnknownFormat: the suffix is not in `FORMS`.
        OutputNotWritable: the file cannot be written; an existing file is unchanged.
        Cancelled, DeadlineExceeded: by the limits.
    """
    match path.suffix.lower():
        case ".csv":
            text = table_csv(table, refs, limits)
        case ".tsv":
            text = table_tsv(table, limits)
        case ".json":
            text = table_json(table, limits)
        case ".md":
            text = table_markdown(table, refs, limits)
        case ".parquet":
            write_table_parquet(table, path, refs, limits)
            return path
        case _:
            raise UnknownFormat("rows cannot be written in this format", str(path), f"use one of {', '.join(FORMS)}")
    with atomic_output(path) as stream:
        stream.write(text.encode())
    return path
