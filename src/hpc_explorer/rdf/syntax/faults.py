"""Syntax errors of the engine as named errors with file, line and column."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import BinaryIO

from hpc_explorer.errors import ExplorerError, SourceSyntaxError, SourceUnreadable, UnsupportedSyntax
from hpc_explorer.rdf.namespaces import WELL_KNOWN
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.formats import DOTTED, JSON_LD, N3, Format

# The position at the start of the engine's message.
_ENGINE_POSITION = re.compile(r"Parser error (?:at line|between line)[^:]*:\s*")
# Characters of an excerpt on both sides of its place.
_BEFORE, _AFTER = 40, 60

_ON_A_LINE = re.compile(r"\s*\(line \d+\)$")

_UNDECLARED = re.compile(r"prefix (\S*): has not been declared", re.IGNORECASE)
_NO_DOT = re.compile(r"dot is expected", re.IGNORECASE)

_REMEDIES = (
    (_UNDECLARED, "declare the prefix at the top of the file"),
    (_NO_DOT, "end the statement before it with a dot"),
    (
        re.compile(r"line jumps are not allowed", re.IGNORECASE),
        "close the quotes on this line, or put the text in three quotes",
    ),
    (
        re.compile(r"unexpected end|was expected|not closed|not found before end", re.IGNORECASE),
        "the file may be cut short",
    ),
    (re.compile(r"scheme found in an absolute IRI"), "write the whole IRI, or declare a base"),
    (re.compile(r"Invalid IRI", re.IGNORECASE), "check the IRI for spaces and brackets"),
)


def named_fault(
    error: SyntaxError, document: Document, format: Format, reparse: Callable[[BinaryIO], None]
) -> ExplorerError:
    """Convert an error of the engine to a named error.

    Args:
        error: the engine's error.
        document: the document that was read.
        format: its syntax.
        reparse: parses a stream again and fails in the same way; for readers that do not report positions.
    """
    message = str(error.args[0] if error.args else error)
    if "utf-8" in message.lower() and (place := document.not_utf8_at()):
        return SourceUnreadable(
            f"not UTF-8 at byte {place[0]:,}, line {place[1]:,}",
            document.where,
            "save it in UTF-8, for example with iconv",
        )
    reason = _ON_A_LINE.sub("", _ENGINE_POSITION.sub("", message, count=1)).strip()
    if format == N3 and "variables are not allowed" in message:
        return UnsupportedSyntax(
            "N3 rules and variables are not read", document.where, "give the facts alone, as Turtle"
        )
    line, column = error.lineno, error.offset
    if format == JSON_LD:
        # The engine reads a converted text, so its positions do not apply to the document.
        line = column = None
    elif line is None:
        line, column = _place(document, reparse)
    where = document.where + (f":{line}:{column}" if line is not None and column is not None else "")
    fault = SourceSyntaxError(
        reason[:1].lower() + reason[1:] if reason[1:2].islower() else reason, where, _remedy(reason)
    )
    fault.can_skip = format in DOTTED
    if line is not None and column is not None:
        text, before = _line(document, line)
        fault.excerpt = marked(text, column)
        if before and _NO_DOT.search(reason) and not text[: column - 1].strip():
            fault.remedy = f"end the statement on line {before:,} with a dot"
    return fault


def marked(line: str, column: int) -> str:
    """The part of a line around a column, counted from 1, with "▸" before it, and "…" where something is left out."""
    before, after = line[: column - 1], line[column - 1 :]
    begin = f"…{before[-_BEFORE:]}" if len(before) > _BEFORE else before
    return f"{begin}▸{after[:_AFTER]}…" if len(after) > _AFTER else f"{begin}▸{after}"


def _remedy(reason: str) -> str:
    if (undeclared := _UNDECLARED.search(reason)) and (iri := WELL_KNOWN.get(undeclared[1])):
        return f"add this line at the top of the file: @prefix {undeclared[1]}: <{iri}> ."
    return next((remedy for pattern, remedy in _REMEDIES if pattern.search(reason)), "correct it there")


def _line(document: Document, number: int) -> tuple[str, int]:
    """A line of a document, and the number of the last one before it that is neither empty nor a comment, or 0."""
    before = 0
    with document.open_utf8() as stream:
        for at, line in enumerate(stream, 1):
            if at == number:
                return line.decode("utf-8", "replace").rstrip("\r\n"), before
            if line.strip() and not line.lstrip().startswith(b"#"):
                before = at
    return "", before


class _Rationed(io.RawIOBase):
    """A stream that returns one line, later one byte, at a time, which shows the reader's position."""

    def __init__(self, stream: BinaryIO, whole_lines: int | None) -> None:
        self._stream = stream
        self._whole_lines = whole_lines
        self._rest = b""
        self.line = 0
        self.column = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if not self._rest:
            self._rest = self._stream.readline()
            if not self._rest:
                return b""
            self.line += 1
            self.column = 0
        ration = len(self._rest)
        if self._whole_lines is not None and self.line > self._whole_lines:
            ration = 1
        if size >= 0:
            ration = min(ration, size)
        given, self._rest = self._rest[:ration], self._rest[ration:]
        # Columns count characters, not bytes.
        self.column += sum(byte & 0xC0 != 0x80 for byte in given)
        return given


def _place(document: Document, reparse: Callable[[BinaryIO], None]) -> tuple[int | None, int | None]:
    """Line and column of the byte at which the engine fails."""
    last_line: int | None = None
    column: int | None = None
    for whole_lines in (None, 0):
        with document.open_utf8() as stream:
            rationed = _Rationed(stream, None if whole_lines is None else (last_line or 1) - 1)
            try:
                reparse(rationed)  # type: ignore[arg-type]  # a raw stream is enough
            except SyntaxError:
                last_line, column = rationed.line, rationed.column
    return last_line, column
