"""Looks as a person chooses them, the legend that puts things back, and pictures that leave the window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from pytestqt.qtbot import QtBot

from hpc_explorer.app.settings import Settings
from hpc_explorer.app.undo import StateStep, UndoStack
from hpc_explorer.canvas.kinds import Style
from hpc_explorer.canvas.palette import DARK, LIGHT, class_colour, class_look, contrast
from hpc_explorer.canvas.primitives import Text
from hpc_explorer.canvas.view.saved import from_json, to_json
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.canvas.legend import CanvasLegend, LegendButton
from hpc_explorer.ui.explore.looks import Looks
from hpc_explorer.ui.explore.looks_dialog import LooksDialog
from hpc_explorer.ui.export.picture_dialog import FORMATS, PictureDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User, open_window

LEFT = Qt.MouseButton.LeftButton
HPC = "https://hpc-fair.github.io/ontology#"
AI_MODEL, DATASET = HPC + "AIModel", HPC + "Dataset"


@pytest.fixture
def model(window: MainWindow, user: User) -> MainWindow:
    """The window with a model and its neighbours."""
    user.open_sample("xplacer")
    user.search("decisionTree")
    return window


def legend(window: MainWindow) -> CanvasLegend:
    return window.pictures.legends[window.pictures.view]


def entry(window: MainWindow, key: str) -> LegendButton:
    return next(button for button in legend(window).buttons if button.key == key)


def ink(window: MainWindow, label: str) -> str:
    """The colour that a text of the picture has."""
    page = window.pictures.canvas.drawing().page()
    return next(item.colour for item in page.primitives if isinstance(item, Text) and item.text == label)


def menu_of(user: User) -> QMenu:
    user.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose(user: User, menu: QMenu, text: str) -> None:
    action = next(action for action in menu.actions() if action.text() == text)
    user.qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())


def opened(user: User) -> LooksDialog:
    return user.dialog(LooksDialog)


def accept(user: User, dialog: LooksDialog) -> None:
    user.click(user.button("OK", dialog))
    user.rest()


# -- the legend


def test_the_legend_says_how_many_nodes_each_mark_stands_for(model: MainWindow) -> None:
    names = [button.accessibleName() for button in legend(model).buttons]
    assert "Dataset, 4 nodes" in names
    assert "AI model, 1 node" in names


def test_a_click_in_the_legend_puts_things_back_and_another_brings_them_to_the_front(
    model: MainWindow, user: User
) -> None:
    told: list[str] = []
    canvas = model.pictures.canvas
    canvas.legend_toggled.connect(told.append)
    camera = canvas.camera()
    assert ink(model, "bfs-labelled.csv") == LIGHT.text
    user.click(entry(model, "data"))
    assert told == ["data"]
    assert contrast(ink(model, "bfs-labelled.csv"), LIGHT.surface) < 2
    assert ink(model, "lassen") == LIGHT.text
    assert entry(model, "data").isChecked()
    assert entry(model, "data").accessibleName() == "Dataset, 4 nodes, faded"
    assert canvas.camera() == camera
    user.click(entry(model, "data"))
    assert ink(model, "bfs-labelled.csv") == LIGHT.text
    assert not entry(model, "data").isChecked()


def test_what_is_put_back_stays_so_in_other_colours_and_in_an_export(model: MainWindow, user: User) -> None:
    user.click(entry(model, "data"))
    model.run("theme.dark")
    user.rest()
    assert contrast(ink(model, "bfs-labelled.csv"), DARK.surface) < 2
    assert ink(model, "lassen") == DARK.text
    assert model.pictures.canvas.drawing().themed(LIGHT).theme.faded == {"data"}


def test_the_legend_is_used_by_keyboard(model: MainWindow, user: User) -> None:
    buttons = legend(model).buttons
    model.pictures.canvas.setFocus()
    user.press("Tab")
    user.until(buttons[0].hasFocus)
    user.press("Right")
    assert buttons[1].hasFocus()
    user.press("Space")
    assert model.pictures.canvas.faded() == {buttons[1].key}
    user.press("Return")
    assert not model.pictures.canvas.faded()
    user.press("Left")
    assert buttons[0].hasFocus()
    user.press("Left")
    assert buttons[0].hasFocus()


def test_the_menu_of_the_legend_leads_to_the_looks_and_brings_all_back(model: MainWindow, user: User) -> None:
    user.click(entry(model, "data"))
    user.click(entry(model, "machine"))
    button = entry(model, "model")
    QApplication.postEvent(
        button, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), button.mapToGlobal(QPoint(5, 5)))
    )
    choose(user, menu_of(user), "Show all classes again")
    assert not model.pictures.canvas.faded()
    QApplication.postEvent(
        button, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), button.mapToGlobal(QPoint(5, 5)))
    )
    choose(user, menu_of(user), "Looks…")
    assert opened(user).classes.currentItem().text() == "AI model"
    user.close(opened(user))


# -- the dialog


def test_a_look_is_chosen_kept_and_taken_back(model: MainWindow, user: User, tmp_path: Path) -> None:
    stack = UndoStack()
    model.features.appearance.looks.done.connect(stack.push)
    camera = model.pictures.canvas.camera()
    user.window.run("view.looks")
    dialog = opened(user)
    user.type("ai mod", dialog.filter)
    row = next(row for row in range(dialog.classes.count()) if dialog.classes.item(row).text() == "AI model")
    assert not dialog.classes.item(row).isHidden()
    item = dialog.classes.visualItemRect(dialog.classes.item(row))
    user.qtbot.mouseClick(dialog.classes.viewport(), LEFT, pos=item.center())
    user.click(user.button("Colour: Teal", dialog))
    user.click(user.button("Sign: Place", dialog))
    user.click(user.button("Shape: Diamond", dialog))
    assert dialog.looks == {AI_MODEL: Style("spare-2", "diamond", "place")}
    assert dialog.warning == ""
    accept(user, dialog)

    look = class_look(model.pictures.canvas.drawing().theme, AI_MODEL)
    assert (look.colour, look.icon, look.shape) == (LIGHT.classes["spare-2"], "place", "diamond")
    assert model.pictures.canvas.scene().focus().colour_key == AI_MODEL  # type: ignore[union-attr]
    assert model.pictures.canvas.camera() == camera, "another look moves nothing"
    assert stack.undo_words == "change the look of AI model"

    stack.undo()
    user.rest()
    assert not model.features.appearance.looks.looks
    assert model.pictures.canvas.scene().focus().colour_key == "model"  # type: ignore[union-attr]
    stack.redo()
    user.rest()
    model.close()
    saved = json.loads((tmp_path / "config" / "settings.json").read_text(encoding="utf-8"))
    assert saved["looks"] == {AI_MODEL: {"colour": "spare-2", "shape": "diamond", "icon": "place"}}


def test_a_look_holds_for_the_classes_below_and_is_there_at_the_next_start(
    qapp: QApplication, qtbot: QtBot, window: MainWindow
) -> None:
    again = open_window(qapp, qtbot, Settings(looks={HPC + "Data": Style("#aa00aa")}))
    user = User(qtbot, again)
    user.open_sample("xplacer")
    user.search("bfs-labelled")
    focus = again.pictures.canvas.scene().focus()
    assert focus is not None
    theme = again.pictures.canvas.drawing().theme
    assert focus.kind == "Dataset"
    assert class_colour(theme, focus.colour_key) == "#aa00aa"
    assert class_look(theme, focus.colour_key).icon == "dataset", "what was not chosen stays as the kind has it"
    again.quit_now()


def test_any_other_colour_is_taken_with_a_warning(model: MainWindow, user: User) -> None:
    model.run("view.looks")
    dialog = opened(user)
    user.type("#fffbe0", dialog.code)
    assert list(dialog.looks.values()) == [Style("#fffbe0")]
    assert "1.0 to 1" in dialog.warning
    dialog.code.selectAll()
    user.type("#7a003c", dialog.code)
    assert "to 1" not in dialog.warning
    assert "palette" in dialog.warning
    user.click(dialog.reset)
    assert not dialog.looks
    assert not dialog.warning
    assert not dialog.reset.isEnabled()
    user.close(dialog)
    assert not model.features.appearance.looks.looks


def test_all_looks_are_reset_at_once(model: MainWindow, user: User) -> None:
    model.run("view.looks")
    dialog = opened(user)
    user.click(user.button("Colour: Teal", dialog))
    user.press("Down", dialog.classes)
    user.click(user.button("Shape: Square", dialog))
    assert len(dialog.looks) == 2
    assert len(dialog.changed_labels) == 2
    user.click(dialog.reset_all)
    assert not dialog.looks
    done: list[StateStep[Looks]] = []
    model.features.appearance.looks.done.connect(done.append)
    accept(user, dialog)
    assert not done, "nothing was changed"


def test_the_class_tree_leads_to_the_look_of_a_class(model: MainWindow, user: User) -> None:
    tree = model.browser.classes
    index = next(
        index
        for index in tree.model().match(
            tree.model().index(0, 0), Qt.ItemDataRole.DisplayRole, "Dataset", -1, Qt.MatchFlag.MatchRecursive
        )
        if index.data() == "Dataset"
    )
    place = tree.visualRect(index).center()
    user.qtbot.mouseClick(tree.viewport(), LEFT, pos=place)
    QApplication.postEvent(
        tree.viewport(),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, tree.viewport().mapToGlobal(place)),
    )
    choose(user, menu_of(user), "Look of this class…")
    dialog = opened(user)
    assert dialog.classes.currentItem().text() == "Dataset"
    user.click(user.button("Sign: Concept", dialog))
    accept(user, dialog)
    assert model.features.appearance.looks.looks == {DATASET: Style(icon="concept")}


def test_a_look_is_undone_where_a_person_is(model: MainWindow, user: User) -> None:
    assert model.pictures.view is View.EXPLORE
    model.run("view.looks")
    dialog = opened(user)
    dialog.classes.setCurrentItem(dialog.classes.findItems("AI model", Qt.MatchFlag.MatchExactly)[0])
    user.click(user.button("Shape: Diamond", dialog))
    accept(user, dialog)
    assert model.commands.by_id["edit.undo"].text() == "Undo change the look of AI model"
    user.press("Ctrl+Z", model)
    user.rest()
    assert not model.features.appearance.looks.looks
    assert model.pictures.view is View.EXPLORE


def test_a_look_for_one_view_is_undone_and_saved_with_it(model: MainWindow, user: User) -> None:
    model.run("view.looks")
    assert not opened(user).view_only.isVisible(), "only a view of the graph has looks of its own"
    user.close(opened(user))
    model.run("graph.add")
    user.rest()
    controller = model.features.graph.controller
    model.run("view.looks")
    dialog = opened(user)
    row = next(row for row in range(dialog.classes.count()) if dialog.classes.item(row).text() == "AI model")
    dialog.classes.setCurrentRow(row)
    assert dialog.everywhere.isChecked()
    user.click(dialog.view_only)
    user.click(user.button("Colour: Teal", dialog))
    assert (dialog.looks, dialog.of_view) == ({}, {AI_MODEL: Style("spare-2")})
    user.click(dialog.everywhere)
    assert user.button("Colour: default of the kind", dialog).isChecked()
    user.click(dialog.view_only)
    accept(user, dialog)
    assert not model.features.appearance.looks.looks
    assert controller.view.styles == {AI_MODEL: Style("spare-2")}
    assert controller.undo.undo_words == "change the look of AI model in this view"
    canvas = model.pictures.canvases[View.GRAPH]
    (node,) = canvas.scene().nodes
    look = class_look(canvas.drawing().theme, node.colour_key)
    assert (look.colour, look.icon, look.shape) == (LIGHT.classes["spare-2"], "model", "circle")
    assert from_json(to_json(controller.view)).styles == controller.view.styles
    lineage = model.pictures.canvases[View.EXPLORE]
    assert class_colour(lineage.drawing().theme, AI_MODEL) == LIGHT.classes["model"]

    model.run("view.looks")
    dialog = opened(user)
    dialog.classes.setCurrentRow(row)
    assert "In this view" in next(label.text() for label in dialog.findChildren(QLabel) if "Subclasses" in label.text())
    user.close(dialog)
    user.press("Ctrl+Z", model)
    user.rest()
    assert not controller.view.styles
    assert canvas.scene().nodes[0].colour_key == "model"
    user.press("Ctrl+Shift+Z", model)
    user.rest()
    assert controller.view.styles == {AI_MODEL: Style("spare-2")}


def test_a_look_is_seen_in_the_graph_tab_and_taken_back_by_undo(model: MainWindow, user: User) -> None:
    model.run("graph.add")
    user.rest()
    model.run("view.graph")
    user.rest()
    canvas = model.pictures.canvas
    assert [node.colour_key for node in canvas.scene().nodes] == ["model"]
    places = canvas.drawing().layout.places
    user.window.run("view.looks")
    dialog = opened(user)
    dialog.classes.setCurrentItem(dialog.classes.findItems("AI model", Qt.MatchFlag.MatchExactly)[0])
    user.click(user.button("Shape: Diamond", dialog))
    accept(user, dialog)
    user.until(lambda: [node.colour_key for node in canvas.scene().nodes] == [AI_MODEL])
    assert class_look(canvas.drawing().theme, AI_MODEL).shape == "diamond"
    assert canvas.drawing().layout.places == places
    assert model.commands.by_id["edit.undo"].text() == "Undo change the look of AI model"
    user.press("Ctrl+Z", model)
    user.until(lambda: [node.colour_key for node in canvas.scene().nodes] == ["model"])
    assert not model.features.appearance.looks.looks
    user.press("Ctrl+Z", model)
    user.rest()
    assert not canvas.scene().nodes, "the step before is still there to be undone"


# -- pictures that leave the window


def test_the_picture_is_copied_as_an_image_and_as_svg(model: MainWindow, user: User) -> None:
    user.window.run("edit.copy_picture")
    clipboard = QGuiApplication.clipboard()
    user.until(lambda: not clipboard.image().isNull())
    page = model.pictures.canvas.drawing().page()
    image = clipboard.image()
    assert (image.width(), image.height()) == (2 * page.bounds.width, 2 * page.bounds.height)
    assert image.pixelColor(2, 2).name() == LIGHT.background
    assert b"decisionTree.onnx" in bytes(clipboard.mimeData().data("image/svg+xml").data())
    user.until(lambda: "Copied the picture" in user.told)


def picture_dialog(window: MainWindow, user: User) -> PictureDialog:
    user.window.run("file.export_picture")
    return user.dialog(PictureDialog)


@pytest.mark.parametrize(
    ("name", "ending", "begins"),
    [
        ("SVG", ".svg", b"<svg"),
        ("PNG", ".png", b"\x89PNG"),
        ("PDF", ".pdf", b"%PDF"),
        ("GraphML", ".graphml", b"<?xml"),
    ],
)
def test_a_picture_is_exported_in_each_format(
    model: MainWindow, user: User, tmp_path: Path, name: str, ending: str, begins: bytes
) -> None:
    dialog = picture_dialog(model, user)
    dialog.file.clear()
    user.type(str(tmp_path / "mine.svg"), dialog.file)
    user.click(next(button for button in dialog.formats.buttons() if button.text() == name))
    assert dialog.path == tmp_path / f"mine{ending}"
    user.click(dialog.export)
    user.until(model.banner.isVisible)
    assert model.banner.title == "Exported the picture"
    assert (tmp_path / f"mine{ending}").read_bytes().startswith(begins)


def test_a_picture_is_exported_for_paper_and_at_any_size(model: MainWindow, user: User, tmp_path: Path) -> None:
    dialog = picture_dialog(model, user)
    dialog.file.clear()
    user.type(str(tmp_path / "paper.png"), dialog.file)
    assert dialog.formats.checkedButton().text() == "PNG"
    user.click(user.button("Colours: Paper: black on white", dialog))
    dialog.pixels.setFocus()
    dialog.pixels.selectAll()
    user.type("900", dialog.pixels)
    user.press("Tab", dialog.pixels)
    assert dialog.drawing.theme.name == "print"
    user.click(dialog.export)
    user.until(model.banner.isVisible)
    assert int.from_bytes((tmp_path / "paper.png").read_bytes()[16:20], "big") == 900


def test_the_size_is_asked_for_only_where_there_are_pixels(model: MainWindow, user: User) -> None:
    dialog = picture_dialog(model, user)
    low = dialog.height()
    assert not dialog.pixels.isVisible()
    dialog.file.clear()
    user.click(user.button(next(f"{name}. {use}" for _, name, use in FORMATS if name == "PNG"), dialog))
    assert dialog.path.suffix == ".png"
    assert dialog.pixels.isVisible()
    assert dialog.height() > low
    dialog.file.clear()
    user.type("paper.pdf", dialog.file)
    assert not dialog.pixels.isVisible()
    assert dialog.height() == low
    user.close(dialog)


def test_what_cannot_be_written_is_said_before(model: MainWindow, user: User, tmp_path: Path) -> None:
    dialog = picture_dialog(model, user)
    dialog.file.clear()
    user.type(str(tmp_path / "mine.gif"), dialog.file)
    assert ".graphml" in dialog.warning
    assert not dialog.export.isEnabled()
    (tmp_path / "there.pdf").write_text("")
    dialog.file.clear()
    user.type(str(tmp_path / "there.pdf"), dialog.file)
    assert dialog.warning == "This file will be replaced."
    assert dialog.export.isEnabled()
    user.close(dialog)
