"""The tab of answers: read, sorted, copied and saved with real clicks and keys."""

from __future__ import annotations

import json
import math
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from hpc_explorer.app.results.answer import (
    Answer,
    AnswerLine,
    AnswerPlot,
    AnswerTable,
    AnswerText,
    Axis,
    Mark,
    Series,
)
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode
from hpc_explorer.errors import UsageError
from hpc_explorer.query.table import CellKind, Column, Table
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.results.answer_tab import EMPTY_TEXT, OUTDATED
from hpc_explorer.ui.results.answer_table import AnswerTableView
from hpc_explorer.ui.widgets.file_dialog import SaveDialog
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import MODEL, User

TREE = NamedNode(MODEL)
REF = ResourceRef(TREE, "decisionTree.onnx", MODEL, "ex:MO", "AI model", "model")
OTHER = "http://example.org/AIModel/MO000002"


def table(rows: int = 3) -> AnswerTable:
    return Table(
        (Column("Model", CellKind.RESOURCE), Column("Loss", CellKind.NUMBER, "nats"), Column("Way")),
        ((REF, 0.5, "b"), (None, None, "a"), *((REF, 10.0 + row, "c") for row in range(rows - 2))),
        "Models",
    )


def plot(mark: Mark = Mark.LINE, count: int = 60_000) -> AnswerPlot:
    xs = tuple(range(count))
    first = Series("training", xs, tuple(math.exp(-x / 9000) for x in xs))
    return AnswerPlot(
        "Loss", Axis("batch"), Axis("loss", "nats"), (first, Series("validation", (5, 1), (0.5, math.nan))), mark
    )


def answer(*sections: AnswerTable | AnswerPlot | AnswerText) -> Answer:
    return Answer("What it reached", ("1 of 3 models is affected.",), ("Exact.",), sections)


def show(user: User, shown: Answer) -> None:
    """Show an answer, and wait until it is in sight."""
    tab = user.window.pictures.answer
    user.window.features.answers.show(shown)
    user.until(lambda: tab.widget().findChildren(TextBlock)[0].isVisible())
    user.rest()


def texts(window: MainWindow) -> str:
    return "\n".join(block.text() for block in window.pictures.answer.findChildren(TextBlock) if block.isVisible())


def click_cell(user: User, view: AnswerTableView, row: int, column: int, *, twice: bool = False) -> None:
    at = view.visualRect(view.model().index(row, column)).center()
    act = user.qtbot.mouseDClick if twice else user.qtbot.mouseClick
    act(view.viewport(), Qt.MouseButton.LeftButton, pos=at)


@pytest.fixture
def opened(window: MainWindow, user: User) -> User:
    user.open_sample()
    return user


def test_no_number_is_cut_at_the_right_edge(user: User) -> None:
    columns = (Column("Model", CellKind.RESOURCE), *(Column(f"Loss {n}", CellKind.NUMBER) for n in range(3)))
    columns += (Column("Way"), Column("Accuracy", CellKind.NUMBER), Column("Remark"), Column("Size", CellKind.NUMBER))
    row = (REF, 0.5, 1.25, 10_000.0, "a way of some words", 0.957, "a remark of some words", 12.0)
    view = AnswerTableView(Table(columns, (row,) * 3, "Models"))
    user.qtbot.addWidget(view)
    with user.qtbot.waitExposed(view):
        view.show()
    cut = {}
    for width in range(200, 1200, 20):
        view.resize(width, 200)
        edge = view.viewport().width()
        for number, column in enumerate(columns):
            left = view.columnViewportPosition(number)
            if column.kind is CellKind.NUMBER and left < edge < left + view.columnWidth(number):
                cut[width] = column.heading
    assert not cut


def test_the_empty_tab_says_what_it_is_for(window: MainWindow, opened: User) -> None:
    opened.press("Ctrl+6")
    assert window.navigator.place.view is View.ANSWER
    opened.until(lambda: EMPTY_TEXT in texts(window))
    assert not {"answer.copy", "answer.save:csv", "view.zoom_in"} & window.commands.usable


