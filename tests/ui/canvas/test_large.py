"""A canvas with more nodes than can be drawn one by one: what is seen, found and marked."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hpc_explorer.canvas.camera import Camera, fitting
from hpc_explorer.canvas.geometry import Point, Size
from hpc_explorer.canvas.layout.result import Layout
from hpc_explorer.canvas.palette import DARK, LIGHT, class_colour
from hpc_explorer.ui.canvas.backing import Wanted, cropped
from hpc_explorer.ui.canvas.plan import Backed, LargePlan
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.widgets import theme
from hpc_explorer.ui.widgets.theme import use_theme
from tests.helpers.canvases import open_canvas
from tests.helpers.scenes import field
from tests.helpers.watchdog import longest_here

NODES = 6_000


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> CanvasView:
    return open_canvas(qapp, qtbot, *field(NODES))


def sharp(qtbot: QtBot, view: CanvasView) -> QImage:
    """What the view shows when nothing is being drawn any more."""
    view.grab()
    qtbot.waitUntil(lambda: not (view.painting.backing.pending or view.painting.names.pending))
    return view.grab().toImage()


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}


def _number(image: QImage, colour: str) -> int:
    """How many pixels of every third row have a colour."""
    return sum(
        image.pixelColor(x, y).name() == colour for x in range(image.width()) for y in range(0, image.height(), 3)
    )


def look_at(view: CanvasView, key: str, scale: float) -> QPoint:
    """Moves the view so that a node is in its middle; returns where."""
    rect = field(NODES)[1].places[key]
    view.viewpoint.look(Camera(scale, rect.centre.x - 450 / scale, rect.centre.y - 300 / scale))
    return QPoint(450, 300)


def test_from_far_away_the_nodes_are_areas_of_their_colours(qtbot: QtBot, view: CanvasView) -> None:
    look_at(view, "n3000", 0.2)
    seen = colours(sharp(qtbot, view))
    for kind in ("Activity", "AIModel", "Dataset", "Person"):
        assert class_colour(LIGHT, kind) in seen


def test_the_theme_is_followed(qtbot: QtBot, view: CanvasView) -> None:
    use_theme(DARK)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    look_at(view, "n3000", 0.2)
    assert class_colour(DARK, "Dataset") in colours(sharp(qtbot, view))


def test_near_by_the_cards_are_drawn_with_their_texts(qtbot: QtBot, view: CanvasView) -> None:
    look_at(view, "n3000", 1.0)
    assert LIGHT.surface in colours(sharp(qtbot, view))
    assert view.tooltip_at(QPoint(450, 300).toPointF()).startswith("<b>Batch 3000 of epoch 0</b>")


@pytest.mark.parametrize("scale", [0.05, 0.2, 1.0])
def test_a_click_selects_the_node_under_the_pointer(qtbot: QtBot, view: CanvasView, scale: float) -> None:
    place = look_at(view, "n3000", scale)
    sharp(qtbot, view)
    with qtbot.waitSignal(view.node_selected) as selected:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
    assert selected.args == ["n3000"]


def test_a_selected_node_is_marked_with_its_lines(qtbot: QtBot, view: CanvasView) -> None:
    look_at(view, "n3000", 1.0)
    before = _number(sharp(qtbot, view), LIGHT.accent)
    view.select("n3000")
    after = _number(sharp(qtbot, view), LIGHT.accent)
    assert after > before + 20  # the frame in the map has the same colour


def test_the_tooltip_of_a_line_tells_its_predicate(qtbot: QtBot, view: CanvasView) -> None:
    _, layout = field(NODES)
    route = next(route for route in layout.routes if route.bundle.source == 3000)
    start, end = route.path.start, route.path.end
    middle = type(start)((start.x + end.x) / 2, (start.y + end.y) / 2)
    view.viewpoint.look(Camera(1.0, middle.x - 450, middle.y - 300))
    sharp(qtbot, view)
    assert view.tooltip_at(QPoint(450, 300).toPointF()).startswith("<b>used</b>")


def test_moving_shows_the_picture_at_once(qtbot: QtBot, view: CanvasView) -> None:
    look_at(view, "n3000", 0.2)
    sharp(qtbot, view)
    look_at(view, "n3002", 0.2)
    assert class_colour(LIGHT, "Dataset") in colours(view.grab().toImage())


def test_the_image_of_a_whole_picture_ends_where_the_picture_does(view: CanvasView) -> None:
    ready = view.ready()
    assert ready is not None
    assert isinstance(ready.plan, LargePlan)
    bounds = ready.plan.picture.bounds
    whole = fitting(bounds, Size(900.0, 600.0), 0.0)
    camera, size = cropped(Wanted(ready.plan, Backed.ALL, whole, Size(900.0, 600.0), 2.0))
    seen = camera.seen(size)
    assert max(seen.x - bounds.x, seen.y - bounds.y, bounds.right - seen.right, bounds.bottom - seen.bottom) <= 0
    assert size.width * size.height < 0.5 * (1800 * 1.5) * (1200 * 1.5)


def test_the_image_of_a_part_reaches_beyond_the_view(view: CanvasView) -> None:
    ready = view.ready()
    assert ready is not None
    assert isinstance(ready.plan, LargePlan)
    look_at(view, "n3000", 0.3)
    camera, size = cropped(Wanted(ready.plan, Backed.ALL, view.camera(), Size(900.0, 600.0), 1.0))
    assert size == (1350, 900)
    assert camera == view.camera().moved(225, 150)


@pytest.mark.parametrize("size", [(900, 600), (901, 603)])
def test_an_image_serves_while_the_view_moves_in_whole_pixels_inside_it(
    qtbot: QtBot, view: CanvasView, size: tuple[int, int]
) -> None:
    view.resize(*size)
    look_at(view, "n3000", 0.2)
    sharp(qtbot, view)
    before = sharp(qtbot, view)
    moved = view.camera().moved(40, 24)
    view.viewpoint.look(moved)
    view.grab()
    assert not view.painting.backing.pending, "it is there already"
    after = view.grab().toImage()
    assert after.pixelColor(440, 224) == before.pixelColor(400, 200)
    view.viewpoint.look(moved.moved(0.5, 0.0))
    view.grab()
    assert view.painting.backing.pending, "between the pixels it would look blurred"
    sharp(qtbot, view)
    view.viewpoint.look(moved.moved(size[0] * 0.2, 0.0))
    view.grab()
    assert view.painting.backing.pending, "the view comes near the edge of the image"
    sharp(qtbot, view)
    view.viewpoint.look(view.camera().zoomed(1.3, Point(450.0, 300.0)))
    view.grab()
    assert view.painting.backing.pending
    sharp(qtbot, view)


def test_beside_the_picture_no_image_is_asked_for(view: CanvasView) -> None:
    ready = view.ready()
    assert ready is not None
    assert isinstance(ready.plan, LargePlan)
    _, size = cropped(Wanted(ready.plan, Backed.ALL, Camera(0.3, 1e7, -1e7), Size(900.0, 600.0), 1.0))
    assert size == (1, 1)


def test_the_map_shows_cards_wherever_the_picture_begins(qtbot: QtBot, view: CanvasView) -> None:
    scene, layout = field(NODES)
    away = Layout(
        places={key: rect.moved(50_000.0, -20_000.0) for key, rect in layout.places.items()},
        feet=layout.feet,
        bounds=layout.bounds.moved(50_000.0, -20_000.0),
    )
    view.set_scene(scene, away)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    view.viewpoint.look(Camera(1.0, 50_000.0, -20_000.0))
    image = sharp(qtbot, view)
    shown = view.painting.map()
    assert shown is not None
    area = shown.rect
    inside = {
        image.pixelColor(x, y).name()
        for x in range(round(area.x) + 8, round(area.right) - 8)
        for y in range(round(area.y) + 8, round(area.bottom) - 8)
    }
    assert len(inside) > 20


@pytest.mark.slow
@pytest.mark.parametrize("faded", [frozenset(), frozenset({"data"})], ids=["all", "some faded"])
def test_what_comes_into_sight_near_by_is_made_ready_at_once(
    qtbot: QtBot, qapp: QApplication, faded: frozenset[str]
) -> None:
    theme.prepare(qapp)
    view = CanvasView()
    qtbot.addWidget(view)
    view.fade(faded)
    view.resize(900, 600)
    view.show()
    scene, layout = field(50_000)
    view.set_scene(scene, layout)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    middle = layout.places["n25000"].centre
    working = []
    for place in range(12):
        began = time.thread_time()
        view.viewpoint.look(Camera(1.0, middle.x + 3_000 * place, middle.y - 300))
        view.grab()
        working.append(1000 * (time.thread_time() - began))
    working.sort()
    assert working[len(working) // 2] < longest_here(), working
    sharp(qtbot, view)


@pytest.mark.slow
def test_picking_up_everything_of_a_large_picture_leaves_the_window_free(qtbot: QtBot, qapp: QApplication) -> None:
    theme.prepare(qapp)
    view = CanvasView()
    qtbot.addWidget(view)
    view.movable = True
    view.resize(900, 600)
    view.show()
    scene, layout = field(50_000)
    view.set_scene(scene, layout)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    middle = layout.places["n25000"].centre
    view.viewpoint.look(Camera(1.0, middle.x - 450, middle.y - 300))
    view.choose_all()
    sharp(qtbot, view)
    taking, dropping, dropped = [], [], []
    view.nodes_dragged.connect(dropped.append)
    here, there = QPoint(450, 300), QPoint(480, 330)
    for _ in range(3):
        QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, here)
        began = time.thread_time()
        QTest.mouseMove(view, there)
        taking.append(1000 * (time.thread_time() - began))
        assert view.mover.moving is not None
        began = time.thread_time()
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, there)
        dropping.append(1000 * (time.thread_time() - began))
        view.mover.cancel()
    assert [len(places) for places in dropped] == [50_000] * 3
    assert dropped[0]["n25000"] == (middle.x + 30, middle.y + 30)
    longest = longest_here()
    assert min(taking) < longest
    # As many places are made anew, which nobody waits for who has just let go.
    assert min(dropping) < 2 * longest
