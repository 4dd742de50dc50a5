"""A query's answer as a table for people, or in the W3C's CSV and JSON result formats."""

from __future__ import annotations

import csv
import io

from hpc_explorer.app.session import Session
from hpc_explorer.app.views import QueryTable
from hpc_explorer.cli import as_json
from hpc_explorer.cli.as_text import table
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.terms import Literal, NamedNode, Triple


def answer_text(session: Session, answer: QueryTable | bool | tuple[Triple, ...], format: str) -> str:
    """The answer in `format`: table, csv (SPARQL 1.1 CSV Results) or json (SPARQL 1.1 JSON Results).

    The triples of a CONSTRUCT or DESCRIBE are N-Triples as a table and rows as CSV; as JSON they are JSON-LD.
    """
    if isinstance(answer, bool):
        return _of_ask(answer, format)
    if isinstance(answer, QueryTable):
        return {"table": _as_table, "csv": _as_csv, "json": _as_json}[format](session, answer)
    if format == "json":
        from hpc_explorer.app.operations.exporting import triples_document

        return triples_document(session, answer)
    if format == "csv":
        rows = tuple((triple.subject, triple.predicate, triple.object) for triple in answer)
        table = QueryTable(("subject", "predicate", "object"), rows, session.store.size())  # type: ignore[arg-type]  # quoted triples print like terms
        return _as_csv(session, table)
    return "\n".join(f"{triple} ." for triple in answer)


def _of_ask(answer: bool, format: str) -> str:
    if format == "json":
        return as_json.dump({"head": {}, "boolean": answer})
    if format == "csv":
        raise UsageError("an ASK has no CSV form", "", "use --format table or json")
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
    """SPARQL 1.1 Query Results CSV Format: values without datatypes, IRIs whole, lines ended by CR LF."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(answer.columns)
    for row in answer.rows:
        writer.writerow(["" if term is None else getattr(term, "value", None) or str(term) for term in row])
    return text.getvalue().removesuffix("\r\n")


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
