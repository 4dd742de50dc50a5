"""Expand a graph node by node, with the number of neighbours known before each step."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from hpc_explorer.app.explore.finding import key_of, references, resource_of_key
from hpc_explorer.app.explore.links import (
    MANY,
    Links,
    far_end,
    further_statements,
    links_by,
    links_of,
    neighbours_in,
)
from hpc_explorer.app.explore.value_nodes import VALUE_NODE_PREDICATES, value_texts
from hpc_explorer.app.graph.shortest_path import shortest_chain
from hpc_explorer.app.lineage.tracing import find_path
from hpc_explorer.app.views import FilterChoice, FilterChoices, NeighbourCount, source_title
from hpc_explorer.canvas.scene import SceneEdge, SceneNode
from hpc_explorer.canvas.view import steps
from hpc_explorer.canvas.view.patch import History, earlier_and_later, with_changed_views
from hpc_explorer.canvas.view.state import Expansion, GraphView, NeighbourSet, edges_by_key
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, Resource, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits
from hpc_explorer.stores.remote.hubs import classes_of_ends, ends_of_class
from hpc_explorer.stores.remote.remote import RemoteStore

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

_VERBS = frozenset({"was", "were", "is", "are", "has", "have", "had", "did", "can", "see"})
_PREPOSITIONS = frozenset({"at", "by", "for", "from", "in", "into", "of", "on", "to", "with"})

PAGE = 50
"""Neighbours added by one step."""


def neighbour_sets(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> tuple[NeighbourCount, ...]:
    """The sets of neighbours of a node: each predicate in each direction, with its count.

    Outgoing sets come first, each direction sorted by label. Values and the node's classes are not neighbours.
    """
    counts = []
    for outgoing in (True, False):
        found = []
        for links in links_of(session, resource, outgoing=outgoing, limits=limits):
            if not (outgoing and links.predicate == RDF.type):
                number = _number(session, resource, links, _ends(session, resource, links, limits), limits)
                found.append(NeighbourCount(_set(resource, links), _label(session, links.predicate, outgoing), number))
        counts += sorted((one for one in found if one.count.value), key=lambda one: one.label.casefold())
    return tuple(counts)


def classes_in(session: Session, of: NeighbourSet, *, limits: Limits = NO_LIMITS) -> tuple[NeighbourCount, ...]:
    """The same neighbours by class, most frequent first; of a hub only the first `links.MANY` are counted."""
    schema = session.schema(limits=limits)
    links = _links(session, of, limits)
    hub = _hub_there(session, of, links)
    if hub is None:
        classes: Counter[NamedNode] = Counter()
        ends = _ends(session, resource_of_key(of.anchor), links, limits)
        for types in _types(session, ends, limits).values():
            classes.update(types)
        kind = CountKind.EXACT if links.complete else CountKind.AT_LEAST
    else:
        classes = Counter(
            classes_of_ends(
                session.store,
                hub,
                links.predicate,
                outgoing=of.outgoing,
                without=_no_neighbours(session, hub, limits),
                most=MANY,
                limits=limits,
            )
        )
        counts_all = links.total.kind is CountKind.EXACT and links.total.value <= MANY
        kind = CountKind.EXACT if counts_all else CountKind.AT_LEAST
    label = _label(session, links.predicate, of.outgoing)
    return tuple(
        NeighbourCount(of._replace(cls=cls.value), f"{label}: {schema.class_label(cls)}", Count(number, kind))
        for cls, number in sorted(classes.items(), key=lambda item: (-item[1], schema.class_label(item[0]).casefold()))
    )


def show_resources(
    session: Session, view: GraphView, resources: Collection[Resource], *, limits: Limits = NO_LIMITS
) -> GraphView:
    """The view with these resources and their links added."""
    fresh = [resource for resource in resources if key_of(resource) not in view.nodes]
    nodes = [view.nodes[key_of(resource)] for resource in resources if key_of(resource) in view.nodes]
    nodes += _nodes(session, fresh, limits)
    return steps.opened(view, nodes, _links_among(session, view, fresh, limits))


def expand(
    session: Session, view: GraphView, of: NeighbourSet, *, number: int = PAGE, limits: Limits = NO_LIMITS
) -> GraphView:
    """The view with the next `number` neighbours of a set, in the store's order."""
    before = view.expansions.get(of)
    first = before.shown if before else 0
    neighbours, total, label = _neighbours(session, of, limits, first + number)
    page = neighbours[first : first + number]
    expansion = Expansion(
        label,
        total.value,
        total.kind is not CountKind.EXACT,
        first + len(page),
        (*(before.members if before else ()), *(key_of(one) for one in page)),
    )
    fresh = [one for one in page if key_of(one) not in view.nodes]
    return steps.expanded(
        view, of, expansion, _nodes(session, fresh, limits), _links_among(session, view, fresh, limits)
    )


