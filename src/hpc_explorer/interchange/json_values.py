"""Read incomplete JSON, which another program is still writing or did not finish; the incomplete rest is reported."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from hpc_explorer.errors import InputError, SourceSyntaxError, SourceUnreadable
from hpc_explorer.interchange.statements import Findings
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.json_text import DEEPEST, parse_json

LARGEST = 256 * 1024 * 1024
"""The most bytes of one JSON document; a file with one document a line may be larger."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[\[\]{},]', re.DOTALL)
_LINES = (".ndjson", ".jsonl", ".log")


def text_of(document: Document) -> str:
    """The text of a document that is read as a whole.

    Raises:
        SourceUnreadable: it is larger than `LARGEST`, or not UTF-8.
    """
    with document.errors_named(), document.open_utf8() as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise SourceUnreadable(f"more than {LARGEST:,} bytes of JSON", document.where, "split the file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceUnreadable(f"not UTF-8 at line {line:,}", document.where, "save it in UTF-8") from None


def read_json(document: Document, findings: Findings, *, depth: int = 2) -> Any:
    """The value of a JSON document. One that is cut short is read up to its last whole record.

    Args:
        depth: how many brackets are open around a record.

    Raises:
        SourceSyntaxError: not JSON, or without a complete record.
        SourceUnreadable: it is too large or nested too deeply.
    """
    text = text_of(document)
    # Python's own writer makes NaN and Infinity, which JSON does not have.
    parse = partial(parse_json, where=document.where, parse_constant=float)
    try:
        return parse(text)
    except SourceSyntaxError as error:
        if "end of file" not in error.what:
            raise
        whole = up_to_last_record(text, depth)
        if whole is None:
            raise
        value = parse(whole)
        findings.lost("cut short, read up to the last whole record", error.where)
        return value


def read_lines(document: Document, findings: Findings) -> Iterator[tuple[int, Any]]:
    """The values of a file with one JSON document a line, with their line numbers. Bad lines are reported."""
    with document.errors_named(), document.open_utf8() as stream:
        for number, line in enumerate(iter(lambda: stream.readline(LARGEST), b""), start=1):
            if not line.strip():
                continue
            where = f"{document.where}:{number}"
            try:
                yield number, parse_json(line.decode("utf-8-sig"), where)
            except UnicodeDecodeError:
                findings.lost("a line that is not UTF-8", where)
            except InputError as error:
                torn = "a half-written line" if "end of file" in error.what else error.what
                findings.lost(torn, where)


def records(document: Document, findings: Findings) -> Iterator[Any]:
    """The records of a document: those of its array, the values of its lines, or the document itself."""
    if is_lines(document):
        for _, value in read_lines(document, findings):
            yield from value if isinstance(value, list) else (value,)
        return
    value = read_json(document, findings, depth=1)
    yield from value if isinstance(value, list) else (value,)


def is_lines(document: Document) -> bool:
    """Whether a document has one JSON value a line."""
    head = document.head().lstrip()
    first, _, rest = head.partition(b"\n")
    if not first.startswith(b"{") or not first.rstrip().endswith(b"}"):
        return document.where.lower().removesuffix(".gz").endswith(_LINES)
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return rest.lstrip().startswith(b"{") or not rest.strip()


def up_to_last_record(text: str, depth: int) -> str | None:
    """The text up to the last complete record, with its open brackets closed; None if there is none.

    Args:
        depth: how many brackets are open around a record.
    """
    stack: list[str] = []
    end, closing = -1, ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign in "[{":
            stack.append("]" if sign == "[" else "}")
            if len(stack) > DEEPEST:
                return None
        elif sign in "]}":
            if not stack or stack.pop() != sign:
                return None
            if len(stack) <= depth:
                end, closing = token.end(), "".join(reversed(stack))
        elif sign == "," and len(stack) <= depth:
            end, closing = token.start(), "".join(reversed(stack))
    return text[:end] + closing if end > 0 else None