def test_a_question_is_shown_as_asked_then_answered(window: MainWindow, opened: User) -> None:
    go = threading.Event()

    def question(session: Session) -> Answer:
        assert go.wait(240)
        return answer(table())

    window.features.answers.ask("What it reached", question)
    opened.until(lambda: "Looking for the answer" in texts(window))
    go.set()
    opened.rest()
    opened.until(lambda: "1 of 3 models is affected." in texts(window))
    assert window.pictures.answer.tables[0].hasFocus()


def test_a_fault_is_said_and_can_be_asked_again(window: MainWindow, opened: User) -> None:
    tries: list[int] = []

    def question(session: Session) -> Answer:
        tries.append(1)
        if len(tries) == 1:
            raise UsageError("there is no such thing", "ex:a", "choose another")
        return answer()

    window.features.answers.ask("What it reached", question)
    opened.rest()
    opened.until(lambda: "There is no such thing." in texts(window))
    opened.until(lambda: "Choose another." in texts(window))
    opened.click(opened.button("Ask again"))
    opened.rest()
    opened.until(lambda: "1 of 3 models is affected." in texts(window))


def test_a_table_sorts_by_value_and_missing_stands_last(window: MainWindow, opened: User) -> None:
    show(opened, answer(table(5)))
    (view,) = window.pictures.answer.tables
    header = view.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(1) + 20, header.height() // 2)

    def losses() -> list[str]:
        return [view.rows.text(row, 1) for row in range(5)]

    opened.qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert losses() == ["0.5", "10.0", "11.0", "12.0", ""]
    opened.qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert losses() == ["12.0", "11.0", "10.0", "0.5", ""]
    opened.qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert losses() == ["0.5", "", "10.0", "11.0", "12.0"]


def test_a_click_describes_and_a_double_click_goes_there(window: MainWindow, opened: User) -> None:
    show(opened, answer(table()))
    (view,) = window.pictures.answer.tables
    click_cell(opened, view, 0, 1)
    opened.rest()
    assert opened.reads == ""
    click_cell(opened, view, 0, 0)
    opened.rest()
    assert opened.reads == "decisionTree.onnx"
    assert window.navigator.place.view is View.ANSWER
    click_cell(opened, view, 0, 0, twice=True)
    opened.rest()
    assert window.navigator.place.view is View.EXPLORE
    assert window.pictures.canvas.scene().focus() is not None
    opened.press("Alt+Left")
    opened.rest()
    assert window.navigator.place.view is View.ANSWER
    opened.until(lambda: "1 of 3 models is affected." in texts(window))


def test_enter_goes_there_and_ctrl_c_copies_cells(window: MainWindow, opened: User) -> None:
    show(opened, answer(table()))
    (view,) = window.pictures.answer.tables
    view.setFocus()
    click_cell(opened, view, 0, 0)
    opened.press("Shift+Right", view)
    opened.press("Ctrl+C", view)
    assert QGuiApplication.clipboard().text() == "decisionTree.onnx\t0.5"
    opened.press("Left", view)
    opened.press("Return", view)
    opened.rest()
    assert window.navigator.place.view is View.EXPLORE
    assert window.navigator.place.focus == TREE


def test_iris_are_shown_on_demand(window: MainWindow, opened: User) -> None:
    show(opened, answer(table()))
    (view,) = window.pictures.answer.tables
    opened.click(opened.button("IRIs in answers"))
    assert view.rows.text(0, 0) == MODEL
    show(opened, answer(table()))
    assert window.pictures.answer.tables[0].rows.text(0, 0) == MODEL
    opened.window.run("answer.iris")
    assert window.pictures.answer.tables[0].rows.text(0, 0) == "decisionTree.onnx"


def test_it_is_saved_under_a_name_that_is_typed(window: MainWindow, opened: User, tmp_path: Path) -> None:
    show(opened, answer(table()))
    opened.click(opened.button("Save answer as JSON…"))
    dialog = opened.dialog(SaveDialog)
    assert dialog.file.text().endswith("What-it-reached.json")
    dialog.file.selectAll()
    opened.type(str(tmp_path), dialog.file)
    assert dialog.warning == "This is a folder: add a name for the file."
    assert not dialog.save.isEnabled()
    opened.type("/found", dialog.file)
    opened.press("Return", dialog.file)
    opened.until(lambda: window.banner.title == "Saved the answer")
    assert json.loads((tmp_path / "found.json").read_text())["title"] == "What it reached"
    opened.window.run("answer.copy")
    assert QGuiApplication.clipboard().text().startswith("# What it reached")


