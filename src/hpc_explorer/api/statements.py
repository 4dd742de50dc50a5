"""Statements in memory: the answer of a CONSTRUCT, a converted table, a described model; rdflib in and out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.api.values import Resource, Value, file_path, library, limits_of, term_of, value_of
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.namespaces import WELL_KNOWN, PrefixMap
from hpc_explorer.rdf.syntax.formats import TURTLE
from hpc_explorer.rdf.syntax.jsonld_writing import to_jsonld
from hpc_explorer.rdf.syntax.writing import format_of_output, write_quads
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term, Triple, is_resource
from hpc_explorer.wording import counted

if TYPE_CHECKING:
    import rdflib

    from hpc_explorer.api.opened import OpenGraph

_SHOWN = 20


class Statements:
    """Statements in memory, to be looked at, saved, or opened as a graph with `hx.open`.

    Iteration gives subject, predicate and value of each as Python values.

    Attributes:
        notes: what is to know about how they were made, one sentence each.

    >>> import hpc_explorer as hx
    >>> with hx.open("sample:xplacer") as g:
    ...     made = g.query("CONSTRUCT { ?m hpc:name ?name } WHERE { ?m a hpc:AIModel ; hpc:name ?name }")
    ...     len(made), sorted(value for _, _, value in made)
    (3, ['decisionTree-p100.onnx', 'decisionTree.onnx', 'randomForest.onnx'])
    """

    def __init__(
        self,
        quads: Iterable[Quad],
        prefixes: Mapping[str, str] = WELL_KNOWN,
        notes: tuple[str, ...] = (),
        *,
        graph: OpenGraph | None = None,
    ) -> None:
        self.quads = tuple(quads)
        self.notes = notes
        self._prefixes = prefixes
        self._graph = graph

    def __len__(self) -> int:
        return len(self.quads)

    def __iter__(self) -> Iterator[tuple[Resource, Resource, Value]]:
        for quad in self.quads:
            subject, predicate = (Resource._of(one, self._graph) for one in (quad.subject, quad.predicate))  # type: ignore[arg-type]  # no quoted triples
            yield subject, predicate, value_of(quad.object, self._graph)

    def to_jsonld(self) -> dict[str, Any]:
        """The statements as JSON-LD."""
        document: dict[str, Any] = json.loads(to_jsonld(self.quads, self._prefixes))
        return document

    def to_rdflib(self) -> rdflib.Dataset:
        """The statements as a dataset of rdflib, whose queries see all graphs. Literals keep their spelling."""
        return rdflib_of(self.quads, self._prefixes)

    def save(self, path: str | Path) -> Path:
        """Write the statements to a file; its name ends in .ttl, .nt, .nq, .trig, .jsonld, .rdf or .n3.

        Raises:
            UnknownFormat: the file name ends otherwise.
            OutputNotWritable: the file cannot be written; an existing file is unchanged.
        """
        write_quads(self.quads, file_path(path), format_of_output(file_path(path)), self._prefixes)
        return file_path(path)

    def __str__(self) -> str:
        text = BytesIO()
        write_quads(self.quads, text, TURTLE, self._prefixes)
        return text.getvalue().decode()

    def __repr__(self) -> str:
        short = PrefixMap(self._prefixes).short
        lines = [
            "  " + " ".join(short(term.value) if isinstance(term, NamedNode) else str(term) for term in quad.triple)
            for quad in self.quads[:_SHOWN]
        ]
        more = [f"  … and {len(self) - _SHOWN:,} more"] if len(self) > _SHOWN else []
        return "\n".join([counted(len(self), "statement"), *lines, *more, *self.notes])


def of_triples(triples: Iterable[Triple], graph: OpenGraph) -> Statements:
    """The triples of a query."""
    quads = (Quad(one.subject, one.predicate, one.object) for one in triples)
    return Statements(quads, graph._session.prefixes, graph=graph)


def rdflib_of(quads: Iterable[Quad], prefixes: Mapping[str, str]) -> rdflib.Dataset:
    """Quads as a dataset of rdflib."""
    rdflib = library("rdflib")
    found = rdflib.Dataset(default_union=True)

    def term(one: object) -> Any:
        if isinstance(one, NamedNode):
            return rdflib.URIRef(one.value)
        if isinstance(one, BlankNode):
            return rdflib.BNode(one.value)
        if isinstance(one, Literal):
            if one.language:
                return rdflib.Literal(one.value, lang=one.language)
            return rdflib.Literal(one.value, datatype=rdflib.URIRef(one.datatype.value), normalize=False)
        raise UsageError("rdflib has no quoted triples", str(one)[:80], "leave these statements out")

    for prefix, namespace in prefixes.items():
        found.bind(prefix, namespace)
    for quad in quads:
        terms = (term(quad.subject), term(quad.predicate), term(quad.object))
        if isinstance(quad.graph_name, DefaultGraph):
            found.default_graph.add(terms)
        else:
            found.add((*terms, term(quad.graph_name)))
    return found  # type: ignore[no-any-return]  # of a module imported by name


def statements_of_rdflib(graph: rdflib.Graph) -> Statements:
    """The statements of a graph or dataset of rdflib."""
    import rdflib

    if isinstance(graph, rdflib.Dataset):
        its = ((*quad[:3], quad[3]) for quad in graph.quads())
    else:
        its = ((*triple, None) for triple in graph)
    default = {None, rdflib.graph.DATASET_DEFAULT_GRAPH_ID}

    def quads() -> Iterator[Quad]:
        for subject, predicate, value, name in its:
            where = DefaultGraph() if name in default else _node(name)
            yield Quad(_node(subject), _node(predicate), term_of(value), where)  # type: ignore[arg-type]  # as rdflib has them

    return Statements(quads(), {prefix: str(namespace) for prefix, namespace in graph.namespaces() if prefix})


def _node(value: object) -> Term:
    term = term_of(value)
    if not is_resource(term):
        raise UsageError("a literal cannot be the subject, property or graph of a statement", str(term), "leave it out")
    return term


def read_table(
    path: str | Path, mapping: str | Path | None = None, *, sheet: str = "", timeout: float | None = None
) -> Statements:
    """Convert a table to statements.

    Args:
        path: a .csv, .tsv, .json, .jsonl, .parquet or .xlsx file.
        mapping: what the columns mean: a YAML or Tarql file, or a shipped mapping such as `mapping:top500`; None for
            one that is suggested from the headings and values, see `notes`.
        sheet: of a workbook; the first if empty.
        timeout: in seconds.

    Raises:
        InputError: the table or the mapping cannot be read.
        DeadlineExceeded: it took too long.

    >>> import hpc_explorer as hx, pathlib, tempfile
    >>> table = pathlib.Path(tempfile.mkdtemp(), "runs.csv")
    >>> _ = table.write_text("name,accuracy\\nfirst,0.91\\nsecond,0.87\\n")
    >>> made = hx.read_table(table)
    >>> with hx.open(made) as g:
    ...     g.query("SELECT ?n { ?s hpc:name ?n } ORDER BY ?n")["n"]
    ['first', 'second']
    """
    from hpc_explorer.app.imports.converting import (
        converted_table,
        mapping_for,
        prefixes_of,
        repeats_text,
        suggestion_for,
    )

    table, limits = file_path(path), limits_of(timeout)
    if mapping is None:
        suggestion = suggestion_for(table, sheet=sheet, limits=limits)
        rules, remarks = suggestion.mapping, tuple(" ".join(one.split()) for one in suggestion.remarks)
    else:
        found = mapping_for(str(mapping), table)
        rules, remarks = found.mapping, found.left
    quads, report = converted_table(table, rules, sheet=sheet, limits=limits)
    rejects = [
        f"Row {one.row:,}{f', column {one.column}' if one.column else ''}: {one.reason}." for one in report.rejects
    ]
    more = report.reject_count - len(rejects)
    notes = (*remarks, report.note, repeats_text(report), *rejects, f"{more:,} more were rejected." if more else "")
    return Statements(quads, {**WELL_KNOWN, **prefixes_of(rules)}, tuple(filter(None, notes)))


def describe_model(
    path: str | Path, *, iri: str | None = None, trees: bool | None = None, timeout: float | None = None
) -> Statements:
    """Describe a model by its file: an ONNX file, or a pickle or joblib file of scikit-learn. It is never run.

    Args:
        iri: the IRI of the model, in full or prefixed; None for `urn:sha256:` with the digest of the file.
        trees: whether to describe the nodes of decision trees; None for at most 2,000 of them.
        timeout: in seconds.

    Raises:
        InputError: the file cannot be read as a model.
        DeadlineExceeded: it took too long.
    """
    from hpc_explorer.app.imports.models import described_model

    model = PrefixMap(WELL_KNOWN).resolve(iri) if iri else None
    report = described_model(file_path(path), model=model, trees=trees, limits=limits_of(timeout))
    quads = (Quad(one.subject, one.predicate, one.object) for one in report.statements)
    return Statements(quads, WELL_KNOWN, report.remarks)
