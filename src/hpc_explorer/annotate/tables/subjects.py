"""Which row had an IRI first, remembered in a table of a fixed size.

Of each IRI 64 bits of its hash are kept and the number of its row: twelve bytes a slot, 48 MB at most. Two IRIs that
are taken for one have a chance of one in a million even where the table is full.
"""

from __future__ import annotations

from array import array

MOST = 3_000_000
"""How many IRIs are remembered; of those that come after, nobody knows whether they were there before."""

_SMALLEST = 2**12


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

    def earlier(self, iri: str, row: int) -> int | None:
        """The row that had this IRI before, which is remembered; 0: none had; None: there is no room to know."""
        mark = hash(iri) & 0xFFFF_FFFF_FFFF_FFFF or 1
        place = self._place(mark)
        if self._hashes[place]:
            return self._rows[place]
        if self._number == self._most:
            return None
        self._hashes[place], self._rows[place] = mark, row
        self._number += 1
        if self._number * 4 > len(self._hashes) * 3:
            self._grow()
        return 0

    def _place(self, mark: int) -> int:
        """The slot that holds a mark, or where it belongs."""
        hashes, last = self._hashes, len(self._hashes) - 1
        place = mark & last
        while hashes[place] and hashes[place] != mark:
            place = (place + 1) & last
        return place

    def _grow(self) -> None:
        hashes, rows = self._hashes, self._rows
        self._hashes, self._rows = array("Q", bytes(16 * len(hashes))), array("I", bytes(8 * len(rows)))
        for mark, row in zip(hashes, rows, strict=True):
            if mark:
                place = self._place(mark)
                self._hashes[place], self._rows[place] = mark, row
