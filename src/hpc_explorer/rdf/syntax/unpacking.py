"""Limits for compressed files, so that a small file cannot fill the memory."""

from __future__ import annotations

import gzip
import io
from typing import BinaryIO

from hpc_explorer.errors import SourceUnreadable

RATIO = 100
"""Limit of the compression ratio. RDF, tables and models reach 5 to 50."""

HARMLESS = 64 * 1024 * 1024
"""Size in bytes that is always allowed."""


def most_unpacked(packed: int) -> int:
    """The largest decompressed size in bytes for a compressed size."""
    return max(HARMLESS, RATIO * packed)


def too_large_unpacked(packed: int, where: str) -> SourceUnreadable:
    """The error for a file above the limit.

    Args:
        packed: the compressed size in bytes.
        where: its name.
    """
    return SourceUnreadable(
        f"its {packed:,} bytes unpack to more than {most_unpacked(packed):,}",
        where,
        "if you trust the file, decompress it and open the result",
    )


class Gunzipped(io.RawIOBase):
    """The decompressed content of a gzip file, up to the limit.

    Args:
        packed: the file, which is closed too.
        size: its size in bytes.
        where: its name in errors.
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
        """Read into a buffer.

        Raises:
            SourceUnreadable: the content exceeds the limit.
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
