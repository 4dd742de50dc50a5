"""Which row had an IRI first, and whether it said the same, remembered in a table of a fixed size.

Of each IRI 64 bits of its hash are kept, 32 bits of the hash of what its row says, and the number of the row: sixteen
bytes a slot, 64 MB at most. Two IRIs that are taken for one have a chance of one in a million even where the table is
full.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

MOST = 3_000_000
"""How many IRIs are remembered; of those that come after, nobody knows whether they were there before."""

_SMALLEST = 2**12


@dataclass(frozen=True)
class Earlier:
    """The row that had an IRI first.

    Args:
        row: its number.
        same: whether it said the same.
    """

    row: int
    same: bool


class Full(Exception):
    """There is no room left to remember an IRI."""


class Subjects:
    """The IRIs of the rows so far.

    Args:
        most: how many are remembered.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._number = 0
        self._hashes = array("Q", bytes(8 * _SMALLEST))
        self._rows = array("I", bytes(4 * _SMALLEST))
        self._said = array("I", bytes(4 * _SMALLEST))

    def earlier(self, iri: str, row: int, said: object = None) -> Earlier | None:
        """The row that had this IRI before; None where none had, and this row is remembered.

        Args:
            said: what the row says, to be compared.

        Raises:
            Full: there is no room to know.
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
        """The slot that holds a mark, or where it belongs."""
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
