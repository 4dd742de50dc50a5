"""A query saved as a question by clicks and keys, asked, exported, taken back and deleted."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from hpc_explorer.app.query.question_files import own_questions, own_questions_folder
from hpc_explorer.query.questions.question import Question
from hpc_explorer.query.questions.question_file import read_questions
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.ui.questions.controller import DeleteQuestionDialog
from hpc_explorer.ui.questions.dialog import QuestionDialog
from hpc_explorer.ui.questions.save_dialog import ASKED, STANDS, SaveQuestionDialog
from hpc_explorer.ui.widgets.file_dialog import SaveDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User

MODELS = """SELECT ?model ?accuracy WHERE {
  ?model a hpc:AIModel ; hpc:targetMachine <http://example.org/cluster/lassen> ; hpc:accuracy ?accuracy .
  FILTER(?accuracy > 0.9)
}"""
LASSEN, THRESHOLD = 1, 2


@pytest.fixture
def xplacer(user: User) -> User:
    user.open_sample()
    user.rest()
    return user


def opened(user: User, text: str = MODELS) -> SaveQuestionDialog:
    user.window.features.ready_questions.save(text)
    user.rest()
    dialog = user.dialog(SaveQuestionDialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # what it said is looked at after that
    return dialog


def place(dialog: SaveQuestionDialog, row: int, column: int) -> QRect:
    return dialog.blanks.visualRect(dialog.blanks.model().index(row, column))


def tick(user: User, dialog: SaveQuestionDialog, row: int) -> None:
    """Click into the box of a row."""
    at = place(dialog, row, STANDS)
    at.setWidth(20)
    user.qtbot.mouseClick(dialog.blanks.viewport(), Qt.MouseButton.LeftButton, pos=at.center())


def rename(user: User, dialog: SaveQuestionDialog, row: int, name: str) -> None:
    """Click on what a blank is called, and type something else."""
    at = place(dialog, row, ASKED).center()
    user.qtbot.mouseClick(dialog.blanks.viewport(), Qt.MouseButton.LeftButton, pos=at)
    retype(user, dialog, row, name)


def retype(user: User, dialog: SaveQuestionDialog, row: int, name: str) -> None:
    """Type something else into the open editor of a row."""
    editor = dialog.blanks.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    user.qtbot.keyClicks(editor, name)
    user.qtbot.keyClick(editor, Qt.Key.Key_Return)
    index = dialog.blanks.model().index(row, ASKED)
    user.until(lambda: index.data() == name)


def saved(user: User, title: str = "Accurate models") -> Question:
    """The question of a query with two blanks, saved by clicks."""
    dialog = opened(user)
    user.type(title, dialog.title)
    tick(user, dialog, LASSEN)
    tick(user, dialog, THRESHOLD)
    rename(user, dialog, THRESHOLD, "least accuracy")
    user.click(dialog.save)
    user.until(lambda: not dialog.isVisible())
    user.rest()
    (question,) = read_questions(own_questions()["accurate-models"])
    return question


def titles(window: MainWindow) -> list[str]:
    questions = window.browser.questions
    return [questions.item(row).text() for row in range(questions.count())]


def chosen(user: User, title: str = "Accurate models") -> None:
    questions = user.window.browser.questions
    user.until(lambda: title in titles(user.window))
    questions.setCurrentRow(titles(user.window).index(title))


def action(window: MainWindow, name: str) -> QAction:
    return next(one for one in window.browser.questions.actions() if one.text() == name)


def test_a_query_becomes_a_question_that_is_asked(xplacer: User) -> None:
    question = saved(xplacer)
    assert [(one.label, one.default) for one in question.parameters] == [
        ("target machine", NamedNode("http://example.org/cluster/lassen")),
        ("least accuracy", Literal("0.9", datatype=question.parameters[1].datatype)),
    ]
    chosen(xplacer)
    xplacer.press("Return", xplacer.window.browser.questions)
    form = xplacer.dialog(QuestionDialog)
    xplacer.rest()
    xplacer.type("0.95", form.fields[1].line)
    assert form.values["accuracy2"] == Literal("0.95", datatype=question.parameters[1].datatype)
    xplacer.click(form.ask_button)
    xplacer.until(lambda: xplacer.window.pictures.answer.answer is not None)
    answer = xplacer.window.pictures.answer.answer
    assert answer is not None
    assert [row[1] for row in answer.tables[0].rows] == [0.957]


def test_what_is_no_number_cannot_be_asked(xplacer: User) -> None:
    saved(xplacer)
    chosen(xplacer)
    xplacer.press("Return", xplacer.window.browser.questions)
    form = xplacer.dialog(QuestionDialog)
    xplacer.rest()
    assert form.ask_button.isEnabled()
    xplacer.type("much", form.fields[1].line)
    assert not form.ask_button.isEnabled()
    xplacer.press("Escape", form.fields[1].line)
    xplacer.type("0.9", form.fields[1].line)
    assert form.ask_button.isEnabled()
    form.reject()


def test_it_says_what_will_be_asked_for_and_replaced(xplacer: User) -> None:
    saved(xplacer)
    dialog = opened(xplacer)
    assert dialog.remark == "It needs a title."
    assert not dialog.save.isEnabled()
    xplacer.type("Accurate", dialog.title)
    assert dialog.remark == "It will ask for nothing and always answer the same query."
    tick(xplacer, dialog, LASSEN)
    assert dialog.remark == "It will ask for: target machine."
    xplacer.type(" models", dialog.title)
    assert dialog.save.text() == "Replace"
    assert "It will be replaced" in dialog.remark
    xplacer.click(dialog.save)
    xplacer.until(lambda: not dialog.isVisible())
    xplacer.rest()
    assert titles(xplacer.window).count("Accurate models") == 1
    (question,) = read_questions(own_questions()["accurate-models"])
    assert len(question.parameters) == 1


def test_by_the_keys_with_todays_rows(xplacer: User) -> None:
    dialog = opened(xplacer)
    xplacer.until(dialog.title.hasFocus)
    xplacer.type("Accurate models", dialog.title)
    dialog.blanks.setFocus()
    xplacer.press("Down", dialog.blanks)
    xplacer.press("Space", dialog.blanks)
    xplacer.press("F2", dialog.blanks)
    retype(xplacer, dialog, LASSEN, "machine")
    assert [one.label for one in dialog.chosen] == ["machine"]
    dialog.keep_rows.setFocus()
    xplacer.press("Space", dialog.keep_rows)
    xplacer.press("Return", dialog.title)
    xplacer.until(lambda: not dialog.isVisible())
    (question,) = read_questions(own_questions()["accurate-models"])
    assert (question.examples[0].graph, len(question.examples[0].rows)) == ("sample:xplacer", 2)


def test_what_cannot_be_saved_is_said_and_the_dialog_stays(xplacer: User) -> None:
    own_questions_folder().parent.mkdir(parents=True, exist_ok=True)
    own_questions_folder().write_text("", encoding="utf-8")
    dialog = opened(xplacer)
    xplacer.type("Mine", dialog.title)
    xplacer.click(dialog.save)
    xplacer.rest()
    assert "questions" in dialog.remark
    assert dialog.isVisible()
    assert dialog.save.isEnabled()
    dialog.reject()
    wrong = opened(xplacer, "SELECT ?s { ?s")
    assert "line 1" in wrong.remark
    assert not wrong.save.isEnabled()
    wrong.reject()


def test_one_of_ones_own_is_exported_deleted_and_taken_back(xplacer: User, tmp_path: Path) -> None:
    window = xplacer.window
    question = saved(xplacer)
    chosen(xplacer)
    action(window, "Export question…").trigger()
    save = xplacer.dialog(SaveDialog)
    handed = tmp_path / "handed.ttl"
    save.file.setText(str(handed))
    xplacer.click(save.save)
    xplacer.until(handed.exists)
    xplacer.rest()
    assert read_questions(handed) == (question,)
    xplacer.press("Delete", window.browser.questions)
    asked = xplacer.dialog(DeleteQuestionDialog)
    xplacer.click(asked.delete)
    xplacer.until(lambda: "Accurate models" not in titles(window))
    assert list(own_questions_folder().iterdir()) == []
    window.features.ready_questions.take(handed)
    xplacer.until(lambda: "Accurate models" in titles(window))
    assert read_questions(own_questions()["accurate-models"]) == (question,)


def test_those_that_ship_cannot_be_deleted(xplacer: User) -> None:
    window = xplacer.window
    chosen(xplacer, "Runs by project")
    assert action(window, "Export question…").isEnabled()
    assert not action(window, "Delete question…").isEnabled()
    xplacer.press("Delete", window.browser.questions)
    assert not [one for one in window.findChildren(DeleteQuestionDialog) if one.isVisible()]
