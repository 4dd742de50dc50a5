"""Draws a lineage, or a resource and its neighbours, as a scene."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from hpc_explorer.app.explore.finding import key_of, references
from hpc_explorer.app.explore.links import Links, links_of, neighbours_in
from hpc_explorer.app.explore.value_nodes import value_texts
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.badges import ANOMALOUS
from hpc_explorer.canvas.scene import ORIGIN_WORDS, Scene, SceneEdge, SceneNode
from hpc_explorer.lineage.facts.content import algorithms_of
from hpc_explorer.lineage.trace.backbone import Backbone, backbone
from hpc_explorer.lineage.trace.trace import Direction, Lineage, LineageEdge, LineageNode
from hpc_explorer.monitor.affected import affected_by_anomalies
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits

MOST_NODES = 400
"""The most nodes that a scene draws; an "and N more" node counts the rest."""

_NAMED_IN_SETTING = 2
_SETTING_ORDER = {"machine": 0, "software": 1, "agent": 2}

MORE_PREFIX = "more:"
"""The prefix of the keys of "and N more" nodes."""


def lineage_scene(
    session: Session,
    lineage: Lineage,
    *,
    with_setting: bool = False,
    with_shortcuts: bool = False,
    most: int = MOST_NODES,
    limits: Limits = NO_LIMITS,
) -> Scene:
    """A lineage as a layered scene, from raw data on the left to results on the right.

    The resources furthest from the start are counted beyond `most`.

    Args:
        with_setting: draw people, software, machines and plans as nodes instead of naming them on cards.
        with_shortcuts: draw links that a longer path also expresses.
    """
    line = backbone(lineage, with_setting=with_setting, with_shortcuts=with_shortcuts)
    drawn = dict.fromkeys(line.nodes[:most])
    named = {resource for resource in drawn for resource in line.setting.get(resource, ())}
    refs = references(session, [*drawn, *named], limits=limits)
    affected = affected_by_anomalies(session.store, limits=limits) if _has_anomalies(session, limits) else frozenset()
    nodes = [
        _node(
            refs[resource],
            focus=resource == lineage.start,
            stop=_stop(lineage.nodes[resource]),
            caption=_setting_caption([refs[other] for other in line.setting.get(resource, ())]),
            badges=(ANOMALOUS,) if key_of(resource) in affected else (),
        )
        for resource in drawn
    ]
    edges: list[SceneEdge] = []
    hidden: dict[Resource, set[Resource]] = defaultdict(set)
    upstream = lineage.direction is Direction.UPSTREAM
    for edge in line.edges:
        near, far = (edge.effect, edge.cause) if upstream else (edge.cause, edge.effect)
        if near in drawn and far in drawn:
            edges.append(lineage_edge(session, edge))
        elif near in drawn:
            hidden[near].add(far)
    for near, beyond in hidden.items():
        more = _more_node(near, "lineage", len(beyond))
        nodes.append(more)
        edges.append(SceneEdge(key_of(near), more.key, "", leads="back" if upstream else "forward"))
    start = refs[lineage.start]
    title = f"Where {start.label} comes from" if upstream else f"What was made from {start.label}"
    return Scene(tuple(nodes), tuple(edges), title, "layered", note=_left_out(line))


def _stop(node: LineageNode) -> str | None:
    return node.stop.value if node.stop is not None and not node.is_context else None


def _setting_caption(setting: Sequence[ResourceRef]) -> str | None:
    """The first machines, programs and people, and the number of others."""
    if not setting:
        return None
    ordered = sorted(setting, key=lambda ref: (_SETTING_ORDER.get(ref.colour_key, len(_SETTING_ORDER)), ref.label))
    more = len(ordered) - _NAMED_IN_SETTING
    return ", ".join(ref.label for ref in ordered[:_NAMED_IN_SETTING]) + (f" +{more}" if more > 0 else "")


def _left_out(line: Backbone) -> str:
    """A sentence about what the picture leaves out, if anything."""
    parts = []
    aside = {resource for found in line.setting.values() for resource in found} - set(line.nodes)
    if aside:
        parts.append(f"{len(aside):,} people, programs, machines and plans are named on the cards")
    if line.shortcuts:
        parts.append(f"shortcuts left out: {len(line.shortcuts):,}")
    return "; ".join(parts)


def lineage_edge(session: Session, edge: LineageEdge) -> SceneEdge:
    """A step of a lineage as a link."""
    statement = edge.evidence[0]
    # A qualified relation has no triple that joins the two; it is labelled from effect to cause.
    forward = statement.subject == edge.cause and statement.object == edge.effect
    plain = forward or (statement.subject == edge.effect and statement.object == edge.cause)
    schema = session.schema()
    source, target = (edge.cause, edge.effect) if forward else (edge.effect, edge.cause)
    return SceneEdge(
        key_of(source),
        key_of(target),
        schema.property_label(edge.predicate) if plain else edge.relation.value,
        edge.origin.value,
        "forward" if forward else "back",
        tooltip=evidence_text(session, edge),
    )


def evidence_text(session: Session, edge: LineageEdge) -> str:
    """The statements behind a lineage step with their sources."""
    names = {source.summary.graph: source.summary.name for source in session.opened}
    short = session.prefixes.short
    lines = []
    if edge.origin is Origin.MATCHED:
        lines.append(f"{ORIGIN_WORDS[edge.origin.value]}: same {', '.join(algorithms_of(edge))}")
    for quad in edge.evidence:
        terms = " ".join(
            short(term.value) if isinstance(term, NamedNode) else str(term)
            for term in (quad.subject, quad.predicate, quad.object)
        )
        graph = quad.graph_name
        where = names.get(graph, "") if isinstance(graph, NamedNode) else ""  # a source's own graph has its name
        origin = Origin.INFERRED if graph == INFERRED else Origin.ASSERTED
        lines.append(f"{origin.value}: {terms}" + (f" ({where or graph})" if graph != INFERRED else ""))
    return "\n".join(lines)


def _has_anomalies(session: Session, limits: Limits) -> bool:
    return not session.store.capabilities.remote and HPC.Anomaly in session.usage(limits=limits).classes()


def _node(
    ref: ResourceRef,
    *,
    focus: bool = False,
    stop: str | None = None,
    caption: str | None = None,
    badges: tuple[str, ...] = (),
) -> SceneNode:
    return SceneNode(
        key=ref.iri,
        label=ref.label,
        kind=ref.kind,
        colour_key=ref.colour_key,
        caption=caption,
        tooltip=ref.iri,
        focus=focus,
        stop=stop,
        badges=badges,
    )


def _more_node(beside: Resource, what: str, number: int, kind: CountKind = CountKind.EXACT) -> SceneNode:
    return SceneNode(
        key=f"{MORE_PREFIX}{what}:{key_of(beside)}",
        label=f"… and {Count(number, kind)} more",
        tooltip="Not drawn singly. Open the resource to see the whole list beside it.",
        group=True,
    )


def neighbourhood_scene(
    session: Session, resource: Resource, *, per_predicate: int = 12, limits: Limits = NO_LIMITS
) -> Scene:
    """A resource between its outgoing links (right) and incoming links (left).

    Literals, quantities and names of properties are left to the inspector.

    Args:
        per_predicate: the most neighbours for each predicate and direction; the rest are counted.
    """
    schema = session.schema(limits=limits)
    sides = {outgoing: _linked(session, resource, outgoing, limits) for outgoing in (False, True)}
    values = value_texts(session, [node for links, ends in sides[True] for node in ends], limits=limits)
    # A property as a value describes the description, not the resource.
    aside = set(values) if resource in schema.properties else {*values, *schema.properties}
    for _, ends in sides[True]:
        for node in aside & ends.keys():
            del ends[node]

    shown = {resource: None}
    for _, ends in (*sides[True], *sides[False]):
        shown.update(dict.fromkeys(list(ends)[:per_predicate]))
    refs = references(session, shown, limits=limits)
    nodes = {key_of(node): _node(refs[node], focus=node == resource) for node in shown}
    edges: list[SceneEdge] = []
    for leads_out, side in sides.items():
        for links, ends in sorted(side, key=lambda item: schema.property_label(item[0].predicate)):
            predicate = links.predicate
            label = "instance of" if predicate == RDF.type else schema.property_label(predicate)
            neighbours = sorted(list(ends)[:per_predicate], key=lambda node: label_order(refs[node].label))
            joined: list[tuple[str, Origin]] = [(key_of(node), _origin(ends[node])) for node in neighbours]
            left_out = links.resources.value - len(neighbours)
            if left_out and ends:
                way = "out" if leads_out else "in"
                more = _more_node(resource, f"{way}:{predicate.value}", left_out, links.resources.kind)
                nodes[more.key] = more
                joined.append((more.key, Origin.ASSERTED))
            for key, origin in joined:
                source, target = (key_of(resource), key) if leads_out else (key, key_of(resource))
                tooltip = f"{origin.value}: {session.prefixes.short(predicate.value)}"
                edges.append(SceneEdge(source, target, label, origin.value, tooltip=tooltip))
    return Scene(tuple(nodes.values()), tuple(edges), refs[resource].label, "star")


def _linked(
    session: Session, resource: Resource, outgoing: bool, limits: Limits
) -> list[tuple[Links, dict[Resource, list[Quad]]]]:
    """The neighbours by predicate, without the classes of the resource."""
    found = []
    for links in links_of(session, resource, outgoing=outgoing, limits=limits):
        if not (outgoing and links.predicate == RDF.type):
            ends = neighbours_in(links)
            ends.pop(resource, None)
            found.append((links, ends))
    return found


def _origin(statements: Iterable[Quad]) -> Origin:
    stated = any(quad.graph_name != INFERRED for quad in statements)
    return Origin.ASSERTED if stated else Origin.INFERRED
