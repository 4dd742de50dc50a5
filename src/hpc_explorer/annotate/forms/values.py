"""The values of a field: terms, nodes shown as values (quantity, key and value), and lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF
from hpc_explorer.rdf.quantities import QUANTITY_PREDICATES, UNIT_PREDICATES, VALUE_PREDICATES, Quantity, read_quantity
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Term, Triple
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

_KEY_PREDICATES = frozenset({HPC.key, HPC.value})


@dataclass(frozen=True)
class Node:
    """An unnamed node that is shown as one value.

    Args:
        facts: all its statements: predicate and object.
        at: its node in the graph; None for a new one.
    """

    facts: frozenset[tuple[NamedNode, Term]]
    at: BlankNode | None = None

    @property
    def quantity(self) -> Quantity | None:
        """The quantity, if the node is one."""
        return read_quantity([fact for fact in self._ordered() if not isinstance(fact[1], BlankNode)])  # type: ignore[misc]  # no blank nodes

    @property
    def entry(self) -> tuple[str, Term] | None:
        """The key and value, if the node is such a pair."""
        keys = [value for predicate, value in self._ordered() if predicate == HPC.key]
        values = [value for predicate, value in self._ordered() if predicate == HPC.value]
        return (keys[0].value, values[0]) if len(keys) == len(values) == 1 else None

    def _ordered(self) -> list[tuple[NamedNode, Term]]:
        return sorted(self.facts, key=str)


@dataclass(frozen=True)
class Items:
    """An RDF list.

    Args:
        items: the items in order.
        cells: the nodes of the list in the graph; empty for a new list.
    """

    items: tuple[Term, ...]
    cells: tuple[BlankNode, ...] = ()


Value: TypeAlias = Term | Node | Items
"""A value of a field."""


def values_of(store: Store, subject: Resource, *, limits: Limits = NO_LIMITS) -> dict[NamedNode, tuple[Value, ...]]:
    """The stated values of a resource by predicate, without inferred ones."""
    found: dict[NamedNode, dict[Value, None]] = {}
    for quad in store.match(subject, limits=limits):
        if quad.graph_name != INFERRED and not isinstance(quad.object, Triple):
            found.setdefault(quad.predicate, {})[value_at(store, quad.object, limits=limits)] = None
    return {predicate: tuple(values) for predicate, values in sorted(found.items(), key=lambda pair: pair[0].value)}


def value_at(store: Store, term: Term, *, limits: Limits = NO_LIMITS) -> Value:
    """The value for an object: the term, or the node or list that it identifies."""
    if term == RDF.nil:
        return Items(())
    if not isinstance(term, BlankNode):
        return term
    facts = _facts(store, term, limits)
    predicates = {predicate for predicate, _ in facts}
    if RDF.first in predicates:
        return _items(store, term, limits) or term
    if predicates & (_KEY_PREDICATES | set(QUANTITY_PREDICATES)):
        return Node(frozenset(facts), term)
    return term


def _facts(store: Store, node: BlankNode, limits: Limits) -> list[tuple[NamedNode, Term]]:
    stated = (quad for quad in store.match(node, limits=limits) if quad.graph_name != INFERRED)
    return list(dict.fromkeys((quad.predicate, quad.object) for quad in stated if not isinstance(quad.object, Triple)))


def _items(store: Store, head: BlankNode, limits: Limits) -> Items | None:
    """The list that starts at a node; None if it is branched, cyclic or incomplete."""
    items: list[Term] = []
    cells: dict[BlankNode, None] = {}
    place: Term = head
    while place != RDF.nil:
        if not isinstance(place, BlankNode) or place in cells:
            return None
        cells[place] = None
        facts = _facts(store, place, limits)
        stated = dict(facts)
        if len(facts) != 2 or set(stated) != {RDF.first, RDF.rest}:
            return None
        items.append(stated[RDF.first])
        place = stated[RDF.rest]
    return Items(tuple(items), tuple(cells))


def quantity_node(number: Literal, unit: NamedNode | None, before: Node | None = None) -> Node:
    """The node of a quantity.

    Args:
        unit: its unit, or None.
        before: the replaced node, whose predicates and other statements are kept.
    """
    number_at, unit_at = QUDT.value, QUDT.unit
    kept: Iterable[tuple[NamedNode, Term]] = [(RDF.type, QUDT.QuantityValue)]
    if before is not None:
        said = {predicate for predicate, _ in before.facts}
        number_at = next((term for term in VALUE_PREDICATES if term in said), number_at)
        unit_at = next((term for term in UNIT_PREDICATES if term in said), unit_at)
        kept = [fact for fact in before.facts if fact[0] not in (number_at, unit_at)]
    facts = {*kept, (number_at, number)}
    if unit is not None:
        facts.add((unit_at, unit))
    return Node(frozenset(facts), None if before is None else before.at)


def entry_node(key: str, value: Term, before: Node | None = None) -> Node:
    """The node of a key and value; `before` as for a quantity."""
    kept: Iterable[tuple[NamedNode, Term]] = [(RDF.type, HPC.KeyValue)]
    if before is not None:
        kept = [fact for fact in before.facts if fact[0] not in _KEY_PREDICATES]
    return Node(frozenset({*kept, (HPC.key, Literal(key)), (HPC.value, value)}), None if before is None else before.at)
