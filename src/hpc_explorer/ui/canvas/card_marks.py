"""The badges of cards as buttons: a click on "+12" expands it and does not select the card."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

from hpc_explorer.canvas.card import badge_places
from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.scene import SceneNode
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.widgets.plain import plain_tip


class CardMarks(QObject):
    """Handles clicks on badges.

    Args:
        can_be_pressed: whether a badge is clickable.
        explain: returns its tooltip.

    Signals:
        pressed(str): the key of the card whose badge was clicked.
    """

    pressed = Signal(str)

    def __init__(
        self,
        canvas: CanvasView,
        can_be_pressed: Callable[[str], bool],
        explain: Callable[[SceneNode, str], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._canvas, self._can_be_pressed, self._explain = canvas, can_be_pressed, explain
        self._pressed: str | None = None
        canvas.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            return self._on_mouse(event)
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            return self._on_help(event)
        return super().eventFilter(watched, event)

    def _on_mouse(self, event: QMouseEvent) -> bool:
        if event.button() is not Qt.MouseButton.LeftButton:
            return False
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            found = self._mark_at(event.position())
            self._pressed = found[0].key if found is not None and self._can_be_pressed(found[1]) else None
            return self._pressed is not None
        if event.type() is QEvent.Type.MouseButtonRelease and self._pressed is not None:
            pressed, self._pressed = self._pressed, None
            found = self._mark_at(event.position())
            if found is not None and found[0].key == pressed:
                self.pressed.emit(pressed)
            return True
        return False

    def _on_help(self, event: QHelpEvent) -> bool:
        found = self._mark_at(QPointF(event.pos()))
        said = self._explain(*found) if found is not None else ""
        if said:
            QToolTip.showText(event.globalPos(), plain_tip(said), self._canvas)
        return bool(said)

    def _mark_at(self, place: QPointF) -> tuple[SceneNode, str] | None:
        """The badge at a point of the view, with its node."""
        here = Point(place.x(), place.y())
        camera = self._canvas.camera()
        for node in self._canvas.scene().nodes:
            rect = self._canvas.view_rect(node.key) if node.badges else None
            if rect is not None and rect.contains(here):
                corner = camera.to_scene(Point(rect.x, rect.y))
                card = Rect(corner.x, corner.y, rect.width / camera.scale, rect.height / camera.scale)
                there = camera.to_scene(here)
                return next(
                    ((node, mark) for mark, area in badge_places(node, card) if area.grown(3.0).contains(there)), None
                )
        return None
