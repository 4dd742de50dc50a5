"""The sentence of a query: its parts are placed once, however many they are."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from pytestqt.qtbot import QtBot

from hpc_explorer.rdf.terms import Variable
from hpc_explorer.ui.query.sentence_view import Piece, SentenceView
from hpc_explorer.ui.widgets.flow import FlowLayout


def test_the_parts_of_a_sentence_are_placed_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    placed: list[QRect] = []
    place = FlowLayout.setGeometry

    def set_geometry(flow: FlowLayout, rect: QRect) -> None:
        placed.append(rect)
        place(flow, rect)

    monkeypatch.setattr(FlowLayout, "setGeometry", set_geometry)
    view = SentenceView()
    qtbot.addWidget(view)
    view.resize(400, 300)
    with qtbot.waitExposed(view):
        view.show()
    placed.clear()
    view.show_pieces([Piece(f"thing {at}", Variable(f"v{at}")) for at in range(40)], None)
    assert 1 <= len(placed) <= 2
    assert all(button.isVisible() for button in view.buttons)
    rows = [button.y() for button in view.buttons]
    assert rows == sorted(rows)
    assert len(set(rows)) > 1
    assert view.buttons[0].geometry() != view.buttons[1].geometry()
