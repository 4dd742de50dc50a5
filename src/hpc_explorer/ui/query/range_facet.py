"""Compares numbers, dates or amounts: a histogram with two handles, two fields, and menus of comparisons and units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QPushButton, QSizePolicy, QWidget

from hpc_explorer.app.query.ranges import Asked, How, RangeChoice
from hpc_explorer.ui.widgets.action_button import Choice, ChoiceButton, MenuButton
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import Label, plain_tip, without_shortcut
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL, font

_LEAST, _HEIGHT = 4 * GRID, 9 * GRID
_GRIP = 6.0
"""The distance in pixels at which a handle can be grabbed."""


def edge_text(value: float, span: float, *, is_time: bool) -> str:
    """The text of an edge, no more precise than `span`, the width of the whole axis, requires."""
    if math.isinf(value):
        return ""
    if is_time:
        moment = datetime.fromtimestamp(value, UTC)
        return moment.strftime("%Y-%m-%d" if span > 4 * 86_400 else "%Y-%m-%dT%H:%M:%S")
    return f"{value:.6g}" if abs(value) < 1e6 or value != round(value) else f"{value:.0f}"


def value_of(text: str, *, is_time: bool) -> float | None:
    """The number in a field, or the time in seconds since 1970; None if it has none."""
    text = text.strip().replace(",", "")
    try:
        if not is_time:
            return float(text)
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
    except ValueError:
        return None


class RangeFacet(QWidget):
    """Chooses a comparison.

    Attributes:
        how: the menu of comparisons.

    Signals:
        compared(Asked): the chosen comparison.
        unit_wanted(str): the symbol of the chosen unit.
        list_wanted(): the values should be shown as a list.
    """

    compared = Signal(object)
    unit_wanted = Signal(str)
    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choice = RangeChoice((), ())
        self.bars = RangeBars()
        self.least, self.most = _field("At least"), _field("At most")
        self.unit = MenuButton()
        self._units = QMenu(self.unit)
        self.unit.setMenu(self._units)
        self.how = ChoiceButton("Comparison", [Choice(how, how.value) for how in How], "How the values are compared")
        self.how.set_value(How.BETWEEN)
        self.how.chosen.connect(self._compare)
        self.as_list = QPushButton("As a list")
        self.as_list.setToolTip("Show the values as a list")
        self.clear = QPushButton("Any")
        self.clear.setToolTip("Remove the comparison")
        self._note = TextBlock("", size=SMALL, muted=True)
        self._fault = TextBlock("", size=SMALL)
        above = QHBoxLayout()
        add_parts(above, self.how, 1, self.clear, self.as_list)
        fields = QHBoxLayout()
        fields.setSpacing(GRID)
        fields.addWidget(self.least, 1)
        self._dash = Label("–")
        self._dash.setProperty("role", "muted")
        add_parts(fields, self._dash, (self.most, 1), self.unit)
        column = column_in(self, GRID, GRID // 2, GRID, GRID, spacing=GRID)
        add_parts(column, above, self.bars, fields, self._fault, self._note, 1)
        self._fault.hide()
        self.bars.moved.connect(self._show_ends)
        self.bars.settled.connect(self._settle)
        self.clear.clicked.connect(lambda: self._emit(Asked()))
        self.as_list.clicked.connect(self.list_wanted)
        for line in (self.least, self.most):
            line.editingFinished.connect(self._typed)
        self.setFocusProxy(self.least)

    @property
    def choice(self) -> RangeChoice:
        """The range shown."""
        return self._choice

    @property
    def fault(self) -> str:
        """The error in the typed bounds, or empty."""
        return self._fault.text() if self._fault.isVisibleTo(self) else ""

    def show_choice(self, choice: RangeChoice) -> None:
        """Show a range to choose from."""
        self._choice = choice
        span = choice.edges[-1] - choice.edges[0] if choice.edges else 0.0
        asked = choice.asked
        # A range with one bound stays a range, so that the other bound can be typed next.
        one_bound = asked.how in (How.AT_LEAST, How.AT_MOST)
        self._show_how(How.BETWEEN if one_bound and self.how.value is How.BETWEEN else asked.how)
        self.bars.show_bars(choice, _bounds(choice))
        for line, text, edge in (
            (self.least, asked.least, choice.edges[:1]),
            (self.most, asked.most, choice.edges[-1:]),
        ):
            line.setText(text)
            line.setCursorPosition(0)
            line.setPlaceholderText(edge_text(edge[0], span, is_time=choice.is_time) if edge else "")
        self.clear.setEnabled(asked != Asked())
        self._units.clear()
        for name in choice.units:
            self._units.addAction(without_shortcut(name), partial(self.unit_wanted.emit, name))
        self.unit.setText(choice.unit)
        self.unit.setAccessibleName(f"Unit: {choice.unit}")
        self.unit.setVisible(bool(choice.unit))
        self.unit.setEnabled(len(choice.units) > 1)
        self._note.say(choice.note)
        self._note.setVisible(bool(choice.note))
        self._say("")

    def _show_how(self, how: How) -> None:
        self.how.set_value(how)
        self.least.setVisible(how.has_least)
        self.most.setVisible(how.has_most)
        self._dash.setVisible(how is How.BETWEEN)
        self.least.setAccessibleName("At least" if how is How.BETWEEN else how.value.capitalize())
        self.most.setAccessibleName("At most" if how is How.BETWEEN else how.value.capitalize())
        self.setFocusProxy(self.least if how.has_least else self.most)

    def _compare(self, how: How) -> None:
        """Use another comparison with the typed value, or wait for one."""
        typed = self.least.text().strip(), self.most.text().strip()
        self._show_how(how)
        if how is not How.BETWEEN:
            only = typed[0] or typed[1] if how.has_least else typed[1] or typed[0]
            typed = (only, "") if how.has_least else ("", only)
        self.least.setText(typed[0])
        self.most.setText(typed[1])
        self._typed()
        if not any(typed):
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_ends(self, low: int, high: int) -> None:
        self._show_how(How.BETWEEN)
        least, most = self._ends(low, high)
        self.least.setText(least)
        self.most.setText(most)

    def _settle(self, low: int, high: int) -> None:
        self._emit(_asked(*self._ends(low, high), How.BETWEEN))

    def _ends(self, low: int, high: int) -> tuple[str, str]:
        """The bounds for two handle positions; there is no bound at the outermost edges."""
        choice = self._choice
        span = choice.edges[-1] - choice.edges[0]
        least = next((text for text, _ in choice.ends[low:high] if text), "")
        most = next((text for _, text in reversed(choice.ends[low:high]) if text), "")
        return (
            "" if low <= 0 else least or edge_text(choice.edges[low], span, is_time=choice.is_time),
            "" if high >= len(choice.counts) else most or edge_text(choice.edges[high], span, is_time=choice.is_time),
        )

    def _typed(self) -> None:
        least = self.least.text().strip() if self.how.value.has_least else ""
        most = self.most.text().strip() if self.how.value.has_most else ""
        is_time = self._choice.is_time
        for text in (least, most):
            if text and value_of(text, is_time=is_time) is None:
                self._say(f"“{text}” is not a {'date such as 2024-03-01' if is_time else 'number'}.")
                return
        low, high = (value_of(text, is_time=is_time) if text else None for text in (least, most))
        if low is not None and high is not None and low > high:
            self._say("The lower bound exceeds the upper one.")
            return
        self._say("")
        self._emit(_asked(least.replace(",", ""), most.replace(",", ""), self.how.value))

    def _emit(self, asked: Asked) -> None:
        if asked != self._choice.asked:
            self.compared.emit(asked)

    def _say(self, text: str) -> None:
        self._fault.say(text)
        self._fault.setVisible(bool(text))


class RangeBars(QWidget):
    """The histogram with a handle at each end of the range; bars outside the range are pale.

    Left and Right move the active handle, Space switches to the other one.

    Signals:
        moved(int, int): the positions of the handles while they are dragged, as edge numbers.
        settled(int, int): the positions after they are released.
    """

    moved = Signal(int, int)
    settled = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self._counts: tuple[int, ...] = ()
        self._low, self._high = 0, 0
        self._inside: tuple[float, float] = (0.0, 0.0)
        self._held: int | None = None
        self._moves_high = False
        self.setMaximumHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Range")
        self.setMouseTracking(True)

    def show_bars(self, choice: RangeChoice, bounds: tuple[float, float]) -> None:
        """Show bars and a range.

        Args:
            bounds: the ends of the range in edge numbers: 1.5 is the middle of the second bar.
        """
        self._counts = choice.counts
        self._inside = bounds
        self._low, self._high = round(bounds[0]), round(bounds[1])
        span = choice.edges[-1] - choice.edges[0] if choice.edges else 0.0
        heights = ", ".join(
            f"{edge_text(choice.edges[at], span, is_time=choice.is_time)}: {count:,}"
            for at, count in enumerate(choice.counts)
            if count
        )
        self.setAccessibleDescription(f"{heights}. Left and Right move a handle, Space switches to the other one")
        self.update()

    def edge_at(self, number: int) -> QPointF:
        """The position of an edge."""
        area = self._area()
        return QPointF(area.left() + number / max(len(self._counts), 1) * area.width(), area.center().y())

    def sizeHint(self) -> QSize:
        return QSize(20 * GRID, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(10 * GRID, _LEAST)

    def _area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_GRIP, 2, -_GRIP, -2)

    def _nearest(self, x: float) -> int:
        area = self._area()
        share = (x - area.left()) / max(area.width(), 1.0)
        return min(max(round(share * len(self._counts)), 0), len(self._counts))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or not self._counts:
            return
        at = self._nearest(event.position().x())
        self._moves_high = abs(at - self._high) < abs(at - self._low) or (at >= self._high and self._low == self._high)
        self._held = at
        self._move(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._move(self._nearest(event.position().x()))
        else:
            near = any(abs(event.position().x() - self.edge_at(at).x()) <= _GRIP for at in (self._low, self._high))
            self.setCursor(Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._held = None
            self.settled.emit(self._low, self._high)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key = Qt.Key(event.key())
        if key in steps and self._counts:
            self._move((self._high if self._moves_high else self._low) + steps[key])
        elif key in ENTER and self._counts:
            self.settled.emit(self._low, self._high)
        elif key is Qt.Key.Key_Space:
            self._moves_high = not self._moves_high
            self.update()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: object) -> None:
        self.update()

    def _move(self, at: int) -> None:
        if self._moves_high:
            self._high = min(max(at, self._low + 1), len(self._counts))
        else:
            self._low = max(min(at, self._high - 1), 0)
        self._inside = float(self._low), float(self._high)
        self.moved.emit(self._low, self._high)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._counts:
            return
        palette, role = self.palette(), QPalette.ColorRole
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, most = self._area(), max(self._counts) or 1
        width = area.width() / len(self._counts)
        low, high = self._inside
        for number, count in enumerate(self._counts):
            if not count:
                continue
            height = max(2.0, count / most * (area.height() - 4))
            bar = QRectF(area.left() + number * width, area.bottom() - height, max(width - 1, 1.0), height)
            painter.fillRect(bar, palette.color(role.Mid))
            inside = QRectF(area.left() + low * width, area.top(), (high - low) * width, area.height())
            painter.fillRect(bar.intersected(inside), palette.color(role.Accent))
        painter.setPen(QPen(palette.color(role.Dark), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        for is_high, edge in ((False, low), (True, high)):
            x = area.left() + edge * width
            marked = self.hasFocus() and is_high is self._moves_high
            painter.setPen(QPen(palette.color(role.Accent if marked else role.WindowText), 2 if marked else 1))
            painter.setBrush(palette.color(role.Base))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.drawRoundedRect(QRectF(x - 4, area.center().y() - 9, 8, 18), 3, 3)


def _asked(least: str, most: str, how: How) -> Asked:
    """A comparison in its simplest form: a range with one bound is "at least" or "at most"."""
    if not least and not most:
        return Asked()
    if how is How.BETWEEN and not (least and most):
        how = How.AT_LEAST if least else How.AT_MOST
    return Asked(least, most, how)


def _bounds(choice: RangeChoice) -> tuple[float, float]:
    """The ends of the chosen range in edge numbers."""
    asked, last = choice.asked, float(len(choice.counts))
    low = value_of(asked.least, is_time=choice.is_time) if asked.least else None
    high = value_of(asked.most, is_time=choice.is_time) if asked.most else None
    if asked.how is How.NOT:
        low = None
    elif asked.how is How.EQUAL:
        high = low
    return (
        0.0 if low is None else _place(choice.edges, low),
        last if high is None else _place(choice.edges, high),
    )


def _place(edges: Sequence[float], value: float) -> float:
    """Where a value lies among edges, as edges and a part of the way to the next."""
    for number in range(len(edges) - 1):
        if value <= edges[number + 1]:
            width = edges[number + 1] - edges[number]
            return number + max(0.0, (value - edges[number]) / width if width else 0.0)
    return float(len(edges) - 1)


def _field(name: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setToolTip(plain_tip(name))
    line.setFont(font(figures=True))
    line.setMinimumWidth(QFontMetrics(font()).horizontalAdvance("0000-00") + 2 * GRID)
    line.setAcceptDrops(False)
    return line
