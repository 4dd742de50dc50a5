"""The pages of the views, and those with a canvas: a toolbar, a summary line, and the canvas with its legend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from hpc_explorer.canvas.scene import Scene
from hpc_explorer.ui.canvas.legend import CanvasLegend
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID

LOW = 45 * GRID
"""A page of less height in pixels has one line for its summary."""


@dataclass(frozen=True)
class ViewPage:
    """The page that a feature gives for a view of the window.

    Args:
        front: returns the widget that takes the focus; None: the page itself.
        canvas: the canvas that the commands for zoom, selection and export use, if there is one.
    """

    widget: QWidget
    front: Callable[[], QWidget] | None = None
    canvas: CanvasView | None = None

    @property
    def in_front(self) -> QWidget:
        """The widget that takes the focus."""
        return self.front() if self.front is not None else self.widget


class CanvasPage(QWidget):
    """A canvas with a toolbar and a summary above it.

    Args:
        empty_text: the text of the empty canvas.
        toolbar: the widget above the canvas.
        fades: whether a click on the legend fades classes; otherwise the legend only emits signals.
    """

    def __init__(self, empty_text: str, toolbar: QWidget | None = None, *, fades: bool = True) -> None:
        super().__init__()
        self.canvas = CanvasView()
        self.legend = CanvasLegend(self.canvas, fades=fades)
        self.summary = ""
        self._empty = Scene(empty_text=empty_text)
        self._has_toolbar = toolbar is not None
        self._above = QWidget()
        self._lines = column_in(self._above, 2 * GRID, GRID, 2 * GRID, GRID, spacing=GRID)
        if toolbar is not None:
            self._lines.addWidget(toolbar)
        self._summary = TextBlock("", muted=True)
        self._lines.addWidget(self._summary)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self.canvas, 1)
        column = column_in(self)
        column.addWidget(self._above)
        column.addLayout(self._row, 1)
        self.show_nothing()

    def show_scene(self, scene: Scene, summary: str, *, keep: bool = False) -> None:
        """Show another scene.

        Args:
            keep: keep the camera, as for a scene that grew.
        """
        self.canvas.set_scene(scene, keep_camera=keep)
        self.set_summary(summary)

    @property
    def is_low(self) -> bool:
        """Whether the picture has so little height that it needs what texts above it would take."""
        return self.height() < LOW

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the summary one line where the picture has little room; the tooltip has all of it."""
        super().resizeEvent(event)
        lines = 1 if self.is_low else 3
        self._summary.setMaximumHeight(lines * self._summary.fontMetrics().lineSpacing() + 2)
        self.set_summary(self.summary)

    def _say_summary(self) -> None:
        metrics, width = self._summary.fontMetrics(), self.width() - 4 * GRID
        self._summary.say(
            metrics.elidedText(self.summary, Qt.TextElideMode.ElideRight, width) if self.is_low else self.summary
        )
        self._summary.setToolTip(plain_tip(self.summary) if self.is_low else "")

    def show_nothing(self) -> None:
        """Clear the canvas and show the empty text."""
        self.show_scene(self._empty, "")

    def set_summary(self, summary: str) -> None:
        """Set the summary."""
        self.summary = summary
        self._say_summary()
        self._summary.setVisible(self.shows_summary())
        self._above.setVisible(bool(summary) or self._has_toolbar)

    def add_above(self, widget: QWidget) -> None:
        """Add a widget between the toolbar and the summary."""
        self._lines.insertWidget(self._lines.count() - 1, widget)

    def add_beside(self, widget: QWidget) -> None:
        """Add a widget at the left of the canvas."""
        self._row.insertWidget(0, widget)

    def shows_summary(self) -> bool:
        """Whether the summary is in sight."""
        return bool(self.summary)


def canvas_view_page(page: CanvasPage) -> ViewPage:
    """A page with a canvas as a view of the window."""
    return ViewPage(page, lambda: page.canvas, page.canvas)
