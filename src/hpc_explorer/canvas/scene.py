"""What a picture is about: nodes and the edges between them, before anything has a place.

A `Scene` is what the operations hand to the canvas: plain texts, no terms of the graph and no
positions. A layout gives it places (`layout.arrange`), `picture.draw` turns both into drawing
primitives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from hpc_explorer.canvas.kinds import Style

Origin = Literal["asserted", "inferred", "matched", "required", "optional", "absent", "kept"]
"""How a link is known: stated in a graph, derived by a rule, or joined by equal values. In the picture of a query, what
is said of it there: that it has to be, may be, must not be, or is named in a piece of text."""

ORIGIN_WORDS: Mapping[str, str] = {
    "asserted": "asserted",
    "inferred": "inferred",
    "matched": "matched by value",
    "required": "has to be there",
    "optional": "may be missing",
    "absent": "must not be there",
    "kept": "named in the text",
}
"""The same for a person to read."""

Arrangement = Literal["layered", "tree", "star", "force", "columns"]
"""`layered`: left to right along the edges (lineage). `tree`: parents left of their children (classes).
`star`: the focus in the middle, what points to it on the left, what it points to on the right.
`force`: what is linked stands close, whatever the links say (neighbourhoods of many).
`columns`: outlines beside each other, as `Scene.columns` has them (phases)."""

Leads = Literal["forward", "back", "aside"]
"""Where an edge's target stands in a layered picture or a tree: right of its source, or left of it. In a tree a link
that leads aside says nothing of where its ends stand; elsewhere it leads forward."""


@dataclass(frozen=True, slots=True)
class SceneNode:
    """One thing in the picture.

    Args:
        key: identifies the node in its scene and in every signal about it; usually the IRI.
        label: the name people read; any length, the drawing wraps and shortens it.
        kind: the label of its class, shown small and in the legend; "" if it has none.
        colour_key: what `palette.class_look` derives colour, sign and shape from; "" follows `kind`.
        caption: a short fact beside the class, such as "1,204 rows" or "v2.1".
        tooltip: the full text shown on hover below the label, usually the IRI.
        focus: the picture is about this node.
        stop: why the walk ends here, such as "nothing recorded before"; drawn under the node.
        badges: short marks in the node's corner, such as "3×"; those of `badges.MEANING` are drawn as signs.
        group: it stands for many things ("… and 1,164 more") and is drawn as a stack.
        classes: the IRIs of its classes, by which a view leaves nodes out; empty where that is not asked for.
        back: it is put back, close to the background, such as what was not there yet.
        round: its card has round ends, such as that of something that is not known yet.
    """

    key: str
    label: str
    kind: str = ""
    colour_key: str = ""
    caption: str | None = None
    tooltip: str = ""
    focus: bool = False
    stop: str | None = None
    badges: tuple[str, ...] = ()
    group: bool = False
    classes: tuple[str, ...] = ()
    back: bool = False
    round: bool = False


@dataclass(frozen=True, slots=True)
class SceneEdge:
    """One statement between two nodes. The arrow points at `target`, so that the label reads along it.

    Args:
        source: the key of the statement's subject.
        target: the key of the statement's object.
        label: the predicate's readable name.
        origin: how the link is known; asserted is drawn solid, inferred dashed, matched dotted.
        leads: "back" if the target comes first in the story, as with "was derived from" or "subclass of":
            it is then placed left of the source.
        tooltip: which statement in which graph, or which rule.
        predicate: the IRI of the predicate, and
        graphs: the graphs that state it, by which a view leaves links out; empty where that is not asked for.
    """

    source: str
    target: str
    label: str = ""
    origin: Origin = "asserted"
    leads: Leads = "forward"
    tooltip: str = ""
    predicate: str = ""
    graphs: tuple[str, ...] = ()

    @property
    def left(self) -> str:
        """The key of the end that stands further left."""
        return self.target if self.leads == "back" else self.source

    @property
    def right(self) -> str:
        """The key of the end that stands further right."""
        return self.source if self.leads == "back" else self.target


@dataclass(frozen=True, slots=True)
class Scene:
    """What one picture shows.

    Args:
        nodes: in the order in which ties of the layout are broken; the same scene gives the same picture.
        edges: between the keys of `nodes`; several between the same two nodes and loops are fine.
        title: the picture's heading and its accessible title.
        arrangement: how it is laid out.
        note: what the picture leaves out, in a sentence; shown below the title.
        columns: of the arrangement `columns` the keys from top to bottom, each with how deep it is indented.
        styles: how things look in this picture in particular, by `SceneNode.colour_key`.
        empty_text: what the view says if there are no nodes: what it is for and the next step.
        left_out: nodes that a filter by class leaves out, of which the legend tells.

    Raises:
        ValueError: two nodes share a key, or an edge names a key that no node has.
    """

    nodes: tuple[SceneNode, ...] = ()
    edges: tuple[SceneEdge, ...] = ()
    title: str = ""
    arrangement: Arrangement = "layered"
    note: str = ""
    styles: Mapping[str, Style] = field(default_factory=dict, hash=False)
    columns: tuple[tuple[tuple[str, int], ...], ...] = ()
    empty_text: str = "Nothing to show yet. Search for a resource and open it to see its links here."
    left_out: tuple[SceneNode, ...] = ()

    def __post_init__(self) -> None:
        keys = {node.key for node in self.nodes}
        if len(keys) != len(self.nodes):
            raise ValueError("two nodes of a scene share one key")
        for edge in self.edges:
            for end in (edge.source, edge.target):
                if end not in keys:
                    raise ValueError(f"an edge of the scene names {end!r}, which is none of its nodes")

    def differs_in_looks(self, other: Scene) -> bool:
        """Whether this is another scene that differs in the looks of its nodes at most: its layout is the same, too."""
        if self is other or len(self.nodes) != len(other.nodes) or self.arrangement != other.arrangement:
            return False
        alike = all(
            one is two or replace(one, colour_key=two.colour_key) == two
            for one, two in zip(self.nodes, other.nodes, strict=True)
        )
        return alike and self.edges == other.edges and self.title == other.title and self.columns == other.columns

    def node(self, key: str) -> SceneNode | None:
        """The node with this key, if the scene has it."""
        return next((node for node in self.nodes if node.key == key), None)

    def focus(self) -> SceneNode | None:
        """The node the picture is about: the one marked so, or None."""
        return next((node for node in self.nodes if node.focus), None)
