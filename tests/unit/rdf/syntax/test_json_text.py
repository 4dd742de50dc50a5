"""JSON of others: faults with their places, keys that stand twice, numbers that are none, and how deep it goes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import SourceSyntaxError, SourceUnreadable
from hpc_explorer.rdf.syntax.json_text import DEEPEST, nesting, parse_json
from hpc_explorer.rdf.syntax.reading import read_bytes

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["[[", '"{', "\\", '\\"]', "{}"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


def depth(value: object) -> int:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if members is None else 1 + max(map(depth, members), default=0)


@given(VALUES, st.sampled_from([None, 1]))
def test_brackets_count_where_they_are_no_text(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert nesting(text) == depth(value)
    assert parse_json(text, "x") == value


@pytest.mark.parametrize(
    "text", ["[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "[" * (DEEPEST + 1), '{"a":' * (DEEPEST + 1)]
)
def test_what_is_nested_too_deeply_is_refused_whether_it_ends_or_not(text: str) -> None:
    with pytest.raises(
        SourceUnreadable, match=f"nested {DEEPEST + 1} levels deep, and at most {DEEPEST} are read: x.json"
    ):
        parse_json(text, "x.json")


@pytest.mark.parametrize(
    ("begin", "end", "levels", "each"),
    [
        ('{"urn:p":', "}", 1, 1),
        ('{"urn:p":{"@list":[', "]}}", 3, 3),
        ('{"@reverse":{"urn:p":', "}}", 2, 1),
    ],
)
def test_json_ld_is_read_down_to_the_deepest_level(begin: str, end: str, levels: int, each: int) -> None:
    number = (DEEPEST - 2) // levels
    text = f'{{"@id":"ex:a","urn:p":{begin * number}{{"@id":"ex:z"}}{end * number}}}'
    quads = list(read_bytes(text.encode(), name="x.jsonld", base="http://example.org/").quads())
    assert len(quads) == 1 + each * number


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ('{"a": 1,\n "b" 2}', "x:2:6", "delimiter"),
        ('{"a": [1,\n', "x:2:1", "end of file"),
        ('{"a": "b', "x:1:7", "end of file"),
        ("[1, NaN]", "x", "NaN"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "x", '"c" occurs twice'),
    ],
)
def test_faults_say_what_and_where(text: str, where: str, what: str) -> None:
    with pytest.raises(SourceSyntaxError) as caught:
        parse_json(text, "x")
    assert caught.value.where == where
    assert what in caught.value.what
