"""Draws the class hierarchy as a graph, with properties and instances on request.

Each class is drawn once, with a link to each superclass. It is placed below the open superclass that has the most
classes below it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hpc_explorer.app.explore.classes import class_tree, instances_of
from hpc_explorer.app.explore.drawing import MORE_PREFIX, MOST_NODES
from hpc_explorer.app.views import ClassNode, ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode
from hpc_explorer.ontology.schema import PropertyInfo, PropertyKind
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits

OPENED_FIRST = 40
"""The number of classes to show at first, by opening whole branches."""

WEIGHTY = 50
"""A branch with less than this fraction (1/50) of all classes stays closed at first."""

MOST_ALONE = 12
"""The most topmost classes without subclasses that are drawn singly; more share a card."""

MOST_LINKS = 60
"""The most property links; of more, only those of the chosen class are drawn."""

INSTANCES_SHOWN = 5
"""The most instances beside a class; the rest are counted."""

ALONE = f"{MORE_PREFIX}alone:"
"""The key of the card for classes outside the hierarchy, also among the open branches."""

CLOSED_MARK, OPEN_MARK, MERGED_MARK = "+", "−", "="
"""Badges: "+12" opens a branch of 12 classes, "−" closes it, "=" marks merged classes."""


@dataclass(frozen=True)
class ClassChoice:
    """What the class picture shows.

    Args:
        opened: the IRIs of open branches, and `ALONE` if classes outside the hierarchy are drawn.
        with_properties: whether to draw properties between classes.
        instances: the IRIs of classes drawn with instances.
        focus: the IRI of the class in focus, or empty.
        chosen: the IRI of the selected class, or empty.
    """

    opened: frozenset[str] = frozenset()
    with_properties: bool = False
    instances: frozenset[str] = frozenset()
    focus: str = ""
    chosen: str = ""


@dataclass(frozen=True)
class ClassPicture:
    """The class picture with its counts.

    Args:
        drawn: classes with a card,
        classes: all classes.
        inferred: subclass links that are inferred.
        circles: cards for classes that are stated to be subclasses of each other.
        links: property links that are drawn,
        links_left_out: property links that are left out because there are too many,
        links_out_of_sight: property links with an end that is not drawn.
    """

    scene: Scene
    drawn: int = 0
    classes: int = 0
    inferred: int = 0
    circles: int = 0
    links: int = 0
    links_left_out: int = 0
    links_out_of_sight: int = 0


def every_class(tree: Iterable[ClassNode]) -> dict[str, ClassNode]:
    """The classes of a tree by IRI, upper levels first."""
    found: dict[str, ClassNode] = {}
    level: Sequence[ClassNode] = list(tree)
    while level:
        following: list[ClassNode] = []
        for node in level:
            if node.ref.iri not in found:
                found[node.ref.iri] = node
                following.extend(node.children)
        level = following
    return found


def parents_of(tree: Sequence[ClassNode]) -> dict[str, tuple[ClassNode, ...]]:
    """The direct superclasses by IRI, those with most classes below first."""
    below = _classes_below(tree)
    above: dict[str, list[ClassNode]] = defaultdict(list)
    for node in every_class(tree).values():
        for child in node.children:
            above[child.ref.iri].append(node)
    return {iri: tuple(sorted(parents, key=lambda parent: -below[parent.ref.iri])) for iri, parents in above.items()}


def first_opened(tree: Sequence[ClassNode], most: int = OPENED_FIRST) -> frozenset[str]:
    """The branches to open at first: all of a small hierarchy, otherwise the largest that fit.

    A branch is opened only if it shows new classes, all of them fit, and there is room left for others.
    """
    found = every_class(tree)
    if len(found) <= most:
        return frozenset(iri for iri, node in found.items() if node.children)
    below = _classes_below(tree)
    weighty = sum(1 + below[top.ref.iri] for top in tree) / WEIGHTY
    room = most - sum(1 for top in tree if top.children)
    opened: set[str] = set()
    seen = {top.ref.iri for top in tree}
    waiting = {top.ref.iri: 0 for top in tree if below[top.ref.iri] >= weighty}
    while waiting:
        # A lower level weighs a third; otherwise one large branch would be opened completely before the next.
        iri = max(waiting, key=lambda one: below[one] / 3 ** waiting[one])
        depth = waiting.pop(iri)
        new = {child.ref.iri for child in found[iri].children} - seen
        if not new or len(new) > min(room, most // 2):
            continue
        room -= len(new)
        opened.add(iri)
        seen |= new
        waiting |= {child: depth + 1 for child in new if below[child] >= weighty}
    return frozenset(opened)


def _classes_below(tree: Sequence[ClassNode]) -> dict[str, int]:
    """The number of classes below each class; classes with several parents count at each."""
    below: dict[str, int] = {}
    work = [(node, False) for node in tree]
    while work:
        node, children_done = work.pop()
        if children_done:
            below[node.ref.iri] = sum(1 + below[child.ref.iri] for child in node.children)
        elif node.ref.iri not in below:
            work.append((node, True))
            work.extend((child, False) for child in node.children if child.ref.iri not in below)
    return below


def class_picture(
    session: Session, tree: Sequence[ClassNode], choice: ClassChoice, *, limits: Limits = NO_LIMITS
) -> ClassPicture:
    """Draw the open branches of a tree of classes.

    Args:
        tree: the result of `class_tree`, possibly filtered.
    """
    below = _classes_below(tree)
    # The largest branches come first.
    tree = sorted(tree, key=lambda top: -below[top.ref.iri] if top.ref.iri in choice.opened else 0)
    drawn = _in_sight(tree, choice.opened)
    cards = {iri: _card(node, drawn, choice) for iri, node in drawn.items()}
    edges = _hierarchy(tree, drawn, choice.opened)
    inferred = sum(edge.origin == Origin.INFERRED.value for edge in edges)
    links, out_of_sight = _property_links(session, drawn, limits) if choice.with_properties else ([], 0)
    shown = (
        links if len(links) <= MOST_LINKS else [link for link in links if choice.chosen in (link.source, link.target)]
    )
    shown = shown[:MOST_LINKS]
    instances: dict[str, SceneNode] = {}
    for iri in sorted(choice.instances & drawn.keys()):
        beside, joined = _instances_beside(session, drawn[iri], limits)
        instances |= {key: card for key, card in beside.items() if key not in cards}
        edges += joined
    # Order of siblings: instances, classes, classes outside the hierarchy.
    alone = [top.ref.iri for top in tree if not top.children]
    last = {iri: cards.pop(iri) for iri in alone if iri in cards}
    if len(alone) > MOST_ALONE:
        last = {ALONE: _alone_card(len(alone), is_open=ALONE in choice.opened), **last}
    focus = drawn.get(choice.focus)
    scene = Scene(
        (*instances.values(), *cards.values(), *last.values()),
        (*edges, *(_link(session, link) for link in shown)),
        f"Classes below {focus.ref.label}" if focus is not None else "Classes",
        "tree",
    )
    return ClassPicture(
        scene,
        drawn=len(drawn),
        classes=len(every_class(tree)),
        inferred=inferred,
        circles=sum(node.circle for node in drawn.values()),
        links=len(shown),
        links_left_out=len(links) - len(shown),
        links_out_of_sight=out_of_sight,
    )


def class_scene(
    session: Session, root: NamedNode | None = None, *, most: int = MOST_NODES, limits: Limits = NO_LIMITS
) -> Scene:
    """The class hierarchy as a picture of its own, with as many open branches as fit.

    Args:
        root: draw only this class and its subclasses.
        most: the most classes that opening branches may show.
    """
    tree = class_tree(session, root, limits=limits)
    focus = tree[0].ref.iri if root is not None else ""
    return class_picture(session, tree, ClassChoice(first_opened(tree, most), focus=focus), limits=limits).scene


# The hierarchy


def _in_sight(tree: Sequence[ClassNode], opened: Collection[str]) -> dict[str, ClassNode]:
    """The classes with a card, upper levels first."""
    alone = sum(1 for top in tree if not top.children)
    few = alone <= MOST_ALONE or ALONE in opened
    return _reached([top for top in tree if top.children or few], opened, {})


def _reached(
    starts: Iterable[ClassNode], opened: Collection[str], known: Mapping[str, ClassNode]
) -> dict[str, ClassNode]:
    """These classes and the open classes below them, except known ones."""
    found: dict[str, ClassNode] = {}
    level = list(starts)
    while level:
        following: list[ClassNode] = []
        for node in level:
            if node.ref.iri not in found and node.ref.iri not in known:
                found[node.ref.iri] = node
                if node.ref.iri in opened:
                    following.extend(node.children)
        level = following
    return found


def _hierarchy(tree: Sequence[ClassNode], drawn: Mapping[str, ClassNode], opened: Collection[str]) -> list[SceneEdge]:
    """The subclass links between the drawn classes. Only the link to the first open superclass affects the layout."""
    edges: list[SceneEdge] = []
    above = parents_of(tree)
    origins = {(iri, child.ref.iri): child.origin for iri, node in drawn.items() for child in node.children}
    for iri, node in drawn.items():
        parents = [parent for parent in above.get(iri, ()) if parent.ref.iri in drawn]
        hangs_by = next((parent for parent in parents if parent.ref.iri in opened), None)
        for parent in parents:
            edges.append(
                SceneEdge(
                    iri,
                    parent.ref.iri,
                    "",
                    origins[parent.ref.iri, iri].value,
                    "back" if parent is hangs_by else "aside",
                    f"{node.ref.label} is a subclass of {parent.ref.label}",
                    RDFS.subClassOf.value,
                )
            )
    return edges


def _card(node: ClassNode, drawn: Mapping[str, ClassNode], choice: ClassChoice) -> SceneNode:
    iri = node.ref.iri
    return SceneNode(
        key=iri,
        label=node.ref.label,
        colour_key=node.ref.colour_key,
        caption=_said_of(node),
        tooltip=_named_in_full(node),
        focus=iri == choice.focus,
        badges=tuple(
            mark for mark in (MERGED_MARK * bool(node.equivalents), _branch_mark(node, drawn, choice)) if mark
        ),
    )


def _said_of(node: ClassNode) -> str | None:
    if not node.instances.value and node.instances.kind is CountKind.EXACT:
        return None
    return f"{node.instances} instance{'s' * (str(node.instances) != '1')}"


def _named_in_full(node: ClassNode) -> str:
    """The tooltip of a card: the IRI, merged classes and the comment."""
    parts = [node.ref.iri]
    if node.equivalents:
        others = ", ".join(f"{other.label} ({other.curie})" for other in node.equivalents)
        why = "each is stated to be a subclass of the other" if node.circle else "stated to be equivalent"
        parts.append(f"the same as {others}: {why}")
    if node.comment:
        parts.append(node.comment)
    return " – ".join(parts)


def _branch_mark(node: ClassNode, drawn: Mapping[str, ClassNode], choice: ClassChoice) -> str:
    """The badge that opens or closes a branch, or empty."""
    if not node.children:
        return ""
    if node.ref.iri in choice.opened:
        return OPEN_MARK
    new = len(_reached(node.children, choice.opened, drawn))
    return f"{CLOSED_MARK}{new:,}" if new else ""


def _alone_card(number: int, *, is_open: bool) -> SceneNode:
    """The card for the classes outside the hierarchy."""
    return SceneNode(
        ALONE,
        f"{number:,} classes on their own",
        tooltip="They have no superclasses or subclasses.",
        badges=(OPEN_MARK if is_open else f"{CLOSED_MARK}{number:,}",),
        group=True,
    )


# Properties


@dataclass(frozen=True)
class _Link:
    source: str
    target: str
    info: PropertyInfo = field(compare=False)
    count: Count = field(compare=False)


def _property_links(session: Session, drawn: Mapping[str, ClassNode], limits: Limits) -> tuple[list[_Link], int]:
    """The properties between drawn classes, most used first, and the number of other properties."""
    schema, usage = session.schema(limits=limits), session.usage(limits=limits)
    card_of = {ref.resource: iri for iri, node in drawn.items() for ref in (node.ref, *node.equivalents)}
    links: list[_Link] = []
    out_of_sight = 0
    for term, info in schema.properties.items():
        if info.kind in (PropertyKind.DATATYPE, PropertyKind.ANNOTATION):
            continue
        ends: dict[tuple[str, str], None] = {}
        for domain in (*info.domains, *info.domain_includes):
            for value in info.ranges:
                if domain in schema.classes and value in schema.classes:
                    if domain in card_of and value in card_of:
                        ends[card_of[domain], card_of[value]] = None
                    else:
                        out_of_sight += 1
        links += [_Link(source, target, info, usage.predicate_count(term)) for source, target in ends]
    links.sort(key=lambda link: (-link.count.value, link.info.label.casefold(), link.source, link.target))
    return links, out_of_sight


def _link(session: Session, link: _Link) -> SceneEdge:
    used = link.count.value or link.count.kind is not CountKind.EXACT
    curie = session.prefixes.short(link.info.term.value)
    uses = (
        f"in {link.count} triple{'s' * (str(link.count) != '1')} of the graph" if used else "in no triple of the graph"
    )
    return SceneEdge(
        link.source,
        link.target,
        f"{link.info.label} · {link.count}" if used else link.info.label,
        leads="aside",
        tooltip=f"{curie}, by its domain and range; {uses}",
        predicate=link.info.term.value,
    )


# Instances


def _instances_beside(
    session: Session, node: ClassNode, limits: Limits
) -> tuple[dict[str, SceneNode], list[SceneEdge]]:
    """The first instances of a class as cards, and a card with the number of the rest."""
    cls = node.ref.resource
    if not isinstance(cls, NamedNode):
        return {}, []
    page = instances_of(session, cls, limit=INSTANCES_SHOWN, limits=limits)
    cards = {ref.iri: _instance_card(ref) for ref in page.items}
    left = page.total.value - len(page.items)
    if left > 0:
        key = f"{MORE_PREFIX}instances:{node.ref.iri}"
        cards[key] = SceneNode(
            key,
            f"… and {Count(left, page.total.kind)} more",
            tooltip="The list of instances on the left shows all.",
            group=True,
        )
    return cards, [SceneEdge(key, node.ref.iri, "instance of", leads="back", predicate=RDF.type.value) for key in cards]


def _instance_card(ref: ResourceRef) -> SceneNode:
    return SceneNode(ref.iri, ref.label, ref.kind, ref.colour_key, tooltip=ref.iri)
