"""The SPARQL patterns by which an endpoint is asked for quads, whatever its default graph is."""

from __future__ import annotations

from collections.abc import Collection

from hpc_explorer.rdf.terms import DefaultGraph, GraphName, NamedNode, Term
from hpc_explorer.stores.endpoint_dataset import DatasetLayout

BLANK_STEPS = 4
"""How many blank nodes in a row are followed, such as those of a list within a value."""


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
    """The block that says which terms a variable may be."""
    return f"VALUES {variable} {{ {' '.join(map(str, terms))} }}"


def one_of(variable: str, terms: Collection[NamedNode] | None) -> str:
    """The filter that says the same of predicates; empty for None: any."""
    if terms is None:
        return ""
    return f"FILTER({variable} IN ({', '.join(sorted(map(str, terms)))}))"


def beneath(layout: DatasetLayout, subjects: Collection[Term], predicates: Collection[NamedNode] | None) -> str:
    """The quads ?s ?p ?o ?g of these subjects whose value is a blank node, and all quads that hang on those."""
    branches = [
        f"{values('?s', subjects)} {{ {anywhere(layout, '?s', '?p', '?o', '?g')} }} "
        f"{one_of('?p', predicates)} FILTER(isBlank(?o))"
    ]
    for steps in range(1, BLANK_STEPS + 1):
        chain = [
            values("?n0", subjects),
            f"{{ {anywhere(layout, '?n0', '?p0', '?n1', '?g0')} }} {one_of('?p0', predicates)}",
        ]
        branches.append(f"{' '.join(chain)} {_chain(layout, 1, steps)} BIND(?n{steps} AS ?s)")
    return _union(branches)


def above(layout: DatasetLayout, objects: Collection[Term], predicates: Collection[NamedNode] | None) -> str:
    """The quads ?s ?p ?o ?g around the blank nodes that link to these objects: what leads to them and hangs on them."""
    start = (
        f"{values('?n0', objects)} {{ {anywhere(layout, '?n1', '?p0', '?n0', '?g0')} }} {one_of('?p0', predicates)} "
        "FILTER(isBlank(?n1))"
    )
    branches = [f"{start} {{ {anywhere(layout, '?s', '?p', '?n1', '?g')} }} BIND(?n1 AS ?o)"]
    for steps in range(1, BLANK_STEPS + 1):
        branches.append(f"{start} {_chain(layout, 1, steps)} BIND(?n{steps} AS ?s)")
    return _union(branches)


def _chain(layout: DatasetLayout, first: int, last: int) -> str:
    """From the blank node ?n{first} over blank nodes to ?n{last}, and a quad that hangs on it."""
    parts = [f"FILTER(isBlank(?n{first}))"]
    for step in range(first, last):
        parts.append(
            f"{{ {anywhere(layout, f'?n{step}', f'?p{step}', f'?n{step + 1}', f'?g{step}')} }} "
            f"FILTER(isBlank(?n{step + 1}))"
        )
    parts.append(f"{{ {anywhere(layout, f'?n{last}', '?p', '?o', '?g')} }}")
    return " ".join(parts)


def _union(branches: list[str]) -> str:
    return " UNION ".join(f"{{ {branch} }}" for branch in branches)
