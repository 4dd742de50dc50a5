"""A table of an answer: sorted by value, numbers below each other, labels with their IRIs on demand."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from hpc_explorer.app.answer import AnswerTable, Cell, Kind
from hpc_explorer.app.answer_files import cell_texts
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.palette import LIGHT, Theme
from hpc_explorer.ui.text import shortened
from hpc_explorer.ui.theme import GRID, class_mark, font

Index = QModelIndex | QPersistentModelIndex

MOST_ROWS = 14
"""So many rows are in sight at once; a longer table scrolls by itself."""

WIDEST, NARROWEST = 340, 56
"""Pixels of a column that nobody set; a cell that is cut off is read whole on hover."""

MEASURED_ROWS = 200
"""Widths are those of the first rows."""

_ROW = 28
_RIGHT = (Kind.NUMBER, Kind.DURATION)


class AnswerTableModel(QAbstractTableModel):
    """A table as Qt's views read it."""

    def __init__(self, table: AnswerTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = table
        self._theme = LIGHT
        self._with_iris = False
        self._order = list(range(len(table.rows)))
        self._texts = [
            cell_texts(column, [row[number] for row in table.rows]) for number, column in enumerate(table.columns)
        ]

    def set_theme(self, theme: Theme) -> None:
        """Draw the marks of the classes in this theme's colours."""
        self._theme = theme
        self._tell_all()

    def show_iris(self, shown: bool) -> None:
        """Show resources by their IRIs, or by their labels again."""
        self._with_iris = shown
        self._tell_all()

    def cell(self, index: Index) -> Cell:
        """What stands there."""
        return self.table.rows[self._order[index.row()]][index.column()]

    def text(self, row: int, column: int) -> str:
        """What is read there."""
        number = self._order[row]
        cell = self.table.rows[number][column]
        return cell.iri if self._with_iris and isinstance(cell, ResourceRef) else self._texts[column][number]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.table.columns)

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if way is not Qt.Orientation.Horizontal or section >= len(self.table.columns):
            return None
        column = self.table.columns[section]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return column.heading
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column.kind)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            # What fits no cell by far is not laid out; the whole of it is copied.
            return self.text(index.row(), index.column())[:400]
        cell = self.cell(index)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(self.table.columns[index.column()].kind)
        if role == Qt.ItemDataRole.DecorationRole and isinstance(cell, ResourceRef):
            return class_mark(cell.colour_key, self._theme)
        if role == Qt.ItemDataRole.ToolTipRole and cell is not None:
            return _tip(cell, self.text(index.row(), index.column()))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            heading = self.table.columns[index.column()].heading
            return f"{heading}: {self.text(index.row(), index.column()) or 'nothing'}"
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by value; what is missing stands last either way. A column below none brings the first order back."""
        self.layoutAboutToBeChanged.emit()
        before = list(self._order)
        self._order = list(range(len(self.table.rows)))
        if 0 <= column < len(self.table.columns):
            cells = [row[column] for row in self.table.rows]
            known = [number for number in self._order if not _is_missing(cells[number])]
            missing = [number for number in self._order if _is_missing(cells[number])]
            known.sort(key=lambda number: _sort_key(cells[number]), reverse=order is Qt.SortOrder.DescendingOrder)
            self._order = known + missing
        places = {number: row for row, number in enumerate(self._order)}
        for index in self.persistentIndexList():
            self.changePersistentIndex(index, self.index(places[before[index.row()]], index.column()))
        self.layoutChanged.emit()

    def _tell_all(self) -> None:
        if self._order and self.table.columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._order) - 1, len(self.table.columns) - 1))


def _alignment(kind: Kind) -> int:
    side = Qt.AlignmentFlag.AlignRight if kind in _RIGHT else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


def _tip(cell: Cell, text: str) -> str:
    if isinstance(cell, ResourceRef):
        return "\n".join(part for part in (shortened(cell.label), cell.kind, cell.iri) if part)
    return repr(cell) if isinstance(cell, float) else shortened(text)


def _is_missing(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def _sort_key(cell: Cell) -> tuple[int, Any, str]:
    """Numbers before times before texts, so that a mixed column has an order too."""
    if isinstance(cell, (int, float)):
        return 0, cell, ""
    if isinstance(cell, timedelta):
        return 1, cell.total_seconds(), ""
    if isinstance(cell, datetime):
        # A time without a zone is taken as UTC, so that both kinds have one order.
        return 2, (cell if cell.tzinfo else cell.replace(tzinfo=UTC)).timestamp(), ""
    if isinstance(cell, ResourceRef):
        return 3, cell.label.casefold(), cell.iri
    return 3, (cell or "").casefold(), ""


class AnswerTableView(QTableView):
    """The table as a widget.

    Signals:
        selected(Resource): a resource was clicked, or the keyboard came to it.
        opened(Resource): a resource was double-clicked, or Enter was pressed on it.
    """

    selected = Signal(object)
    opened = Signal(object)

    def __init__(self, table: AnswerTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = AnswerTableModel(table, self)
        self.setModel(self.rows)
        self.setAccessibleName(table.title or "Table")
        rows = len(table.rows)
        self.setAccessibleDescription(f"{rows:,} row{'s' * (rows != 1)}; Enter opens what is in a cell")
        self.setFont(font(figures=True))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(_ROW)
        header = self.horizontalHeader()
        header.setFont(font(weight=500))
        header.setHighlightSections(False)
        header.setMinimumSectionSize(NARROWEST)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self._widths = self._natural_widths()
        self._by_hand = False
        self._resizing = False
        header.sectionResized.connect(self._take_width)
        self.doubleClicked.connect(self.open_cell)
        self.clicked.connect(self._select_cell)

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        self.rows.set_theme(theme)

    def open_cell(self, index: Index) -> None:
        """Go to the resource in a cell, or to the first of its row."""
        ref = self._ref(index)
        if ref is not None:
            self.opened.emit(ref.resource)

    def copy(self) -> None:
        """Put the chosen cells on the clipboard, one row a line, with tabs between."""
        chosen = sorted((index.row(), index.column()) for index in self.selectedIndexes())
        lines: dict[int, list[str]] = {}
        for row, column in chosen:
            lines.setdefault(row, []).append(" ".join(self.rows.text(row, column).split()))
        QGuiApplication.clipboard().setText("\n".join("\t".join(cells) for cells in lines.values()))

    def sizeHint(self) -> QSize:
        return QSize(320, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        rows = min(max(len(self.rows.table.rows), 1), MOST_ROWS)
        return QSize(160, rows * _ROW + self.horizontalHeader().sizeHint().height() + 14)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_cell(self.currentIndex())
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            before = self.currentIndex()
            super().keyPressEvent(event)
            if self.currentIndex() != before:
                self._select_cell(self.currentIndex())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if not index.isValid():
            return
        cell = self.rows.cell(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy").triggered.connect(self.copy)
        if isinstance(cell, ResourceRef):
            iri, resource = cell.iri, cell.resource
            menu.addAction("Copy IRI").triggered.connect(lambda: QGuiApplication.clipboard().setText(iri))
            menu.addAction("Open").triggered.connect(lambda: self.opened.emit(resource))
        menu.popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._by_hand:
            self._fit_columns()

    def _select_cell(self, index: Index) -> None:
        ref = self._ref(index)
        if ref is not None:
            self.selected.emit(ref.resource)

    def _ref(self, index: Index) -> ResourceRef | None:
        if not index.isValid():
            return None
        cell = self.rows.cell(index)
        return cell if isinstance(cell, ResourceRef) else None

    def _take_width(self, section: int, before: int, now: int) -> None:
        self._by_hand = self._by_hand or not self._resizing

    def _natural_widths(self) -> list[int]:
        metrics, heads = QFontMetrics(self.font()), QFontMetrics(font(weight=600))
        widths = []
        for number, column in enumerate(self.rows.table.columns):
            count = min(self.rows.rowCount(), MEASURED_ROWS)
            texts = (self.rows.text(row, number)[:100] for row in range(count))
            sign = 32 if column.kind is Kind.RESOURCE else 0
            widest = max((metrics.horizontalAdvance(text) + sign for text in texts), default=0)
            needed = max(widest, heads.horizontalAdvance(column.heading) + 18) + 4 * GRID
            widths.append(min(max(needed, NARROWEST), WIDEST))
        return widths

    def _fit_columns(self) -> None:
        """Give what is left of the width to the columns with text, or take from the widest what is missing."""
        widths = list(self._widths)
        columns = self.rows.table.columns
        spare = self.viewport().width() - sum(widths)
        wide = [
            number
            for number, column in enumerate(columns)
            if column.kind not in _RIGHT and column.kind is not Kind.TIME
        ]
        if spare > 0 and wide:
            for number in wide:
                widths[number] += spare // len(wide)
        self._resizing = True
        for number, width in enumerate(widths):
            self.setColumnWidth(number, width)
        self._resizing = False
