"""Workflow expressions are read from an allow-list and checked by types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.expressions import Call, leaf, read_expression, strings

TEXTS = st.text(min_size=1, max_size=12)


def columns() -> st.SearchStrategy[Call]:
    return st.lists(TEXTS, min_size=1, max_size=3).map(lambda names: leaf("columnName", *names))


@given(columns(), TEXTS, st.integers(0, 10**6))
def test_an_expression_is_written_and_read_back(names: Call, dataset: str, number: int) -> None:
    table = leaf("datasetName", dataset)
    kept = Call("FilterRows", (Call("condition", (names, strings(">"), Call("number", (number,)))), table))
    expression = Call("SaveDataset", (Call("GetColumn", (names, kept)), leaf("fileName", "out.csv")))
    assert read_expression(str(expression), {}) == expression


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('id')",
        "GetColumn(columnName(string('a')), open('/etc/passwd'))",
        "eval('1')",
        "GetDataset(datasetName(string('a'))).x",
        "(lambda: 1)()",
        "GetColumn(columnName(string(*['a'])), datasetName(string('b')))",
        "GetColumn(c=1)",
        "string(f'{1}')",
        "string('a') if 1 else string('b')",
        "[string('a')]",
        "Limit(number(True), datasetName(string('a')))",
        "GetColumn(datasetName(string('a')), columnName(string('b')))",
        "GetDataset(modelName(string('a')))",
        "unknown(string('a'))",
        "",
        "string(",
        "string(" * 400 + "'a'" + ")" * 400,
        "x" * 200_000,
        "string('a'); string('b')",
        "b'x'",
        "string(b'x')",
        "string(1j)",
        "string(...)",
    ],
)
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(WrongParameter):
        read_expression(text, {})
