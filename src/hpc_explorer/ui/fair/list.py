"""The list of the 47 indicators by principle and subprinciple, each with its sign, sentence and kind of decision."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from hpc_explorer.fair.indicators import SUBPRINCIPLES
from hpc_explorer.fair.scoring import Decided, Part, Score
from hpc_explorer.fair.values import PRINCIPLE_TITLES
from hpc_explorer.ui.fair.signs import BASES, Sign, paint_sign, sign_colour, sign_of
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.row_delegate import RowDelegate
from hpc_explorer.ui.widgets.text import shortened
from hpc_explorer.ui.widgets.theme import BODY, GRID, SMALL, current_theme, font

WHOLE = "whole"
"""The key of the first row, the score as a whole."""

ROOM_FOR_IDS = 48 * GRID
"""The width in pixels from which ids and kinds of decision are shown; the card shows them in any case."""

_KEY = Qt.ItemDataRole.UserRole
_ROW = Qt.ItemDataRole.UserRole + 1

Index = QModelIndex | QPersistentModelIndex


class Narrowed(Enum):
    """Which of the 47 are shown, by the title of the switch."""

    ALL = "All"
    OPEN = "Open"
    FAILED = "Failed"
    PASSED = "Passed"
    OVERRIDDEN = "Overridden"


def sign(one: Decided) -> Sign:
    """The sign of an indicator."""
    return sign_of(one.finding.verdict, one.points.low, one.points.high, is_override=one.is_override)


def fits(one: Decided, narrowed: Narrowed) -> bool:
    """Whether an indicator is shown."""
    if narrowed is Narrowed.FAILED:
        return not one.points.high
    if narrowed is Narrowed.PASSED:
        return one.points.low == 1
    if narrowed is Narrowed.OPEN:
        return one.points.is_open
    return narrowed is Narrowed.ALL or one.is_override


def words_of(one: Decided) -> str:
    """An indicator in words: its sign, how it was decided, and the sentence."""
    return f"{sign(one).value} · {BASES[one.basis]} · {one.sentence}"


class IndicatorList(QTreeWidget):
    """The list.

    Signals:
        chosen(str): the key of the chosen row: `WHOLE`, a principle, a subprinciple, or an indicator's id.
        entered(str): Enter or a double click on an indicator.
    """

    chosen = Signal(str)
    entered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._decided: Sequence[Decided] = ()
        self._score: Score | None = None
        self.narrowed = Narrowed.ALL
        self.setAccessibleName("Indicators")
        self.setProperty("framed", True)
        self.setHeaderHidden(True)
        self.setColumnCount(1)
        self.setIndentation(GRID + 4)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setItemDelegate(_RowPainter(self))
        self.currentItemChanged.connect(lambda now, before: self.chosen.emit(self.key))
        self.itemDoubleClicked.connect(lambda item, column: self._enter())

    @property
    def key(self) -> str:
        """The key of the chosen row."""
        item = self.currentItem()
        return WHOLE if item is None else str(item.data(0, _KEY))

    @property
    def current(self) -> Decided | None:
        """The chosen indicator; None for a row of several."""
        return next((one for one in self._decided if one.indicator.id == self.key), None)

    @property
    def shown(self) -> tuple[str, ...]:
        """The ids of the indicators that are listed."""
        return tuple(one.indicator.id for one in self._decided if fits(one, self.narrowed))

    def show_decided(self, decided: Sequence[Decided], score: Score | None) -> None:
        """Show other results; the chosen row and the folding stay."""
        self._decided, self._score = decided, score
        self._fill()

    def forget(self) -> None:
        """Choose the first row, as for another resource."""
        self.choose(WHOLE)

    def narrow(self, narrowed: Narrowed) -> None:
        """Show some of them only."""
        self.narrowed = narrowed
        self._fill()

    def choose(self, key: str) -> None:
        """Choose a row by its key, where it is listed."""
        item = self.item_of(key)
        if item is not None:
            self.setCurrentItem(item)
            self.scrollToItem(item)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self._enter()
        else:
            super().keyPressEvent(event)

    def _enter(self) -> None:
        item = self.currentItem()
        if item is not None and item.childCount():
            item.setExpanded(not item.isExpanded())
        elif self.current is not None:
            self.entered.emit(self.key)

    def _fill(self) -> None:
        before, at = self.key, self.verticalScrollBar().value()
        folded = {str(item.data(0, _KEY)) for item in self._items() if item.childCount() and not item.isExpanded()}
        self.blockSignals(True)
        self.clear()
        if self._score is not None:
            _row(self, WHOLE, f"All {self._score.of}", str(self._score.points), f"{self._score} points")
            for part in self._score.by_principle:
                self._fill_principle(part, folded)
            item = self.item_of(before) or self.topLevelItem(0)
            if item is not None:
                self.setCurrentItem(item)
            self.verticalScrollBar().setValue(at)
        self.blockSignals(False)
        self.chosen.emit(self.key)

    def _fill_principle(self, part: Part, folded: set[str]) -> None:
        assert self._score is not None
        members = [
            one for one in self._decided if one.indicator.principle.value == part.name and fits(one, self.narrowed)
        ]
        if not members:
            return
        name = PRINCIPLE_TITLES[part.name]
        top = _row(self, part.name, name, f"{part.points} of {part.of}", f"{name}, {part.points} of {part.of}")
        subparts = {each.name: each for each in self._score.by_subprinciple}
        for subprinciple in dict.fromkeys(one.indicator.subprinciple for one in members):
            each = subparts[subprinciple]
            title = f"{subprinciple}  {SUBPRINCIPLES.get(subprinciple, '')}".rstrip()
            below = _row(
                top, subprinciple, title, f"{each.points} of {each.of}", f"{title}, {each.points} of {each.of}"
            )
            for one in members:
                if one.indicator.subprinciple == subprinciple:
                    said = f"{one.indicator.text}, {one.indicator.id}: {words_of(one)}"
                    item = _row(below, one.indicator.id, one.indicator.text, one.indicator.id, said)
                    item.setData(0, _ROW, one)
                    item.setToolTip(
                        0, plain_tip(shortened(f"{one.indicator.id}: {one.indicator.text}\n{words_of(one)}"))
                    )
            below.setExpanded(subprinciple not in folded)
        top.setExpanded(part.name not in folded)

    def _items(self) -> list[QTreeWidgetItem]:
        found: list[QTreeWidgetItem] = []
        waiting = [self.topLevelItem(n) for n in range(self.topLevelItemCount())]
        while waiting:
            item = waiting.pop(0)
            if item is not None:
                found.append(item)
                waiting.extend(item.child(n) for n in range(item.childCount()))
        return found

    def item_of(self, key: str) -> QTreeWidgetItem | None:
        """The row of an indicator or group; None if it is not listed."""
        return next((item for item in self._items() if item.data(0, _KEY) == key), None)


def _row(above: QTreeWidget | QTreeWidgetItem, key: str, title: str, figures: str, said: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem(above)
    item.setText(0, title)
    item.setData(0, _KEY, key)
    item.setData(0, _ROW, figures)
    item.setData(0, Qt.ItemDataRole.AccessibleTextRole, said)
    return item


class _RowPainter(RowDelegate):
    """Paints a heading in one line, and an indicator in two."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._fonts = font(BODY), font(BODY, 600), font(SMALL), font(SMALL, 500), font(BODY, 500, figures=True)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        two_lines = isinstance(index.data(_ROW), Decided)
        return QSize(10 * GRID, 5 * GRID + 4 if two_lines else 3 * GRID + 6)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.paint_background(painter, option, index)
        box = QRectF(option.rect).adjusted(4, 0, -GRID, 0)
        row = index.data(_ROW)
        painter.save()
        if isinstance(row, Decided):
            self._paint_indicator(painter, box, row)
        else:
            self._paint_heading(painter, box, str(index.data()), str(row), top=not index.parent().isValid())
        painter.restore()

    def _paint_heading(self, painter: QPainter, box: QRectF, title: str, figures: str, *, top: bool) -> None:
        plain, bold, _, _, counted = self._fonts
        painter.setFont(counted)
        painter.setPen(QColor(current_theme().text if top else current_theme().muted))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, figures)
        width = QFontMetrics(counted).horizontalAdvance(figures)
        used = bold if top else plain
        painter.setFont(used)
        room = int(box.width()) - width - 2 * GRID
        text = QFontMetrics(used).elidedText(title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_indicator(self, painter: QPainter, box: QRectF, one: Decided) -> None:
        plain, _, small, small_bold, _ = self._fonts
        shown = sign(one)
        paint_sign(painter, QRectF(box.x(), box.y() + 6, 14, 14), shown, current_theme())
        inner = box.adjusted(2.5 * GRID + 2, 4, 0, -4)
        upper = QRectF(inner.x(), inner.y(), inner.width(), 18)
        lower = QRectF(inner.x(), inner.y() + 18, inner.width(), 16)
        painter.setFont(small)
        painter.setPen(QColor(current_theme().muted))
        id_width = 0
        if upper.width() >= ROOM_FOR_IDS:
            id_width = QFontMetrics(small).horizontalAdvance(one.indicator.id) + GRID
            painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, one.indicator.id)
        painter.setFont(plain)
        painter.setPen(QColor(current_theme().text))
        room = int(upper.width()) - id_width
        text = QFontMetrics(plain).elidedText(one.indicator.text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.setFont(small_bold)
        painter.setPen(QColor(sign_colour(shown, current_theme())))
        painter.drawText(lower, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown.value)
        used = QFontMetrics(small_bold).horizontalAdvance(shown.value)
        painter.setFont(small)
        painter.setPen(QColor(current_theme().muted))
        basis = f" · {BASES[one.basis]}" if lower.width() >= ROOM_FOR_IDS else ""
        rest = f"{basis} · {' '.join(one.sentence.split())}"
        text = QFontMetrics(small).elidedText(rest, Qt.TextElideMode.ElideRight, int(lower.width()) - used)
        painter.drawText(
            lower.adjusted(used, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text
        )
