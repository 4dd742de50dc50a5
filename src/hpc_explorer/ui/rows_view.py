"""The rows of a query, shown as they come: filtered, sorted, copied, saved, charted, and drawn on the canvas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.answer import AnswerPlot, Kind
from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.operations.row_arranging import Arrangement, arranged_rows
from hpc_explorer.app.operations.rows import (
    AT_MOST,
    MOST_AT_ALL,
    ResourcesNamed,
    RowsBegun,
    RowsCounted,
    RowsPart,
    Truth,
    names_of,
    rows_of,
)
from hpc_explorer.app.row_files import FORMS, RowTable, write_rows
from hpc_explorer.app.rows import HeldRows, RowBatch
from hpc_explorer.app.session import Session
from hpc_explorer.canvas.palette import LIGHT, Theme
from hpc_explorer.errors import Cancelled, ExplorerError
from hpc_explorer.rdf.terms import Resource, is_resource
from hpc_explorer.stores.base import UNKNOWN_COUNT, Count, CountKind, Limits
from hpc_explorer.ui.answer_table import RowsTable
from hpc_explorer.ui.banner import sentence
from hpc_explorer.ui.row_chart import RowChart
from hpc_explorer.ui.rows_bar import RowsBar
from hpc_explorer.ui.rows_status import RowsStatus, row_words
from hpc_explorer.ui.save_dialog import SaveDialog
from hpc_explorer.ui.session_bridge import SessionBridge
from hpc_explorer.ui.text import TextBlock
from hpc_explorer.ui.theme import GRID, TITLE
from hpc_explorer.ui.timers import single_shot

EMPTY_TEXT = "Ask for something, and what is found is shown here, row by row."
NO_ROWS_TEXT = "Nothing in the open graph answers this."
OUTDATED = "What is open has changed since."

REARRANGED_AFTER = 250
"""Milliseconds after a letter in the filter, or after more rows came, until the rows are filtered and sorted."""

NAMED_AFTER = 200
"""Milliseconds that rows of an endpoint are in sight until their labels are asked for."""

MOST_DRAWN = 200
"""Resources of a column that are put on the canvas at once."""

MOST_LOOKED_THROUGH = 10_000
"""Rows in which they are looked for."""


class RowsView(QWidget):
    """Shows the answer of a query.

    Attributes:
        table: the table.
        total: how many rows there are.
        folder: where files are proposed to be.

    Signals:
        selected(Resource): a resource was clicked, or the keyboard came to it.
        opened(Resource): a resource was double-clicked, or Enter was pressed on it.
        draw_wanted(list): the resources of a column, to be put on the canvas.
        counted(Count): how many rows there are is known: exact, or at least so many.
        failed(object): why there is no answer.
        wrote(Path): a file was written.
    """

    selected = Signal(object)
    opened = Signal(object)
    draw_wanted = Signal(list)
    counted = Signal(object)
    failed = Signal(object)
    wrote = Signal(object)
    _came = Signal(int, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Rows")
        self.folder: Callable[[], str] = lambda: str(Path.home())
        self.total: Count = UNKNOWN_COUNT
        self._theme = LIGHT
        self._bridge: SessionBridge | None = None
        self._text = ""
        self._at_most = AT_MOST
        self._number = 0
        self._is_loading = False
        self._note = ""
        self._held = HeldRows((), ())
        self._wanted = self._shown = Arrangement()
        self._build()
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._rearranging = single_shot(self, REARRANGED_AFTER, self._rearrange)
        self._naming = single_shot(self, NAMED_AFTER, self._name_in_sight)
        self._telling = single_shot(self, 40, self._tell)
        self.show_nothing()

    # What is asked

    def show_query(self, bridge: SessionBridge, text: str, *, at_most: int = AT_MOST) -> None:
        """Ask a query, and show its rows as they come, in place of what is shown.

        Args:
            bridge: the session; always the same one.
            at_most: so many rows are taken; a button takes more.
        """
        if self._bridge is None:
            self._bridge = bridge
            self._asking, self._arranging, self._looking_up, self._drawing = (bridge.channel() for _ in range(4))
            bridge.graph_changed.connect(self._graph_changed)
        self._text, self._at_most = text, at_most
        self._number += 1
        number = self._number
        self._is_loading, self._note = True, ""
        self.total = UNKNOWN_COUNT
        self._arranging.drop()
        self._looking_up.drop()

        def work(session: Session, context: JobContext) -> None:
            for part in rows_of(session, text, at_most=at_most, progress=context.progress, limits=context.limits):
                self._came.emit(number, part)

        bridge.ask(self._asking, "Find the rows", work, lambda _: self._end(number), self._fail)
        if self._stack.currentWidget() is not self._main:
            self._say("", "Looking for rows…")
        self._tell()

    def ask_again(self) -> None:
        """Ask the same once more."""
        if self._bridge is not None and self._text:
            self.show_query(self._bridge, self._text, at_most=self._at_most)

    def load_more(self) -> None:
        """Ask the same once more, and take ten times as many rows."""
        if self._bridge is not None and self._text:
            self.show_query(self._bridge, self._text, at_most=min(10 * self._at_most, MOST_AT_ALL))

    def stop(self) -> None:
        """Take no more rows; those that came stay."""
        if self._is_loading and self._bridge is not None:
            self._asking.drop()
            self._stopped("Stopped.")

    def show_nothing(self) -> None:
        """Say what the view is for."""
        self._number += 1
        self._text = ""
        self._is_loading, self._note = False, ""
        self.total = UNKNOWN_COUNT
        if self._bridge is not None:
            for channel in (self._asking, self._arranging, self._looking_up, self._drawing):
                channel.drop()
        self._say("Rows", EMPTY_TEXT)
        self._tell()

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        self._theme = theme
        self.table.rows.set_theme(theme)
        self.chart.set_theme(theme)
        self._bar.set_theme(theme)

    # What is shown

    @property
    def rows(self) -> HeldRows:
        """The rows that came."""
        return self._held

    @property
    def status(self) -> str:
        """How many rows there are, in words."""
        return self._line.words

    @property
    def message(self) -> str:
        """What is said where there are no rows."""
        page = self._stack.currentWidget() is not self._main
        return "\n".join(part for part in (self._title.text(), self._words.text()) if part) if page else ""

    @Slot(int, object)
    def _take(self, number: int, part: RowsPart) -> None:
        """Take a part of the answer; what an earlier query still sends is dropped."""
        if number != self._number:
            return
        if isinstance(part, RowsBegun):
            self._begin(part)
        elif isinstance(part, RowBatch):
            self._held.add(part)
            self._show_more()
        elif isinstance(part, ResourcesNamed):
            self._held.name(part.refs, part.values)
            self._named()
        elif isinstance(part, RowsCounted):
            self._count(part.total)
        elif isinstance(part, Truth):
            self._is_loading = False
            self._say("Yes" if part.holds else "No", "The graph has such a pattern." if part.holds else NO_ROWS_TEXT)
            self._tell()

    def _begin(self, part: RowsBegun) -> None:
        """Show rows afresh. Where they have the columns of those before, these keep their widths, order and sorting."""
        alike = self._held.variables == part.variables and self._stack.currentWidget() is self._main
        self._held = HeldRows(part.columns, part.variables)
        self._arranging.drop()
        if alike:
            self.table.rows.begin_alike(self._held)
        else:
            self._wanted = Arrangement(sought=self._wanted.sought)
            self.table.begin(self._held)
            self._bar.set_columns(part.columns)
        self._shown = Arrangement()
        self._measured = False

    def _show_more(self) -> None:
        if self._stack.currentWidget() is not self._main:
            self._stack.setCurrentWidget(self._main)
        if self._shown.is_plain:
            self.table.rows.grow()
        if self._wanted != self._shown or not self._shown.is_plain:
            self._begin_timer(self._rearranging)
        if not self._measured:
            self._measured = True
            self.table.measure()
        self._begin_timer(self._telling)

    def _named(self) -> None:
        """Labels came."""
        if len(self._held) <= 2_000:
            self.table.measure()
        if not self._wanted.is_plain:
            self._begin_timer(self._rearranging)
        self.table.refresh()

    def _count(self, total: Count) -> None:
        self._is_loading = False
        self.total = total
        if not len(self._held):
            self._say("No rows", NO_ROWS_TEXT)
        self.table.rows.tell_all()
        self.chart.set_rows(self._held, self.table.rows.shown)
        self._name_later()
        self._tell()
        self.counted.emit(total)

    def _end(self, number: int) -> None:
        """All parts are there, labels too."""
        if number == self._number:
            self.chart.set_rows(self._held, self.table.rows.shown)
            self._tell()

    def _stopped(self, note: str) -> None:
        self._number += 1
        self._is_loading, self._note = False, note
        self.total = Count(len(self._held), CountKind.AT_LEAST)
        if self._stack.currentWidget() is not self._main:
            self._say("Stopped", "No row came before that.", "Ask again")
        self._tell()

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, Cancelled):
            self._stopped("Stopped.")
            return
        self._number += 1
        self._is_loading = False
        if isinstance(error, ExplorerError):
            said = [error.where, sentence(error.remedy)]
            self._say(sentence(error.what), "\n".join(part for part in said if part), "Retry")
        else:
            words = "This is a fault of the program. What is open is still there."
            self._say(f"{type(error).__name__}: {error}", words, "Retry")
        self._tell()
        self.failed.emit(error)

    def _graph_changed(self) -> None:
        """What is shown was found in another state of the graph; what is being found was dropped if it was closed."""
        if not self._text:
            return
        if self._bridge is not None and self._bridge.is_empty:
            self.show_nothing()
            return
        if self._is_loading and self._asking.is_idle:
            self._stopped("")
        self._note = OUTDATED
        self._tell()

    # Filtering and sorting

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        self._want(by=column, descending=order is Qt.SortOrder.DescendingOrder)
        self._rearrange()

    def _filter(self) -> None:
        self._want(sought=self._bar.box.text().strip(), within=self._bar.within.currentData())
        self._begin_timer(self._rearranging, again=True)

    def _want(self, **changes: object) -> None:
        values = {name: getattr(self._wanted, name) for name in ("sought", "within", "by", "descending")}
        self._wanted = Arrangement(**{**values, **changes})

    def _rearrange(self) -> None:
        """Have the rows that are there filtered and sorted in a thread."""
        self._rearranging.stop()
        if self._bridge is None:
            return
        wanted, held, count, number = self._wanted, self._held, len(self._held), self._number
        if wanted.is_plain:
            self._arranging.drop()
            self._arranged(wanted, range(count))
            return

        def work(session: Session, context: JobContext) -> Sequence[int]:
            return arranged_rows(session, held, wanted, count=count, limits=context.limits)

        def done(shown: Sequence[int]) -> None:
            if number == self._number and held is self._held:
                self._arranged(wanted, shown)

        self._bridge.ask(self._arranging, "Sort the rows", work, done)

    def _arranged(self, arrangement: Arrangement, shown: Sequence[int]) -> None:
        self._shown = arrangement
        self.table.rows.show_rows(shown)
        self.chart.set_rows(self._held, self.table.rows.shown)
        self._name_later()
        self._tell()
        if arrangement != self._wanted or (not arrangement.is_plain and self._is_loading):
            self._begin_timer(self._rearranging)

    # Labels of an endpoint's rows

    def _name_later(self) -> None:
        if self._held.unnamed and self._bridge is not None and self._bridge.is_remote:
            self._begin_timer(self._naming, again=True)

    def _name_in_sight(self) -> None:
        bridge, number = self._bridge, self._number
        if bridge is None or not len(self.table.rows.shown):
            return
        first, last = self.table.rows_in_sight()
        wanted = {
            value: None
            for row in self.table.rows.shown[first : last + 1]
            for column in range(len(self._held.columns))
            if is_resource(value := self._held.term(row, column)) and value in self._held.unnamed
        }
        if not wanted:
            return

        def work(session: Session, context: JobContext) -> list[ResourcesNamed]:
            return list(names_of(session, list(wanted), limits=context.limits))

        def done(parts: list[ResourcesNamed]) -> None:
            if number == self._number:
                for part in parts:
                    self._held.name(part.refs, part.values)
                self.table.refresh()

        bridge.ask(self._looking_up, "Look up labels", work, done)

    # What is done with the rows

    def save(self, suffix: str) -> None:
        """Ask for a file, and write the rows that are shown to it.

        Args:
            suffix: one of `row_files.FORMS`.
        """
        dialog = SaveDialog(f"Save rows as {FORMS[suffix]}", Path(self.folder()) / f"rows{suffix}", self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.write(dialog.path))
        dialog.open()

    def write(self, path: Path) -> None:
        """Write the rows that are shown, in their order, by the end of the file's name."""
        if self._bridge is None:
            return
        held, shown = self._held, self.table.rows.shown
        order = self.table.columns_in_order()

        def work(context: JobContext) -> Path:
            rows = [tuple(held.term(row, column) for column in order) for row in shown]
            variables = tuple(held.variables[column] for column in order)
            headings = tuple(held.columns[column].heading for column in order)
            return write_rows(RowTable(variables, rows, dict(held.refs), headings), path, limits=context.limits)

        def done(written: Path) -> None:
            rows = len(shown)
            self._note = f"Saved {rows:,} row{'s' * (rows != 1)} in {written}."
            self._tell()
            self.wrote.emit(written)

        def failed(error: BaseException) -> None:
            self._note = f"Not saved: {error}"
            self._tell()

        self._bridge.jobs.run(f"Save {path.name}", work, done, failed)

    def resources_of(self, column: int) -> list[Resource]:
        """The resources of a column in the rows that are shown, each once, the first ones only where they are many."""
        found: dict[Resource, None] = {}
        for row in self.table.rows.shown[:MOST_LOOKED_THROUGH]:
            value = self._held.term(row, column)
            if is_resource(value) and value not in self._held.amounts:
                found[value] = None
                if len(found) == MOST_DRAWN:
                    break
        return list(found)

    def _drawable(self) -> list[tuple[int, str]]:
        """The columns with resources to be drawn, and how many each has."""
        found = []
        for place in self.table.columns_in_order():
            if self._held.columns[place].kind not in (Kind.RESOURCE, Kind.TEXT):
                continue
            number = len(self.resources_of(place))
            if number:
                cut_off = number == MOST_DRAWN or len(self.table.rows.shown) > MOST_LOOKED_THROUGH
                first = "the first " if cut_off else ""
                found.append((place, f"{self._held.columns[place].heading}: {first}{number:,}"))
        return found

    def draw(self, column: int) -> None:
        """Have the resources of a column put on the canvas."""
        resources = self.resources_of(column)
        if resources:
            self.draw_wanted.emit(resources)

    def find_text(self) -> None:
        """Move the keyboard to the filter."""
        self._bar.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._bar.box.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._is_loading:
            self.stop()
        else:
            super().keyPressEvent(event)

    # What is said

    def _tell(self) -> None:
        """Say how many rows there are, and offer what can be done with them."""
        self._telling.stop()
        on_table = self._stack.currentWidget() is self._main
        words = row_words(
            len(self._held),
            len(self.table.rows.shown),
            self.total,
            is_loading=self._is_loading,
            is_filtered=bool(self._wanted.sought),
        )
        said = " ".join(part for part in (words if on_table or self._is_loading else "", self._note) if part)
        capped = on_table and not self._is_loading and self.total.kind is CountKind.AT_LEAST
        more = capped and len(self._held) == self._at_most < MOST_AT_ALL
        self._line.say(
            said,
            is_loading=self._is_loading,
            more=min(10 * self._at_most, MOST_AT_ALL) if more else None,
            again=self._note == OUTDATED or (on_table and self._note == "Stopped."),
        )
        self._bar.setVisible(on_table)
        self.table.setAccessibleDescription(f"{words}; Enter opens what is in a cell")

    def _say(self, title: str, text: str, button: str = "") -> None:
        """Show words in place of rows."""
        self._held = HeldRows((), ())
        self._shown = Arrangement()
        self.table.begin(self._held)
        self.chart.set_rows(self._held, ())
        self._title.say(title)
        self._words.say(text)
        self._retry.setVisible(bool(button))
        self._retry.setText(button)
        self._stack.setCurrentWidget(self._page)

    # Its parts

    def _build(self) -> None:
        self.table = RowsTable(self._held)
        self.table.setAccessibleName("Rows")
        self.table.rows.sorter = self._sort
        self.table.runner = self._run
        self.table.selected.connect(self.selected)
        self.table.opened.connect(self.opened)
        self.table.verticalScrollBar().valueChanged.connect(self._name_later)
        self.chart = RowChart(self._make_chart)
        self.chart.hide()
        self._main = QSplitter(Qt.Orientation.Vertical)
        self._main.addWidget(self.table)
        self._main.addWidget(self.chart)
        self._main.setStretchFactor(0, 1)
        self._main.setChildrenCollapsible(False)
        self._stack = QStackedWidget()
        self._page = self._build_page()
        self._stack.addWidget(self._page)
        self._stack.addWidget(self._main)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        self._bar = RowsBar(self._drawable)
        self._bar.filtered.connect(self._filter)
        self._bar.iris_toggled.connect(self.table.rows.show_iris)
        self._bar.chart_toggled.connect(self._show_chart)
        self._bar.draw_wanted.connect(self.draw)
        self._bar.save_wanted.connect(self.save)
        self._line = RowsStatus()
        self._line.stop_wanted.connect(self.stop)
        self._line.more_wanted.connect(self.load_more)
        self._line.again_wanted.connect(self.ask_again)
        column.addWidget(self._bar)
        column.addWidget(self._stack, 1)
        column.addWidget(self._line)
        self.setFocusProxy(self.table)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.find_text)

    def _build_page(self) -> QWidget:
        page = QWidget()
        self._title = TextBlock("", size=TITLE, weight=600)
        self._words = TextBlock("", muted=True)
        self._retry = QPushButton("Retry")
        self._retry.clicked.connect(self.ask_again)
        column = QVBoxLayout(page)
        column.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        column.addStretch(1)
        column.addWidget(self._title)
        column.addWidget(self._words)
        column.addWidget(self._retry, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(2)
        return page

    def _show_chart(self, shown: bool) -> None:
        self.chart.setVisible(shown)
        if shown:
            self.chart.set_rows(self._held, self.table.rows.shown)

    def _run(self, title: str, work: Callable[[], str], done: Callable[[str], None]) -> None:
        if self._bridge is not None:
            self._bridge.jobs.run(title, lambda _: work(), done)

    def _make_chart(self, work: Callable[[Limits], AnswerPlot], done: Callable[[AnswerPlot], None]) -> None:
        if self._bridge is not None:
            self._bridge.ask(self._drawing, "Draw the chart", lambda _, context: work(context.limits), done)

    def _begin_timer(self, timer: QTimer, *, again: bool = False) -> None:
        if again or not timer.isActive():
            timer.start()
