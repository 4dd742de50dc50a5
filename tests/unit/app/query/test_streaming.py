"""The rows of a query: as they come, counted, named, sorted, filtered, charted and written to files."""

from __future__ import annotations

import csv
import io
import json
import math
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import QueryResultsFormat, QuerySolutions, parse_query_results

from hpc_explorer.app.query.streaming import FIRST, ResourcesNamed, RowsBegun, RowsCounted, RowsPart, Truth, rows_of
from hpc_explorer.app.results.answer import Cell, Mark
from hpc_explorer.app.results.cells import literal_value
from hpc_explorer.app.results.row_chart import COUNTED, row_chart, value_columns
from hpc_explorer.app.results.rows import AnswerRows, HeldRows, RowBatch, rows_with, sorted_rows
from hpc_explorer.app.results.table_files import row_table, table_csv, table_json, table_markdown, table_tsv, write_rows
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled, OutputNotWritable, QuerySyntaxError, UnknownFormat
from hpc_explorer.query.table import CellKind, Column, Table, columns_of, term_table
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term
from hpc_explorer.stores.base import NO_LIMITS, CancelToken, Count, CountKind, Limits
from tests.helpers.sessions import session_of

RUNS = """@prefix e: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
e:r1 a e:Run ; rdfs:label "run 10" ; e:loss 0.5 ; e:on "2024-03-01"^^xsd:date ; e:memory _:a .
e:r2 a e:Run ; rdfs:label "run 9" ; e:loss 10 ; e:on "2024-01-01"^^xsd:date ; e:memory _:b .
e:r3 a e:Run ; rdfs:label "run 9" ; e:loss 2.25 ; e:on "2023-12-31"^^xsd:date .
_:a qudt:numericValue 16 ; qudt:unit unit:GigaBYTE .
_:b qudt:numericValue 0.5 ; qudt:unit unit:TeraBYTE .
"""
ALL = """PREFIX e: <http://example.org/> SELECT ?run ?loss ?on ?memory
{ ?run a e:Run ; e:loss ?loss ; e:on ?on OPTIONAL { ?run e:memory ?memory } } ORDER BY ?run"""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "runs.ttl").write_text(RUNS)
    session = session_of("sample:xplacer", tmp_path / "runs.ttl")
    yield session
    session.close()


def held(parts: Iterator[RowsPart]) -> tuple[HeldRows, Count]:
    """What a table shows in the end."""
    rows, total = HeldRows(()), Count(0, CountKind.UNKNOWN)
    for part in parts:
        if isinstance(part, RowsBegun):
            rows = HeldRows(part.columns)
        elif isinstance(part, RowBatch):
            rows.add(part)
        elif isinstance(part, ResourcesNamed):
            rows.name(part.refs, part.values)
        elif isinstance(part, RowsCounted):
            total = part.total
    return rows, total


def test_rows_without_columns_are_counted(session: Session) -> None:
    for text, number in (("SELECT * { MINUS { ?a ?b ?c } }", 1), ("SELECT * { VALUES () { () () () } }", 3)):
        rows, total = held(rows_of(session, text))
        assert (len(rows), rows.columns, total) == (number, (), Count(number))


def column(rows: HeldRows, place: int, order: list[int] | None = None) -> list[str]:
    return [rows.text(row, place) for row in (range(len(rows)) if order is None else order)]


# As they come


