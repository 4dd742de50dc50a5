"""The search box and the list below it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.ask.dialog import AskDialog
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import MODEL, User


def found(window: MainWindow) -> list[str]:
    rows = window.search.popup.list.rows
    return [str(rows.index(row).data()) for row in range(rows.rowCount())]


def type_and_wait(user: User, text: str) -> None:
    user.press("Ctrl+K")
    user.type(text)
    user.until(lambda: user.window.search.is_suggesting)


def test_results_name_class_and_prefixed_name(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    type_and_wait(user, "decision")
    row = window.search.popup.list.rows.row_at(window.search.popup.list.currentIndex())
    assert row is not None
    assert row.label == "decisionTree.onnx"
    assert "AI model" in row.second
    assert row.span == (0, len("decision"))


def test_arrows_choose_and_the_box_keeps_the_keyboard(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    type_and_wait(user, "decision")
    labels = found(window)
    assert len(labels) > 1
    user.press("Down")
    assert QApplication.focusWidget() is window.search
    assert window.search.popup.list.currentIndex().row() == 1
    assert labels[1] in window.search.accessibleDescription()
    user.press("Up")
    user.press("Up")
    assert window.search.popup.list.currentIndex().row() == len(labels) - 1
    user.press("Down")
    user.press("Return")
    user.rest()
    assert user.reads == labels[0]
    assert not window.search.is_suggesting
    assert window.search.text() == ""


def test_a_click_opens_a_result(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    type_and_wait(user, "decision")
    listed = window.search.popup.list
    place = listed.visualRect(listed.rows.index(1)).center()
    label = found(window)[1]
    user.qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=place)
    user.rest()
    assert user.reads == label


def test_nothing_found_is_said(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    type_and_wait(user, "zzzebra")
    assert found(window) == []
    assert "Nothing is called “zzzebra”" in window.search.popup.remark.text()
    user.press("Escape")
    assert not window.search.is_suggesting
    assert window.search.text() == "zzzebra"
    user.press("Escape")
    assert window.search.text() == ""


def test_a_pasted_iri_opens_at_once_with_enter(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    for text in (MODEL, f"<{MODEL}>", "aimodel:MO000001"):
        user.press("Ctrl+K")
        QApplication.clipboard().setText(text)
        user.press("Ctrl+V")
        user.press("Return")
        user.until(lambda: not window.search.text())
        user.rest()
        assert window.navigator.place.selected == NamedNode(MODEL), text
        window.navigator.reset()
        user.rest()


def test_enter_right_after_typing_opens_the_first_of_what_was_typed_last(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.press("Ctrl+K")
    user.type("lassen")
    user.press("Return")
    user.until(lambda: not window.search.text())
    user.rest()
    assert user.reads == "lassen"


def test_only_the_answer_to_the_last_text_is_shown(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    user.press("Ctrl+K")
    for text in ("decision", "lassen", "Rodinia"):
        window.search.setText(text)
        window.search.look_up()
    user.until(lambda: window.search.is_suggesting)
    user.rest()
    assert all("rodinia" in label.casefold() for label in found(window))


def test_an_emptied_box_shows_nothing(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    type_and_wait(user, "decision")
    for _ in "decision":
        user.press("Backspace")
    assert not window.search.is_suggesting


def test_there_is_nothing_to_search_before_something_is_open(window: MainWindow, user: User, tmp_path: Path) -> None:
    assert not window.search.isEnabled()
    assert window.search.placeholderText() == "Nothing is open yet"
    user.open_sample("nsf")
    assert window.search.isEnabled()


def test_a_mistyped_name_is_found_and_says_so(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    type_and_wait(user, "desicion")
    row = window.search.popup.list.rows.row_at(window.search.popup.list.currentIndex())
    assert row is not None
    assert row.label == "decisionTree.onnx"
    assert row.second.startswith("similar spelling · AI model")
    assert "Nothing is called “desicion”; these are spelled alike" in window.search.popup.remark.text()
    user.press("Return")
    user.rest()
    assert user.reads == "decisionTree.onnx"


def test_a_question_in_the_search_box_is_asked(window: MainWindow, user: User) -> None:
    user.open_sample("xplacer")
    type_and_wait(user, "AI models with accuracy above 0.9")
    row = window.search.popup.list.rows.row_at(window.search.popup.list.currentIndex())
    assert row is not None
    assert (row.label, row.second) == ("AI models with accuracy above 0.9", "Ask in English")
    user.press("Return")
    dialog = user.dialog(AskDialog)
    user.until(dialog.readings.count)
    assert dialog.readings.item(0).text().startswith("AI models whose accuracy is more than 0.9")
    user.press("Return", dialog.line)
    user.rest()
    assert window.navigator.place.view is View.ASK
    assert len(window.features.ask.tab.rows.table.rows.shown) == 2
