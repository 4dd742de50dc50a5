"""Print or write query results as a table, in the W3C's CSV, TSV and JSON formats, or as Parquet."""

from __future__ import annotations

from pathlib import Path

from hpc_explorer.app.query.streaming import TRIPLE_COLUMNS
from hpc_explorer.app.results.row_files import RowTable, rows_csv, rows_tsv, write_rows_parquet
from hpc_explorer.app.views import QueryTable
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.cli import as_json
from hpc_explorer.cli.as_text import table
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.terms import Literal, NamedNode, Term, Triple
from hpc_explorer.stores.base import Limits


def print_answer(
    session: Session, answer: QueryTable | bool | tuple[Triple, ...], format: str, output: Path | None, limits: Limits
) -> None:
    """Print a query result or write it to a file.

    Args:
        format: a format of `answer_text`, or parquet.

    Raises:
        UsageError: Parquet without a file, or the format does not apply to the result.
        OutputNotWritable: the file cannot be written.
    """
    if format == "parquet":
        if output is None:
            raise UsageError("Parquet is a binary format", "", "name a file with -o")
        _write_parquet(answer, output, limits)
        return
    text = answer_text(session, answer, format)
    if output is None:
        print(text)
        return
    with atomic_output(output) as stream:
        stream.write(f"{text}\n".encode())


def answer_text(session: Session, answer: QueryTable | bool | tuple[Triple, ...], format: str) -> str:
    """Encode a result as table, csv, tsv (SPARQL 1.1 CSV and TSV Results) or json (SPARQL 1.1 JSON Results).

    Triples of CONSTRUCT and DESCRIBE become N-Triples as a table, rows in CSV and TSV, and JSON-LD as JSON.
    """
    if isinstance(answer, bool):
        return _of_ask(answer, format)
    if isinstance(answer, QueryTable):
        return {"table": _as_table, "csv": _as_csv, "tsv": _as_tsv, "json": _as_json}[format](session, answer)
    if format == "json":
        from hpc_explorer.app.export.exporting import triples_document

        return triples_document(session, answer)
    if format in ("csv", "tsv"):
        table = RowTable(TRIPLE_COLUMNS, _triple_rows(answer))
        return (rows_csv if format == "csv" else rows_tsv)(table).rstrip("\r\n")
    return "\n".join(f"{triple} ." for triple in answer)


def _of_ask(answer: bool, format: str) -> str:
    if format == "json":
        return as_json.dump({"head": {}, "boolean": answer})
    if format in ("csv", "tsv"):
        raise UsageError(f"an ASK has no {format.upper()} form", "", "use --format table or json")
    return "yes" if answer else "no"


def _as_table(session: Session, answer: QueryTable) -> str:
    def cell(term: object) -> str:
        if term is None:
            return ""
        if isinstance(term, Literal):
            return " ".join(literal_text(term).split())
        if isinstance(term, NamedNode):
            return session.prefixes.short(term.value)
        return str(term)

    rows = [[cell(term) for term in row] for row in answer.rows]
    head = list(answer.columns)
    widths = [max([len(name), *(len(row[column]) for row in rows)]) for column, name in enumerate(head)]
    lines = table([head, ["─" * width for width in widths], *rows])
    number = answer.total.value
    return "\n".join([*lines, "", f"{answer.total} row{'s' * (number != 1)}"])


def _as_csv(session: Session, answer: QueryTable) -> str:
    return rows_csv(RowTable(answer.columns, answer.rows)).removesuffix("\r\n")


def _as_tsv(session: Session, answer: QueryTable) -> str:
    return rows_tsv(RowTable(answer.columns, answer.rows)).removesuffix("\n")


def _triple_rows(triples: tuple[Triple, ...]) -> list[tuple[Term | None, ...]]:
    return [(triple.subject, triple.predicate, triple.object) for triple in triples]  # type: ignore[misc]  # quoted triples print like terms


def _write_parquet(answer: QueryTable | bool | tuple[Triple, ...], path: Path, limits: Limits) -> None:
    """Write the rows of a result; triples become rows of three columns."""
    if isinstance(answer, bool):
        raise UsageError("an ASK has no Parquet form", "", "use --format table or json")
    if isinstance(answer, QueryTable):
        table = RowTable(answer.columns, answer.rows)
    else:
        table = RowTable(TRIPLE_COLUMNS, _triple_rows(answer))
    write_rows_parquet(table, path, limits)


def _as_json(session: Session, answer: QueryTable) -> str:
    return as_json.dump(
        {
            "head": {"vars": list(answer.columns)},
            "results": {
                "bindings": [
                    {
                        name: as_json.term(term)
                        for name, term in zip(answer.columns, row, strict=True)
                        if term is not None
                    }
                    for row in answer.rows
                ]
            },
        }
    )