def show_path(
    session: Session, view: GraphView, one: Resource, other: Resource, *, limits: Limits = NO_LIMITS
) -> GraphView | None:
    """The view with a shortest chain between two resources; None if there is none.

    Prefers a chain of derivation in either direction, with intermediate nodes such as a qualified usage, to a chain of
    any links (`shortest_path.shortest_chain`).
    """
    chain = find_path(session, one, other, limits=limits)
    if chain is None:
        chain = find_path(session, other, one, limits=limits)
    if chain is None:
        joined = shortest_chain(session, one, other, limits=limits)
        return show_resources(session, view, joined, limits=limits) if joined is not None else None
    found: dict[Resource, None] = {one: None, other: None}
    for edge in chain:
        ends = [end for quad in edge.evidence for end in (quad.subject, quad.object)]
        found.update((end, None) for end in (edge.effect, edge.cause, *ends) if is_resource(end))
    return show_resources(session, view, list(found), limits=limits)


def filter_choices(session: Session, view: GraphView, *, limits: Limits = NO_LIMITS) -> FilterChoices:
    """What can be filtered out of a view, with the number of nodes and links of each."""
    schema = session.schema(limits=limits)
    sources = {str(source.graph): source_title(source.name) for source in session.sources}
    edges = view.edges.values()
    classes = Counter(cls for node in view.nodes.values() for cls in node.classes)
    predicates = Counter(edge.predicate for edge in edges)
    graphs = Counter(graph for edge in edges for graph in edge.graphs)
    origins: Counter[str] = Counter(edge.origin for edge in edges)

    def choices(counted: Counter[str], label: Callable[[str], str]) -> tuple[FilterChoice, ...]:
        found = [FilterChoice(key, label(key), number) for key, number in counted.items() if key]
        return tuple(sorted(found, key=lambda one: (one.label.casefold(), one.key)))

    return FilterChoices(
        choices(classes, lambda key: schema.class_label(NamedNode(key))),
        choices(predicates, lambda key: _predicate_label(session, NamedNode(key))),
        choices(graphs, lambda key: "inferred" if key == str(INFERRED) else sources.get(key, key.strip("<>"))),
        choices(origins, str),
    )


def refreshed(session: Session, view: GraphView, *, limits: Limits = NO_LIMITS) -> GraphView:
    """The view updated from the graph: names, classes, links and counts; resources that are gone are removed."""
    return _refreshing(session, [view], limits)(view)


def carried_over(
    session: Session, view: GraphView, history: History, *, limits: Limits = NO_LIMITS
) -> tuple[GraphView, History]:
    """The view and its undo history, updated from the graph. The graph is queried once for all views."""
    fresh = _refreshing(session, [view, *earlier_and_later(view, history)], limits)
    return fresh(view), with_changed_views(view, history, fresh)


def _refreshing(session: Session, views: Iterable[GraphView], limits: Limits) -> Callable[[GraphView], GraphView]:
    """A function that updates each of these views from the graph."""
    keys: dict[str, None] = {}
    sets: dict[NeighbourSet, None] = {}
    for view in views:
        keys.update(dict.fromkeys(view.nodes))
        sets.update(dict.fromkeys(view.expansions))
    store = session.store
    resources = [resource_of_key(key) for key in keys]
    known = {quad.subject for quad in store.match_many(subjects=resources, limits=limits)} if resources else set()
    gone = frozenset(
        key_of(one)
        for one in resources
        if one not in known and next(store.match(None, None, one, limits=limits), None) is None
    )
    counts = {of: _neighbours(session, of, limits)[1:] for of in sets if of.anchor not in gone}
    left = [resource_of_key(key) for key in keys if key not in gone]
    nodes = {node.key: node for node in _nodes(session, left, limits)} if left else {}
    edges = edges_by_key(_links_among(session, GraphView(), left, limits))

    def fresh(view: GraphView) -> GraphView:
        limits.check()
        view = steps.removed(view, gone)
        expansions = {}
        for of, expansion in view.expansions.items():
            total, label = counts[of]
            at_least = total.kind is not CountKind.EXACT
            expansions[of] = replace(expansion, label=label, total=total.value, at_least=at_least)
        there = view.nodes
        return replace(
            view,
            nodes={key: nodes[key] for key in there},
            edges={key: edge for key, edge in edges.items() if edge.source in there and edge.target in there},
            expansions=expansions,
        )

    return fresh


