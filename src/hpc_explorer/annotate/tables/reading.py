"""Read tables as streams of rows: CSV and TSV, JSON records, Parquet, Excel. All cells are texts."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path

from hpc_explorer.annotate.tables.mapping import FOUND_OUT, LIKELY_ROW, TableFormat
from hpc_explorer.annotate.tables.rows import Cell, TableRow
from hpc_explorer.annotate.units import is_unit
from hpc_explorer.errors import SourceNotFound, SourceSyntaxError, UnknownFormat
from hpc_explorer.rdf.syntax.files import input_error

Row = Sequence[str | None]
"""The texts of a row in order; None for empty cells."""


@dataclass(frozen=True)
class Table:
    """An open table.

    Args:
        columns: column names in order; None for JSON records.
        rows: an iterator of rows.
        note: assumptions about the file; may be empty.
        format: the detected or given layout.
        sheets: the sheet names of a workbook.
        units: the units of the columns by the unit row, if any.
    """

    path: Path
    columns: tuple[str, ...] | None
    rows: Callable[[], Iterator[TableRow]]
    note: str = ""
    format: TableFormat = FOUND_OUT
    sheets: tuple[str, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)


TEXT_ENDINGS = (".csv", ".tsv", ".txt")
"""Extensions of delimited text files."""

RECORD_ENDINGS = (".json", ".jsonl", ".ndjson")
"""Extensions of JSON records, which name their columns."""

WORKBOOK_ENDINGS = (".xlsx", ".xlsm")
"""Extensions of workbooks."""

TABLE_ENDINGS = (*TEXT_ENDINGS, *RECORD_ENDINGS, ".parquet", *WORKBOOK_ENDINGS)
"""Extensions of all tables."""


def is_table(path: Path) -> bool:
    """Whether a file is a table by its extension; for JSON, which may be a graph, by its content."""
    ending = path.suffix.lower()
    if ending != ".json":
        return ending in TABLE_ENDINGS and ending != ".txt"
    try:
        with open(path, "rb") as stream:
            beginning = stream.read(_SAMPLE)
    except OSError:
        return False
    return not re.search(rb'"(@context|@graph|@id|@type|prefix|prov:[a-zA-Z]+)"\s*:', beginning)


@contextmanager
def open_table(path: Path, format: TableFormat = FOUND_OUT) -> Iterator[Table]:
    """Open a table; the extension gives its kind.

    Args:
        format: the known layout; settings of other kinds are ignored.

    Raises:
        SourceNotFound, SourceUnreadable: missing or unreadable.
        UnknownFormat: unknown extension.
        SourceSyntaxError: damaged; also raised while rows are read.
    """
    if not path.is_file():
        raise SourceNotFound("no such table", str(path), "check the path")
    ending = path.suffix.lower()
    try:
        if ending in TEXT_ENDINGS:
            encoding, note = (format.encoding, "") if format.encoding else _encoding(path)
            with open(path, encoding=encoding, newline="") as stream:
                tabs = "\t" if ending == ".tsv" else ""
                known = replace(format, encoding=encoding, delimiter=format.delimiter or tabs, sheet="")
                yield _delimited(path, stream, known, note)
        elif ending in RECORD_ENDINGS:
            from hpc_explorer.annotate.tables.json_records import json_rows

            with open(path, encoding="utf-8-sig") as stream:
                yield Table(path, None, lambda: json_rows(path, stream, by_line=ending != ".json"))
        elif ending == ".parquet":
            from hpc_explorer.stores.columns.parquet import open_parquet

            with open_parquet(path) as (columns, parquet_rows):
                yield Table(path, columns, lambda: _of_parquet(columns, parquet_rows))
        elif ending in WORKBOOK_ENDINGS:
            from hpc_explorer.annotate.tables.excel import open_sheet

            with open_sheet(path, format.sheet) as (sheets, sheet, sheet_rows, note):
                heading, all_rows = _heading(sheet_rows, format.heading)
                names, below = _below_heading(path, all_rows, heading)
                units, rows = _units(names, below, format)
                yield Table(
                    path,
                    names,
                    lambda: _of_sheet(names, rows),
                    note,
                    TableFormat(sheet=sheet, heading=heading, units=bool(units)),
                    sheets,
                    units,
                )
        else:
            raise UnknownFormat(
                "not a known kind of table",
                str(path),
                "it reads .csv, .tsv, .json, .jsonl, .parquet and .xlsx",
            )
    except UnicodeDecodeError as error:
        raise SourceSyntaxError(f"the text is not {error.encoding}", str(path), "save it as UTF-8") from None
    except OSError as error:
        raise input_error(error, path, "table") from None


def _below_heading(path: Path, rows: Iterator[Row], heading: int) -> tuple[tuple[str, ...], Iterator[Row]]:
    """The column names, and the rows below them.

    Args:
        heading: the row number of the names; 0 for none, which gives numbered names.
    """
    first = next(rows, None)
    if first is None:
        raise SourceSyntaxError("the table is empty", str(path), "choose another")
    if heading == 0:
        return headings(path, [""] * len(first), named=False), chain([first], rows)
    named: Sequence[str | None] = first
    for _ in range(heading - 1):
        named = next(rows, ())
    return headings(path, ["" if name is None else name for name in named]), rows


def _units(names: Sequence[str], rows: Iterator[Row], format: TableFormat) -> tuple[dict[str, str], Iterator[Row]]:
    """The units in the first row, if it has them, and the remaining rows.

    If this is to be detected, the first row has units if every text is one.
    """
    if not format.units and format.heading != LIKELY_ROW:
        return {}, rows
    first = next(rows, None)
    if first is None:
        return {}, rows
    texts = {name: (text or "").strip() for name, text in zip(names, first, strict=False)}
    units = {name: text for name, text in texts.items() if text}
    if format.units or (units and all(map(is_unit, units.values()))):
        return units, rows
    return {}, chain([first], rows)


_TOP_ROWS = 20
_NUMBER = re.compile(r"[+-]?\.?\d")


def _heading(rows: Iterator[Row], heading: int) -> tuple[int, Iterator[Row]]:
    """The heading row, detected if requested, and all rows."""
    if heading != LIKELY_ROW:
        return heading, rows
    top = list(islice(rows, _TOP_ROWS))
    filled = [[bool(text and text.strip()) for text in row] for row in top]
    widest = max(map(sum, filled), default=0)
    for place, (row, cells) in enumerate(zip(top, filled, strict=True)):
        count = sum(cells)
        note = "".join(text for text in row if text)[:1] == "#" and count < widest
        title = count == 0 or (count == 1 and widest >= 3)
        if not note and not title and not (place + 1 < len(top) and _names_groups(cells, top[place + 1])):
            return place + 1, chain(top, rows)
    return 1, chain(top, rows)


def _names_groups(cells: list[bool], below: Row) -> bool:
    """Whether a row's gaps are filled by names in the next: `Machine,,Time,` above `ID,Name,Start,End`."""
    gaps = [place for place, is_filled in enumerate(cells) if place and not is_filled]
    names = [(text or "").strip() for text in below]
    is_named = all(place < len(names) and names[place] for place in gaps)
    return len(gaps) >= 2 and is_named and not any(_NUMBER.match(name) for name in names)


