"""Names over a picture whose card texts are too small: those of the nodes with most links, and of groups.

Names have the same size at every scale. Names of the most linked nodes are placed first, without hiding others; moving
the view keeps most of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hpc_explorer.canvas import text
from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.card import LABEL
from hpc_explorer.canvas.finder import Finder
from hpc_explorer.canvas.geometry import Point, Rect, Size
from hpc_explorer.canvas.layout.lines import Occupied
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.primitives import Box, Primitive, Text, baseline
from hpc_explorer.canvas.text import LEGIBLE, Font
from hpc_explorer.canvas.walk import name_of

BELOW = LEGIBLE / LABEL.size
"""Scale below which the names on cards are illegible."""
NAME, GROUP = Font(11, 500), Font(12, 600)
WIDEST = 168.0
LINE = 15.0
"""Height of a name in pixels."""
GAP = 5.0
"""Pixels between two names."""
MOST = 48
"""Maximum names in a view."""
LEAST = 12
"""Names shown even if they cover cards."""
MOST_SPARED = 300
"""Maximum visible cards among which names avoid cards."""
PAD = 3.0
EDGE = 4.0
"""Pixels between a name moved into the view and the edge."""
MOST_TRIED = 240
"""Maximum nodes to try."""
MANY = 800
"""Number of visible nodes above which nodes with one link get no name."""
LEAST_GROUP, LEAST_SIDE = 12, 48.0
"""Members, and pixels of both sides, that a box around a group has at least if it is named."""


@dataclass(frozen=True)
class Group:
    """A box around many cards, with a description.

    Args:
        rect: in scene units.
        name: "100,000 × Experiment · used".
    """

    rect: Rect
    name: str


def groups(finder: Finder) -> tuple[Group, ...]:
    """The boxes of a layout with a common line: the number, class and link of their members."""
    found = []
    nodes = {node.key: node for node in finder.scene.nodes}
    for frame in finder.layout.frames:
        edges = [finder.scene.edges[at] for at in frame.edges]
        if len(edges) >= LEAST_GROUP:
            ends = Counter(end for edge in edges for end in (edge.source, edge.target))
            centre, _ = ends.most_common(1)[0]
            kinds = Counter(text.clean(nodes[end].kind) for end in ends if end != centre)
            links = Counter(text.clean(edge.label) for edge in edges)
            (kind, _), (link, _) = kinds.most_common(1)[0], links.most_common(1)[0]
            what = (kind or "nodes") if len(kinds) == 1 else "nodes"
            how = f" · {link}" if len(links) == 1 and link else ""
            found.append(Group(frame.rect, f"{len(ends) - 1:,} × {what}{how}"))
    return tuple(found)


def landmarks(
    finder: Finder,
    named: Sequence[Group],
    camera: Camera,
    size: Size,
    theme: Theme,
    *,
    first: Iterable[str] = (),
    taken: Iterable[Rect] = (),
    places: Callable[[str], Rect | None] | None = None,
) -> list[Primitive]:
    """The names in a view, in its pixels.

    A name is placed below its card or on another side where it hides no other card. With more cards than `MOST_SPARED`,
    or if too few names are left, it may cover cards.

    Args:
        named: the groups of the layout.
        camera, size: the view.
        first: the keys of nodes named first, such as the selected ones.
        taken: parts of the view without names.
        places: returns the place of a moved card; None for others.
    """
    view = Rect(0.0, 0.0, *size)
    seen = camera.seen(size)
    names, cards = Occupied(), Occupied()
    for rect in taken:
        names.add(rect)
    primitives: list[Primitive] = []

    def put(name: str, font: Font, boxes: Iterable[Rect], *, sparing: bool) -> bool:
        """Place a name in the first free box."""
        for box in boxes:
            if _holds(view, box) and names.free(box) and (not sparing or cards.free(box)):
                names.add(box.grown(GAP))
                patch = Box(box, fill=theme.background, radius=3.0)
                place = Point(box.centre.x, baseline(box.centre.y, font))
                primitives.append(Text(place, name, font, theme.text, "middle", patch))
                return True
        return False

    for group in named:
        box = camera.rect_to_view(group.rect)
        if min(box.width, box.height) >= LEAST_SIDE and box.overlaps(view):
            middle = (max(box.x, 0.0) + min(box.right, size.width)) / 2
            width = text.width(group.name, GROUP) + 2 * PAD
            top = max(box.y, 0.0) + LINE / 2
            put(group.name, GROUP, [Rect(_pushed(middle - width / 2, width, size), top, width, LINE)], sparing=False)
    chosen = list(first)
    in_sight = finder.cards_in(seen)
    spares = len(in_sight) <= MOST_SPARED
    if spares:
        for key in in_sight:
            cards.add(camera.rect_to_view(finder.layout.places[key]))
    late: list[tuple[str, list[Rect]]] = []
    for key in dict.fromkeys((*chosen, *finder.weightiest_in(seen, MOST_TRIED, MANY))):
        at = finder.links.position.get(key)
        if at is not None and len(primitives) < MOST:
            name = text.elide(name_of(finder.scene.nodes[at]), NAME, WIDEST, "end")
            place = (places(key) if places is not None else None) or finder.layout.places[key]
            boxes = _beside(camera.rect_to_view(place), text.width(name, NAME) + 2 * PAD, size)
            must = key in chosen
            if not put(name, NAME, boxes if spares else boxes[:1], sparing=spares and not must):
                late.append((name, boxes))
    for name, boxes in late:
        if len(primitives) < LEAST:
            put(name, NAME, boxes[:1], sparing=False)
    return primitives


def _holds(view: Rect, box: Rect) -> bool:
    """Whether a name is completely visible."""
    return box.x >= 0.0 and box.y >= 0.0 and box.right <= view.right and box.bottom <= view.bottom


def _pushed(left: float, width: float, view: Size) -> float:
    """The start of a name moved along its line into the view."""
    return max(EDGE, min(left, view.width - EDGE - width))


def _beside(card: Rect, width: float, view: Size) -> list[Rect]:
    """Below a card, above it, right and left of it."""
    left, top = _pushed(card.centre.x - width / 2, width, view), card.centre.y - LINE / 2
    return [
        Rect(left, card.bottom + 1.0, width, LINE),
        Rect(left, card.y - 1.0 - LINE, width, LINE),
        Rect(card.right + 1.0, top, width, LINE),
        Rect(card.x - 1.0 - width, top, width, LINE),
    ]
