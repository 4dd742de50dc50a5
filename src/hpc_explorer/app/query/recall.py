"""The history of queries in an editor: the running query, and the position when stepping back."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from hpc_explorer.app.query.history import QueryHistory, read_history, save_history
from hpc_explorer.stores.base import Count, CountKind

WRITING = -1
"""The position of the draft; the latest query is at 0."""


class QueryRecall:
    """Records queries, and steps back through them from the draft."""

    def __init__(self) -> None:
        self._history: QueryHistory | None = None
        self._back = WRITING
        self._draft = ""
        self._run: tuple[str, float] | None = None

    @property
    def history(self) -> QueryHistory:
        """The recorded queries."""
        if self._history is None:
            self._history = read_history()
        return self._history

    def remember(self, text: str) -> None:
        """Record a query that starts now.

        Raises:
            OutputNotWritable: the history file cannot be written; the query is known until the program ends.
        """
        self._run = (text, time.monotonic())
        self._history = self.history.with_run(text, datetime.now(UTC))
        save_history(self._history)

    def note_count(self, count: Count) -> None:
        """Record the number of rows and the duration of the latest query, until the number is exact.

        Raises:
            OutputNotWritable: the history file cannot be written.
        """
        if self._run is None:
            return
        text, start = self._run
        self._history = self.history.with_outcome(text, count, time.monotonic() - start)
        if count.kind is CountKind.EXACT:
            self._run = None
            save_history(self._history)

    def forget_run(self) -> None:
        """Ignore further counts, which belong to another query."""
        self._run = None

    def place_after(self, by: int, text: str) -> int | None:
        """The position after a step; None if there is none.

        Args:
            by: 1 back, -1 forward.
            text: the text shown.
        """
        queries = self.history.queries
        if self._back < 0:
            self._draft = text
        at = self._back + by
        if by > 0 and at < len(queries) and queries[at].text == self._draft.strip() and self._back < 0:
            at += 1
        return at if -1 <= at < len(queries) else None

    def text_at(self, place: int) -> str:
        """The query at a position; at `WRITING`, the draft."""
        return self._draft if place == WRITING else self.history.queries[place].text

    def stand_at(self, place: int) -> None:
        """Set the position for the next step."""
        self._back = place
