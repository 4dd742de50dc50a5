"""A local store, in memory or in a folder, based on the Oxigraph engine.

Sources are loaded into named graphs. The engine's default graph stays empty unless two graphs state the same triple;
then it holds the merge of all graphs, which queries read (`graph_merge`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Concatenate, ParamSpec, TypeVar

from pyoxigraph import QueryBoolean, QuerySolutions, QueryTriples, RdfFormat, Store, parse

from hpc_explorer.errors import QuerySyntaxError, StoreError, Unsupported
from hpc_explorer.rdf.sparql_shape import check_size, refuse_update_from_elsewhere
from hpc_explorer.rdf.syntax.formats import Format
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, Literal, NamedNode, Quad, Resource, Term, Triple
from hpc_explorer.stores.base import NO_LIMITS, Capabilities, Count, Limits
from hpc_explorer.stores.local.engine_change import exchange_quads
from hpc_explorer.stores.local.folder import copy_store, engine_to_read, engine_to_write, spellings_in
from hpc_explorer.stores.local.graph_merge import MERGE, GraphMerge
from hpc_explorer.stores.local.query_dataset import dataset_of
from hpc_explorer.stores.local.rows import LocalRows
from hpc_explorer.stores.local.spellings import Spellings, stored_form
from hpc_explorer.stores.protocol.federation import BLANK_NODE, answered_elsewhere, blank_node_of
from hpc_explorer.stores.query_faults import named_damage, query_syntax_error

# Number of rows between two checks of the limits.
_CHECK_EVERY = 1024

# Batch size for the engine; it holds the interpreter's lock for a few milliseconds per batch.
_PIECE = 4096

# Up to this many predicates of a term are queried one by one ...
_FEW_PREDICATES = 2

# ... and more if the term has at least this many quads.
_MANY_QUADS = 256

P = ParamSpec("P")
T = TypeVar("T")


def _changes(
    method: Callable[Concatenate[LocalStore, P], T],
) -> Callable[Concatenate[LocalStore, P], T]:
    """Decorate a method of `LocalStore` that may change triples, even if it fails.

    Raises:
        Unsupported: the store is read-only.
        StoreDamaged: the files are corrupt.
    """

    @wraps(method)
    def changing(self: LocalStore, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if not self.capabilities.writable:
            raise Unsupported("this store is open read-only", "", "open it alone to change it")
        try:
            with named_damage():
                return method(self, *args, **kwargs)
        finally:
            self.changes += 1

    return changing


class LocalStore:
    """A local store. Create one with `in_memory`, `on_disk` or `read_only`.

    Attributes:
        folder: its folder; None for a store in memory.
        changes: a counter that increases with each change of the triples.
    """

    def __init__(
        self, engine: Store, *, writable: bool = True, spellings: Spellings | None = None, merged: bool | None = None
    ) -> None:
        self.folder: Path | None = None
        self.changes = 0
        self._engine = engine
        self._spellings = Spellings() if spellings is None else spellings
        self._writable = writable
        self._merge = GraphMerge(engine, merged)
        self._size: int | None = None

    @classmethod
    def in_memory(cls) -> LocalStore:
        """An empty store in memory."""
        return cls(Store())

    @classmethod
    def on_disk(cls, folder: Path, *, size: int | None = None) -> LocalStore:
        """Open the store in `folder`, created if missing.

        Args:
            size: its number of quads, if known.

        Raises:
            StoreLocked: a program has it open for writing.
            OutputNotWritable: the folder cannot be created or written.
            StoreError: it is damaged.
        """
        store = cls(engine_to_write(folder), spellings=spellings_in(folder))
        store.folder, store._size = folder, size
        return store

    @classmethod
    def read_only(cls, folder: Path, *, size: int | None = None, merged: bool | None = None) -> LocalStore:
        """Open the store in `folder` read-only, next to a process that may be writing to it.

        Args:
            size: its number of quads, if known.
            merged: the value of `keeps_merge` for that store, if known.

        Raises:
            StoreError: there is no store in that folder, or it is damaged.
        """
        store = cls(engine_to_read(folder), writable=False, spellings=spellings_in(folder), merged=merged)
        store.folder, store._size = folder, size
        return store

    def copy_to(self, folder: Path, copy: Path) -> None:
        """Copy this store in its current state; files are shared where possible.

        Args:
            folder: its folder.

        Raises:
            StoreError, OutputNotWritable: changes cannot be written, or `copy` cannot be created.
        """
        self.save()
        copy_store(self._engine, folder, copy)

    @property
    def capabilities(self) -> Capabilities:
        """Updates are supported unless it is open read-only."""
        return Capabilities(writable=self._writable)

    @property
    def keeps_merge(self) -> bool:
        """Whether graphs state the same triples, so that their merge is kept."""
        return self._merge.kept

    def close(self) -> None:
        """Close the engine; on disk this writes pending data and releases the lock."""
        del self._engine, self._merge

    # Reading

    @named_damage()
    def size(self, *, limits: Limits = NO_LIMITS) -> Count:
        """The number of quads, cached until the next change."""
        if self._size is None:
            self._size = len(self._engine) - self._merge.size(limits) + self._spellings.extra()
        return Count(self._size)

    def number_stored(self) -> int:
        """The number of quads in the engine, which counts literals with equal values once."""
        return self.size().value - self._spellings.extra()

    @named_damage()
    def graphs(self, *, limits: Limits = NO_LIMITS) -> tuple[GraphName, ...]:
        """The named graphs that hold at least one triple."""
        limits.check()
        return self._merge.graphs()

    def match(
        self,
        subject: Resource | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: GraphName | None = None,
        *,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The matching quads in their original spelling, once for each graph that states them.

        A literal matches by value: "1" matches "01" too.
        """
        quads = _found(self._engine, subject, predicate, object, graph)
        with named_damage():
            for number, quad in enumerate(quads):
                if number % _CHECK_EVERY == 0:
                    limits.check()
                if self._merge.kept and quad.graph_name == MERGE:
                    continue
                if self._spellings:
                    yield from self._spellings.spelled(quad)
                else:
                    yield quad

    def match_stored(
        self, subject: Resource | None = None, predicate: NamedNode | None = None, object: Term | None = None
    ) -> Iterator[Quad]:
        """The matching quads in the engine's own spelling, once for each graph that states them."""
        with named_damage():
            for quad in _found(self._engine, subject, predicate, object, None):
                if not self._merge.kept or quad.graph_name != MERGE:
                    yield quad

    @property
    def respells(self) -> bool:
        """Whether some literals are spelled in another way than the engine's own."""
        return bool(self._spellings)

    def spelled_object(self, quad: Quad) -> Term | Triple:
        """The object of a stored quad in its original spelling; one of them if there are several."""
        return next(iter(self._spellings.spelled(quad))).object

    @named_damage()
    def holds(self, triple: Triple) -> bool:
        """Whether any graph states this triple; a literal is compared by its value."""
        return next(_found(self._engine, triple.subject, triple.predicate, triple.object, None), None) is not None

    @named_damage()
    def stored_triples_of(self, subject: Resource) -> set[Triple]:
        """The triples of a subject, each value once and in the engine's own spelling."""
        return {quad.triple for quad in self._engine.quads_for_pattern(subject, None, None, None)}

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The quads whose terms are among those given, found by one index lookup per subject or object."""
        if (subjects is None) == (objects is None):
            raise ValueError("give either subjects or objects")
        for term in subjects if subjects is not None else objects or ():
            limits.check()

            def of(predicate: NamedNode | None, term: Any = term) -> Iterator[Quad]:
                if subjects is not None:
                    return self.match(term, predicate, limits=limits)
                return self.match(None, predicate, term, limits=limits)

            if predicates is None:
                yield from of(None)
            else:
                yield from _with_predicates(of, predicates)

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> LocalRows:
        """The solutions of a SELECT query over the merge of all graphs; numbers and dates in canonical spelling."""
        answer = self._query(query, limits)
        if not isinstance(answer, QuerySolutions):
            raise QuerySyntaxError("not a SELECT query", "", "begin it with SELECT")
        return LocalRows(answer, limits, query)

    def ask(self, query: str, *, limits: Limits = NO_LIMITS) -> bool:
        """The answer of an ASK query over the merge of all graphs."""
        answer = self._query(query, limits)
        if not isinstance(answer, QueryBoolean):
            raise QuerySyntaxError("not an ASK query", "", "begin it with ASK")
        return bool(answer)

    def construct(self, query: str, *, limits: Limits = NO_LIMITS) -> Iterator[Triple]:
        """The triples of a CONSTRUCT or DESCRIBE query over the merge of all graphs, each once."""
        answer = self._query(query, limits)
        if not isinstance(answer, QueryTriples):
            raise QuerySyntaxError("not a CONSTRUCT or DESCRIBE query", "", "begin it with CONSTRUCT or DESCRIBE")
        return _checked(answer, limits)

    def _query(self, query: str, limits: Limits) -> QuerySolutions | QueryBoolean | QueryTriples:
        limits.check()
        text = answered_elsewhere(query, limits)
        engine, dataset = dataset_of(self._engine, text, self._merge.kept, limits)
        try:
            with named_damage():
                return engine.query(text, custom_functions={BLANK_NODE: blank_node_of}, **dataset)
        except SyntaxError as error:
            raise query_syntax_error(error) from None
        except (OSError, RuntimeError, ValueError) as error:
            raise StoreError("the query failed", str(error), "") from error

    # Writing

    @_changes
    def update(self, text: str, *, limits: Limits = NO_LIMITS) -> None:
        """Execute an update; read-only stores and requests to other servers are refused."""
        limits.check()
        check_size(text)
        refuse_update_from_elsewhere(text)
        # An update may change any graph, so the merge is recreated.
        self._merge.drop()
        try:
            self._engine.update(text)
        except SyntaxError as error:
            raise query_syntax_error(error) from None
        except (OSError, RuntimeError, ValueError) as error:
            raise StoreError("the update failed", str(error), "nothing was changed") from error
        finally:
            self._spellings.keep_only(self._engine.__contains__)
            self._size = None
            self._merge.settle_anew()

    @_changes
    def add_quads(self, quads: Iterable[Quad]) -> None:
        """Add quads: all, or none if the iterable raises.

        They are added in batches, so that other threads can run.
        """
        self._size = None
        before = set(self._engine.named_graphs())
        fresh: set[NamedNode | BlankNode] = set()
        added_to_old: list[Quad] = []
        try:
            for piece in _pieces(quads):
                for graph in {quad.graph_name for quad in piece}:
                    if self._spellings.has_styles(graph):
                        self._spellings.spell_each(graph, self.match(graph=graph))
                for quad in piece:
                    graph = quad.graph_name
                    if graph in before or isinstance(graph, DefaultGraph):
                        if quad not in self._engine:
                            added_to_old.append(quad)
                    else:
                        fresh.add(graph)
                self._spellings.note(piece, self._engine.__contains__)
                self._engine.extend(piece)
        except BaseException:
            for quad in added_to_old:
                self._engine.remove(quad)
            for graph in fresh:
                self._engine.remove_graph(graph)
            self._spellings.keep_only(self._engine.__contains__)
            raise

    @_changes
    def change(
        self,
        removed: Iterable[Quad],
        added: Iterable[Quad],
        *,
        left: Iterable[Triple] = (),
        entered: Iterable[Triple] = (),
        spelled: Mapping[Quad, Collection[Quad]],
        growth: int,
    ) -> None:
        """Remove and add quads, atomically for readers unless blank nodes are removed.

        The next `save` writes the spellings to disk.

        Args:
            removed: existing quads, in the engine's own spelling.
            added: new quads, in the engine's own spelling.
            left: triples that no graph states afterwards.
            entered: triples that no graph stated before.
            spelled: all spellings of each value afterwards; see `Effect`.
            growth: the change of the number of statements, counting each spelling.

        Raises:
            StoreError: the engine fails, for example because the disk is full.
        """
        going, coming = list(removed), list(added)
        if self._merge.kept:
            going += self._merge.placed(left)
            coming += self._merge.placed(entered)
        self._size = None if self._size is None else self._size + growth
        self._spellings.replace(spelled)
        try:
            exchange_quads(self._engine, going, coming)
        except OSError as error:
            raise StoreError("the change cannot be written", str(error), "check the free space") from error

    def save(self) -> None:
        """Write all changes to disk.

        Raises:
            StoreDamaged: the files are corrupt.
            StoreError: the engine fails, for example because the disk is full.
        """
        try:
            self._spellings.save()
            with named_damage():
                self._engine.flush()
        except OSError as error:
            raise StoreError("the store cannot be written", str(error), "check the free space") from error

    @_changes
    def bulk_load(
        self,
        stream: BinaryIO,
        format: Format,
        base: str,
        graph: NamedNode,
    ) -> None:
        """Load a document with the bulk loader into new graphs.

        Call `spell` for its spellings; after a failure remove what was loaded with `remove_graphs`.

        Args:
            graph: the graph of statements without one.

        Raises:
            SyntaxError, MemoryError, OSError: from the engine, without a position; or raised by `stream`.
        """
        self._size = None
        self._engine.bulk_load(input=stream, format=format.engine, base_iri=base, to_graph=graph)

    def spell(self, styles: Mapping[tuple[str, str, str], int], departing: bytes) -> None:
        """Set the spellings of bulk-loaded graphs.

        Args:
            styles: by graph, predicate and datatype, see `stores.spelling_styles`.
            departing: N-Quads of the exceptions.
        """
        self._spellings.set_styles(
            {(NamedNode(g), NamedNode(p), NamedNode(d)): style for (g, p, d), style in styles.items()}
        )
        self._spellings.note_all(parse(departing, RdfFormat.N_QUADS))
        self._size = None

    @named_damage()
    def write_stored(self, stream: BinaryIO) -> None:
        """Write all quads as N-Quads as the engine stores them, with the merge and canonical literals."""
        self._engine.dump(stream, RdfFormat.N_QUADS)

    @named_damage()
    def graph_size(self, graph: GraphName) -> int:
        """The number of quads in a graph."""
        if not isinstance(graph, NamedNode):  # SPARQL has no way to name it
            return sum(1 for _ in self._engine.quads_for_pattern(None, None, None, graph)) + self._spellings.extra(
                graph
            )
        rows = self._engine.query(f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH {graph} {{ ?s ?p ?o }} }}")
        assert isinstance(rows, QuerySolutions)
        return int(next(rows)["n"].value) + self._spellings.extra(graph)

    def optimize(self) -> None:
        """Compact the files for reading.

        Raises:
            StoreDamaged: the files are corrupt.
            StoreError: the engine fails, for example because the disk is full.
        """
        try:
            with named_damage():
                self._engine.flush()
                self._engine.optimize()
        except OSError as error:
            raise StoreError("the store cannot be put in order", str(error), "check the free space") from error

    @_changes
    def remove_graphs(self, graphs: Iterable[NamedNode | BlankNode]) -> None:
        """Remove graphs."""
        self._merge.drop()
        for graph in graphs:
            self._engine.remove_graph(graph)
            if self._spellings.has_styles(graph):
                self._spellings.drop_styles(graph)
        self._spellings.keep_only(self._engine.__contains__)
        self._size = None
        self._merge.settle_anew()

    @_changes
    def settle(self, new_graphs: Collection[GraphName], *, disjoint: bool = False) -> None:
        """After loading `new_graphs`: see whether they restate triples of other graphs, and merge if so.

        Args:
            disjoint: they are known to have no duplicates, so no check is needed.
        """
        self._merge.settle(new_graphs, disjoint=disjoint)


def _checked(triples: QueryTriples, limits: Limits) -> Iterator[Triple]:
    with named_damage():
        for number, triple in enumerate(triples):
            if number % _CHECK_EVERY == 0:
                limits.check()
            yield triple


def _found(engine: Store, subject: Any, predicate: Any, object: Any, graph: Any) -> Iterator[Quad]:
    """The matching quads in the engine's spelling.

    On disk the engine (0.5.13) returns too much for values whose key ends with byte 255: 255 also matches the numbers
    up to 511. So each quad is checked.
    """
    quads: Iterator[Quad] = engine.quads_for_pattern(subject, predicate, object, graph)
    if not isinstance(object, Literal):
        return quads
    stored = stored_form(object)
    return (quad for quad in quads if quad.object == stored)


def _with_predicates(
    of: Callable[[NamedNode | None], Iterator[Quad]], predicates: Collection[NamedNode]
) -> Iterator[Quad]:
    """The quads of a term with one of the predicates; `of` returns those with one predicate, or all.

    A few predicates are queried one by one. For more, all quads are filtered, unless the term has very many, such as a
    dataset used by each batch or a class with a million instances.
    """
    if len(predicates) > _FEW_PREDICATES:
        quads = of(None)
        first = list(islice(quads, _MANY_QUADS))
        if len(first) < _MANY_QUADS:
            yield from (quad for quad in first if quad.predicate in predicates)
            return
    for predicate in predicates:
        yield from of(predicate)


def _pieces(quads: Iterable[Quad]) -> Iterator[list[Quad]]:
    rest = iter(quads)
    while piece := list(islice(rest, _PIECE)):
        yield piece
