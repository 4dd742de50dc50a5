"""Read JSON records as rows: an array of objects, an object of objects, or one object per line, one at a time.

Nested values get dotted names: `basicInfo.language`. In an object of records the key becomes the column `@key`. Numbers
keep their spelling.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from hpc_explorer.annotate.tables.rows import Cell, TableRow
from hpc_explorer.errors import SourceSyntaxError

KEY = "@key"
"""The column of a record's key in an object of records."""

_CHUNK = 64 * 1024
_LARGEST = 64 * 1024 * 1024
_SPACE = re.compile(r"[\s,]*")


def json_rows(path: Path, stream: TextIO, *, by_line: bool = False) -> Iterator[TableRow]:
    """The records of a file.

    Args:
        path: for error messages.
        stream: its content.
        by_line: whether the extension means JSON Lines; else an object of objects has records.

    Raises:
        SourceSyntaxError: invalid JSON, or a record larger than 64 MiB.
    """
    text = _Text(path, stream)
    opening = text.peek()
    keyed = opening == "{" and not by_line and not text.is_record()
    if opening == "[" or keyed:
        text.skip_one()
    elif opening != "{":
        raise SourceSyntaxError(
            "no records in this file", str(path), "it should be an array of objects, or an object a line"
        )
    number = 0
    while True:
        sign = text.peek()
        if sign in ("", "]", "}"):
            if sign == "" and (opening == "[" or keyed):
                raise SourceSyntaxError("the file ends in the middle", str(path), "get it anew")
            return
        number += 1
        cells: dict[str, Cell] = {}
        if keyed:
            cells[KEY] = (str(text.value()),)
            if text.peek() != ":":
                raise SourceSyntaxError("a key without its record", str(path), "check the file")
            text.skip_one()
            text.peek()
        record = text.value()
        if not isinstance(record, dict):
            yield TableRow(number, cells, "not an object with names")
            continue
        try:
            _flatten(record, "", cells)
        except RecursionError:
            raise text.too_deep() from None
        yield TableRow(number, cells)


def _flatten(record: dict[str, Any], before: str, cells: dict[str, Cell]) -> None:
    for name, value in record.items():
        if isinstance(value, dict):
            _flatten(value, f"{before}{name}.", cells)
        elif isinstance(value, list):
            cells[before + name] = tuple(_text_of(member) for member in value if member is not None)
        else:
            cells[before + name] = () if value is None else (_text_of(value),)


class _Number(str):
    """A number with its spelling."""

    __slots__ = ()


def _text_of(value: object) -> str:
    return value if isinstance(value, str) else _json(value)


def _json(value: object) -> str:
    """Encode JSON with the original spelling of numbers."""
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, dict):
        members = (f"{json.dumps(name, ensure_ascii=False)}: {_json(one)}" for name, one in value.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_json, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


class _Text:
    """A text that is read on demand."""

    def __init__(self, path: Path, stream: TextIO) -> None:
        self._path = path
        self._stream = stream
        self._held = ""
        self._line = 1
        self._decoder = json.JSONDecoder(parse_int=_Number, parse_float=_Number)

    def peek(self) -> str:
        """The next character except whitespace and commas; empty at the end."""
        while True:
            self._leave(_SPACE.match(self._held).end())  # type: ignore[union-attr]
            if self._held or not self._more():
                return self._held[:1]

    def skip_one(self) -> None:
        """Skip the peeked character."""
        self._leave(1)

    def is_record(self) -> bool:
        """Whether the next object is a record, not an object of objects."""
        held = ""
        while held != self._held and len(self._held) < _LARGEST:
            held = self._held
            key = re.match(r'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(\S)', held)
            if key is not None:
                return key[1] != "{"
            self._more()
        return True

    def value(self) -> Any:
        """Read the next value."""
        while True:
            try:
                value, end = self._decoder.raw_decode(self._held)
            except json.JSONDecodeError as error:
                if len(self._held) < _LARGEST and self._more():
                    continue
                where = f"{self._path}:{self._line + error.lineno - 1}"
                raise SourceSyntaxError(f"not valid JSON ({error.msg})", where, "check the file there") from None
            except RecursionError:
                raise self.too_deep() from None
            self._leave(end)
            return value

    def too_deep(self) -> SourceSyntaxError:
        """The error for a record that is nested too deeply."""
        return SourceSyntaxError("a record is nested too deeply", str(self._path), "flatten it")

    def _leave(self, signs: int) -> None:
        self._line += self._held.count("\n", 0, signs)
        self._held = self._held[signs:]

    def _more(self) -> bool:
        # Doubling the buffer keeps the scanning of large records linear.
        chunk = self._stream.read(max(_CHUNK, len(self._held)))
        self._held += chunk
        return bool(chunk)
