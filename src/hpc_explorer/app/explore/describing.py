"""Describes the graph and single resources."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.explore.links import Links, far_end, links_by, links_of
from hpc_explorer.app.explore.value_nodes import value_texts
from hpc_explorer.app.views import (
    EndpointNotes,
    GraphSummary,
    PropertyView,
    ResourceRef,
    ResourceView,
    TermCount,
    ValueView,
)
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownResource
from hpc_explorer.ontology.expressions import EXPRESSION_PREDICATES
from hpc_explorer.ontology.instances import Usage, graph_sizes_there
from hpc_explorer.ontology.labels import COMMENT_PREDICATES, LABEL_PREDICATES, label_order, preferred_text
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.ontology.schema import DomainReason, SchemaIndex, properties_of_class
from hpc_explorer.rdf.literals import literal_detail, literal_text
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import BlankNode, GraphName, Literal, NamedNode, Quad, Resource, Term, iri_text, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits
from hpc_explorer.stores.remote.remote import RemoteStore

# The most levels of nested blank nodes.
_DEEPEST_PARTS = 4

_FIRST_PREDICATES = {term: rank for rank, term in enumerate((*LABEL_PREDICATES, *COMMENT_PREDICATES))}


def describe_graph(session: Session, *, limits: Limits = NO_LIMITS) -> GraphSummary:
    """The sources, graphs, classes and predicates with counts."""
    schema = session.schema(limits=limits)
    usage = session.usage(limits=limits)
    return GraphSummary(
        triples=stated_triples(session, limits),
        sources=session.sources,
        graphs=_graphs(session, limits),
        classes=_counted(
            session,
            {cls: schema.class_label(cls) for cls in usage.classes()},
            {cls: usage.class_count(cls, number) for cls, number in usage.classes().items()},
        ),
        predicates=_counted(
            session,
            {term: schema.property_label(term) for term in usage.predicates},
            {term: usage.predicate_count(term) for term in usage.predicates},
        ),
        defined_classes=sum(info.defined for info in schema.classes.values()),
        defined_properties=sum(info.defined for info in schema.properties.values()),
        inference=session.inference,
        answers_age=session.answers_age(),
        offline=session.is_offline,
        endpoint=_endpoint_notes(session, usage, limits),
    )


def _endpoint_notes(session: Session, usage: Usage, limits: Limits) -> EndpointNotes | None:
    store = session.store
    if not isinstance(store, RemoteStore):
        return None
    default_graph = ""
    if store.layout(limits=limits).is_split:
        default_graph = (
            "queries without GRAPH see the default graph alone; descriptions, lineage and export see all graphs"
        )
    return EndpointNotes(usage.origin, usage.note, session.label_index(limits=limits).how, default_graph)


def stated_triples(session: Session, limits: Limits) -> Count:
    """The number of triples without inferred ones."""
    size = session.store.size(limits=limits)
    return Count(size.value - session.inference.triples, size.kind) if session.inference else size


def _graphs(session: Session, limits: Limits) -> tuple[tuple[GraphName, Count], ...]:
    if session.store.capabilities.remote:
        return graph_sizes_there(session.store, limits=limits)
    sizes = session.graph_sizes(limits=limits)
    return tuple((graph, Count(number)) for graph, number in sorted(sizes.items(), key=lambda item: str(item[0])))


def _counted(
    session: Session, labels: Mapping[NamedNode, str], counts: Mapping[NamedNode, Count]
) -> tuple[TermCount, ...]:
    ordered = sorted(labels, key=lambda term: (-counts[term].value, labels[term].casefold(), term.value))
    return tuple(TermCount(term, session.prefixes.short(term.value), labels[term], counts[term]) for term in ordered)


def properties_for(
    session: Session, cls: NamedNode, *, limits: Limits = NO_LIMITS
) -> tuple[tuple[TermCount, DomainReason], ...]:
    """The properties that instances of a class have or may have, sorted by label, and the reason for each.

    The counts are triples in the whole graph.
    """
    schema = session.schema(limits=limits)
    reasons = properties_of_class(schema, cls, session.predicates_used_by(cls, limits=limits))
    usage = session.usage(limits=limits)
    listed = (
        (
            TermCount(
                term, session.prefixes.short(term.value), schema.property_label(term), usage.predicate_count(term)
            ),
            reason,
        )
        for term, reason in reasons.items()
    )
    return tuple(sorted(listed, key=lambda item: label_order(item[0].label)))


def describe_resource(
    session: Session, resource: Resource, *, values_per_property: int = 50, limits: Limits = NO_LIMITS
) -> ResourceView:
    """Describe a resource and its incoming links.

    Args:
        values_per_property: the most values of a property that are listed; all are counted.

    Raises:
        UnknownResource: it does not occur in the graph.
    """
    schema = session.schema(limits=limits)
    outgoing = links_of(session, resource, outgoing=True, limits=limits)
    incoming = links_of(session, resource, outgoing=False, limits=limits)
    if not outgoing and not incoming and resource not in schema.classes and resource not in schema.properties:
        raise UnknownResource("the graph says nothing about this resource", iri_text(resource), "search for its name")
    typings = [quad for links in outgoing if links.predicate == RDF.type for quad in links.quads]
    all_types = [quad.object for quad in typings if isinstance(quad.object, NamedNode)]
    stated_types = {quad.object for quad in typings if quad.graph_name != INFERRED}
    specific = schema.most_specific(all_types)
    refs = references(session, [resource, *all_types], limits=limits)
    stated = [links for links in outgoing if links.predicate != RDF.type]
    viewer = _Viewer(session, schema, values_per_property, limits)
    return ResourceView(
        ref=refs[resource],
        types=tuple(refs[cls] for cls in dict.fromkeys((*specific, *all_types))),
        description=_description(schema, resource, (quad for links in stated for quad in links.quads)),
        outgoing=viewer.linked(stated),
        incoming=viewer.linked(incoming, unfold=False),
        inferred_types=tuple(refs[cls] for cls in dict.fromkeys(all_types) if cls not in stated_types),
    )


def property_of(
    session: Session,
    resource: Resource,
    predicate: NamedNode,
    *,
    outgoing: bool,
    most: int,
    limits: Limits = NO_LIMITS,
) -> PropertyView | None:
    """The values of one property of a resource, or its incoming links by one, up to `most`; None without any."""
    links = links_by(session, resource, predicate, outgoing, limits, most=most)
    viewer = _Viewer(session, session.schema(limits=limits), most, limits)
    return next(iter(viewer.linked([links], unfold=outgoing)), None)


def _description(schema: SchemaIndex, resource: Resource, stated: Iterable[Quad]) -> str:
    """The text of the first comment predicate present; for a class or property its comment in the schema."""
    comments: dict[NamedNode, list[Literal]] = {}
    for quad in stated:
        if quad.predicate in COMMENT_PREDICATES and isinstance(quad.object, Literal):
            comments.setdefault(quad.predicate, []).append(quad.object)
    for predicate in COMMENT_PREDICATES:
        if predicate in comments:
            return preferred_text(comments[predicate]) or ""
    info = schema.classes.get(resource) or schema.properties.get(resource) if isinstance(resource, NamedNode) else None
    return info.comment if info else ""


_Statement = tuple[NamedNode, object, GraphName]
"""Predicate, other term, and graph."""


class _Viewer:
    """Converts statements to property views, with all labels in one query."""

    def __init__(self, session: Session, schema: SchemaIndex, most_values: int, limits: Limits) -> None:
        self._session = session
        self._schema = schema
        self._most_values = most_values
        self._limits = limits

    def linked(self, all_links: Collection[Links], *, unfold: bool = True) -> tuple[PropertyView, ...]:
        """The properties or incoming links of a resource with their totals."""
        statements: list[_Statement] = [
            (quad.predicate, far_end(quad, links.outgoing), quad.graph_name)
            for links in all_links
            for quad in links.quads
        ]
        # Complete lists are counted by their terms.
        totals = {links.predicate: links.total for links in all_links if not links.complete}
        views = self.properties(statements, unfold=unfold)
        return tuple(replace(view, total=totals.get(view.predicate, view.total)) for view in views)

    def properties(
        self, statements: list[_Statement], *, unfold: bool = True, depth: int = 0
    ) -> tuple[PropertyView, ...]:
        """The statements by predicate: names, descriptions, then others by label."""
        grouped: dict[NamedNode, dict[Term, list[GraphName]]] = {}
        for predicate, term, graph in statements:
            if isinstance(term, (NamedNode, BlankNode, Literal)):
                grouped.setdefault(predicate, {}).setdefault(term, []).append(graph)
        shown = {predicate: list(values)[: self._most_values] for predicate, values in grouped.items()}
        resources = [term for values in shown.values() for term in values if is_resource(term)]
        refs = references(self._session, resources, limits=self._limits)
        compact = value_texts(self._session, resources, limits=self._limits)
        views = []
        for predicate, terms in shown.items():
            values = [
                self._value(term, tuple(grouped[predicate][term]), refs, compact, unfold, depth) for term in terms
            ]
            values.sort(key=_value_order)
            views.append(self._property(predicate, tuple(values), len(grouped[predicate])))
        return tuple(sorted(views, key=_reading_order))

    def _property(self, predicate: NamedNode, values: tuple[ValueView, ...], total: int) -> PropertyView:
        info = self._schema.properties.get(predicate)
        return PropertyView(
            predicate=predicate,
            curie=self._session.prefixes.short(predicate.value),
            label="instance of" if predicate == RDF.type else self._schema.property_label(predicate),
            comment=info.comment if info else "",
            values=values,
            total=Count(total),
        )

    def _value(
        self,
        term: Term,
        graphs: tuple[GraphName, ...],
        refs: Mapping[Resource, ResourceRef],
        compact: Mapping[Resource, str],
        unfold: bool,
        depth: int,
    ) -> ValueView:
        if isinstance(term, Literal):
            return ValueView(term, literal_text(term), literal_detail(term), None, graphs)
        if term in compact:
            target = refs[term] if isinstance(term, NamedNode) else None
            return ValueView(term, compact[term], "", target, graphs)
        if isinstance(term, BlankNode) and unfold and depth < _DEEPEST_PARTS:
            return ValueView(term, refs[term].label, refs[term].kind, refs[term], graphs, self._parts(term, depth))
        return ValueView(term, refs[term].label, refs[term].kind, refs[term], graphs)

    def _parts(self, node: BlankNode, depth: int) -> tuple[PropertyView, ...]:
        inside = list(self._session.store.match(node, limits=self._limits))
        if any(quad.predicate in EXPRESSION_PREDICATES for quad in inside):
            return ()  # its name is the whole expression
        statements: list[_Statement] = [
            (quad.predicate, quad.object, quad.graph_name) for quad in inside if quad.predicate != RDF.type
        ]
        return self.properties(statements, depth=depth + 1)


def _value_order(view: ValueView) -> tuple[str | tuple[int, str], ...]:
    """Names in natural order; texts by letters, to sort 0.12 before 0.9."""
    return label_order(view.text) if view.target is not None else (view.text.casefold(),)


def _reading_order(view: PropertyView) -> tuple[int, str, str]:
    return (_FIRST_PREDICATES.get(view.predicate, len(_FIRST_PREDICATES)), view.label.casefold(), view.curie)
