"""Load a source into a local store, completely or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from hpc_explorer.rdf.terms import DefaultGraph, GraphName, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.stores.local.local import LocalStore

_CHECK_EVERY = 4096
_DEFAULT = DefaultGraph()


class Content(Protocol):
    """What a source says."""

    def quads(self) -> Iterator[Quad]:
        """Its statements, streamed."""
        ...


def load_content(
    store: LocalStore,
    content: Content,
    graph: NamedNode,
    *,
    report: Callable[[int], None] = lambda read: None,
    limits: Limits = NO_LIMITS,
) -> frozenset[GraphName]:
    """Load a document; its default graph goes into `graph`, named graphs keep their names.

    The caller must call `settle` once after loading all documents.

    Args:
        report: called occasionally with the number of quads read.

    Returns:
        The graphs that it was loaded into.

    Raises:
        InputError: the document cannot be read completely; the store is unchanged.
        Cancelled, DeadlineExceeded: by `limits`; the store is unchanged.
    """
    graphs: set[GraphName] = {graph}

    def placed(quads: Iterable[Quad]) -> Iterator[Quad]:
        for number, quad in enumerate(quads):
            if number % _CHECK_EVERY == 0:
                limits.check("loading")
                report(number)
            if quad.graph_name == _DEFAULT:
                yield Quad(quad.subject, quad.predicate, quad.object, graph)
            else:
                graphs.add(quad.graph_name)
                yield quad

    store.add_quads(placed(content.quads()))
    return frozenset(graphs)
