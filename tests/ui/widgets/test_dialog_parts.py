"""Parts that dialogs and pages are made of."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from hpc_explorer.ui.widgets.dialog_parts import replace_content


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
