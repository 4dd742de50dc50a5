"""SPARQL patterns that match quads at an endpoint with any layout."""

from __future__ import annotations

from collections.abc import Collection

from hpc_explorer.rdf.terms import DefaultGraph, GraphName, NamedNode, Term
from hpc_explorer.stores.remote.dataset import DatasetLayout

BLANK_STEPS = 4
"""The maximum number of consecutive blank nodes that are followed, as in a list within a value."""


def anywhere(layout: DatasetLayout, subject: str, predicate: str, object: str, graph: str) -> str:
    """The group that matches a triple in any graph; `graph` stays unbound for one of the default graph alone."""
    triple = f"{subject} {predicate} {object}"
    named = f"GRAPH {graph} {{ {triple} }}"
    if not layout.has_named:
        return f"{triple} ."
    if not layout.default_is_own:
        return named
    # The variable of the graph that must not have it: one for each graph variable, so that patterns can be joined.
    hidden = f"FILTER NOT EXISTS {{ GRAPH {graph}_of {{ {triple} }} }}" if layout.default_is_union else ""
    return f"{{ {named} }} UNION {{ {triple} {hidden} }}"


def in_graph(layout: DatasetLayout, subject: str, predicate: str, object: str, graph: GraphName) -> str:
    """The group that matches a triple in one graph; the default graph means the triples that are only there."""
    triple = f"{subject} {predicate} {object}"
    if not isinstance(graph, DefaultGraph):
        return f"GRAPH {graph} {{ {triple} }}"
    if not layout.default_is_union:
        return f"{triple} ."
    return f"{triple} FILTER NOT EXISTS {{ GRAPH ?g_of {{ {triple} }} }}"


def values(variable: str, terms: Collection[Term]) -> str:
    """The VALUES block of a variable."""
    return f"VALUES {variable} {{ {' '.join(map(str, terms))} }}"


def one_of(variable: str, terms: Collection[NamedNode] | None) -> str:
    """The filter that restricts a predicate; empty for None: any."""
    if terms is None:
        return ""
    return f"FILTER({variable} IN ({', '.join(sorted(map(str, terms)))}))"


def descendants(layout: DatasetLayout, subjects: Collection[Term], predicates: Collection[NamedNode] | None) -> str:
    """The quads ?s ?p ?o ?g of these subjects with blank nodes as values, and all quads nested below."""
    branches = [
        f"{values('?s', subjects)} {{ {anywhere(layout, '?s', '?p', '?o', '?g')} }} "
        f"{one_of('?p', predicates)} FILTER(isBlank(?o))",
        descendants_pattern(layout, values("?n0", subjects), predicates),
    ]
    return _union(branches)


def descendants_pattern(layout: DatasetLayout, start: str, predicates: Collection[NamedNode] | None = None) -> str:
    """All quads ?s ?p ?o ?g nested below the blank nodes that are values of `start`'s ?n0."""
    branches = []
    for steps in range(1, BLANK_STEPS + 1):
        links = anywhere(layout, "?n0", "?p0", _name(1, steps), "?g0")
        branches.append(f"{start} {{ {links} }} {one_of('?p0', predicates)} {_chain(layout, steps)}")
    return _union(branches)


def ancestors(layout: DatasetLayout, objects: Collection[Term], predicates: Collection[NamedNode] | None) -> str:
    """The quads ?s ?p ?o ?g around the blank nodes that link to these objects, including nested ones."""

    def start(first: str) -> str:
        """The blank nodes, as the variable `first`, that link to the objects."""
        links = anywhere(layout, first, "?p0", "?n0", "?g0")
        return f"{values('?n0', objects)} {{ {links} }} {one_of('?p0', predicates)} FILTER(isBlank({first}))"

    branches = [f"{start('?o')} {{ {anywhere(layout, '?s', '?p', '?o', '?g')} }}"]
    for steps in range(1, BLANK_STEPS + 1):
        branches.append(f"{start(_name(1, steps))} {_chain(layout, steps)}")
    return _union(branches)


def _name(step: int, last: int) -> str:
    """The variable of a blank node of a chain; the last is ?s itself, because Virtuoso fails to compile BIND for it."""
    return "?s" if step == last else f"?n{step}"


def _chain(layout: DatasetLayout, last: int) -> str:
    """A chain of blank nodes from the first to the last, ?s, and a quad of the last."""
    parts = [f"FILTER(isBlank({_name(1, last)}))"]
    for step in range(1, last):
        here, there = _name(step, last), _name(step + 1, last)
        parts.append(f"{{ {anywhere(layout, here, f'?p{step}', there, f'?g{step}')} }} FILTER(isBlank({there}))")
    parts.append(f"{{ {anywhere(layout, '?s', '?p', '?o', '?g')} }}")
    return " ".join(parts)


def _union(branches: list[str]) -> str:
    return " UNION ".join(f"{{ {branch} }}" for branch in branches)
