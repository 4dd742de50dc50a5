"""A cache of server responses, in an SQLite file of the user's cache folder or in memory.

Its size is limited; the least recently used entries are removed first. A damaged file is recreated, and a file that
cannot be used disables the cache. Places and keys are stored as hashes.
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
"""The maximum packed size in bytes of all kept answers."""

_FORMAT = 1

_TABLES = """
CREATE TABLE answers (
    place TEXT, key TEXT, asked REAL, used REAL, size INTEGER, address TEXT, headers TEXT, body BLOB,
    PRIMARY KEY (place, key)
);
CREATE INDEX by_use ON answers (used);
CREATE TABLE forgotten (place TEXT PRIMARY KEY, at REAL);
"""

# Minimum seconds between two updates of an entry's last use, to keep reads cheap.
_USE = 60.0

# Seconds to wait for another process that writes.
_PATIENCE = 2.0


@dataclass(frozen=True)
class CachedAnswer:
    """A cached response.

    Args:
        asked: the time of the request, in seconds since 1970.
        address: its address after redirects.
        headers: by name in lower case.
    """

    asked: float
    address: str
    headers: Mapping[str, str]
    body: bytes


def cache_file() -> Path | None:
    """The cache file of the user; None if caching is disabled."""
    folder = os.environ.get(CACHE_VARIABLE)
    if folder == "off":
        return None
    if folder:
        return Path(folder) / "answers.sqlite"
    import platformdirs

    return Path(platformdirs.user_cache_dir("hpc-explorer", appauthor=False)) / "answers.sqlite"


class AnswerCache:
    """Cached responses by place (the address of an endpoint or document) and a key within it.

    Args:
        file: the cache file; None for a cache in memory until `close`.
        largest: the maximum total size in compressed bytes.
        clock: returns the time in seconds since 1970.
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
        """The cached response to a question."""

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
        """Store a response, unless its place was cleared after the request.

        Responses larger than half of the cache are not stored.
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
        """Remove all entries of a place requested until now."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM answers WHERE place = ?", (_hash(place),))
            connection.execute("INSERT OR REPLACE INTO forgotten VALUES (?, ?)", (_hash(place), self.clock()))

        self._try(work)

    def close(self) -> None:
        """Close the file; nothing is found or stored afterwards."""
        with self._lock:
            self._given_up = True
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _try(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run a function in one transaction; file errors are ignored."""
        with self._lock:
            if self._given_up:
                return None
            try:
                return self._in_transaction(work)
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):  # busy, full, or read-only
                    return None
            except (OSError, ValueError, zlib.error):
                pass
            # Damaged: recreate it once.
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
        # Questions are private.
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(file or ":memory:", timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        # Commits need not be durable: lost entries are simply requested again.
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
