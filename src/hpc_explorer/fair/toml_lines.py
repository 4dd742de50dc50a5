"""Locate the tables of a TOML text by line, so that one can be changed without touching the rest.

Source: TOML 1.0, "String", "Comment", "Array of Tables".
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Block:
    """The lines of one table with a header in brackets.

    Args:
        first: the header's line, from 0.
        end: the line after its last; blank lines and comments before the next header are excluded.
        comments: its comments, including the #.
    """

    first: int
    end: int
    comments: tuple[str, ...]


def lines_of(text: str) -> list[str]:
    """Split a text into lines with their ends, as TOML does; other line separators may occur in strings."""
    return list(io.StringIO(text, newline="\n"))


def blocks_of(text: str) -> tuple[Block, ...]:
    """The tables of a valid TOML text, in order."""
    lines = list(_looked_at(text))
    heads = [number for number, (is_head, _, _) in enumerate(lines) if is_head]
    found = []
    for first, after in pairwise([*heads, len(lines)]):
        end = after
        while not lines[end - 1][2]:
            end -= 1
        found.append(Block(first, end, tuple(comment for _, comment, _ in lines[first:end] if comment)))
    return tuple(found)


def _looked_at(text: str) -> Iterator[tuple[bool, str, bool]]:
    """For each line: whether it is a header, its comment, and whether it has other content."""
    quotes = ""
    for line in lines_of(text):
        says = bool(quotes)
        is_head = not quotes and line.lstrip().startswith("[")
        comment, at = "", 0
        while at < len(line):
            if quotes:
                if quotes[0] == '"' and line[at] == "\\":
                    at += 2
                elif line.startswith(quotes, at):
                    at += len(quotes)
                    # Up to two quotation marks may directly precede the closing ones of a multi-line string.
                    while len(quotes) == 3 and line.startswith(quotes[0], at):
                        at += 1
                    quotes = ""
                else:
                    at += 1
            elif line[at] == "#":
                comment = line[at:].rstrip()
                break
            elif line[at] in "\"'":
                says = True
                quotes = line[at] * 3 if line.startswith(line[at] * 3, at) else line[at]
                at += len(quotes)
            else:
                says = says or not line[at].isspace()
                at += 1
        if len(quotes) == 1:
            quotes = ""
        yield is_head, comment, says


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def toml_text(text: str) -> str:
    """Quote a text as a basic string of TOML."""
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(sign: str) -> str:
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    # Editors break lines at these.
    if ord(sign) < 0x20 or sign in "\x7f\x85\u2028\u2029":
        return f"\\u{ord(sign):04X}"
    return sign
