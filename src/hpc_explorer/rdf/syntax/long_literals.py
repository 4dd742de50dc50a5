"""Literals longer than the engine's buffer: replaced by short names before parsing and restored afterwards.

Loading such a document into a store directly would change the spelling of numbers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator

from hpc_explorer.rdf.syntax.formats import JSON_LD, Format
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad

_LONG = 4 * 1024 * 1024

# Turtle, section 6.5: strings, comments and IRIs, which can contain quotation marks. The group of a long string is not
# possessive: up to Python 3.11.4 such a group with a choice inside does not match (cpython#106052).
_TURTLE_STRING = re.compile(
    rb"""\#[^\n]*+
    | <[^<>"{}|^`\\\x00-\x20]*+>
    | (?P<open>\"{3})(?P<long>[^"\\]*+(?:(?:\\.|\"{1,2}(?!\"))[^"\\]*+)*)\"{3}
    | '{3}(?P<long_single>[^'\\]*+(?:(?:\\.|'{1,2}(?!'))[^'\\]*+)*)'{3}
    | "(?P<short>[^"\\\n\r]*+(?:\\.[^"\\\n\r]*+)*+)"
    | '(?P<short_single>[^'\\\n\r]*+(?:\\.[^'\\\n\r]*+)*+)'""",
    re.VERBOSE | re.DOTALL,
)
_JSON_STRING = re.compile(rb'"(?P<short>[^"\\]*+(?:\\.[^"\\]*+)*+)"', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


class LongLiterals:
    """The long literals of a document by the short names that replace them.

    Args:
        format: any except RDF/XML, whose reader has no such limit.
    """

    def __init__(self, format: Format) -> None:
        self._is_json = format == JSON_LD
        self._mark = f"long-literal-{os.urandom(16).hex()}-"
        self._values: list[str] = []

    def taken_out(self, data: bytes) -> bytes:
        """The document with its long literals replaced; line numbers do not change.

        Raises:
            UnicodeDecodeError: a literal is not UTF-8.
        """
        parts: list[bytes] = []
        end = 0
        for string in (_JSON_STRING if self._is_json else _TURTLE_STRING).finditer(data):
            if string.end() - string.start() < _LONG or string.lastgroup is None:
                continue
            start, stop = string.span(string.lastgroup)
            body = data[start:stop].decode("utf-8")
            name = f"{self._mark}{len(self._values)}"
            self._values.append(json.loads(f'"{body}"', strict=False) if self._is_json else _unescaped(body))
            # Line breaks in the name keep later line numbers; the name is recognised by its start.
            breaks = body.count("\n")
            parts += (data[end:start], name.encode(), b"\n" * breaks if string.lastgroup.startswith("long") else b"")
            end = stop
        return b"".join((*parts, data[end:]))

    def put_back(self, quads: Iterable[Quad]) -> Iterator[Quad]:
        """The quads with the long literals restored.

        Raises:
            MemoryError: a replaced token was an IRI.
        """
        for quad in quads:
            literal = quad.object
            if any(isinstance(term, NamedNode) and self._mark in term.value for term in quad):
                raise MemoryError("an IRI is longer than the reader's buffer")
            if isinstance(literal, Literal) and literal.value.startswith(self._mark):
                value = self._values[int(literal.value[len(self._mark) :])]
                yield Quad(quad.subject, quad.predicate, _with_value(literal, value), quad.graph_name)
            else:
                yield quad


def _with_value(literal: Literal, value: str) -> Literal:
    if literal.language is None:
        return Literal(value, datatype=literal.datatype)
    return Literal(value, language=literal.language, direction=literal.direction)


def _unescaped(body: str) -> str:
    """A Turtle string with escapes resolved (Turtle, section 6.4)."""
    if "\\" not in body:
        return body

    def character(escape: re.Match[str]) -> str:
        short, long, other = escape.groups()
        if other is not None:
            return _ESCAPED.get(other, other)
        return chr(int(short or long, 16))

    return _ESCAPE.sub(character, body)
