"""The QActions of all commands, and the menus made from them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from hpc_explorer.ui.bridge.commands import MENUS, Command
from hpc_explorer.ui.widgets.plain import plain_tip, without_shortcut
from hpc_explorer.ui.widgets.theme import current_theme, icon, on_theme
from hpc_explorer.ui.widgets.turns import Turn

SAMPLES_MENU = "File/Open sample"
RECENT_MENU = "File/Open recent"

_AT_ONCE = 20
"""The icons that are drawn at once in colours that are new: 10 ms."""


class Actions(QObject):
    """One QAction for each command. An action can be requested before its command is added.

    Args:
        window: the widget that receives the shortcuts.

    Attributes:
        by_id: the actions by command id.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        on_theme(self._dress)
        self._undressed: list[Command] = []
        self._dressing = Turn(self, self._dress_some)
        self._commands: dict[str, Command] = {}
        self._recent: tuple[Command, ...] = ()
        self._submenus: dict[str, QMenu] = {}
        self._groups: dict[tuple[str, int], QActionGroup] = {}
        self.by_id: dict[str, QAction] = {}

    @property
    def commands(self) -> tuple[Command, ...]:
        """All commands in menu order; samples and recent sources come last."""
        return (*sorted(self._commands.values(), key=_place), *self._recent)

    @property
    def _all(self) -> tuple[Command, ...]:
        """All commands in the order in which they were added; unlike the menu order, it takes no time."""
        return (*self._commands.values(), *self._recent)

    @property
    def usable(self) -> set[str]:
        """The ids of the commands that can run now."""
        met: dict[int, bool] = {}  # by need: many commands share one
        for command in self._all:
            if id(command.needs) not in met:
                met[id(command.needs)] = command.needs.is_met()
        return {command.id for command in self._all if met[id(command.needs)]}

    def action(self, command_id: str) -> QAction:
        """The action of a command; it is created if necessary."""
        if command_id not in self.by_id:
            action = QAction(self)
            action.setObjectName(command_id)
            action.triggered.connect(lambda _=False: self.run(command_id))
            self.by_id[command_id] = action
        return self.by_id[command_id]

    def actions(self, *command_ids: str) -> list[QAction]:
        """The actions of several commands."""
        return [self.action(one) for one in command_ids]

    def add(self, commands: Iterable[Command]) -> None:
        """Add commands; a command replaces an earlier one with the same id."""
        for command in commands:
            self._commands[command.id] = command
            action = self._configured(command)
            self._window.addAction(action)
            if command.choice:
                place = command.menu, command.section
                if place not in self._groups:
                    self._groups[place] = QActionGroup(self)
                self._groups[place].addAction(action)

    def run(self, command_id: str) -> None:
        """Run a command if it can run now."""
        command = next((one for one in self._all if one.id == command_id), None)
        if command is None:
            raise KeyError(f"no command is called {command_id}")
        if command.needs.is_met():
            command.run()
        self.mark()

    def refresh(self) -> None:
        """Enable the actions that can run now, and update their check marks."""
        usable = self.usable
        for command in self._all:
            self.by_id[command.id].setEnabled(command.id in usable)
        self.mark()

    def mark(self) -> None:
        """Update the check marks without running commands."""
        for command in self._commands.values():
            if command.checked is not None:
                self.by_id[command.id].setChecked(command.checked())

    def set_title(self, command_id: str, title: str) -> None:
        """Replace the title of an action, for example with what undo would revert."""
        self.by_id[command_id].setText(without_shortcut(title))

    def _dress(self) -> None:
        """Draw the icons in the theme's colours, those of some commands at a time."""
        self._undressed = [command for command in self._all if command.icon]
        self._dressing.start()

    def _dress_some(self) -> None:
        theme = current_theme()
        now, self._undressed = self._undressed[:_AT_ONCE], self._undressed[_AT_ONCE:]
        for command in now:
            if command.id in self.by_id:  # a recent source may have gone
                self.by_id[command.id].setIcon(icon(command.icon, theme.muted, theme.line))
        if self._undressed:
            self._dressing.start()

    # Menus

    def fill(self, bar: QMenuBar, menus: Iterable[tuple[str, Iterable[Iterable[str]]]]) -> None:
        """Fill the menu bar. Call this once, after all commands are added.

        Args:
            menus: the title of each menu, and its sections of command ids; `recent` is the menu of recent sources. Ids
                of commands that do not exist are left out.
        """
        for title, sections in menus:
            menu = bar.addMenu(title)
            menu.setToolTipsVisible(True)
            for section in sections:
                if not menu.isEmpty():
                    menu.addSeparator()
                for name in section:
                    if name == "recent":
                        menu.addMenu(self.submenu(RECENT_MENU))
                    elif name in self._commands:
                        menu.addAction(self.by_id[name])
        for command in sorted(self._commands.values(), key=_in_menus):
            if "/" in command.menu:
                self.submenu(command.menu).addAction(self.by_id[command.id])

    def set_recent(self, commands: tuple[Command, ...]) -> None:
        """Replace the commands of the menu of recent sources."""
        menu = self.submenu(RECENT_MENU)
        menu.clear()
        for command in self._recent:
            self.by_id.pop(command.id).deleteLater()
        self._recent = commands
        for command in commands:
            menu.addAction(self._configured(command))
        menu.setEnabled(bool(commands))

    def menu(self, parts: Iterable[Iterable[str]], parent: QWidget) -> QMenu:
        """A menu of commands with a separator between the groups. A name with a slash is a submenu."""
        menu = QMenu(parent)
        for part in parts:
            if not menu.isEmpty():
                menu.addSeparator()
            for name in part:
                if "/" in name:
                    menu.addMenu(self.submenu(name))
                else:
                    menu.addAction(self.action(name))
        return menu

    def submenu(self, path: str) -> QMenu:
        """A submenu by its path, such as "Graph/Focus"."""
        if path not in self._submenus:
            menu = QMenu(path.partition("/")[2], self._window)
            menu.setToolTipsVisible(True)
            self._submenus[path] = menu
        return self._submenus[path]

    def _configured(self, command: Command) -> QAction:
        """Copy the properties of a command to its action."""
        title = command.in_menu or command.title
        action = self.action(command.id)
        action.blockSignals(True)  # emit one signal for all changes
        action.setIconText(command.short or title.rstrip("…"))
        action.setText(without_shortcut(title))
        action.setStatusTip(command.description)
        action.setWhatsThis(command.description)
        keys = QKeySequence(command.shortcut)
        hint = keys.toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(plain_tip(f"{command.description} ({hint})" if hint else command.description))
        if command.shortcut:
            action.setShortcut(keys)
        if command.icon:
            action.setIcon(icon(command.icon, current_theme().muted, current_theme().line))
        action.setCheckable(command.checked is not None)
        action.blockSignals(False)
        action.changed.emit()
        return action


def _in_menus(command: Command) -> tuple[int, int]:
    return MENUS.index(command.menu.partition("/")[0]), command.section


def _place(command: Command) -> tuple[bool, int, int]:
    return (command.menu == SAMPLES_MENU, *_in_menus(command))
