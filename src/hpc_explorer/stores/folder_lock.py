"""Who uses a folder: any number of readers, or one who changes it; kept by the operating system, so no death leaves it.

The lock is SQLite's own on an empty database file, which works alike on every system and within one process.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path


class FolderLock:
    """A lock that was taken; held until `release`, or until the process ends in whatever way."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def exclusive(cls, file: Path) -> FolderLock | None:
        """The lock of the one who changes things; None if anybody else has the lock."""
        return cls._taken(str(file), "BEGIN EXCLUSIVE")

    @classmethod
    def shared(cls, file: Path) -> FolderLock | None:
        """The lock of one of the readers; None if somebody changes things, or there is no such file."""
        return cls._taken(f"{file.absolute().as_uri()}?mode=ro", "BEGIN", "SELECT * FROM sqlite_master")

    @classmethod
    def _taken(cls, name: str, *statements: str) -> FolderLock | None:
        try:
            connection = sqlite3.connect(
                name, uri=name.startswith("file:"), timeout=0, isolation_level=None, check_same_thread=False
            )
        except sqlite3.OperationalError:
            return None
        try:
            for statement in statements:
                connection.execute(statement).fetchall()
        except sqlite3.OperationalError:
            connection.close()
            return None
        return cls(connection)

    def release(self) -> None:
        """Let others have it."""
        self._connection.close()
