"""How much a packed file may unpack to: a small file that fills the memory is refused before it does."""

from __future__ import annotations

import gzip
import io
from typing import BinaryIO

from hpc_explorer.errors import SourceUnreadable

RATIO = 100
"""A file may unpack to so many times its size. RDF, tables and models unpack to 5 to 50 times theirs."""

HARMLESS = 64 * 1024 * 1024
"""Whatever its size, a file may unpack to so many bytes."""


def most_unpacked(packed: int) -> int:
    """The bytes that a packed file of this size may unpack to."""
    return max(HARMLESS, RATIO * packed)


def too_large_unpacked(packed: int, where: str) -> SourceUnreadable:
    """The error for a file that unpacks to more.

    Args:
        packed: its size in bytes.
        where: what it is called.
    """
    return SourceUnreadable(
        f"its {packed:,} bytes unpack to more than {most_unpacked(packed):,}",
        where,
        "do not trust this file; if you do, unpack it and open what comes of it",
    )


class Gunzipped(io.RawIOBase):
    """What a gzip file unpacks to, as far as it may.

    Args:
        packed: the file, which is closed with this.
        size: its size in bytes.
        where: what it is called in errors.
    """

    def __init__(self, packed: BinaryIO, size: int, where: str) -> None:
        super().__init__()
        self._packed, self._size, self._where = packed, size, where
        self._stream = gzip.GzipFile(fileobj=packed, mode="rb")
        self._left = most_unpacked(size)

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]  # any writable buffer
        """As a stream does.

        Raises:
            SourceUnreadable: the file unpacks to more than it may.
            EOFError, gzip.BadGzipFile, zlib.error: it is damaged.
        """
        count = self._stream.readinto(buffer)
        self._left -= count
        if self._left < 0:
            raise too_large_unpacked(self._size, self._where)
        return count

    def close(self) -> None:
        """Close the file too."""
        if not self.closed:
            self._stream.close()
            self._packed.close()
        super().close()
