"""What a graph view is: nodes, links, what was opened where, places, filters, selection; a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from hpc_explorer.canvas.kinds import Style
from hpc_explorer.canvas.scene import Arrangement, Origin, SceneEdge, SceneNode

ORIGINS: tuple[Origin, ...] = ("asserted", "inferred", "matched")

REST_PREFIX = "rest:"
"""What the key of a node begins with that stands for neighbours not shown."""


class EdgeKey(NamedTuple):
    """Identifies a link in its view: subject, predicate and object of the statement it stands for."""

    source: str
    predicate: str
    target: str


class NeighbourSet(NamedTuple):
    """The neighbours of a node by one predicate in one direction, or those of them in one class.

    Args:
        anchor: the key of the node.
        predicate: the IRI of the predicate.
        outgoing: whether the anchor is the subject of the statements.
        cls: the IRI of the class that all of them have; "" for neighbours of any class.
    """

    anchor: str
    predicate: str
    outgoing: bool
    cls: str = ""


@dataclass(frozen=True, slots=True)
class Expansion:
    """What was opened of a set of neighbours.

    Args:
        label: the set in words, such as "used by" or "used by: Batch".
        total: how many neighbours the set has.
        at_least: whether `total` is only known to be no less.
        shown: how many were asked for, from the first on; the next page begins there.
        members: the keys of those that were shown, in their order.
    """

    label: str
    total: int
    at_least: bool
    shown: int
    members: tuple[str, ...]

    @property
    def rest(self) -> int:
        """How many are not shown."""
        return max(0, self.total - self.shown)


class NodePlace(NamedTuple):
    """Where a node's card has its centre, in scene units, and whether a person fixed it there."""

    x: float
    y: float
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Focus:
    """Only this node and what is at most `steps` links away from it is drawn."""

    key: str
    steps: int = 1


@dataclass(frozen=True, slots=True)
class Filters:
    """What is left out of the drawing; empty: nothing.

    Args:
        classes: IRIs of classes; a node goes if each of its classes is among them.
        predicates: IRIs of predicates whose links go.
        graphs: graphs; a link goes if every graph that states it is among them.
        origins: kinds of links that go.
        text: what a node's label must contain, in any case; nodes opened by hand stay.
    """

    classes: frozenset[str] = frozenset()
    predicates: frozenset[str] = frozenset()
    graphs: frozenset[str] = frozenset()
    origins: frozenset[Origin] = frozenset()
    text: str = ""


@dataclass(frozen=True)
class GraphView:
    """A part of a graph laid open.

    Args:
        nodes: what was opened, by key.
        edges: the links between them.
        roots: the keys of nodes that a person opened by name, and not as neighbours of another.
        expansions: what was opened of which neighbours; a node that is no root is there because one of them shows it.
        places: where nodes stand, and the nodes for neighbours not shown; one without is placed by the next layout.
        arranged: the layout that the places come from; None where nodes came to their places one by one.
        hidden: the keys of nodes that a person put away.
        filters: what else is left out.
        focus: the node to whose surroundings the drawing is narrowed.
        styles: how classes look, by IRI, where a person chose it.
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
    """The key of the node that stands for the neighbours of a set that are not shown."""
    return REST_PREFIX + " ".join((of.anchor, of.predicate, "out" if of.outgoing else "in", of.cls))


def set_of_rest(key: str) -> NeighbourSet:
    """The set whose rest this key stands for."""
    anchor, predicate, side, cls = key.removeprefix(REST_PREFIX).split(" ")
    return NeighbourSet(anchor, predicate, side == "out", cls)


def with_place(view: GraphView) -> AbstractSet[str]:
    """The keys of all that can have a place in a view: its nodes, and the rests of what was opened."""
    return view.nodes.keys() | {rest_key(of) for of in view.expansions}


def edge_key(edge: SceneEdge) -> EdgeKey:
    """What identifies a link in a view."""
    return EdgeKey(edge.source, edge.predicate, edge.target)


def edges_by_key(edges: Iterable[SceneEdge]) -> dict[EdgeKey, SceneEdge]:
    """The links, each once; of one that is both stated and inferred the statement stays."""
    found: dict[EdgeKey, SceneEdge] = {}
    for edge in edges:
        known = found.get(edge_key(edge))
        if known is None or ORIGINS.index(edge.origin) < ORIGINS.index(known.origin):
            found[edge_key(edge)] = edge
    return found
