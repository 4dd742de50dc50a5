"""One row of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Cell = tuple[str, ...]
"""The values of a cell: one, none (JSON's null), or the items of a list."""


@dataclass(frozen=True)
class TableRow:
    """A row.

    Args:
        number: the row number, from 1 below the heading.
        cells: by column name.
        fault: why the row cannot be read; may be empty.
    """

    number: int
    cells: Mapping[str, Cell]
    fault: str = ""

    def text(self, column: str) -> str:
        """A cell's text without surrounding whitespace; empty if it has none or several."""
        cell = self.cells.get(column, ())
        return cell[0].strip() if len(cell) == 1 else ""
