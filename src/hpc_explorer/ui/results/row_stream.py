"""Streams the rows of a query from its thread, and looks up the labels of the visible rows of an endpoint."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal, Slot

from hpc_explorer.app.query.streaming import ResourcesNamed, RowsPart, names_of, rows_of
from hpc_explorer.app.results.row_resources import unnamed_in
from hpc_explorer.app.results.rows import HeldRows
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.results.answer_table import RowsTable
from hpc_explorer.ui.widgets.timers import single_shot


class RowStream(QObject):
    """Runs one query at a time; parts of earlier queries are ignored.

    Signals:
        came(RowsPart): a part of the answer.
        ended(): the answer is complete, with labels.
        failed(BaseException): the query failed.
    """

    came = Signal(object)
    ended = Signal()
    failed = Signal(object)
    _sent = Signal(int, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge: SessionBridge | None = None
        self._number = 0
        self._sent.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def set_bridge(self, bridge: SessionBridge) -> None:
        """Use the jobs of this bridge."""
        self._bridge = bridge

    @property
    def is_idle(self) -> bool:
        """Whether no query is running."""
        return self._bridge is None or not self._bridge.jobs.is_running(self)

    def ask(self, text: str, *, at_most: int) -> None:
        """Run a query in place of the one before.

        Args:
            at_most: the most rows.
        """
        if self._bridge is None:
            return
        self._number += 1
        number = self._number

        def work(session: Session, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS) -> None:
            for part in rows_of(session, text, at_most=at_most, progress=progress, limits=limits):
                self._sent.emit(number, part)

        def done(_: None) -> None:
            if number == self._number:
                self.ended.emit()

        def failed(error: BaseException) -> None:
            self._number += 1
            self.failed.emit(error)

        self._bridge.run(work, title="Find the rows", on_result=done, on_error=failed, replaces=self)

    def drop(self) -> None:
        """Cancel the query."""
        self._number += 1
        if self._bridge is not None:
            self._bridge.drop(self)

    @Slot(int, object)
    def _take(self, number: int, part: RowsPart) -> None:
        if number == self._number:
            self.came.emit(part)


NAMED_AFTER = 200
"""Milliseconds after scrolling before labels are queried."""


class RowNaming(QObject):
    """Looks up the labels of the rows that a table shows.

    Args:
        held: returns the rows.

    Attributes:
        pause: runs until labels are queried.
    """

    def __init__(self, table: RowsTable, held: Callable[[], HeldRows], parent: QObject) -> None:
        super().__init__(parent)
        self._table, self._held = table, held
        self._bridge: SessionBridge | None = None
        self.pause = single_shot(self, NAMED_AFTER, self._ask)
        table.verticalScrollBar().valueChanged.connect(self.ask_later)

    def set_bridge(self, bridge: SessionBridge) -> None:
        """Use the session of this bridge."""
        self._bridge = bridge

    def drop(self) -> None:
        """Cancel the current query."""
        if self._bridge is not None:
            self._bridge.drop(self)

    def ask_later(self) -> None:
        """Query the labels of the visible rows after a pause."""
        if self._held().unnamed and self._bridge is not None and self._bridge.is_remote:
            self.pause.start()

    def _ask(self) -> None:
        bridge, held, shown = self._bridge, self._held(), self._table.rows.shown
        if bridge is None or not len(shown):
            return
        first, last = self._table.rows_in_sight()
        wanted = unnamed_in(held, shown[first : last + 1])
        if not wanted:
            return

        def work(session: Session, *, limits: Limits = NO_LIMITS) -> list[ResourcesNamed]:
            return list(names_of(session, wanted, limits=limits))

        def done(parts: list[ResourcesNamed]) -> None:
            if held is self._held():
                for part in parts:
                    held.name(part.refs, part.values)
                self._table.refresh()

        bridge.run(work, title="Look up labels", on_result=done, replaces=self)
