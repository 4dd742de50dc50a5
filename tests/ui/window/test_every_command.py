"""Commands are reached by the mouse in their menu, and all of them by the keyboard, by a key or in the palette."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar

from hpc_explorer.ui.bridge.actions import SAMPLES_MENU
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.window.command_palette import ID_ROLE, CommandPalette
from hpc_explorer.ui.window.main_window import MainWindow
from hpc_explorer.ui.window.menus import MENU_BAR
from tests.helpers.windows import User


@pytest.fixture
def commands(window: MainWindow) -> tuple[Command, ...]:
    """All that features declare, but for those that open one sample each."""
    return tuple(command for command in window.commands.commands if command.menu != SAMPLES_MENU)


@pytest.fixture
def ran(window: MainWindow, user: User, commands: tuple[Command, ...]) -> list[str]:
    """What was run; nothing else happens, and nothing that a command needs is missing."""
    user.open_sample("xplacer")
    user.search("decisionTree")
    told: list[str] = []

    def telling(command: Command) -> Command:
        def run() -> None:
            told.append(command.id)
            if command.id == "help.palette":
                command.run()

        return command.runs(run)

    window.commands.add(map(telling, commands))
    window.commands.refresh()
    return told


def opened_menu(user: User, at: QMenuBar | QMenu, title: str) -> QMenu:
    """The menu of this title, after a click on it."""
    action = next(one for one in at.actions() if one.menu() and one.text().replace("&", "") == title)
    menu = action.menu()
    assert isinstance(menu, QMenu)
    user.qtbot.mouseClick(at, Qt.MouseButton.LeftButton, pos=at.actionGeometry(action).center())
    user.until(menu.isVisible)
    return menu


def test_by_the_mouse(window: MainWindow, user: User, ran: list[str], commands: tuple[Command, ...]) -> None:
    known = {command.id: command for command in commands}
    places = [(title, name) for title, sections in MENU_BAR for section in sections for name in section]
    for title, name in places:
        if name not in known:
            continue
        command = known[name]
        at = opened_menu(user, window.menuBar(), title.replace("&", ""))
        place = at.actionGeometry(window.commands.by_id[command.id]).center()
        user.qtbot.mouseClick(at, Qt.MouseButton.LeftButton, pos=place)
        assert ran[-1:] == [command.id]
        for dialog in window.findChildren(CommandPalette):
            dialog.reject()


def test_by_its_key(window: MainWindow, user: User, ran: list[str], commands: tuple[Command, ...]) -> None:
    found = {}
    for command in commands:
        if command.shortcut:
            ran.clear()
            window.pictures.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
            user.press(command.shortcut, window.pictures.canvas)
            found[command.id] = tuple(ran)
            for dialog in window.findChildren(CommandPalette):
                dialog.reject()
    assert {command: did for command, did in found.items() if did != (command,)} == {}
    assert found


@pytest.mark.slow
def test_by_its_name_in_the_palette(
    window: MainWindow, user: User, ran: list[str], commands: tuple[Command, ...]
) -> None:
    for command in commands:
        user.press("Ctrl+Shift+P", window)
        palette = user.dialog(CommandPalette)
        # Pasted: at each typed letter, the list is made anew. That letters find commands: test_commands.py.
        QApplication.clipboard().setText(command.title.removesuffix("…"))
        user.press("Ctrl+V", palette.box)
        while palette.list.currentItem().data(0, ID_ROLE) != command.id:
            before = palette.list.currentItem()
            user.press("Down", palette.box)
            assert palette.list.currentItem() is not before, f"{command.title} is not found"
        user.press("Return", palette.box)
        assert ran[-1:] == [command.id]
        for dialog in window.findChildren(CommandPalette):
            dialog.reject()
