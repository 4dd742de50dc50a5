"""The rows of a query: streamed, sorted, filtered, copied, saved and charted with real clicks and keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu
from pytestqt.qtbot import QtBot

from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.results.rows_toolbar import RowsBar
from hpc_explorer.ui.results.rows_view import EMPTY_TEXT, OUTDATED, RowsView
from hpc_explorer.ui.widgets import theme
from hpc_explorer.ui.widgets.file_dialog import SaveDialog
from tests.helpers.watchdog import longest_here, watched
from tests.helpers.windows import MODEL, PATIENCE

MODELS = "SELECT ?model ?name { ?model a hpc:AIModel ; hpc:name ?name } ORDER BY ?name"

PREFIX = "PREFIX e: <http://example.org/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
RUNS = """@prefix e: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
e:r1 a e:Run ; rdfs:label "run 10" ; e:loss 0.5 ; e:steps 9 ; e:on "2024-03-01"^^xsd:date ; e:memory _:a .
e:r2 a e:Run ; rdfs:label "run 9" ; e:loss 10 ; e:steps 80 ; e:on "2024-01-01"^^xsd:date ; e:memory _:b .
e:r3 a e:Run ; rdfs:label "Run 11" ; e:loss 2.25 ; e:steps 700 ; e:on "2023-12-31"^^xsd:date .
_:a qudt:numericValue 16 ; qudt:unit unit:GigaBYTE .
_:b qudt:numericValue 0.5 ; qudt:unit unit:TeraBYTE .
"""
ALL = (
    PREFIX
    + """SELECT ?run ?loss ?steps ?on ?memory { ?run a e:Run ; e:loss ?loss ; e:steps ?steps ; e:on ?on
 OPTIONAL { ?run e:memory ?memory } } ORDER BY ?run"""
)


class Reader:
    """Somebody before the rows."""

    def __init__(self, qtbot: QtBot, view: RowsView, bridge: SessionBridge) -> None:
        self.qtbot, self.view, self.bridge = qtbot, view, bridge
        self.patience = PATIENCE

    @property
    def bar(self) -> RowsBar:
        bar: RowsBar = self.view.findChild(RowsBar)
        return bar

    def until(self, condition: object) -> None:
        assert callable(condition)
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=self.patience)

    def ask(self, text: str, **how: int) -> None:
        self.view.show_query(self.bridge, text, **how)
        self.rest()

    def rest(self) -> None:
        """Wait until nothing is being done, and nothing is waiting to be."""
        view = self.view
        timers = view.findChildren(QTimer)
        self.until(
            lambda: (
                not self.bridge.is_busy
                and not view.arranger.is_waiting
                and not any(timer.isActive() for timer in timers)
            )
        )

    def column(self, place: int) -> list[str]:
        rows = self.view.table.rows
        return [rows.text(row, place) for row in range(rows.rowCount())]

    def click_head(self, place: int) -> None:
        header = self.view.table.horizontalHeader()
        at = QPoint(header.sectionViewportPosition(place) + 20, header.height() // 2)
        self.qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
        self.rest()

    def click_cell(self, row: int, column: int, *, twice: bool = False) -> None:
        table = self.view.table
        at = table.visualRect(table.model().index(row, column)).center()
        act = self.qtbot.mouseDClick if twice else self.qtbot.mouseClick
        act(table.viewport(), Qt.MouseButton.LeftButton, pos=at)

    def button(self, name: str) -> QAbstractButton:
        found = [
            one
            for one in self.view.findChildren(QAbstractButton)
            if one.isVisible() and name in (one.accessibleName(), one.text())
        ]
        assert found, f"no button {name!r}"
        return found[0]

    def click(self, name: str) -> None:
        self.qtbot.mouseClick(self.button(name), Qt.MouseButton.LeftButton)


def made(qapp: QApplication, qtbot: QtBot, sources: list[str]) -> tuple[Reader, Session]:
    if qapp.font().family() != theme.FAMILY:
        theme.prepare(qapp)
    session = Session.new()
    open_sources(session, sources)
    bridge = SessionBridge(session)
    view = RowsView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    with qtbot.waitExposed(view):
        view.show()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.setFocus()
    return Reader(qtbot, view, bridge), session


@pytest.fixture
def reader(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[Reader]:
    file = tmp_path / "runs.ttl"
    file.write_text(RUNS)
    reader, _ = made(qapp, qtbot, ["sample:xplacer", str(file)])
    yield reader
    reader.bridge.close()


def test_an_empty_view_says_what_it_is_for(reader: Reader) -> None:
    assert EMPTY_TEXT in reader.view.message


def test_rows_come_with_labels_and_are_counted_exactly(reader: Reader) -> None:
    counts: list[Count] = []
    reader.view.counted.connect(counts.append)
    reader.ask(MODELS)
    assert counts == [Count(len(reader.column(0)))]
    assert reader.view.status == f"{counts[0].value} rows"
    assert "decisionTree.onnx" in reader.column(0)


def test_a_head_sorts_by_value_and_missing_stands_last(reader: Reader) -> None:
    reader.ask(ALL)
    assert reader.column(0) == ["run 10", "run 9", "Run 11"]
    assert reader.column(1) == ["0.5", "10", "2.25"]
    reader.click_head(1)
    assert reader.column(1) == ["0.5", "2.25", "10"]
    reader.click_head(1)
    assert reader.column(1) == ["10", "2.25", "0.5"]
    reader.click_head(3)
    assert reader.column(3) == ["2023-12-31", "2024-01-01", "2024-03-01"]
    reader.click_head(0)
    assert reader.column(0) == ["run 9", "run 10", "Run 11"]
    reader.click_head(4)
    assert reader.column(4) == ["16 GB", "0.5 TB", ""]


def test_the_filter_looks_in_any_column_or_in_one(reader: Reader) -> None:
    reader.ask(ALL)
    reader.qtbot.keyClick(reader.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    reader.until(reader.bar.box.hasFocus)
    reader.qtbot.keyClicks(reader.bar.box, "10")
    reader.rest()
    assert reader.column(0) == ["run 10", "run 9"]
    assert reader.view.status == "2 of the 3 rows"
    box = reader.bar.within
    box.setFocus()
    reader.qtbot.keyClick(box, Qt.Key.Key_Down)
    reader.rest()
    assert box.currentText() == "in run"
    assert reader.column(0) == ["run 10"]
    reader.click_head(1)
    reader.bar.box.clear()
    reader.rest()
    assert reader.column(1) == ["0.5", "2.25", "10"]


def test_a_click_selects_and_enter_opens(reader: Reader) -> None:
    reader.ask(ALL)
    selected: list[object] = []
    opened: list[object] = []
    reader.view.selected.connect(selected.append)
    reader.view.opened.connect(opened.append)
    run = NamedNode("http://example.org/r1")
    reader.click_cell(0, 1)
    assert selected == []
    reader.click_cell(0, 0)
    assert selected == [run]
    reader.click_cell(0, 0, twice=True)
    assert opened == [run]
    reader.qtbot.keyClick(reader.view.table, Qt.Key.Key_Return)
    assert opened == [run, run]


def test_cells_are_copied_as_labels_or_iris(reader: Reader) -> None:
    reader.ask(ALL)
    reader.click_cell(0, 0)
    keys = reader.qtbot.keyClick
    keys(reader.view.table, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    keys(reader.view.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    keys(reader.view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "run 10\t0.5\nrun 9\t10"
    reader.click("Show IRIs instead of labels")
    keys(reader.view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "http://example.org/r1\t0.5\nhttp://example.org/r2\t10"


def test_more_rows_than_wanted_are_said_and_taken_by_a_click(reader: Reader) -> None:
    counts: list[Count] = []
    reader.view.counted.connect(counts.append)
    reader.ask("SELECT * { ?s ?p ?o }", at_most=150)
    assert reader.view.status == "first 150 of at least 151 rows"
    assert counts == [Count(151, CountKind.AT_LEAST)]
    reader.click("Load up to 1,500")
    reader.rest()
    assert counts[-1].kind is CountKind.EXACT
    assert reader.view.status == f"{counts[-1].value:,} rows"
    assert len(reader.column(0)) == counts[-1].value


def test_no_rows_an_error_and_a_retry_are_said(reader: Reader) -> None:
    reader.ask("SELECT * { ?s <http://e.org/none> ?o }")
    assert reader.view.message.startswith("No rows")
    assert reader.view.total == Count(0)
    failed: list[object] = []
    reader.view.failed.connect(failed.append)
    reader.ask("SELECT * { ?s ?p }")
    assert len(failed) == 1
    assert "No rows" not in reader.view.message
    reader.click("Retry")
    reader.rest()
    assert len(failed) == 2
    reader.ask(MODELS)
    assert reader.view.message == ""


def test_an_ask_is_yes_or_no_and_a_construct_is_triples(reader: Reader) -> None:
    reader.ask("ASK { ?m a hpc:AIModel }")
    assert reader.view.message.startswith("Yes")
    reader.ask("ASK { ?m a <http://e.org/None> }")
    assert reader.view.message.startswith("No\n")
    reader.ask(PREFIX + "CONSTRUCT WHERE { ?run e:loss ?loss }")
    assert [column.name for column in reader.view.rows.columns] == ["subject", "predicate", "object"]
    assert reader.view.status == "3 rows"


def test_a_query_is_stopped_by_a_click(reader: Reader) -> None:
    reader.view.show_query(reader.bridge, "SELECT * { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f } ORDER BY ?f ?d ?b LIMIT 5")
    reader.until(lambda: reader.button("Stop loading rows").isVisible())
    assert reader.view.status == "loading…"
    reader.click("Stop loading rows")
    reader.rest()
    assert "Stopped" in reader.view.message


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "md", "parquet"])
def test_what_is_shown_is_saved_in_its_order(reader: Reader, tmp_path: Path, suffix: str) -> None:
    reader.ask(ALL)
    reader.click_head(1)
    reader.view.folder = lambda: str(tmp_path)
    names = {"csv": "CSV", "tsv": "TSV", "json": "SPARQL JSON", "md": "Markdown", "parquet": "Parquet"}
    menu = reader.button("Export the rows").menu()  # type: ignore[attr-defined]  # a menu button
    next(one for one in menu.actions() if one.text() == f"{names[suffix]}…").trigger()
    reader.until(lambda: reader.view.window().findChildren(SaveDialog))
    dialog = reader.view.window().findChildren(SaveDialog)[0]
    reader.until(dialog.isActiveWindow)
    reader.qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    written = tmp_path / f"rows.{suffix}"
    reader.until(lambda: f"Saved 3 rows in {written}" in reader.view.status)
    if suffix == "csv":
        lines = written.read_text().splitlines()
        assert lines[0] == "run,run IRI,loss,steps,on,memory,memory IRI"
        assert lines[2].startswith("Run 11,http://example.org/r3,2.25,700,2023-12-31,")
    elif suffix == "tsv":
        assert written.read_text().splitlines()[1].split("\t")[0] == "<http://example.org/r1>"
    elif suffix == "json":
        found = json.loads(written.read_text())["results"]["bindings"]
        assert [one["run"]["value"][-1] for one in found] == ["1", "3", "2"]
    elif suffix == "md":
        assert "| [run 10](<http://example.org/r1>) | 0.5 | 9 |" in written.read_text()
    else:
        import duckdb

        rows = duckdb.sql('SELECT run, "run label", loss, steps, "on" FROM read_parquet($1)', params=[str(written)])
        assert [str(kind) for kind in rows.types] == ["VARCHAR", "VARCHAR", "DOUBLE", "BIGINT", "DATE"]
        assert rows.fetchall()[2][:4] == ("http://example.org/r2", "run 9", 10.0, 80)


def test_the_resources_of_a_column_are_drawn(reader: Reader) -> None:
    drawn: list[list[object]] = []
    reader.view.draw_wanted.connect(drawn.append)
    reader.ask(ALL)
    menu: QMenu = reader.button("Draw on the canvas").menu()  # type: ignore[attr-defined]  # a menu button
    menu.aboutToShow.emit()
    actions = menu.actions()
    assert [action.text() for action in actions] == ["run: 3"]
    actions[0].trigger()
    assert drawn == [[NamedNode(f"http://example.org/r{number}") for number in (1, 2, 3)]]


def test_a_chart_of_two_columns(reader: Reader) -> None:
    reader.ask(ALL)
    reader.click("Show a chart of two columns")
    reader.until(lambda: reader.view.chart.pane is not None)
    reader.rest()
    chart = reader.view.chart
    assert chart.up.currentText() == "loss"
    assert chart.across.currentText() == "on"
    assert chart.pane is not None
    assert chart.pane.canvas.accessibleName() == "loss by on"
    chart.across.setFocus()
    before = chart.pane
    reader.qtbot.keyClick(chart.across, Qt.Key.Key_Home)
    reader.until(lambda: chart.pane is not before and chart.pane is not None)
    assert chart.pane.canvas.accessibleName() == "loss by run"
    chart.pane.canvas.setFocus()
    reader.qtbot.keyClick(chart.pane.canvas, Qt.Key.Key_Right)
    assert chart.pane.reading == "run run 10, loss 0.5"


def test_columns_are_moved_and_copied_as_they_stand(reader: Reader) -> None:
    reader.ask(ALL)
    reader.view.table.horizontalHeader().moveSection(1, 0)
    reader.click_cell(0, 0)
    reader.view.table.selectRow(0)
    reader.qtbot.keyClick(reader.view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith("0.5\trun 10\t9")


def test_a_change_of_the_graph_is_said(reader: Reader, tmp_path: Path) -> None:
    reader.ask(MODELS)
    more = tmp_path / "more.ttl"
    more.write_text(f"<{MODEL}2> a <https://w3id.org/hpc#AIModel> .")
    open_sources(reader.bridge.session, [str(more)])
    reader.until(lambda: OUTDATED in reader.view.status)
    reader.click("Ask again")
    reader.rest()
    assert OUTDATED not in reader.view.status


@pytest.mark.slow
def test_a_hundred_thousand_rows_never_hold_up_the_window(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "many.nt"
    with open(file, "w", encoding="utf-8") as stream:
        for number in range(100_000):
            stream.write(f"<http://example.org/n{number}> <http://example.org/size> "
                         f'"{number * 7919 % 100_003}"^^<http://www.w3.org/2001/XMLSchema#integer> .\n')  # fmt: skip
    reader, _ = made(qapp, qtbot, [str(file)])
    # How long it takes in all is a matter of the machine; what is measured is whether the window is held up.
    reader.patience = 3 * PATIENCE
    view = reader.view
    with watched(reader.bridge.jobs) as watchdog:
        reader.ask("SELECT ?s ?size { ?s <http://example.org/size> ?size }", at_most=200_000)
        assert view.status == "100,000 rows"
        reader.click_head(1)
        assert [view.table.rows.text(row, 1) for row in range(3)] == ["0", "1", "2"]
        qtbot.keyClicks(reader.bar.box, "n999")
        reader.rest()
        assert view.table.rows.rowCount() == 111
        reader.bar.box.clear()
        reader.rest()
        view.table.scrollToBottom()
        reader.click_head(0)
    assert view.table.rows.rowCount() == 100_000
    assert max(watchdog.work) < longest_here(), sorted(watchdog.work)[-5:]
    reader.bridge.close()


def test_a_row_without_columns_is_a_row(reader: Reader) -> None:
    reader.ask("SELECT * { MINUS { ?a ?b ?c } }")
    rows = reader.view.table.rows
    assert (reader.view.status, rows.rowCount(), rows.columnCount()) == ("1 row", 1, 0)
