"""Parsing untrusted JSON (RFC 8259): errors have positions, and nesting is limited."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from hpc_explorer.errors import SourceSyntaxError, SourceUnreadable
from hpc_explorer.rdf.syntax.faults import marked

DEEPEST = 500
"""Limit of nested objects and arrays; the engine's memory grows with each level."""

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NO_BRACKET = re.compile(r"[^\[\]{}]+")
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


class _Constant(ValueError):
    """NaN or Infinity, which Python's parser accepts."""


def _refuse_constant(name: str) -> None:
    raise _Constant(name)


def parse_json(
    text: str,
    where: str,
    *,
    parse_int: Callable[[str], Any] | None = None,
    parse_float: Callable[[str], Any] | None = None,
    parse_constant: Callable[[str], Any] = _refuse_constant,
) -> Any:
    """The value of a JSON text.

    Args:
        text: the text; control characters in strings are allowed.
        where: its name in errors.
        parse_int, parse_float: converters of numbers; None for Python's int and float.
        parse_constant: converter of NaN and Infinity, which JSON does not have; they are refused without one.

    Raises:
        SourceSyntaxError: the text is not JSON, or an object has the same key twice; has line and column.
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
            raise SourceSyntaxError(f'the key "{twice}" occurs twice in one object', where, "join its values")
        return members

    try:
        return json.loads(
            text,
            strict=False,
            object_pairs_hook=object_of,
            parse_int=parse_int,
            parse_float=parse_float,
            parse_constant=parse_constant,
        )
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        fault = SourceSyntaxError(error.msg[:1].lower() + error.msg[1:], place, "correct it there")
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated"):
            fault = SourceSyntaxError("unexpected end of file", place, "the file may be cut short")
        fault.excerpt = marked(text[error.pos - error.colno + 1 :].partition("\n")[0], error.colno)
        raise fault from None
    except _Constant as error:
        raise SourceSyntaxError(
            f"{error} is not a number in JSON", where, "write it as a text, or leave it out"
        ) from None


def nesting(text: str) -> int:
    """The largest number of open brackets in a JSON text, which may be incomplete."""
    brackets = _NO_BRACKET.sub("", _STRING.sub("", text))
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)
