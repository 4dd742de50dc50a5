"""All datasets and models: a ranked table, and the fixes with the largest gain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QBrush, QColor, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.fair.scoring import Score
from hpc_explorer.ui.fair.many_model import SCORE, ManyModel
from hpc_explorer.ui.fair.signs import softened
from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.dialog_parts import column_in, row_in
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.page_stack import EmptyPage, PageStack
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.progress_bar import ProgressLine
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, current_theme

if TYPE_CHECKING:
    from hpc_explorer.app.fair.assessing_many import FirstToFix

Index = QModelIndex | QPersistentModelIndex

NOT_ASSESSED = (
    "All datasets and models at once",
    "Each gets its score by the same 47 indicators; the table ranks them and shows what to fix first for the "
    "largest gain.",
)

_WIDTHS = (0, 20, 8, 10, 10, 9, 20)
_ROW = 28
NARROW, NARROWER, NARROWEST = 100 * GRID, 88 * GRID, 66 * GRID
"""The width in pixels below which columns that repeat other information are hidden."""

FIRST = "What to fix first for the largest gain"

_FIGURES = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _PointsPainter(QStyledItemDelegate):
    """Paints the points with a small bar: solid for certain points, hatched for open ones."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        score: Score = index.data(SCORE)
        box = QRectF(option.rect)
        bar = QRectF(box.x() + 9 * GRID, box.center().y() - 4, box.width() - 10.5 * GRID, 8)
        painter.save()
        accent = QColor(current_theme().accent)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_theme().raised))
        painter.drawRect(bar)
        if score.points.is_open:
            painter.setPen(QPen(accent, 1))
            painter.setBrush(
                QBrush(QColor(softened(current_theme().accent, current_theme())), Qt.BrushStyle.BDiagPattern)
            )
            wide = bar.width() * score.high / score.of
            painter.drawRect(QRectF(bar.x(), bar.y(), wide, bar.height()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawRect(QRectF(bar.x(), bar.y(), bar.width() * score.low / score.of, bar.height()))
        painter.restore()


class ManyTable(QTableView):
    """The table, sorted by a click on a heading.

    Attributes:
        many: its rows.

    Signals:
        opened(ResourceRef): Enter or a double click on a row.
    """

    opened = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.many = ManyModel(self)
        self.setModel(self.many)
        self.setAccessibleName("Datasets and models, ranked")
        self.setShowGrid(False)
        self.setStyleSheet("QTableView::item { padding: 0 4px; }")  # "10 to 12" in four narrow columns
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(_ROW)
        self.setItemDelegateForColumn(1, _PointsPainter(self))
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        # Otherwise each painting of a heading checks the selection of every row.
        header.setSelectionModel(QItemSelectionModel(self.many, header))
        for column, width in enumerate(_WIDTHS):
            if width:
                header.resizeSection(column, width * GRID)
            else:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        header.setSortIndicator(1, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.doubleClicked.connect(self._open)

    @property
    def names(self) -> list[str]:
        """The visible names, from top to bottom."""
        return [str(self.many.index(number, 0).data()) for number in range(self.many.rowCount())]

    def narrow(self, words: str) -> None:
        """Show those with these words in their name."""
        before = self.currentIndex()
        current = self.many.shown[before.row()] if before.isValid() else None
        self.many.narrow(words)
        at = next((number for number, row in enumerate(self.many.shown) if row is current), None)
        if at is not None:
            self.setCurrentIndex(self.many.index(at, before.column()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setColumnHidden(6, self.width() < NARROW)
        for column in range(2, 6):
            self.setColumnHidden(column, self.width() < NARROWER)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.currentIndex().isValid():
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(self.many.shown[index.row()].ref)


class ManyPage(QWidget):
    """The page.

    Args:
        actions: the buttons above.

    Attributes:
        table: the ranked table.
        fixes: the fixes across all, largest gain first.
    """

    def __init__(self, actions: Sequence[QAction]) -> None:
        super().__init__()
        self.setObjectName("answered")
        self.summary = TextBlock("", weight=500)
        self.progress = ProgressLine("How many are assessed")
        self.progress.setFixedHeight(GRID // 2)
        steady = self.progress.sizePolicy()
        steady.setRetainSizeWhenHidden(True)  # otherwise everything below moves when the last one is assessed
        self.progress.setSizePolicy(steady)
        bar = QWidget()
        row = row_in(bar, spacing=GRID // 2)
        for action in actions:
            row.addWidget(action_button(action, TEXT))
        self.words = QLineEdit()
        self.words.setClearButtonEnabled(True)
        self.words.setAccessibleName("Filter by name")
        self.words.setPlaceholderText("Filter by name")
        self.words.setMinimumWidth(12 * GRID)
        row.addSpacing(GRID // 2)
        row.addWidget(self.words, 1)
        self.table = ManyTable()
        self.words.textChanged.connect(self.table.narrow)
        self.fixes = QTreeWidget()
        self.fixes.setAccessibleName("What to fix first across all")
        self.fixes.setProperty("framed", True)
        self.fixes.setRootIsDecorated(False)
        self.fixes.setUniformRowHeights(True)
        self.fixes.setAllColumnsShowFocus(True)
        self.fixes.setHeaderLabels(["Indicator", "Lacking", "Open", "Priority", "Raised by", "Id"])
        header = self.fixes.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for at, width in ((1, 9), (2, 8), (3, 11), (4, 19), (5, 14)):
            header.resizeSection(at, width * GRID)
        for at in (1, 2):
            self.fixes.headerItem().setTextAlignment(at, _FIGURES)
        lower = QWidget()
        below = column_in(lower, 0, GRID, 0, 0, spacing=GRID // 2)
        self._first = caption(FIRST)
        below.addWidget(self._first)
        below.addWidget(self.fixes, 1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.table)
        splitter.addWidget(lower)
        splitter.setSizes([300, 200])
        found = QWidget()
        column = column_in(found, 2 * GRID, GRID, 2 * GRID, GRID, spacing=GRID)
        for part in (self.summary, self.progress, bar):
            column.addWidget(part)
        column.addWidget(splitter, 1)
        empty = EmptyPage(NOT_ASSESSED, actions[:1])
        empty.setContentsMargins(GRID, 0, GRID, 0)
        self._pages = PageStack()
        self._pages.addWidget(empty)
        self._pages.addWidget(found)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.setFocusProxy(self.table)

    @property
    def is_assessed(self) -> bool:
        """Whether there is a table."""
        return self._pages.currentIndex() == 1

    def show_nothing(self) -> None:
        """Explain the page."""
        self._pages.setCurrentIndex(0)
        self.table.many.clear()
        self.show_fixes((), "")

    def begin(self) -> None:
        """Show an empty table that fills."""
        self.show_nothing()
        self._pages.setCurrentIndex(1)

    def show_progress(self, summary: str, fraction: float | None, *, running: bool) -> None:
        """Show the progress."""
        self.summary.say(summary)
        self.progress.setVisible(running)
        self.progress.show_fraction(fraction)

    @property
    def first(self) -> str:
        """The text above the list of fixes."""
        return self._first.text()

    def show_fixes(self, fixes: Sequence[FirstToFix], of: str) -> None:
        """Show the fixes; the chosen row stays.

        Args:
            of: how many are assessed, of how many; empty if all are.
        """
        self._first.setText(f"{FIRST} · {of}" if of else FIRST)
        current, at = self.fixes.currentItem(), self.fixes.verticalScrollBar().value()
        chosen = "" if current is None else current.text(5)
        self.fixes.clear()
        for one in fixes:
            item = QTreeWidgetItem(self.fixes)
            figures = (f"{len(one.missing):,}", f"{len(one.open):,}" if one.open else "")
            texts = (one.indicator.text, *figures, one.indicator.priority.value, one.indicator.action.value)
            for column, text in enumerate((*texts, one.indicator.id)):
                item.setText(column, text)
            for column in (1, 2):
                item.setTextAlignment(column, _FIGURES)
            item.setToolTip(
                0, plain_tip(f"{one.indicator.id}: {one.indicator.text}\nRaised by {one.indicator.action.value}")
            )
            item.setData(
                0,
                Qt.ItemDataRole.AccessibleTextRole,
                f"{one.indicator.text}: lacking in {len(one.missing):,}, open in {len(one.open):,}",
            )
            if one.indicator.id == chosen:
                self.fixes.setCurrentItem(item)
        self.fixes.verticalScrollBar().setValue(at)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fixes.setColumnHidden(4, self.width() < NARROW - 2 * GRID)
        self.fixes.setColumnHidden(5, self.width() < NARROW)
        for at in (2, 3):
            self.fixes.setColumnHidden(at, self.width() < NARROWEST)
