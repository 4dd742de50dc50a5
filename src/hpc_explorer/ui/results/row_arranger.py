"""Filters and sorts rows in a thread, again whenever more rows arrive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from hpc_explorer.app.query.arranging import Arrangement, arranged_rows
from hpc_explorer.app.results.rows import HeldRows
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.timers import single_shot

REARRANGED_AFTER = 250
"""Milliseconds between typing or new rows, and filtering and sorting."""


class RowArranger(QObject):
    """Decides which rows are shown, and in which order.

    Attributes:
        wanted: the requested arrangement.
        shown: the last finished arrangement.

    Signals:
        arranged(Sequence): the numbers of the shown rows, in order.
    """

    arranged = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.wanted = self.shown = Arrangement()
        self._bridge: SessionBridge | None = None
        self._held = HeldRows(())
        self._soon = single_shot(self, REARRANGED_AFTER, self._arrange)

    def set_bridge(self, bridge: SessionBridge) -> None:
        """Use the jobs of this bridge."""
        self._bridge = bridge

    @property
    def is_waiting(self) -> bool:
        """Whether the rows are about to be arranged."""
        return self._soon.isActive()

    def begin(self, held: HeldRows, *, alike: bool) -> None:
        """Start with other rows, unsorted until they are arranged.

        Args:
            alike: they have the same columns, so the requested order is kept.
        """
        self.drop()
        self._held = held
        self.shown = Arrangement()
        if not alike:
            self.wanted = Arrangement(sought=self.wanted.sought)

    def drop(self) -> None:
        """Cancel the current arrangement."""
        if self._bridge is not None:
            self._bridge.drop(self)

    def sort(self, column: int, *, descending: bool) -> None:
        """Sort the rows by a column."""
        self.wanted = replace(self.wanted, by=column, descending=descending)
        self._arrange()

    def filter(self, sought: str, within: int | None) -> None:
        """Filter the rows by a text in one column or any, after a short pause in typing."""
        self.wanted = replace(self.wanted, sought=sought, within=within)
        self._soon.start()

    def take_more(self) -> None:
        """More rows arrived."""
        if self.wanted != self.shown or not self.shown.is_plain:
            self._begin_soon()

    def take_names(self) -> None:
        """Labels arrived, which affect filtering and sorting."""
        if not self.wanted.is_plain:
            self._begin_soon()

    def _begin_soon(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    def _arrange(self) -> None:
        self._soon.stop()
        if self._bridge is None:
            return
        wanted, held, count = self.wanted, self._held, len(self._held)
        if wanted.is_plain:
            self._bridge.drop(self)
            self._announce(wanted, range(count), count)
            return

        def work(session: Session, *, limits: Limits = NO_LIMITS) -> Sequence[int]:
            return arranged_rows(session, held, wanted, count=count, limits=limits)

        def done(shown: Sequence[int]) -> None:
            if held is self._held:
                self._announce(wanted, shown, count)

        self._bridge.run(work, title="Sort the rows", on_result=done, replaces=self)

    def _announce(self, arrangement: Arrangement, shown: Sequence[int], count: int) -> None:
        self.shown = arrangement
        self.arranged.emit(shown)
        if arrangement != self.wanted or (not arrangement.is_plain and count < len(self._held)):
            self._begin_soon()
