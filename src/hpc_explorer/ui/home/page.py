"""The home page of a graph: its classes and other lists on the left, the table of one class on the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QSplitter, QWidget

from hpc_explorer.app.home.class_table import ClassTable
from hpc_explorer.app.results.rows import HeldRows
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import Count
from hpc_explorer.ui.results.answer_table import RowsTable
from hpc_explorer.ui.results.rows_model import Index
from hpc_explorer.ui.widgets.dialog_parts import column_in, row_in
from hpc_explorer.ui.widgets.filter_line import FilterLine
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.resource_list import ResourceList, ResourceRow
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL, TITLE

LIST_WIDTH = 30 * GRID
"""Pixels of the lists at the left, at first."""

MOST_LINKS = 8
"""The most links of a section; a further one opens the whole list."""


class HomePage(QWidget):
    """What is in the graph.

    Attributes:
        classes: the classes with their counts; the properties of a graph without classes.
        table: the resources of the chosen one.
        filter: filters the rows.
        recent, questions, unsaved: links to recent resources, ready questions, and forms that were not saved.

    Signals:
        class_wanted(ResourceRef): a class or property was chosen.
        opened(Resource): a row of the table was chosen.
        filtered(str): other text in the filter.
        more_wanted(): load more rows.
        columns_wanted(bool): all properties as columns, or only the most filled ones.
        describe_wanted(): describe the first resource.
    """

    class_wanted = Signal(object)
    opened = Signal(object)
    filtered = Signal(str)
    more_wanted = Signal()
    columns_wanted = Signal(bool)
    describe_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.classes = ResourceList("Classes in this graph")
        self.classes.setFrameShape(QFrame.Shape.NoFrame)
        self.classes.setMinimumHeight(4 * GRID)
        self.classes.opened.connect(self.class_wanted)
        self._heading = caption("In this graph")
        self.recent, self.questions, self.unsaved = Links("Recent"), Links("Questions"), Links("Not saved")
        self._title = TextBlock("", size=TITLE, weight=600)
        self.filter = FilterLine("Filter the rows")
        self.filter.setMaximumWidth(32 * GRID)
        self.filter.textChanged.connect(self.filtered)
        self.table = RowsTable(HeldRows(()))
        self.table.setMinimumHeight(8 * GRID)
        self.table.setAccessibleName("Resources")
        self.table.setAccessibleDescription("A click or Enter opens the page of a resource")
        self.table.clicked.connect(self._open)
        self.table.opened.connect(self.opened)
        self.filter.left_downwards.connect(self._enter_table)
        self._status = TextBlock("", size=SMALL, muted=True)
        self._more = QPushButton("Load more")
        self._more.clicked.connect(self.more_wanted)
        self._columns = QPushButton()
        self._columns.setCheckable(True)
        self._columns.toggled.connect(self.columns_wanted)
        self._begin = QPushButton("Describe something new…")
        self._begin.clicked.connect(self.describe_wanted)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        self._side = self._lists()
        self._splitter.addWidget(self._side)
        self._splitter.addWidget(self._chosen())
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([LIST_WIDTH, 3 * LIST_WIDTH])
        column_in(self).addWidget(self._splitter)
        for section in (self.unsaved, self.recent, self.questions):
            section.shown.connect(self._show_side)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(lambda: self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason))
        self.show_table(None, "")

    @property
    def front(self) -> QWidget:
        """The widget that takes the focus."""
        return self.classes

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """The parts besides the front that F6 goes to."""
        return (self.table,)

    @property
    def status(self) -> str:
        """What the table shows and leaves out."""
        return self._status.text()

    @property
    def has_table(self) -> bool:
        """Whether a table is shown, and not a message in its place."""
        return not self.table.isHidden()

    @property
    def title(self) -> str:
        """The class of the table."""
        return self._title.text()

    def show_groups(
        self, groups: Sequence[tuple[ResourceRef, Count, str]], chosen: NamedNode | None, *, by_property: bool
    ) -> None:
        """List classes or properties with their counts, and mark the chosen one.

        Args:
            groups: of each the term, the number of its resources, and a comment, which may be empty.
            by_property: whether they are properties: no resource has a class.
        """
        self._heading.setText("No classes: by property" if by_property else "In this graph")
        rows = tuple(ResourceRow(ref.label, str(count), comment or ref.iri, ref) for ref, count, comment in groups)
        self.classes.rows.set_rows(rows)
        self._show_side()
        for number, (ref, _, _) in enumerate(groups):
            if ref.resource == chosen:
                index = self.classes.rows.index(number)
                self.classes.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
                break

    def _show_side(self) -> None:
        """Show the lists, unless there is nothing to list."""
        sections = (self.unsaved, self.recent, self.questions)
        self._side.setVisible(self.classes.rows.rowCount() > 0 or not all(section.isHidden() for section in sections))

    def show_table(self, table: ClassTable | None, name: str, message: str = "") -> None:
        """Show the resources of a class.

        Args:
            table: None if there is none yet; then the message says why.
        """
        self._title.say(name)
        self.table.begin(table.rows if table is not None else HeldRows(()))
        self.table.setVisible(table is not None)
        self.filter.setVisible(table is not None)
        self.say(message)
        self._begin.setVisible(False)
        self.offer_more(None)
        self.offer_columns(None, all_shown=False)

    def say(self, words: str, tip: str = "") -> None:
        """Say what the table shows and leaves out."""
        self._status.say(words)
        self._status.setToolTip(plain_tip(tip) if tip else "")

    def offer_to_describe(self) -> None:
        """Offer to describe the first resource of an empty graph."""
        self._begin.show()

    def offer_more(self, rows: int | None) -> None:
        """Offer to load this number of rows; None: do not."""
        self._more.setVisible(rows is not None)
        if rows is not None:
            self._more.setText(f"Load up to {rows:,}")

    def offer_columns(self, number: int | None, *, all_shown: bool) -> None:
        """Offer to show this number of properties as columns; None: do not."""
        self._columns.setVisible(number is not None)
        self._columns.blockSignals(True)
        self._columns.setChecked(all_shown)
        self._columns.blockSignals(False)
        if number is not None:
            self._columns.setText(f"All {number:,} columns")

    def _lists(self) -> QWidget:
        links = QWidget()
        column = column_in(links, GRID, 0, GRID, GRID, spacing=2 * GRID)
        for section in (self.unsaved, self.recent, self.questions):
            column.addWidget(section)
        column.addStretch(1)
        scrolled = QScrollArea()
        scrolled.setAccessibleName("Recent resources, questions and unsaved forms")
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setWidgetResizable(True)
        scrolled.setMinimumHeight(4 * GRID)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setWidget(links)
        lists = QWidget()
        lists.setMinimumWidth(20 * GRID)
        outer = column_in(lists, GRID, GRID, 0, 0, spacing=GRID)
        self._heading.setContentsMargins(GRID, 0, 0, 0)
        outer.addWidget(self._heading)
        outer.addWidget(self.classes, 3)
        outer.addWidget(scrolled, 2)
        return lists

    def _chosen(self) -> QWidget:
        chosen = QWidget()
        column = column_in(chosen, 2 * GRID, GRID, 2 * GRID, GRID, spacing=GRID)
        head = QWidget()
        row = row_in(head, spacing=2 * GRID)
        row.addWidget(self._title, 1)
        row.addWidget(self.filter, 1)
        column.addWidget(head)
        column.addWidget(self.table, 1)
        below = QWidget()
        below_row = row_in(below, spacing=GRID)
        below_row.addWidget(self._status, 1)
        below_row.addWidget(self._columns)
        below_row.addWidget(self._more)
        column.addWidget(below)
        column.addWidget(self._begin, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()
        return chosen

    def _open(self, index: Index) -> None:
        """Open the resource of a row, wherever it was clicked."""
        self.table.open_cell(self.table.rows.index(index.row(), 0))

    def _enter_table(self) -> None:
        self.table.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.table.rows.index(0, 0))


class Links(QWidget):
    """A section of links under a heading; hidden if there are none.

    Signals:
        shown(): other links are shown, or none.
    """

    shown = Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setAccessibleName(title)
        self._column = column_in(self, spacing=GRID // 2)
        self._column.addWidget(caption(title))
        self._column.addSpacing(GRID // 2)
        self._links: list[LinkBlock] = []
        self.hide()

    @property
    def links(self) -> list[LinkBlock]:
        """The links."""
        return self._links

    def show_links(
        self,
        offers: Sequence[tuple[str, str, str, Callable[[], object]]],
        rest: str = "",
        show_rest: Callable[[], object] | None = None,
    ) -> None:
        """Show links.

        Args:
            offers: of each the text, a muted remark, the tooltip, and what it does.
            rest: a link about what is left out.
            show_rest: what that link does.
        """
        while self._column.count() > 2:
            item = self._column.takeAt(2)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._links = []
        for text, detail, tip, act in offers:
            link = LinkBlock(text, detail)
            link.setToolTip(plain_tip(tip) if tip else "")
            link.clicked.connect(lambda _=False, act=act: act())
            self._column.addWidget(link)
            self._links.append(link)
        if rest and show_rest is not None:
            more = LinkBlock(rest, size=SMALL)
            more.clicked.connect(lambda: show_rest())
            self._column.addWidget(more)
            self._links.append(more)
        self.setVisible(bool(offers))
        self.shown.emit()
