"""Pages are made when they are first shown; commands are there before, and a theme reaches the pages out of sight."""

from __future__ import annotations

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QWidget

from hpc_explorer.canvas.palette import DARK, LIGHT
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import MODEL, User


def test_the_pages_query_and_fair_are_made_when_they_are_first_shown(window: MainWindow, user: User) -> None:
    at_start = len(window.findChildren(QWidget))
    user.open_sample()
    assert not {View.ASK, View.FAIR} & set(window.pictures.pages)
    commands = {command.id for command in window.commands.commands}
    assert {"ask.new", "ask.or", "sparql.run", "fair.assess", "fair.plan", "fair.all", "check.show"} <= commands
    assert "fair.plan" not in window.commands.usable
    window.navigator.open(NamedNode(MODEL))
    user.rest()
    assert not {View.ASK, View.FAIR} & set(window.pictures.pages)
    user.press("F12")
    user.rest()
    assert window.features.fair.view is not None
    assert window.features.fair.view.ref.label == "decisionTree.onnx"
    assert window.features.assessing.tab.isVisible()
    assert "fair.plan" in window.commands.usable
    window.navigator.show_view(View.ASK)
    user.rest()
    assert window.features.ask.tab.isVisible()
    assert window.features.ask.tab.questions.rows.rows.rows, "the ready questions were listed before"
    assert window.features.ask.builder.prefixes["hpc"] == "https://hpc-fair.github.io/ontology#"
    assert QApplication.activeWindow() is window, "a part of a page was a window of its own while it was made"
    assert len(window.findChildren(QWidget)) > at_start + 300


def test_a_theme_reaches_the_pages_out_of_sight_when_they_are_shown(window: MainWindow, user: User) -> None:
    user.open_sample()
    window.navigator.open(NamedNode(MODEL))
    user.rest()
    canvas = window.pictures.explore.canvas
    assert canvas.drawing().theme.background == LIGHT.background
    window.navigator.show_view(View.HOME)
    user.rest()
    window.run("theme.dark")
    window.navigator.show_view(View.EXPLORE)
    user.rest()
    assert canvas.drawing().theme.background == DARK.background
    corner = window.pictures.grab().toImage().pixelColor(2, window.pictures.height() - 2)
    assert corner.name() == QColor(DARK.background).name()
