"""Parts that dialogs and pages are made of."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from hpc_explorer.ui.widgets.dialog_parts import open_dialog, replace_content


def test_what_was_clicked_is_there_until_the_click_is_handled(qtbot: QtBot) -> None:
    area, button = QScrollArea(), QPushButton("Open another page")
    qtbot.addWidget(area)
    replace_content(area, button)
    seen: list[bool] = []

    def open_another() -> None:
        replace_content(area, QLabel("another page"))
        seen.append(isValid(button))

    button.clicked.connect(open_another)
    with qtbot.waitExposed(area):
        area.show()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert seen == [True]
    assert isinstance(area.widget(), QLabel)
    qtbot.waitUntil(lambda: not isValid(button))


def test_a_dialog_that_comes_late_waits_for_the_one_that_is_open(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    first, late, later, gone = (QDialog(window) for _ in range(4))
    for dialog in (first, late, later, gone):
        open_dialog(dialog)
    assert [first.isVisible(), late.isVisible(), later.isVisible()] == [True, False, False]
    within = QDialog(first)
    open_dialog(within)
    assert within.isVisible(), "one that the open dialog opens lies over it"
    within.reject()
    gone.deleteLater()
    qtbot.waitUntil(lambda: not isValid(gone))
    following = QDialog(window)
    first.finished.connect(lambda _: open_dialog(following))
    first.reject()
    assert following.isVisible(), "what a dialog leads to comes before what is late"
    following.accept()
    qtbot.waitUntil(late.isVisible)
    assert not later.isVisible()
    late.reject()
    qtbot.waitUntil(later.isVisible)
    later.reject()
    qtbot.waitUntil(lambda: not any(isValid(one) for one in (first, late, later, within, following)))
