"""A lock on a folder for many readers or one writer. The operating system releases it when a process dies.

It is SQLite's lock on an empty database file, which works on every system and within one process.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

from hpc_explorer.rdf.syntax.files import output_error

# SQLite's error codes as system errors; the lower byte is the primary code.
_NUMBERS = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
}


class FolderLock:
    """An acquired lock; held until `release` or the end of the process."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def exclusive(cls, file: Path) -> FolderLock | None:
        """Acquire the writer's lock; None if another process holds any lock.

        Raises:
            OutputNotWritable: the file cannot be created or locked.
        """
        try:
            # Nothing is written, so locking works on a full disk.
            return cls._taken(str(file), "PRAGMA journal_mode=OFF", "BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            number = _NUMBERS.get(error.sqlite_errorcode & 0xFF, errno.EIO)
            raise output_error(OSError(number, os.strerror(number)), file) from None

    @classmethod
    def shared(cls, file: Path) -> FolderLock | None:
        """Acquire a reader's lock; None if a writer holds it or the file does not exist."""
        try:
            return cls._taken(f"{file.absolute().as_uri()}?mode=ro", "BEGIN", "SELECT * FROM sqlite_master")
        except sqlite3.OperationalError:
            return None

    @classmethod
    def _taken(cls, name: str, *statements: str) -> FolderLock | None:
        connection = sqlite3.connect(
            name, uri=name.startswith("file:"), timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            for statement in statements:
                connection.execute(statement).fetchall()
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                return None
            raise
        return cls(connection)

    def release(self) -> None:
        """Release the lock."""
        self._connection.close()
