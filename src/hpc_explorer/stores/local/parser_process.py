"""A process that parses a file and writes it as N-Quads."""

from __future__ import annotations

import os
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import BinaryIO, cast

from pyoxigraph import RdfFormat, parse, serialize

from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.stores.local.spawning import without_main_module

_CHUNK = 1 << 20


class ParserProcess:
    """The N-Quads of a file, as a stream; the prefixes are known at its end.

    Attributes:
        prefixes: the prefixes that the file declares.
    """

    def __init__(self, path: Path, format: RdfFormat, base: str) -> None:
        context = get_context("spawn")
        self._lines, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(path, format.media_type, base, theirs), daemon=True)
        with without_main_module():
            self._process.start()
        theirs.close()
        self.prefixes: dict[str, str] = {}

    def read(self, size: int = -1) -> bytes:
        """The next bytes; none at the end.

        Raises:
            EOFError: the file cannot be read.
        """
        data = self._lines.recv_bytes()
        if not data:
            self.prefixes = self._lines.recv()
        return data

    def __enter__(self) -> ParserProcess:
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the process."""
        self._process.kill()
        self._process.join()
        self._lines.close()


class _Lines:
    """A stream that sends what is written to it, in chunks."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._kept: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> int:
        self._kept.append(bytes(data))
        self._size += len(data)
        if self._size >= _CHUNK:
            self.flush()
        return len(data)

    def flush(self) -> None:
        if self._size:
            self._connection.send_bytes(b"".join(self._kept))
            self._kept, self._size = [], 0


def _run(path: Path, media_type: str, base: str, connection: Connection) -> None:
    """The process; exits silently if the file cannot be read."""
    format = RdfFormat.from_media_type(media_type)
    assert format is not None
    try:
        with Document.of_file(path).open_utf8() as stream:
            parser, lines = parse(stream, format, base_iri=base), _Lines(connection)
            serialize(parser, cast("BinaryIO", lines), RdfFormat.N_QUADS)
            lines.flush()
            connection.send_bytes(b"")
            connection.send(dict(parser.prefixes))
    except (SyntaxError, OSError, MemoryError, ValueError, KeyboardInterrupt):
        # The parent then loads the file statement by statement and reports the error, or is gone.
        os._exit(1)
