"""Triples behind a SPARQL 1.1 endpoint, asked over HTTP; the work is done there.

What differs from a store on this machine:

- A blank node of an answer has no name that a later query could ask for (SPARQL 1.1 Query, section 4.1.4).
  What hangs on the blank nodes of an answer is therefore fetched along with them, a few steps deep
  (`endpoint_patterns`); what lies beyond, and every blank node of a walk through the whole store, is a leaf.
- Literals come as the endpoint spells them, and free queries are answered over the endpoint's own default graph.
- The data may change at any time, and an answer may be cut by a limit of the endpoint (`AnswerLimited`).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from pyoxigraph import (
    QueryResultsFormat,
    QuerySolutions,
    RdfFormat,
    parse,
    parse_query_results,
)
from pyoxigraph import Store as Engine

from hpc_explorer.errors import (
    AnswerDamaged,
    AnswerLimited,
    DeadlineExceeded,
    EndpointRefused,
    ExplorerError,
    NotAnEndpoint,
    QuerySyntaxError,
    ServerError,
    Unsupported,
)
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, NamedNode, Quad, Resource, Term, Triple
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Capabilities, Count, Limits, Row
from hpc_explorer.stores.credentials import Credentials, split_credentials
from hpc_explorer.stores.endpoint_patterns import DatasetLayout, above, anywhere, beneath, in_graph, one_of, values
from hpc_explorer.stores.http import DEFAULT_PATIENCE, HttpClient, Patience
from hpc_explorer.stores.http_errors import limits_check
from hpc_explorer.stores.http_messages import HttpAnswer, HttpRequest
from hpc_explorer.stores.local import query_syntax_error

# A query up to this many characters goes into the address (GET, which caches may keep); a longer one is posted.
_LONGEST_GET = 2_000

# How many terms one request asks about.
_BATCH = 200

# Beyond so many predicates, the endpoint filters instead of looking each up.
_FEW_PREDICATES = 4

# Counting everything may be the slowest question of all: after so many seconds the size is unknown.
_SIZE_SECONDS = 20.0

# The statements around blank nodes that are kept for later questions, the newest of them.
_MOST_BLANK_NODES = 100_000

# How many triples are looked at to learn how the endpoint's default graph goes with its named ones.
_SAMPLE = 100

# Of more graphs than this no union is asked for: the request would name each of them twice.
_MOST_GRAPHS = 100

_FROM = re.compile(r"\bFROM\s+(?:NAMED\s+)?\S+", re.IGNORECASE)

_Fields = tuple[tuple[str, str], ...]

_ROWS_ACCEPT = (
    "application/sparql-results+json, application/sparql-results+xml;q=0.8, application/n-triples;q=0.1, */*;q=0.01"
)
_TRIPLES_ACCEPT = "application/n-triples, text/turtle;q=0.9, application/sparql-results+json;q=0.1, */*;q=0.01"
_ROWS_FORMATS = {
    "application/sparql-results+json": QueryResultsFormat.JSON,
    "application/json": QueryResultsFormat.JSON,
    "application/sparql-results+xml": QueryResultsFormat.XML,
}
_TRIPLES_FORMATS = {
    "application/n-triples": RdfFormat.N_TRIPLES,
    "text/turtle": RdfFormat.TURTLE,
    "application/rdf+xml": RdfFormat.RDF_XML,
}

# What the engine's readers raise at a damaged text, and what the stream they read from raises.
_READING_ERRORS = (SyntaxError, ValueError, OSError, RuntimeError, ExplorerError)


class _Answer:
    """The body of an answer as a stream for the engine's readers, whose failures keep their own names.

    Attributes:
        address: where it comes from.
        row_limit: the most rows that the endpoint gives, where it says so (Virtuoso).
    """

    def __init__(self, answer: HttpAnswer, address: str) -> None:
        self._answer = answer
        self.address = address
        self._failure: BaseException | None = None
        self._made: Any = None
        self.media_type = answer.media_type
        limit = answer.headers.get("x-sparql-maxrows", "")
        self.row_limit = int(limit) if limit.isdigit() else None

    def readable(self) -> bool:
        """It is, as streams go."""
        return True

    def read(self, size: int = -1) -> bytes:
        """The next bytes; a failure is kept, for the engine would raise it under another name."""
        try:
            return self._answer.read(size)
        except BaseException as error:
            self._failure = error
            raise

    def read_by(self, reader: Callable[[_Answer], object]) -> None:
        """Let one of the engine's readers read this stream; what it makes stays here until the answer is closed.

        The engine's objects belong to the thread that made them. Kept in one place, and let go there, they are never
        left to the garbage collector, which may run in another.
        """
        try:
            self._made = reader(self)
        except _READING_ERRORS as error:
            raise self._named(error) from None

    def head(self) -> tuple[str, ...] | bool:
        """The variables of a SELECT's answer, or the truth that an ASK has."""
        if isinstance(self._made, QuerySolutions):
            return tuple(variable.value for variable in self._made.variables)
        return bool(self._made)

    def items(self) -> Iterator[Any]:
        """The items of what the reader made, which are parsed as they are asked for."""
        while self._made is not None:
            try:
                item = next(self._made)
            except StopIteration:
                return
            except _READING_ERRORS as error:
                raise self._named(error) from None
            yield item

    def _named(self, error: Exception) -> BaseException:
        failure, self._failure = self._failure, None
        if failure is not None:
            return failure
        return AnswerDamaged("the answer is cut off or damaged", self.address, "try again")

    def close(self) -> None:
        """Let the connection go, and what reads from it."""
        self._made = None
        self._answer.close()


