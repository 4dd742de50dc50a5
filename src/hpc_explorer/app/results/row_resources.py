"""The resources in columns of rows, for drawing and for looking up labels."""

from __future__ import annotations

from collections.abc import Sequence

from hpc_explorer.app.results.rows import HeldRows
from hpc_explorer.query.table import CellKind
from hpc_explorer.rdf.terms import Resource, is_resource

MOST_DRAWN = 200
"""The most resources of a column to draw at once."""

MOST_LOOKED_THROUGH = 10_000
"""The most rows to search for them."""


def resources_of(held: HeldRows, shown: Sequence[int], column: int) -> list[Resource]:
    """The first `MOST_DRAWN` resources of a column without duplicates and quantities.

    Args:
        shown: the rows to search.
    """
    found: dict[Resource, None] = {}
    for row in shown[:MOST_LOOKED_THROUGH]:
        value = held.term(row, column)
        if is_resource(value) and value not in held.amounts:
            found[value] = None
            if len(found) == MOST_DRAWN:
                break
    return list(found)


def drawable_columns(held: HeldRows, shown: Sequence[int], columns: Sequence[int]) -> list[tuple[int, str]]:
    """The columns with resources, each with its heading and their number."""
    found = []
    for place in columns:
        if held.columns[place].kind not in (CellKind.RESOURCE, CellKind.TEXT):
            continue
        number = len(resources_of(held, shown, place))
        if number:
            cut_off = number == MOST_DRAWN or len(shown) > MOST_LOOKED_THROUGH
            found.append((place, f"{held.columns[place].heading}: {'the first ' * cut_off}{number:,}"))
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
