"""CSV as this program writes it: RFC 4180, and no cell that a spreadsheet program would run.

A spreadsheet program takes a text that begins with `=`, `+`, `-` or `@` for a formula. Such a formula can start a
program or send what stands beside it to a server, and the text comes from whoever wrote the graph. So an apostrophe is
put before it, in every CSV alike; numbers stay as they are. TSV, JSON and Parquet keep every text exactly.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Protocol

_FORMULA = re.compile(r"\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|INF)\Z", re.ASCII)


class _Writable(Protocol):
    def write(self, text: str, /) -> object: ...


class CsvWriter:
    """Writes rows as CSV.

    Args:
        stream: a text stream that does not change the ends of lines.
        lineterminator: what a line ends with.
    """

    def __init__(self, stream: _Writable, lineterminator: str = "\r\n") -> None:
        self._writer = csv.writer(stream, lineterminator=lineterminator)

    def writerow(self, row: Iterable[object]) -> None:
        """Write one row."""
        self._writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in row])

    def writerows(self, rows: Iterable[Iterable[object]]) -> None:
        """Write rows."""
        for row in rows:
            self.writerow(row)


def safe_cell(text: str) -> str:
    """A cell's text, with an apostrophe before it where a spreadsheet program would take it for a formula."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else text
