"""The groups of a graph without classes, compared with what the graph states."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.explore.finding import known_resources
from hpc_explorer.app.home.property_groups import property_groups, property_table
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.base import UNKNOWN_COUNT, CountKind
from tests.helpers.sessions import session_of

EX = "http://example.org/"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Three books, two of them with an author, one with two; nobody has a class. One triple is in two files."""
    path, again = tmp_path / "books.nt", tmp_path / "again.nt"
    titles = [f'<{EX}b{n}> <{EX}title> "Book {n}" .' for n in range(3)]
    authors = [f"<{EX}b{n}> <{EX}author> <{EX}{who}> ." for n, who in ((0, "ann"), (0, "bob"), (1, "ann"))]
    path.write_text("\n".join(titles + authors) + "\n", encoding="utf-8")
    again.write_text(titles[0] + "\n", encoding="utf-8")
    return session_of(path, again)


def test_the_resources_with_a_property_are_counted_once_each(session: Session) -> None:
    groups = property_groups(session)
    assert [(group.ref.label, str(group.resources)) for group in groups] == [("title", "3"), ("author", "2")]


def test_a_group_is_a_table_of_its_resources(session: Session) -> None:
    author = property_groups(session)[1]
    table = property_table(session, author)
    assert (len(table.rows), str(table.total), table.words) == (2, "2", "2 rows")
    # The title gives the name, where it is one; the authors of the first are both named.
    column = [one.heading for one in table.rows.columns].index("author")
    assert {table.rows.text(row, column) for row in range(2)} == {"ann", "ann, bob"}
    assert property_table(session, author, most_rows=1).words == "the first 1 of 2 rows"


def test_a_large_group_says_whether_its_number_is_known(tmp_path: Path) -> None:
    path = tmp_path / "many.nt"
    path.write_text("".join(f'<{EX}{n}> <{EX}size> "{n}" .\n' for n in range(10_050)), encoding="utf-8")
    session = session_of(path)
    (group,) = property_groups(session)
    assert property_table(session, group).words == "the first 1,000 of 10,050 rows, not sorted"
    uncounted = type(group)(group.ref, UNKNOWN_COUNT)
    total = property_table(session, uncounted).total
    assert (total.value, total.kind) == (10_001, CountKind.AT_LEAST)


def test_a_resource_without_class_and_name_is_recent_too(session: Session) -> None:
    assert [ref.iri for ref in known_resources(session, [f"{EX}b1", f"{EX}gone"])] == [f"{EX}b1"]
