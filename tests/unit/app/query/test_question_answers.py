"""Answers of ready questions as they are shown: cells with their kinds, plots in series, and what is said of them."""

from datetime import UTC, datetime, timedelta

from hpc_explorer.app.query.question_answers import question_answer
from hpc_explorer.app.results.answer import Mark
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.questions.question import Column, Plot, PlotMark, Query, Question, Variant
from hpc_explorer.query.table import CellKind

PREFIXES = (("ex", "http://example.org/"), ("xsd", "http://www.w3.org/2001/XMLSchema#"))


def question(select: str, *plots: Plot) -> Question:
    columns = (Column("loss", unit="s", name="y"), Column("accuracy", unit="s", name="z"))
    return Question(
        "q", "Losses", "How large are losses?", (Variant("", Query(select, PREFIXES)),), (), "", columns, plots
    )


def values(names: str, *rows: str) -> str:
    return f"SELECT {names} {{ VALUES ({names}) {{ {' '.join(f'({row})' for row in rows)} }} }}"


def test_cells_are_what_they_are() -> None:
    rows = values(
        "?thing ?whole ?part ?when ?long ?mixed",
        'ex:a 12 0.25 "2021-03-01T10:00:00+01:00"^^xsd:dateTime "P1DT2H3M4.5S"^^xsd:dayTimeDuration 1',
        'ex:b -3 1e400 "2021-03-01T10:00:00Z"^^xsd:dateTime "-PT1S"^^xsd:dayTimeDuration "text"@en',
        "UNDEF UNDEF UNDEF UNDEF UNDEF UNDEF",
    )
    found = question_answer(Session.new(), question(rows), {})
    (table,) = found.tables
    assert [column.kind for column in table.columns] == [
        CellKind.RESOURCE, CellKind.NUMBER, CellKind.NUMBER, CellKind.TIME, CellKind.DURATION, CellKind.TEXT
    ]  # fmt: skip
    first, second, third = table.rows
    assert isinstance(first[0], ResourceRef)
    assert first[1:] == (
        12, 0.25, datetime(2021, 3, 1, 9, tzinfo=UTC), timedelta(1, 2 * 3600 + 184, milliseconds=500), 1
    )  # fmt: skip
    assert second[1:] == (-3, float("inf"), datetime(2021, 3, 1, 10, tzinfo=UTC), timedelta(seconds=-1), "text")
    assert third == (None,) * 6
    assert found.summary == ("3 rows.",)


def test_times_without_a_zone_and_months_stay_texts() -> None:
    rows = values("?when ?long", '"2021-03-01T10:00:00"^^xsd:dateTime "P1M"^^xsd:duration')
    (table,) = question_answer(Session.new(), question(rows), {}).tables
    assert [column.kind for column in table.columns] == [CellKind.TEXT, CellKind.TEXT]
    assert table.rows == (("2021-03-01 10:00:00", "P1M"),)


def test_resources_stand_side_by_side_in_each_series() -> None:
    rows = values(
        "?run ?epoch ?y", "ex:r1 ex:e1 3", "ex:r1 ex:e2 2", "ex:r2 ex:e3 5", "ex:r2 ex:e4 UNDEF", "ex:r1 ex:e2 2"
    )
    found = question_answer(Session.new(), question(rows, Plot("Loss", "epoch", ("y",), ("run",))), {})
    (plot,) = found.plots
    assert [(one.name, list(one.xs), list(one.ys)) for one in plot.series] == [
        ("r1", [1, 2], [3, 2]),
        ("r2", [1], [5]),
    ]
    assert (plot.x.heading, plot.y.heading, plot.mark) == ("epoch, in order", "loss (s)", Mark.LINE)


def test_numbers_and_moments_stand_where_they_belong() -> None:
    rows = values("?x ?y ?z", "10 1 2", "30 2 4")
    plot = Plot("Both", "x", ("y", "z"), mark=PlotMark.POINTS)
    (found,) = question_answer(Session.new(), question(rows, plot), {}).plots
    assert [(one.name, list(one.xs)) for one in found.series] == [("loss", [10, 30]), ("accuracy", [10, 30])]
    assert (found.y.heading, found.mark) == ("s", Mark.POINTS)
    rows = values("?x ?y", '"1970-01-01T00:00:10Z"^^xsd:dateTime 1')
    (found,) = question_answer(Session.new(), question(rows, Plot("One", "x", ("y",))), {}).plots
    assert (list(found.series[0].xs), found.x.kind, found.mark) == ([10.0], CellKind.TIME, Mark.POINTS)


def test_no_rows_are_said_and_not_drawn() -> None:
    found = question_answer(Session.new(), question("SELECT ?x ?y { ?x ex:loss ?y }", Plot("None", "x", ("y",))), {})
    assert found.plots == ()
    assert found.summary == ("Nothing in the open graph answers this.",)
    assert found.tables[0].rows == ()