def test_an_answer_of_words_has_no_csv(window: MainWindow, opened: User) -> None:
    show(opened, answer(AnswerText("Missing", (AnswerLine("the driver"),))))
    assert "answer.save:csv" not in window.commands.usable
    assert "answer.save:md" in window.commands.usable


def test_a_line_of_a_text_leads_on(window: MainWindow, opened: User) -> None:
    show(opened, answer(AnswerText("Made with", (AnswerLine("plain"), AnswerLine("the tree", REF, 1)), listed=True)))
    link = next(one for one in window.pictures.answer.findChildren(LinkBlock) if one.isVisible())
    opened.click(link)
    opened.rest()
    assert opened.reads == "decisionTree.onnx"
    assert window.navigator.place.view is View.ANSWER
    link.setFocus()
    opened.press("Return", link)
    assert window.navigator.place.view is View.EXPLORE


@pytest.mark.slow
@pytest.mark.parametrize("mark", Mark)
def test_a_plot_of_60000_values_reads_by_key_and_pointer(window: MainWindow, opened: User, mark: Mark) -> None:
    window.features.answers.ask("Loss", lambda session: answer(plot(mark)))
    opened.rest()
    (pane,) = window.pictures.answer.plots
    assert "60,000 values of loss over batch" in pane.canvas.accessibleDescription()
    pane.canvas.setFocus()
    opened.press("Right", pane.canvas)
    assert pane.reading == "training: batch 0, loss 1 nats"
    opened.press("Ctrl+Right", pane.canvas)
    assert pane.reading.startswith("training: batch 5,999, loss 0.5")
    opened.press("Down", pane.canvas)
    assert pane.reading == "validation: batch 5, loss 0.5 nats"
    opened.press("Left", pane.canvas)
    assert pane.reading == "validation: batch 1, loss missing"
    low, high = pane.canvas.span
    opened.press("+", pane.canvas)
    assert pane.canvas.span[1] - pane.canvas.span[0] == pytest.approx((high - low) / 2)
    opened.press("Home", pane.canvas)
    assert pane.canvas.span == (low, high)
    opened.qtbot.mouseMove(pane.canvas, QPoint(5, 5))
    opened.qtbot.mouseMove(pane.canvas, pane.canvas.place(30_000, math.exp(-30 / 9)))
    opened.until(lambda: "training: batch 30," in pane.reading or "training: batch 29," in pane.reading)
    window.run("theme.dark")
    opened.rest()
    assert pane.canvas.grab().toImage().pixelColor(40, 3).lightness() < 60


def test_its_picture_is_a_canvas_like_the_others(window: MainWindow, opened: User) -> None:
    scene = Scene((SceneNode(MODEL, "tree"), SceneNode(OTHER, "other")), (SceneEdge(MODEL, OTHER),))
    show(opened, Answer("Two models", picture=scene))
    opened.rest()
    canvas = window.pictures.canvas
    assert canvas.isVisible()
    assert "view.zoom_in" in window.commands.usable
    rect = canvas.view_rect(MODEL)
    assert rect is not None
    opened.qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(round(rect.centre.x), round(rect.centre.y)))
    opened.rest()
    assert opened.reads == "decisionTree.onnx"
    show(opened, answer())
    assert not canvas.isVisible()
    assert "view.zoom_in" not in window.commands.usable


def test_a_change_of_the_graph_is_said_and_closing_empties_the_tab(
    window: MainWindow, opened: User, tmp_path: Path
) -> None:
    asked: list[int] = []

    def question(session: Session) -> Answer:
        asked.append(1)
        return answer(table())

    window.features.answers.ask("What it reached", question)
    opened.rest()
    more = tmp_path / "more.ttl"
    more.write_text("<http://e.org/a> a <http://e.org/B> .")
    opened.open_files([more])
    opened.until(lambda: OUTDATED in texts(window))
    again = next(one for one in window.pictures.answer.findChildren(QPushButton) if one.isVisible())
    opened.click(again)
    opened.rest()
    assert len(asked) == 2
    opened.until(lambda: texts(window) and OUTDATED not in texts(window))
    window.run("file.close_all")
    opened.rest()
    assert window.pictures.answer.answer is None
