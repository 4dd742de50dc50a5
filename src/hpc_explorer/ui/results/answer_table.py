"""A table of rows: sorted by value, numbers below each other, labels with their IRIs on demand.

`RowsTable` shows rows of any kind; `AnswerTableView` those of a table of an answer, as high as they are.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QItemSelectionModel, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from hpc_explorer.app.results.answer import AnswerTable
from hpc_explorer.app.results.rows import AnswerRows, TableRows
from hpc_explorer.app.results.table_files import RIGHT
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.query.table import CellKind
from hpc_explorer.ui.results.rows_model import Index, RowsModel
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.theme import GRID, font
from hpc_explorer.wording import counted

MOST_ROWS = 14
"""So many rows are in sight at once; a longer table scrolls by itself."""

WIDEST, NARROWEST = 340, 56
"""Pixels of a column that nobody set; a cell that is cut off is read whole on hover."""

MEASURED_ROWS = 200
"""Widths are those of the first rows."""

COPIED_AT_ONCE = 5_000
"""Cells that are copied without a thread."""

Runner = Callable[[str, Callable[[], str], Callable[[str], None]], None]
"""Has a text made in a thread: what for, by what, and who takes it."""

_ROW = 28


class RowsTable(QTableView):
    """A table as a widget. Columns are sorted by a click on their heading, moved by dragging it, and resized.

    Attributes:
        rows: what is shown.
        runner: who makes long texts for the clipboard; None: they are made at once.

    Signals:
        selected(Resource): a resource was clicked, or the keyboard came to it.
        opened(Resource): a resource was double-clicked, or Enter was pressed on it.
    """

    selected = Signal(object)
    opened = Signal(object)

    def __init__(self, rows: TableRows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.runner: Runner | None = None
        self.rows = RowsModel(rows, self)
        self.setModel(self.rows)
        self.setAccessibleName("Table")
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
        # A heading would ask each row of a column whether it is chosen, whenever it is painted.
        header.setSelectionModel(QItemSelectionModel(self.rows, header))
        header.setMinimumSectionSize(NARROWEST)
        header.setSectionsMovable(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self._widths = self._natural_widths()
        self._by_hand: set[int] = set()
        self._resizing = False
        header.sectionResized.connect(self._take_width)
        self.doubleClicked.connect(self.open_cell)
        self.clicked.connect(self._select_cell)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.rows.set_theme(theme)

    def open_cell(self, index: Index) -> None:
        """Go to the resource in a cell, or to the first of its row."""
        ref = self._ref(index)
        if ref is not None:
            self.opened.emit(ref.resource)

    def measure(self) -> None:
        """Make the columns as wide as what they hold now, but those that somebody set."""
        self._widths = self._natural_widths()
        self._fit_columns()

    def begin(self, rows: TableRows) -> None:
        """Show other rows, as they came, in columns of their own widths and order."""
        self._by_hand.clear()
        self.clearSelection()
        header = self.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.rows.begin(rows)
        for section in range(header.count()):
            header.moveSection(header.visualIndex(section), section)
        self.measure()

    def begin_alike(self, rows: TableRows) -> None:
        """Show other rows in the same columns, which keep their widths and their order."""
        self.clearSelection()
        self.rows.begin_alike(rows)

    def refresh(self) -> None:
        """Draw the cells in sight anew: what they say has changed."""
        self.rows.tell(*self.rows_in_sight())

    def columns_in_order(self) -> list[int]:
        """The columns from left to right, as somebody moved them."""
        header = self.horizontalHeader()
        return [header.logicalIndex(place) for place in range(header.count())]

    def rows_in_sight(self) -> tuple[int, int]:
        """The first row in sight and the last."""
        last = self.rows.rowCount() - 1
        below = self.rowAt(self.viewport().height() - 1)
        return max(self.rowAt(0), 0), last if below < 0 else below

    def copy(self, *, with_iris: bool | None = None) -> None:
        """Put the chosen cells on the clipboard, one row a line, with tabs between, in the order they stand in.

        Args:
            with_iris: resources by their IRIs, or by their labels; None: as they are shown.
        """
        wanted = self.rows.with_iris if with_iris is None else with_iris
        selection = self.selectionModel().selection()
        parts = [selection.at(number) for number in range(selection.size())]
        areas = [(part.top(), part.bottom(), part.left(), part.right()) for part in parts]
        shown, rows, order = self.rows.shown, self.rows.rows, self.columns_in_order()

        def work() -> str:
            chosen: dict[int, set[int]] = {}
            for top, bottom, left, right in areas:
                for row in range(top, bottom + 1):
                    chosen.setdefault(row, set()).update(range(left, right + 1))
            return "\n".join(
                "\t".join(_copied(rows, shown[row], column, wanted) for column in order if column in chosen[row])
                for row in sorted(chosen)
            )

        if sum(part.width() * part.height() for part in parts) > COPIED_AT_ONCE and self.runner is not None:
            self.runner("Copy the cells", work, QGuiApplication.clipboard().setText)
        else:
            QGuiApplication.clipboard().setText(work())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
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
        menu.addAction("Copy labels").triggered.connect(lambda: self.copy(with_iris=False))
        menu.addAction("Copy IRIs").triggered.connect(lambda: self.copy(with_iris=True))
        if isinstance(cell, ResourceRef):
            resource = cell.resource
            menu.addAction("Open").triggered.connect(lambda: self.opened.emit(resource))
        menu.popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
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
        if not self._resizing and before and now:
            self._by_hand.add(section)

    def _natural_widths(self) -> list[int]:
        metrics, heads = QFontMetrics(self.font()), QFontMetrics(font(weight=600))
        widths = []
        for number, column in enumerate(self.rows.rows.columns):
            count = min(self.rows.rowCount(), MEASURED_ROWS)
            texts = (self.rows.text(row, number)[:100] for row in range(count))
            sign = 32 if column.kind is CellKind.RESOURCE else 0
            widest = max((metrics.horizontalAdvance(text) + sign for text in texts), default=0)
            needed = max(widest, heads.horizontalAdvance(column.heading) + 18) + 4 * GRID
            widths.append(min(max(needed, NARROWEST), WIDEST))
        return widths

    def _fit_columns(self) -> None:
        """Give what is left of the width to the columns with text, or take from the widest what is missing."""
        widths = [
            self.columnWidth(number) if number in self._by_hand else width for number, width in enumerate(self._widths)
        ]
        columns = self.rows.rows.columns
        spare = self.viewport().width() - sum(widths)
        wide = [
            number
            for number, column in enumerate(columns)
            if column.kind not in RIGHT and column.kind is not CellKind.TIME and number not in self._by_hand
        ]
        if spare > 0 and wide:
            for number in wide:
                widths[number] += spare // len(wide)
        self._resizing = True
        for number, width in enumerate(widths):
            if number not in self._by_hand:
                self.setColumnWidth(number, width)
        self._resizing = False


def _copied(rows: TableRows, row: int, column: int, with_iris: bool) -> str:
    """A cell in one line and without tabs, so that a spreadsheet takes it as one."""
    if with_iris and isinstance(cell := rows.cell(row, column), ResourceRef):
        return cell.iri
    return " ".join(rows.text(row, column).split())


class AnswerTableView(RowsTable):
    """A table of an answer, whole."""

    def __init__(self, table: AnswerTable, parent: QWidget | None = None) -> None:
        super().__init__(AnswerRows(table), parent)
        self.setAccessibleName(table.title or "Table")
        rows = len(table.rows)
        self.setAccessibleDescription(f"{counted(rows, 'row')}; Enter opens what is in a cell")

    def sizeHint(self) -> QSize:
        return QSize(320, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        rows = min(max(self.rows.rowCount(), 1), MOST_ROWS)
        return QSize(160, rows * _ROW + self.horizontalHeader().sizeHint().height() + 14)
