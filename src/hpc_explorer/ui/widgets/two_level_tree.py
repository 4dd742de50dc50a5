"""A tree with two levels and two columns, for changes and validation results."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.theme import GRID

Index = QModelIndex | QPersistentModelIndex

COLUMNS = 2


class TwoLevelModel(QAbstractItemModel):
    """A Qt model of rows with rows below. Subclasses implement `data`."""

    def tell_all(self) -> None:
        """Redraw all rows."""
        self.layoutAboutToBeChanged.emit()
        self.layoutChanged.emit()

    def top(self, index: Index) -> int | None:
        """The index of the top-level row that contains an index, or None."""
        if not index.isValid():
            return None
        return index.row() if index.internalId() == 0 else index.internalId() - 1

    def is_below(self, index: Index) -> bool:
        """Whether a row is on the second level."""
        return index.isValid() and index.internalId() != 0

    @abstractmethod
    def count(self) -> int:
        """The number of top-level rows."""

    @abstractmethod
    def count_below(self, number: int) -> int:
        """The number of rows below a top-level row."""

    # As Qt asks

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        # The number of the row above, from 1; 0 for an upper row. A view asks for each of its rows.
        above = parent.row() + 1 if parent.isValid() else 0
        if above and (parent.column() != 0 or parent.internalId() != 0):
            return QModelIndex()
        rows = self.count_below(above - 1) if above else self.count()
        return self.createIndex(row, column, above) if 0 <= row < rows and 0 <= column < COLUMNS else QModelIndex()

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # Qt has two of this name
        return self.createIndex(index.internalId() - 1, 0, 0) if self.is_below(index) else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return self.count()
        return self.count_below(parent.row()) if parent.internalId() == 0 and parent.column() == 0 else 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return COLUMNS


class TwoLevelTree(QTreeView):
    """The tree: a double click or Enter opens a row, a right click opens its menu.

    Args:
        name: the accessible name.
    """

    def __init__(self, model: TwoLevelModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        model.setParent(self)
        self.setModel(model)
        self.setAccessibleName(name)
        self.setProperty("framed", True)
        self.setUniformRowHeights(True)
        self.setIndentation(2 * GRID)
        self.setAllColumnsShowFocus(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setExpandsOnDoubleClick(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self.open_menu)
        self.doubleClicked.connect(self.open_row)

    @abstractmethod
    def open_row(self, index: QModelIndex) -> None:
        """Open a row."""

    @abstractmethod
    def open_menu(self, at: QPoint) -> None:
        """Open the menu of the row at a place."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.currentIndex().isValid():
            self.open_row(self.currentIndex())
        else:
            super().keyPressEvent(event)
