"""The history of queries with their times and results, kept across restarts."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hpc_explorer.app.settings import settings_file, write_private
from hpc_explorer.stores.base import Count, CountKind

LONGEST = 200
"""The maximum number of queries kept."""


@dataclass(frozen=True)
class RanQuery:
    """A query in the history.

    Args:
        when: UTC, in ISO 8601.
        rows: the number of rows or triples; None if it did not finish.
        seconds: the duration; None if it did not finish.
    """

    text: str
    when: str
    rows: Count | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class QueryHistory:
    """The history, latest first, each query once."""

    queries: tuple[RanQuery, ...] = ()

    def with_run(self, text: str, when: datetime) -> QueryHistory:
        """Add a query that starts now; blank ones are ignored."""
        text = text.strip()
        if not text:
            return self
        others = tuple(one for one in self.queries if one.text != text)
        return QueryHistory((RanQuery(text, when.astimezone(UTC).isoformat(timespec="seconds")), *others)[:LONGEST])

    def with_outcome(self, text: str, rows: Count, seconds: float) -> QueryHistory:
        """Add the result of a query."""
        text = text.strip()
        return QueryHistory(
            tuple(
                replace(one, rows=rows, seconds=round(seconds, 3)) if one.text == text else one for one in self.queries
            )
        )

    def matching(self, words: str) -> tuple[RanQuery, ...]:
        """The queries that contain all of these words, ignoring case."""
        wanted = words.casefold().split()
        return tuple(one for one in self.queries if all(word in one.text.casefold() for word in wanted))


def history_file() -> Path:
    """The history file, next to the settings."""
    return settings_file().with_name("queries.json")


def read_history(path: Path | None = None) -> QueryHistory:
    """Read the history; empty if there is no file. Invalid entries are skipped."""
    try:
        stored = json.loads((path or history_file()).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return QueryHistory()
    read = [_read(one) for one in stored] if isinstance(stored, list) else []
    return QueryHistory(tuple({one.text: one for one in read if one is not None}.values())[:LONGEST])


def _read(stored: Any) -> RanQuery | None:
    if not isinstance(stored, dict):
        return None
    text, when = stored.get("text"), stored.get("when")
    if not isinstance(text, str) or not isinstance(when, str) or not text.strip():
        return None
    rows, seconds = stored.get("rows"), stored.get("seconds")
    count = None
    if (
        isinstance(rows, dict)
        and type(rows.get("value")) is int
        and rows.get("kind") in {kind.value for kind in CountKind}
    ):
        count = Count(rows["value"], CountKind(rows["kind"]))
    return RanQuery(text, when, count, float(seconds) if isinstance(seconds, (int, float)) else None)


def save_history(history: QueryHistory, path: Path | None = None) -> None:
    """Write the history in one step; only its owner can read it, because queries can contain anything.

    Raises:
        OutputNotWritable: the folder or file cannot be written.
    """
    path = path or history_file()
    values = [
        asdict(one) | {"rows": {"value": one.rows.value, "kind": one.rows.kind.value} if one.rows is not None else None}
        for one in history.queries
    ]
    write_private(path, json.dumps(values, indent=1) + "\n", "the queries", "check its folder")
