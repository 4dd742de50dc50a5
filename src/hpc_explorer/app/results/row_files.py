"""The rows of a query as files: CSV, TSV, JSON, Markdown and Parquet.

TSV and JSON are the forms of the W3C (SPARQL 1.1 Query Results CSV and TSV Formats; JSON Format) and lose nothing. CSV
and Markdown are for people and their tables. In Parquet numbers, dates and truths have their types.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from hpc_explorer.app.results.answer_files import markdown_link, markdown_row, markdown_text
from hpc_explorer.app.results.rows import HeldRows, literal_value
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.errors import UnknownFormat
from hpc_explorer.rdf.literals import is_number, literal_text
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.syntax.csv_writing import CsvWriter
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Term, iri_text, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

_CHECK_EVERY = 2_000


@dataclass(frozen=True)
class RowTable:
    """Rows to be written.

    Args:
        variables: the columns.
        rows: as many terms each; None where a variable is unbound.
        refs: what the resources are called; empty where they are written by their IRIs alone.
        headings: what a person calls the columns; empty: as the variables.
    """

    variables: tuple[str, ...]
    rows: Sequence[Sequence[Term | None]]
    refs: Mapping[Resource, ResourceRef] = field(default_factory=dict)
    headings: tuple[str, ...] = ()

    def checked_rows(self, limits: Limits) -> Iterator[Sequence[Term | None]]:
        """The rows, with a look at the limits now and then."""
        for number, row in enumerate(self.rows):
            if number % _CHECK_EVERY == 0:
                limits.check("writing the rows")
            yield row

    def resource_columns(self) -> frozenset[int]:
        """The columns in which labels stand beside the IRIs."""
        if not self.refs:
            return frozenset()
        places = range(len(self.variables))
        return frozenset(place for place in places if any(is_resource(row[place]) for row in self.rows))


def row_table(held: HeldRows, shown: Sequence[int], columns: Sequence[int]) -> RowTable:
    """Some of the rows that came, to be written.

    Args:
        shown: which rows, and columns: which columns, both in their order.
    """
    rows = [tuple(held.term(row, column) for column in columns) for row in shown]
    variables = tuple(held.variables[column] for column in columns)
    headings = tuple(held.columns[column].heading for column in columns)
    return RowTable(variables, rows, dict(held.refs), headings)


def term_json(value: object) -> dict[str, Any]:
    """A term as in the SPARQL 1.1 Query Results JSON Format, section 3.2.2; a quoted triple as SPARQL 1.2 has it."""
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


def rows_csv(table: RowTable, limits: Limits = NO_LIMITS) -> str:
    """CSV: values without datatypes, lines ended by CR LF. Where labels are known, a column of resources is two."""
    labelled = table.resource_columns()
    text = io.StringIO()
    writer = CsvWriter(text)
    names = ((name, f"{name} IRI") if place in labelled else (name,) for place, name in enumerate(table.variables))
    writer.writerow([name for pair in names for name in pair])
    for row in table.checked_rows(limits):
        writer.writerow([text for place, term in enumerate(row) for text in _csv(table, term, place in labelled)])
    return text.getvalue()


def _csv(table: RowTable, term: Term | None, labelled: bool) -> tuple[str, ...]:
    if not labelled:
        return (_plain(term),)
    return (table.refs[term].label, iri_text(term)) if is_resource(term) and term in table.refs else (_plain(term), "")


def _plain(term: Term | None) -> str:
    if term is None:
        return ""
    if is_resource(term):
        return iri_text(term)
    return term.value if isinstance(term, Literal) else str(term)


def rows_tsv(table: RowTable, limits: Limits = NO_LIMITS) -> str:
    """SPARQL 1.1 Query Results TSV Format: terms as SPARQL writes them."""
    lines = ["\t".join(f"?{name}" for name in table.variables)]
    lines += ["\t".join(map(_tsv, row)) for row in table.checked_rows(limits)]
    return "\n".join(lines) + "\n"


def _tsv(term: Term | None) -> str:
    return "" if term is None else str(term).replace("\t", "\\t")


def rows_json(table: RowTable, limits: Limits = NO_LIMITS) -> str:
    """SPARQL 1.1 Query Results JSON Format."""
    rows = (
        json.dumps({name: term_json(term) for name, term in zip(table.variables, row, strict=True) if term is not None},
                   ensure_ascii=False)
        for row in table.checked_rows(limits)
    )  # fmt: skip
    head = json.dumps({"vars": table.variables}, ensure_ascii=False)
    return f'{{"head": {head},\n"results": {{"bindings": [\n' + ",\n".join(rows) + "\n]}}\n"


def rows_markdown(table: RowTable, limits: Limits = NO_LIMITS) -> str:
    """A table of GitHub's Markdown; resources lead to their IRIs."""
    numbers = [
        all(isinstance(row[place], Literal) and is_number(row[place]) for row in table.rows)  # type: ignore[arg-type]  # a literal
        for place in range(len(table.variables))
    ]
    lines = [
        markdown_row(markdown_text(name) for name in table.headings or table.variables),
        markdown_row("---:" if number and table.rows else "---" for number in numbers),
        *(markdown_row(_markdown(table, term) for term in row) for row in table.checked_rows(limits)),
    ]
    return "\n".join(lines) + "\n"


