"""Sentences are cut into tokens, and names are compared in one form."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.language.words import TokenKind, key_of, near_spellings, sentence_tokens, stem_key


def test_quoted_texts_and_file_names_stay_whole() -> None:
    tokens = sentence_tokens('Merge "GPU Profiling" with label_variants and jobs.csv.')
    assert [(one.text, one.kind) for one in tokens] == [
        ("Merge", TokenKind.WORD),
        ("GPU Profiling", TokenKind.QUOTED),
        ("with", TokenKind.WORD),
        ("label_variants", TokenKind.NAME),
        ("and", TokenKind.WORD),
        ("jobs.csv", TokenKind.NAME),
        (".", TokenKind.SIGN),
    ]


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("CC-BY-SA-4.0", "cc by sa 4.0"),
        ("race-scan", "race scan"),
        ("label_variants", "label variants"),
        ("C++", "c++"),
    ],
)
def test_names_match_with_hyphens_or_spaces(written: str, key: str) -> None:
    assert key_of(written) == key
    assert " ".join(one.key for one in sentence_tokens(written)) == key


def test_numbers_versions_and_dates_are_told_apart() -> None:
    kinds = {one.text: one.kind for one in sentence_tokens("1,200 then 1.3.2 since 2021-03-20 or 5e3")}
    assert kinds["1,200"] is TokenKind.NUMBER
    assert kinds["1.3.2"] is TokenKind.NUMBER
    assert kinds["2021-03-20"] is TokenKind.DATE
    assert kinds["5e3"] is TokenKind.NUMBER


def test_stems_bring_forms_together() -> None:
    assert stem_key("datasets used") == stem_key("dataset uses")
    assert stem_key("licenced") == stem_key("license")
    assert stem_key("normalise") == stem_key("normalize")
    assert stem_key("targetMachine") == stem_key("target machines")


def test_near_spellings_keep_the_first_letter() -> None:
    assert near_spellings("modle", ["model", "mode", "node"])[0] == "model"
    assert near_spellings("xyzzy", ["model"]) == []


@given(st.text(max_size=80))
def test_any_text_has_tokens_in_order(text: str) -> None:
    tokens = sentence_tokens(text)
    assert all(one.start < one.end for one in tokens)
    assert all(first.end <= second.start for first, second in pairwise(tokens))
