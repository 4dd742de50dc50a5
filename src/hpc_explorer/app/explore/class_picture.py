"""Draw the classes: the hierarchy as a graph, branch by branch, with properties and instances where they are wanted.

Unlike in the tree of the left pane a class stands in the picture once, however many parents it has, with a link to each
of them. It hangs by the weightiest of those whose branches are open: the one with the most classes below it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hpc_explorer.app.explore.describing import class_tree, instances_of
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
"""How many classes are to be seen at first, if that many can be brought into sight by opening whole branches."""

WEIGHTY = 50
"""A branch with less than one in so many of the classes below it is not opened at first."""

MOST_ALONE = 12
"""Topmost classes without any below them that are drawn one by one; more stand as one card until it is opened."""

MOST_LINKS = 60
"""How many links between classes by properties are drawn at once; of more, only those of the chosen class are."""

INSTANCES_SHOWN = 5
"""How many instances stand beside a class; the rest are counted."""

ALONE = f"{MORE_PREFIX}alone:"
"""The key of the card that stands for the classes without a place in the hierarchy, and its name among what is open."""

CLOSED_MARK, OPEN_MARK, MERGED_MARK = "+", "−", "="
"""Badges: "+12", a click opens a branch of so many classes; "−", it closes it; "=", several classes in one."""


@dataclass(frozen=True)
class ClassChoice:
    """What of the classes is drawn.

    Args:
        opened: the IRIs of the classes whose branches are open, and `ALONE` if those that stand alone are drawn.
        with_properties: draw the properties between the classes as links.
        instances: the IRIs of the classes that have instances drawn beside them.
        focus: the IRI of the class that the picture is about; empty where it is about none.
        chosen: the IRI of the class that is chosen; empty where none is.
    """

    opened: frozenset[str] = frozenset()
    with_properties: bool = False
    instances: frozenset[str] = frozenset()
    focus: str = ""
    chosen: str = ""


@dataclass(frozen=True)
class ClassPicture:
    """The classes as a scene, and what is to be said of it.

    Args:
        drawn: how many classes have a card of their own,
        classes: of how many.
        inferred: how many of the links between them only follow by inference.
        circles: how many cards stand for classes that are stated to be subclasses of each other.
        links: how many links by properties are drawn,
        links_left_out: how many are not, though both of their ends are in sight: they are too many,
        links_out_of_sight: and how many are not because an end of theirs has no card.
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
    """Each class of a tree once, by IRI, those nearer to the top first."""
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
    """By IRI the places right above each class, the weightiest first; topmost classes are left out."""
    below = _classes_below(tree)
    above: dict[str, list[ClassNode]] = defaultdict(list)
    for node in every_class(tree).values():
        for child in node.children:
            above[child.ref.iri].append(node)
    return {iri: tuple(sorted(parents, key=lambda parent: -below[parent.ref.iri])) for iri, parents in above.items()}


def first_opened(tree: Sequence[ClassNode], most: int = OPENED_FIRST) -> frozenset[str]:
    """Which branches to open at first: all of a small hierarchy; of a larger one the weightiest branches.

    A branch is opened only if it brings something new into sight, if there is room for all of that, and if it leaves
    room for others.
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
        # A level further down weighs a third: else one large branch would be opened to its end before the next.
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
    """How many classes are below each, one with several parents counted at each of them."""
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
    """The classes of a tree, as far as its branches are open.

    Args:
        tree: as `class_tree` gave it, or what a filter left of it.
    """
    below = _classes_below(tree)
    # The picture begins where most classes are, the tree with the first letter.
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
    # Siblings stand in this order: instances, classes, and last those without a place in the hierarchy.
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
    """The classes as a picture by themselves: as many branches open as there is room for.

    Args:
        root: draw only this class and what is below it.
        most: how many classes are drawn at most by opening branches.
    """
    tree = class_tree(session, root, limits=limits)
    focus = tree[0].ref.iri if root is not None else ""
    return class_picture(session, tree, ClassChoice(first_opened(tree, most), focus=focus), limits=limits).scene


# The hierarchy


def _in_sight(tree: Sequence[ClassNode], opened: Collection[str]) -> dict[str, ClassNode]:
    """The classes that have a card: the topmost ones, and those below open ones; level by level from the top."""
    alone = sum(1 for top in tree if not top.children)
    few = alone <= MOST_ALONE or ALONE in opened
    return _reached([top for top in tree if top.children or few], opened, {})


def _reached(
    starts: Iterable[ClassNode], opened: Collection[str], known: Mapping[str, ClassNode]
) -> dict[str, ClassNode]:
    """These classes and what is open below them, without those that are known."""
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
    """The subclass links among the classes in sight.

    A closed branch may have a class in sight that also lies elsewhere: the link to it is drawn, and it does not
    move there.
    """
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
    """The IRI, and the classes that the card stands for besides."""
    parts = [node.ref.iri]
    if node.equivalents:
        others = ", ".join(f"{other.label} ({other.curie})" for other in node.equivalents)
        why = "each is stated to be a subclass of the other" if node.circle else "stated to be equivalent"
        parts.append(f"the same as {others}: {why}")
    if node.comment:
        parts.append(node.comment)
    return " – ".join(parts)


def _branch_mark(node: ClassNode, drawn: Mapping[str, ClassNode], choice: ClassChoice) -> str:
    """What a click on the mark does: open so many classes, or close the branch; empty where there is no branch."""
    if not node.children:
        return ""
    if node.ref.iri in choice.opened:
        return OPEN_MARK
    new = len(_reached(node.children, choice.opened, drawn))
    return f"{CLOSED_MARK}{new:,}" if new else ""


def _alone_card(number: int, *, is_open: bool) -> SceneNode:
    """The card that stands for the classes by themselves, by which they are opened and closed."""
    return SceneNode(
        ALONE,
        f"{number:,} classes by themselves",
        tooltip="None of them has a class above or below it.",
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
    """The properties whose domain and range are in sight, those most used first; and how many others there are."""
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
        tooltip=f"{curie}, by its domain and range; {uses} of the graph",
        predicate=link.info.term.value,
    )


# Instances


def _instances_beside(
    session: Session, node: ClassNode, limits: Limits
) -> tuple[dict[str, SceneNode], list[SceneEdge]]:
    """The first instances of a class as cards, and one that counts the rest."""
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
            tooltip="The list of instances on the left has all of them.",
            group=True,
        )
    return cards, [SceneEdge(key, node.ref.iri, "instance of", leads="back", predicate=RDF.type.value) for key in cards]


def _instance_card(ref: ResourceRef) -> SceneNode:
    return SceneNode(ref.iri, ref.label, ref.kind, ref.colour_key, tooltip=ref.iri)
