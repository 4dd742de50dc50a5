"""The W3C's suites of SPARQL 1.0 and 1.1 query evaluation, asked of memory, of a store on disk, and of its columns.

Each document of a test is loaded as a source is: by this program's reader, into a graph of its address. The expected
results are read by the engine. Two answers are the same if renaming their blank nodes makes them so; numbers and dates
are compared as the engine spells their values, as `LocalStore.select` says.

The tests of entailment regimes and of federation are left out: a query is answered from what is stated, and sent
nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pyoxigraph import QueryBoolean, QueryResultsFormat, parse_query_results

from hpc_explorer.errors import ExplorerError
from hpc_explorer.rdf.namespaces import RDF, XSD, Namespace
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term, Triple
from hpc_explorer.stores.base import Row, Rows
from hpc_explorer.stores.columns.building import build_columns
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.spellings import stored_form
from tests.helpers.datasets import same
from tests.helpers.suites.manifests import MF, Manifest
from tests.helpers.suites.outcomes import Outcome, Suite, Verdict
from tests.helpers.suites.rdf_syntaxes import one_line

QT = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-query#")
RS = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/result-set#")

_LEFT_OUT = ("entailment", "service")
_RESULTS = {".srx": QueryResultsFormat.XML, ".srj": QueryResultsFormat.JSON, ".tsv": QueryResultsFormat.TSV}
_FROM = re.compile(r"\bFROM\s+(?:NAMED\s+)?<([^>]*)>", re.IGNORECASE)
_RELATIVE = re.compile(r"<(?![A-Za-z][A-Za-z0-9+.\-]*:)[^<>\"{}|^`\\\s]*>")
_GRAPH = re.compile(r"\bGRAPH\b", re.IGNORECASE)
_WHERE = re.compile(r"\bWHERE\b|(?<!CONSTRUCT )\{", re.IGNORECASE)
_FORM = re.compile(r"\b(SELECT|ASK|CONSTRUCT|DESCRIBE)\b", re.IGNORECASE)
_PROLOGUE = re.compile(r"#[^\n]*|<[^>]*>|\bPREFIX\s+\S*:", re.IGNORECASE)


@dataclass(frozen=True)
class Table:
    """The rows of a SELECT; `ordered` where the suite gives them an order."""

    variables: frozenset[str]
    rows: tuple[Row, ...]
    ordered: bool = False


Answer = bool | Table | Sequence[Triple]

Open = Callable[[Sequence[Path], Path], Iterator[Callable[[str, str], Answer]]]
"""Opens what answers, over some documents, in an empty folder; it is then asked the form of a query and its text."""


# The tests


@dataclass(frozen=True)
class EvaluationTest:
    """One test of query evaluation.

    Args:
        name: its folder and its name.
        default: the documents of its default graph.
        named: those of its named graphs.
        lax: whether a row may come once where it is expected several times (REDUCED).
    """

    name: str
    query: Path
    default: tuple[Path, ...]
    named: tuple[Path, ...]
    result: Path
    lax: bool

    def text(self) -> str:
        """The query, with its base if it needs one; if it speaks of graphs, with the dataset that the suite states."""
        text = self.query.read_text(encoding="utf-8")
        if (self.named or _GRAPH.search(text)) and not _FROM.search(text):
            clauses = "".join(f"FROM <{one.as_uri()}>\n" for one in self.default)
            clauses += "".join(f"FROM NAMED <{one.as_uri()}>\n" for one in self.named)
            place = _WHERE.search(text)
            assert place is not None, text
            text = f"{text[: place.start()]}\n{clauses}{text[place.start() :]}"
        return f"BASE <{self.query.as_uri()}>\n{text}" if _RELATIVE.search(text) else text

    def documents(self) -> tuple[Path, ...]:
        """All that are to be loaded: also those that only the query names."""
        asked = _FROM.findall(self.query.read_text(encoding="utf-8"))
        return tuple(dict.fromkeys((*self.default, *self.named, *(self.query.parent / name for name in asked))))


def evaluation_tests(file: Path) -> Iterator[EvaluationTest]:
    """The tests of query evaluation that a manifest lists, and those that it includes."""
    manifest = Manifest(file)
    for included in manifest.included():
        if included.parent.name not in _LEFT_OUT:
            yield from evaluation_tests(included)
    for test in manifest.tests():
        action, result = manifest.value(test, MF.action), manifest.value(test, MF.result)
        if MF.QueryEvaluationTest not in manifest.values(test, RDF.type) or action is None or result is None:
            continue
        query = manifest.path(next(iter(manifest.values(action, QT.term("query")))))
        yield EvaluationTest(
            f"{file.parent.name}/{test.value.partition('#')[2]}",
            query,
            tuple(manifest.path(document) for document in manifest.values(action, QT.data)),
            tuple(manifest.path(document) for document in manifest.values(action, QT.graphData)),
            manifest.path(result),
            manifest.value(test, MF.resultCardinality) == MF.LaxCardinality,
        )


def _outcomes(manifest: str, opened: Open, folder: Path, made: Path) -> Iterator[Outcome]:
    by_documents: dict[tuple[Path, ...], list[EvaluationTest]] = {}
    for test in evaluation_tests(folder / manifest):
        by_documents.setdefault(test.documents(), []).append(test)
    for number, (documents, tests) in enumerate(by_documents.items()):
        place = made / str(number)
        place.mkdir()
        with contextmanager(opened)(documents, place) as ask:
            for test in tests:
                yield _outcome(test, ask)


def _outcome(test: EvaluationTest, ask: Callable[[str, str], Answer]) -> Outcome:
    text = test.text()
    form = _FORM.search(_PROLOGUE.sub("", text))
    assert form is not None
    try:
        seen = _difference(ask(form[1].upper(), text), expected(test.result), test.lax)
    except NotByColumns as refusal:
        return Outcome(test.name, Verdict.REFUSED, str(refusal))
    except ExplorerError as error:
        seen = f"refused: {error}"
    return Outcome(test.name, Verdict.FAILED, one_line(seen)) if seen else Outcome(test.name)


# What answers


def _filled(store: LocalStore, documents: Sequence[Path]) -> LocalStore:
    graphs = set()
    for document in documents:
        if document.stat().st_size == 0:
            continue  # a graph without statements is no graph of a source
        graphs |= load_content(store, read_source(document), NamedNode(document.as_uri()))
    store.settle(graphs)
    return store


def _ask_store(store: LocalStore, form: str, query: str) -> Answer:
    if form == "SELECT":
        return _table(store.select(query))
    return store.ask(query) if form == "ASK" else list(store.construct(query))


def _table(rows: Rows) -> Table:
    return Table(frozenset(rows.variables), tuple(rows))


def _in_memory(documents: Sequence[Path], folder: Path) -> Iterator[Callable[[str, str], Answer]]:
    with closing(_filled(LocalStore.in_memory(), documents)) as store:
        yield partial(_ask_store, store)


def _on_disk(documents: Sequence[Path], folder: Path) -> Iterator[Callable[[str, str], Answer]]:
    with closing(_filled(LocalStore.on_disk(folder / "store"), documents)) as store:
        yield partial(_ask_store, store)


def _by_columns(documents: Sequence[Path], folder: Path) -> Iterator[Callable[[str, str], Answer]]:
    with closing(_filled(LocalStore.in_memory(), documents)) as store:
        build_columns(store, folder / "columns.db")
    with closing(Columns(folder / "columns.db")) as columns:

        def ask(form: str, query: str) -> Answer:
            if form != "SELECT":
                raise NotByColumns("not a SELECT query")
            return _table(columns.select(query))

        yield ask


# What is expected


def expected(file: Path) -> Answer:
    """The answer that a file of results holds."""
    if file.suffix in _RESULTS:
        found = parse_query_results(file.read_bytes(), _RESULTS[file.suffix])
        if isinstance(found, QueryBoolean):
            return bool(found)
        names = [variable.value for variable in found.variables]
        rows = [{name: term for name, term in zip(names, row, strict=True) if term is not None} for row in found]
        return Table(frozenset(names), tuple(rows))
    facts: dict[tuple[Term, NamedNode], list[Term]] = {}
    triples = [quad.triple for quad in read_source(file).quads()]
    for triple in triples:
        facts.setdefault((triple.subject, triple.predicate), []).append(triple.object)  # type: ignore[arg-type]
    sets = [triple.subject for triple in triples if triple.predicate == RDF.type and triple.object == RS.ResultSet]
    if not sets:
        return triples
    (head,) = sets
    if truth := facts.get((head, RS.boolean)):
        return truth == [Literal("true", datatype=XSD.boolean)]
    solutions = facts.get((head, RS.solution), [])
    ordered = any((solution, RS.term("index")) in facts for solution in solutions)
    if ordered:
        solutions.sort(key=lambda solution: int(facts[solution, RS.term("index")][0].value))
    rows = [
        {
            facts[binding, RS.variable][0].value: facts[binding, RS.value][0]
            for binding in facts.get((one, RS.binding), [])
        }
        for one in solutions
    ]
    return Table(frozenset(name.value for name in facts.get((head, RS.resultVariable), [])), tuple(rows), ordered)


def _difference(answer: Answer, wanted: Answer, lax: bool) -> str:
    if isinstance(answer, Table) and isinstance(wanted, Table):
        if answer.variables != wanted.variables:
            return f"columns {sorted(answer.variables)} instead of {sorted(wanted.variables)}"
        quads = [_as_quads(table, wanted.ordered, lax) for table in (answer, wanted)]
    elif isinstance(answer, (bool, Table)) or isinstance(wanted, (bool, Table)):
        return "" if answer is wanted else f"{answer} instead of {wanted}"
    else:
        quads = [[Quad(*_stored(triple)) for triple in triples] for triples in (answer, wanted)]
    if same(*quads):
        return ""
    found, missed = (_told(one) for one in (answer, wanted))
    more, less = [one for one in found if one not in missed][:3], [one for one in missed if one not in found][:3]
    return f"{len(found)} rows instead of {len(missed)}; {more} instead of {less}"


def _told(answer: Answer) -> list[str]:
    if isinstance(answer, Table):
        return [" ".join(f"?{name}={term}" for name, term in sorted(row.items())) for row in answer.rows]
    return [] if isinstance(answer, bool) else [str(triple) for triple in answer]


def _as_quads(table: Table, ordered: bool, lax: bool) -> list[Quad]:
    """Rows as a graph, which is the same up to blank nodes if the rows are."""
    quads = []
    seen: list[Row] = []
    for number, row in enumerate(table.rows):
        if lax and row in seen:
            continue
        seen.append(row)
        node = BlankNode(f"row{number}")
        place = Literal(str(number) if ordered else "")
        quads.append(Quad(node, RS.term("index"), place, DefaultGraph()))
        quads += [Quad(node, NamedNode(f"{RS}{name}"), _stored_term(term)) for name, term in row.items()]
    return quads


def _stored(triple: Triple) -> tuple[Term, NamedNode, Term]:
    return triple.subject, triple.predicate, _stored_term(triple.object)  # type: ignore[return-value]


def _stored_term(term: Term | Triple) -> Term | Triple:
    return stored_form(term) if isinstance(term, Literal) else term


_VERSIONS = {"1.0": "sparql10/manifest-evaluation.ttl", "1.1": "sparql11/manifest-all.ttl"}
_ANSWERING: dict[str, Open] = {"memory": _in_memory, "workspace": _on_disk, "columns": _by_columns}

SPARQL_SUITES: tuple[Suite, ...] = tuple(
    Suite(
        f"SPARQL {version} query evaluation, {place}",
        "sparql",
        partial(_outcomes, manifest, opened),
        f"https://w3c.github.io/rdf-tests/sparql/{manifest.partition('/')[0]}/",
    )
    for version, manifest in _VERSIONS.items()
    for place, opened in _ANSWERING.items()
)
