"""Answers of servers, kept in one SQLite file of the user's cache folder, or in memory.

The file is of bounded size: what was not used for longest goes first. It is a convenience and never in the way: a file
that is damaged is made again, and one that cannot be used keeps nothing. Places and keys are kept as hashes.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

CACHE_VARIABLE = "HPC_EXPLORER_CACHE"
"""The environment variable that names another folder for kept answers; `off` keeps none."""

LARGEST_CACHE = 256 * 1024 * 1024
"""How many bytes all kept answers may have, packed."""

_FORMAT = 1

_TABLES = """
CREATE TABLE answers (
    place TEXT, key TEXT, asked REAL, used REAL, size INTEGER, address TEXT, headers TEXT, body BLOB,
    PRIMARY KEY (place, key)
);
CREATE INDEX by_use ON answers (used);
CREATE TABLE forgotten (place TEXT PRIMARY KEY, at REAL);
"""

# When an answer was last used is noted again after so many seconds: a read is rarely a write.
_USE = 60.0

# Another program may be writing: so many seconds are waited for it.
_PATIENCE = 2.0


@dataclass(frozen=True)
class CachedAnswer:
    """An answer as it once came.

    Args:
        asked: when it was asked for, in seconds since 1970.
        address: where it came from, redirects followed.
        headers: by name in lower case.
    """

    asked: float
    address: str
    headers: Mapping[str, str]
    body: bytes


def cache_file() -> Path | None:
    """The file of the user's kept answers; None if none are to be kept."""
    folder = os.environ.get(CACHE_VARIABLE)
    if folder == "off":
        return None
    if folder:
        return Path(folder) / "answers.sqlite"
    import platformdirs

    return Path(platformdirs.user_cache_dir("hpc-explorer", appauthor=False)) / "answers.sqlite"


class AnswerCache:
    """Kept answers, by the place they come from (the address of an endpoint or document) and a key within it.

    Args:
        file: where they are; None keeps them in memory until `close`.
        largest: how many bytes they may have altogether, packed.
        clock: gives the time in seconds since 1970.
    """

    def __init__(
        self, file: Path | None, *, largest: int = LARGEST_CACHE, clock: Callable[[], float] = time.time
    ) -> None:
        self.clock = clock
        self._file = file
        self._largest = largest
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._given_up = False

    def find(self, place: str, key: str) -> CachedAnswer | None:
        """The answer that is kept for this question."""

        def work(connection: sqlite3.Connection) -> CachedAnswer | None:
            row = connection.execute(
                "SELECT asked, used, address, headers, body FROM answers WHERE place = ? AND key = ?",
                (_hash(place), _hash(key)),
            ).fetchone()
            if row is None:
                return None
            asked, used, address, headers, body = row
            now = self.clock()
            if abs(now - used) > _USE:
                connection.execute(
                    "UPDATE answers SET used = ? WHERE place = ? AND key = ?", (now, _hash(place), _hash(key))
                )
            return CachedAnswer(asked, address, json.loads(headers), zlib.decompress(body))

        return self._try(work)

    def keep(self, place: str, key: str, answer: CachedAnswer) -> None:
        """Keep an answer in place of an older one; not if its place was forgotten after it was asked for.

        One that would fill half of the cache by itself is not kept.
        """
        body = zlib.compress(answer.body, 1)
        if len(body) > self._largest // 2:
            return

        def work(connection: sqlite3.Connection) -> None:
            row = connection.execute("SELECT at FROM forgotten WHERE place = ?", (_hash(place),)).fetchone()
            if row is not None and answer.asked <= row[0]:
                return
            connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    _hash(place),
                    _hash(key),
                    answer.asked,
                    self.clock(),
                    len(body),
                    answer.address,
                    json.dumps(dict(answer.headers)),
                    body,
                ),
            )
            (total,) = connection.execute("SELECT SUM(size) FROM answers").fetchone()
            for rowid, size in connection.execute("SELECT rowid, size FROM answers ORDER BY used, asked").fetchall():
                if total <= self._largest:
                    break
                connection.execute("DELETE FROM answers WHERE rowid = ?", (rowid,))
                total -= size

        self._try(work)

    def forget(self, place: str) -> None:
        """Keep nothing from this place that was asked for up to now."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM answers WHERE place = ?", (_hash(place),))
            connection.execute("INSERT OR REPLACE INTO forgotten VALUES (?, ?)", (_hash(place), self.clock()))

        self._try(work)

    def close(self) -> None:
        """Release the file; nothing is found or kept any more."""
        with self._lock:
            self._given_up = True
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _try(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Do it in one transaction; what the file does not allow is left."""
        with self._lock:
            if self._given_up:
                return None
            try:
                return self._in_transaction(work)
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):  # busy, full, or not to be written
                    return None
            except (OSError, ValueError, zlib.error):
                pass
            # Damaged: it is made again, once.
            self._given_up = True
            with suppress(OSError, sqlite3.Error):
                if self._connection is not None:
                    self._connection.close()
                    self._connection = None
                for end in ("", "-wal", "-shm") if self._file is not None else ():
                    Path(f"{self._file}{end}").unlink(missing_ok=True)
                self._in_transaction(lambda connection: None)
                self._given_up = False
            return None

    def _in_transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._connection is None:
            self._connection = _connected(self._file)
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
        return result


def _connected(file: Path | None) -> sqlite3.Connection:
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # What a person asks is nobody else's business.
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(file or ":memory:", timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        # A commit need not reach the disk at once: what a failure of power takes is asked for again.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        (format,) = connection.execute("PRAGMA user_version").fetchone()
        if format != _FORMAT:
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                connection.execute(f'DROP TABLE "{table}"')
            for statement in _TABLES.strip().split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {_FORMAT}")
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
