"""What a thing reached, and how two differ: asked in the window with real clicks and keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QComboBox, QInputDialog, QMenu, QPushButton

from hpc_explorer.app.answer import Answer
from hpc_explorer.ui.main_window import MainWindow
from hpc_explorer.ui.navigator import View
from hpc_explorer.ui.save_dialog import SaveDialog
from tests.helpers.windows import MODEL, User


@pytest.fixture
def opened(window: MainWindow, user: User) -> User:
    user.open_sample("xplacer")
    return user


def answered(user: User) -> Answer:
    """The answer that is shown once it is found."""
    user.rest()
    assert user.window.navigator.place.view is View.ANSWER
    answer = user.window.pictures.answer.answer
    assert answer is not None
    return answer


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
    answer = answered(opened)
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
    opened.press("Ctrl+L")
    opened.rest()
    key = next(node.key for node in window.pictures.canvas.scene().nodes if node.key != MODEL and not node.group)
    pick(opened, right_click(opened, key), "go.impact")
    assert "models are affected" in answered(opened).summary[0]
    window.run("go.impact_class")
    dialog = opened.dialog(QInputDialog)
    (box,) = dialog.findChildren(QComboBox)
    box.setCurrentIndex(box.findText("AI model"))
    ok = next(one for one in dialog.findChildren(QPushButton) if one.text() == "Count")
    opened.click(ok)
    assert "of the class AI model" in answered(opened).summary[0]


def test_what_nothing_came_of_says_so(window: MainWindow, opened: User) -> None:
    opened.search("decisionTree")
    opened.press("Ctrl+I")
    answer = answered(opened)
    assert answer.summary[0].startswith("If this is retracted, 0 of ")
    assert window.pictures.answer.tables == []
    assert not window.pictures.canvas.isVisible()
