"""The kept assessments of a resource: the score over time, and the changes between two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.journal.change_views import ChangeView
from hpc_explorer.fair.difference import Changed
from hpc_explorer.fair.scoring import Decided, Interval, Score
from hpc_explorer.ui.changes.change_tree import ChangeTree
from hpc_explorer.ui.fair.charts import Chart
from hpc_explorer.ui.fair.list import sign
from hpc_explorer.ui.fair.signs import sign_icon
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.page_stack import EmptyPage, PageStack
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL, current_theme, font, on_theme

NOTHING_CHOSEN = (
    "Nothing is assessed yet",
    "Assess a dataset or a model: what you keep of its assessments is drawn here over time.",
)
NOTHING_KEPT = (
    "No assessment is kept yet",
    "Keep this assessment: the next time you see here what changed since, down to the statements. "
    "The history is a file beside the graph.",
)
NOW = "now"
MINUS = "\u2212"


NARROW = 92 * GRID
"""The width in pixels below which ids are hidden."""


@dataclass(frozen=True)
class Moment:
    """One assessment in the history.

    Args:
        when: when it was kept; None for the current one.
        who: who kept it.
        score: the score it had.
        decided: the result of each indicator.
    """

    when: datetime | None
    who: str
    score: Score
    decided: tuple[Decided, ...]

    @property
    def title(self) -> str:
        """When and who, such as "2026-11-22 14:05, Ada"."""
        if self.when is None:
            return NOW
        told = self.when.astimezone().strftime("%Y-%m-%d %H:%M")
        return f"{told}, {self.who}" if self.who else told


class ScoreLine(Chart):
    """The score over time: a line for certain points, a band for open ones.

    Signals:
        wanted(int): the assessment of this number was clicked.
    """

    wanted = Signal(int)

    _LEFT, _RIGHT, _TOP, _BOTTOM = 4 * GRID, 2 * GRID, 2.5 * GRID, 3 * GRID

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Score over time", parent)
        self._moments: Sequence[Moment] = ()
        self._chosen: tuple[int, int] = (-1, -1)
        self.setMinimumHeight(9 * GRID)  # the lists below need the room on a small screen
        self.setMaximumHeight(19 * GRID)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_moments(self, moments: Sequence[Moment]) -> None:
        """Draw other assessments, the oldest first."""
        self._moments = moments
        self._tell("\n".join(f"{one.title}: {one.score} ({one.score.percent})" for one in moments))

    def mark(self, before: int, after: int) -> None:
        """Mark the compared assessments."""
        self._chosen = before, after
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(48 * GRID, 19 * GRID)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._moments:
            x = event.position().x()
            self.wanted.emit(min(range(len(self._moments)), key=lambda number: abs(self._x(number) - x)))

    def _x(self, number: int) -> float:
        """The position of an assessment by its time, different for each."""
        wide = self.width() - self._LEFT - self._RIGHT
        last = len(self._moments) - 1
        if last < 1:
            return self._LEFT + wide / 2
        times = [one.when.timestamp() if one.when is not None else None for one in self._moments]
        known = [time for time in times if time is not None]
        end = max([*known, datetime.now(UTC).timestamp() if times[-1] is None else 0.0])
        time = times[number] if times[number] is not None else end
        assert time is not None
        span = end - known[0] if known else 0.0
        by_time = (time - known[0]) / span if span > 0 else number / last
        # Half by time, half by position, so that two of one day stay apart.
        return self._LEFT + wide * (0.5 * by_time + 0.5 * number / last)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._moments:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        small = font(SMALL, figures=True)
        painter.setFont(small)
        metrics = QFontMetricsF(small)
        of = self._moments[0].score.of
        top, bottom = self._TOP, self.height() - self._BOTTOM

        def y(points: float) -> float:
            return bottom - (bottom - top) * points / of

        muted = QColor(current_theme().muted)
        for points in (0, of):
            painter.setPen(QPen(QColor(current_theme().line), 1))
            at = round(y(points)) + 0.5
            painter.drawLine(QPointF(self._LEFT, at), QPointF(self.width() - self._RIGHT, at))
            painter.setPen(muted)
            box = QRectF(0, y(points) - GRID, self._LEFT - 6, 2 * GRID)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(points))
        xs = [self._x(number) for number in range(len(self._moments))]
        lows = [QPointF(x, y(one.score.low)) for x, one in zip(xs, self._moments, strict=True)]
        highs = [QPointF(x, y(one.score.high)) for x, one in zip(xs, self._moments, strict=True)]
        accent = QColor(current_theme().accent)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._open_brush())
        painter.drawPolygon(QPolygonF([*lows, *reversed(highs)]))
        painter.setPen(QPen(accent, 1, Qt.PenStyle.DashLine))
        painter.drawPolyline(QPolygonF(highs))
        painter.setPen(QPen(accent, 2))
        painter.drawPolyline(QPolygonF(lows))
        for number, (low, high) in enumerate(zip(lows, highs, strict=True)):
            self._draw_moment(painter, metrics, number, low, high)

    def _draw_moment(self, painter: QPainter, metrics: QFontMetricsF, number: int, low: QPointF, high: QPointF) -> None:
        one, chosen = self._moments[number], number in self._chosen
        accent = QColor(current_theme().accent)
        painter.setPen(QPen(accent, 1.5))
        painter.drawLine(low, high)
        painter.setPen(QPen(accent, 2))
        painter.setBrush(accent if chosen else QColor(current_theme().surface))
        painter.drawEllipse(low, 5 if chosen else 3.5, 5 if chosen else 3.5)
        few = len(self._moments) <= 8
        if not (few or chosen):
            return
        for text, y, colour in (
            (str(one.score.points), high.y() - 6, current_theme().text),
            (
                NOW if one.when is None else one.when.astimezone().strftime("%d %b %Y"),
                self.height() - 6,
                current_theme().muted,
            ),
        ):
            wide = metrics.horizontalAdvance(text)
            x = min(max(low.x() - wide / 2, float(self._LEFT)), self.width() - wide)
            if y == self.height() - 6 and not chosen and self._is_crowded(number, wide):
                continue
            painter.setPen(QColor(colour))
            painter.drawText(QPointF(x, y), text)

    def _is_crowded(self, number: int, wide: float) -> bool:
        """Whether the date of an assessment would overlap another."""
        return any(
            abs(self._x(number) - self._x(other)) < wide + GRID
            for other in range(len(self._moments))
            if other != number and (other in self._chosen or other < number)
        )


class HistoryPage(QWidget):
    """The page.

    Attributes:
        line: the score over time.
        before, after: the compared assessments.
        changes: the indicators that are not as they were.
        statements: changed evidence of the chosen indicator.

    Signals:
        compared(int, int): compare the assessments with these numbers.
        chosen(object): another changed indicator is chosen (Changed), or none (None).
    """

    compared = Signal(int, int)
    chosen = Signal(object)

    def __init__(self, keeping: Sequence[QAction]) -> None:
        super().__init__()
        self.setObjectName("answered")
        self._moments: Sequence[Moment] = ()
        self._changed: Sequence[Changed] = ()
        self.line = ScoreLine()
        self.before, self.after = QComboBox(), QComboBox()
        self.before.setAccessibleName("Compare from")
        self.after.setAccessibleName("Compare to")
        choosing = QHBoxLayout()
        choosing.setSpacing(GRID)
        add_parts(choosing, Label("From"), (self.before, 1), Label("to"), (self.after, 1))
        self.summary = TextBlock("", weight=500)
        self.changes = QTreeWidget()
        self.changes.setAccessibleName("What changed between the two")
        self.changes.setProperty("framed", True)
        self.changes.setRootIsDecorated(False)
        self.changes.setUniformRowHeights(True)
        self.changes.setAllColumnsShowFocus(True)
        self.changes.setHeaderLabels(["Indicator", "Before", "After", "Points", "Id"])
        self.changes.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = self.changes.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for at, width in ((1, 15), (2, 15), (3, 11), (4, 14)):
            header.resizeSection(at, width * GRID)
        self.statements = ChangeTree("Statements added and removed")
        self.statements.changes.show_exact(True)
        for some in (self.changes, self.statements):
            some.setMinimumHeight(6 * GRID)
        self._none = TextBlock("", muted=True)
        lower = QWidget()
        below = column_in(lower, 0, GRID, 0, 0, spacing=GRID // 2)
        add_parts(below, caption("Statements added and removed"), self._none, (self.statements, 1), 0)
        self._compared = splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.changes)
        splitter.addWidget(lower)
        splitter.setSizes([260, 160])
        kept = QWidget()
        column = column_in(kept, 2 * GRID, GRID, 2 * GRID, GRID, spacing=GRID)
        add_parts(column, self.line, choosing, self.summary, (splitter, 1), 0)
        self._pages = PageStack()
        for empty in (EmptyPage(NOTHING_CHOSEN), EmptyPage(NOTHING_KEPT, keeping)):
            empty.setContentsMargins(GRID, 0, GRID, 0)
            self._pages.addWidget(empty)
        self._pages.addWidget(kept)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.setFocusProxy(self.changes)
        self.before.activated.connect(lambda _: self._compare())
        self.after.activated.connect(lambda _: self._compare())
        self.line.wanted.connect(self._take_moment)
        self.changes.currentItemChanged.connect(lambda now, before: self._choose())
        on_theme(self._dress)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.changes.setColumnHidden(4, self.width() < NARROW)

    @property
    def moments(self) -> Sequence[Moment]:
        """The assessments, oldest first, the current one last."""
        return self._moments

    @property
    def changed(self) -> Sequence[Changed]:
        """The changes between the compared assessments."""
        return self._changed

    def show_nothing(self) -> None:
        """Explain the page if nothing is assessed."""
        self._moments = ()
        self._pages.setCurrentIndex(0)

    def show_moments(self, moments: Sequence[Moment]) -> None:
        """Show other assessments; the last kept one is compared with the current one."""
        fresh = [one.when for one in moments] != [one.when for one in self._moments]
        pair = self.before.currentIndex(), self.after.currentIndex()
        self._moments = moments
        self._pages.setCurrentIndex(2 if len(moments) > 1 else 1)
        for box in (self.before, self.after):
            box.clear()
            box.addItems([f"{one.score.points} · {one.title}" for one in moments])
        if fresh:
            pair = len(moments) - 2, len(moments) - 1
        self.before.setCurrentIndex(pair[0])
        self.after.setCurrentIndex(pair[1])
        self.line.show_moments(moments)
        if len(moments) > 1:
            self._compare()

    def show_changes(self, changed: Sequence[Changed]) -> None:
        """Show the changes between the two."""
        kept = self._chosen_id()
        # Indicators that gained or lost points come first.
        changed = sorted(changed, key=lambda one: (one.gain.low == 0, one.gain.high == 0))
        self._changed = changed
        self.changes.blockSignals(True)
        self.changes.clear()
        for one in changed:
            item = QTreeWidgetItem(self.changes)
            was, now = sign(one.before), sign(one.after)
            texts = (one.indicator.text, was.value, now.value, gain_words(one.gain), one.indicator.id)
            for column, text in enumerate(texts):
                item.setText(column, text)
            item.setToolTip(
                0, plain_tip(f"{one.indicator.id}: {one.indicator.text}\n{one.before.sentence}\n{one.after.sentence}")
            )
        self._dress()
        at = next((n for n, one in enumerate(changed) if one.indicator.id == kept), 0)
        chosen = self.changes.topLevelItem(at)
        if chosen is not None:
            self.changes.setCurrentItem(chosen)
        self.changes.blockSignals(False)
        self.summary.say(difference_words(changed))
        self._compared.setVisible(bool(changed))
        self._choose()

    def show_statements(self, view: ChangeView) -> None:
        """Show the added and removed evidence."""
        self.statements.show_changes(view.resources)
        self._none.setVisible(not view.resources)
        self.statements.setVisible(bool(view.resources))
        self._none.say("The statements are the same; a list, a file, an answer or the reading of the paper changed.")

    def _dress(self) -> None:
        """Take the colours of the theme."""
        for number, one in enumerate(self._changed):
            item = self.changes.topLevelItem(number)
            if item is not None:
                item.setIcon(1, sign_icon(sign(one.before), current_theme()))
                item.setIcon(2, sign_icon(sign(one.after), current_theme()))

    def _chosen_id(self) -> str:
        item = self.changes.currentItem()
        return "" if item is None else item.text(4)

    def _choose(self) -> None:
        kept = self._chosen_id()
        self.chosen.emit(next((one for one in self._changed if one.indicator.id == kept), None))

    def _compare(self) -> None:
        before, after = self.before.currentIndex(), self.after.currentIndex()
        self.line.mark(before, after)
        self.compared.emit(before, after)

    def _take_moment(self, number: int) -> None:
        """Compare a clicked assessment with the one after it; the last one with the one before it."""
        before = min(number, len(self._moments) - 2)
        if before >= 0:
            self.before.setCurrentIndex(before)
            self.after.setCurrentIndex(before + 1)
            self._compare()


def gain_words(gain: Interval) -> str:
    """The certain change in points, such as "+1"; else the possible one, such as "at most +1"."""
    points = gain.low or gain.high
    said = f"+{points}" if points > 0 else f"{MINUS}{-points}" if points < 0 else "0"
    return said if gain.low or not points else f"at most {said}"


def difference_words(changed: Sequence[Changed]) -> str:
    """What changed in figures."""
    if not changed:
        return "Nothing differs between the two"
    won = sum(1 for one in changed if one.gain.low > 0)
    lost = sum(1 for one in changed if one.gain.low < 0)
    parts = [f"{won} reached"] if won else []
    parts += [f"{lost} lost"] if lost else []
    others = len(changed) - won - lost
    parts += [f"{others} in other ways"] if others else []
    return f"{len(changed)} of 47 differ{'s' if len(changed) == 1 else ''}: {', '.join(parts)}"
