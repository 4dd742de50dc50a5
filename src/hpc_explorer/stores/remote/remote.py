"""A store behind a SPARQL 1.1 endpoint, queried over HTTP.

Differences from a local store:

- A blank node of a result cannot be named in a later query (SPARQL 1.1 Query, section 4.1.4). Its nested statements are
  therefore fetched along, a few steps deep (`patterns`); anything deeper, and every blank node found by scanning the
  whole store, is a leaf.
- Literals keep the endpoint's spelling. Free queries read the union of all graphs if the endpoint supports it
  (`dataset`), else its default graph.
- The data may change at any time, and the endpoint may truncate results (`AnswerLimited`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import islice

from hpc_explorer.errors import AnswerLimited, DeadlineExceeded, ServerError
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, NamedNode, Quad, Resource, Term, Triple
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Capabilities, Count, Limits
from hpc_explorer.stores.protocol.answer_cache import AnswerCache
from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.stores.protocol.http import DEFAULT_PATIENCE, Login, Timeouts, no_login
from hpc_explorer.stores.protocol.sparql_client import Fields, SparqlClient
from hpc_explorer.stores.protocol.sparql_results import RemoteRows
from hpc_explorer.stores.protocol.virtuoso import as_requested
from hpc_explorer.stores.remote.dataset import DatasetLayout, dataset_fields, learnt_layout
from hpc_explorer.stores.remote.patterns import ancestors, anywhere, descendants, in_graph, one_of, values

# Maximum number of blank nodes with cached statements; the newest are kept.
_MOST_BLANK_NODES = 100_000

# Terms per request.
_BATCH = 200

# Patterns per request for the first quads of each.
_PATTERNS = 20

# With more predicates the endpoint filters instead of looking each up.
_FEW_PREDICATES = 4

# Seconds for counting all quads; then the size is unknown.
_SIZE_SECONDS = 20.0


_AskFor = Callable[[Collection[Term], Collection[NamedNode] | None, Limits], Iterator[Quad]]


class RemoteStore:
    """A store behind a SPARQL 1.1 endpoint.

    Args:
        address: the address for queries. A `user:password@` in it becomes the credentials.
        update_address: the address for updates; None for a read-only store.
        credentials: sent to this server only, and never shown or logged.
        patience: timeouts for calls without limits.
        login: finds credentials when the endpoint requires them.
        cache: a cache of responses, closed with the store; None disables caching.
        refresh: whether to ignore cached responses.
        layout: the relation of the default graph to the named graphs, if it is known; None samples it.
    """

    def __init__(
        self,
        address: str,
        *,
        update_address: str | None = None,
        credentials: Credentials | None = None,
        patience: Timeouts = DEFAULT_PATIENCE,
        login: Login = no_login,
        cache: AnswerCache | None = None,
        refresh: bool = False,
        layout: DatasetLayout | None = None,
    ) -> None:
        self._client = SparqlClient(address, update_address, credentials, patience, login, cache, refresh)
        self._given_layout = self._layout = layout
        self._named: tuple[NamedNode, ...] | None = None
        self._size: Count | None = None
        self._blank_nodes = _BlankNodeCache()

    @property
    def address(self) -> str:
        """The address for queries, without credentials."""
        return self._client.address

    @property
    def is_virtuoso(self) -> bool:
        """Whether Virtuoso sent the last response."""
        return self._client.is_virtuoso

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(writable=self._client.update_address is not None, remote=True)

    def close(self) -> None:
        self._client.close()

    def lift_deadline(self) -> None:
        """Let later calls end by their own limits, not by those of the opening."""
        self._client.http.lift_deadline()

    # Answers that were kept

    @property
    def answers_age(self) -> timedelta | None:
        """The age of the oldest reused response; None if none was reused."""
        return self._client.http.age

    @property
    def is_offline(self) -> bool:
        """Whether the endpoint was unreachable just now, so that only cached responses are used."""
        return self._client.http.is_offline

    def refresh(self) -> None:
        """Ignore responses cached before now."""
        self._client.http.refresh()
        self._layout, self._named, self._size = self._given_layout, None, None

    def always_ask(self) -> None:
        """Bypass the cache from now on."""
        self._client.http.always_ask()
        self._layout, self._named, self._size = self._given_layout, None, None

    # Reading

    def size(self, *, limits: Limits = NO_LIMITS) -> Count:
        """The number of quads as the endpoint counts them, requested once; unknown if it takes too long."""
        if self._size is None:
            everything = anywhere(self.layout(limits=limits), "?s", "?p", "?o", "?g")
            query = f"SELECT (COUNT(*) AS ?n) WHERE {{ {everything} }}"
            try:
                (row,) = self._client.select(query, limits.within(_SIZE_SECONDS))
                self._size = Count(int(row["n"].value))  # type: ignore[union-attr]  # COUNT gives a literal
            except (ServerError, DeadlineExceeded):
                limits.check("counting the triples")
                self._size = UNKNOWN_COUNT
        return self._size

    def graphs(self, *, limits: Limits = NO_LIMITS) -> tuple[GraphName, ...]:
        """The graphs with triples, including the default graph if it has its own triples."""
        layout = self.layout(limits=limits)
        found: list[GraphName] = []
        if layout.default_is_own:
            found.append(DefaultGraph())
        if layout.has_named:
            for row in self._client.select("SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }", limits):
                graph = row["g"]
                if isinstance(graph, NamedNode):
                    found.append(graph)
        return tuple(found)

    def layout(self, *, limits: Limits = NO_LIMITS) -> DatasetLayout:
        """The relation of the default graph to the named graphs, sampled once."""
        if self._layout is None:
            self._layout = learnt_layout(self._client, limits)
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
        """The matching quads. A blank node only has the statements received with it."""
        if isinstance(subject, BlankNode) or isinstance(object, BlankNode):
            for quad in self._blank_nodes.around(subject, object):
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

    def first(
        self,
        patterns: Iterable[tuple[NamedNode | None, NamedNode | None, NamedNode | None]],
        number: int,
        *,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """At most `number` quads of each pattern, in the endpoint's order; it is asked for no more.

        Blank nodes among them have no statements here, as what hangs on them is not fetched.

        Args:
            patterns: subject, predicate and object of each; None matches anything.
        """
        layout = self.layout(limits=limits)
        rest = iter(patterns)
        while batch := list(islice(rest, _PATTERNS)):
            branches = []
            for pattern in batch:
                given = " ".join(values(f"?{name}", (term,)) for name, term in zip("spo", pattern, strict=True) if term)
                where = f"{given} {anywhere(layout, '?s', '?p', '?o', '?g')}"
                branches.append(f"{{ SELECT ?s ?p ?o ?g WHERE {{ {where} }} LIMIT {number} }}")
            yield from self._quads(" UNION ".join(f"{{ {branch} }}" for branch in branches), {}, limits)

    def between(
        self, subjects: Collection[NamedNode], objects: Collection[NamedNode], *, limits: Limits = NO_LIMITS
    ) -> Iterator[Quad]:
        """The quads from one of these subjects to one of these objects."""
        layout = self.layout(limits=limits)
        rest = iter(dict.fromkeys(subjects))
        while batch := list(islice(rest, _BATCH)):
            others = iter(dict.fromkeys(objects))
            while ends := list(islice(others, _BATCH)):
                start = f"{values('?s', batch)} {{ {anywhere(layout, '?s', '?p', '?o', '?g')} }}"
                yield from self._quads(f"{start} FILTER(?o IN ({', '.join(map(str, ends))}))", {}, limits)

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The quads whose terms are among those given, with one request per few hundred terms.

        Where the endpoint cuts an answer off, its terms are asked for in halves.
        """
        if (subjects is None) == (objects is None):
            raise ValueError("give either subjects or objects")
        wanted = None if predicates is None else frozenset(predicates)
        if wanted is not None and not wanted:
            return
        terms: Collection[Term] = subjects if subjects is not None else objects or ()
        for term in terms:
            if isinstance(term, BlankNode):
                for quad in self._blank_nodes.around(term):
                    end = quad.subject if subjects is not None else quad.object
                    if end == term and (wanted is None or quad.predicate in wanted):
                        yield quad
        ask = self._described if subjects is not None else self._linking
        rest = (term for term in dict.fromkeys(terms) if not isinstance(term, BlankNode))
        while batch := list(islice(rest, _BATCH)):
            yield from self._in_halves(ask, batch, wanted, limits)

    def _in_halves(
        self, ask: _AskFor, terms: Sequence[Term], predicates: Collection[NamedNode] | None, limits: Limits
    ) -> Iterator[Quad]:
        came: set[Quad] = set()
        try:
            for quad in ask(terms, predicates, limits):
                came.add(quad)
                yield quad
        except AnswerLimited:
            if len(terms) == 1:
                raise
            middle = len(terms) // 2
            for half in (terms[:middle], terms[middle:]):
                for quad in self._in_halves(ask, half, predicates, limits):
                    if quad not in came:
                        yield quad

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> RemoteRows:
        """As for `Store`, over the union of all graphs unless the layout `is_split`."""
        return self._client.select(query, limits, self._dataset(query, limits))

    def ask(self, query: str, *, limits: Limits = NO_LIMITS) -> bool:
        return self._client.ask(query, limits, self._dataset(query, limits))

    def construct(self, query: str, *, limits: Limits = NO_LIMITS) -> Iterator[Triple]:
        return self._client.construct(query, limits, self._dataset(query, limits))

    def select_plain(self, query: str, *, limits: Limits = NO_LIMITS) -> RemoteRows:
        """The solutions of a SELECT query with its own dataset."""
        return self._client.select(query, limits)

    def holds(self, where: str, limits: Limits = NO_LIMITS) -> bool:
        """Whether a pattern with explicit graphs has a solution."""
        return self._client.holds(where, limits)

    def quads(self, where: str, *, limits: Limits = NO_LIMITS) -> Iterator[Quad]:
        """The quads of a pattern over ?s ?p ?o ?g, in one response.

        Raises:
            AnswerLimited: after the last quad, if the endpoint truncates its results.
        """
        return self._quads(where, {}, limits)

    def document(self, address: str, *, limits: Limits = NO_LIMITS) -> Iterator[Triple]:
        """Load an RDF document from the same server, such as its service description.

        Raises:
            ServerError: there is no document.
        """
        return self._client.document(address, limits)

    def answers_queries(self, *, limits: Limits = NO_LIMITS) -> bool:
        """Whether the endpoint answers the smallest query as the SPARQL 1.1 Protocol requires.

        Raises:
            ServerError: there is another response or none.
        """
        return self._client.ask("ASK {}", limits)

    # Writing

    def update(self, text: str, *, limits: Limits = NO_LIMITS) -> None:
        """As for `Store`; sent only once, and atomic if the endpoint's updates are."""
        try:
            self._client.update(text, limits)
        finally:
            self._layout, self._named, self._size = self._given_layout, None, None

    # Requests

    def _dataset(self, query: str, limits: Limits) -> Fields:
        return dataset_fields(self.layout(limits=limits), query, lambda: self._named_graphs(limits))

    def _named_graphs(self, limits: Limits) -> tuple[NamedNode, ...]:
        if self._named is None:
            self._named = tuple(graph for graph in self.graphs(limits=limits) if isinstance(graph, NamedNode))
        return self._named

    def _quads(self, where: str, known: dict[str, Term | GraphName], limits: Limits) -> Iterator[Quad]:
        """The quads of a pattern over ?s ?p ?o ?g; `known` has the terms that are not variables."""
        wanted = [name for name in ("s", "p", "o", "g") if name not in known]
        head = " ".join(f"?{name}" for name in wanted) or "*"
        if not wanted:
            if self._client.holds(where, limits):
                yield Quad(known["s"], known["p"], known["o"], known["g"])  # type: ignore[arg-type]  # by their names
            return
        rows = self._client.select(f"SELECT {head} WHERE {{ {where} }}", limits)
        for row in rows:
            terms = {**known, **row}
            yield Quad(terms["s"], terms["p"], terms["o"], terms.get("g", DefaultGraph()))  # type: ignore[arg-type]  # by their names
        if rows.limited:
            raise AnswerLimited("the endpoint truncates its results", self.address, "ask for less at once")

    # Blank nodes: what hangs on them comes with the answer that names them

    def _described(
        self, subjects: Collection[Term], predicates: Collection[NamedNode] | None, limits: Limits
    ) -> Iterator[Quad]:
        """The quads of these subjects, and the nested statements of blank nodes among their values."""
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
            found = self._quads(descendants(layout, subjects, predicates), {}, limits)
            yield from self._remembered(found, lambda quad: isinstance(quad.subject, NamedNode))

    def _linking(
        self, objects: Collection[Term], predicates: Collection[NamedNode] | None, limits: Limits
    ) -> Iterator[Quad]:
        """The quads with these objects, and the surroundings of blank nodes among their subjects."""
        layout = self.layout(limits=limits)
        start = values("?o", objects)
        where = f"{start} {anywhere(layout, '?s', '?p', '?o', '?g')} {one_of('?p', predicates)}"
        if predicates is not None and len(predicates) <= _FEW_PREDICATES:
            where = f"{start} {values('?p', predicates)} {anywhere(layout, '?s', '?p', '?o', '?g')}"
        wanted = frozenset(objects)
        has_blank = False
        for quad in self._quads(where, {}, limits):
            if isinstance(quad.subject, BlankNode):
                has_blank = True
            else:
                value = as_requested(quad.object, wanted)
                yield Quad(quad.subject, quad.predicate, value, quad.graph_name)
        if has_blank:
            allowed = None if predicates is None else frozenset(predicates)
            found = self._quads(ancestors(layout, objects, predicates), {}, limits)
            yield from self._remembered(
                found,
                lambda quad: (
                    isinstance(quad.subject, BlankNode)
                    and quad.object in wanted
                    and (allowed is None or quad.predicate in allowed)
                ),
            )

    def _remembered(self, quads: Iterator[Quad], asked_for: Callable[[Quad], bool]) -> Iterator[Quad]:
        """Record all quads by their blank nodes, and filter those requested."""
        noted = list(dict.fromkeys(quads))
        self._blank_nodes.note(noted)
        return (quad for quad in noted if asked_for(quad))


def _only(predicate: NamedNode | None) -> Collection[NamedNode] | None:
    return None if predicate is None else (predicate,)


def _text(term: Term | None, variable: str) -> str:
    return variable if term is None else str(term)


class _BlankNodeCache:
    """The statements around blank nodes of results; thread-safe.

    A blank node of a result cannot be named in a later query (SPARQL 1.1 Query, section 4.1.4), so only the statements
    received with it are available.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._around: dict[BlankNode, dict[Quad, None]] = {}

    def note(self, quads: Iterable[Quad]) -> None:
        """Store statements by their blank nodes."""
        with self._lock:
            for quad in quads:
                for end in (quad.subject, quad.object):
                    if isinstance(end, BlankNode):
                        self._around.setdefault(end, {})[quad] = None
            while len(self._around) > _MOST_BLANK_NODES:
                del self._around[next(iter(self._around))]

    def around(self, *terms: object) -> tuple[Quad, ...]:
        """The stored statements around those of these terms that are blank nodes."""
        with self._lock:
            around = (self._around.get(term, {}) for term in terms if isinstance(term, BlankNode))
            return tuple({quad: None for quads in around for quad in quads})
