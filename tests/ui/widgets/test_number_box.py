"""Boxes for numbers: the number can be read, and they stand in line with the fields beside them."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.canvas.palette import DARK, LIGHT
from hpc_explorer.ui.widgets import theme
from hpc_explorer.ui.widgets.number_box import DecimalBox, WholeNumberBox
from hpc_explorer.ui.window.appearance import ThemedParts


def test_a_number_is_all_in_sight_and_in_line_with_a_text(qapp: QApplication, qtbot: QtBot) -> None:
    theme.prepare(qapp)
    row = QWidget()
    qtbot.addWidget(row)
    beside = QHBoxLayout(row)
    line, whole, decimal = QLineEdit("text"), WholeNumberBox(), DecimalBox()
    whole.setRange(0, 20_000)
    whole.setGroupSeparatorShown(True)
    whole.setSuffix(" pixels wide")
    whole.setValue(12_000)
    decimal.setSuffix(" %")
    for field in (line, whole, decimal):
        beside.addWidget(field)
    parts = ThemedParts(row)
    for colours in (LIGHT, DARK):
        parts.apply(colours)
        with qtbot.waitExposed(row):
            row.show()
        for box in (whole, decimal):
            room = box.lineEdit().width() - box.lineEdit().textMargins().left()
            assert box.lineEdit().fontMetrics().horizontalAdvance(box.text()) <= room
            assert abs(box.height() - line.height()) <= 1
