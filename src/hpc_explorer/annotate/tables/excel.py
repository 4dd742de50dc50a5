"""Read a sheet of an Excel workbook as rows of texts. Formulas give their last saved value.

A workbook is a ZIP archive of XML documents. Decompression bombs, entity definitions and too many elements in one row
or outside of rows (such as merged cells), which are held in memory, are refused.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import IO
from xml.parsers.expat import ExpatError, ParserCreate

from hpc_explorer.errors import SourceSyntaxError
from hpc_explorer.rdf.syntax.unpacking import most_unpacked

_LARGEST = 2 * 1024**3
_CHUNK = 64 * 1024
_WIDEST, _MOST_ROWS = 16_384, 1_048_576
"""The limits of a sheet."""
_MOST_TOGETHER = 300_000
"""The most elements in memory: a full row has 16,384 cells of a few elements each."""


@contextmanager
def open_sheet(
    path: Path, sheet: str = ""
) -> Iterator[tuple[tuple[str, ...], str, Iterator[tuple[str | None, ...]], str]]:
    """Open a sheet: the workbook's sheet names, the name of this sheet, its rows, and a note.

    Args:
        sheet: its name; empty for the first.

    Raises:
        SourceSyntaxError: not a workbook, no such sheet, or a decompression bomb.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    note = _looked_through(path).note
    try:
        book = load_workbook(path, read_only=True, data_only=True, keep_links=False)
    except (InvalidFileException, KeyError, ValueError, SyntaxError) as error:
        raise _damaged(path, error) from None
    try:
        names = tuple(one.title for one in book.worksheets)
        if sheet and sheet not in names:
            raise SourceSyntaxError(
                f"the workbook has no sheet {sheet!r}", str(path), f"there are {', '.join(map(repr, names[:10]))}"
            )
        chosen = book.worksheets[names.index(sheet) if sheet else 0] if names else None
        if chosen is None:
            yield names, "", iter(()), note
            return
        # The dimensions in a sheet may be wrong and hide rows; the width gives names to columns without a heading.
        width = min(chosen.max_column or 0, _WIDEST)
        chosen.reset_dimensions()
        yield names, chosen.title, _texts(path, chosen.iter_rows(values_only=True), width), note
    finally:
        book.close()


def _texts(path: Path, rows: Iterator[tuple[object, ...]], width: int) -> Iterator[tuple[str | None, ...]]:
    try:
        for row in rows:
            yield (*map(_text, row), *(None,) * (width - len(row)))
    except (KeyError, ValueError, SyntaxError, zipfile.BadZipFile) as error:
        raise _damaged(path, error) from None


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime) and value.time() == datetime.min.time():
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)


@dataclass
class _Oddities:
    """Features of a sheet that a table does not show.

    Args:
        formulas: the number without a saved value.
        merged: cells merged across rows, as `B7:B9`.
    """

    formulas: int = 0
    merged: list[str] = field(default_factory=list)

    @property
    def note(self) -> str:
        """The note about them; may be empty."""
        said = []
        if self.formulas:
            said.append(
                f"{self.formulas:,} formulas of the workbook have no saved value and count as empty: open and save it"
                " in a spreadsheet program"
            )
        if self.merged:
            more = f" and {len(self.merged) - 3:,} more" if len(self.merged) > 3 else ""
            said.append(
                f"cells of several rows ({', '.join(self.merged[:3])}{more}) have their value in the first of them only"
            )
        return "; ".join(said)


def _looked_through(path: Path) -> _Oddities:
    """Check a workbook before decompressing it in memory.

    Raises:
        SourceSyntaxError: it is damaged or a decompression bomb.
    """
    found = _Oddities()
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
            if size > _LARGEST or size > most_unpacked(path.stat().st_size):
                raise SourceSyntaxError(
                    f"the workbook would unpack to {size:,} bytes", str(path), "save the table as CSV, if you trust it"
                )
            for member in archive.infolist():
                if member.filename.endswith((".xml", ".rels")):
                    with archive.open(member) as stream:
                        _look_through(path, stream, found)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError) as error:
        raise _damaged(path, error) from None
    return found


_ROWS = re.compile(r"[A-Z]+(\d+):[A-Z]+(\d+)\Z")


def _look_through(path: Path, stream: IO[bytes], found: _Oddities) -> None:
    """Record odd features of a document; refuse a DOCTYPE, whose entities can expand without bound, and too many
    elements in one place.
    """
    within: list[str] = []
    together = rows = 0
    is_formula = False

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal together, is_formula
        name = name.rpartition(":")[2]
        within.append(name)
        together += 1
        if together > _MOST_TOGETHER:
            raise SourceSyntaxError(
                f"the workbook has more than {_MOST_TOGETHER:,} elements in one row, or outside of its rows", str(path),
                "save the table as CSV, if you trust it",
            )  # fmt: skip
        if name == "f":
            is_formula = True
        elif name == "v" and is_formula:
            parser.CharacterDataHandler = has_value
        elif name == "mergeCell":
            place = _ROWS.match(attributes.get("ref", ""))
            if place is not None and place[1] != place[2]:
                found.merged.append(place[0])

    def has_value(_: str) -> None:
        nonlocal is_formula
        is_formula = False

    def end(_: str) -> None:
        nonlocal together, rows, is_formula
        if within.pop() == "c":
            found.formulas += is_formula
            is_formula, parser.CharacterDataHandler = False, None
        # Release rows and shared strings once read.
        if within == ["worksheet", "sheetData"] and rows < _MOST_ROWS:
            together, rows = 0, rows + 1
        elif within == ["sst"]:
            together = 0

    def refuse(*_: object) -> None:
        raise SourceSyntaxError(
            "the workbook defines entities of its own", str(path), "no spreadsheet program does: do not trust it"
        )

    parser = ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler, parser.StartDoctypeDeclHandler = begin, end, refuse
    # Invalid XML is reported by the reader, if it is used.
    with suppress(ExpatError):
        while chunk := stream.read(_CHUNK):
            parser.Parse(chunk)


def _damaged(path: Path, error: Exception) -> SourceSyntaxError:
    return SourceSyntaxError(f"not a sound Excel workbook ({error})", str(path), "save it anew, or as CSV")
