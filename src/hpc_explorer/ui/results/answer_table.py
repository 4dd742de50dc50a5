"""Table widgets: `RowsTable` for rows of any kind, and `AnswerTableView` for a table of an answer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QItemSelectionModel, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView

from hpc_explorer.app.results.answer import AnswerTable
from hpc_explorer.app.results.rows import AnswerRows, TableRows
from hpc_explorer.app.results.table_files import RIGHT
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.query.table import CellKind
from hpc_explorer.ui.results.rows_model import Index, RowsModel
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.theme import GRID, font
from hpc_explorer.wording import counted

MOST_ROWS = 14
"""The most visible rows; longer tables scroll."""

WIDEST, NARROWEST = 340, 56
"""The limits of automatic column widths in pixels. A tooltip shows a cell that is cut off."""

LEAST_TEXT = 120
"""The width in pixels that a column of text keeps when it gives room to a number."""

MEASURED_ROWS = 200
"""The rows that decide the column widths."""

COPIED_AT_ONCE = 5_000
"""The most cells that are copied without a thread."""

Runner = Callable[[str, Callable[[], str], Callable[[str], None]], None]
"""Makes a text in a thread: the title of the job, the function, and the receiver."""

_ROW = 28


class RowsTable(QTableView):
    """A table whose columns can be sorted, moved and resized.

    Attributes:
        rows: the model.
        runner: makes long texts for the clipboard; None makes them at once.

    Signals:
        selected(Resource): a resource was clicked or reached by the keyboard.
        opened(Resource): a resource was double-clicked, or Enter was pressed on it.
    """

    selected = Signal(object)
    opened = Signal(object)

    def __init__(self, rows: TableRows) -> None:
        super().__init__()
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
        # With the table's selection model, painting a heading would check the selection of each row.
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

    def open_cell(self, index: Index) -> None:
        """Open the resource in a cell."""
        ref = self._ref(index)
        if ref is not None:
            self.opened.emit(ref.resource)

    def measure(self) -> None:
        """Fit the columns to their content, except those that the user resized."""
        self._widths = self._natural_widths()
        self._fit_columns()

    def begin(self, rows: TableRows) -> None:
        """Show other rows, unsorted, in columns of their own widths and order."""
        self._by_hand.clear()
        self.clearSelection()
        header = self.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._widths = []  # resetting the model can resize the table before the new columns are measured
        self.rows.begin(rows)
        for section in range(header.count()):
            header.moveSection(header.visualIndex(section), section)
        self.measure()

    def begin_alike(self, rows: TableRows) -> None:
        """Show other rows in the same columns."""
        self.clearSelection()
        self.rows.begin_alike(rows)

    def refresh(self) -> None:
        """Redraw the visible cells."""
        self.rows.tell(*self.rows_in_sight())

    def columns_in_order(self) -> list[int]:
        """The columns from left to right."""
        header = self.horizontalHeader()
        return [header.logicalIndex(place) for place in range(header.count())]

    def rows_in_sight(self) -> tuple[int, int]:
        """The first and last visible row."""
        last = self.rows.rowCount() - 1
        below = self.rowAt(self.viewport().height() - 1)
        return max(self.rowAt(0), 0), last if below < 0 else below

    def copy(self, *, with_iris: bool | None = None) -> None:
        """Copy the selected cells: one line for each row, with tabs between the cells.

        Args:
            with_iris: whether resources are copied as IRIs; None: as they are shown.
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
        """Distribute the remaining width over the columns with text; none is left: cut no number at the right edge."""
        if not self._widths:
            return
        widths = [
            self.columnWidth(number) if number in self._by_hand else width for number, width in enumerate(self._widths)
        ]
        columns = self.rows.rows.columns
        spare = self.viewport().width() - sum(widths)
        fixed = (*RIGHT, CellKind.TIME)
        wide = [n for n, column in enumerate(columns) if column.kind not in fixed and n not in self._by_hand]
        if spare > 0 and wide:
            for number in wide:
                widths[number] += spare // len(wide)
        elif spare < 0:
            self._move_edge(widths, wide)
        self._resizing = True
        for number, width in enumerate(widths):
            if number not in self._by_hand:
                self.setColumnWidth(number, width)
        self._resizing = False

    def _move_edge(self, widths: list[int], wide: list[int]) -> None:
        """Change columns of text so that a number at the right edge is in sight whole, or not at all.

        A number stands at the right of its column: the column would seem to be empty.
        """
        edge, before = self.viewport().width(), 0
        texts: list[int] = []
        for number in self.columns_in_order():
            if before + widths[number] > edge:
                break
            before += widths[number]
            texts += [number] if number in wide else []
        if not texts or self.rows.rows.columns[number].kind not in RIGHT:
            return
        missing = before + widths[number] - edge
        rooms = [max(widths[text] - LEAST_TEXT, 0) for text in texts]
        if sum(rooms) >= missing:
            for text, room in zip(texts, rooms, strict=True):
                widths[text] -= -(-missing * room // sum(rooms))  # rounded up
        else:
            for text in texts:
                widths[text] += -(-(edge - before) // len(texts))


def _copied(rows: TableRows, row: int, column: int, with_iris: bool) -> str:
    """A cell in one line and without tabs."""
    if with_iris and isinstance(cell := rows.cell(row, column), ResourceRef):
        return cell.iri
    return " ".join(rows.text(row, column).split())


class AnswerTableView(RowsTable):
    """A table of an answer, as high as its rows."""

    def __init__(self, table: AnswerTable) -> None:
        super().__init__(AnswerRows(table))
        self.setAccessibleName(table.title or "Table")
        rows = len(table.rows)
        self.setAccessibleDescription(f"{counted(rows, 'row')}; Enter opens what is in a cell")

    def sizeHint(self) -> QSize:
        return QSize(320, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        rows = min(max(self.rows.rowCount(), 1), MOST_ROWS)
        return QSize(160, rows * _ROW + self.horizontalHeader().sizeHint().height() + 14)
