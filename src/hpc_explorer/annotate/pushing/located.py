"""Statements of a text and where they stand in it, so that some can be taken out, put in or replaced there alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Protocol

from hpc_explorer.rdf.terms import Quad


class NotInPlaces(Exception):
    """A text that cannot be changed in places with certainty; `str` of it says why, for a person."""


class LocatedStatements(Protocol):
    """The statements of one text."""

    @property
    def quads(self) -> Sequence[Quad]:
        """Each as often as it stands there; a blank node has one name throughout, its own where it has one."""
        ...

    def changed(self, removed: Collection[Quad], added: Sequence[Quad]) -> str:
        """The text without some statements and with others; what has nothing to do with them is as it was.

        Args:
            removed: such that are not among `quads` count for nothing.
            added: their blank nodes are those of `quads`, or new ones.

        Raises:
            NotInPlaces: that cannot be done with certainty.
        """
        ...


def newline_of(text: str) -> str:
    """How most lines of a text end."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


def unescaped(text: str) -> str:
    """A string or IRI without its escapes (Turtle, section 6.4)."""
    if "\\" not in text:
        return text

    def character(escape: re.Match[str]) -> str:
        short, long, other = escape.groups()
        return _ESCAPED.get(other, other) if other is not None else chr(int(short or long, 16))

    return _ESCAPE.sub(character, text)
