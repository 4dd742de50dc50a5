"""What a thing reached, and how two differ: asked in the window with real clicks and keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QComboBox, QInputDialog, QMenu, QPushButton

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.lineage.compare_dialog import CompareDialog
from hpc_explorer.ui.widgets.file_dialog import SaveDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import MODEL, User

OTHER = "http://example.org/AIModel/MO000002"
"""randomForest.onnx in the same sample."""


@pytest.fixture
def opened(window: MainWindow, user: User) -> User:
    user.open_sample("xplacer")
    return user


def right_click(user: User, key: str) -> QMenu:
    """The menu of a node in the picture."""
    canvas = user.window.pictures.canvas
    rect = canvas.view_rect(key)
    assert rect is not None
    at = QPoint(round(rect.centre.x), round(rect.centre.y))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, canvas.mapToGlobal(at))
    QApplication.sendEvent(canvas, event)
    menus: list[QMenu] = []

    def look() -> bool:
        menus[:] = [one for one in user.window.findChildren(QMenu) if one.isVisible()]
        return bool(menus)

    user.until(look)
    return menus[-1]


def pick(user: User, menu: QMenu, command_id: str) -> None:
    """Click a command in a menu."""
    place = menu.actionGeometry(user.window.commands.by_id[command_id]).center()
    user.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)


def test_what_a_machine_reached_is_asked_by_key_read_and_saved(
    window: MainWindow, opened: User, tmp_path: Path
) -> None:
    opened.search("lassen")
    opened.press("Ctrl+I")
    answer = opened.answer()
    assert answer.title == "What lassen reached"
    assert answer.summary[0] == "If this is retracted, 2 of 3 models are affected."
    models, projects = window.pictures.answer.tables
    assert models.hasFocus()
    opened.press("Down", models)
    opened.rest()
    assert opened.reads in ("decisionTree.onnx", "randomForest.onnx")
    assert {node.label for node in window.pictures.canvas.scene().nodes} >= {"lassen", "decisionTree.onnx"}
    opened.click(opened.button("Save answer as CSV…"))
    dialog = opened.dialog(SaveDialog)
    dialog.file.selectAll()
    opened.type(str(tmp_path / "reached"), dialog.file)
    opened.press("Return", dialog.file)
    opened.until(lambda: (tmp_path / "reached.csv").exists())
    opened.rest()
    lines = (tmp_path / "reached.csv").read_text().splitlines()
    assert lines[0].startswith("Model,Model IRI,Project,Project IRI,Steps,By way of")
    assert len(lines) == 3
    opened.press("Return", models)
    opened.rest()
    assert window.navigator.place.view is View.EXPLORE
    assert projects is not None


def test_it_is_asked_from_the_menu_of_a_node_and_another_class_can_be_counted(window: MainWindow, opened: User) -> None:
    opened.search("decisionTree")
    opened.trace()
    opened.rest()
    key = next(node.key for node in window.pictures.canvas.scene().nodes if node.key != MODEL and not node.group)
    pick(opened, right_click(opened, key), "go.impact")
    assert "models are affected" in opened.answer().summary[0]
    window.run("go.impact_class")
    dialog = opened.dialog(QInputDialog)
    (box,) = dialog.findChildren(QComboBox)
    box.setCurrentIndex(box.findText("AI model"))
    ok = next(one for one in dialog.findChildren(QPushButton) if one.text() == "Count")
    opened.click(ok)
    assert "of the class AI model" in opened.answer().summary[0]


def test_what_nothing_came_of_says_so(window: MainWindow, opened: User) -> None:
    opened.search("decisionTree")
    opened.press("Ctrl+I")
    answer = opened.answer()
    assert answer.summary[0].startswith("If this is retracted, 0 of ")
    assert window.pictures.answer.tables == []
    assert not window.pictures.canvas.isVisible()


def test_two_models_are_compared_from_the_one_to_the_other(window: MainWindow, opened: User) -> None:
    opened.search("decisionTree.onnx")
    opened.press("Ctrl+D")
    dialog = opened.dialog(CompareDialog)
    assert dialog.said == "Others of the class AI model"
    opened.type("randomForest.onnx", dialog.box)
    opened.until(lambda: dialog.said.endswith(" found"))
    opened.press("Return", dialog.box)
    answer = opened.answer()
    assert answer.title == "decisionTree.onnx compared with randomForest.onnx"
    assert answer.summary[0].startswith("The first parameter that differs is ")
    (table,) = window.pictures.answer.tables
    assert window.focusWidget() is table
    assert table.rows.rowCount() > 5
    badges = {node.label: node.badges for node in window.pictures.canvas.scene().nodes}
    assert badges["decisionTree.onnx"][0] == "A"
    assert badges["randomForest.onnx"][0] == "B"
    opened.press("Escape", table)
    # What was to be compared is remembered: anything else is compared with it from its menu.
    window.navigator.explore(NamedNode(OTHER))
    opened.rest()
    menu = right_click(opened, OTHER)
    action = window.commands.by_id["go.compare_with"]
    assert action.text() == "Compare with decisionTree.onnx"
    pick(opened, menu, "go.compare_with")
    assert opened.answer().title == "decisionTree.onnx compared with randomForest.onnx"
    assert window.navigator.can_go_back


def test_the_list_offers_others_of_the_class_by_arrow_and_enter(window: MainWindow, opened: User) -> None:
    opened.search("decisionTree.onnx")
    assert "go.compare_with" not in window.commands.usable
    opened.press("Ctrl+D")
    dialog = opened.dialog(CompareDialog)
    names = [dialog.list.rows.row_at(dialog.list.rows.index(row)) for row in range(dialog.list.rows.rowCount())]
    opened.press("Down", dialog.box)
    opened.press("Down", dialog.box)
    opened.press("Return", dialog.box)
    assert names[1] is not None
    assert opened.answer().title == f"decisionTree.onnx compared with {names[1].label}"
    window.run("file.close_all")
    opened.rest()
    assert window.features.questions.remembered is None


def test_two_chosen_nodes_of_the_graph_are_compared(window: MainWindow, opened: User) -> None:
    for key in (MODEL, OTHER):
        window.navigator.select(NamedNode(key))
        window.run("graph.add")
        opened.rest()
    assert window.navigator.place.view is View.GRAPH
    canvas = window.pictures.canvas
    canvas.setFocus()
    opened.press("Ctrl+A", canvas)
    opened.rest()
    opened.window.run("graph.compare")
    assert "compared with" in opened.answer().title


def test_a_thing_and_itself_differ_in_nothing(window: MainWindow, opened: User) -> None:
    tree = NamedNode(MODEL)
    window.features.questions.compare(tree, tree)
    assert opened.answer().summary == ("No difference found.",)
    assert window.pictures.answer.tables == []
