"""Shows the rows of a query, and explains an empty result."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from hpc_explorer.app.query.builder import NAMED_LENGTH, Builder
from hpc_explorer.app.query.facets import Relief, reliefs
from hpc_explorer.canvas.text import brief
from hpc_explorer.errors import Cancelled
from hpc_explorer.query.model.query import Form
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.query.tab import AskTab


class QueryRows(QObject):
    """Requests the rows of the query; if there are none, the rows without each condition.

    Attributes:
        is_waiting: whether the rows are not counted yet.
        is_counted: whether the rows of the current query have been counted.

    Signals:
        counted(): the rows have been counted.
    """

    counted = Signal()

    def __init__(self, builder: Builder, bridge: SessionBridge, tab: AskTab, parent: QObject) -> None:
        super().__init__(parent)
        self._builder, self._bridge, self._tab = builder, bridge, tab
        self.is_waiting = self.is_counted = False
        tab.relax.relax_wanted.connect(self._relax)
        tab.rows.counted.connect(self._take)
        tab.rows.failed.connect(self._end)

    def show(self) -> None:
        """Request the rows of the current query."""
        self.is_counted = False
        self.hide_reliefs()
        state = self._builder.state
        self.is_waiting = state.query.form is not Form.ASK  # an ASK has no row count
        self._tab.rows.show_query(self._bridge, state.rows_text)

    def forget(self) -> None:
        """Drop the count, because the query is another one."""
        self.is_counted = False

    def hide_reliefs(self) -> None:
        """Stop explaining an empty result."""
        self._tab.show_relaxing(False)
        self._bridge.drop("reliefs")

    def _end(self) -> None:
        self.is_waiting = False

    def _take(self, count: Count) -> None:
        self._end()
        self.is_counted = True
        if count.kind is CountKind.EXACT and count.value == 0 and not self._builder.state.is_empty:
            self._explain()
        self.counted.emit()

    def _explain(self) -> None:
        """Find the conditions that leave no rows."""
        generation, query = self._builder.generation, self._builder.state.query
        self._tab.relax.show_waiting()
        self._tab.show_relaxing(True)

        def done(found: tuple[Relief, ...]) -> None:
            if generation == self._builder.generation:
                self._tab.relax.show_reliefs(found)

        def failed(error: BaseException) -> None:
            if generation == self._builder.generation:
                self._tab.relax.show_error("it was stopped" if isinstance(error, Cancelled) else str(error))

        self._bridge.run(
            reliefs,
            query,
            partial(self._builder.words_at, query),
            title="Count the rows without each condition",
            on_result=done,
            on_error=failed,
            replaces="reliefs",
        )

    def _relax(self, relief: Relief) -> None:
        self._builder.change(relief.query, f"remove “{brief(relief.words, NAMED_LENGTH)}”")