@pytest.mark.parametrize("stoppable", [False, True])
def test_the_first_rows_come_first_then_their_labels(
    session: Session, stoppable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Fewer come first where they are slow to come, as they may be on a busy machine.
    monkeypatch.setattr("hpc_explorer.app.query.streaming.PATIENCE", 3600.0)
    limits = Limits(cancel=CancelToken()) if stoppable else NO_LIMITS
    parts = list(rows_of(session, "SELECT * { ?s ?p ?o }", limits=limits))
    assert [type(part) for part in parts[:3]] == [RowsBegun, RowBatch, ResourcesNamed]
    assert isinstance(parts[1], RowBatch)
    assert parts[1].number == FIRST
    rows, total = held(iter(parts))
    assert total == Count(len(rows))
    assert total.value > FIRST
    assert not rows.unnamed


def test_rows_that_are_slow_to_come_are_shown_as_they_come(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hpc_explorer.app.query.streaming.PATIENCE", -1.0)
    batches = [part for part in rows_of(session, ALL) if isinstance(part, RowBatch)]
    assert [batch.number for batch in batches] == [1, 1, 1]


@pytest.mark.parametrize(("at_most", "kind"), [(2, CountKind.AT_LEAST), (3, CountKind.EXACT), (4, CountKind.EXACT)])
def test_a_count_is_exact_only_where_all_rows_came(session: Session, at_most: int, kind: CountKind) -> None:
    rows, total = held(rows_of(session, ALL, at_most=at_most))
    assert total == Count(3, kind)
    assert len(rows) == min(at_most, 3)


LOSS = Column("Loss", unit="nats", name="loss")


def test_columns_know_what_they_hold(session: Session) -> None:
    rows, _ = held(rows_of(session, ALL, known=[LOSS]))
    assert [(one.heading, one.kind) for one in rows.columns] == [
        ("run", CellKind.RESOURCE),
        ("Loss (nats)", CellKind.NUMBER),
        ("on", CellKind.TIME),
        ("memory", CellKind.RESOURCE),
    ]


def test_labels_are_told_apart_and_quantities_are_read_with_their_units(session: Session) -> None:
    rows, _ = held(rows_of(session, ALL))
    assert column(rows, 0) == ["run 10", "r2", "r3"]
    assert column(rows, 3) == ["16 GB", "0.5 TB", ""]


def test_an_ask_a_construct_and_a_fault(session: Session) -> None:
    assert list(rows_of(session, "ASK { ?m a hpc:AIModel }")) == [Truth(True)]
    rows, total = held(rows_of(session, "CONSTRUCT WHERE { ?m a hpc:AIModel }", at_most=2))
    assert tuple(one.name for one in rows.columns) == ("subject", "predicate", "object")
    assert total == Count(3, CountKind.AT_LEAST)
    with pytest.raises(QuerySyntaxError):
        list(rows_of(session, "SELECT * { ?s ?p }"))


def test_it_is_stopped_between_two_parts(session: Session) -> None:
    token = CancelToken()
    parts = rows_of(session, "SELECT * { ?s ?p ?o . ?x ?y ?z }", at_most=1_000_000, limits=Limits(cancel=token))
    assert isinstance(next(parts), RowsBegun)
    assert isinstance(next(parts), RowBatch)
    token.cancel()
    with pytest.raises(Cancelled):
        list(parts)


# Sorting and filtering


def test_quantities_are_sorted_by_their_amount_in_any_unit(session: Session) -> None:
    rows, _ = held(rows_of(session, ALL))
    down = sorted_rows(rows, 3, descending=True, among=range(3))
    assert column(rows, 3, down) == ["0.5 TB", "16 GB", ""]


def table_rows(cells: list[Cell]) -> AnswerRows:
    return AnswerRows(Table((Column("v"),), tuple((cell,) for cell in cells)))


CELLS = st.one_of(
    st.none(), st.integers(-5, 5), st.floats(), st.text(max_size=3), st.timedeltas(),
    st.datetimes(timezones=st.sampled_from([UTC])),
)  # fmt: skip


@given(st.lists(CELLS, max_size=60), st.booleans())
def test_sorting_keeps_all_rows_and_puts_what_is_missing_last(cells: list[Cell], descending: bool) -> None:
    order = sorted_rows(table_rows(cells), 0, descending=descending, among=range(len(cells)))
    assert sorted(order) == list(range(len(cells)))
    missing = [cells[row] is None or (isinstance(cells[row], float) and math.isnan(cells[row])) for row in order]  # type: ignore[arg-type]  # a float
    assert missing == sorted(missing)
    numbers = [float(cells[row]) for row, lacks in zip(order, missing, strict=True)  # type: ignore[arg-type]  # a number
               if not lacks and isinstance(cells[row], (int, float))]  # fmt: skip
    assert numbers == sorted(numbers, reverse=descending)


def test_equal_rows_stay_as_they_were_over_many_runs() -> None:
    cells: list[Cell] = [row % 7 for row in range(5_000)]
    for descending in (False, True):
        order = sorted_rows(table_rows(cells), 0, descending=descending, among=range(5_000))
        assert order == sorted(range(5_000), key=lambda row: -(row % 7) if descending else row % 7)


def test_names_are_sorted_as_people_count() -> None:
    order = sorted_rows(table_rows(["epoch 10", "Epoch 9", "epoch 2"]), 0, among=range(3))
    assert order == [2, 1, 0]


def test_a_text_is_found_in_any_case_and_an_iri_where_one_is_meant(session: Session) -> None:
    rows, _ = held(rows_of(session, ALL))
    assert rows_with(rows, "RUN 1", count=3) == [0]
    assert rows_with(rows, "2024", count=3) == [0, 1]
    assert rows_with(rows, "2024", 0, count=3) == []
    assert rows_with(rows, "example.org/r2", count=3) == [1]
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        rows_with(rows, "x", count=3, limits=Limits(cancel=token))


@pytest.mark.parametrize(
    ("text", "datatype", "value"),
    [
        ("12", XSD.integer, 12),
        ("-INF", XSD.double, -math.inf),
        ("many", XSD.integer, None),
        ("2024-03-01T12:00:00Z", XSD.dateTime, datetime(2024, 3, 1, 12, tzinfo=UTC)),
        ("2024-03-01", XSD.date, datetime.fromisoformat("2024-03-01")),
        ("-0044-03-15", XSD.date, None),
        ("-P1DT2H", XSD.dayTimeDuration, -timedelta(days=1, hours=2)),
        ("P99999999999D", XSD.duration, None),
        ("12", XSD.string, None),
    ],
)
def test_a_literal_as_a_value(text: str, datatype: NamedNode, value: object) -> None:
    assert literal_value(Literal(text, datatype=datatype)) == value


# Charts


def test_a_chart_of_numbers_over_dates_and_over_names(session: Session) -> None:
    rows, _ = held(rows_of(session, ALL))
    assert value_columns(rows) == (1,)
    over_time = row_chart(rows, range(3), 2, 1)
    assert (over_time.mark, over_time.x.kind) == (Mark.LINE, CellKind.TIME)
    assert over_time.series[0].xs[0] == datetime(2024, 3, 1, tzinfo=UTC).timestamp()
    over_names = row_chart(rows, [1, 2, 0], 0, 1)
    assert (over_names.mark, over_names.x.names) == (Mark.BARS, ("r2", "r3", "run 10"))
    assert over_names.series[0].ys == [10.0, 2.25, 0.5]


def test_values_of_one_name_are_summed_up_and_the_axis_says_so() -> None:
    table = Table[Cell]((Column("machine"), Column("energy", CellKind.NUMBER, "kWh")), (("a", 1), ("b", 2), ("a", 3)))
    plot = row_chart(AnswerRows(table), range(3), 0, 1)
    assert (plot.y.heading, plot.series[0].ys) == ("sum of energy (kWh)", [4.0, 2.0])
    counted = row_chart(AnswerRows(table), range(3), 0, COUNTED)
    assert (counted.y.name, counted.series[0].ys) == ("number of rows", [2.0, 1.0])


# Files

TERMS: list[Term | None] = [
    None,
    NamedNode("http://e.org/a"),
    BlankNode("b"),
    Literal('plain\t"q"\nline, é'),
    Literal("mot", language="fr"),
    Literal("0.50", datatype=XSD.decimal),
    Literal("", datatype=XSD.string),
]
TABLE = term_table(columns_of(("x", "y")), [(term, Literal("1", datatype=XSD.integer)) for term in TERMS])


@pytest.mark.parametrize(
    ("form", "text"), [(QueryResultsFormat.TSV, table_tsv(TABLE)), (QueryResultsFormat.JSON, table_json(TABLE))]
)
def test_the_forms_of_the_w3c_are_read_back_the_same(form: QueryResultsFormat, text: str) -> None:
    found = parse_query_results(text.encode(), form)
    assert isinstance(found, QuerySolutions)
    assert [one.value for one in found.variables] == ["x", "y"]
    blank = type(BlankNode())
    expected = [(term if not isinstance(term, blank) else blank, Literal("1", datatype=XSD.integer)) for term in TERMS]
    read = [(row["x"] if not isinstance(row["x"], blank) else blank, row["y"]) for row in found]
    assert read == expected


def test_csv_and_markdown_are_for_people(session: Session) -> None:
    rows, _ = held(rows_of(session, ALL, known=[LOSS]))
    table = row_table(rows, range(3), range(2))
    assert list(csv.reader(io.StringIO(table_csv(table, rows.refs))))[:2] == [
        ["run", "run IRI", "loss"],
        ["run 10", "http://example.org/r1", "0.5"],
    ]
    assert table_csv(table).splitlines()[:2] == ["run,loss", "http://example.org/r1,0.5"]
    assert table_markdown(table, rows.refs).splitlines()[:3] == [
        "| run | Loss (nats) |",
        "| --- | ---: |",
        "| [run 10](<http://example.org/r1>) | 0.5 |",
    ]
    assert list(csv.reader(io.StringIO(table_csv(TABLE))))[4][0] == 'plain\t"q"\nline, é'


def test_parquet_has_types_and_is_read_back_the_same(tmp_path: Path) -> None:
    import duckdb

    def literals(datatype: NamedNode, *texts: str) -> list[Term | None]:
        return [Literal(text, datatype=datatype) for text in texts]

    columns: dict[str, list[Term | None]] = {
        "whole": literals(XSD.integer, "1", "-7", "100000000000000000"),
        "Number": literals(XSD.double, "0.5", "INF", "NaN"),
        "number": [*literals(XSD.integer, "3"), *literals(XSD.decimal, "0.25"), None],
        "truth": literals(XSD.boolean, "true", "0", "false"),
        "day": literals(XSD.date, "2024-03-01", "2023-12-31", "2000-02-29"),
        "moment": literals(XSD.dateTime, "2024-03-01T12:00:00Z", "2024-03-01T12:00:00.5+02:00", "2024-03-01T00:00:00Z"),
        "local": literals(XSD.dateTime, "2024-03-01T12:00:00", "2024-03-02T12:00:00", "2024-03-03T12:00:00"),
        "mixed": [Literal('it\'s "x"'), NamedNode("http://e.org/a"), None],
    }
    rows = list(zip(*columns.values(), strict=True))
    path = write_rows(term_table(columns_of(columns), rows), tmp_path / "it's.parquet")
    found = duckdb.sql("SELECT * FROM read_parquet($1)", params=[str(path)])
    assert [str(kind) for kind in found.types] == [
        "BIGINT", "DOUBLE", "DOUBLE", "BOOLEAN", "DATE", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP", "VARCHAR",
    ]  # fmt: skip
    assert found.columns == ["whole", "Number", "number (2)", "truth", "day", "moment", "local", "mixed"]
    # As text, a moment would be told in the time zone of the machine.
    read = "SELECT * REPLACE (make_timestamp(epoch_us(moment)) AS moment) FROM read_parquet($1)"
    texts = duckdb.sql(f"SELECT COLUMNS(*)::VARCHAR FROM ({read})", params=[str(path)]).fetchall()
    assert texts == [
        ("1", "0.5", "3.0", "true", "2024-03-01", "2024-03-01 12:00:00", "2024-03-01 12:00:00", 'it\'s "x"'),
        (
            "-7",
            "inf",
            "0.25",
            "false",
            "2023-12-31",
            "2024-03-01 10:00:00.5",
            "2024-03-02 12:00:00",
            "http://e.org/a",
        ),
        (
            "100000000000000000",
            "nan",
            None,
            "false",
            "2000-02-29",
            "2024-03-01 00:00:00",
            "2024-03-03 12:00:00",
            None,
        ),
    ]


@pytest.mark.parametrize("rows", [[], [(None,)]])
def test_tables_without_values_are_written_too(tmp_path: Path, rows: list[tuple[None]]) -> None:
    table = term_table(columns_of(("x",)), rows)
    for suffix in (".csv", ".tsv", ".json", ".md", ".parquet"):
        assert write_rows(table, tmp_path / f"rows{suffix}").stat().st_size
    found = json.loads((tmp_path / "rows.json").read_text())
    assert found == {"head": {"vars": ["x"]}, "results": {"bindings": [{} for _ in rows]}}


def test_what_cannot_be_written_is_said_and_leaves_what_was_there(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat):
        write_rows(TABLE, tmp_path / "rows.xlsx")
    for suffix in (".csv", ".parquet"):
        with pytest.raises(OutputNotWritable):
            write_rows(TABLE, tmp_path / "no-such-folder" / f"rows{suffix}")
        there = tmp_path / f"rows{suffix}"
        there.write_text("before")
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            write_rows(TABLE, there, limits=Limits(cancel=token))
        assert there.read_text() == "before"


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_sorted_within_seconds() -> None:
    rows = table_rows([f"n{number * 7919 % 100_003}" for number in range(100_000)])
    began = time.thread_time()
    order = sorted_rows(rows, 0, among=range(100_000))
    assert time.thread_time() - began < 20
    assert rows.text(order[0], 0) == "n0"
