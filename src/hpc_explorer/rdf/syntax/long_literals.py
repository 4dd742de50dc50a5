"""Literals that are longer than the engine's buffer: taken out of the text before it is parsed, put back after.

The engine could load such a document as a whole into a store of its own, but a store respells numbers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator

from hpc_explorer.rdf.syntax.formats import JSON_LD, Format
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad

_LONG = 4 * 1024 * 1024

# Turtle, section 6.5: strings, and what can hold a quotation mark that begins none. The group of a long string is not
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
    """The long literals of one document, each known by a short name that stands in its place.

    Args:
        format: any but RDF/XML, whose reader has no such limit.
    """

    def __init__(self, format: Format) -> None:
        self._is_json = format == JSON_LD
        self._mark = f"long-literal-{os.urandom(16).hex()}-"
        self._values: list[str] = []

    def taken_out(self, data: bytes) -> bytes:
        """The document with names for its long literals; lines stay where they are.

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
            # A name with line breaks keeps the lines of what follows; it is recognised by its beginning.
            breaks = body.count("\n")
            parts += (data[end:start], name.encode(), b"\n" * breaks if string.lastgroup.startswith("long") else b"")
            end = stop
        return b"".join((*parts, data[end:]))

    def put_back(self, quads: Iterable[Quad]) -> Iterator[Quad]:
        """The quads with the long literals in their places.

        Raises:
            MemoryError: what was taken out was no literal but an IRI.
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
    """A Turtle string without its escapes (Turtle, section 6.4)."""
    if "\\" not in body:
        return body

    def character(escape: re.Match[str]) -> str:
        short, long, other = escape.groups()
        if other is not None:
            return _ESCAPED.get(other, other)
        return chr(int(short or long, 16))

    return _ESCAPE.sub(character, body)
