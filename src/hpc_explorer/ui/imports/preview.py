"""The preview of a table: its first rows, their statements, and the list of rejected cells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QPushButton,
    QTableView,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from hpc_explorer.annotate.tables.conversion import Reject
from hpc_explorer.app.imports.table_preview import RowPreview, TableLook, TablePreview
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock, shortened
from hpc_explorer.ui.widgets.theme import GRID, SMALL

_LONGEST = 200
_LISTED = 2_000
_ROWS_LAID_OPEN = 3
_VALUES_SHOWN = 200
"""The most values shown of a row, for tables with thousands of columns."""
CHARACTERS_SHOWN = 100_000
"""The most characters shown of the Turtle."""

_Index = QModelIndex | QPersistentModelIndex


class CellsModel(QAbstractTableModel):
    """The texts of the first rows of a table."""

    def __init__(self) -> None:
        super().__init__()
        self._columns: tuple[str, ...] = ()
        self._rows: tuple[tuple[str, ...], ...] = ()

    def show_look(self, look: TableLook) -> None:
        """Show another table."""
        self.beginResetModel()
        self._columns, self._rows = look.columns, look.rows
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        row = self._rows[index.row()]
        text = row[index.column()] if index.column() < len(row) else ""
        shown = " ".join(shortened(text, _LONGEST).split())
        return shown if role == Qt.ItemDataRole.DisplayRole else plain_tip(shortened(text))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if orientation is Qt.Orientation.Vertical:
            return str(section + 1)
        heading = shortened(self._columns[section], 60)
        return heading if role == Qt.ItemDataRole.DisplayRole else plain_tip(heading)


class TablePreviewTabs(QTabWidget):
    """Tabs with the rows of a table, their statements, the same as Turtle, and the rejects.

    Attributes:
        cells: the first rows.
        statements: a tree of rows and their values.
        turtle: the statements as text.
        rejects, save_rejects: the rejected cells, and the button that saves them.

    Signals:
        column_chosen(int): a column was clicked.
        save_wanted(Path): save the rejects to this file.
    """

    column_chosen = Signal(int)
    save_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self._model = CellsModel()
        self._table = Path()
        self._shown = -1
        self.cells = QTableView()
        self.cells.setAccessibleName("First rows of the table")
        self.cells.setModel(self._model)
        self.cells.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectColumns)
        self.cells.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.cells.setWordWrap(False)
        self.cells.setShowGrid(False)
        self.cells.setAlternatingRowColors(True)
        self.cells.verticalHeader().setDefaultSectionSize(3 * GRID)
        self.cells.verticalHeader().setHighlightSections(False)  # a selected column highlights every row
        self.cells.horizontalHeader().setDefaultSectionSize(15 * GRID)
        self.cells.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.cells.selectionModel().currentColumnChanged.connect(self._choose_column)
        self.cells.horizontalHeader().sectionClicked.connect(self.column_chosen)
        self.statements = QTreeWidget()
        self.statements.setAccessibleName("Statements of the first rows")
        self.statements.setHeaderHidden(True)
        self.statements.setColumnCount(2)
        self.statements.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.statements.header().resizeSection(0, 26 * GRID)
        self.turtle = QPlainTextEdit()
        self.turtle.setAccessibleName("Statements of the first rows as Turtle")
        self.turtle.setReadOnly(True)
        self.turtle.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.rejects = RejectList()
        self._rejects_remark = TextBlock("", size=SMALL, muted=True)
        self.save_rejects = QPushButton("Save as CSV…")
        self.save_rejects.setAccessibleName("Save the rejected cells as CSV")
        self.save_rejects.setAutoDefault(False)
        self.save_rejects.clicked.connect(self._ask_file)
        for framed in (self.statements, self.turtle):
            framed.setProperty("framed", True)
        for widget, name in (
            (self.cells, "Rows"),
            (self.statements, "Statements"),
            (self.turtle, "Turtle"),
            (self._with_saving(), "Rejected"),
        ):
            self.addTab(widget, name)
        self.show_rejects((), 0, converted=False)

    def _with_saving(self) -> QWidget:
        page = QWidget()
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._rejects_remark, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.save_rejects)
        column = column_in(page, 0, GRID // 2, 0, 0, spacing=GRID // 2)
        column.addLayout(row)
        column.addWidget(self.rejects, 1)
        return page

    def show_look(self, look: TableLook) -> None:
        """Show the first rows of another table."""
        self._table = look.path
        self._model.show_look(look)
        self.setCurrentIndex(0)

    def _ask_file(self) -> None:
        proposed = self._table.with_name(f"{self._table.stem}-rejected.csv")
        chosen, _ = QFileDialog.getSaveFileName(self.window(), "Save the rejected cells", str(proposed), "CSV (*.csv)")
        if chosen:
            self.save_wanted.emit(Path(chosen))

    def show_column(self, place: int) -> None:
        """Scroll to a column and select it."""
        index = self._model.index(0, place)
        if index.isValid() and self.cells.currentIndex().column() != place:
            self._shown = place
            self.cells.selectColumn(place)
            self.cells.scrollTo(index)

    def _choose_column(self, now: QModelIndex) -> None:
        if now.column() != self._shown:
            self._shown = now.column()
            self.column_chosen.emit(now.column())

    def show_preview(self, preview: TablePreview) -> None:
        """Show a preview."""
        self._show_statements(preview.rows)
        self.turtle.setPlainText(_beginning(preview.turtle))
        self.show_rejects(preview.rejects, preview.reject_count, converted=False)

    def _show_statements(self, rows: Sequence[RowPreview]) -> None:
        opened = {
            item.text(0)
            for place in range(self.statements.topLevelItemCount())
            if (item := self.statements.topLevelItem(place)) is not None and item.isExpanded()
        }
        at = self.statements.verticalScrollBar().value()
        self.statements.clear()
        for place, row in enumerate(rows):
            item = QTreeWidgetItem([shortened(row.subject, _LONGEST), ""])
            item.setToolTip(0, plain_tip(row.iri))
            for name, value in row.said[:_VALUES_SHOWN]:
                child = QTreeWidgetItem([name, " ".join(shortened(value, _LONGEST).split())])
                child.setToolTip(1, plain_tip(shortened(value)))
                item.addChild(child)
            if len(row.said) > _VALUES_SHOWN:
                item.addChild(QTreeWidgetItem(["…", f"and {_more(len(row.said) - _VALUES_SHOWN, 'statement')}"]))
            self.statements.addTopLevelItem(item)
            item.setExpanded(row.subject in opened if opened else place < _ROWS_LAID_OPEN)
        self.statements.verticalScrollBar().setValue(at)

    def show_rejects(self, rejects: Sequence[Reject], count: int, *, converted: bool) -> None:
        """List the rejects.

        Args:
            rejects: all, or the first of them.
            count: the number of all.
            converted: whether they are of the whole table, not of the preview.
        """
        self.rejects.show_rejects(rejects[:_LISTED])
        of_what = "the whole table" if converted else "the first rows"
        more = f"; the first {min(len(rejects), _LISTED):,} are listed" if count > min(len(rejects), _LISTED) else ""
        said = (
            f"{count:,} of {of_what} could not be converted{more}." if count else f"Nothing of {of_what} is rejected."
        )
        self._rejects_remark.say(said)
        self.save_rejects.setEnabled(converted and bool(rejects))
        self.save_rejects.setToolTip(
            plain_tip("" if converted else "Convert the table first: these are only from its first rows.")
        )
        self.setTabText(3, f"Rejected ({count:,})" if count else "Rejected")


def _beginning(turtle: str) -> str:
    """The first lines of a text, and the number of the others."""
    if len(turtle) <= CHARACTERS_SHOWN:
        return turtle
    cut = turtle.rfind("\n", 0, CHARACTERS_SHOWN) + 1 or CHARACTERS_SHOWN
    return f"{turtle[:cut]}# … and {_more(len(turtle[cut:].splitlines()), 'line')}, not shown here\n"


def _more(number: int, what: str) -> str:
    return f"{number:,} more {what}{'' if number == 1 else 's'}"


_WIDEST_CELLS = 200
_NARROWEST = 6 * GRID
_SHARES = (0.2, 0.25, 0.25)
"""The largest share of the width for row, column and text; the reason has the rest."""


class RejectList(QTreeWidget):
    """The list. Its columns fit their contents and the width."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Rejected cells")
        self.setProperty("framed", True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHeaderLabels(["Row", "Column", "Text", "Reason"])
        self.header().setMinimumSectionSize(_NARROWEST)
        self.ensurePolished()  # apply the style before rows are measured

    def show_rejects(self, rejects: Sequence[Reject]) -> None:
        """Show these rejects."""
        self.clear()
        items = []
        for reject in rejects:
            why = reject.reason + (" (the whole row is left out)" if reject.whole_row else "")
            text = " ".join(shortened(reject.text, _WIDEST_CELLS).split())
            item = QTreeWidgetItem([f"{reject.row:,}", shortened(reject.column, 60), text, why])
            for place, whole in ((1, reject.column), (2, reject.text), (3, why)):
                item.setToolTip(place, plain_tip(shortened(whole)))
            items.append(item)
        self.addTopLevelItems(items)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        header, left = self.header(), self.viewport().width()
        for place, share in enumerate(_SHARES):
            wanted = max(self.sizeHintForColumn(place) + GRID, header.sectionSizeHint(place))
            width = max(_NARROWEST, min(wanted, int(share * self.viewport().width())))
            header.resizeSection(place, width)
            left -= width
        header.resizeSection(len(_SHARES), max(left, _NARROWEST))