def headings(path: Path, names: list[str], *, named: bool = True) -> tuple[str, ...]:
    """Unique column names; an unnamed column is named by its position.

    Args:
        named: whether a named column is required.

    Raises:
        SourceSyntaxError: no columns.
    """
    made: dict[str, None] = {}
    for place, name in enumerate((name.strip() for name in names), start=1):
        # The second of two equal names gets its position appended, as unnamed columns do.
        made[f"{name} (column {place})".strip() if not name or name in made else name] = None
    if not made or (named and not any(name.strip() for name in names)):
        raise SourceSyntaxError("the table has no heading", str(path), "say which of its rows names the columns")
    return tuple(made)


def _of_parquet(
    columns: tuple[str, ...], rows: Iterator[Sequence[str | Sequence[str | None] | None]]
) -> Iterator[TableRow]:
    for number, row in enumerate(rows, start=1):
        cells: dict[str, Cell] = {}
        for name, value in zip(columns, row, strict=True):
            if value is None or isinstance(value, str):
                cells[name] = () if value is None else (value,)
            else:
                cells[name] = tuple(one for one in value if one is not None)
        yield TableRow(number, cells)


def _of_sheet(columns: tuple[str, ...], rows: Iterator[Row]) -> Iterator[TableRow]:
    """The rows of a sheet; empty rows are skipped but counted, as in the spreadsheet."""
    for number, row in enumerate(rows, start=1):
        if any(row):
            beyond = sum(bool(text) for text in row[len(columns) :])
            fault = f"{beyond} cells right of the last column, where the heading names {len(columns)}" if beyond else ""
            cells = {name: () if text is None else (text,) for name, text in zip(columns, row, strict=False)}
            yield TableRow(number, cells, fault)


# --- CSV and TSV ----------------------------------------------------------------------------------------------------

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Two bytes that are one letter in UTF-8 and an unlikely sequence in Windows-1252.
_UTF8_LETTER = re.compile(rb"[\xc3-\xc5][\x80-\xbf]")
_DELIMITERS = ",;\t|"
_SAMPLE = 64 * 1024


