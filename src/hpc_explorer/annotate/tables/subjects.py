"""Detect repeated row IRIs with a hash table of fixed size.

Each slot has 64 bits of the IRI's hash, 32 bits of the hash of the row's statements, and the row number: sixteen bytes,
64 MB at most. The probability of a collision is one in a million even if the table is full.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

MOST = 3_000_000
"""The most IRIs in the table; later IRIs are not checked."""

_SMALLEST = 2**12


@dataclass(frozen=True)
class Earlier:
    """The first row with an IRI.

    Args:
        same: whether its statements were the same.
    """

    row: int
    same: bool


class Full(Exception):
    """The table is full."""


class Subjects:
    """The IRIs of the rows so far.

    Args:
        most: the most IRIs.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._number = 0
        self._hashes = array("Q", bytes(8 * _SMALLEST))
        self._rows = array("I", bytes(4 * _SMALLEST))
        self._said = array("I", bytes(4 * _SMALLEST))

    def earlier(self, iri: str, row: int, said: object = None) -> Earlier | None:
        """The earlier row with this IRI; None if there was none, and this row is added.

        Args:
            said: the row's statements, to compare.

        Raises:
            Full: the table is full.
        """
        mark = hash(iri) & 0xFFFF_FFFF_FFFF_FFFF or 1
        content = hash(said) & 0xFFFF_FFFF
        place = self._place(mark)
        if self._hashes[place]:
            return Earlier(self._rows[place], self._said[place] == content)
        if self._number == self._most:
            raise Full
        self._hashes[place], self._rows[place], self._said[place] = mark, row, content
        self._number += 1
        if self._number * 4 > len(self._hashes) * 3:
            self._grow()
        return None

    def _place(self, mark: int) -> int:
        """The slot of a hash, or a free one for it."""
        hashes, last = self._hashes, len(self._hashes) - 1
        place = mark & last
        while hashes[place] and hashes[place] != mark:
            place = (place + 1) & last
        return place

    def _grow(self) -> None:
        slots = zip(self._hashes, self._rows, self._said, strict=True)
        wider = 2 * len(self._hashes)
        self._hashes, self._rows = array("Q", bytes(8 * wider)), array("I", bytes(4 * wider))
        self._said = array("I", bytes(4 * wider))
        for mark, row, content in slots:
            if mark:
                place = self._place(mark)
                self._hashes[place], self._rows[place], self._said[place] = mark, row, content
