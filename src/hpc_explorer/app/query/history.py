"""The queries that were run: what a person wrote, when, and what came of it, kept from one start to the next."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hpc_explorer.app.settings import settings_file
from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.stores.base import Count, CountKind

LONGEST = 200
"""So many queries are kept."""


@dataclass(frozen=True)
class RanQuery:
    """A query that was run.

    Args:
        when: the moment, in UTC, as ISO 8601 writes it.
        rows: of its answer, or triples; None where it did not come to an end.
        seconds: how long it took; None likewise.
    """

    text: str
    when: str
    rows: Count | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class QueryHistory:
    """The queries that were run, the latest first, each once."""

    queries: tuple[RanQuery, ...] = ()

    def with_run(self, text: str, when: datetime) -> QueryHistory:
        """With a query that is run now; blank ones are left out."""
        text = text.strip()
        if not text:
            return self
        others = tuple(one for one in self.queries if one.text != text)
        return QueryHistory((RanQuery(text, when.astimezone(UTC).isoformat(timespec="seconds")), *others)[:LONGEST])

    def with_outcome(self, text: str, rows: Count, seconds: float) -> QueryHistory:
        """With what came of a query."""
        text = text.strip()
        return QueryHistory(
            tuple(
                replace(one, rows=rows, seconds=round(seconds, 3)) if one.text == text else one for one in self.queries
            )
        )

    def matching(self, words: str) -> tuple[RanQuery, ...]:
        """Those that hold all these words, in any case of letters."""
        wanted = words.casefold().split()
        return tuple(one for one in self.queries if all(word in one.text.casefold() for word in wanted))


def history_file() -> Path:
    """Where the queries are kept: beside the settings."""
    return settings_file().with_name("queries.json")


def read_history(path: Path | None = None) -> QueryHistory:
    """The queries that were kept; none where there is no file, and what in it is no query is passed over."""
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
    """Keep the queries, all or as it was; only their owner can read the file, since queries may name anything.

    Raises:
        OutputNotWritable: the folder cannot be made or written to.
    """
    path = path or history_file()
    values = [
        asdict(one) | {"rows": {"value": one.rows.value, "kind": one.rows.kind.value} if one.rows is not None else None}
        for one in history.queries
    ]
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(values, file, indent=1)
            file.write("\n")
        os.replace(temporary, path)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise OutputNotWritable(f"cannot keep the queries ({error.strerror})", str(path), "check its folder") from None
