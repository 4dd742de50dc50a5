"""Where the tables of a TOML text stand, line by line, so that one can be changed and all else stays as it is written.

Source: TOML 1.0, "String", "Comment", "Array of Tables".
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Block:
    """The lines of one table that begins with a header in brackets.

    Args:
        first: the line of its header, from 0.
        end: the line after its last one; blank lines and comments before the next header are no part of it.
        comments: the comments within it, each with its sign.
    """

    first: int
    end: int
    comments: tuple[str, ...]


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends, as TOML counts them: other signs that end a line stand in its texts."""
    return list(io.StringIO(text, newline="\n"))


def blocks_of(text: str) -> tuple[Block, ...]:
    """The tables of a text that is TOML, in their order."""
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
    """Of each line: whether it is a header, its comment, and whether it says anything else."""
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
                    # Up to two quotation marks may stand right before those that close a text of several lines.
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
    """A text as a basic string of TOML."""
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(sign: str) -> str:
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    # Editors end a line at these.
    if ord(sign) < 0x20 or sign in "\x7f\x85\u2028\u2029":
        return f"\\u{ord(sign):04X}"
    return sign
