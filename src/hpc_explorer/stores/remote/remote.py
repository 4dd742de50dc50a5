"""Triples behind a SPARQL 1.1 endpoint, asked over HTTP; the work is done there.

What differs from a store on this machine:

- A blank node of an answer has no name that a later query could ask for (SPARQL 1.1 Query, section 4.1.4).
  What hangs on the blank nodes of an answer is therefore fetched along with them, a few steps deep
  (`endpoint_patterns`); what lies beyond, and every blank node of a walk through the whole store, is a leaf.
- Literals come as the endpoint spells them. Free queries are answered over the union of all graphs where the endpoint
  can be brought to it (`endpoint_dataset`), else over its own default graph.
- The data may change at any time, and an answer may be cut by a limit of the endpoint (`AnswerLimited`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
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
from hpc_explorer.stores.remote.blank_nodes import BlankNodeCache
from hpc_explorer.stores.remote.dataset import DatasetLayout, dataset_fields, learnt_layout
from hpc_explorer.stores.remote.patterns import ancestors, anywhere, descendants, in_graph, one_of, values

# How many terms one request asks about.
_BATCH = 200

# Beyond so many predicates, the endpoint filters instead of looking each up.
_FEW_PREDICATES = 4

# Counting everything may be the slowest question of all: after so many seconds the size is unknown.
_SIZE_SECONDS = 20.0


class RemoteStore:
    """A store behind a SPARQL 1.1 endpoint.

    Args:
        address: where it takes queries. A `user:password@` in it becomes the credentials.
        update_address: where it takes updates; None for one that is only read.
        credentials: whom it lets in; sent to this server only, and never shown or logged.
        patience: how long to wait where a call's limits say nothing.
        login: where to look for credentials when the endpoint asks for them.
        cache: where answers are kept; None keeps none. It is closed with the store.
        refresh: ask for everything again.
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
    ) -> None:
        self._client = SparqlClient(address, update_address, credentials, patience, login, cache, refresh)
        self._layout: DatasetLayout | None = None
        self._named: tuple[NamedNode, ...] | None = None
        self._size: Count | None = None
        self._blank_nodes = BlankNodeCache()

    @property
    def address(self) -> str:
        """Where it takes queries, without credentials."""
        return self._client.address

    @property
    def is_virtuoso(self) -> bool:
        """Whether the last answer of a query came from a Virtuoso."""
        return self._client.is_virtuoso

    @property
    def capabilities(self) -> Capabilities:
        """An endpoint is asked; updates are taken where it has an address for them."""
        return Capabilities(writable=self._client.update_address is not None, remote=True)

    def close(self) -> None:
        """Close the connections; the endpoint stays as it is."""
        self._client.close()

    # Answers that were kept

    @property
    def answers_age(self) -> timedelta | None:
        """How old the oldest answer is that was given again; None if all were asked for since the store was opened."""
        return self._client.http.age

    @property
    def is_offline(self) -> bool:
        """Whether the endpoint could not be reached just now, so that only kept answers are given."""
        return self._client.http.is_offline

    def refresh(self) -> None:
        """Ask for everything again from now on."""
        self._client.http.refresh()
        self._layout = self._named = self._size = None

    def always_ask(self) -> None:
        """Have the server answer each question from now on, also one that was asked just before."""
        self._client.http.always_ask()
        self._layout = self._named = self._size = None

    # Reading

    def size(self, *, limits: Limits = NO_LIMITS) -> Count:
        """How many quads there are, as the endpoint counts them: asked once; unknown if it takes too long."""
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
        """The graphs that hold at least one triple, the default graph among them where it has triples of its own."""
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
        """How the endpoint's default graph goes with its named graphs, learnt from a few of its triples."""
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
        """The quads that fit. Of a blank node only that is known which came with the answer that named it."""
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
                for quad in self._blank_nodes.around(term):
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
        """As the contract says, over the union of all graphs, unless the layout `is_split`."""
        return self._client.select(query, limits, self._dataset(query, limits))

    def ask(self, query: str, *, limits: Limits = NO_LIMITS) -> bool:
        """As the contract says, over the same graphs as `select`."""
        return self._client.ask(query, limits, self._dataset(query, limits))

    def construct(self, query: str, *, limits: Limits = NO_LIMITS) -> Iterator[Triple]:
        """As the contract says, over the same graphs as `select`."""
        return self._client.construct(query, limits, self._dataset(query, limits))

    def select_plain(self, query: str, *, limits: Limits = NO_LIMITS) -> RemoteRows:
        """The solutions of a SELECT query that says itself which graphs it means."""
        return self._client.select(query, limits)

    def holds(self, where: str, limits: Limits = NO_LIMITS) -> bool:
        """Whether a pattern that says itself which graphs it means has a solution."""
        return self._client.holds(where, limits)

    def quads(self, where: str, *, limits: Limits = NO_LIMITS) -> Iterator[Quad]:
        """The quads that a pattern over ?s ?p ?o ?g gives, in one answer.

        Raises:
            AnswerLimited: after the last that came, if the endpoint cuts its answers off.
        """
        return self._quads(where, {}, limits)

    def document(self, address: str, *, limits: Limits = NO_LIMITS) -> Iterator[Triple]:
        """The triples of an RDF document of the same server, such as its service description.

        Raises:
            ServerError: there is none.
        """
        return self._client.document(address, limits)

    def answers_queries(self, *, limits: Limits = NO_LIMITS) -> bool:
        """Whether the smallest of all queries is answered as the SPARQL 1.1 Protocol says.

        Raises:
            ServerError: something else answers, or nothing.
        """
        return self._client.ask("ASK {}", limits)

    # Writing

    def update(self, text: str, *, limits: Limits = NO_LIMITS) -> None:
        """As the contract says; it is sent once and never again, and is whole as far as the endpoint's updates are."""
        try:
            self._client.update(text, limits)
        finally:
            self._layout = self._named = self._size = None

    # Requests

    def _dataset(self, query: str, limits: Limits) -> Fields:
        return dataset_fields(self.layout(limits=limits), query, lambda: self._named_graphs(limits))

    def _named_graphs(self, limits: Limits) -> tuple[NamedNode, ...]:
        if self._named is None:
            self._named = tuple(graph for graph in self.graphs(limits=limits) if isinstance(graph, NamedNode))
        return self._named

    def _quads(self, where: str, known: dict[str, Term | GraphName], limits: Limits) -> Iterator[Quad]:
        """The quads that a pattern over ?s ?p ?o ?g gives; `known` holds those that are no variables in it."""
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
            found = self._quads(descendants(layout, subjects, predicates), {}, limits)
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
        """Those quads that were asked for, after all of them were noted at their blank nodes."""
        noted = list(dict.fromkeys(quads))
        self._blank_nodes.note(noted)
        return (quad for quad in noted if asked_for(quad))


def _only(predicate: NamedNode | None) -> Collection[NamedNode] | None:
    return None if predicate is None else (predicate,)


def _text(term: Term | None, variable: str) -> str:
    return variable if term is None else str(term)
