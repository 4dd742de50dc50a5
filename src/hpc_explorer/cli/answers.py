"""Print or write query results as a table, in the W3C's CSV, TSV and JSON formats, or as Parquet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from hpc_explorer.app.query.streaming import TRIPLE_COLUMNS, names_of
from hpc_explorer.app.results.table_files import table_csv, table_tsv, write_table_parquet
from hpc_explorer.app.results.text_tables import ruled_table
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.cli import as_json
from hpc_explorer.errors import UsageError
from hpc_explorer.query.table import Table, TermTable, columns_of
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Term, Triple, is_resource
from hpc_explorer.stores.base import Limits


def print_named(session: Session, answer: TermTable, limits: Limits) -> None:
    """Print the rows of a question in English as a table in which resources have their labels.

    Resources that share a label have their IRI beside it.
    """
    resources = {term for row in answer.rows for term in row if is_resource(term)}
    refs = {
        resource: ref for part in names_of(session, resources, limits=limits) for resource, ref in part.refs.items()
    }
    often = Counter(ref.label for ref in refs.values())
    labels: dict[Resource, str] = {}
    for resource, ref in refs.items():
        short = _short(session, resource)
        labels[resource] = ref.label if often[ref.label] == 1 or ref.label == short else f"{ref.label} ({short})"
    print(_as_table(session, answer, labels))


def print_answer(
    session: Session, answer: TermTable | bool | tuple[Triple, ...], format: str, output: Path | None, limits: Limits
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
        if isinstance(answer, bool):
            raise UsageError("an ASK has no Parquet form", "", "use --format table or json")
        write_table_parquet(_rows_of(answer), output, limits=limits)
        return
    text = answer_text(session, answer, format)
    if output is None:
        print(text)
        return
    with atomic_output(output) as stream:
        stream.write(f"{text}\n".encode())


def answer_text(session: Session, answer: TermTable | bool | tuple[Triple, ...], format: str) -> str:
    """Encode a result as table, csv, tsv (SPARQL 1.1 CSV and TSV Results) or json (SPARQL 1.1 JSON Results).

    Triples of CONSTRUCT and DESCRIBE become N-Triples as a table, rows in CSV and TSV, and JSON-LD as JSON.
    """
    if isinstance(answer, bool):
        return _of_ask(answer, format)
    if format == "csv":
        return table_csv(_rows_of(answer)).removesuffix("\r\n")
    if format == "tsv":
        return table_tsv(_rows_of(answer)).removesuffix("\n")
    if isinstance(answer, Table):
        return _as_json(answer) if format == "json" else _as_table(session, answer)
    if format == "json":
        from hpc_explorer.app.export.exporting import triples_document

        return triples_document(session, answer)
    return "\n".join(f"{triple} ." for triple in answer)


def _of_ask(answer: bool, format: str) -> str:
    if format == "json":
        return as_json.dump({"head": {}, "boolean": answer})
    if format in ("csv", "tsv"):
        raise UsageError(f"an ASK has no {format.upper()} form", "", "use --format table or json")
    return "yes" if answer else "no"


def _short(session: Session, resource: Resource) -> str:
    return session.prefixes.short(resource.value) if isinstance(resource, NamedNode) else str(resource)


def _as_table(session: Session, answer: TermTable, labels: Mapping[Resource, str] = MappingProxyType({})) -> str:
    def cell(term: Term | None) -> str:
        if term is None:
            return ""
        if isinstance(term, Literal):
            return " ".join(literal_text(term).split())
        if is_resource(term):
            return labels.get(term) or _short(session, term)
        return str(term)

    rows = [[cell(term) for term in row] for row in answer.rows]
    number = answer.total.value
    return "\n".join([*ruled_table(answer.names, rows), "", f"{answer.total} row{'s' * (number != 1)}"])


def _rows_of(answer: TermTable | tuple[Triple, ...]) -> TermTable:
    """The rows of an answer; the triples of a CONSTRUCT or DESCRIBE are rows of three columns."""
    if isinstance(answer, Table):
        return answer
    rows = [(triple.subject, triple.predicate, triple.object) for triple in answer]
    return Table(columns_of(TRIPLE_COLUMNS), rows)  # type: ignore[arg-type]  # quoted triples print like terms


def _as_json(answer: TermTable) -> str:
    names = answer.names
    bindings = [
        {name: as_json.term(term) for name, term in zip(names, row, strict=True) if term is not None}
        for row in answer.rows
    ]
    return as_json.dump({"head": {"vars": names}, "results": {"bindings": bindings}})
