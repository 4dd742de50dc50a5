"""Stream the rows of a query: the first at once, then their labels, then the rest, up to a limit.

The parts of an answer are, in order: its columns, rows, the labels of the first rows, more rows, the number of rows,
and on this machine the labels of all others. On an endpoint labels cost requests; those of later rows are looked up
with `names_of` when they become visible.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from hpc_explorer.app.explore.finding import common_start, references
from hpc_explorer.app.explore.value_nodes import values_of_nodes
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
"""The default maximum number of rows."""

MOST_AT_ALL = 1_000_000
"""The largest maximum number of rows."""

FIRST = 100
"""The number of rows in the first batch."""

_BATCH = 2_000

PATIENCE = 0.25
"""Seconds after which an incomplete batch is delivered."""

# The number of labels looked up at once; on an endpoint, in one request.
_NAMES = 1_000
_NAMES_THERE = 200

TRIPLE_COLUMNS = ("subject", "predicate", "object")
"""The columns of a CONSTRUCT or DESCRIBE."""


@dataclass(frozen=True)
class RowsBegun:
    """The columns are known. A second one means that the rows start again.

    Args:
        columns: without kinds, which come with the values.
    """

    columns: tuple[Column, ...]


@dataclass(frozen=True)
class ResourcesNamed:
    """The names of some resources.

    Args:
        values: those of them that stand for one value, such as a quantity, which is their name.
    """

    refs: Mapping[Resource, ResourceRef]
    values: Mapping[Resource, Quantity | str]


@dataclass(frozen=True)
class RowsCounted:
    """All requested rows were delivered.

    Args:
        total: exact if there are no more rows, otherwise at least one more than delivered.
    """

    total: Count


@dataclass(frozen=True)
class Truth:
    """The answer of an ASK."""

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
    """Run a SPARQL 1.1 query over the merge of all open graphs and yield its answer in parts; see the module.

    Args:
        at_most: the maximum number of rows.
        known: the titles of some columns.
        progress: reports preparations.

    Raises:
        QuerySyntaxError: the engine cannot read it, or it would change the graph.
        MemoryExceeded, ReaderFailed: the process ended.
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
    found = store.select(query, limits=taking.limits)
    names = tuple(found.variables)
    rows = (tuple(map(row.get, names)) for row in found)
    came = yield from taking.parts(names, rows)  # type: ignore[arg-type]  # quoted triples print like terms
    yield RowsCounted(taking.total(came, found.limited and came <= taking.at_most))


def _rows_there(store: Store, taking: _Taking, query: str) -> Iterator[RowsPart]:
    """A SELECT at an endpoint: a few rows first, because an endpoint sends nothing before the answer is complete."""
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
    """Takes rows up to a limit, and tracks the resources in them without labels."""

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
        """Yield the columns, the rows and the labels of the first ones; return the number of rows, up to one more than
        requested."""
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
        """The number of rows."""
        return Count(came, CountKind.AT_LEAST if cut_off or came > self.at_most else CountKind.EXACT)

    def names_of_the_rest(self) -> Iterator[ResourcesNamed]:
        """The labels of all rows on this machine, finally with shared labels made unique."""
        if self._session.store.capabilities.remote:
            return
        yield from self._names(list(self._unnamed))
        alike: dict[str, list[ResourceRef]] = {}
        for resource, ref in self._named.items():
            if resource not in self._values:
                alike.setdefault(ref.label, []).append(ref)
        unique: dict[Resource, ResourceRef] = {}
        for refs in alike.values():
            if len(refs) > 1:
                start = common_start([ref.iri for ref in refs])
                unique.update((ref.resource, replace(ref, label=ref.iri[start:])) for ref in refs)
        if unique:
            yield ResourcesNamed(unique, {})

    def _batch(self, rows: Sequence[Sequence[Term | None]], width: int) -> RowBatch:
        columns = tuple(zip(*rows, strict=True)) if width else ()
        new: dict[Resource, ResourceRef] = {}
        for value in dict.fromkeys(chain.from_iterable(columns)):
            if is_resource(value) and value not in self._refs:
                new[value] = _unlabelled(self._session, value)
        self._refs.update(new)
        self._unnamed.update(dict.fromkeys(new))
        return RowBatch(len(rows), columns, new, tuple(map(kinds_in, columns)))

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
    """A small first batch, then larger ones; a slow batch is delivered incomplete."""
    batch: list[Sequence[Term | None]] = []
    size, began = FIRST, time.monotonic()
    for row in islice(rows, at_most):
        batch.append(row)
        if len(batch) >= size or time.monotonic() - began > PATIENCE:
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
    """The names of resources in portions: their labels, and the amounts of quantities."""
    remote = session.store.capabilities.remote
    waiting = list(resources)
    size = _NAMES_THERE if remote else _NAMES
    for start in range(0, len(waiting), size):
        limits.check("looking up labels")
        refs = references(session, waiting[start : start + size], limits=limits)
        # Each request to an endpoint costs time, so only quantities are asked for amounts.
        nodes = [one for one, ref in refs.items() if not remote or ref.kind.casefold().startswith("quantity")]
        values = values_of_nodes(session, nodes, limits=limits) if nodes else {}
        refs.update((node, replace(refs[node], label=str(value))) for node, value in values.items())
        yield ResourcesNamed(refs, values)
