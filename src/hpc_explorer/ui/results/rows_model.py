"""A Qt model of rows, which shows any of them in any order without creating an object for each cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from hpc_explorer.app.results.answer import Cell
from hpc_explorer.app.results.rows import TableRows, sorted_rows
from hpc_explorer.app.results.table_files import RIGHT
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.query.table import CellKind
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import shortened
from hpc_explorer.ui.widgets.theme import class_mark, current_theme

Index = QModelIndex | QPersistentModelIndex

LONGEST_CELL = 400
"""Characters of a cell that are laid out; copying copies all."""

Sorter = Callable[[int, Qt.SortOrder], None]
"""Sorts the rows by a column; -1 restores the original order."""


class RowsModel(QAbstractTableModel):
    """A selection of rows in some order.

    Attributes:
        rows: all rows.
        sorter: sorts the rows; None: the model sorts them itself.
    """

    def __init__(self, rows: TableRows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows = rows
        self.sorter: Sorter | None = None
        self._with_iris = False
        self._shown: Sequence[int] = range(len(rows))
        self._width = len(rows.columns)

    @property
    def with_iris(self) -> bool:
        """Whether resources are shown as IRIs."""
        return self._with_iris

    def show_iris(self, shown: bool) -> None:
        """Show IRIs or labels of resources."""
        self._with_iris = shown
        self.tell_all()

    # What is shown

    @property
    def shown(self) -> Sequence[int]:
        """The numbers of the shown rows, in order."""
        return self._shown

    def begin(self, rows: TableRows) -> None:
        """Show other rows in their original order."""
        self.beginResetModel()
        self.rows = rows
        self._shown = range(len(rows))
        self._width = len(rows.columns)
        self.endResetModel()

    def begin_alike(self, rows: TableRows) -> None:
        """Replace the rows by others with the same columns, none of them shown yet."""
        self.show_rows(())
        self.rows = rows
        self.tell_all()

    def grow(self) -> None:
        """Append the rows that arrived since. Only for rows that are neither filtered nor sorted."""
        before, now = len(self._shown), len(self.rows)
        if now > before:
            self.beginInsertRows(QModelIndex(), before, now - 1)
            self._shown = range(now)
            self.endInsertRows()

    def show_rows(self, shown: Sequence[int]) -> None:
        """Show these rows in this order. Selected rows stay selected if only the order changes."""
        if len(shown) == len(self._shown) > 0:
            self._rearrange(shown)
            return
        # Resetting the model would lose the widths and order of the columns.
        if len(self._shown):
            self.beginRemoveRows(QModelIndex(), 0, len(self._shown) - 1)
            self._shown = ()
            self.endRemoveRows()
        if len(shown):
            self.beginInsertRows(QModelIndex(), 0, len(shown) - 1)
            self._shown = shown
            self.endInsertRows()

    def _rearrange(self, shown: Sequence[int]) -> None:
        self.layoutAboutToBeChanged.emit()
        before, self._shown = self._shown, shown
        kept = self.persistentIndexList()
        if kept:
            wanted = {before[index.row()] for index in kept}
            places = {number: row for row, number in enumerate(shown) if number in wanted}
            for index in kept:
                row = places.get(before[index.row()], -1)
                self.changePersistentIndex(index, self.index(row, index.column()) if row >= 0 else QModelIndex())
        self.layoutChanged.emit()

    def tell_all(self) -> None:
        """Redraw all cells and headings."""
        self.tell(0, len(self._shown) - 1)
        if self._width:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self._width - 1)

    def tell(self, first: int, last: int) -> None:
        """Redraw the cells of some rows."""
        if 0 <= first <= last < len(self._shown) and self._width:
            self.dataChanged.emit(self.index(first, 0), self.index(last, self._width - 1))

    # Cells

    def cell(self, index: Index) -> Cell:
        """The value of a cell."""
        return self.rows.cell(self._shown[index.row()], index.column())

    def text(self, row: int, column: int) -> str:
        """The text of a cell."""
        number = self._shown[row]
        if self._with_iris and isinstance(cell := self.rows.cell(number, column), ResourceRef):
            return cell.iri
        return self.rows.text(number, column)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._width

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if way is not Qt.Orientation.Horizontal or section >= self._width:
            return None
        column = self.rows.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.heading
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(column.heading)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column.kind)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            text = self.text(index.row(), index.column())
            return text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}…"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(self.rows.columns[index.column()].kind)
        if role == Qt.ItemDataRole.DecorationRole:
            cell = self.cell(index)
            return class_mark(cell.colour_key, current_theme()) if isinstance(cell, ResourceRef) else None
        if role == Qt.ItemDataRole.ToolTipRole:
            cell = self.cell(index)
            return None if cell is None else plain_tip(_tip(cell, self.text(index.row(), index.column())))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            heading = self.rows.columns[index.column()].heading
            return f"{heading}: {self.text(index.row(), index.column()) or 'nothing'}"
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by value, missing values last; -1 restores the original order."""
        if self.sorter is not None:
            self.sorter(column, order)
        elif 0 <= column < self._width:
            descending = order is Qt.SortOrder.DescendingOrder
            self.show_rows(sorted_rows(self.rows, column, descending=descending, among=range(len(self.rows))))
        else:
            self.show_rows(range(len(self.rows)))


def _alignment(kind: CellKind) -> int:
    side = Qt.AlignmentFlag.AlignRight if kind in RIGHT else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


def _tip(cell: Cell, text: str) -> str:
    if isinstance(cell, ResourceRef):
        return "\n".join(part for part in (shortened(cell.label), cell.kind, cell.iri) if part)
    return repr(cell) if isinstance(cell, float) else shortened(text)
