from __future__ import annotations

import csv
import io
import json
import math
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from hpc_explorer.app.results.answer import (
    Answer,
    AnswerLine,
    AnswerPlot,
    AnswerText,
    Axis,
    Cell,
    Series,
)
from hpc_explorer.app.results.answer_files import (
    answer_json,
    answer_markdown,
    plot_sentences,
    write_answer,
)
from hpc_explorer.app.results.cells import cell_texts, duration_text
from hpc_explorer.app.results.table_files import markdown_link, table_csv
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.errors import OutputNotWritable, UnknownFormat, UsageError
from hpc_explorer.query.table import CellKind, Column, Table
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.wording import time_text

MODEL = ResourceRef(NamedNode("http://e.org/m"), 'a "model", old', "http://e.org/m", "e:m", "Model", "model")
NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)

TABLE = Table[Cell](
    (
        Column("Model", CellKind.RESOURCE),
        Column("Loss", CellKind.NUMBER, "nats"),
        Column("Made", CellKind.TIME),
        Column("Took", CellKind.DURATION),
        Column("Way"),
    ),
    (
        (MODEL, 0.25, NOON, timedelta(hours=1, seconds=2), "a | b\nc"),
        (None, None, None, None, None),
        ("gone", math.nan, NOON.replace(tzinfo=None), timedelta(days=2, milliseconds=5), ""),
    ),
    "Models",
)

PLOT = AnswerPlot(
    "Loss",
    Axis("batch"),
    Axis("loss", "nats"),
    (Series("run 1", (0, 1, 2), (1.5, math.nan, 0.5)), Series("run 2", (), ())),
)

ANSWER = Answer(
    "What *this* reached",
    ("1 of 2 models is affected.",),
    ("Exact for what is recorded.",),
    (TABLE, PLOT, AnswerText("Missing", (AnswerLine("the driver"), AnswerLine("the model", MODEL, 1)), listed=True)),
)


def column(kind: CellKind, *cells: Cell) -> list[str]:
    return cell_texts(Column("x", kind), cells)


def test_numbers_of_a_column_have_as_many_decimals_each() -> None:
    assert column(CellKind.NUMBER, 1.5, 20.25, None, 1234567.0) == ["1.50", "20.25", "", "1,234,567.00"]
    assert column(CellKind.NUMBER, 1.0, 1 / 3) == ["1.00000", "0.33333"]
    assert column(CellKind.NUMBER, 1000.0, 0.00123456) == ["1,000.00000", "0.00123"]
    assert column(CellKind.NUMBER, 1e-12, 2.0) == ["1e-12", "2"]
    assert column(CellKind.NUMBER, 12000, 3) == ["12,000", "3"]
    assert column(CellKind.NUMBER, 0.0) == ["0"]
    assert column(CellKind.NUMBER, math.inf, -math.inf, math.nan) == ["∞", "-∞", "not a number"]
    assert column(CellKind.TEXT, 2024) == ["2024"]


def test_times_are_shown_in_utc_and_durations_in_hours() -> None:
    assert time_text(datetime(2024, 3, 1, 13, tzinfo=timezone(timedelta(hours=1)))) == "2024-03-01 12:00:00"
    assert time_text(NOON.replace(tzinfo=None, microsecond=250_000)) == "2024-03-01 12:00:00.250"
    assert duration_text(timedelta(hours=25, seconds=1.5)) == "1 d 1:00:01.500"
    assert duration_text(timedelta(seconds=-61)) == "-0:01:01"


def test_a_table_as_csv_reads_back_with_labels_and_iris() -> None:
    rows = list(csv.reader(io.StringIO(table_csv(TABLE, {}), newline="")))
    assert rows[0] == ["Model", "Model IRI", "Loss (nats)", "Made", "Took (s)", "Way"]
    assert rows[1] == ['a "model", old', "http://e.org/m", "0.25", "2024-03-01T12:00:00+00:00", "3602.0", "a | b\nc"]
    assert rows[2] == [""] * 6
    assert rows[3][:3] == ["gone", "", "nan"]


def test_the_whole_answer_as_json_is_strict_json() -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    found = json.loads(answer_json(ANSWER), parse_constant=refuse)
    assert found["summary"] == ["1 of 2 models is affected."]
    table, plot, text = found["sections"]
    assert table["columns"][1] == {"name": "Loss", "unit": "nats", "kind": "number"}
    assert table["rows"][0][0]["iri"] == "http://e.org/m"
    assert table["rows"][2][1] is None
    assert plot["series"][0] == {"name": "run 1", "x": [0, 1, 2], "y": [1.5, None, 0.5]}
    assert text["lines"][1] == {"text": "the model", "resource": table["rows"][0][0]}


def test_markdown_keeps_what_is_said_and_takes_signs_as_they_are() -> None:
    text = answer_markdown(ANSWER)
    assert text.startswith("# What \\*this\\* reached\n\n1 of 2 models is affected.\n\n- Exact")
    assert '| [a "model", old](<http://e.org/m>) | 0.25 | 2024-03-01 12:00:00 | 1:00:02 | a \\| b c |' in text
    assert "| --- | ---: | --- | ---: | --- |" in text
    assert "  - [the model](<http://e.org/m>)" in text
    assert answer_markdown(Answer("none", sections=(Table((), (), "T", "No models."),))).endswith("No models.\n")


def test_a_plot_is_summed_up_in_words() -> None:
    first, second = plot_sentences(PLOT)
    assert first == (
        "run 1: 2 values of loss over batch, 1 missing; the first 1.5 nats, the last 0.5 nats, "
        "the least 0.5 nats, the most 1.5 nats."
    )
    assert second == "run 2: no values."


def test_the_end_of_the_name_decides_what_is_written(tmp_path: Path) -> None:
    for end, begins in ((".csv", "Model,"), (".json", "{"), (".md", "# ")):
        assert write_answer(ANSWER, tmp_path / f"a{end}").read_text().startswith(begins)
    plot = write_answer(Answer("p", sections=(PLOT,)), tmp_path / "p.csv").read_text()
    assert plot.splitlines() == ["series,batch,loss (nats)", "run 1,0,1.5", "run 1,1,nan", "run 1,2,0.5"]


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat):
        write_answer(ANSWER, tmp_path / "a.xlsx")
    with pytest.raises(OutputNotWritable):
        write_answer(ANSWER, tmp_path / "none" / "a.csv")
    (tmp_path / "a.csv").write_text("before")
    with pytest.raises(UsageError):
        write_answer(Answer("words only"), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "before"


def test_rows_and_series_must_fit() -> None:
    with pytest.raises(ValueError, match="2 cells in a table of 1"):
        Table((Column("a"),), ((1, 2),))
    with pytest.raises(ValueError, match="places"):
        Series("s", (1,), ())


@pytest.mark.parametrize(
    "iri", ["javascript:alert(1)", "JavaScript:x", "data:text/html,x", "file:///etc/passwd", "_:b"]
)
def test_markdown_leads_to_no_script_and_no_file(iri: str) -> None:
    assert "](" not in markdown_link("name", iri)
    assert markdown_link("name", "http://example.org/a") == "[name](<http://example.org/a>)"
