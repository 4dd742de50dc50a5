"""Marks for the versions of sources below the time slider."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QToolTip, QWidget

from hpc_explorer.app.views import source_title
from hpc_explorer.lineage.time.recorded import VersionMark
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import time_text

HIT = 6
"""Pixels beside a mark that count as on it."""


def version_words(mark: VersionMark) -> str:
    """A version in words: source, number, time, and changes."""
    words = f"{source_title(mark.source)}, version {mark.number}, recorded {time_text(mark.recorded)} UTC"
    if mark.is_first:
        return words
    if mark.removed is None or mark.added is None:
        return f"{words}: more changed than is kept"
    return f"{words}: {mark.added:,} added, {mark.removed:,} removed"


class VersionMarks(QWidget):
    """A triangle for each version, below its moment on the slider."""

    def __init__(self, slider: QSlider, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._slider = slider
        self._marks: tuple[VersionMark, ...] = ()
        self._moments: tuple[datetime, ...] = ()
        self.setFixedHeight(GRID)
        self.setVisible(False)

    def sizeHint(self) -> QSize:
        return QSize(self._slider.sizeHint().width(), GRID)

    def show_marks(self, marks: Sequence[VersionMark], moments: Sequence[datetime]) -> None:
        """Show these versions on a slider over these moments."""
        self._marks, self._moments = tuple(marks), tuple(moments)
        self.setVisible(bool(marks and moments))
        self.setAccessibleName("Versions of sources")
        self.setAccessibleDescription("; ".join(map(version_words, self._marks)))
        self.update()

    def places(self) -> list[tuple[float, VersionMark]]:
        """The horizontal centre of each mark in pixels."""
        option = QStyleOptionSlider()
        self._slider.initStyleOption(option)
        style, control = self._slider.style(), QStyle.ComplexControl.CC_Slider
        handle = style.subControlRect(control, option, QStyle.SubControl.SC_SliderHandle, self._slider).width()
        room = self._slider.width() - handle
        most = max(1, self._slider.maximum())
        found = []
        for mark in self._marks:
            step = sum(1 for moment in self._moments if moment <= mark.recorded)
            at = QStyle.sliderPositionFromValue(0, most, step, room) + handle / 2
            found.append((at, mark))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().highlight())
        for at, _ in self.places():
            half, height = GRID / 2, GRID - 1
            painter.drawPolygon(QPolygonF([QPointF(at, 0), QPointF(at + half, height), QPointF(at - half, height)]))

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            near = [mark for at, mark in self.places() if abs(at - event.pos().x()) <= HIT]
            QToolTip.showText(event.globalPos(), plain_tip("\n".join(map(version_words, near))), self)
            return True
        return super().event(event)
