"""Where the view of the canvas is: it fits any picture, goes as far away as that needs, and stands still if asked to."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QProxyStyle, QStyle, QStyleHintReturn, QStyleOption, QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.canvas.viewpoint import FARTHEST
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.canvases import open_canvas, turn_wheel
from tests.helpers.scenes import field, story
from tests.helpers.windows import MODEL, User


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> CanvasView:
    return open_canvas(qapp, qtbot, story())


def away(view: CanvasView, steps: int) -> None:
    """Turns the wheel back, in the middle."""
    for _ in range(steps):
        turn_wheel(view, QPoint(450, 300), -1)


@pytest.mark.slow
def test_the_whole_of_a_very_large_picture_fits(view: CanvasView, qtbot: QtBot) -> None:
    scene, layout = field(40_000)
    view.set_scene(scene, layout)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    view.fit()
    qtbot.waitUntil(lambda: not view.viewpoint.is_moving)
    assert view.camera().scale < FARTHEST
    assert view.painting.map() is None
    for key in ("n0", "n39999"):
        rect = view.view_rect(key)
        assert rect is not None
        assert Rect(0.0, 0.0, 900.0, 600.0).contains(rect.centre)
    fitting = view.camera().scale
    away(view, 20)
    assert view.camera().scale == pytest.approx(fitting), "farther away there is nothing more to see"


def test_a_small_picture_is_not_lost_from_sight(view: CanvasView) -> None:
    away(view, 60)
    assert view.camera().scale == pytest.approx(FARTHEST)


class Still(QProxyStyle):
    """The style of a desktop that wants no motion."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returned: QStyleHintReturn | None = None,
    ) -> int:
        if hint is QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        return super().styleHint(hint, option, widget, returned)


def test_where_no_motion_is_wanted_there_is_none(view: CanvasView) -> None:
    still = Still()
    view.setStyle(still)
    before = view.camera()
    view.zoom_in()
    assert not view.viewpoint.is_moving
    assert view.camera().scale == pytest.approx(before.scale * 1.25)
    view.select("log1")
    view.zoom_to(["model"])
    assert not view.viewpoint.is_moving
    view.setStyle(None)


def test_zooming_to_the_selection_is_a_command_of_the_window(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.search("decisionTree")
    user.trace()
    user.rest()
    canvas = window.pictures.canvas
    canvas.select_keys([MODEL])
    user.press("Ctrl+0")
    user.until(lambda: not canvas.viewpoint.is_moving)
    whole = canvas.camera().scale
    user.window.run("view.zoom_selection")
    user.until(lambda: not canvas.viewpoint.is_moving)
    assert canvas.camera().scale > whole
    rect = canvas.view_rect(MODEL)
    assert rect is not None
    assert abs(rect.centre.x - canvas.width() / 2) < 2
