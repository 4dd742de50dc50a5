"""The legend of a picture: its marks and lines, with the number of nodes of each mark."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from hpc_explorer.canvas import text
from hpc_explorer.canvas.geometry import Path, Point, Rect
from hpc_explorer.canvas.icons import mark
from hpc_explorer.canvas.kinds import KINDS
from hpc_explorer.canvas.palette import Theme, class_look, look_key
from hpc_explorer.canvas.primitives import Line, Primitive, Text, baseline
from hpc_explorer.canvas.scene import ORIGIN_WORDS, Origin, Scene, SceneNode
from hpc_explorer.canvas.text import Font

DASH: dict[Origin, tuple[float, ...]] = {
    "asserted": (),
    "inferred": (6.0, 4.0),
    "matched": (1.5, 4.0),
    "required": (),
    "optional": (6.0, 4.0),
    "absent": (10.0, 3.0, 2.0, 3.0),
    "kept": (1.5, 4.0),
}
"""The dash pattern of lines by origin."""


def line_colour(origin: Origin, theme: Theme) -> str:
    """The colour of a line; excluded links have the error colour."""
    return theme.error if origin == "absent" else theme.edge


ROW = 20.0
"""Height of an entry."""
_SWATCH = 24.0
_MARK = 16.0
_GAP = 6.0
_WIDEST = 200.0
_FONT = Font(11)


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """The meaning of a mark or a kind of line.

    Args:
        label: the classes, or the origin.
        colour: of the mark, or of the line.
        dash: of a line; None for a mark.
        key: of the look (`palette.look_key`); "" for a line.
        count: the number of nodes with this look, or of filtered ones if all are left out.
        left_out: whether a filter leaves all of them out.
    """

    label: str
    colour: str
    dash: tuple[float, ...] | None = None
    key: str = ""
    count: int = 0
    left_out: bool = False


def legend_entries(scene: Scene, theme: Theme) -> tuple[LegendEntry, ...]:
    """The looks in order of appearance, and the kinds of lines unless all links are asserted.

    A look is named by its classes. Classes whose nodes have several looks are left out of the name; the kind's title is
    used instead. A look whose nodes are all filtered out keeps its place, so it can be shown again.
    """
    shown = [node for node in scene.nodes if not node.group]
    nodes = shown
    if scene.left_out:
        nodes = sorted([*shown, *scene.left_out], key=lambda node: (node.label.casefold(), node.key))
    counts: Counter[str] = Counter()
    for colour_key, number in Counter(node.colour_key or node.kind for node in shown).items():
        counts[look_key(theme, colour_key)] += number
    names: dict[str, dict[str, None]] = {}
    missing: Counter[str] = Counter()
    for (colour_key, kind), number in Counter((node.colour_key or node.kind, node.kind) for node in nodes).items():
        key = look_key(theme, colour_key)
        missing[key] += number
        found = names.setdefault(key, {})
        if name := text.clean(kind):
            found[name] = None
    looks = Counter(name for found in names.values() for name in found)
    entries = []
    for key, found in names.items():
        plain = [name for name in found if looks[name] == 1]
        title = KINDS[key].title if key in KINDS and key != "other" else ""
        if label := _listed(plain) or title:
            number, left_out = counts[key] or missing[key], not counts[key]
            entries.append(LegendEntry(label, class_look(theme, key).colour, key=key, count=number, left_out=left_out))
    origins = {edge.origin for edge in scene.edges}
    if origins - {"asserted", "required"}:
        entries += [
            LegendEntry(ORIGIN_WORDS[origin], line_colour(origin, theme), dash)
            for origin, dash in DASH.items()
            if origin in origins
        ]
    return tuple(entries)


def _listed(names: list[str], most: int = 3) -> str:
    """The classes of one look."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def of_look(scene: Scene, theme: Theme, key: str) -> tuple[SceneNode, ...]:
    """The nodes of a legend entry: the visible ones, or those left out."""

    def alike(nodes: tuple[SceneNode, ...]) -> tuple[SceneNode, ...]:
        pairs = {node.colour_key or node.kind for node in nodes}
        looks = {colour_key for colour_key in pairs if look_key(theme, colour_key) == key}
        return tuple(node for node in nodes if not node.group and (node.colour_key or node.kind) in looks)

    return alike(scene.nodes) or alike(scene.left_out)


def drawn_entry(entry: LegendEntry, theme: Theme) -> tuple[list[Primitive], float]:
    """An entry at 0, 0 with height `ROW`, and its width."""
    middle = ROW / 2
    primitives: list[Primitive] = []
    if entry.dash is None:
        look = class_look(theme, entry.key)
        primitives += mark(look, Rect(2.0, middle - _MARK / 2, _MARK, _MARK), theme)
    else:
        sample = Path(Point(1.0, middle), (Point(19.0, middle),))
        primitives.append(Line(sample, entry.colour, theme.edge_width, entry.dash))
    label = text.elide(entry.label, _FONT, _WIDEST, "end")
    ink = theme.muted if entry.left_out or entry.key in theme.faded else theme.text
    primitives.append(Text(Point(_SWATCH, baseline(middle, _FONT)), label, _FONT, ink))
    width = _SWATCH + text.width(label, _FONT)
    if entry.count:
        count = f"{entry.count:,}{' left out' if entry.left_out else ''}"
        primitives.append(Text(Point(width + _GAP, baseline(middle, _FONT)), count, _FONT, theme.muted))
        width += _GAP + text.width(count, _FONT)
    return primitives, width
