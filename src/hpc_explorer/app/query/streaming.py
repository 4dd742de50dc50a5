"""The rows of a query as they come: the first at once, then their labels, then the rest, up to a cap.

The parts of an answer come in this order: what its columns are, rows, the labels of the first rows, more rows, how many
there are, and on this machine the labels of all others. On an endpoint labels cost requests: those of the rows further
down are looked up when somebody looks at them, with `names_of`.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from hpc_explorer.app.explore.describing import values_of_nodes
from hpc_explorer.app.explore.finding import common_start, references
from hpc_explorer.app.query.run_query import places_of, query_form, store_for, with_prefixes
from hpc_explorer.app.results.rows import RowBatch
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.labels import fallback_label
from hpc_explorer.query.sparql.limiting import limited, own_limit
from hpc_explorer.query.table import Column, columns_of, kinds_in
from hpc_explorer.rdf.quantities import Quantity
from hpc_explorer.rdf.terms import NamedNode, Resource, Term, iri_text, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Progress, Store, no_progress

AT_MOST = 10_000
"""So many rows are taken unless more are asked for."""

MOST_AT_ALL = 1_000_000
"""So many rows can be taken at most."""

FIRST = 100
"""So many rows come first."""

_BATCH = 2_000

# A batch that fills slowly is handed on as it is, after so many seconds.
_PATIENCE = 0.25

# Resources whose labels are looked up in one go; on an endpoint as many as one request asks for.
_NAMES = 1_000
_NAMES_THERE = 200

TRIPLE_COLUMNS = ("subject", "predicate", "object")
"""The columns of what a CONSTRUCT or DESCRIBE gives."""


@dataclass(frozen=True)
class RowsBegun:
    """The columns are known. A second one among the parts of an answer says that its rows come anew.

    Args:
        columns: what they are called; their kinds come with the values.
    """

    columns: tuple[Column, ...]


@dataclass(frozen=True)
class ResourcesNamed:
    """What some resources are called.

    Args:
        values: those among them that stand for one value, such as a quantity; they are called by it.
    """

    refs: Mapping[Resource, ResourceRef]
    values: Mapping[Resource, Quantity | str]


@dataclass(frozen=True)
class RowsCounted:
    """All rows have come, or as many as were wanted.

    Args:
        total: exact where all came, else at least one more than came.
    """

    total: Count


@dataclass(frozen=True)
class Truth:
    """The whole answer of an ASK."""

    holds: bool


RowsPart = RowsBegun | RowBatch | ResourcesNamed | RowsCounted | Truth


def rows_of(
    session: Session,
    text: str,
    *,
    at_most: int = AT_MOST,
    known: Iterable[Column] = (),
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> Iterator[RowsPart]:
    """The answer of a SPARQL 1.1 query over the merge of all open graphs, part by part; see the module.

    Args:
        at_most: so many rows are taken; whether there are more is found out.
        known: what some of the columns are called.
        progress: told of what has to be done before the query can be answered.

    Raises:
        QuerySyntaxError: the engine cannot read it, or it would change the graph.
        MemoryExceeded, ReaderFailed: the process in which it was answered ended.
    """
    complete = with_prefixes(text, session.prefixes)
    form = query_form(text)
    store = store_for(session, progress, limits)
    with places_of(text, complete):
        if form == "ASK":
            yield Truth(store.ask(complete, limits=limits))
            return
        taking = _Taking(session, tuple(known), at_most, limits)
        if form in ("CONSTRUCT", "DESCRIBE"):
            triples = dict.fromkeys(islice(store.construct(complete, limits=limits), at_most + 1))
            rows = ((triple.subject, triple.predicate, triple.object) for triple in triples)
            yield from taking.parts(TRIPLE_COLUMNS, rows)  # type: ignore[arg-type]  # quoted triples print like terms
            yield RowsCounted(taking.total(len(triples), False))
        elif session.store.capabilities.remote:
            yield from _rows_there(store, taking, complete)
        else:
            yield from _selected(store, taking, complete)
    yield from taking.names_of_the_rest()


def _selected(store: Store, taking: _Taking, query: str) -> Iterator[RowsPart]:
    """The parts of one SELECT."""
    found = store.select(query, limits=taking.limits)
    names = tuple(found.variables)
    rows = (tuple(map(row.get, names)) for row in found)
    came = yield from taking.parts(names, rows)  # type: ignore[arg-type]  # quoted triples print like terms
    yield RowsCounted(taking.total(came, found.limited and came <= taking.at_most))


def _rows_there(store: Store, taking: _Taking, query: str) -> Iterator[RowsPart]:
    """The parts of a SELECT that an endpoint answers: a few rows first, since it sends none before it has all."""
    own = own_limit(query)
    if own is None or own > _BATCH:
        found = store.select(limited(query, FIRST + 1), limits=taking.limits)
        names = tuple(found.variables)
        first = [tuple(map(row.get, names)) for row in found]
        yield from taking.parts(names, iter(first[:FIRST]))  # type: ignore[arg-type]  # quoted triples print like terms
        if len(first) <= FIRST:
            yield RowsCounted(taking.total(len(first), found.limited))
            return
    yield from _selected(store, taking, limited(query, taking.at_most + 1))


class _Taking:
    """Takes rows up to a cap, and knows which resources in them have no label yet."""

    def __init__(self, session: Session, known: Sequence[Column], at_most: int, limits: Limits) -> None:
        self.at_most = at_most
        self.limits = limits
        self._session = session
        self._known = known
        self._refs: dict[Resource, ResourceRef] = {}
        self._unnamed: dict[Resource, None] = {}
        self._named: dict[Resource, ResourceRef] = {}
        self._values: dict[Resource, Quantity | str] = {}
        self._first_named = False

    def parts(self, names: tuple[str, ...], rows: Iterator[Sequence[Term | None]]) -> Generator[RowsPart, None, int]:
        """The columns, the rows and the labels of the first ones; returns how many rows there were, at most one more
        than are wanted."""
        yield RowsBegun(columns_of(names, self._known))
        if self._named:
            yield ResourcesNamed(dict(self._named), dict(self._values))
        came = 0
        for batch in _batches(rows, self.at_most + 1, self.limits):
            wanted = batch[: self.at_most - came]
            came += len(batch)
            if wanted:
                yield self._batch(wanted, len(names))
            if wanted and not self._first_named:
                self._first_named = True
                yield from self._names(list(self._unnamed))
        return came

    def total(self, came: int, cut_off: bool) -> Count:
        """How many rows there are, when so many came."""
        return Count(came, CountKind.AT_LEAST if cut_off or came > self.at_most else CountKind.EXACT)

    def names_of_the_rest(self) -> Iterator[ResourcesNamed]:
        """The labels of all rows on this machine, at the end those that resources share told apart."""
        if self._session.store.capabilities.remote:
            return
        yield from self._names(list(self._unnamed))
        alike: dict[str, list[ResourceRef]] = {}
        for resource, ref in self._named.items():
            if resource not in self._values:
                alike.setdefault(ref.label, []).append(ref)
        told_apart: dict[Resource, ResourceRef] = {}
        for refs in alike.values():
            if len(refs) > 1:
                start = common_start([ref.iri for ref in refs])
                told_apart.update((ref.resource, replace(ref, label=ref.iri[start:])) for ref in refs)
        if told_apart:
            yield ResourcesNamed(told_apart, {})

    def _batch(self, rows: Sequence[Sequence[Term | None]], width: int) -> RowBatch:
        columns = tuple(zip(*rows, strict=True)) if width else ()
        new: dict[Resource, ResourceRef] = {}
        for value in dict.fromkeys(chain.from_iterable(columns)):
            if is_resource(value) and value not in self._refs:
                new[value] = _unlabelled(self._session, value)
        self._refs.update(new)
        self._unnamed.update(dict.fromkeys(new))
        return RowBatch(columns, new, tuple(map(kinds_in, columns)))

    def _names(self, resources: Collection[Resource]) -> Iterator[ResourcesNamed]:
        for part in names_of(self._session, resources, limits=self.limits):
            for resource in part.refs:
                self._unnamed.pop(resource, None)
            self._named.update(part.refs)
            self._values.update(part.values)
            yield part


def _batches(
    rows: Iterator[Sequence[Term | None]], at_most: int, limits: Limits
) -> Iterator[list[Sequence[Term | None]]]:
    """The first few rows, then more at a time; what has waited for a while comes as it is."""
    batch: list[Sequence[Term | None]] = []
    size, began = FIRST, time.monotonic()
    for row in islice(rows, at_most):
        batch.append(row)
        if len(batch) >= size or time.monotonic() - began > _PATIENCE:
            limits.check()
            yield batch
            batch, size, began = [], _BATCH, time.monotonic()
    if batch:
        yield batch


def _unlabelled(session: Session, resource: Resource) -> ResourceRef:
    iri = iri_text(resource)
    curie = session.prefixes.short(iri) if isinstance(resource, NamedNode) else iri
    return ResourceRef(resource, fallback_label(resource), iri, curie, "", "")


def names_of(
    session: Session, resources: Collection[Resource], *, limits: Limits = NO_LIMITS
) -> Iterator[ResourcesNamed]:
    """How resources are called, some at a time: by their labels, and quantities by their amounts."""
    remote = session.store.capabilities.remote
    waiting = list(resources)
    size = _NAMES_THERE if remote else _NAMES
    for start in range(0, len(waiting), size):
        limits.check("looking up labels")
        refs = references(session, waiting[start : start + size], limits=limits)
        # Whoever asks an endpoint pays for each request: only what is said to be a quantity is asked for its amount.
        nodes = [one for one, ref in refs.items() if not remote or ref.kind.casefold().startswith("quantity")]
        values = values_of_nodes(session, nodes, limits=limits) if nodes else {}
        refs.update((node, replace(refs[node], label=str(value))) for node, value in values.items())
        yield ResourcesNamed(refs, values)
