"""A scene and its layout as drawing primitives in the colours of a theme.

The exports and the window draw the same primitives, so an exported picture looks like the one on screen. Lengths are
scene units, colours "#rrggbb".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from hpc_explorer.canvas import badges, card, text
from hpc_explorer.canvas.geometry import Curve, Path, Point, Rect, point_along, union
from hpc_explorer.canvas.icons import mark
from hpc_explorer.canvas.layout.lines import Occupied, free_label
from hpc_explorer.canvas.layout.result import EdgeLabel, Layout, Route
from hpc_explorer.canvas.legend import DASH, LegendEntry, legend_entries, line_colour
from hpc_explorer.canvas.palette import FADE, Theme, class_look, is_faded, mixed
from hpc_explorer.canvas.primitives import Box, Line, Polygon, Primitive, Text, baseline, recoloured
from hpc_explorer.canvas.scene import Scene, SceneNode
from hpc_explorer.canvas.spatial import SpatialIndex
from hpc_explorer.canvas.text import Font


@dataclass(frozen=True)
class Picture:
    """Primitives with metadata.

    Args:
        primitives: from back to front.
        bounds: around all of it.
        background: its colour.
        cards: the card of each node by key.
        legend: the meaning of colours and lines.
        title: one line.
        note: what is left out, in one line.
        description: a description for screen readers.
    """

    primitives: tuple[Primitive, ...]
    bounds: Rect
    background: str
    cards: Mapping[str, Rect] = field(default_factory=dict)
    legend: tuple[LegendEntry, ...] = ()
    title: str = ""
    note: str = ""
    description: str = ""


RADIUS = 6.0
EMPHASIS_WIDTH = 2.0
SELECTION_GAP = 3.0
MOST_LABELLED = 60
MOST_AVOIDED = 1_000
"""Maximum cards to avoid when placing a label."""
MOST_MARKED = 100
"""Maximum highlighted lines; more would only cover the picture."""
FAR_LABEL = 64.0
MOST_TOLD = 40
ARROW_LENGTH, ARROW_HALF = 8.0, 3.5
STACK_STEP = 3.0
MARGIN = 24.0
BODY = Font(13)
SMALL = card.SMALL
EMPTY_SIZE = (480.0, 160.0)


def draw(
    scene: Scene,
    layout: Layout,
    theme: Theme,
    *,
    selected: str | None = None,
    hovered: str | None = None,
    also: AbstractSet[str] = frozenset(),
) -> Picture:
    """The picture of a laid-out scene, without margin, title and legend (see `page.sheet`).

    Args:
        selected: the key of the current node, highlighted with its lines.
        hovered: the key of the node under the pointer.
        also: the keys of other selected nodes, highlighted without their lines.
    """
    if not scene.nodes:
        return _empty(scene, theme)
    primitives = frames(layout, theme) + part(scene, layout, theme, nodes=range(len(scene.nodes)))
    primitives += emphasis(scene, layout, theme, selected=selected, hovered=hovered)
    primitives += [_ring(layout.places[key], theme) for key in layout.places if key in also and key != selected]
    return replace(about(scene, layout, theme), primitives=tuple(primitives))


def about(scene: Scene, layout: Layout, theme: Theme) -> Picture:
    """The metadata of a picture without primitives, for a large picture that is drawn in parts."""
    if not scene.nodes:
        return _empty(scene, theme)
    return Picture(
        primitives=(),
        bounds=layout.bounds,
        background=theme.background,
        cards=layout.places,
        legend=legend_entries(scene, theme),
        title=text.clean(scene.title),
        note=text.clean(scene.note),
        description=_description(scene),
    )


def part(
    scene: Scene,
    layout: Layout,
    theme: Theme,
    *,
    nodes: Iterable[int],
    routes: Iterable[Route] | None = None,
    labels: Iterable[EdgeLabel] | None = None,
    faint: AbstractSet[int] | None = None,
) -> list[Primitive]:
    """The primitives of some nodes, lines and labels, from back to front.

    Args:
        nodes: positions in `scene.nodes`.
        routes, labels: of the layout; None: all.
        faint: `faded_edges` of the scene, if known; computed otherwise.
    """
    routes = layout.routes if routes is None else tuple(routes)
    labels = layout.labels if labels is None else tuple(labels)
    back: list[Primitive] = []
    if faint is None and (routes or labels):
        faint = faded_edges(scene, theme)
    if faint:
        # Faded elements are drawn first, so their lines do not cross other cards.
        back += _lines((route for route in routes if route.bundle.edges[0] in faint), theme.edge, theme.edge_width)
        back += [_edge_label(label, theme.muted, theme) for label in labels if label.edges[0] in faint]
        routes = tuple(route for route in routes if route.bundle.edges[0] not in faint)
        labels = tuple(label for label in labels if label.edges[0] not in faint)
    absent = tuple(route for route in routes if route.bundle.origin == "absent")
    if absent:
        routes = tuple(route for route in routes if route.bundle.origin != "absent")
    primitives = _lines(routes, theme.edge, theme.edge_width)
    primitives += _lines(absent, line_colour("absent", theme), theme.edge_width)
    primitives += [_edge_label(label, _label_colour(scene, label, theme), theme) for label in labels]
    plain = replace(theme, faded=frozenset()) if theme.faded else theme
    for at in nodes:
        node = scene.nodes[at]
        (back if _is_back(node, theme) else primitives).extend(card_primitives(node, layout.places[node.key], plain))
    return recoloured(back, lambda colour: _faint(colour, theme)) + primitives


def _is_back(node: SceneNode, theme: Theme) -> bool:
    """Whether a node is faded, by itself or by its look; a look does not fade the focus."""
    return node.back or (not node.focus and is_faded(theme, node.colour_key or node.kind))


def faded_edges(scene: Scene, theme: Theme) -> set[int]:
    """The positions of the links with a faded end."""
    if not theme.faded and not any(node.back for node in scene.nodes):
        return set()
    back = {node.key for node in scene.nodes if _is_back(node, theme)}
    return {at for at, edge in enumerate(scene.edges) if edge.source in back or edge.target in back}


def _faint(colour: str, theme: Theme) -> str:
    # Patches and surfaces stay opaque.
    return colour if colour in (theme.background, theme.surface) else mixed(colour, theme.background, FADE)


def emphasis(
    scene: Scene,
    layout: Layout,
    theme: Theme,
    *,
    selected: str | None = None,
    hovered: str | None = None,
    index: SpatialIndex | None = None,
    with_cards: bool = True,
) -> tuple[Primitive, ...]:
    """The highlights of the selected and the hovered node, drawn over the picture.

    Their lines are drawn stronger unless there are more than `MOST_MARKED`, which would be slow and hide the picture.
    Up to
    `MOST_LABELLED` of them get labels that had no place in the whole picture.

    Args:
        index: the spatial index, if known; otherwise the picture is searched linearly.
        with_cards: whether cards crossed by the lines are drawn over them, as needed from near by.
    """
    keys = [key for key in dict.fromkeys((selected, hovered)) if key is not None and key in layout.places]
    if not keys:
        return ()
    routes = _routes_at(scene, layout, keys, index)
    primitives = _lines(routes, theme.accent, EMPHASIS_WIDTH)
    if with_cards:
        primitives += _cards_over(scene, layout, routes, theme, index)
    primitives += [_edge_label(label, theme.text, theme) for label in _labels_of(scene, layout, routes, index)]
    for key in keys:
        primitives.append(_ring(layout.places[key], theme, SELECTION_GAP if key == selected else 0.0))
    return tuple(primitives)


def _ring(card_rect: Rect, theme: Theme, gap: float = SELECTION_GAP) -> Box:
    """The ring around a selected card."""
    radius = RADIUS + SELECTION_GAP
    return Box(card_rect.grown(gap), stroke=theme.accent, stroke_width=EMPHASIS_WIDTH, radius=radius)


def _cards_over(
    scene: Scene, layout: Layout, routes: list[Route], theme: Theme, index: SpatialIndex | None
) -> list[Primitive]:
    """The cards that these lines cross, to be drawn over them."""
    around = union([route.path.bounds() for route in routes])
    near = scene.nodes if index is None else [scene.nodes[at] for at in index.cards_in(around)]
    passed = crossed_cards(scene, layout, routes, near)
    return [primitive for node in passed for primitive in card_primitives(node, layout.places[node.key], theme)]


def _routes_at(scene: Scene, layout: Layout, keys: list[str], index: SpatialIndex | None) -> list[Route]:
    """The lines from or to these nodes; none if there are more than `MOST_MARKED`."""
    if index is not None:
        found = index.routes_of([index.position[key] for key in keys])
        return [layout.routes[at] for at in found] if len(found) <= MOST_MARKED else []
    marked = {at for at, node in enumerate(scene.nodes) if node.key in keys}
    routes = [route for route in layout.routes if marked & {route.bundle.source, route.bundle.target}]
    return routes if len(routes) <= MOST_MARKED else []


def _labels_of(scene: Scene, layout: Layout, routes: list[Route], index: SpatialIndex | None) -> list[EdgeLabel]:
    """The labels of these lines; for a few lines also labels without a place in the whole picture, if there is room."""
    around = union([route.path.bounds() for route in routes]).grown(FAR_LABEL)
    labels = layout.labels if index is None else [layout.labels[at] for at in index.labels_in(around)]
    edges = {edge for route in routes for edge in route.bundle.edges}
    shown = [label for label in labels if edges & set(label.edges)]
    labelled = {edge for label in shown for edge in label.edges}
    bare = [route for route in routes if not labelled & set(route.bundle.edges)]
    near = scene.nodes if index is None else [scene.nodes[at] for at in index.cards_in(around)]
    if bare and len(routes) <= MOST_LABELLED and len(near) <= MOST_AVOIDED:
        taken = Occupied()
        for rect in [*(layout.places[node.key] for node in near), *(label.box for label in labels)]:
            taken.add(rect)
        for route in routes:
            taken.add_line(route.path)
        for route in bare:
            shown += free_label(route.bundle.label, route.bundle.edges, route.path, taken)
    return shown


def card_primitives(node: SceneNode, rect: Rect, theme: Theme) -> list[Primitive]:
    texts = card.card_text(node, rect.width)
    fill, stroke = (theme.accent_soft, theme.accent) if node.focus else (theme.surface, theme.line)
    primitives: list[Primitive] = []
    if node.group:
        for step in (2, 1):
            behind = rect.moved(step * STACK_STEP, step * STACK_STEP)
            primitives.append(Box(behind, fill=theme.surface, stroke=theme.line, radius=RADIUS))
    primitives.append(Box(rect, fill=fill, stroke=stroke, radius=rect.height / 2 if node.round else RADIUS))
    top = rect.centre.y - card.MARK_SIDE / 2
    square = Rect(rect.x + card.MARK_INSET, top, card.MARK_SIDE, card.MARK_SIDE)
    primitives += mark(class_look(theme, node.colour_key or node.kind), square, theme)
    left = rect.x + card.PAD_LEFT
    rows = len(texts.label) + bool(texts.kind or texts.badges)
    middle = rect.centre.y - (rows - 1) * card.LINE / 2
    font = card.label_font(node)
    for line in texts.label:
        primitives.append(Text(Point(left, baseline(middle, font)), line, font, theme.text))
        middle += card.LINE
    if texts.kind:
        primitives.append(Text(Point(left, baseline(middle, SMALL)), texts.kind, SMALL, theme.muted))
    for badge, place in card.badge_places(node, rect):
        patch = Box(place, fill=theme.raised, radius=4.0)
        sign = badges.sign(badge, place.centre, theme.text)
        if sign:
            primitives += [patch, *sign]
        else:
            centre = Point(place.centre.x, baseline(place.centre.y, SMALL))
            primitives.append(Text(centre, badge, SMALL, theme.text, "middle", patch))
    if badges.PINNED in node.badges:
        primitives += badges.pin(rect, theme.muted)
    middle = rect.bottom + 2.0 + card.STOP_LINE / 2
    for line in texts.stop:
        primitives.append(Text(Point(left, baseline(middle, SMALL)), line, SMALL, theme.muted))
        middle += card.STOP_LINE
    return primitives


def _lines(routes: Iterable[Route], colour: str, width: float) -> list[Primitive]:
    """The lines and their arrowheads; shared parts are drawn once."""
    drawn: set[tuple[object, ...]] = set()
    primitives: list[Primitive] = []
    heads: list[Primitive] = []
    for route in {(id(route.path), route.bundle.origin): route for route in routes}.values():
        dash = DASH[route.bundle.origin]
        path = route.path
        tip, direction = path.end, _arrival(path)
        # The line ends inside the arrowhead, which hides its blunt end.
        for start, segment in _shortened(path, direction, ARROW_LENGTH / 2).pieces():
            end = segment.end if isinstance(segment, Curve) else segment
            piece = (min(start, end), max(start, end), dash)
            if piece not in drawn:
                drawn.add(piece)
                primitives.append(Line(Path(start, (segment,)), colour, width, dash))
        head = ("head", tip, direction)
        if head not in drawn:
            drawn.add(head)
            heads.append(_arrowhead(tip, direction, colour))
    return primitives + heads


def _arrival(path: Path) -> Point:
    """The unit vector at the end of a path."""
    *_, (start, segment) = path.pieces()
    end = path.end
    before = segment.second if isinstance(segment, Curve) else start
    dx, dy = end.x - before.x, end.y - before.y
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    return Point(dx / length, dy / length)


def _shortened(path: Path, direction: Point, by: float) -> Path:
    last = path.segments[-1]
    end = Point(path.end.x - direction.x * by, path.end.y - direction.y * by)
    final = Curve(last.first, last.second, end) if isinstance(last, Curve) else end
    return Path(path.start, (*path.segments[:-1], final))


def _arrowhead(tip: Point, direction: Point, colour: str) -> Polygon:
    back = Point(tip.x - direction.x * ARROW_LENGTH, tip.y - direction.y * ARROW_LENGTH)
    across = Point(-direction.y * ARROW_HALF, direction.x * ARROW_HALF)
    return Polygon(
        (tip, Point(back.x + across.x, back.y + across.y), Point(back.x - across.x, back.y - across.y)), colour
    )


def _edge_label(label: EdgeLabel, colour: str, theme: Theme) -> Text:
    """A text on a background patch over the line."""
    middle = label.box.centre
    patch = Box(label.box, fill=theme.background, radius=3.0)
    return Text(Point(middle.x, baseline(middle.y, SMALL)), label.text, SMALL, colour, "middle", patch)


def _label_colour(scene: Scene, label: EdgeLabel, theme: Theme) -> str:
    return theme.error if scene.edges[label.edges[0]].origin == "absent" else theme.muted


def frames(layout: Layout, theme: Theme) -> list[Primitive]:
    """The boxes around groups of cards, drawn first."""
    return [Box(frame.rect, stroke=theme.edge, radius=RADIUS + 4.0, dash=DASH[frame.origin]) for frame in layout.frames]


def _empty(scene: Scene, theme: Theme) -> Picture:
    width, height = EMPTY_SIZE
    lines = text.wrap(text.clean(scene.empty_text), BODY, width - 2 * MARGIN, 4)
    top = height / 2 - (len(lines) - 1) * 20.0 / 2
    return Picture(
        primitives=tuple(
            Text(Point(width / 2, baseline(top + at * 20.0, BODY)), line, BODY, theme.muted, "middle")
            for at, line in enumerate(lines)
        ),
        bounds=Rect(0.0, 0.0, width, height),
        background=theme.background,
        legend=legend_entries(scene, theme),
        title=text.clean(scene.title),
        description=text.clean(scene.empty_text),
    )


def _description(scene: Scene) -> str:
    """The nodes and links in a sentence or two."""
    told = scene.edges[:MOST_TOLD]
    ends = {end for edge in told for end in (edge.source, edge.target)}
    labels = {node.key: text.clean(node.label) or node.key for node in scene.nodes if node.key in ends}
    links = [f"{labels[edge.source]} {text.clean(edge.label)} {labels[edge.target]}" for edge in told]
    more = len(scene.edges) - len(told)
    listed = "; ".join(links) + (f"; and {more:,} more" if more else "")
    counted = f"{len(scene.nodes):,} nodes, {len(scene.edges):,} links"
    return f"{counted}. {listed}." if listed else f"{counted}."


MOST_CARDS, MOST_LINES = 600, 60
"""Maximum number for which this is computed, because it is repeated whenever another card is hovered."""

_CELL, _CLOSE = 96.0, 16.0


def crossed_cards(scene: Scene, layout: Layout, routes: Sequence[Route], near: Sequence[SceneNode]) -> list[SceneNode]:
    """The nodes whose cards are crossed by a line of other nodes.

    Args:
        near: the candidates.
    """
    if len(near) > MOST_CARDS or len(routes) > MOST_LINES:
        return []
    cells: dict[tuple[int, int], list[SceneNode]] = {}
    for node in near:
        rect = layout.places[node.key]
        for column in range(int(rect.x // _CELL), int(rect.right // _CELL) + 1):
            for row in range(int(rect.y // _CELL), int(rect.bottom // _CELL) + 1):
                cells.setdefault((column, row), []).append(node)
    passed: dict[str, SceneNode] = {}
    for route in routes:
        ends = {scene.nodes[route.bundle.source].key, scene.nodes[route.bundle.target].key}
        for point in _points_on(route):
            for node in cells.get((int(point.x // _CELL), int(point.y // _CELL)), ()):
                if node.key not in passed and node.key not in ends and layout.places[node.key].contains(point):
                    passed[node.key] = node
    return list(passed.values())


def _points_on(route: Route) -> Iterator[Point]:
    """Points of a line, closer together than a card's height."""
    for start, segment in route.path.pieces():
        end = segment.end if isinstance(segment, Curve) else segment
        number = max(4, int((abs(end.x - start.x) + abs(end.y - start.y)) / _CLOSE))
        for at in range(number + 1):
            yield point_along(start, segment, at / number)