def _neighbours(
    session: Session, of: NeighbourSet, limits: Limits, number: int = 0
) -> tuple[list[Resource], Count, str]:
    """The neighbours of a set (of a hub the first ones, at least `number`), their number, and a label."""
    links = _links(session, of, limits)
    anchor = resource_of_key(of.anchor)
    label = _label(session, links.predicate, of.outgoing)
    if of.cls:
        return *_of_class(session, of, links, number, limits), f"{label}: {_class_label(session, of, limits)}"
    neighbours = _ends(session, anchor, links, limits)
    total = _number(session, anchor, links, neighbours, limits)
    if number > len(neighbours) and not links.complete:
        neighbours = _further(session, of, number, limits)
    return neighbours, total, label


def _of_class(
    session: Session, of: NeighbourSet, links: Links, number: int, limits: Limits
) -> tuple[list[Resource], Count]:
    """The neighbours of a set that are in its class, and their number."""
    cls = NamedNode(of.cls)
    hub = _hub_there(session, of, links)
    if hub is None:
        neighbours = _ends(session, resource_of_key(of.anchor), links, limits)
        types = _types(session, neighbours, limits)
        of_class = [one for one in neighbours if cls in types.get(one, ())]
        return of_class, Count(len(of_class), CountKind.EXACT if links.complete else CountKind.AT_LEAST)
    counted = next((one.count for one in classes_in(session, of._replace(cls=""), limits=limits) if one.of == of), None)
    found = ends_of_class(
        session.store,
        hub,
        links.predicate,
        cls,
        outgoing=of.outgoing,
        without=_no_neighbours(session, hub, limits),
        number=max(number, PAGE),
        limits=limits,
    )
    return list(found), counted or Count(len(found), CountKind.AT_LEAST)


def _class_label(session: Session, of: NeighbourSet, limits: Limits) -> str:
    return session.schema(limits=limits).class_label(NamedNode(of.cls))


def _hub_there(session: Session, of: NeighbourSet, links: Links) -> NamedNode | None:
    """The resource of a set, if it is a hub at an endpoint whose incoming links the endpoint counts."""
    anchor = resource_of_key(of.anchor)
    is_counted = session.store.capabilities.remote and not links.complete and not links.outgoing
    return anchor if is_counted and isinstance(anchor, NamedNode) else None


def _no_neighbours(session: Session, anchor: NamedNode, limits: Limits) -> set[NamedNode]:
    """What is linked to a node and is none of its neighbours: itself, and the names of properties."""
    properties = session.schema(limits=limits).properties
    return {anchor} if anchor in properties else {anchor, *properties}


def _links(session: Session, of: NeighbourSet, limits: Limits) -> Links:
    return links_by(session, resource_of_key(of.anchor), NamedNode(of.predicate), of.outgoing, limits)


def _further(session: Session, of: NeighbourSet, number: int, limits: Limits) -> list[Resource]:
    """The first `number` neighbours of a hub, beyond those that its links have."""
    anchor, predicate = resource_of_key(of.anchor), NamedNode(of.predicate)
    found: dict[Resource, None] = {}
    for quad in further_statements(session, anchor, predicate, of.outgoing, number, limits):
        end = far_end(quad, of.outgoing)
        if is_resource(end):
            found[end] = None
        if len(found) >= number:
            break
    return list(found)


def _set(resource: Resource, links: Links) -> NeighbourSet:
    return NeighbourSet(key_of(resource), links.predicate.value, links.outgoing)


def _ends(session: Session, anchor: Resource, links: Links, limits: Limits) -> list[Resource]:
    """The neighbours among the other ends. Values in the form of a node, and names of properties, which are metadata,
    are shown in the inspector instead.
    """
    schema = session.schema(limits=limits)
    ends = [end for end in neighbours_in(links) if end != anchor]
    if anchor not in schema.properties:
        ends = [end for end in ends if end not in schema.properties]
    if links.outgoing and ends:
        values = value_texts(session, ends, limits=limits)
        ends = [end for end in ends if end not in values]
    return ends


