"""Who uses a folder: any number of readers, or one who changes it; kept by the operating system, so no death leaves it.

The lock is SQLite's own on an empty database file, which works alike on every system and within one process.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

from hpc_explorer.rdf.syntax.files import output_error

# What SQLite's error codes mean in terms of the system's; the lower byte of a code is its kind.
_NUMBERS = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
}


class FolderLock:
    """A lock that was taken; held until `release`, or until the process ends in any way."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def exclusive(cls, file: Path) -> FolderLock | None:
        """The lock of the one who changes things; None if anybody else has the lock.

        Raises:
            OutputNotWritable: the file cannot be made or locked.
        """
        try:
            # Nothing is ever written, so that a full disk keeps nobody from the lock.
            return cls._taken(str(file), "PRAGMA journal_mode=OFF", "BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            number = _NUMBERS.get(error.sqlite_errorcode & 0xFF, errno.EIO)
            raise output_error(OSError(number, os.strerror(number)), file) from None

    @classmethod
    def shared(cls, file: Path) -> FolderLock | None:
        """The lock of one of the readers; None if somebody changes things, or there is no such file to be read."""
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
        """Let others have it."""
        self._connection.close()
