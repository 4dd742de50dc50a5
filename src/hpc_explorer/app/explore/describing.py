"""Describes the graph, its classes, and single resources."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.explore.links import Links, far_end, links_by, links_of, most_listed
from hpc_explorer.app.views import (
    ClassNode,
    EndpointNotes,
    GraphSummary,
    PropertyView,
    ResourcePage,
    ResourceRef,
    ResourceView,
    TermCount,
    ValueView,
)
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownResource
from hpc_explorer.ontology import hierarchy
from hpc_explorer.ontology.expressions import EXPRESSION_PREDICATES
from hpc_explorer.ontology.instances import Usage, graph_sizes_there
from hpc_explorer.ontology.labels import COMMENT_PREDICATES, LABEL_PREDICATES, label_order, preferred_text
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.ontology.schema import DomainReason, SchemaIndex, properties_of_class
from hpc_explorer.rdf.literals import literal_detail, literal_text
from hpc_explorer.rdf.namespaces import HPC, RDF, RDFS
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.quantities import QUANTITY_PREDICATES, Quantity, read_quantity
from hpc_explorer.rdf.terms import BlankNode, GraphName, Literal, NamedNode, Quad, Resource, Term, iri_text, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits
from hpc_explorer.stores.remote.patterns import values
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


def class_tree(
    session: Session, root: NamedNode | None = None, *, with_inferred: bool = True, limits: Limits = NO_LIMITS
) -> tuple[ClassNode, ...]:
    """The class tree with numbers of instances, including those of subclasses and equivalent classes.

    Args:
        with_inferred: include inferred superclasses.

    Raises:
        UnknownResource: `root` is not a class.
    """
    schema = session.schema(limits=limits)
    usage = session.usage(limits=limits)
    inferred = _inferred_parents(session, schema, limits) if with_inferred else {}
    tree = hierarchy.class_tree(schema, usage, root, inferred)
    if root is not None and not tree:
        raise UnknownResource("the graph has no such class", session.prefixes.short(root.value), "see `classes`")
    refs = references(session, list(schema.classes), limits=limits)
    views: dict[tuple[int, Origin], ClassNode] = {}
    # Children before parents, without recursion: a chain of subclasses may be thousands long.
    work = [(node, Origin.ASSERTED, False) for node in tree]
    while work:
        node, origin, children_done = work.pop()
        if (id(node), origin) in views:
            continue
        below = [(child, Origin.INFERRED if child.cls in node.inferred else Origin.ASSERTED) for child in node.children]
        if not children_done:
            work.append((node, origin, True))
            work.extend((child, how, False) for child, how in below)
            continue
        views[id(node), origin] = ClassNode(
            ref=refs[node.cls],
            comment=schema.classes[node.cls].comment,
            instances=_instances(node, node.instances, usage, several=bool(node.children or node.equivalents)),
            own_instances=_instances(node, node.own, usage, several=bool(node.equivalents)),
            equivalents=tuple(refs[other] for other in node.equivalents),
            children=tuple(views[id(child), how] for child, how in below),
            origin=origin,
            circle=node.circle,
        )
    return tuple(views[id(node), Origin.ASSERTED] for node in tree)


def _inferred_parents(session: Session, schema: SchemaIndex, limits: Limits) -> hierarchy.InferredParents:
    if session.store.capabilities.remote or INFERRED not in session.store.graphs():
        return {}
    found = session.store.match(None, RDFS.subClassOf, None, INFERRED, limits=limits)
    if session.inference is not None and session.inference.with_background:
        # The shipped ontology's own statements are not in the inferred graph.
        background = session.background(limits=limits)
        known = (store.match(None, RDFS.subClassOf) for store in (background.stated, background.concluded))
        found = chain(found, chain.from_iterable(known))
    return hierarchy.inferred_parents(found, schema)


def _instances(node: hierarchy.ClassTreeNode, number: int, usage: Usage, *, several: bool) -> Count:
    """The count of one class or of several."""
    return usage.count_of_several(number) if several else usage.class_count(node.cls, number)


def instances_of(
    session: Session, cls: NamedNode, *, offset: int = 0, limit: int = 200, limits: Limits = NO_LIMITS
) -> ResourcePage:
    """A page of the instances of a class, its subclasses and equivalent classes.

    They are sorted by label, unless there are more than `links.MANY`, or at an endpoint `links.MANY_THERE`.
    """
    below = session.schema(limits=limits).at_or_below(cls)

    def total() -> Count:
        usage = session.usage(limits=limits)
        number = usage.instances_of_any(below)
        return usage.count_of_several(number) if len(below) > 1 else usage.class_count(cls, number)

    pattern = f"{values('?c', below)} ?s {RDF.type} ?c"

    def subjects() -> Iterable[object]:
        typings = session.store.match_many(objects=below, predicates=(RDF.type,), limits=limits)
        return (quad.subject for quad in typings)

    return page_of(session, pattern, subjects, total, offset=offset, limit=limit, limits=limits)


def page_of(
    session: Session,
    pattern: str,
    subjects: Callable[[], Iterable[object]],
    total: Callable[[], Count],
    *,
    offset: int = 0,
    limit: int = 200,
    limits: Limits = NO_LIMITS,
) -> ResourcePage:
    """A page of resources.

    They are sorted by label, unless there are more than `links.MANY`, or at an endpoint `links.MANY_THERE`: it sends
    no more than the page then.

    Args:
        pattern: the SPARQL pattern of the resources, as ?s.
        subjects: gives them, perhaps repeated.
        total: tells the number of different ones if there are more.
    """
    many = most_listed(session)
    there = session.store.capabilities.remote
    found = _subjects_there(session, pattern, 0, many + 1, limits) if there else None
    rest: Iterator[Resource] = iter(())
    if found is None:
        there, rest = False, _each_once(subjects())
        found = list(islice(rest, many + 1))
    if len(found) <= many:
        refs = references(session, found, limits=limits)
        ordered = sorted(refs.values(), key=lambda ref: (label_order(ref.label), ref.iri))
        return ResourcePage(tuple(ordered[offset : offset + limit]), offset, Count(len(ordered)))
    if there and offset + limit > len(found):
        page = _subjects_there(session, pattern, offset, limit, limits) or []
    else:
        page = list(islice(chain(found, rest), offset, offset + limit))
    refs = references(session, page, limits=limits)
    number = total()
    if number.value <= many:  # the count is a sample, outdated or unknown
        number = Count(many + 1, CountKind.AT_LEAST)
    return ResourcePage(tuple(refs[one] for one in page), offset, number, by_label=False)


def _subjects_there(session: Session, pattern: str, offset: int, number: int, limits: Limits) -> list[Resource] | None:
    """Different subjects ?s of a pattern at an endpoint; None if one has no IRI, and comes with its statements only."""
    query = f"SELECT DISTINCT ?s WHERE {{ {pattern} }} LIMIT {number} OFFSET {offset}"
    found: list[Resource] = []
    for row in session.store.select(query, limits=limits):
        if not isinstance(row["s"], NamedNode):
            return None
        found.append(row["s"])
    return found


def _each_once(subjects: Iterable[object]) -> Iterator[Resource]:
    seen: set[object] = set()
    for subject in subjects:
        if subject not in seen:
            seen.add(subject)
            yield subject  # type: ignore[misc]  # subjects are resources


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