def _encoding(path: Path) -> tuple[str, str]:
    """The encoding of a text file, and a note about it.

    The whole file is read: a single letter at its end can rule out UTF-8.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    line, beyond_ascii = 1, False
    with open(path, "rb") as stream:
        chunk = stream.read(_SAMPLE)
        for mark, encoding in _MARKS:
            if chunk.startswith(mark):
                return encoding, ""
        if chunk.count(0) * 4 > len(chunk) > 1:
            # Every other byte of mostly ASCII text is zero in UTF-16.
            encoding = "utf-16-le" if chunk[1::2].count(0) > chunk[::2].count(0) else "utf-16-be"
            return encoding, f"the text has no mark of its encoding: read as {encoding.upper()}"
        try:
            while chunk:
                decoder.decode(chunk)
                line += chunk.count(b"\n")
                beyond_ascii = beyond_ascii or not chunk.isascii()
                chunk = stream.read(_SAMPLE)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            line += chunk.count(b"\n", 0, error.start)
            mixed = beyond_ascii or _UTF8_LETTER.search(chunk)
            also = "; other letters look like UTF-8 and will be wrong: give the file one encoding" if mixed else ""
            return "cp1252", f"the text is not UTF-8 (line {line:,}): read as Windows-1252{also}"
    return "utf-8", ""


def _delimited(path: Path, stream: io.TextIOBase, format: TableFormat, note: str) -> Table:
    sample = stream.read(_SAMPLE)
    stream.seek(0)
    delimiter = format.delimiter or sniff_delimiter(sample)
    reader = _TabSeparated(stream) if delimiter == "\t" else csv.reader(stream, delimiter=delimiter, strict=True)
    try:
        heading, all_rows = _heading(iter(reader), format.heading)
        columns, below_heading = _below_heading(path, all_rows, heading)
        units, below = _units(columns, below_heading, format)
    except csv.Error as error:
        raise _csv_fault(path, reader.line_num, error) from None

    def rows() -> Iterator[TableRow]:
        number, width = 0, len(columns)
        try:
            for cells in below:
                # Skip empty lines.
                if not cells:
                    continue
                number += 1
                fault = ""
                if len(cells) != width:
                    fault = f"{len(cells)} cells, where the heading has {width} (line {reader.line_num})"
                yield TableRow(number, {name: (text,) for name, text in zip(columns, cells, strict=False)}, fault)  # type: ignore[misc]  # a text has no empty cells
        except csv.Error as error:
            raise _csv_fault(path, reader.line_num, error) from None

    found = replace(format, delimiter=delimiter, heading=heading, units=bool(units))
    return Table(path, columns, rows, note, found, units=units)


class _TabSeparated:
    r"""The rows of a tab-separated file with quotes doubled (RFC 4180) or escaped by a backslash.

    SPARQL 1.1 Query Results TSV and many programs use backslashes. They are tried if a line is otherwise invalid:
    `"a\"` is `a\`, and `"say \"no\""` is `say "no"`.

    Attributes:
        line_num: the number of lines read.
    """

    def __init__(self, stream: io.TextIOBase) -> None:
        self._lines = iter(stream)
        self.line_num = 0

    def __iter__(self) -> Iterator[list[str]]:
        """Iterate like a reader of the csv module, with its errors."""
        for line in self._lines:
            self.line_num += 1
            if '"' not in line and len(line) <= csv.field_size_limit():
                bare = line.rstrip("\r\n")
                yield bare.split("\t") if bare else []
                continue
            cells = _backslashed(line) if '\\"' in line else None
            if cells is not None:
                yield cells
                continue
            reader = csv.reader(chain([line], self._lines), delimiter="\t", strict=True)
            try:
                yield next(reader)
            finally:
                self.line_num += reader.line_num - 1


_BACKSLASHED = re.compile(r'"((?:[^"\\]|\\.)*)"\Z')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", '"': '"', "\\": "\\", "'": "'"}


def _backslashed(line: str) -> list[str] | None:
    """The cells of a line with backslash escapes; None if it is invalid or has doubled quotes."""
    with suppress(csv.Error):
        next(csv.reader([line], delimiter="\t", strict=True), None)
        return None
    cells = []
    for cell in line.rstrip("\r\n").split("\t"):
        quoted = _BACKSLASHED.match(cell)
        if quoted is None and cell.startswith('"'):
            return None
        text = cell if quoted is None else quoted[1]
        cells.append(text if quoted is None else _ESCAPE.sub(lambda at: _ESCAPED.get(at[1], at[0]), text))
    return cells


def _csv_fault(path: Path, line: int, error: csv.Error) -> SourceSyntaxError:
    if "field limit" in str(error):
        limit = csv.field_size_limit()
        return SourceSyntaxError(
            f"a cell has more than {limit:,} characters", f"{path}:{line}", "look for a quote that is not closed"
        )
    return SourceSyntaxError(f"not a sound table ({error})", f"{path}:{line}", "check the quotes there")


def sniff_delimiter(sample: str) -> str:
    """The delimiter that splits the first lines into the most, and equally many, cells."""

    def score(delimiter: str) -> tuple[bool, int]:
        lines = sample.splitlines()[:20]
        try:
            widths = [len(row) for row in csv.reader(lines if len(lines) < 2 else lines[:-1], delimiter=delimiter)]
        except csv.Error:
            return False, 0
        widths = [width for width in widths if width] or [0]
        return widths[0] > 1 and widths.count(widths[0]) * 2 >= len(widths), widths[0]

    return max(_DELIMITERS, key=score)