class _OwnBlankNodes:
    """Gives the blank nodes of one answer names that no other answer uses."""

    def __init__(self) -> None:
        self._names: dict[str, BlankNode] = {}

    def of(self, term: Term | Triple) -> Term | Triple:
        """The term itself, or the blank node's own name."""
        if not isinstance(term, BlankNode):
            return term
        return self._names.setdefault(term.value, BlankNode())


class RemoteRows:
    """The solutions of a SELECT at an endpoint, read off the connection as they are iterated.

    Attributes:
        limited: after the last row: whether the endpoint cut the answer off there.
    """

    def __init__(self, variables: tuple[str, ...], answer: _Answer, limits: Limits) -> None:
        self.variables = variables
        self.limited = False
        self._answer = answer
        self._limits = limits

    def __iter__(self) -> Iterator[Row]:
        own = _OwnBlankNodes()
        number = 0
        try:
            for solution in self._answer.items():
                number += 1
                limits_check(self._limits, self._answer.address)
                row: dict[str, Term | Triple] = {}
                for name, term in zip(self.variables, solution, strict=True):
                    if term is not None:
                        row[name] = own.of(term)
                yield row
            self.limited = self._answer.row_limit is not None and number >= self._answer.row_limit
        finally:
            self._answer.close()


class RemoteStore:
    """A store behind a SPARQL 1.1 endpoint.

    Args:
        address: where it takes queries. A `user:password@` in it becomes the credentials.
        update_address: where it takes updates; None for one that is only read.
        credentials: whom it lets in; sent to this server only, and never shown or logged.
        patience: how long to wait where a call's limits say nothing.
    """

    def __init__(
        self,
        address: str,
        *,
        update_address: str | None = None,
        credentials: Credentials | None = None,
        patience: Patience = DEFAULT_PATIENCE,
    ) -> None:
        self.address, told = split_credentials(address)
        self._update_address = update_address
        self._http = HttpClient(self.address, credentials=credentials or told, patience=patience)
        self._lock = threading.Lock()
        self._layout: DatasetLayout | None = None
        self._named: tuple[NamedNode, ...] | None = None
        self._size: Count | None = None
        self._around: dict[BlankNode, dict[Quad, None]] = {}

    @property
    def capabilities(self) -> Capabilities:
        """An endpoint is asked, and what it is asked can be abandoned; its blank nodes last one answer."""
        return Capabilities(
            writable=self._update_address is not None,
            cancellable_queries=True,
            remote=True,
            lasting_blank_nodes=False,
        )

    def close(self) -> None:
        """Close the connections; the endpoint stays as it is."""
        self._http.close()

    # Reading

    def size(self) -> Count:
        """How many quads there are, as the endpoint counts them: asked once; unknown if it takes too long."""
        if self._size is None:
            query = f"SELECT (COUNT(*) AS ?n) WHERE {{ {anywhere(self.layout(), '?s', '?p', '?o', '?g')} }}"
            try:
                (row,) = self._plain(query, Limits.seconds(_SIZE_SECONDS))
                self._size = Count(int(row["n"].value))  # type: ignore[union-attr]  # COUNT gives a literal
            except (ServerError, DeadlineExceeded):
                self._size = UNKNOWN_COUNT
        return self._size

    def graphs(self) -> tuple[GraphName, ...]:
        """The graphs that hold at least one triple, the default graph among them where it has triples of its own."""
        layout = self.layout()
        found: list[GraphName] = []
        if layout.default_is_own:
            found.append(DefaultGraph())
        if layout.has_named:
            for row in self._plain("SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }", NO_LIMITS):
                graph = row["g"]
                if isinstance(graph, NamedNode):
                    found.append(graph)
        return tuple(found)

    def layout(self, *, limits: Limits = NO_LIMITS) -> DatasetLayout:
        """How the endpoint's default graph goes with its named graphs, learnt from a few of its triples."""
        if self._layout is None:
            named = "SELECT ?s ?p ?o ?g WHERE { GRAPH ?g { ?s ?p ?o } } LIMIT"
            has_named = any(True for _ in self._plain(f"{named} 1", limits))
            if not has_named:
                own, union = self._holds("?s ?p ?o", limits), False
            else:
                union = self._holds(f"{{ {named} 1 }} ?s ?p ?o", limits)
                own = self._holds(
                    f"{{ SELECT ?s ?p ?o WHERE {{ ?s ?p ?o }} LIMIT {_SAMPLE} }} "
                    "FILTER NOT EXISTS { GRAPH ?h { ?s ?p ?o } }",
                    limits,
                )
            self._layout = DatasetLayout(has_named, default_is_union=union, default_is_own=own)
        return self._layout

    def match(
        self,
        subject: Resource | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: GraphName | None = None,
        *,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The quads that fit. Of a blank node only that is known which came with the answer that named it."""
        if isinstance(subject, BlankNode) or isinstance(object, BlankNode):
            for quad in self._known_around(subject, object):
                if (
                    subject in (None, quad.subject)
                    and predicate in (None, quad.predicate)
                    and object in (None, quad.object)
                    and graph in (None, quad.graph_name)
                ):
                    yield quad
            return
        if graph is None and subject is not None and object is None:
            yield from self._described([subject], _only(predicate), limits)
            return
        if graph is None and object is not None and subject is None:
            yield from self._linking([object], _only(predicate), limits)
            return
        pattern = (_text(subject, "?s"), _text(predicate, "?p"), _text(object, "?o"))
        where = anywhere(self.layout(limits=limits), *pattern, "?g")
        if graph is not None:
            where = in_graph(self.layout(limits=limits), *pattern, graph)
        known: dict[str, Term | GraphName] = {}
        for name, term in (("s", subject), ("p", predicate), ("o", object), ("g", graph)):
            if term is not None:
                known[name] = term
        yield from self._quads(where, known, limits)

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The quads whose terms are among those given: a request for every few hundred of them."""
        if (subjects is None) == (objects is None):
            raise ValueError("give either subjects or objects")
        wanted = None if predicates is None else frozenset(predicates)
        if wanted is not None and not wanted:
            return
        terms: Collection[Term] = subjects if subjects is not None else objects or ()
        for term in terms:
            if isinstance(term, BlankNode):
                for quad in self._known_around(term):
                    end = quad.subject if subjects is not None else quad.object
                    if end == term and (wanted is None or quad.predicate in wanted):
                        yield quad
        rest = (term for term in dict.fromkeys(terms) if not isinstance(term, BlankNode))
        while batch := list(islice(rest, _BATCH)):
            if subjects is not None:
                yield from self._described(batch, wanted, limits)
            else:
                yield from self._linking(batch, wanted, limits)

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> RemoteRows:
        """The solutions of a SELECT query, over the endpoint's default graph; if that is empty, over its graphs."""
        return self._plain(query, limits, self._dataset(query, limits))

    def ask(self, query: str, *, limits: Limits = NO_LIMITS) -> bool:
        """The answer of an ASK query."""
        return self._yes(query, limits, self._dataset(query, limits))

    def construct(self, query: str, *, limits: Limits = NO_LIMITS) -> Iterator[Triple]:
        """The triples of a CONSTRUCT or DESCRIBE query."""
        answer = self._send(query, _TRIPLES_ACCEPT, limits, self._dataset(query, limits))
        format = _TRIPLES_FORMATS.get(answer.media_type)
        if format is None:
            answer.close()
            if answer.media_type in _ROWS_FORMATS:
                raise QuerySyntaxError("not a CONSTRUCT or DESCRIBE query", "", "begin it with CONSTRUCT or DESCRIBE")
            raise _wrong_type(answer.media_type, self.address)
        return self._triples(answer, format, limits)

    def _triples(self, answer: _Answer, format: RdfFormat, limits: Limits) -> Iterator[Triple]:
        try:
            answer.read_by(
                lambda stream: parse(stream, format=format, base_iri=self.address, rename_blank_nodes=True)  # type: ignore[arg-type]  # a stream
            )
            for quad in answer.items():
                limits_check(limits, self.address)
                yield quad.triple
        finally:
            answer.close()

    # Writing

    def update(self, text: str, *, limits: Limits = NO_LIMITS) -> None:
        """Carry out a SPARQL 1.1 Update at the endpoint. It is sent once and never again.

        Raises:
            QuerySyntaxError: the text is no SPARQL 1.1 Update.
            Unsupported: the endpoint is only read.
        """
        if self._update_address is None:
            raise Unsupported("this endpoint is opened for reading only", self.address, "")
        request = HttpRequest(
            "POST", self._update_address, "*/*", text.encode(), "application/sparql-update; charset=utf-8", safe=False
        )
        try:
            self._http.open(request, limits).close()
        except EndpointRefused:
            _look_for_syntax_error(lambda engine: engine.update(text), text)
            raise
        finally:
            with self._lock:
                self._layout = self._named = self._size = None

    # Requests

    def answers_queries(self, *, limits: Limits = NO_LIMITS) -> bool:
        """Whether the smallest of all queries is answered as the SPARQL 1.1 Protocol says.

        Raises:
            ServerError: something else answers, or nothing.
        """
        return self._yes("ASK {}", limits)

    def _plain(self, query: str, limits: Limits, dataset: _Fields = ()) -> RemoteRows:
        answer, found = self._rows(query, limits, dataset)
        if isinstance(found, bool):
            answer.close()
            raise QuerySyntaxError("not a SELECT query", "", "begin it with SELECT")
        return RemoteRows(found, answer, limits)

    def _yes(self, query: str, limits: Limits, dataset: _Fields = ()) -> bool:
        answer, found = self._rows(query, limits, dataset)
        answer.close()
        if not isinstance(found, bool):
            raise QuerySyntaxError("not an ASK query", "", "begin it with ASK")
        return found

    def _holds(self, where: str, limits: Limits) -> bool:
        return self._yes(f"ASK {{ {where} }}", limits)

    def _dataset(self, query: str, limits: Limits) -> _Fields:
        """The fields that make the default graph the union of the named ones, where it is empty otherwise.

        SPARQL 1.1 Protocol, section 2.1.4. A query that says itself where it reads from is left alone.
        """
        layout = self.layout(limits=limits)
        if not layout.has_named or layout.default_is_union or layout.default_is_own or _FROM.search(query):
            return ()
        if self._named is None:
            self._named = tuple(graph for graph in self.graphs() if isinstance(graph, NamedNode))
        graphs = [graph.value for graph in self._named]
        if len(graphs) > _MOST_GRAPHS:
            return ()
        return tuple((name, graph) for name in ("default-graph-uri", "named-graph-uri") for graph in graphs)

    def _send(self, query: str, accept: str, limits: Limits, dataset: _Fields) -> _Answer:
        fields = urlencode((("query", query), *dataset))
        separator = "&" if "?" in self.address else "?"
        if len(fields) <= _LONGEST_GET:
            request = HttpRequest("GET", f"{self.address}{separator}{fields}", accept)
        else:
            request = HttpRequest(
                "POST", self.address, accept, fields.encode("ascii"), "application/x-www-form-urlencoded"
            )
        try:
            return _Answer(self._http.open(request, limits), self.address)
        except EndpointRefused:
            _look_for_syntax_error(lambda engine: engine.query(query), query)
            raise

    def _rows(self, query: str, limits: Limits, dataset: _Fields) -> tuple[_Answer, tuple[str, ...] | bool]:
        """The answer of a SELECT with its variables, or that of an ASK with its truth."""
        answer = self._send(query, _ROWS_ACCEPT, limits, dataset)
        try:
            format = _ROWS_FORMATS.get(answer.media_type)
            if format is None:
                if answer.media_type in _TRIPLES_FORMATS:
                    raise QuerySyntaxError("a query for triples, not for rows", "", "begin it with SELECT or ASK")
                raise _wrong_type(answer.media_type, self.address)
            answer.read_by(lambda stream: parse_query_results(stream, format=format))  # type: ignore[arg-type]  # a stream
            return answer, answer.head()
        except BaseException:
            answer.close()
            raise

    def _quads(self, where: str, known: dict[str, Term | GraphName], limits: Limits) -> Iterator[Quad]:
        """The quads that a pattern over ?s ?p ?o ?g gives; `known` holds those that are no variables in it."""
        wanted = [name for name in ("s", "p", "o", "g") if name not in known]
        head = " ".join(f"?{name}" for name in wanted) or "*"
        if not wanted:
            if self._holds(where, limits):
                yield Quad(known["s"], known["p"], known["o"], known["g"])  # type: ignore[arg-type]  # by their names
            return
        rows = self._plain(f"SELECT {head} WHERE {{ {where} }}", limits)
        for row in rows:
            terms = {**known, **row}
            yield Quad(terms["s"], terms["p"], terms["o"], terms.get("g", DefaultGraph()))  # type: ignore[arg-type]  # by their names
        if rows.limited:
            raise AnswerLimited("the endpoint cuts its answers off", self.address, "ask for less at once")

    # Blank nodes: what hangs on them comes with the answer that names them

    def _described(
        self, subjects: Collection[Term], predicates: Collection[NamedNode] | None, limits: Limits
    ) -> Iterator[Quad]:
        """The quads of these subjects; then, if a value is a blank node, those values with all that hangs on them."""
        layout = self.layout(limits=limits)
        start = values("?s", subjects)
        where = f"{start} {anywhere(layout, '?s', '?p', '?o', '?g')} {one_of('?p', predicates)}"
        has_blank = False
        for quad in self._quads(where, {}, limits):
            if isinstance(quad.object, BlankNode):
                has_blank = True
            else:
                yield quad
        if has_blank:
            found = self._quads(beneath(layout, subjects, predicates), {}, limits)
            yield from self._remembered(found, lambda quad: isinstance(quad.subject, NamedNode))

    def _linking(
        self, objects: Collection[Term], predicates: Collection[NamedNode] | None, limits: Limits
    ) -> Iterator[Quad]:
        """The quads with these objects; then, if a subject is a blank node, those with all that is around them."""
        layout = self.layout(limits=limits)
        start = values("?o", objects)
        where = f"{start} {anywhere(layout, '?s', '?p', '?o', '?g')} {one_of('?p', predicates)}"
        if predicates is not None and len(predicates) <= _FEW_PREDICATES:
            where = f"{start} {values('?p', predicates)} {anywhere(layout, '?s', '?p', '?o', '?g')}"
        has_blank = False
        for quad in self._quads(where, {}, limits):
            if isinstance(quad.subject, BlankNode):
                has_blank = True
            else:
                yield quad
        if has_blank:
            wanted = frozenset(objects)
            allowed = None if predicates is None else frozenset(predicates)
            found = self._quads(above(layout, objects, predicates), {}, limits)
            yield from self._remembered(
                found,
                lambda quad: (
                    isinstance(quad.subject, BlankNode)
                    and quad.object in wanted
                    and (allowed is None or quad.predicate in allowed)
                ),
            )

    def _remembered(self, quads: Iterator[Quad], asked_for: Callable[[Quad], bool]) -> Iterator[Quad]:
        """Those quads that were asked for, after all of them were noted at their blank nodes."""
        noted = list(dict.fromkeys(quads))
        with self._lock:
            for quad in noted:
                for end in (quad.subject, quad.object):
                    if isinstance(end, BlankNode):
                        self._around.setdefault(end, {})[quad] = None
            while len(self._around) > _MOST_BLANK_NODES:
                del self._around[next(iter(self._around))]
        return (quad for quad in noted if asked_for(quad))

    def _known_around(self, *terms: object) -> tuple[Quad, ...]:
        with self._lock:
            around = (self._around.get(term, {}) for term in terms if isinstance(term, BlankNode))
            return tuple({quad: None for quads in around for quad in quads})


def _only(predicate: NamedNode | None) -> Collection[NamedNode] | None:
    return None if predicate is None else (predicate,)


def _text(term: Term | None, variable: str) -> str:
    return variable if term is None else str(term)


def _wrong_type(media_type: str, address: str) -> NotAnEndpoint:
    what = "a web page" if media_type == "text/html" else media_type or "something without a content type"
    return NotAnEndpoint(f"no SPARQL answer comes from there, but {what}", address, "give the address of an endpoint")


def _look_for_syntax_error(work: Callable[[Engine], object], text: str) -> None:
    """Raise what the local engine finds wrong with a text that the endpoint refused, if it finds something.

    A text that would call other services is not tried.
    """
    if "service" in text.lower():
        return
    try:
        work(Engine())
    except SyntaxError as error:
        raise query_syntax_error(error) from None
    except (OSError, RuntimeError, ValueError):
        return
