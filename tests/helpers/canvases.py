"""A canvas of its own, outside the window, and where things are on it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.layout.result import Layout
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.widgets import theme

ROOMY = (1600, 700)
"""The pixels of a view that the whole story fits in."""


def open_canvas(
    application: QApplication,
    qtbot: QtBot,
    scene: Scene,
    layout: Layout | None = None,
    *,
    size: tuple[int, int] = (900, 600),
) -> CanvasView:
    """A view that shows a scene and has the keyboard.

    Args:
        size: its width and height in pixels.
    """
    theme.prepare(application)
    view = CanvasView()
    qtbot.addWidget(view)
    view.resize(*size)
    with qtbot.waitExposed(view):
        view.show()
    view.set_scene(scene, layout)
    view.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    qtbot.waitUntil(lambda: not view.is_laying_out())
    return view


def place_of(view: CanvasView, key: str) -> Rect:
    """Where a node is, in pixels of the view; it must be in the picture."""
    rect = view.view_rect(key)
    assert rect is not None, f"{key} is not in the picture"
    return rect


def middle_of(view: CanvasView, key: str) -> QPoint:
    """The middle of a node, in pixels of the view."""
    centre = place_of(view, key).centre
    return QPoint(round(centre.x), round(centre.y))


def above_all(view: CanvasView) -> QPoint:
    """A place in the story where there is nothing: above its cards."""
    return QPoint(middle_of(view, "model").x(), 8)


def turn_wheel(view: CanvasView, at: QPoint, steps: int) -> None:
    """Turn the wheel by so many steps, away from the hand where they are positive."""
    turned = QWheelEvent(
        QPointF(at),
        QPointF(view.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, turned)
