"""Keeps rows filtered and sorted as it is wanted: in a thread, and again when more rows came."""

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
"""Milliseconds after a letter in the filter, or after more rows came, until the rows are filtered and sorted."""


class RowArranger(QObject):
    """Says which of the rows that came are shown, and in which order.

    Attributes:
        wanted: how they are to stand.
        shown: how they stood when that was said last.

    Signals:
        arranged(Sequence): the numbers of the rows that are shown, in their order.
    """

    arranged = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.wanted = self.shown = Arrangement()
        self._bridge: SessionBridge | None = None
        self._held = HeldRows(())
        self._soon = single_shot(self, REARRANGED_AFTER, self._arrange)

    def set_bridge(self, bridge: SessionBridge) -> None:
        """Work in the jobs of this bridge."""
        self._bridge = bridge

    @property
    def is_waiting(self) -> bool:
        """Whether the rows are about to be arranged anew."""
        return self._soon.isActive()

    def begin(self, held: HeldRows, *, alike: bool) -> None:
        """Take rows in place of the others; they stand as they come until they are arranged.

        Args:
            alike: whether they have the columns of those before; if so they are to stand as those did.
        """
        self.drop()
        self._held = held
        self.shown = Arrangement()
        if not alike:
            self.wanted = Arrangement(sought=self.wanted.sought)

    def drop(self) -> None:
        """Wait for no arrangement that is being made."""
        if self._bridge is not None:
            self._bridge.drop(self)

    def sort(self, column: int, *, descending: bool) -> None:
        """Have the rows sorted by a column."""
        self.wanted = replace(self.wanted, by=column, descending=descending)
        self._arrange()

    def filter(self, sought: str, within: int | None) -> None:
        """Have the rows filtered by a text, in a column or any; a moment after the last letter."""
        self.wanted = replace(self.wanted, sought=sought, within=within)
        self._soon.start()

    def take_more(self) -> None:
        """More rows came."""
        if self.wanted != self.shown or not self.shown.is_plain:
            self._begin_soon()

    def take_names(self) -> None:
        """Labels came, by which rows are found and sorted."""
        if not self.wanted.is_plain:
            self._begin_soon()

    def _begin_soon(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    def _arrange(self) -> None:
        """Have the rows that are there filtered and sorted in a thread."""
        self._soon.stop()
        if self._bridge is None:
            return
        wanted, held, count = self.wanted, self._held, len(self._held)
        if wanted.is_plain:
            self._bridge.drop(self)
            self._tell(wanted, range(count), count)
            return

        def work(session: Session, *, limits: Limits = NO_LIMITS) -> Sequence[int]:
            return arranged_rows(session, held, wanted, count=count, limits=limits)

        def done(shown: Sequence[int]) -> None:
            if held is self._held:
                self._tell(wanted, shown, count)

        self._bridge.run(work, title="Sort the rows", on_result=done, replaces=self)

    def _tell(self, arrangement: Arrangement, shown: Sequence[int], count: int) -> None:
        self.shown = arrangement
        self.arranged.emit(shown)
        if arrangement != self.wanted or (not arrangement.is_plain and count < len(self._held)):
            self._begin_soon()
