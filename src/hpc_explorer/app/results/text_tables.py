"""Rows as text with aligned columns, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence


def table(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset(), indent: str = "") -> list[str]:
    """Align rows in columns; those in `right` are right-aligned."""
    if not rows:
        return []
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        (
            indent
            + "  ".join(
                cell.rjust(width) if column in right else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
        ).rstrip()
        for row in rows
    ]


def ruled_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()
) -> list[str]:
    """Rows as aligned columns below their headings and a line."""
    widths = [max([len(head), *(len(row[column]) for row in rows)]) for column, head in enumerate(heads)]
    return table([heads, ["─" * width for width in widths], *rows], right=right)
