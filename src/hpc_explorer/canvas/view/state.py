"""A graph view as a value: nodes, links, expansions, places, filters, selection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from hpc_explorer.canvas.kinds import Style
from hpc_explorer.canvas.scene import Arrangement, Origin, SceneEdge, SceneNode

ORIGINS: tuple[Origin, ...] = ("asserted", "inferred", "matched")

REST_PREFIX = "rest:"
"""The prefix of the keys of nodes that represent hidden neighbours."""


class EdgeKey(NamedTuple):
    """Identifies a link in its view: the subject, predicate and object of its statement."""

    source: str
    predicate: str
    target: str


class NeighbourSet(NamedTuple):
    """The neighbours of a node by one predicate in one direction, or those of them in one class.

    Args:
        anchor: the key of the node.
        predicate: the IRI of the predicate.
        outgoing: whether the anchor is the subject of the statements.
        cls: the IRI of their common class; "" for neighbours of any class.
    """

    anchor: str
    predicate: str
    outgoing: bool
    cls: str = ""


@dataclass(frozen=True, slots=True)
class Expansion:
    """The opened part of a set of neighbours.

    Args:
        label: the set in words, such as "used by" or "used by: Batch".
        total: the number of neighbours in the set.
        at_least: whether `total` is a lower bound.
        shown: the number requested so far; the next page begins there.
        members: the keys of the shown neighbours, in order.
    """

    label: str
    total: int
    at_least: bool
    shown: int
    members: tuple[str, ...]

    @property
    def rest(self) -> int:
        """The number of hidden neighbours."""
        return max(0, self.total - self.shown)


class NodePlace(NamedTuple):
    """The centre of a node's card in scene units, and whether the user fixed it there."""

    x: float
    y: float
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Focus:
    """Limits the view to this node and the nodes at most `steps` links away."""

    key: str
    steps: int = 1


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters on the visible part; empty: no filter.

    Args:
        classes: IRIs of classes; a node is hidden if each of its classes is among them.
        predicates: IRIs of predicates whose links are hidden.
        graphs: a link is hidden if every graph that states it is among them.
        origins: kinds of hidden links.
        text: text that a node's label must contain, ignoring case; nodes opened by hand stay.
    """

    classes: frozenset[str] = frozenset()
    predicates: frozenset[str] = frozenset()
    graphs: frozenset[str] = frozenset()
    origins: frozenset[Origin] = frozenset()
    text: str = ""


@dataclass(frozen=True)
class GraphView:
    """The opened part of a graph.

    Args:
        nodes: the opened nodes, by key.
        edges: the links between them.
        roots: the keys of nodes that the user opened directly, not as neighbours.
        expansions: the opened neighbours; every node that is not a root is in one of them.
        places: the positions of nodes and of those for hidden neighbours; the next layout places the others.
        arranged: the layout that the places come from; None if nodes were placed one by one.
        hidden: the keys of nodes that the user has hidden.
        filters: other reasons to hide nodes and links.
        focus: limits the view to the surroundings of a node.
        styles: the user's styles of classes, by IRI.
        selected: the keys of the selected nodes.
    """

    nodes: Mapping[str, SceneNode] = field(default_factory=dict)
    edges: Mapping[EdgeKey, SceneEdge] = field(default_factory=dict)
    roots: frozenset[str] = frozenset()
    expansions: Mapping[NeighbourSet, Expansion] = field(default_factory=dict)
    places: Mapping[str, NodePlace] = field(default_factory=dict)
    arranged: Arrangement | None = None
    hidden: frozenset[str] = frozenset()
    filters: Filters = Filters()
    focus: Focus | None = None
    styles: Mapping[str, Style] = field(default_factory=dict)
    selected: frozenset[str] = frozenset()


def rest_key(of: NeighbourSet) -> str:
    """The key of the node that represents the hidden neighbours of a set."""
    return REST_PREFIX + " ".join((of.anchor, of.predicate, "out" if of.outgoing else "in", of.cls))


def set_of_rest(key: str) -> NeighbourSet:
    """The set whose hidden neighbours this key represents."""
    anchor, predicate, side, cls = key.removeprefix(REST_PREFIX).split(" ")
    return NeighbourSet(anchor, predicate, side == "out", cls)


def with_place(view: GraphView) -> AbstractSet[str]:
    """The keys of everything with a place in a view: its nodes, and the nodes for hidden neighbours."""
    return view.nodes.keys() | {rest_key(of) for of in view.expansions}


def edge_key(edge: SceneEdge) -> EdgeKey:
    """The key of a link in a view."""
    return EdgeKey(edge.source, edge.predicate, edge.target)


def edges_by_key(edges: Iterable[SceneEdge]) -> dict[EdgeKey, SceneEdge]:
    """The links without duplicates; a stated link replaces the same inferred one."""
    found: dict[EdgeKey, SceneEdge] = {}
    for edge in edges:
        known = found.get(edge_key(edge))
        if known is None or ORIGINS.index(edge.origin) < ORIGINS.index(known.origin):
            found[edge_key(edge)] = edge
    return found
