"""Looks up the labels of visible rows of an endpoint."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from hpc_explorer.app.query.streaming import ResourcesNamed, names_of
from hpc_explorer.app.results.row_resources import unnamed_in
from hpc_explorer.app.results.rows import HeldRows
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.results.answer_table import RowsTable
from hpc_explorer.ui.widgets.timers import single_shot

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
