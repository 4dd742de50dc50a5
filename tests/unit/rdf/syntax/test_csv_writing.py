"""CSV that a spreadsheet program runs nothing of, and that reads back."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.rdf.syntax.csv_writing import CsvWriter


def written(*rows: list[object]) -> str:
    text = io.StringIO()
    CsvWriter(text).writerows(rows)
    return text.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "=cmd|'/c calc'!A0",
        "+1+2",
        "-2+3",
        "-O3",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        " =1",
        "-",
        "\uff1d1",
        "-P1D",
        "-1\n=2",
    ],
)
def test_a_formula_becomes_a_text(text: str) -> None:
    assert next(csv.reader(io.StringIO(written([text]), newline=""))) == [f"'{text}"]


@pytest.mark.parametrize(
    "text", ["", "a=1", "-5", "+5", "-0.10", "-1.5e-3", "-.5", "-INF", "'=1", "2021-03-01", "\u2212"]
)
def test_numbers_and_texts_stay_as_they_are(text: str) -> None:
    assert next(csv.reader(io.StringIO(written([text, "x"])))) == [text, "x"]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=2))
def test_no_cell_begins_a_formula_and_all_are_there(cells: list[str]) -> None:
    (found,) = csv.reader(io.StringIO(written(list(cells)), newline=""))
    for cell, read in zip(cells, found, strict=True):
        assert read in (cell, f"'{cell}")
        assert not read.startswith(("=", "@"))


def test_numbers_are_numbers() -> None:
    assert written([-5, -0.5, None, "a"]) == "-5,-0.5,,a\r\n"
