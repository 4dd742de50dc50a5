"""What the features declare, taken together: no two commands are confused, and each says what it does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from hpc_explorer.ui.bridge.commands import MENUS, Command, matching
from hpc_explorer.ui.window.command_palette import ID_ROLE, CommandPalette
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.windows import User


def test_no_two_commands_share_an_id_a_title_or_a_key(window: MainWindow) -> None:
    for name in ("id", "title", "shortcut"):
        seen = Counter(getattr(command, name) for command in window.commands.commands)
        assert [value for value, times in seen.items() if value and times > 1] == []


def test_every_command_runs_something_and_says_what_in_a_sentence(window: MainWindow) -> None:
    nothing = Command("nothing", "Nothing", "File")
    for command in window.commands.commands:
        assert command.run is not nothing.run, command.id
        assert command.description.endswith(".") or command.in_menu, command.id  # the story of a sample is a title
        assert not command.title.endswith("."), command.id


def test_every_button_and_menu_shows_a_command_that_is_declared(window: MainWindow) -> None:
    assert set(window.commands.by_id) == {command.id for command in window.commands.commands}


def test_every_command_stands_in_a_known_menu(window: MainWindow) -> None:
    for command in window.commands.commands:
        assert command.menu.partition("/")[0] in MENUS, command.id


def test_a_choice_is_one_of_several_in_its_menu_and_section(window: MainWindow) -> None:
    places = Counter((c.menu, c.section) for c in window.commands.commands if c.choice)
    assert places
    assert all(times > 1 for times in places.values())
    assert all(command.checked is not None for command in window.commands.commands if command.choice)


def test_a_command_that_cannot_be_run_is_left(window: MainWindow, user: User) -> None:
    ran: list[str] = []
    graph = next(command.needs for command in window.commands.commands if command.id == "file.export")
    window.commands.add(
        [Command("test.run", "Test", "File").runs(lambda: ran.append("test"), graph).about("Note that it was run.")]
    )
    window.run("test.run")
    assert ran == []
    user.open_sample("xplacer")
    window.run("test.run")
    assert ran == ["test"]


def test_the_palette_finds_titles_before_descriptions_and_wants_all_words(window: MainWindow) -> None:
    commands = window.commands.commands
    found = [command.id for command in matching(commands, "picture export")]
    assert found[0] == "file.export_picture"
    assert matching(commands, "") == list(commands)
    assert matching(commands, "export zebra") == []
    assert next(command.id for command in matching(commands, "raw DATA")) == "go.upstream"


def menu_commands(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            yield from menu_commands(below)
        elif not action.isSeparator():
            yield action


def test_the_menus_have_at_most_sixty_commands_each_once(window: MainWindow) -> None:
    menus = [action.menu() for action in window.menuBar().actions()]
    names = [action.objectName() for menu in menus if isinstance(menu, QMenu) for action in menu_commands(menu)]
    assert len(names) == len(set(names))
    assert 40 <= len(names) <= 60
    assert {"view.home", "view.graph", "view.classes", "view.runs"} <= set(names)


def test_only_standard_keys_have_two_modifiers(window: MainWindow) -> None:
    keys = {command.id: command.shortcut for command in window.commands.commands if command.shortcut}
    assert {name for name, key in keys.items() if key.replace("++", "+").count("+") > 1} == {
        "edit.describe",
        "edit.redo",
        "file.export",
        "file.save_as",
        "help.palette",
    }


def test_the_palette_finds_what_people_call_it(window: MainWindow, user: User) -> None:
    user.press("Ctrl+Shift+P", window)
    palette = user.dialog(CommandPalette)
    for words, command in (
        ("reproduce", "reproduce"),
        ("settings", "edit.settings"),
        ("preferences", "edit.settings"),
        ("impact", "go.impact"),
        ("hash", "view.match_content"),
        ("delete", "edit.remove"),
        ("validate", "check"),
    ):
        user.press("Ctrl+A", palette.box)
        user.type(words, palette.box)
        items = [palette.list.topLevelItem(number) for number in range(palette.list.topLevelItemCount())]
        shown = [item.data(0, ID_ROLE) for item in items]
        assert any(command in name for name in shown[:3]), (words, shown)


def test_the_palette_says_what_else_there_is(window: MainWindow, user: User) -> None:
    user.press("Ctrl+Shift+P", window)
    palette = user.dialog(CommandPalette)
    user.type("exprot", palette.box)
    assert palette.remark.text() == "No command is called “exprot”. These are close."
    shown = [palette.list.topLevelItem(number).data(0, ID_ROLE) for number in range(palette.list.topLevelItemCount())]
    assert "file.export" in shown
    palette.box.setText("qqqq")
    assert palette.remark.text() == "No command is called “qqqq”. These are all commands."
