"""A picture as a page: its title above it, its legend below it, and a margin."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from hpc_explorer.canvas import text
from hpc_explorer.canvas.geometry import EMPTY_RECT, Point, Rect, union
from hpc_explorer.canvas.legend import ROW, LegendEntry, drawn_entry
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.picture import MARGIN, SMALL, Picture
from hpc_explorer.canvas.primitives import Primitive, Text, baseline, moved
from hpc_explorer.canvas.text import Font

HEADING = Font(16, 600)
LEGEND_GAP = 20.0


def legend(entries: Iterable[LegendEntry], theme: Theme, width: float) -> Picture:
    """A legend as a picture, in rows of at most `width` units; its cards are the entries, by their keys."""
    primitives: list[Primitive] = []
    places: dict[str, Rect] = {}
    x, y = 0.0, 0.0
    for entry in entries:
        drawn, needed = drawn_entry(entry, theme)
        if x and x + needed > width:
            x, y = 0.0, y + ROW
        primitives += moved(drawn, x, y)
        places[entry.key or entry.label] = Rect(x, y, needed, ROW)
        x += needed + LEGEND_GAP
    bounds = union(places.values()) if places else EMPTY_RECT
    return Picture(tuple(primitives), bounds, theme.background, places)


NARROWEST_SHEET = 320.0
WIDEST_TITLE = 960.0


def sheet(picture: Picture, theme: Theme) -> Picture:
    """The picture as a page: its title above it, its legend below it, and a margin."""
    width = max(picture.bounds.width, NARROWEST_SHEET)
    titles = text.wrap(picture.title, HEADING, min(width, WIDEST_TITLE)) if picture.title else ()
    notes = text.wrap(picture.note, SMALL, min(width, WIDEST_TITLE)) if picture.note else ()
    heading = len(titles) * 24.0 + len(notes) * 16.0 + (16.0 if titles or notes else 0.0)
    key = legend(picture.legend, theme, width)
    dx = MARGIN + (width - picture.bounds.width) / 2 - picture.bounds.x
    dy = MARGIN + heading - picture.bounds.y
    below = MARGIN + heading + picture.bounds.height + 24.0
    primitives: list[Primitive] = [
        Text(Point(MARGIN, baseline(MARGIN + 12.0 + at * 24.0, HEADING)), line, HEADING, theme.text)
        for at, line in enumerate(titles)
    ]
    below_titles = MARGIN + len(titles) * 24.0 + 8.0
    primitives += [
        Text(Point(MARGIN, baseline(below_titles + at * 16.0, SMALL)), line, SMALL, theme.muted)
        for at, line in enumerate(notes)
    ]
    primitives += moved(picture.primitives, dx, dy)
    primitives += moved(key.primitives, MARGIN, below)
    height = below + key.bounds.height if key.primitives else below - 24.0
    return replace(
        picture,
        primitives=tuple(primitives),
        bounds=Rect(0.0, 0.0, math.ceil(width + 2 * MARGIN), math.ceil(height + MARGIN)),
        cards={name: rect.moved(dx, dy) for name, rect in picture.cards.items()},
    )
