"""The list of completions below the cursor, with names, labels and counts."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStyleOptionViewItem,
    QWidget,
)

from hpc_explorer.query.completion.candidates import Completion, CompletionKind
from hpc_explorer.ui.sparql.highlighting import COLOURS
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.row_delegate import RowDelegate, draw_elided
from hpc_explorer.ui.widgets.theme import BODY, GRID, SMALL, current_theme, font

Index = QModelIndex | QPersistentModelIndex

MOST_ROWS = 9
"""The maximum number of visible completions."""

WIDTH = 58 * GRID
_ROW = 3 * GRID
_ROLE = Qt.ItemDataRole.UserRole

_COLOURED_AS = {
    CompletionKind.KEYWORD: "keyword",
    CompletionKind.FUNCTION: "function",
    CompletionKind.VARIABLE: "variable",
    CompletionKind.VALUE: "string",
}


class CompletionModel(QAbstractListModel):
    """A list model of completions."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.completions: tuple[Completion, ...] = ()

    def show(self, completions: tuple[Completion, ...]) -> None:
        """Replace the completions."""
        self.beginResetModel()
        self.completions = completions
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.completions)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        one = self.completions[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return one.label
        if role == Qt.ItemDataRole.ToolTipRole:
            declared = "".join(f"\ndeclares PREFIX {prefix}: <{namespace}>" for prefix, namespace in one.prefixes)
            return plain_tip(f"{one.text.strip()} ({one.kind.value}){declared}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(one)
        if role == _ROLE:
            return one
        return None


def spoken(one: Completion) -> str:
    """The text of a completion for screen readers."""
    count = str(one.count) if one.count is not None else ""
    return ", ".join(part for part in (one.label, one.kind.value, one.detail, count) if part)


class _Delegate(RowDelegate):
    """Draws a completion: its coloured name, its label, and its count on the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        one: Completion = index.data(_ROLE)
        self.paint_background(painter, option, index)
        rect = option.rect.adjusted(GRID, 0, -GRID, 0)
        muted = option.widget.palette().color(QPalette.ColorRole.PlaceholderText)
        painter.save()
        count = "" if one.count is None else str(one.count)
        right = count or one.kind.value
        used = QFontMetrics(font(SMALL)).horizontalAdvance(right) + 2 * GRID
        painter.setPen(muted)
        beside_end = QRect(rect.right() - used, rect.top(), used, rect.height())
        draw_elided(painter, beside_end, right, font(SMALL, figures=True), Qt.AlignmentFlag.AlignRight)
        rect.setRight(rect.right() - used)
        colours = COLOURS["dark" if current_theme().name == "dark" else "light"]
        name, beside = named(one)
        used = min(QFontMetrics(font()).horizontalAdvance(name) + 2, rect.width())
        painter.setPen(QColor(colours[_COLOURED_AS.get(one.kind, "name")]))
        draw_elided(painter, QRect(rect.left(), rect.top(), used, rect.height()), name, font())
        rect.setLeft(rect.left() + used + GRID)
        if beside and rect.width() > 3 * GRID:
            painter.setPen(muted)
            draw_elided(painter, rect, beside, font(SMALL))
        painter.restore()


def named(one: Completion) -> tuple[str, str]:
    """The first and second text of a completion."""
    if one.kind in (CompletionKind.CLASS, CompletionKind.PROPERTY, CompletionKind.INVERSE):
        return ("is " if one.kind is CompletionKind.INVERSE else "") + one.label + (
            " of" if one.kind is CompletionKind.INVERSE else ""
        ), one.text.strip()
    return one.label, one.detail


class CompletionPopup(QFrame):
    """The list, above the other widgets of the window; the editor keeps the keyboard focus.

    Signals:
        chosen(Completion): one was clicked.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("popup")
        self.setAutoFillBackground(True)
        self._model = CompletionModel(self)
        self.list = QListView(self)
        self.list.setModel(self._model)
        self.list.setItemDelegate(_Delegate(self))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName("Completions")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFont(font(BODY))
        self.list.clicked.connect(lambda index: self.chosen.emit(self._model.completions[index.row()]))
        self.remark = Label(parent=self)
        self.remark.setProperty("role", "small")
        self.remark.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        layout = column_in(self, 1, GRID // 2, 1, GRID // 2)
        layout.addWidget(self.list)
        layout.addWidget(self.remark)
        self.hide()

    @property
    def completions(self) -> tuple[Completion, ...]:
        """The completions shown."""
        return self._model.completions

    @property
    def current(self) -> Completion | None:
        """The completion that Enter inserts."""
        row = self.list.currentIndex().row()
        return self._model.completions[row] if 0 <= row < len(self._model.completions) else None

    def offer(self, completions: tuple[Completion, ...], remark: str, at: QRect, within: QRect) -> None:
        """Show completions below the cursor, or above it if there is no room.

        Args:
            remark: a line below them, or empty.
            at, within: the cursor and the available area, in coordinates of the parent.
        """
        # Keep the user's selection when completions are added; otherwise select the best.
        before = self.current if self.isVisible() and self.list.currentIndex().row() > 0 else None
        self._model.show(completions)
        row = next((row for row, one in enumerate(completions) if before is not None and one.text == before.text), 0)
        self.list.setCurrentIndex(self._model.index(row))
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))
        self.list.setVisible(bool(completions))
        rows = min(len(completions), MOST_ROWS)
        self.list.setFixedHeight(rows * _ROW + 2)
        width = min(WIDTH, within.width())
        height = GRID + (rows * _ROW + 2 if completions else 0) + (self.remark.sizeHint().height() if remark else 0)
        below = within.bottom() - at.bottom() >= height or within.bottom() - at.bottom() >= at.top() - within.top()
        top = at.bottom() + 2 if below else at.top() - height - 2
        left = max(within.left(), min(at.left(), within.right() - width))
        self.setGeometry(left, top, width, height)
        self.show()
        self.raise_()
        self.list.scrollTo(self.list.currentIndex())

    def walk(self, key: int) -> str:
        """Select another completion, wrapping around; return its text for screen readers."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: MOST_ROWS, Qt.Key.Key_PageUp: -MOST_ROWS}
        step, count = steps[Qt.Key(key)], self._model.rowCount()
        if not count:
            return ""
        row = self.list.currentIndex().row() + step
        row = row % count if abs(step) == 1 else max(0, min(row, count - 1))
        self.list.setCurrentIndex(self._model.index(row))
        return spoken(self._model.completions[row])
