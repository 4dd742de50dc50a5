"""The result of a layout: the places of cards, the paths of edges, and the places of labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hpc_explorer.canvas.geometry import EMPTY_RECT, Path, Rect, union
from hpc_explorer.canvas.scene import Origin


class Bundle(NamedTuple):
    """The edges drawn as one line: same ends, same direction, same origin.

    Args:
        source, target: positions in `scene.nodes`; the arrow points at the target.
        left, right: the same two, in their preferred order.
        label: the labels of the edges, joined.
        origin: how these links are known.
        edges: positions in `scene.edges`.
    """

    source: int
    target: int
    left: int
    right: int
    label: str
    origin: Origin
    edges: tuple[int, ...]


class Route(NamedTuple):
    """The line of a bundle, from its source to its target."""

    bundle: Bundle
    path: Path


class EdgeLabel(NamedTuple):
    """One label for one or several edges that share it, and the box it fills."""

    text: str
    box: Rect
    edges: tuple[int, ...]


class Frame(NamedTuple):
    """A box around cards with one common line instead of a line to each.

    Args:
        rect: the box, around the cards.
        edges: positions in `scene.edges` of the represented edges.
        origin: how these links are known.
    """

    rect: Rect
    edges: tuple[int, ...]
    origin: Origin = "asserted"


@dataclass(frozen=True)
class Layout:
    """A scene's places, in scene units, with the left top corner of everything at the origin unless places were given.

    Args:
        places: the card of every node, by key.
        feet: the room below a card that its stop note fills, by key.
        routes: the lines.
        labels: the labels of the lines; an edge without one had no free place and shows it on hover.
        frames: boxes around groups of cards.
        bounds: around everything.
    """

    places: Mapping[str, Rect] = field(default_factory=dict)
    feet: Mapping[str, float] = field(default_factory=dict)
    routes: tuple[Route, ...] = ()
    labels: tuple[EdgeLabel, ...] = ()
    frames: tuple[Frame, ...] = ()
    bounds: Rect = EMPTY_RECT


Show = Callable[[Layout], None]
"""Receives intermediate layouts; cards may overlap in them."""


def moved_label(label: EdgeLabel, dx: float, dy: float) -> EdgeLabel:
    return EdgeLabel(label.text, label.box.moved(dx, dy), label.edges)


def finished(
    places: dict[str, Rect],
    feet: dict[str, float],
    routes: list[Route],
    labels: list[EdgeLabel],
    frames: list[Frame] | None = None,
    *,
    lines: Rect | None = None,
    stay: bool = False,
) -> Layout:
    """The layout with everything moved so that its left top corner is the origin.

    Args:
        lines: a rectangle around all lines, if it is known.
        stay: move nothing, because some places are given.
    """
    frames = frames or []
    boxes = [label.box for label in labels] + [frame.rect for frame in frames]
    if places:
        left, top = min([r.x for r in places.values()]), min([r.y for r in places.values()])
        right = max([r.x + r.width for r in places.values()])
        bottom = max([r.y + r.height + feet[key] for key, r in places.items()])
        boxes.append(Rect(left, top, right - left, bottom - top))
    if lines is None:
        boxes += [path.bounds() for path in {id(route.path): route.path for route in routes}.values()]
    elif routes:
        boxes.append(lines)
    bounds = union(boxes)
    dx, dy = -bounds.x, -bounds.y
    # Lines to one frame share their path, and keep sharing it.
    if stay or dx == dy == 0.0:
        bounds = Rect(bounds.x if stay else 0.0, bounds.y if stay else 0.0, bounds.width, bounds.height)
        return Layout(places, feet, tuple(routes), tuple(labels), tuple(frames), bounds)
    moved = {id(route.path): route.path for route in routes}
    moved = {name: path.moved(dx, dy) for name, path in moved.items()}
    return Layout(
        places={key: rect.moved(dx, dy) for key, rect in places.items()},
        feet=feet,
        routes=tuple(Route(route.bundle, moved[id(route.path)]) for route in routes),
        labels=tuple(moved_label(label, dx, dy) for label in labels),
        frames=tuple(Frame(frame.rect.moved(dx, dy), frame.edges, frame.origin) for frame in frames),
        bounds=Rect(0.0, 0.0, bounds.width, bounds.height),
    )
