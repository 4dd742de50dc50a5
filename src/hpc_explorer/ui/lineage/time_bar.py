"""The time bar: a slider from before the first moment to now, which can be played, stepped or typed into.

The moments are those of the graph's events or, by the record, those of the sources' versions.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QDateTime, QEvent, QPointF, QSize, Qt, QTimer, QTimeZone, Signal
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import (
    QDateTimeEdit,
    QLineEdit,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QToolButton,
    QToolTip,
    QWidget,
)

from hpc_explorer.app.views import source_title
from hpc_explorer.lineage.time.recorded import VersionMark
from hpc_explorer.ui.widgets.action_button import labelled_button
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock
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

    def __init__(self, slider: QSlider) -> None:
        super().__init__()
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


PACE = 700
"""Milliseconds between moments while playing."""

LEFT = 6
"""Pixels before the text of the field, as in other fields."""

FORMAT = "yyyy-MM-dd HH:mm:ss"


class TimeBar(QWidget):
    """Chooses the moment to show. Arrow keys on the slider step; Home and End go to either end.

    Signals:
        moved(object): show another moment; None: now.
        record_toggled(bool): show what was recorded by the moment, instead of what existed.
    """

    moved = Signal(object)
    record_toggled = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self._moments: tuple[datetime, ...] = ()
        self._at: datetime | None = None
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Moment")
        self.slider.setPageStep(5)
        self.slider.setMinimumWidth(12 * GRID)
        self.field = QDateTimeEdit()
        self.field.setTimeZone(QTimeZone.utc())
        self.field.setDisplayFormat(FORMAT)
        self.field.setAccessibleName("Date and time, in UTC")
        self.field.setToolTip("Date and time, in UTC")
        self.field.setKeyboardTracking(False)
        self.field.setMinimumHeight(4 * GRID - 2)
        # Without its buttons, Qt gives the text under a style sheet a width of one pixel.
        for line in self.field.findChildren(QLineEdit):
            line.setTextMargins(LEFT, 0, 0, 0)
        self.play = _button("Play", "Step through the moments automatically")
        self.play.setCheckable(True)
        self.earlier = _button("Earlier", "The previous moment")
        self.later = _button("Later", "The next moment")
        self.now = _button("Now", "All that is recorded")
        self.record = _button("By the record", "Show what the sources said by then, instead of what existed")
        self.record.setCheckable(True)
        self.marks = VersionMarks(self.slider)
        self._words = TextBlock("")
        column = column_in(self, spacing=GRID // 2)
        column.addWidget(self.slider)
        column.addWidget(self.marks)
        controls = QWidget()
        row = OneLine(controls, GRID)
        for widget in (self.field, self.earlier, self.play, self.later, self.now, self.record):
            row.addWidget(widget)
        column.addWidget(controls)
        column.addWidget(self._words)
        self._timer = QTimer(self)
        self._timer.setInterval(PACE)
        self._timer.timeout.connect(self._play_on)
        self.slider.valueChanged.connect(self._slid)
        self.field.dateTimeChanged.connect(self._typed)
        self.earlier.clicked.connect(lambda: self.slider.setValue(self.slider.value() - 1))
        self.later.clicked.connect(lambda: self.slider.setValue(self.slider.value() + 1))
        self.now.clicked.connect(lambda: self.slider.setValue(self.slider.maximum()))
        self.play.toggled.connect(self._toggle_play)
        self.record.toggled.connect(self.record_toggled)

    @property
    def at(self) -> datetime | None:
        """The moment shown; None: now."""
        return self._at

    @property
    def words(self) -> str:
        """The text below the slider."""
        return self._words.text()

    @property
    def is_playing(self) -> bool:
        """Whether it is playing."""
        return self._timer.isActive()

    def show_moments(self, moments: Sequence[datetime], versions: Sequence[VersionMark] = ()) -> None:
        """Offer these moments, in order, and show now.

        Args:
            versions: of sources, to be marked.
        """
        self.play.setChecked(False)
        self._moments = tuple(moments)
        self.marks.show_marks(versions, self._moments)
        usable = bool(self._moments)
        for widget in (self.slider, self.field, self.play, self.earlier, self.later, self.now):
            widget.setEnabled(usable)
        self.slider.blockSignals(True)
        self.slider.setRange(0, len(self._moments))
        self.slider.setValue(len(self._moments))
        self.slider.blockSignals(False)
        self._take(None)

    def say(self, words: str) -> None:
        """Say what was there."""
        self._words.say(words)

    def stop(self) -> None:
        """Play no further."""
        self.play.setChecked(False)

    def _slid(self, step: int) -> None:
        """Before the first moment, at one of them, or now, which is the last one and all that is undated."""
        if step >= len(self._moments):
            self._take(None)
        elif step == 0:
            self._take(self._moments[0] - timedelta(seconds=1))
        else:
            self._take(self._moments[step - 1])

    def _typed(self, value: QDateTime) -> None:
        at = datetime.fromtimestamp(value.toMSecsSinceEpoch() / 1000, UTC)
        self.stop()
        self.slider.blockSignals(True)
        self.slider.setValue(sum(1 for moment in self._moments if moment <= at))
        self.slider.blockSignals(False)
        self._take(at)

    def _take(self, at: datetime | None) -> None:
        self._at = at
        shown = at if at is not None else self._moments[-1] if self._moments else None
        if shown is not None:
            self.field.blockSignals(True)
            self.field.setDateTime(QDateTime.fromMSecsSinceEpoch(round(shown.timestamp() * 1000), QTimeZone.utc()))
            self.field.blockSignals(False)
        self.slider.setAccessibleDescription("now" if at is None else f"{time_text(at)} UTC")
        self.earlier.setEnabled(self.slider.value() > 0)
        self.later.setEnabled(self.slider.value() < self.slider.maximum())
        self.moved.emit(at)

    def _toggle_play(self, on: bool) -> None:
        self.play.setText("Pause" if on else "Play")
        if on:
            if self.slider.value() == self.slider.maximum():
                self.slider.setValue(0)
            self._timer.start()
        else:
            self._timer.stop()

    def _play_on(self) -> None:
        self.slider.setValue(self.slider.value() + 1)
        if self.slider.value() == self.slider.maximum():
            self.stop()


def _button(text: str, tip: str) -> QToolButton:
    return labelled_button(text, tip, f"{text}: {tip[:1].lower()}{tip[1:]}")
