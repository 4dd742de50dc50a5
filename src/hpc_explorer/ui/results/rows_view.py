"""The rows of a query as they arrive: filtered, sorted, copied, saved, charted and drawn."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QSplitter, QWidget

from hpc_explorer.app.query.streaming import (
    AT_MOST,
    MOST_AT_ALL,
    ResourcesNamed,
    RowsBegun,
    RowsCounted,
    RowsPart,
    Truth,
)
from hpc_explorer.app.results.row_resources import MOST_DRAWN, drawable_columns, resources_of
from hpc_explorer.app.results.rows import HeldRows, RowBatch
from hpc_explorer.app.results.table_files import FORMS, row_table, write_rows
from hpc_explorer.errors import Cancelled, ExplorerError, ServerNotAllowed
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, CountKind, Limits
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.results.answer_table import RowsTable
from hpc_explorer.ui.results.row_arranger import RowArranger
from hpc_explorer.ui.results.row_chart import RowChart
from hpc_explorer.ui.results.row_stream import RowNaming, RowStream
from hpc_explorer.ui.results.rows_status import RowsStatus, row_words
from hpc_explorer.ui.results.rows_toolbar import RowsBar
from hpc_explorer.ui.results.server_dialog import ask_servers
from hpc_explorer.ui.widgets.banner import sentence
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, open_dialog
from hpc_explorer.ui.widgets.file_dialog import SaveDialog
from hpc_explorer.ui.widgets.page_stack import MessagePage, PageStack
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot
from hpc_explorer.wording import counted

T = TypeVar("T")

EMPTY_TEXT = "Ask a question to see its rows here."
NO_ROWS_TEXT = "Nothing in the open graph matches this."
OUTDATED = "The graph has changed since."


class RowsView(QWidget):
    """Shows the answer of a query.

    Attributes:
        arranger: filters and sorts the table.
        total: the number of rows.
        folder: returns the folder that file dialogs start in.

    Signals:
        selected(Resource): a resource was clicked or reached by the keyboard.
        opened(Resource): a resource was double-clicked, or Enter was pressed on it.
        draw_wanted(list): draw the resources of a column.
        counted(Count): the number of rows is known, exactly or as a lower bound.
        failed(object): the query failed.
        wrote(Path): a file was written.
    """

    selected = Signal(object)
    opened = Signal(object)
    draw_wanted = Signal(list)
    counted = Signal(object)
    failed = Signal(object)
    wrote = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Rows")
        self.folder: Callable[[], str] = lambda: str(Path.home())
        self.total: Count = UNKNOWN_COUNT
        self._bridge: SessionBridge | None = None
        self._text = ""
        self._at_most = AT_MOST
        self._is_loading = False
        self._note = ""
        self._held = HeldRows(())
        self.arranger = RowArranger(self)
        self._build()
        self._stream = RowStream(self)
        self._stream.came.connect(self._take)
        self._stream.ended.connect(self._end)
        self._stream.failed.connect(self._fail)
        self.arranger.arranged.connect(self._arranged)
        self._telling = single_shot(self, 40, self._tell)
        self.show_nothing()

    # Queries

    def show_query(self, bridge: SessionBridge, text: str, *, at_most: int = AT_MOST) -> None:
        """Run a query, and show its rows as they arrive.

        Args:
            bridge: the session; always the same one.
            at_most: the most rows; a button loads more.
        """
        if self._bridge is None:
            self._bridge = bridge
            self.arranger.set_bridge(bridge)
            self._stream.set_bridge(bridge)
            self._naming.set_bridge(bridge)
            bridge.graph_changed.connect(self._graph_changed)
        self._text, self._at_most = text, at_most
        self._is_loading, self._note = True, ""
        self.total = UNKNOWN_COUNT
        self.arranger.drop()
        self._naming.drop()
        self._stream.ask(text, at_most=at_most)
        if self._stack.currentWidget() is not self._main:
            self._say("", "Looking for rows…")
        self._tell()

    def ask_again(self) -> None:
        """Repeat the query, after asking the user about new servers."""
        bridge, text = self._bridge, self._text
        if bridge is not None and text:
            ask_servers(bridge, (text,), self, lambda: self.show_query(bridge, text, at_most=self._at_most))

    def load_more(self) -> None:
        """Repeat the query with ten times as many rows."""
        if self._bridge is not None and self._text:
            self.show_query(self._bridge, self._text, at_most=min(10 * self._at_most, MOST_AT_ALL))

    def stop(self) -> None:
        """Stop loading; the loaded rows stay."""
        if self._is_loading and self._bridge is not None:
            self._stopped("Stopped.")

    def show_nothing(self) -> None:
        """Show what the view is for."""
        self._text = ""
        self._is_loading, self._note = False, ""
        self.total = UNKNOWN_COUNT
        self._stream.drop()
        self.arranger.drop()
        if self._bridge is not None:
            self._naming.drop()
            self._bridge.drop(self)
        self._say("Rows", EMPTY_TEXT)
        self._tell()

    # What is shown

    @property
    def rows(self) -> HeldRows:
        """The loaded rows."""
        return self._held

    @property
    def status(self) -> str:
        """The number of rows in words."""
        return self._line.words

    @property
    def message(self) -> str:
        """The message shown instead of rows, if any."""
        return self._page.text() if self._stack.currentWidget() is self._page else ""

    def _take(self, part: RowsPart) -> None:
        if isinstance(part, RowsBegun):
            self._begin(part)
        elif isinstance(part, RowBatch):
            self._held.add(part)
            self._show_more()
        elif isinstance(part, ResourcesNamed):
            self._held.name(part.refs, part.values)
            if len(self._held) <= 2_000:
                self.table.measure()
            self.arranger.take_names()
            self.table.refresh()
        elif isinstance(part, RowsCounted):
            self._count(part.total)
        elif isinstance(part, Truth):
            self._is_loading = False
            self._say("Yes" if part.holds else "No", "The graph contains this pattern." if part.holds else NO_ROWS_TEXT)
            self._tell()

    def _begin(self, part: RowsBegun) -> None:
        """Show other rows. Columns of the same names keep their widths, order and sorting."""
        before, now = ([one.name for one in columns] for columns in (self._held.columns, part.columns))
        alike = before == now and self._stack.currentWidget() is self._main
        self._held = HeldRows(part.columns)
        self.arranger.begin(self._held, alike=alike)
        if alike:
            self.table.rows.begin_alike(self._held)
        else:
            self.table.begin(self._held)
            self._bar.set_columns(part.columns)
        self._measured = False

    def _show_more(self) -> None:
        if self._stack.currentWidget() is not self._main:
            self._stack.setCurrentWidget(self._main)
        if self.arranger.shown.is_plain:
            self.table.rows.grow()
        self.arranger.take_more()
        if not self._measured:
            self._measured = True
            self.table.measure()
        if not self._telling.isActive():
            self._telling.start()

    def _count(self, total: Count) -> None:
        self._is_loading = False
        self.total = total
        if not len(self._held):
            self._say("No rows", NO_ROWS_TEXT)
        self.table.rows.tell_all()
        self.chart.set_rows(self._held, self.table.rows.shown)
        self._naming.ask_later()
        self._tell()
        self.counted.emit(total)

    def _end(self) -> None:
        self.chart.set_rows(self._held, self.table.rows.shown)
        self._tell()

    def _stopped(self, note: str) -> None:
        self._stream.drop()
        self._is_loading, self._note = False, note
        self.total = Count(len(self._held), CountKind.AT_LEAST)
        if self._stack.currentWidget() is not self._main:
            self._say("Stopped", "No rows were found.", "Ask again")
        self._tell()

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, Cancelled):
            self._stopped("Stopped.")
            return
        self._is_loading = False
        if isinstance(error, ServerNotAllowed):
            self._say(sentence(error.what), f"{error.where}\nNothing has been sent.", "Allow…")
        elif isinstance(error, ExplorerError):
            said = [error.where, sentence(error.remedy)]
            self._say(sentence(error.what), "\n".join(part for part in said if part), "Retry")
        else:
            words = "This is an error in the program. The open graph is unchanged."
            self._say(f"{type(error).__name__}: {error}", words, "Retry")
        self._tell()
        self.failed.emit(error)

    def _graph_changed(self) -> None:
        """Mark the rows as outdated, or clear them if the graph was closed."""
        if not self._text:
            return
        if self._bridge is not None and self._bridge.is_empty:
            self.show_nothing()
            return
        if self._is_loading and self._stream.is_idle:
            self._stopped("")
        self._note = OUTDATED
        self._tell()

    def _arranged(self, shown: Sequence[int]) -> None:
        self.table.rows.show_rows(shown)
        self.chart.set_rows(self._held, self.table.rows.shown)
        self._naming.ask_later()
        self._tell()

    # Saving and drawing

    def save(self, suffix: str) -> None:
        """Show a file dialog, and write the shown rows.

        Args:
            suffix: one of `table_files.FORMS`.
        """
        dialog = SaveDialog(f"Save rows as {FORMS[suffix]}", Path(self.folder()) / f"rows{suffix}", self.window())
        dialog.accepted.connect(lambda: self.write(dialog.path))
        open_dialog(dialog)

    def write(self, path: Path) -> None:
        """Write the shown rows in order, in the format of the file's suffix."""
        if self._bridge is None:
            return
        held, shown = self._held, self.table.rows.shown
        order = self.table.columns_in_order()

        def work(*, limits: Limits = NO_LIMITS) -> Path:
            return write_rows(row_table(held, shown, order), path, dict(held.refs), limits=limits)

        def done(written: Path) -> None:
            rows = len(shown)
            self._note = f"Saved {counted(rows, 'row')} in {written}."
            self._tell()
            self.wrote.emit(written)

        def failed(error: BaseException) -> None:
            self._note = f"Not saved: {error}"
            self._tell()

        self._bridge.jobs.run(work, title=f"Save {path.name}", on_result=done, on_error=failed)

    def resources_of(self, column: int) -> list[Resource]:
        """The resources of a column in the shown rows."""
        return resources_of(self._held, self.table.rows.shown, column)

    def draw(self, column: int, part: int = 0) -> None:
        """Draw the resources of a column on the canvas, `MOST_DRAWN` of them: the first part, or a later one."""
        every = self.resources_of(column)
        resources = every[part * MOST_DRAWN : (part + 1) * MOST_DRAWN]
        if resources:
            self.draw_wanted.emit(resources)
        if len(resources) < len(every):
            self._note = f"{len(resources):,} of {len(every):,} drawn; Draw has the others."
            self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._is_loading:
            self.stop()
        else:
            super().keyPressEvent(event)

    # Messages

    def _tell(self) -> None:
        """Update the number of rows and the buttons."""
        self._telling.stop()
        on_table = self._stack.currentWidget() is self._main
        words = row_words(
            len(self._held),
            len(self.table.rows.shown),
            self.total,
            is_loading=self._is_loading,
            is_filtered=bool(self.arranger.wanted.sought),
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
        """Show a message instead of rows."""
        self._held = HeldRows(())
        self.arranger.begin(self._held, alike=True)
        self.table.begin(self._held)
        self.chart.set_rows(self._held, ())
        self._page.say(title, text, button)
        self._stack.setCurrentWidget(self._page)

    # Widgets

    def _build(self) -> None:
        self.table = RowsTable(self._held)
        self.table.setAccessibleName("Rows")
        self.table.rows.sorter = lambda column, order: self.arranger.sort(
            column, descending=order is Qt.SortOrder.DescendingOrder
        )
        self.table.runner = self._run
        self.table.selected.connect(self.selected)
        self.table.opened.connect(self.opened)
        self._naming = RowNaming(self.table, lambda: self._held, self)
        self.chart = RowChart(partial(self._run, "Draw the chart", replaces=self))
        self.chart.hide()
        self._main = QSplitter(Qt.Orientation.Vertical)
        self._main.addWidget(self.table)
        self._main.addWidget(self.chart)
        self._main.setStretchFactor(0, 1)
        self._main.setChildrenCollapsible(False)
        self._stack = PageStack()
        self._page = MessagePage()
        self._page.clicked.connect(self.ask_again)
        self._stack.addWidget(self._page)
        self._stack.addWidget(self._main)
        column = column_in(self, spacing=GRID // 2)
        self._bar = RowsBar(lambda: drawable_columns(self._held, self.table.rows.shown, self.table.columns_in_order()))
        self._bar.filtered.connect(
            lambda: self.arranger.filter(self._bar.box.text().strip(), self._bar.within.currentData())
        )
        self._bar.iris_toggled.connect(self.table.rows.show_iris)
        self._bar.chart_toggled.connect(self._show_chart)
        self._bar.draw_wanted.connect(self.draw)
        self._bar.save_wanted.connect(self.save)
        self._line = RowsStatus()
        self._line.stop_wanted.connect(self.stop)
        self._line.more_wanted.connect(self.load_more)
        self._line.again_wanted.connect(self.ask_again)
        add_parts(column, self._bar, (self._stack, 1), self._line)
        self.setFocusProxy(self.table)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._bar.focus_filter)

    def _show_chart(self, shown: bool) -> None:
        self.chart.setVisible(shown)
        if shown:
            self.chart.set_rows(self._held, self.table.rows.shown)

    def _run(
        self, title: str, work: Callable[[], T], done: Callable[[T], None], *, replaces: Hashable | None = None
    ) -> None:
        if self._bridge is not None:
            self._bridge.jobs.run(work, title=title, on_result=done, replaces=replaces)
