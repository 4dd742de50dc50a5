"""The card of a node: its size, and its texts for a given size.

┌───────────────────────┐
│  ▄  label, one or two │   label in 13, semibold for the focus
│ ███ lines             │   the mark at the left has the colour, icon and shape of the class
│  ▀  class · caption 3×│   class in 11, muted; badges at the right
└───────────────────────┘
     nothing recorded before      the stop note, below the card
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from hpc_explorer.canvas import badges, text
from hpc_explorer.canvas.geometry import Rect, up_to_grid
from hpc_explorer.canvas.scene import SceneNode
from hpc_explorer.canvas.text import Font

LABEL = Font(13, 500)
LABEL_FOCUS = Font(13, 600)
SMALL = Font(11)
LINE = 16.0
"""Height of a line of the label and of the class line."""
MARK_INSET, MARK_SIDE = 8.0, 24.0
PAD_LEFT = 40.0
PAD_RIGHT = 12.0
PAD_VERTICAL = 8.0
NARROWEST, COMFORTABLE, WIDEST = 144.0, 232.0, 264.0
STOP_LINES = 2
STOP_LINE = 14.0
BADGE_GAP = 4.0
BADGE_PAD = 4.0
BADGE_HEIGHT = 14.0


class Footprint(NamedTuple):
    """The size of a node: width and height of the card, and the height of the note below it."""

    width: float
    height: float
    foot: float


@dataclass(frozen=True, slots=True)
class CardText:
    """The texts of a card, cut to its width.

    Args:
        label: one or two lines.
        kind: the class and the caption, or "".
        badges: each with its width, from left to right.
        stop: the lines below the card.
    """

    label: tuple[str, ...]
    kind: str
    badges: tuple[tuple[str, float], ...]
    stop: tuple[str, ...]


def label_font(node: SceneNode) -> Font:
    return LABEL_FOCUS if node.focus else LABEL


def footprint(node: SceneNode) -> Footprint:
    """The size of a node: as narrow as its texts allow, with at most two lines of label."""
    label, font, kind = _label(node), label_font(node), _kind(node)
    comfortable = COMFORTABLE - PAD_LEFT - PAD_RIGHT
    label_width = text.width(label, font)
    wraps = label_width > comfortable
    if wraps:
        lines = text.wrap(label, font, comfortable)
        cut = "".join("".join(lines).split()) != "".join(label.split())
        label_width = WIDEST if cut else max(text.width(line, font) for line in lines)
    kind_width = text.width(kind, SMALL)
    if node.badges:
        kind_width += sum(width + BADGE_GAP for _, width in _badges(node))
    stop_width = text.width(text.clean(node.stop), SMALL) - PAD_RIGHT if node.stop else 0.0
    inner = max(label_width, min(max(kind_width, stop_width), comfortable))
    width = min(max(up_to_grid(inner + PAD_LEFT + PAD_RIGHT), NARROWEST), WIDEST)
    if not (wraps or node.badges or node.stop):
        return Footprint(width, 2 * PAD_VERTICAL + (2 if kind else 1) * LINE, 0.0)
    card = card_text(node, width)
    rows = len(card.label) + bool(card.kind or card.badges)
    foot = up_to_grid(len(card.stop) * STOP_LINE + 2) if card.stop else 0.0
    return Footprint(width, 2 * PAD_VERTICAL + rows * LINE, foot)


def card_text(node: SceneNode, width: float) -> CardText:
    """The texts of a node's card, wrapped and shortened to a width."""
    inner = width - PAD_LEFT - PAD_RIGHT
    marks = _badges(node)
    while marks and sum(size + BADGE_GAP for _, size in marks) > 0.75 * inner:
        marks = marks[:-1]
    badge_room = sum(size + BADGE_GAP for _, size in marks)
    stop = text.wrap(text.clean(node.stop), SMALL, width - PAD_LEFT, STOP_LINES) if node.stop else ()
    return CardText(
        label=text.wrap(_label(node), label_font(node), inner),
        kind=text.elide(_kind(node), SMALL, inner - badge_room, "end"),
        badges=marks,
        stop=stop,
    )


def badge_places(node: SceneNode, rect: Rect) -> list[tuple[str, Rect]]:
    """The badges of a card and their rectangles, at the right of the last row."""
    texts = card_text(node, rect.width)
    rows = len(texts.label) + bool(texts.kind or texts.badges)
    middle = rect.centre.y + (rows - 1) * LINE / 2
    x = rect.right - PAD_RIGHT - sum(width for _, width in texts.badges) - BADGE_GAP * max(0, len(texts.badges) - 1)
    places = []
    for badge, width in texts.badges:
        places.append((badge, Rect(x, middle - BADGE_HEIGHT / 2, width, BADGE_HEIGHT)))
        x += width + BADGE_GAP
    return places


def _label(node: SceneNode) -> str:
    return text.clean(node.label) or text.clean(node.key) or "(no name)"


def _kind(node: SceneNode) -> str:
    kind = text.clean(node.kind)
    caption = text.clean(node.caption) if node.caption else ""
    return f"{kind} · {caption}" if kind and caption else kind or caption


def _badges(node: SceneNode) -> tuple[tuple[str, float], ...]:
    shown = (text.elide(text.clean(badge), SMALL, 64.0, "end") for badge in node.badges if badge != badges.PINNED)
    return tuple(
        (badge, badges.WIDTH if badge in badges.MEANING else text.width(badge, SMALL) + 2 * BADGE_PAD)
        for badge in shown
        if badge
    )
