"""Which row had an IRI first, and whether it said the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.tables.subjects import Earlier, Full, Subjects

IRIS = st.integers(0, 40).map(lambda number: f"https://example.org/{number}")


@given(st.lists(st.tuples(IRIS, st.integers(0, 3)), max_size=120))
def test_the_first_row_of_each_iri_is_known(rows: list[tuple[str, int]]) -> None:
    subjects = Subjects()
    first: dict[str, tuple[int, int]] = {}
    for row, (iri, said) in enumerate(rows, start=1):
        earlier, its = first.setdefault(iri, (row, said))
        assert subjects.earlier(iri, row, said) == (None if earlier == row else Earlier(earlier, its == said))


def test_it_grows_as_it_fills() -> None:
    subjects = Subjects()
    assert all(subjects.earlier(f"urn:x:{number}", number, number) is None for number in range(1, 20_001))
    for number in range(1, 20_001):
        assert subjects.earlier(f"urn:x:{number}", 0, number) == Earlier(number, True)


def test_where_it_is_full_nobody_knows() -> None:
    subjects = Subjects(most=2)
    assert [subjects.earlier(iri, row) for row, iri in enumerate(["a", "b"], start=1)] == [None, None]
    for _ in range(2):
        with pytest.raises(Full):
            subjects.earlier("c", 3)
    assert subjects.earlier("a", 4) == Earlier(1, True)
