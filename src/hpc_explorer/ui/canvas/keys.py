"""The keys of the canvas.

← →                 go along the edges              + −            zoom
↑ ↓                 go along the column             Home, F        fit the picture
Shift + arrow       move the view                   Z              zoom to the selection
Ctrl + Shift + arrow  extend the selection          Ctrl + A       select all
Ctrl + arrow        move the selected nodes, where they are movable
Enter               open the selected node          Escape         cancel a drag, else clear the selection
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from hpc_explorer.canvas.geometry import GRID, Point
from hpc_explorer.canvas.selection import NOTHING
from hpc_explorer.canvas.spatial import Direction

if TYPE_CHECKING:
    from hpc_explorer.ui.canvas.view import CanvasView

PAN = 64
"""Pixels that Shift and an arrow key move the view."""
NUDGE = 2 * GRID
"""Scene units that Ctrl and an arrow key move the selected nodes."""

_ARROWS: dict[int, tuple[Direction, int, int]] = {
    Qt.Key.Key_Left: ("left", -1, 0),
    Qt.Key.Key_Right: ("right", 1, 0),
    Qt.Key.Key_Up: ("up", 0, -1),
    Qt.Key.Key_Down: ("down", 0, 1),
}
_PLAIN, _SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier


def press_key(view: CanvasView, event: QKeyEvent) -> bool:
    """Handle a key; False if it has no meaning on the canvas."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    key = event.key()
    if key in _ARROWS:
        return _arrow(view, key, held)
    if held == _CONTROL and key == Qt.Key.Key_A:
        view.choose_all()
        return True
    if held not in (_PLAIN, _SHIFT):
        return False
    if key == Qt.Key.Key_Escape:
        return _escape(view)
    current = view.selection.current
    match key:
        case Qt.Key.Key_Return | Qt.Key.Key_Enter if current is not None:
            view.node_activated.emit(current)
        case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
            view.zoom_in()
        case Qt.Key.Key_Minus:
            view.zoom_out()
        case Qt.Key.Key_Home | Qt.Key.Key_F:
            view.fit()
        case Qt.Key.Key_Z:
            view.zoom_to_selection()
        case _:
            return False
    return True


def _arrow(view: CanvasView, key: int, held: Qt.KeyboardModifier) -> bool:
    direction, right, down = _ARROWS[key]
    if held == _PLAIN:
        view.walk(direction)
    elif held == _SHIFT:
        view.viewpoint.look(view.camera().moved(-right * PAN, -down * PAN))
    elif held == _SHIFT | _CONTROL:
        view.walk(direction, also=True)
    elif held == _CONTROL and view.movable and view.selection.keys:
        view.mover.begin(view.selection.keys)
        view.mover.move(Point(right * NUDGE, down * NUDGE))
        view.mover.drop()
    else:
        return False
    return True


def _escape(view: CanvasView) -> bool:
    if view.pointer.cancel():
        return True
    if not view.selection.keys:
        return False
    view.choose(NOTHING)
    return True
