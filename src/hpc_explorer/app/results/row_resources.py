"""The resources in columns of rows, for drawing and for looking up labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hpc_explorer.app.results.rows import HeldRows
from hpc_explorer.query.table import CellKind
from hpc_explorer.rdf.terms import Resource, is_resource

MOST_DRAWN = 200
"""The most resources of a column to draw at once; the following ones are the next part."""

MOST_LOOKED_THROUGH = 10_000
"""The most rows to search for them."""


def resources_of(held: HeldRows, shown: Sequence[int], column: int) -> list[Resource]:
    """The resources of a column without duplicates and quantities, in the first `MOST_LOOKED_THROUGH` rows.

    Args:
        shown: the rows to search.
    """
    values = (held.term(row, column) for row in shown[:MOST_LOOKED_THROUGH])
    return list(dict.fromkeys(value for value in values if is_resource(value) and value not in held.amounts))


@dataclass(frozen=True)
class Drawable:
    """A column with resources, in parts that can be drawn at once.

    Args:
        title: its heading and the number of its resources, such as `dataset: 12,500`.
        parts: the titles of the parts, such as `201–400 of 12,500`, each of `MOST_DRAWN` resources or the rest.
    """

    column: int
    title: str
    parts: tuple[str, ...]


def drawable_columns(held: HeldRows, shown: Sequence[int], columns: Sequence[int]) -> list[Drawable]:
    """The columns with resources."""
    found = []
    for place in columns:
        if held.columns[place].kind not in (CellKind.RESOURCE, CellKind.TEXT):
            continue
        number = len(resources_of(held, shown, place))
        heading, total = held.columns[place].heading, f"{number:,}{'+' * (len(shown) > MOST_LOOKED_THROUGH)}"
        parts = tuple(
            f"{first + 1:,}–{min(first + MOST_DRAWN, number):,} of {total}" for first in range(0, number, MOST_DRAWN)
        )
        if parts:
            found.append(Drawable(place, f"{heading}: {total}", parts))
    return found


def unnamed_in(held: HeldRows, rows: Sequence[int]) -> list[Resource]:
    """The resources in these rows whose labels have not been looked up, without duplicates."""
    found = {
        value: None
        for row in rows
        for column in range(len(held.columns))
        if is_resource(value := held.term(row, column)) and value in held.unnamed
    }
    return list(found)
