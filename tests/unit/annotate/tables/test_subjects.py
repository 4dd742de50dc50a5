"""Which row had an IRI first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.tables.subjects import Subjects


@given(st.lists(st.integers(0, 40).map(lambda number: f"https://example.org/{number}"), max_size=120))
def test_the_first_row_of_each_iri_is_known(iris: list[str]) -> None:
    subjects = Subjects()
    for row, iri in enumerate(iris, start=1):
        first = iris.index(iri) + 1
        assert subjects.earlier(iri, row) == (0 if first == row else first)


def test_it_grows_as_it_fills() -> None:
    subjects = Subjects()
    assert all(subjects.earlier(f"urn:x:{number}", number) == 0 for number in range(1, 20_001))
    assert all(subjects.earlier(f"urn:x:{number}", 0) == number for number in range(1, 20_001))


def test_where_it_is_full_nobody_knows() -> None:
    subjects = Subjects(most=2)
    assert [subjects.earlier(iri, row) for row, iri in enumerate(["a", "b", "c", "a", "c"], start=1)] == [
        0,
        0,
        None,
        1,
        None,
    ]
