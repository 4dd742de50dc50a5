"""The JSON output of commands, documented in docs/guide/command-line.md.

A count is an object `{"value": n, "kind": "exact" | "at least" | "unknown"}`; an unknown value is null.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.results.table_files import term_json
from hpc_explorer.app.views import (
    ClassNode,
    ContradictionView,
    GraphSummary,
    PropertyView,
    ResourceRef,
    ResourceView,
    TermCount,
)
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.lineage.time.as_of import State
from hpc_explorer.lineage.trace.trace import Lineage, LineageEdge
from hpc_explorer.ontology.explanation import Proof
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.ontology.schema import DomainReason
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import DefaultGraph, GraphName, NamedNode, Quad, Resource, Triple, iri_text
from hpc_explorer.stores.base import Count, CountKind

Json = dict[str, Any]


def dump(value: object) -> str:
    """Encode a value as all commands print it."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def count(number: Count) -> Json:
    """Encode a count with its kind."""
    return {"value": None if number.kind is CountKind.UNKNOWN else number.value, "kind": number.kind.value}


term = term_json


def _graph(graph: GraphName) -> str | None:
    return None if isinstance(graph, DefaultGraph) else iri_text(graph)


def named(ref: ResourceRef) -> Json:
    """Encode a resource with its label."""
    return {"iri": ref.iri, "curie": ref.curie, "label": ref.label, "class": ref.kind or None}


def _term_count(item: TermCount) -> Json:
    return {"iri": item.term.value, "curie": item.curie, "label": item.label, "count": count(item.count)}


def summary(view: GraphSummary, contradictions: Sequence[ContradictionView] = ()) -> str:
    """The output of `info --json`."""
    return dump(
        {
            "triples": count(view.triples),
            "sources": [
                {
                    "name": source.name,
                    "graph": source.graph.value,
                    "format": source.format,
                    "triples": count(source.triples),
                    "aliases": [{"spelled": spelled, "read_as": read_as} for spelled, read_as in source.aliases],
                    "notes": list(source.notes),
                    "missing": list(source.missing),
                }
                for source in view.sources
            ],
            "graphs": [{"graph": _graph(graph), "triples": count(number)} for graph, number in view.graphs],
            "classes": [_term_count(item) for item in view.classes],
            "predicates": [_term_count(item) for item in view.predicates],
            "defined_classes": view.defined_classes,
            "defined_properties": view.defined_properties,
            **_inferred(view, contradictions),
            **_endpoint(view),
            **_kept(view),
        }
    )


def _kept(view: GraphSummary) -> Json:
    if view.answers_age is None:
        return {}
    return {"kept_answers": {"age_seconds": round(view.answers_age.total_seconds()), "offline": view.offline}}


def _endpoint(view: GraphSummary) -> Json:
    if view.endpoint is None:
        return {}
    return {
        "endpoint": {
            "counts": view.endpoint.counts.name.lower(),
            "counts_note": view.endpoint.counts_note,
            "search": view.endpoint.search,
            "default_graph": view.endpoint.default_graph,
        }
    }


def _inferred(view: GraphSummary, contradictions: Sequence[ContradictionView]) -> Json:
    report = view.inference
    if report is None:
        return {}
    kind = CountKind.AT_LEAST if report.more_contradictions else CountKind.EXACT
    return {
        "inferred": {
            "triples": count(Count(report.triples)),
            "graph": INFERRED.value,
            "rules": report.rule_set.value,
            "by_rule": {rule: count(Count(number)) for rule, number in report.by_rule.items()},
            "contradictions": count(Count(len(report.contradictions), kind)),
        },
        "contradictions": [
            {
                "rule": one.rule,
                "sentence": one.sentence,
                "statements": [
                    {"subject": term(made.subject), "predicate": made.predicate.value, "object": term(made.object)}
                    for made in found.premises
                ],
            }
            for one, found in zip(contradictions, report.contradictions, strict=False)
        ],
    }


def classes(tree: Sequence[ClassNode]) -> str:
    """The output of `classes --json`: the distinct classes in tree order, with their parents.

    A flat list, because deep hierarchies exceed the nesting limits of JSON readers.
    """
    listed: dict[str, Json] = {}
    work: list[tuple[ClassNode, str | None]] = [(node, None) for node in reversed(tree)]
    while work:
        node, parent = work.pop()
        iri = node.ref.iri
        if iri not in listed:
            listed[iri] = {
                "iri": iri,
                "curie": node.ref.curie,
                "label": node.ref.label,
                "comment": node.comment,
                "parents": [],
                "equivalents": [other.iri for other in node.equivalents],
                "instances": count(node.instances),
                "own_instances": count(node.own_instances),
            }
            work.extend((child, iri) for child in reversed(node.children))
        if parent is not None and parent not in listed[iri]["parents"]:
            listed[iri]["parents"].append(parent)
    return dump({"classes": list(listed.values())})


