"""Nodes that represent a single value: quantities, and pairs of key and value."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.quantities import QUANTITY_PREDICATES, Quantity, read_quantity
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

_KEY_VALUE = (HPC.key, HPC.value)


VALUE_NODE_PREDICATES = frozenset({*QUANTITY_PREDICATES, *_KEY_VALUE})
"""The predicates of nodes that represent a single value."""


def value_texts(session: Session, nodes: Collection[Resource], *, limits: Limits = NO_LIMITS) -> dict[Resource, str]:
    """The nodes that represent a single value, with their texts.

    These are quantities (QUDT: a number and a unit) such as "442,010 Tflop/s", and pairs of key and value such as
    "max_depth = 12" (hyperparameters, seed 000 Table V).
    """
    return {node: str(value) for node, value in values_of_nodes(session, nodes, limits=limits).items()}


def values_of_nodes(
    session: Session, nodes: Collection[Resource], *, limits: Limits = NO_LIMITS
) -> dict[Resource, Quantity | str]:
    """The nodes that represent a single value: quantities, and pairs of key and value."""
    wanted = (*QUANTITY_PREDICATES, *_KEY_VALUE)
    stated: dict[Resource, list[tuple[NamedNode, Literal | NamedNode]]] = {}
    for quad in session.store.match_many(subjects=nodes, predicates=wanted, limits=limits):
        if isinstance(quad.object, (Literal, NamedNode)):
            stated.setdefault(quad.subject, []).append((quad.predicate, quad.object))  # type: ignore[arg-type]  # a node
    found: dict[Resource, Quantity | str] = {}
    for node, pairs in stated.items():
        value = value_of_node(pairs)
        if value is not None:
            found[node] = value
    return found


def value_of_node(statements: Iterable[tuple[NamedNode, Literal | NamedNode]]) -> Quantity | str | None:
    """The quantity or key-value pair in a node's statements (predicate, object), if any."""
    pairs = tuple(statements)
    quantity = read_quantity(pairs)
    if quantity is not None:
        return quantity
    by_predicate = dict(pairs)
    values = [value for term in _KEY_VALUE if isinstance(value := by_predicate.get(term), Literal)]
    return " = ".join(map(literal_text, values)) if len(values) == len(_KEY_VALUE) else None
