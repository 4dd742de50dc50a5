"""The queries that were run in an editor: the one that is running, and how far back somebody has stepped."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from hpc_explorer.app.query.history import QueryHistory, read_history, save_history
from hpc_explorer.stores.base import Count, CountKind

WRITING = -1
"""The place of what is being written; the query that was run last is at 0."""


class QueryRecall:
    """Keeps the queries that are run, and steps back through them from what is being written."""

    def __init__(self) -> None:
        self._history: QueryHistory | None = None
        self._back = WRITING
        self._draft = ""
        self._run: tuple[str, float] | None = None

    @property
    def history(self) -> QueryHistory:
        """The queries that were run."""
        if self._history is None:
            self._history = read_history()
        return self._history

    def remember(self, text: str) -> None:
        """Keep a query that is run now.

        Raises:
            OutputNotWritable: the history cannot be written; it is known until the program ends.
        """
        self._run = (text, time.monotonic())
        self._history = self.history.with_run(text, datetime.now(UTC))
        save_history(self._history)

    def note_count(self, count: Count) -> None:
        """Keep how many rows the query has that was run last, and how long it took; until the number is exact.

        Raises:
            OutputNotWritable: the history cannot be written; it is known until the program ends.
        """
        if self._run is None:
            return
        text, start = self._run
        self._history = self.history.with_outcome(text, count, time.monotonic() - start)
        if count.kind is CountKind.EXACT:
            self._run = None
            save_history(self._history)

    def forget_run(self) -> None:
        """What is counted from now on is another query's rows."""
        self._run = None

    def place_after(self, by: int, text: str) -> int | None:
        """Where a step leads: to a query that was run before the one shown, or after it; None: there is no more.

        Args:
            by: 1 back, -1 forward.
            text: what is shown.
        """
        queries = self.history.queries
        if self._back < 0:
            self._draft = text
        at = self._back + by
        if by > 0 and at < len(queries) and queries[at].text == self._draft.strip() and self._back < 0:
            at += 1
        return at if -1 <= at < len(queries) else None

    def text_at(self, place: int) -> str:
        """The query at a place; at `WRITING` what was being written when the first step was made."""
        return self._draft if place == WRITING else self.history.queries[place].text

    def stand_at(self, place: int) -> None:
        """Make the next step from here."""
        self._back = place
