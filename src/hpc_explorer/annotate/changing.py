"""From a form that was filled in to the change of the graph: exactly what differs from the resource as it is."""

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
    """What has to be removed and added so that the resource has the values of a filled form.

    A triple that stays does so in each graph that states it; one that goes leaves them all. A value that is a blank
    node goes with what is said of it, unless something else refers to it.

    Args:
        subject: the resource; one the graph says nothing of is new.
        filled: the values of each field that was shown; what is said by other properties stays.
        graph: where new triples go.
        words: what the change is, for a person.
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
    """The triples by which a resource has a value; nodes that it needs and does not have are made."""
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
    """What is said of blank nodes that nothing refers to any more once some triples are gone.

    Args:
        kept_nodes: the nodes that stay whatever refers to them.
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
    """The quads of a triple in all graphs that state it."""
    stated = store.match(triple.subject, triple.predicate, triple.object, limits=limits)  # type: ignore[arg-type]  # no quoted triples
    return (quad for quad in stated if quad.graph_name != INFERRED and quad.triple == triple)


def _stands(store: Store, quad: Quad, limits: Limits) -> bool:
    """Whether a graph states the triple of a quad already."""
    return any(True for _ in _stating(store, quad.triple, limits))
