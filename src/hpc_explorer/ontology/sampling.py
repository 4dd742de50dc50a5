"""Sample a store: no more is read or requested than needed."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Term, Triple
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


def some_values(store: Store, predicate: NamedNode, most: int, *, limits: Limits = NO_LIMITS) -> list[Term]:
    """Up to `most` values of a property, one per statement."""
    if store.capabilities.remote:
        rows = store.select(f"SELECT ?o WHERE {{ ?s {predicate} ?o }} LIMIT {most}", limits=limits)
        values = [row["o"] for row in rows if "o" in row]
    else:
        values = [quad.object for quad in islice(store.match(None, predicate, limits=limits), most)]
    return [value for value in values if not isinstance(value, Triple)]


def some_members(
    store: Store, classes: Collection[NamedNode], most: int, *, limits: Limits = NO_LIMITS
) -> list[NamedNode]:
    """Up to `most` named instances of some classes, without duplicates."""
    found: dict[NamedNode, None] = {}
    if store.capabilities.remote:
        wanted = " ".join(map(str, classes))
        query = f"SELECT ?s WHERE {{ VALUES ?c {{ {wanted} }} ?s a ?c FILTER(isIRI(?s)) }} LIMIT {most}"
        for row in store.select(query, limits=limits):
            if isinstance(row.get("s"), NamedNode):
                found[row["s"]] = None  # type: ignore[index]  # just seen to be an IRI
        return list(found)
    for quad in store.match_many(objects=classes, predicates=(RDF.type,), limits=limits):
        if isinstance(quad.subject, NamedNode) and quad.graph_name != INFERRED:
            found[quad.subject] = None
            if len(found) == most:
                break
    return list(found)
