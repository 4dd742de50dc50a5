"""JSON that somebody else wrote, parsed: its faults have places, and it cannot be nested without end (RFC 8259)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from hpc_explorer.errors import SourceSyntaxError, SourceUnreadable

DEEPEST = 500
"""So many objects and arrays may stand in one another; the engine needs more and more memory for each level."""

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NO_BRACKET = re.compile(r"[^\[\]{}]+")
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def parse_json(
    text: str,
    where: str,
    *,
    parse_int: Callable[[str], Any] | None = None,
    parse_float: Callable[[str], Any] | None = None,
) -> Any:
    """The value that a JSON text stands for.

    Args:
        text: the text; control characters may stand in its strings.
        where: what it is called in errors.
        parse_int, parse_float: what is made of a number's text; None: Python's int and float.

    Raises:
        SourceSyntaxError: it is no JSON; the error has its line and column. Or a key stands twice in one object.
        SourceUnreadable: it is nested deeper than `DEEPEST`.
    """
    depth = nesting(text)
    if depth > DEEPEST:
        raise SourceUnreadable(
            f"nested {depth:,} levels deep, and at most {DEEPEST} are read", where, "write its parts side by side"
        )

    def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            twice = next(key for number, (key, _) in enumerate(pairs) if key in dict(pairs[:number]))
            raise SourceSyntaxError(f'the key "{twice}" stands twice in one object', where, "join its values")
        return members

    try:
        return json.loads(
            text,
            strict=False,
            object_pairs_hook=object_of,
            parse_int=parse_int,
            parse_float=parse_float,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated"):
            raise SourceSyntaxError("unexpected end of file", place, "the file may be cut short") from None
        raise SourceSyntaxError(error.msg[:1].lower() + error.msg[1:], place, "correct it there") from None
    except _Constant as error:
        raise SourceSyntaxError(f"{error} is no number in JSON", where, "write it as a text, or leave it out") from None


def nesting(text: str) -> int:
    """How many brackets are open at once in a JSON text, at most; also of one that is cut short."""
    brackets = _NO_BRACKET.sub("", _STRING.sub("", text))
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)


class _Constant(ValueError):
    """NaN or Infinity, which Python's reader would take."""


def _refuse_constant(name: str) -> None:
    raise _Constant(name)
