"""Streams the rows of a query from its thread."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot

from hpc_explorer.app.query.streaming import RowsPart, rows_of
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.ui.bridge.session import SessionBridge


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
