"""Regular expressions: found where Python finds them, and never matched unbounded."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.rdf.regular_expressions import PatternFault, pattern_of

PATTERNS = [
    "^[0-9A-Fa-f]{4}$", "a", "^a+$", "^[^@]+@[^@]+$", "^10\\.\\d{2,9}/\\S+$", "(ab|a)*c", "(?i)^AB?", "^(a|b){2}$", "a?b?c", "\\w\\s",
]  # fmt: skip


@given(st.sampled_from(PATTERNS), st.text("aAbc@ 1240./é", max_size=12), st.sampled_from([1, 1, 1, 400]))
def test_the_same_is_found_as_python_finds(pattern: str, text: str, times: int) -> None:
    text = text * times
    assert pattern_of(pattern).is_found_in(text) is (re.search(pattern, text) is not None)


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|aa)+$", "^(a*)*$", "^a?" + "a?" * 40 + "a" * 40 + "$", "^(a|a)*$"])
def test_no_pattern_takes_years(pattern: str) -> None:
    assert not pattern_of(pattern).is_found_in("a" * 39 + "!")


def test_a_long_text_is_gone_through_once() -> None:
    assert not pattern_of("a+b").is_found_in("a" * 1_000_000)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [("[", "not a regular expression"), ("^(?=a)(a+)+$", "unbounded"), (r"(a+)\1+$", "unbounded")],
)
def test_what_cannot_be_used_is_refused(pattern: str, reason: str) -> None:
    with pytest.raises(PatternFault, match=reason):
        pattern_of(pattern)


def test_looking_ahead_without_a_repeat_is_no_danger() -> None:
    assert pattern_of("^(?=a)ab").is_found_in("abc")
