"""Class expressions of OWL 2 in one line, in the manner of the Manchester syntax (W3C note of 2012, section 2.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping

from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.namespaces import OWL, RDF
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Term, Triple, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

DEEPEST = 6
"""The most levels of nested expressions; deeper ones are written as …"""

MOST_MEMBERS = 20
"""The most members of a union, an intersection or an enumeration that are written."""

_QUANTIFIERS = {
    OWL.someValuesFrom: "some",
    OWL.allValuesFrom: "only",
    OWL.hasValue: "value",
    OWL.minCardinality: "min",
    OWL.maxCardinality: "max",
    OWL.cardinality: "exactly",
    OWL.minQualifiedCardinality: "min",
    OWL.maxQualifiedCardinality: "max",
    OWL.qualifiedCardinality: "exactly",
}
_JOINED = {OWL.unionOf: " or ", OWL.intersectionOf: " and ", OWL.oneOf: ", "}
EXPRESSION_PREDICATES = frozenset({OWL.onProperty, OWL.complementOf, *_JOINED})
"""A blank node with one of these is a class expression."""

_PREDICATES = (
    *_QUANTIFIERS,
    *_JOINED,
    *(OWL.onProperty, OWL.onClass, OWL.onDataRange, OWL.complementOf, OWL.hasSelf, OWL.inverseOf, RDF.first, RDF.rest),
)
_Statements = Mapping[Resource, Mapping[NamedNode, Term]]


def expressions_of(
    store: Store, nodes: Collection[Resource], name: Callable[[NamedNode], str], *, limits: Limits = NO_LIMITS
) -> dict[Resource, str]:
    """The blank nodes among these that are class expressions, such as "has part some (File or Folder)".

    Args:
        name: returns the label of a class, property or individual.
    """
    blank = [node for node in nodes if isinstance(node, BlankNode)]
    stated = _stated(store, blank, limits)
    found = {node: _written(node, stated, name, DEEPEST) for node in blank if _is_expression(stated.get(node, {}))}
    return {node: text for node, text in found.items() if text}


def _stated(store: Store, nodes: Collection[Resource], limits: Limits) -> _Statements:
    """What is stated of these nodes and of the blank nodes below them."""
    found: dict[Resource, dict[NamedNode, Term]] = defaultdict(dict)
    waiting, seen = set(nodes), set(nodes)
    for _ in range(DEEPEST * MOST_MEMBERS):
        if not waiting:
            break
        below: set[Resource] = set()
        for quad in store.match_many(subjects=waiting, predicates=_PREDICATES, limits=limits):
            term = quad.object
            if isinstance(quad.subject, (NamedNode, BlankNode)) and not isinstance(term, Triple):
                found[quad.subject].setdefault(quad.predicate, term)
                if isinstance(term, BlankNode):
                    below.add(term)
        waiting = below - seen
        seen |= below
    return found


def _is_expression(said: Mapping[NamedNode, Term]) -> bool:
    return not EXPRESSION_PREDICATES.isdisjoint(said)


def _written(term: Term, stated: _Statements, name: Callable[[NamedNode], str], depth: int) -> str:
    if isinstance(term, Literal):
        return literal_text(term)
    if isinstance(term, NamedNode):
        return name(term)
    said = stated.get(term, {}) if is_resource(term) else {}
    if depth == 0 or not said:
        return "…"

    def part(one: Term) -> str:
        text = _written(one, stated, name, depth - 1)
        compound = isinstance(one, BlankNode) and _is_expression(stated.get(one, {}))
        return f"({text})" if compound else text

    for predicate, between in _JOINED.items():
        if predicate in said:
            members = _members(said[predicate], stated)
            shown = between.join(map(part, members[:MOST_MEMBERS])) + ("…" if len(members) > MOST_MEMBERS else "")
            return f"{{{shown}}}" if predicate == OWL.oneOf else shown
    if OWL.complementOf in said:
        return f"not {part(said[OWL.complementOf])}"
    if OWL.onProperty not in said:
        return f"inverse {part(said[OWL.inverseOf])}" if OWL.inverseOf in said else "…"
    on = part(said[OWL.onProperty])
    if OWL.hasSelf in said:
        return f"{on} Self"
    for predicate, word in _QUANTIFIERS.items():
        if predicate in said:
            of = said.get(OWL.onClass) or said.get(OWL.onDataRange)
            return f"{on} {word} {part(said[predicate])}" + (f" {part(of)}" if of is not None else "")
    return on


def _members(node: Term, stated: _Statements) -> list[Term]:
    """The members of a list, as far as it is stated."""
    found: list[Term] = []
    seen: set[Term] = set()
    while is_resource(node) and node not in seen and RDF.first in stated.get(node, {}):
        seen.add(node)
        found.append(stated[node][RDF.first])
        node = stated[node].get(RDF.rest, RDF.nil)
    return found