def _markdown(table: RowTable, term: Term | None) -> str:
    if is_resource(term):
        ref = table.refs.get(term)
        return markdown_link(ref.label if ref else iri_text(term), iri_text(term))
    return markdown_text(literal_text(term) if isinstance(term, Literal) else _plain(term))


# Parquet


def write_rows_parquet(table: RowTable, path: Path, limits: Limits = NO_LIMITS) -> None:
    """A Parquet file with typed columns.

    A column is of whole numbers, numbers, truths, dates or moments where all its values are; a decimal becomes the
    nearest double. All else is text: a literal's value, an IRI. Where labels are known, they stand in a column of their
    own beside the IRIs.
    """
    from hpc_explorer.stores.columns.parquet import ParquetColumn, ParquetType, Value, write_parquet

    labelled = table.resource_columns()
    columns: list[ParquetColumn] = []
    cells: list[Callable[[Sequence[Term | None]], Value]] = []
    taken: set[str] = set()

    def named(name: str) -> str:
        """The engine does not tell capitals from small letters."""
        free, number = name, 2
        while free.casefold() in taken:
            free, number = f"{name} ({number})", number + 1
        taken.add(free.casefold())
        return free

    for place, name in enumerate(table.variables):
        kind = _parquet_kind(row[place] for row in table.rows)
        columns.append(ParquetColumn(named(name), ParquetType[kind]))
        cells.append(lambda row, place=place, kind=kind: _parquet_value(row[place], kind))  # type: ignore[misc]  # bound now
        if place in labelled:
            columns.append(ParquetColumn(named(f"{name} label"), ParquetType.TEXT))
            cells.append(lambda row, place=place: _label(table, row[place]))  # type: ignore[misc]  # bound now
    rows = ([cell(row) for cell in cells] for row in table.checked_rows(limits))
    write_parquet(columns, rows, path, limits=limits)


def _label(table: RowTable, term: Term | None) -> str | None:
    return table.refs[term].label if is_resource(term) and term in table.refs else None


def _parquet_kind(terms: Iterable[Term | None]) -> str:
    """The name of the type that all values have."""
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
        return _plain(term)
    if kind == "TRUTH":
        return _TRUTHS[_plain(term)]
    value = literal_value(term)
    if isinstance(value, float):
        # JSON, by which the rows go to the engine, has no spelling for what is not finite.
        return value if abs(value) < float("inf") else str(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if kind == "DATE" else value.isoformat()
    return value if isinstance(value, int) else None


# Files

TEXT_FORMS: Mapping[str, Callable[[RowTable, Limits], str]] = {
    ".csv": rows_csv,
    ".tsv": rows_tsv,
    ".json": rows_json,
    ".md": rows_markdown,
}
"""How rows are written as text, by the end of the file's name."""

FORMS: Mapping[str, str] = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".json": "SPARQL JSON",
    ".md": "Markdown",
    ".parquet": "Parquet",
}
"""What rows are written as, by the end of the file's name."""


def write_rows(table: RowTable, path: Path, *, limits: Limits = NO_LIMITS) -> Path:
    """Write rows to a file, by the end of its name.

    Raises:
        UnknownFormat: the name ends in none of `FORMS`.
        OutputNotWritable: the file cannot be written; what was there before stays.
        Cancelled, DeadlineExceeded: by the limits.
    """
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        write_rows_parquet(table, path, limits)
        return path
    form = TEXT_FORMS.get(suffix)
    if form is None:
        raise UnknownFormat("rows are not written like this", str(path), f"end the name in {', '.join(FORMS)}")
    with atomic_output(path) as stream:
        stream.write(form(table, limits).encode())
    return path
