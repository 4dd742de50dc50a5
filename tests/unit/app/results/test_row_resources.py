"""The resources in the columns of rows: each once, so many at most, and those whose labels are still to be asked for."""

from __future__ import annotations

from collections.abc import Sequence

from hpc_explorer.app.results.row_resources import MOST_DRAWN, Drawable, drawable_columns, resources_of, unnamed_in
from hpc_explorer.app.results.rows import HeldRows, RowBatch
from hpc_explorer.app.results.table_files import row_table
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.query.table import Column, kinds_in
from hpc_explorer.rdf.terms import Literal, NamedNode, Term
from tests.helpers.graphs import ex


def ref(name: str) -> ResourceRef:
    return ResourceRef(ex(name), name, ex(name).value, f"e:{name}", "", "")


def rows_of(*columns: Sequence[Term | None]) -> HeldRows:
    names = ["run", "size", "on"][: len(columns)]
    held = HeldRows([Column(name.capitalize(), name=name) for name in names])
    found = {value for values in columns for value in values if isinstance(value, NamedNode)}
    refs = {value: ref(value.value.rpartition("/")[2]) for value in found}
    held.add(RowBatch(len(columns[0]), columns, refs, tuple(map(kinds_in, columns))))
    return held


A, B, C = ex("a"), ex("b"), ex("c")
HELD = rows_of([A, B, A, None], [Literal(1), Literal(2), Literal(3), Literal(4)], [C, C, C, C])


def test_the_resources_of_a_column_are_found_once_among_the_rows_that_are_shown() -> None:
    assert resources_of(HELD, [2, 1, 0], 0) == [A, B]
    assert resources_of(HELD, [1, 3], 0) == [B]
    assert resources_of(HELD, range(4), 1) == []


def test_a_column_says_how_many_resources_it_has() -> None:
    assert drawable_columns(HELD, range(4), [2, 1, 0]) == [
        Drawable(2, "On: 1", ("1–1 of 1",)),
        Drawable(0, "Run: 2", ("1–2 of 2",)),
    ]


def test_many_are_drawn_in_parts() -> None:
    held = rows_of([ex(f"n{number}") for number in range(MOST_DRAWN + 5)])
    assert len(resources_of(held, range(len(held)), 0)) == MOST_DRAWN + 5
    (column,) = drawable_columns(held, range(len(held)), [0])
    assert (column.title, column.parts) == ("Run: 205", ("1–200 of 205", "201–205 of 205"))


def test_a_resource_is_unnamed_until_its_label_came() -> None:
    held = rows_of([A, B, A, C])
    assert unnamed_in(held, [0, 1, 2]) == [A, B]
    held.name({A: ref("a")}, {})
    assert unnamed_in(held, [0, 1, 2]) == [B]


def test_a_table_has_the_rows_and_columns_that_are_shown_in_their_order() -> None:
    table = row_table(HELD, [1, 0], [2, 0])
    assert [(one.name, one.heading) for one in table.columns] == [("on", "On"), ("run", "Run")]
    assert list(table.rows) == [(C, B), (C, A)]
