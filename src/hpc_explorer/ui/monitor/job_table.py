"""The jobs of a run as a table that can be sorted, also with ten thousand rows."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from hpc_explorer.app.monitor.run_view import JobRow
from hpc_explorer.ui.monitor.plots import job_text
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.theme import GRID, current_theme, font

HEADINGS = ("Job", "Kind", "Host", "Began", "Took [s]", "Exit", "Anomalies")
_WIDTHS = (22 * GRID, 14 * GRID, 14 * GRID, 22 * GRID, 10 * GRID, 7 * GRID, 11 * GRID)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
# The columns from here on have numbers.
_FIRST_NUMBER = 4
_ROW = 28

Index = QModelIndex | QPersistentModelIndex


class JobsModel(QAbstractTableModel):
    """The jobs; the sort role gives numbers and texts."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: tuple[JobRow, ...] = ()

    def show_rows(self, rows: tuple[JobRow, ...]) -> None:
        """Show other jobs."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section >= _FIRST_NUMBER else _LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.UserRole):
            return _cell(row, index.column(), sorting=role == Qt.ItemDataRole.UserRole)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() >= _FIRST_NUMBER:
            return _RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(job_text(row))
        if role == Qt.ItemDataRole.ForegroundRole and (row.anomalies or row.job.exit_code not in (None, 0)):
            return QColor(current_theme().error if row.job.exit_code not in (None, 0) else current_theme().warning)
        return None


def _cell(row: JobRow, column: int, *, sorting: bool) -> str | float:
    job = row.job
    numbers = {3: job.started, 4: job.seconds, 5: job.exit_code, 6: len(row.anomalies)}
    if column not in numbers:
        return (job.name, job.task, job.host)[column]
    number = numbers[column]
    if sorting:
        return float("-inf") if number is None else float(number)
    if number is None or (column == 6 and not number):
        return ""
    if column == 3:
        return f"{datetime.fromtimestamp(number, UTC):%Y-%m-%d %H:%M:%S}"
    return f"{number:,.0f}"


class JobTable(QTableView):
    """The table of jobs; the first sorting is by their begin.

    Signals:
        chosen(int): another job was chosen; its index in the view's jobs.
        opened(int): a job was double-clicked, or Enter was pressed on it.
    """

    chosen = Signal(int)
    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.jobs = JobsModel(self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self.jobs)
        self._sorted.setSortRole(Qt.ItemDataRole.UserRole)
        self.setModel(self._sorted)
        self.setAccessibleName("Jobs")
        self.setAccessibleDescription("Enter opens a job")
        self.setFont(font(figures=True))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(_ROW)
        self.horizontalHeader().setHighlightSections(False)
        for column, width in enumerate(_WIDTHS):
            self.setColumnWidth(column, width)
        self.horizontalHeader().setStretchLastSection(True)
        self.setSortingEnabled(True)
        self.sortByColumn(3, Qt.SortOrder.AscendingOrder)
        self.doubleClicked.connect(lambda index: self.opened.emit(self._sorted.mapToSource(index).row()))
        self._choosing = False
        self.selectionModel().currentRowChanged.connect(self._changed)

    def show_rows(self, rows: tuple[JobRow, ...]) -> None:
        """Show other jobs."""
        self._choosing = True
        self.jobs.show_rows(rows)
        self._choosing = False

    def choose(self, number: int) -> None:
        """Choose a job by its index, without a signal."""
        self._choosing = True
        index = self._sorted.mapFromSource(self.jobs.index(number, 0))
        self.setCurrentIndex(index)
        self.scrollTo(index)
        self._choosing = False

    def _changed(self, now: QModelIndex, before: QModelIndex) -> None:
        if now.isValid() and not self._choosing:
            self.chosen.emit(self._sorted.mapToSource(now).row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.currentIndex().isValid():
            self.opened.emit(self._sorted.mapToSource(self.currentIndex()).row())
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt makes the first row the current one; that is no choice of the user."""
        self._choosing = True
        super().focusInEvent(event)
        self._choosing = False
