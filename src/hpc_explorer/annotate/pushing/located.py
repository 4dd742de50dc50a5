"""Statements with their positions in a text, for editing in place."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Protocol

from hpc_explorer.rdf.terms import Quad


class NotInPlaces(Exception):
    """The text cannot be edited in place reliably; `str` gives the reason."""


class LocatedStatements(Protocol):
    """The statements of one text."""

    @property
    def quads(self) -> Sequence[Quad]:
        """All statements, including repeated ones; a blank node has one name, its label if it has one."""
        ...

    def changed(self, removed: Collection[Quad], added: Sequence[Quad]) -> str:
        """The text with statements removed and added; everything else is unchanged.

        Args:
            removed: statements to remove; those not in `quads` are ignored.
            added: statements to add, with blank nodes of `quads` or new ones.

        Raises:
            NotInPlaces: the edit cannot be made reliably.
        """
        ...


def newline_of(text: str) -> str:
    """The most frequent line end of a text."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


def unescaped(text: str) -> str:
    """A string or IRI with escapes resolved (Turtle, section 6.4)."""
    if "\\" not in text:
        return text

    def character(escape: re.Match[str]) -> str:
        short, long, other = escape.groups()
        return _ESCAPED.get(other, other) if other is not None else chr(int(short or long, 16))

    return _ESCAPE.sub(character, text)
