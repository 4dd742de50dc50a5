"""Compute the change of a graph from a filled form."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from hpc_explorer.annotate.forms.values import Items, Node, Value, values_of
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import BlankNode, GraphName, NamedNode, Quad, Resource, Term, Triple
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.changes.changes import ChangeSet


def change_of(
    store: Store,
    subject: Resource,
    filled: Mapping[NamedNode, Sequence[Value]],
    *,
    graph: GraphName,
    words: str = "",
    limits: Limits = NO_LIMITS,
) -> ChangeSet:
    """The change that gives a resource the values of a filled form.

    Kept triples stay in every graph that states them; removed triples are removed from all graphs. A removed blank node
    loses its own statements too, unless something else refers to it.

    Args:
        subject: the resource, existing or new.
        filled: the values of each shown field; other properties are unchanged.
        graph: the graph for new triples.
        words: a description of the change.
    """
    stated = values_of(store, subject, limits=limits)
    before: dict[Triple, None] = {}
    after: dict[Triple, None] = {}
    for predicate, values in filled.items():
        for value in stated.get(predicate, ()):
            before.update(dict.fromkeys(_triples(subject, predicate, value)))
        for value in values:
            after.update(dict.fromkeys(_triples(subject, predicate, value)))
    kept_nodes = {subject, *(triple.subject for triple in after)}
    gone = [triple for triple in before if triple not in after and triple.subject in kept_nodes]
    gone += _orphans(store, gone, kept_nodes, limits)
    removed = [quad for triple in dict.fromkeys(gone) for quad in _stating(store, triple, limits)]
    added = [Quad(triple.subject, triple.predicate, triple.object, graph) for triple in after if triple not in before]
    return ChangeSet(tuple(removed), tuple(quad for quad in added if not _stands(store, quad, limits)), words)


def _triples(subject: Resource, predicate: NamedNode, value: Value) -> Iterator[Triple]:
    """The triples that give a resource a value; missing nodes are created."""
    if isinstance(value, Node):
        node = value.at or BlankNode()
        yield Triple(subject, predicate, node)
        for said, about in sorted(value.facts, key=str):
            yield Triple(node, said, about)
    elif isinstance(value, Items):
        cells = [*value.cells[: len(value.items)]]
        cells += [BlankNode() for _ in range(len(value.items) - len(cells))]
        yield Triple(subject, predicate, cells[0] if cells else RDF.nil)
        following: list[Term] = [*cells[1:], RDF.nil]
        for cell, item, rest in zip(cells, value.items, following, strict=False):
            yield Triple(cell, RDF.first, item)
            yield Triple(cell, RDF.rest, rest)
    else:
        yield Triple(subject, predicate, value)


def _orphans(
    store: Store, gone: Sequence[Triple], kept_nodes: Collection[Term | Triple], limits: Limits
) -> list[Triple]:
    """The statements of blank nodes that nothing refers to after some triples are removed.

    Args:
        kept_nodes: nodes that are kept anyway.
    """
    removed = set(gone)
    found: list[Triple] = []
    waiting = [triple.object for triple in gone if isinstance(triple.object, BlankNode)]
    seen: set[BlankNode] = set()
    while waiting:
        node = waiting.pop()
        if node in seen or node in kept_nodes:
            continue
        stated = store.match(None, None, node, limits=limits)
        referring = (quad.triple for quad in stated if quad.graph_name != INFERRED)
        if any(triple not in removed and triple.subject != node for triple in referring):
            continue
        seen.add(node)
        for quad in store.match(node, limits=limits):
            removed.add(quad.triple)
            found.append(quad.triple)
            if isinstance(quad.object, BlankNode):
                waiting.append(quad.object)
    return found


def _stating(store: Store, triple: Triple, limits: Limits) -> Iterator[Quad]:
    """The quads of a triple in all graphs."""
    stated = store.match(triple.subject, triple.predicate, triple.object, limits=limits)  # type: ignore[arg-type]  # no quoted triples
    return (quad for quad in stated if quad.graph_name != INFERRED and quad.triple == triple)


def _stands(store: Store, quad: Quad, limits: Limits) -> bool:
    """Whether a graph already contains the triple of a quad."""
    return any(True for _ in _stating(store, quad.triple, limits))
