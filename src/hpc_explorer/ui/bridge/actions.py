"""The commands of `app.commands` as Qt's actions, and the menus made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from hpc_explorer.app.command_table import COMMANDS
from hpc_explorer.app.commands import MENUS, RECENT_MENU, SAMPLES_MENU, Command, Kind, Needs, source_title
from hpc_explorer.canvas.palette import LIGHT, Theme
from hpc_explorer.ui.widgets.plain import plain_tip, without_shortcut
from hpc_explorer.ui.widgets.theme import icon

_TITLES = {
    "File": "&File",
    "Edit": "&Edit",
    "View": "&View",
    "Go": "&Go",
    "Graph": "G&raph",
    "Ask": "&Ask",
    "FAIR": "FA&IR",
    "Help": "&Help",
}

# The submenus, and which command they stand after.
_AFTER = {
    SAMPLES_MENU: "file.load",
    RECENT_MENU: "file.load",
    "File/Save answer": "file.export_picture",
    "View/Class view": "view.only_used",
    "View/Theme": "view.only_used",
    "Graph/Focus": "graph.remove",
    "Graph/Arrange": "graph.unpin",
    "FAIR/Reading": "fair.online",
}


class Actions(QObject):
    """One QAction for each command.

    Attributes:
        by_id: the actions.

    Signals:
        wanted(str): the id of a command that the user runs, from a menu, by its key or on a button.
    """

    wanted = Signal(str)

    def __init__(self, window: QWidget, samples: tuple[Command, ...]) -> None:
        super().__init__(window)
        self._window = window
        self._theme = LIGHT
        self._samples = samples
        self._recent: tuple[Command, ...] = ()
        self._present: frozenset[Needs] = frozenset({Needs.NOTHING})
        self._submenus: dict[str, QMenu] = {}
        self.by_id: dict[str, QAction] = {}
        groups: dict[tuple[str, int], QActionGroup] = {}
        for command in (*COMMANDS, *samples):
            action = self._made(command)
            window.addAction(action)
            if command.kind is Kind.CHOICE:
                group = groups.setdefault((command.menu, command.section), QActionGroup(self))
                group.addAction(action)

    @property
    def commands(self) -> tuple[Command, ...]:
        """Every command there is now, in the order of the menus."""
        return (*COMMANDS, *self._samples, *self._recent)

    @property
    def usable(self) -> set[str]:
        """The ids of the commands that can be run now."""
        return {command.id for command in self.commands if command.needs in self._present}

    def fill(self, bar: QMenuBar) -> None:
        """Put every command into its menu."""
        for name in MENUS:
            menu = bar.addMenu(_TITLES[name])
            section = 0
            for command in COMMANDS:
                if command.menu != name:
                    continue
                if command.section != section:
                    menu.addSeparator()
                    section = command.section
                menu.addAction(self.by_id[command.id])
                for path in (path for path, before in _AFTER.items() if before == command.id):
                    menu.addMenu(self._submenu(path))

    def sources_menu(self, parent: QWidget) -> QMenu:
        """The menu of the button that opens something."""
        menu = QMenu(parent)
        for command_id in ("file.open", "file.open_folder", "file.open_address", "file.open_workspace", "file.load"):
            menu.addAction(self.by_id[command_id])
        menu.addMenu(self._submenu(SAMPLES_MENU))
        menu.addMenu(self._submenu(RECENT_MENU))
        menu.addSeparator()
        for command_id in ("source.close", "file.close_all"):
            menu.addAction(self.by_id[command_id])
        return menu

    def set_recent(self, commands: tuple[Command, ...]) -> None:
        """List these as opened before."""
        menu = self._submenu(RECENT_MENU)
        menu.clear()
        for command in self._recent:
            self.by_id.pop(command.id).deleteLater()
        self._recent = commands
        for command in commands:
            menu.addAction(self._made(command))
        menu.setEnabled(bool(commands))

    def set_present(self, present: Iterable[Needs]) -> None:
        """Grey out what cannot be done now."""
        self._present = frozenset(present) | {Needs.NOTHING}
        for command in self.commands:
            self.by_id[command.id].setEnabled(command.needs in self._present)

    def set_checked(self, checked: Mapping[str, bool]) -> None:
        """Mark what is on; nothing is run by that."""
        for command_id, on in checked.items():
            self.by_id[command_id].setChecked(on)

    def set_title(self, command_id: str, title: str) -> None:
        """Say more than the command's own title, such as what an undo takes back."""
        self.by_id[command_id].setText(without_shortcut(title))

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in this theme's colours."""
        self._theme = theme
        for command in self.commands:
            if command.icon:
                self.by_id[command.id].setIcon(icon(command.icon, theme.muted, theme.line))

    def menu(self, parts: Iterable[Iterable[str]], parent: QWidget) -> QMenu:
        """A menu of these commands, parts of which are kept apart; a name with a stroke is that of a menu below it."""
        menu = QMenu(parent)
        for part in parts:
            if not menu.isEmpty():
                menu.addSeparator()
            for name in part:
                if "/" in name:
                    menu.addMenu(self._submenu(name))
                else:
                    menu.addAction(self.by_id[name])
        return menu

    def submenu(self, path: str) -> QMenu:
        """The menu below another one, such as "Graph/Focus"."""
        return self._submenu(path)

    def _submenu(self, path: str) -> QMenu:
        if path not in self._submenus:
            menu = QMenu(path.partition("/")[2], self._window)
            menu.setToolTipsVisible(True)
            for command in self.commands:
                if command.menu == path:
                    menu.addAction(self.by_id[command.id])
            self._submenus[path] = menu
        return self._submenus[path]

    def _made(self, command: Command) -> QAction:
        title = command.title
        if command.menu in (SAMPLES_MENU, RECENT_MENU):
            title = source_title(command.argument)
        action = QAction(without_shortcut(title), self)
        action.setObjectName(command.id)
        action.setIconText(command.short or title.rstrip("…"))
        action.setStatusTip(command.description)
        keys = QKeySequence(command.shortcut)
        hint = keys.toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(plain_tip(f"{command.description} ({hint})" if hint else command.description))
        if command.shortcut:
            action.setShortcut(keys)
        if command.icon:
            action.setIcon(icon(command.icon, self._theme.muted, self._theme.line))
        action.setCheckable(command.kind is not Kind.PLAIN)
        action.triggered.connect(lambda _=False: self.wanted.emit(command.id))
        self.by_id[command.id] = action
        return action