def _properties(views: Iterable[PropertyView]) -> list[Json]:
    return [
        {
            "predicate": view.predicate.value,
            "curie": view.curie,
            "label": view.label,
            "total": count(view.total),
            "values": [
                {
                    "term": term(value.term),
                    "text": value.text,
                    "graphs": [_graph(graph) for graph in value.graphs],
                    "origin": value.origin.value,
                    **({"properties": _properties(value.parts)} if value.parts else {}),
                }
                for value in view.values
            ],
        }
        for view in views
    ]


def resource(view: ResourceView, fields: Sequence[tuple[TermCount, DomainReason]]) -> str:
    """The output of `show --json`."""
    described: Json = {
        **named(view.ref),
        "types": [
            {**named(ref), "origin": (Origin.INFERRED if ref in view.inferred_types else Origin.ASSERTED).value}
            for ref in view.types
        ],
        "description": view.description,
        "properties": _properties(view.outgoing),
        "incoming": _properties(view.incoming),
    }
    if fields:
        described["properties_of_instances"] = [
            {**_term_count(item), "because": reason.value} for item, reason in fields
        ]
    return dump(described)


def _statement(quad: Quad) -> Json:
    return {
        "subject": term(quad.subject),
        "predicate": quad.predicate.value,
        "object": term(quad.object),
        "graph": _graph(quad.graph_name),
    }


def step(edge: LineageEdge) -> Json:
    """Encode a lineage step with its statements."""
    return {
        "effect": iri_text(edge.effect),
        "relation": edge.relation.value,
        "cause": iri_text(edge.cause),
        "predicate": edge.predicate.value,
        "origin": edge.origin.value,
        "evidence": [_statement(quad) for quad in edge.evidence],
    }


def proof(root: Proof | None) -> str:
    """The output of `why --json`: the distinct statements of the proof, the proven one first; premises are indices.

    `statements` is null for a triple without a proof. The list is flat because deep proofs exceed the nesting limits of
    JSON readers.
    """
    if root is None:
        return dump({"statements": None})
    numbers: dict[Triple, int] = {root.triple: 0}
    listed = [root]
    for one in listed:
        for premise in one.premises:
            if premise.triple not in numbers:
                numbers[premise.triple] = len(listed)
                listed.append(premise)
    return dump(
        {
            "statements": [
                {
                    "subject": term(one.triple.subject),
                    "predicate": one.triple.predicate.value,
                    "object": term(one.triple.object),
                    "origin": (Origin.ASSERTED if one.rule is None else Origin.INFERRED).value,
                    "rule": one.rule,
                    "premises": [numbers[premise.triple] for premise in one.premises],
                    "graphs": [_graph(graph) for graph in one.graphs],
                    "shipped": one.in_background,
                }
                for one in listed
            ]
        }
    )


def lineage(
    session: Session,
    traced: Lineage,
    *,
    unknown: Mapping[NamedNode, int] | None = None,
    states: Mapping[Resource, State] | None = None,
) -> str:
    """The output of `lineage --format json`: nodes, and edges with their origin and statements.

    Args:
        unknown: the number of links between the nodes by unknown predicate.
        states: the states of nodes at the requested time.
    """
    refs = references(session, list(traced.nodes))
    return dump(
        {
            "start": iri_text(traced.start),
            "direction": traced.direction.value,
            "complete": traced.complete,
            "nodes": [
                {
                    **named(refs[resource]),
                    "depth": node.depth,
                    "context": node.is_context,
                    "stop": node.stop.value if node.stop else None,
                    **({} if states is None else {"state": states[resource].value}),
                }
                for resource, node in traced.nodes.items()
            ],
            "edges": [step(edge) for edge in traced.edges],
            "ends": [iri_text(node.resource) for node in traced.ends()],
            "not_understood": [
                {"predicate": predicate.value, "links": number} for predicate, number in (unknown or {}).items()
            ],
        }
    )


def path(session: Session, start: Resource, target: Resource, steps: Sequence[LineageEdge] | None) -> str:
    """The output of `path --json`; `steps` is null if there is no path."""
    refs = references(session, [start, target])
    return dump(
        {
            "from": named(refs[start]),
            "to": named(refs[target]),
            "steps": None if steps is None else [step(edge) for edge in steps],
        }
    )
