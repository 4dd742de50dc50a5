"""The content of a picture: nodes and edges without positions.

A `Scene` contains plain texts, no RDF terms. `layout.arrange` places it, and `picture.draw` turns both into drawing
primitives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from hpc_explorer.canvas.kinds import Style

Origin = Literal["asserted", "inferred", "matched", "required", "optional", "absent", "kept"]
"""The origin of a link: stated in a graph, derived by a rule, or joined by equal values. In the picture of a query:
required, optional, excluded, or named in a text.
"""

ORIGIN_WORDS: Mapping[str, str] = {
    "asserted": "asserted",
    "inferred": "inferred",
    "matched": "matched by value",
    "required": "has to be there",
    "optional": "may be missing",
    "absent": "must not be there",
    "kept": "named in the text",
}
"""Display texts of the origins."""

Arrangement = Literal["layered", "tree", "star", "force", "columns"]
"""`layered`: left to right along the edges (lineage). `tree`: parents left of their children (classes).
`star`: the focus in the middle, what points to it on the left, what it points to on the right.
`force`: linked nodes are close together (large neighbourhoods).
`columns`: outlines side by side, as in `Scene.columns` (phases)."""

Leads = Literal["forward", "back", "aside"]
"""The position of an edge's target in a layered picture or tree: right of its source, or left of it. In a tree, a link
that leads aside does not affect positions; elsewhere it leads forward.
"""


@dataclass(frozen=True, slots=True)
class SceneNode:
    """A node of the picture.

    Args:
        key: identifies the node in its scene and in signals; usually the IRI.
        label: its name, of any length; wrapped and shortened when drawn.
        kind: the label of its class, shown small and in the legend, or "".
        colour_key: determines colour, icon and shape (`palette.class_look`); "" uses `kind`.
        caption: a short fact beside the class, such as "1,204 rows" or "v2.1".
        tooltip: the text shown on hover below the label, usually the IRI.
        focus: the picture is about this node.
        stop: why a trace ends here, such as "nothing recorded before"; drawn under the node.
        badges: short texts in the node's corner, such as "3×"; those of `badges.MEANING` are drawn as signs.
        group: the node represents several ("… and 1,164 more") and is drawn as a stack.
        classes: the IRIs of its classes, for filters; may be empty where there are no filters.
        back: whether it is faded, such as a node that did not exist yet.
        round: whether its card has round ends, such as an unknown in a query.
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
    """A statement between two nodes. The arrow points to `target`, in the reading direction of the label.

    Args:
        source: the key of the statement's subject.
        target: the key of the statement's object.
        label: the predicate's name.
        origin: asserted is drawn solid, inferred dashed, matched dotted.
        leads: "back" if the target comes first, as with "was derived from" or "subclass of"; it is then placed left of
            the source.
        tooltip: the statement and graph, or the rule.
        predicate: the IRI of the predicate, for filters.
        graphs: the graphs that state it, for filters.
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
        """The key of the left end."""
        return self.target if self.leads == "back" else self.source

    @property
    def right(self) -> str:
        """The key of the right end."""
        return self.source if self.leads == "back" else self.target


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of one picture.

    Args:
        nodes: their order breaks ties in the layout, so the same scene gives the same picture.
        edges: between the keys of `nodes`; parallel edges and loops are allowed.
        title: heading and accessible title.
        arrangement: the kind of layout.
        note: what the picture leaves out, as a sentence below the title.
        columns: for the arrangement `columns`, the keys from top to bottom with their indents.
        styles: custom styles of this picture, by `SceneNode.colour_key`.
        empty_text: the text shown if there are no nodes: what the view is for and the next step.
        left_out: filtered nodes that the legend still lists.

    Raises:
        ValueError: two nodes share a key, or an edge has an unknown end.
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
        """Whether another scene differs only in the looks of nodes, so that the layout stays valid."""
        if self is other or len(self.nodes) != len(other.nodes) or self.arrangement != other.arrangement:
            return False
        alike = all(
            one is two or replace(one, colour_key=two.colour_key) == two
            for one, two in zip(self.nodes, other.nodes, strict=True)
        )
        return alike and self.edges == other.edges and self.title == other.title and self.columns == other.columns

    def node(self, key: str) -> SceneNode | None:
        """The node with this key, or None."""
        return next((node for node in self.nodes if node.key == key), None)

    def focus(self) -> SceneNode | None:
        """The node that the picture is about, or None."""
        return next((node for node in self.nodes if node.focus), None)
