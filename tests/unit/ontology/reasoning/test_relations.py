"""Relations as arrays: sets and joins of sorted rows agree with sets and loops of Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.ontology.reasoning.relations import (
    Relation,
    Terms,
    among,
    distinct,
    matches,
    merged,
    objects_of,
    paired,
    subjects_of,
    swapped,
    without,
)

NUMBERS = st.lists(st.integers(0, 9), max_size=12)
PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14)


def array(numbers: list[int]) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


def rows(pairs: list[tuple[int, int]]) -> np.ndarray:
    return distinct(array([one << 32 | other for one, other in pairs]))


@given(NUMBERS, NUMBERS)
def test_sorted_arrays_are_sets(one: list[int], other: list[int]) -> None:
    first, second = distinct(array(one)), distinct(array(other))
    assert first.tolist() == sorted(set(one))
    assert without(first, second).tolist() == sorted(set(one) - set(other))
    assert merged(first, without(second, first)).tolist() == sorted(set(one) | set(other))
    assert among(array(one), second).tolist() == [value in other for value in one]


@given(PAIRS)
def test_ends_come_back(pairs: list[tuple[int, int]]) -> None:
    made = rows(pairs)
    assert paired(subjects_of(made), objects_of(made)).tolist() == made.tolist()
    assert swapped(made).tolist() == rows([(other, one) for one, other in pairs]).tolist()


@given(PAIRS, NUMBERS, st.booleans())
def test_matches_are_those_of_a_loop(pairs: list[tuple[int, int]], values: list[int], first_only: bool) -> None:
    places, ends = matches(rows(pairs), array(values), first_only)
    expected = []
    for place, value in enumerate(values):
        found = sorted({other for one, other in pairs if one == value})
        expected += [(place, end) for end in (found[:1] if first_only else found)]
    assert list(zip(places.tolist(), ends.tolist(), strict=True)) == expected


@given(st.lists(st.tuples(st.sampled_from("ab"), NUMBERS), max_size=4), NUMBERS)
def test_a_relation_takes_each_statement_once(parts: list[tuple[str, list[int]]], known: list[int]) -> None:
    relation = Relation(rows=distinct(array(known)))
    relation.pending = [(rule, array(numbers)) for rule, numbers in parts]
    new = relation.take()
    everything = {number for _, numbers in parts for number in numbers}
    assert new.tolist() == sorted(everything - set(known))
    assert relation.rows.tolist() == sorted(everything | set(known))
    assert sorted(number for _, numbers in relation.concluded for number in numbers.tolist()) == new.tolist()
    assert relation.pending == []
    assert relation.take().size == 0


def test_literals_have_numbers_of_their_own() -> None:
    terms = Terms()
    iri, literal = terms.number("<http://example.org/a>"), terms.number('"a"')
    assert iri < 1 << 30 <= literal
    assert terms.number("<http://example.org/a>") == iri
    assert (terms.text(iri), terms.text(literal)) == ("<http://example.org/a>", '"a"')
