"""The canvas as a person uses it: real clicks, wheels and keys on an offscreen screen."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QFontInfo, QImage, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.canvas.export.svg import to_svg
from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.palette import DARK, LIGHT
from hpc_explorer.canvas.primitives import Text
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode
from hpc_explorer.canvas.text import Font
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.widgets import theme
from hpc_explorer.ui.widgets.drawing import qt_font
from hpc_explorer.ui.widgets.theme import use_theme
from tests.helpers.canvases import ROOMY, above_all, middle_of, open_canvas, turn_wheel
from tests.helpers.scenes import hub, mesh, story
from tests.helpers.watchdog import Watchdog, longest_here

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def _typeface(qapp: QApplication) -> None:
    theme.prepare(qapp)


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> CanvasView:
    """The story in a view that all of it fits in."""
    return open_canvas(qapp, qtbot, story(), size=ROOMY)


@pytest.fixture
def show(qtbot: QtBot, view: CanvasView) -> Callable[[Scene], None]:
    """Shows a scene and waits until it is in sight."""

    def wait_for(scene: Scene) -> None:
        view.set_scene(scene)
        qtbot.waitUntil(lambda: not view.is_laying_out())

    return wait_for


def settle(qtbot: QtBot, view: CanvasView) -> None:
    """Waits until the view stands still."""
    qtbot.waitUntil(lambda: not view.viewpoint.is_moving)


def image(view: CanvasView) -> QImage:
    return view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def colours_in(shot: QImage, rect: Rect) -> set[str]:
    ratio = shot.devicePixelRatio()
    return {
        shot.pixelColor(x, y).name()
        for x in range(round(rect.x * ratio), round(rect.right * ratio))
        for y in range(round(rect.y * ratio), round(rect.bottom * ratio))
        if shot.valid(x, y)
    }


# -- what is seen


def test_cards_are_drawn_in_their_colours_with_text(view: CanvasView) -> None:
    shot = image(view)
    for key, colour in (("model", LIGHT.classes["model"]), ("data", LIGHT.classes["data"])):
        rect = view.view_rect(key)
        assert rect is not None
        seen = colours_in(shot, rect)
        assert colour in seen
        assert len(seen) > 20, "there is no text in the card"
    assert shot.pixelColor(above_all(view)).name() == LIGHT.background


def test_the_view_is_drawn_in_the_shipped_typeface(view: CanvasView, qtbot: QtBot) -> None:
    for weight in (400, 500, 600):
        info = QFontInfo(qt_font(Font(13, weight)))
        assert (info.family(), info.weight()) == ("Inter", weight)


def test_dark_colours(view: CanvasView) -> None:
    use_theme(DARK)
    shot = image(view)
    assert shot.pixelColor(above_all(view)).name() == DARK.background
    rect = view.view_rect("model")
    assert rect is not None
    assert DARK.classes["model"] in colours_in(shot, rect)


def test_an_empty_view_says_what_it_is_for(view: CanvasView, show: Callable[[Scene], None]) -> None:
    show(Scene(empty_text="Choose a model."))
    assert view.accessibleDescription() == "Choose a model."
    seen = colours_in(image(view), Rect(view.width() / 2 - 100, view.height() / 2 - 20, 200, 40))
    assert LIGHT.muted in seen or len(seen) > 10
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Return, Qt.Key.Key_Home, Qt.Key.Key_Plus):
        view.keyPressEvent(pressed(key))
    assert view.selection.current is None


def pressed(key: Qt.Key) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier)


def test_the_picture_to_export_is_the_one_in_sight(view: CanvasView) -> None:
    view.select("data")
    picture = view.drawing().page()
    shown = [item.text for item in picture.primitives if isinstance(item, Text)]
    assert picture.title == "Where decisionTree.onnx comes from"
    assert {"decisionTree.onnx", "Dataset · 1,204 rows", picture.title} <= set(shown)
    assert LIGHT.accent in to_svg(picture, embed_fonts=False)
    use_theme(DARK)
    assert view.drawing().page().background == DARK.background


# -- mouse


def test_a_click_selects_and_a_click_beside_clears(view: CanvasView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.node_selected) as heard:
        qtbot.mouseClick(view, LEFT, pos=middle_of(view, "data"))
    assert heard.args == ["data"]
    assert view.selection.current == "data"
    with qtbot.waitSignal(view.selection_cleared):
        qtbot.mouseClick(view, LEFT, pos=above_all(view))
    assert view.selection.current is None


def test_a_double_click_opens(view: CanvasView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.node_activated) as heard:
        qtbot.mouseDClick(view, LEFT, pos=middle_of(view, "train"))
    assert heard.args == ["train"]


def test_dragging_moves_the_picture_and_selects_nothing(view: CanvasView, qtbot: QtBot) -> None:
    start = middle_of(view, "data")
    with qtbot.assertNotEmitted(view.node_selected):
        qtbot.mousePress(view, LEFT, pos=start)
        qtbot.mouseMove(view, start + QPoint(40, 30))
        qtbot.mouseMove(view, start + QPoint(120, 60))
        qtbot.mouseRelease(view, LEFT, pos=start + QPoint(120, 60))
    assert middle_of(view, "data") == start + QPoint(120, 60)


def test_the_picture_cannot_be_dragged_out_of_sight(view: CanvasView, qtbot: QtBot) -> None:
    for _ in range(8):
        qtbot.mousePress(view, LEFT, pos=QPoint(10, 10))
        qtbot.mouseMove(view, QPoint(600, 300))
        qtbot.mouseMove(view, QPoint(1500, 650))
        qtbot.mouseRelease(view, LEFT, pos=QPoint(1500, 650))
    rects = [view.view_rect(node.key) for node in view.scene().nodes]
    assert any(rect is not None and rect.overlaps(Rect(0, 0, view.width(), view.height())) for rect in rects)


def test_the_wheel_zooms_to_the_pointer(view: CanvasView) -> None:
    at = middle_of(view, "data")
    before, place = view.camera(), Point(at.x(), at.y())
    turn_wheel(view, at, 3)
    assert view.camera().scale == pytest.approx(before.scale * 1.25**3)
    assert view.camera().to_scene(place) == pytest.approx(before.to_scene(place))
    turn_wheel(view, at, -3)
    assert view.camera().scale == pytest.approx(before.scale)


def test_hovering_marks_a_node_and_its_lines(view: CanvasView, qtbot: QtBot) -> None:
    before = image(view)
    qtbot.mouseMove(view, middle_of(view, "data"))
    assert view.hovered == "data"
    after = image(view)
    assert after != before
    rect = view.view_rect("data")
    assert rect is not None
    assert LIGHT.accent in colours_in(after, rect.grown(3))
    assert view.cursor().shape() is Qt.CursorShape.PointingHandCursor
    qtbot.mouseMove(view, above_all(view))
    assert view.hovered is None
    assert image(view) == before


def test_tooltips_tell_the_whole_label_and_the_iri(view: CanvasView) -> None:
    said = view.tooltip_at(QPointF(middle_of(view, "model")))
    assert "decisionTree.onnx" in said
    assert "http://x/model" in said
    parse, data = view.view_rect("parse"), view.view_rect("data")
    assert parse is not None
    assert data is not None
    on_line = QPointF((parse.right + data.x) / 2, (parse.centre.y + data.centre.y) / 2)
    said = view.tooltip_at(on_line)
    assert "was generated by" in said
    assert "in graph xplacer.ttl" in said
    assert view.tooltip_at(QPointF(above_all(view))) == ""


def test_a_tooltip_shows_hostile_labels_as_text(view: CanvasView, show: Callable[[Scene], None]) -> None:
    show(Scene((SceneNode("a", "<img src=x>" + "y" * 300),)))
    said = view.tooltip_at(QPointF(middle_of(view, "a")))
    assert "<img" not in said
    assert "&lt;img src=x&gt;" in said
    assert "\u200b" in said


def test_a_right_click_asks_for_the_menu_of_a_node(view: CanvasView, qtbot: QtBot) -> None:
    at = middle_of(view, "train")
    with qtbot.waitSignal(view.node_context_menu) as heard:
        QApplication.sendEvent(view, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at)))
    assert heard.args == ["train", view.mapToGlobal(at)]
    assert view.selection.current == "train"
    with qtbot.assertNotEmitted(view.node_context_menu):
        QApplication.sendEvent(
            view, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(2, 2), view.mapToGlobal(QPoint(2, 2)))
        )


# -- keys


def test_arrow_keys_walk_along_the_edges_back_to_the_raw_data(view: CanvasView, qtbot: QtBot) -> None:
    walked = []
    view.node_selected.connect(walked.append)
    for key in (Qt.Key.Key_Left,) * 5:
        qtbot.keyClick(view, key)
    assert walked[:4] == ["model", "train", "data", "parse"]
    assert walked[4] in ("log1", "log2")
    qtbot.keyClick(view, Qt.Key.Key_Down if walked[4] == "log1" else Qt.Key.Key_Up)
    assert {walked[4], walked[5]} == {"log1", "log2"}
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert len(walked) == 6


def test_enter_opens_and_escape_clears(view: CanvasView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(view.node_activated):
        qtbot.keyClick(view, Qt.Key.Key_Return)
    view.select("data")
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        with qtbot.waitSignal(view.node_activated) as heard:
            qtbot.keyClick(view, key)
        assert heard.args == ["data"]
    with qtbot.waitSignal(view.selection_cleared):
        qtbot.keyClick(view, Qt.Key.Key_Escape)


def test_keys_zoom_and_fit(view: CanvasView, qtbot: QtBot) -> None:
    start = view.camera().scale
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    settle(qtbot, view)
    assert view.camera().scale == pytest.approx(start * 1.25**2)
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    settle(qtbot, view)
    assert view.camera().scale == pytest.approx(start * 1.25)
    for key in (Qt.Key.Key_Home, Qt.Key.Key_F):
        qtbot.keyClick(view, Qt.Key.Key_Plus)
        settle(qtbot, view)
        qtbot.keyClick(view, key)
        settle(qtbot, view)
        assert view.camera().scale == pytest.approx(start)


def test_the_menu_key_asks_for_the_menu_of_the_selected_node(view: CanvasView, qtbot: QtBot) -> None:
    view.select("data")
    with qtbot.waitSignal(view.node_context_menu) as heard:
        QApplication.sendEvent(view, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0)))
    key, place = heard.args
    rect = view.view_rect("data")
    assert key == "data"
    assert rect is not None
    assert rect.grown(2).contains(Point(*view.mapFromGlobal(place).toTuple()))


def test_tab_leaves_the_canvas_and_its_focus_shows(qtbot: QtBot) -> None:
    parent = QWidget()
    column = QVBoxLayout(parent)
    before, view = QLineEdit(), CanvasView()
    column.addWidget(before)
    column.addWidget(view)
    qtbot.addWidget(parent)
    parent.resize(600, 500)
    with qtbot.waitExposed(parent):
        parent.show()
    parent.activateWindow()
    before.setFocus()
    edge = QPoint(1, view.height() // 2)
    assert image(view).pixelColor(edge).name() == LIGHT.background
    qtbot.keyClick(before, Qt.Key.Key_Tab)
    qtbot.waitUntil(view.hasFocus)
    assert image(view).pixelColor(edge).name() == LIGHT.accent
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    assert not view.hasFocus()


def test_keys_that_mean_nothing_here_go_to_the_window(view: CanvasView) -> None:
    for key, modifier in (
        (Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier),
        (Qt.Key.Key_X, Qt.KeyboardModifier.NoModifier),
    ):
        event = QKeyEvent(QEvent.Type.KeyPress, key, modifier)
        event.accept()
        view.keyPressEvent(event)
        assert not event.isAccepted()


# -- selection from outside


def test_selecting_from_outside_sends_no_signal(view: CanvasView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(view.node_selected):
        view.select("data")
        view.select("no such key")
    assert view.selection.current is None


def test_a_selection_survives_a_scene_that_still_has_the_node(view: CanvasView) -> None:
    view.select("data")
    view.set_scene(Scene((SceneNode("data", "The data"), SceneNode("new", "New"))))
    assert view.selection.current == "data"
    view.set_scene(Scene((SceneNode("new", "New"),)))
    assert view.selection.current is None


def test_selecting_brings_a_node_into_sight(view: CanvasView, qtbot: QtBot, show: Callable[[Scene], None]) -> None:
    view.resize(700, 420)
    show(mesh(120))
    turn_wheel(view, QPoint(100, 100), 2)
    view.select("n119")
    settle(qtbot, view)
    rect = view.view_rect("n119")
    assert rect is not None
    assert Rect(0, 0, 700, 420).contains(rect.centre)


def test_a_screen_reader_hears_the_picture_and_the_selected_node(view: CanvasView) -> None:
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface.text(QAccessible.Text.Name) == "Where decisionTree.onnx comes from"
    assert "7 nodes, 7 links" in interface.text(QAccessible.Text.Description)
    view.select("data")
    assert "was generated by Parse the logs" in interface.text(QAccessible.Text.Description)


# -- large pictures


def test_a_picture_larger_than_the_view_opens_readable_at_its_focus_with_a_map(view: CanvasView, qtbot: QtBot) -> None:
    assert view.painting.map() is None
    view.resize(640, 400)
    view.set_scene(story())
    assert view.camera().scale >= 0.8
    rect, shown = view.view_rect("model"), view.painting.map()
    assert rect is not None
    assert Rect(0, 0, 640, 400).contains(rect.centre)
    assert shown is not None
    place = shown.rect
    assert LIGHT.classes["data"] in colours_in(image(view), place)
    qtbot.mouseClick(view, LEFT, pos=QPoint(round(place.x) + 2, round(place.centre.y)))
    rect = view.view_rect("log1")
    assert rect is not None
    assert Rect(0, 0, 640, 400).contains(rect.centre)
    assert view.selection.current is None
    view.fit()
    settle(qtbot, view)
    assert view.painting.map() is None


def test_fit_holds_while_the_view_changes_its_size(view: CanvasView, qtbot: QtBot) -> None:
    view.fit()
    settle(qtbot, view)
    view.resize(500, 300)
    for node in story().nodes:
        rect = view.view_rect(node.key)
        assert rect is not None
        assert Rect(0, 0, 500, 300).grown(1).contains(rect.centre)


def test_a_large_scene_never_holds_up_the_window(view: CanvasView, qtbot: QtBot) -> None:
    scene = mesh(600)
    view.set_scene(story())
    watchdog = Watchdog()
    watchdog.start()
    view.set_scene(scene)
    watchdog.stop()
    assert max(watchdog.work) < 4 * longest_here()
    assert view.is_laying_out()
    assert view.scene() is scene
    assert view.view_rect("model") is not None, "the picture before stays in sight"
    with qtbot.waitSignal(view.scene_shown):
        pass
    assert view.view_rect("n599") is not None


def test_only_the_scene_that_was_set_last_is_shown(view: CanvasView, qtbot: QtBot) -> None:
    shown = []
    view.scene_shown.connect(lambda: shown.append(view.drawing().page().title))
    view.set_scene(mesh(400))
    view.set_scene(hub(300))
    view.select("run7")
    with qtbot.waitSignal(view.scene_shown):
        pass
    view.set_scene(mesh(200))
    view.set_scene(story())
    qtbot.waitUntil(lambda: not view.is_laying_out())
    qtbot.wait(300)
    assert shown == ["A hub", "Where decisionTree.onnx comes from"]


def test_a_view_can_be_closed_while_a_scene_is_laid_out(qtbot: QtBot) -> None:
    view = CanvasView()
    view.set_scene(mesh(500))
    view.close()
    view.deleteLater()
    del view
    qtbot.wait(400)


@pytest.mark.parametrize("scale", [0.02, 0.1, 0.3, 0.5, 1.0, 4.0])
def test_a_thousand_nodes_are_drawn_quickly_at_any_zoom(
    view: CanvasView, show: Callable[[Scene], None], scale: float
) -> None:
    show(hub(1000, "layered"))
    centre = QPoint(view.width() // 2, view.height() // 2)
    while abs(view.camera().scale / scale - 1) > 0.2 and 0.02 < view.camera().scale < 4:
        turn_wheel(view, centre, 1 if view.camera().scale < scale else -1)
    view.grab()
    times = []
    for _ in range(3):
        began = time.thread_time()
        view.grab()
        times.append(1000 * (time.thread_time() - began))
    assert min(times) < 8 * longest_here(), times


def test_far_away_the_cards_are_dots_in_the_colour_of_their_class(
    view: CanvasView, show: Callable[[Scene], None]
) -> None:
    show(Scene(tuple(SceneNode(f"n{at}", "x", "Dataset") for at in range(500)), ()))
    centre = QPoint(view.width() // 2, view.height() // 2)
    for _ in range(12):
        turn_wheel(view, centre, -1)
    rect = view.view_rect("n0")
    assert rect is not None
    assert rect.width < 30
    assert image(view).pixelColor(middle_of(view, "n0")).name() == LIGHT.classes["data"]


def test_edges_without_labels_and_groups_are_drawn(view: CanvasView, show: Callable[[Scene], None]) -> None:
    nodes = (SceneNode("a", "a", focus=True), SceneNode("more", "… and 1,164 more", group=True))
    show(Scene(nodes, (SceneEdge("more", "a"),), "", "star"))
    assert len(colours_in(image(view), Rect(0, 0, view.width(), view.height()))) > 20
