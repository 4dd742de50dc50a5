"""Sets of resources are sets, however they are kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.stores.columns.members import Members


@st.composite
def _numbers(draw: st.DrawFn) -> tuple[int, list[list[int]]]:
    """How many resources there are, and some of them several times: few, which are kept as a list, and many."""
    size = draw(st.integers(1, 400))
    number = st.integers(0, size - 1)
    return size, draw(
        st.lists(st.lists(number, max_size=4) | st.lists(number, min_size=size // 8), min_size=2, max_size=4)
    )


@given(_numbers())
def test_members_are_sets(drawn: tuple[int, list[list[int]]]) -> None:
    size, numbers = drawn
    sets = [set(some) for some in numbers]
    members = [Members.of(np.array([*some, size], dtype=np.uint32), size) for some in numbers]
    together = Members.of_any(members, size)
    assert together.as_ids().tolist() == sorted(set().union(*sets))
    for one, its in zip([*members, together], [*sets, set().union(*sets)], strict=True):
        assert one.as_ids().tolist() == sorted(its)
        assert len(one) == len(its)
        assert Members(size, None, one.as_bits()).as_ids().tolist() == sorted(its)
        assert [one.number_in(other) for other in members] == [len(its & others) for others in sets]


@pytest.mark.parametrize(
    ("size", "number", "is_list"), [(320, 10, True), (320, 11, False), (31, 1, False), (32, 1, True)]
)
def test_a_set_is_kept_in_the_shorter_way(size: int, number: int, is_list: bool) -> None:
    """A list has 32 bits for each of its numbers, the other way one for each resource."""
    assert (Members.of(np.arange(number, dtype=np.uint32), size).ids is not None) == is_list
