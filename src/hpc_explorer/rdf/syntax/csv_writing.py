"""Writing CSV (RFC 4180) without cells that a spreadsheet would run as formulas.

Spreadsheets read text that starts with `=`, `+`, `-` or `@` as a formula, which can start programs or send data to a
server. The text comes from the author of the graph, so such cells get a leading apostrophe. Numbers are unchanged. TSV,
JSON and Parquet keep every text exactly.
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
        stream: a text stream that does not translate line ends.
        lineterminator: the line end.
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
    """The text of a cell, with an apostrophe if a spreadsheet would read it as a formula."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else text
