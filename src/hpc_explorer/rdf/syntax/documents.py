"""The bytes of a document: a file or a buffer, compressed with gzip or not, in any encoding.

Documents can be opened repeatedly, so that they can be inspected before they are read.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from hpc_explorer.errors import SourceNotFound, SourceUnreadable
from hpc_explorer.rdf.syntax.sniffing import HEAD_BYTES, encoding_of
from hpc_explorer.rdf.syntax.unpacking import Gunzipped

_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20
_XML_DECLARATION = re.compile(rb"\s*<\?xml[^>]*\?>")


@dataclass(frozen=True)
class Document:
    """A document that can be opened repeatedly.

    Args:
        where: its name in errors.
        path: the file, or None.
        data: the buffer, or None.
    """

    where: str
    path: Path | None = None
    data: bytes | None = None

    @classmethod
    def of_file(cls, path: Path) -> Document:
        """A readable file.

        Raises:
            SourceNotFound: the file does not exist.
            SourceUnreadable: it is a folder or a device, or permission is denied.
        """
        try:
            mode = path.stat().st_mode
        except (FileNotFoundError, NotADirectoryError, ValueError):
            raise SourceNotFound("no such file", str(path), "check the name") from None
        except OSError as error:
            raise SourceUnreadable(_reason(error), str(path), "check the name and the permissions") from None
        if stat.S_ISDIR(mode):
            raise SourceUnreadable("a folder, not a file", str(path), "name a file in it")
        if not stat.S_ISREG(mode):
            raise SourceUnreadable("not a regular file", str(path), "save its content in a file first")
        return cls(str(path), path=path)

    @contextmanager
    def errors_named(self) -> Iterator[None]:
        """Turn errors of the file system and of gzip into named errors.

        Raises:
            SourceUnreadable: the document cannot be read completely.
        """
        try:
            yield
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise SourceUnreadable("the gzip file is damaged or cut short", self.where, "get it again") from None
        except OSError as error:
            raise SourceUnreadable(_reason(error), self.where, "check the file and its permissions") from None

    @property
    def is_packed(self) -> bool:
        """Whether the content is gzip, whatever the name."""
        with self._raw() as stream:
            return stream.read(len(_GZIP)) == _GZIP

    def unpacked_size(self) -> int | None:
        """The size in bytes; None if the document is compressed."""
        return None if self.is_packed else self._size()

    def open(self) -> BinaryIO:
        """The decompressed content in its own encoding.

        Reading raises SourceUnreadable if the content is larger than `unpacking.most_unpacked` allows.
        """
        if not self.is_packed:
            return self._raw()
        return cast("BinaryIO", io.BufferedReader(Gunzipped(self._raw(), self._size(), self.where), _CHUNK))

    def head(self) -> bytes:
        """The first bytes, decompressed."""
        with self.open() as stream:
            return stream.read(HEAD_BYTES)

    def open_utf8(self) -> BinaryIO:
        """The decompressed content as UTF-8, without byte-order mark or XML declaration of another encoding.

        Raises:
            SourceUnreadable: the content is not in its declared encoding.
        """
        encoding = encoding_of(self.head())
        stream = self.open()
        if encoding == "utf-8":
            return stream
        if encoding == "utf-8-sig":
            stream.read(len(codecs.BOM_UTF8))
            return stream
        with stream:
            data = stream.read()
        try:
            recoded = data.decode(encoding).encode("utf-8")
        except UnicodeDecodeError as error:
            raise SourceUnreadable(
                f"not {encoding.upper()} at byte {error.start:,}", self.where, "save it in UTF-8"
            ) from None
        return io.BytesIO(_XML_DECLARATION.sub(b"", recoded, count=1))

    def contains(self, needles: tuple[bytes, ...]) -> bool:
        """Whether any of these bytes occur in the content."""
        overlap = max(len(needle) for needle in needles) - 1
        with self.open_utf8() as stream:
            tail = b""
            while chunk := stream.read(_CHUNK):
                window = tail + chunk
                if any(needle in window for needle in needles):
                    return True
                tail = window[-overlap:]
        return False

    def not_utf8_at(self) -> tuple[int, int] | None:
        """Offset and line of the first byte that is not UTF-8 (both from 1); None if the content is UTF-8."""
        offset, line = 0, 1
        with self.open() as stream:
            # Chunks end at line ends, so no character is split.
            for chunk in stream:
                try:
                    chunk.decode("utf-8")
                except UnicodeDecodeError as error:
                    return offset + error.start + 1, line
                offset += len(chunk)
                line += 1
        return None

    def _size(self) -> int:
        return len(self.data) if self.data is not None else cast("Path", self.path).stat().st_size

    def _raw(self) -> BinaryIO:
        if self.data is not None:
            return io.BytesIO(self.data)
        return open(cast("Path", self.path), "rb")


def _reason(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "the file may not be read"
    return f"the file cannot be read ({error.strerror or error})"
