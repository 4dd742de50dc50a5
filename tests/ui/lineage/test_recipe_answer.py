"""How to make it again: asked in the window with real clicks and keys, read, followed and saved."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu

from hpc_explorer.app.results.answer import AnswerText
from hpc_explorer.query.table import Table
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.widgets.file_dialog import SaveDialog
from hpc_explorer.ui.widgets.text import LinkBlock
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import MODEL, User


@pytest.fixture
def opened(window: MainWindow, user: User) -> User:
    user.open_sample("xplacer")
    return user


def save(user: User, button: str, path: Path) -> None:
    """Save the answer by a button of its tab."""
    user.click(user.button(button))
    dialog = user.dialog(SaveDialog)
    dialog.file.selectAll()
    user.type(str(path), dialog.file)
    user.press("Return", dialog.file)
    user.until(path.exists)
    user.rest()


def shown_buttons(user: User) -> set[str]:
    found = user.window.features.answers.tab.findChildren(QAbstractButton)
    return {one.accessibleName() for one in found if one.isVisible()}


def test_it_is_asked_by_key_read_followed_and_saved(window: MainWindow, opened: User, tmp_path: Path) -> None:
    opened.search("decisionTree")
    opened.press("Ctrl+R")
    answer = opened.answer()
    assert answer.title == "How to make decisionTree.onnx again"
    assert answer.summary[0] == "Recorded: 17 steps, 2 inputs to begin with, 11 programs, 1 machine, 3 people."
    titles = [section.title for section in answer.sections]
    assert titles[:3] == ["Missing", "Would help", "Data to begin with"]
    data = window.pictures.recipe.tables[0]
    assert data.hasFocus()
    opened.press("Down", data)
    opened.rest()
    assert opened.reads == "Rodinia inputs"

    tab = window.pictures.recipe
    step = next(one for one in tab.findChildren(LinkBlock) if "17. Train the decision tree" in one.text())
    tab.ensureWidgetVisible(step)
    opened.click(step)
    opened.rest()
    assert opened.reads == "Train the decision tree"
    assert window.navigator.place.view is View.REPRODUCE

    tab.verticalScrollBar().setValue(0)
    save(opened, "Save answer as Markdown…", tmp_path / "page.md")
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert page.startswith("# How to make decisionTree.onnx again\n")
    assert "17. Train the decision tree (Experiment)" in page
    save(opened, "Save answer as JSON-LD…", tmp_path / "statements.jsonld")
    described = {node["@id"] for node in json.loads((tmp_path / "statements.jsonld").read_text())["@graph"]}
    assert MODEL in described
    save(opened, "Save answer as RO-Crate…", tmp_path / "crate.zip")
    with zipfile.ZipFile(tmp_path / "crate.zip") as packed:
        graph = json.loads(packed.read("ro-crate-metadata.json"))["@graph"]
        assert packed.read("how-to-make-it-again.md").decode() == page
    assert MODEL in {entity["@id"] for entity in graph}


def test_it_is_asked_from_the_menu_of_a_node(window: MainWindow, opened: User) -> None:
    opened.search("decisionTree")
    opened.trace()
    opened.rest()
    canvas = window.pictures.canvas
    rect = canvas.view_rect(MODEL)
    assert rect is not None
    at = QPoint(round(rect.centre.x), round(rect.centre.y))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, canvas.mapToGlobal(at))
    QApplication.sendEvent(canvas, event)
    opened.until(lambda: any(one.isVisible() for one in window.findChildren(QMenu)))
    menu = next(one for one in window.findChildren(QMenu) if one.isVisible())
    place = menu.actionGeometry(window.commands.by_id["view.reproduce"]).center()
    opened.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
    assert opened.answer().title == "How to make decisionTree.onnx again"


def test_of_what_nothing_is_recorded_it_says_that(window: MainWindow, opened: User) -> None:
    opened.search("decisionTree-p100.onnx")
    window.run("view.reproduce")
    answer = opened.answer()
    (section,) = answer.sections
    assert isinstance(section, AnswerText)
    assert [line.text for line in section.lines] == ["Nothing is recorded of how decisionTree-p100.onnx was made."]
    assert not answer.tables


def test_only_a_recipe_is_saved_as_a_crate(window: MainWindow, opened: User) -> None:
    opened.search("lassen")
    window.run("go.impact")
    opened.answer()
    opened.until(lambda: "Save answer as CSV…" in shown_buttons(opened))
    assert "Save answer as RO-Crate…" not in shown_buttons(opened)
    assert not window.commands.by_id["answer.save:zip"].isEnabled()
    opened.search("decisionTree")
    window.run("view.reproduce")
    opened.answer()
    opened.until(lambda: shown_buttons(opened) >= {"Save answer as RO-Crate…", "Save answer as JSON-LD…"})
    assert window.commands.by_id["answer.save:zip"].isEnabled()


def test_columns_in_which_nothing_stands_are_left_out(window: MainWindow, opened: User) -> None:
    opened.search("decisionTree")
    window.run("view.reproduce")
    tables = {one.title: one for one in opened.answer().sections if isinstance(one, Table)}
    assert [column.title for column in tables["Data to begin with"].columns] == ["Data", "Version", "More"]
    assert {row[1:] for row in tables["Machines"].rows} >= {("Rmax", "18,200.0 Tflop/s"), ("CPU", "IBM POWER9")}
    assert len(set(tables["Machines"].rows)) == len(tables["Machines"].rows)
