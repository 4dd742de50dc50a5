"""The values of a field: terms, nodes that stand for a value (a quantity, a key with its value), and lists."""

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
    """A node that has no name of its own and stands for a value by what is said of it.

    Args:
        facts: what is said of it, all of it: predicate and object.
        at: the node that the graph has for it; None for one that is to be made.
    """

    facts: frozenset[tuple[NamedNode, Term]]
    at: BlankNode | None = None

    @property
    def quantity(self) -> Quantity | None:
        """The quantity it is, if it is one."""
        return read_quantity([fact for fact in self._ordered() if not isinstance(fact[1], BlankNode)])  # type: ignore[misc]  # no blank nodes

    @property
    def entry(self) -> tuple[str, Term] | None:
        """The key and the value it is, if it is such an entry."""
        keys = [value for predicate, value in self._ordered() if predicate == HPC.key]
        values = [value for predicate, value in self._ordered() if predicate == HPC.value]
        return (keys[0].value, values[0]) if len(keys) == len(values) == 1 else None

    def _ordered(self) -> list[tuple[NamedNode, Term]]:
        return sorted(self.facts, key=str)


@dataclass(frozen=True)
class Items:
    """An RDF list.

    Args:
        items: what is in it, in its order.
        cells: the nodes that the graph has for its places; empty for a list that is to be made.
    """

    items: tuple[Term, ...]
    cells: tuple[BlankNode, ...] = ()


Value: TypeAlias = Term | Node | Items
"""What can stand in a field."""


def values_of(store: Store, subject: Resource, *, limits: Limits = NO_LIMITS) -> dict[NamedNode, tuple[Value, ...]]:
    """All that is stated of a resource, by predicate; what is inferred is not a value to be edited."""
    found: dict[NamedNode, dict[Value, None]] = {}
    for quad in store.match(subject, limits=limits):
        if quad.graph_name != INFERRED and not isinstance(quad.object, Triple):
            found.setdefault(quad.predicate, {})[value_at(store, quad.object, limits=limits)] = None
    return {predicate: tuple(values) for predicate, values in sorted(found.items(), key=lambda pair: pair[0].value)}


def value_at(store: Store, term: Term, *, limits: Limits = NO_LIMITS) -> Value:
    """The value that an object is: itself, or what is behind a blank node where that is a value."""
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
    """The list that begins at a node; None where it is not a plain one: forked, endless or cut short."""
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
        unit: its unit; None for a number without one.
        before: the node that it takes the place of: its predicates are kept, and all else that it says.
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
    """The node of a key with its value; `before` as for a quantity."""
    kept: Iterable[tuple[NamedNode, Term]] = [(RDF.type, HPC.KeyValue)]
    if before is not None:
        kept = [fact for fact in before.facts if fact[0] not in _KEY_PREDICATES]
    return Node(frozenset({*kept, (HPC.key, Literal(key)), (HPC.value, value)}), None if before is None else before.at)