def _number(session: Session, anchor: Resource, links: Links, ends: Collection[Resource], limits: Limits) -> Count:
    """The number of neighbours; of a hub at least `ends`, because others may be values."""
    if links.complete:
        return Count(len(ends))
    if links.outgoing and any(session.usage(limits=limits).predicates.get(term) for term in VALUE_NODE_PREDICATES):
        return Count(len(ends), CountKind.AT_LEAST)
    schema = session.schema(limits=limits)
    names = [] if anchor in schema.properties else [one for one in schema.properties if one != anchor]
    ends_of = {"objects": names} if links.outgoing else {"subjects": names}
    stated = session.store.match_many(**ends_of, predicates=(links.predicate,), limits=limits) if names else ()
    named = {far_end(quad, links.outgoing) for quad in stated if far_end(quad, not links.outgoing) == anchor}
    return Count(links.resources.value - len(named), links.resources.kind)


def _label(session: Session, predicate: NamedNode, outgoing: bool) -> str:
    if predicate == RDF.type:
        return "instances"
    label = session.schema().property_label(predicate)
    if outgoing:
        return label
    # In the other direction, "used" reads "used by" and "dataset" reads "dataset of"; other verbs have no inverse.
    if re.fullmatch(r"\w+ed", label):
        return f"{label} by"
    first, last = label.split()[0], label.split()[-1]
    is_noun = first.casefold() not in _VERBS and last not in _PREPOSITIONS and not last.endswith(("s", "ed"))
    return f"{label} of" if is_noun else f"{label} (from)"


def _predicate_label(session: Session, predicate: NamedNode) -> str:
    return "instance of" if predicate == RDF.type else session.schema().property_label(predicate)


def _types(session: Session, resources: Iterable[Resource], limits: Limits) -> dict[Resource, list[NamedNode]]:
    types: dict[Resource, list[NamedNode]] = {}
    asked = list(resources)
    for quad in session.store.match_many(subjects=asked, predicates=(RDF.type,), limits=limits) if asked else ():
        if isinstance(quad.object, NamedNode):
            known = types.setdefault(quad.subject, [])  # type: ignore[arg-type]  # asked for resources
            if quad.object not in known:
                known.append(quad.object)
    return types


def _nodes(session: Session, resources: Collection[Resource], limits: Limits) -> list[SceneNode]:
    refs = references(session, resources, limits=limits)
    types = _types(session, resources, limits)
    return [
        SceneNode(
            key=ref.iri,
            label=ref.label,
            kind=ref.kind,
            colour_key=ref.colour_key,
            tooltip=ref.iri,
            classes=tuple(sorted(cls.value for cls in types.get(resource, ()))),
        )
        for resource, ref in refs.items()
    ]


def _links_among(session: Session, view: GraphView, fresh: Collection[Resource], limits: Limits) -> list[SceneEdge]:
    """The links among new nodes, and between them and those of the view."""
    if not fresh:
        return []
    new = set(fresh)
    there = {resource_of_key(key) for key in view.nodes}
    links: dict[tuple[Resource, NamedNode, Resource], set[GraphName]] = {}
    for subjects, ends in ((new, there | new), (there, new)):
        for quad in _between(session, subjects, ends, limits):
            if quad.object in ends and quad.object != quad.subject:
                triple = (quad.subject, quad.predicate, quad.object)
                links.setdefault(triple, set()).add(quad.graph_name)  # type: ignore[arg-type]  # ends are resources
    return [_edge(session, triple, graphs) for triple, graphs in links.items()]


def _between(
    session: Session, subjects: Collection[Resource], ends: Collection[Resource], limits: Limits
) -> Iterator[Quad]:
    """The statements of resources, at least those that lead to `ends`; an endpoint sends no others of named ones."""
    store = session.store
    if isinstance(store, RemoteStore):
        named = [one for one in ends if isinstance(one, NamedNode)]
        yield from store.between([one for one in subjects if isinstance(one, NamedNode)], named, limits=limits)
        if len(named) == len(ends):
            subjects = [one for one in subjects if not isinstance(one, NamedNode)]
    if subjects:
        yield from store.match_many(subjects=subjects, limits=limits)


def _edge(session: Session, triple: tuple[Resource, NamedNode, Resource], graphs: set[GraphName]) -> SceneEdge:
    source, predicate, target = triple
    origin = Origin.INFERRED if graphs == {INFERRED} else Origin.ASSERTED
    return SceneEdge(
        key_of(source),
        key_of(target),
        _predicate_label(session, predicate),
        origin.value,
        tooltip=f"{origin.value}: {session.prefixes.short(predicate.value)}",
        predicate=predicate.value,
        graphs=tuple(sorted(str(graph) for graph in graphs)),
    )
