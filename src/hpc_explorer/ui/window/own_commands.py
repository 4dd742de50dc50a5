"""The commands of the window itself: settings, full screen, quit and help."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QLineEdit, QWhatsThis, QWidget

from hpc_explorer.app.settings import SETTINGS, Setting
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.widgets.dialog_parts import add_closing, dialog_column, field_label, open_dialog
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.window.command_palette import CommandPalette
from hpc_explorer.ui.window.dialogs import AboutDialog, KeyboardDialog
from hpc_explorer.ui.window.guide import GuideDialog
from hpc_explorer.ui.window.tour import Tour


def window_commands(actions: Actions, preferences: Preferences, tour: Tour, window: QWidget) -> tuple[Command, ...]:
    """The commands of the window itself.

    Args:
    """

    def show_palette(words: str = "") -> None:
        palette = CommandPalette(actions.commands, actions.usable, window)
        palette.box.setText(words)
        palette.chosen.connect(actions.run)
        open_dialog(palette)

    return (
        Command("view.full_screen", "Full screen", "View", 4, "F11", "expand")
        .runs(lambda: window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen))
        .marked(window.isFullScreen)
        .about("Use the whole screen."),
        Command("file.quit", "Quit", "File", 4, "Ctrl+Q")
        .runs(window.close)
        .about("Close the window and end the program."),
        Command("file.samples", "Open sample…", "File", 0, "", "sample")
        .runs(lambda: show_palette("open sample"))
        .about("Choose one of the sample graphs that ship with the program."),
        Command("edit.settings", "Settings…", "Edit", 5, "Ctrl+,")
        .runs(lambda: open_dialog(SettingsDialog(preferences, actions, window)))
        .about("Change the theme, your name and other settings."),
        Command("help.guide", "Guide", "Help", 0, "F1", "info")
        .runs(lambda: open_dialog(GuideDialog(window)))
        .about("Read how to use the program. The guide needs no network."),
        Command("help.tour", "Tour in five steps", "Help", 0)
        .runs(tour.start)
        .about("See the main functions on a sample graph. You can leave at any step."),
        Command("help.whats_this", "What's this?", "Help", 0, "Shift+F1")
        .runs(QWhatsThis.enterWhatsThisMode)
        .about("Click a button or menu entry to read what it does."),
        Command("help.palette", "All commands…", "Help", 0, "Ctrl+Shift+P", "palette")
        .runs(lambda: show_palette())
        .about("Find and run any command by its name."),
        Command("help.keyboard", "Keyboard shortcuts", "Help", 0, "", "keyboard")
        .runs(lambda: open_dialog(KeyboardDialog(actions.commands, window)))
        .about("List the keyboard shortcuts."),
        Command("help.about", "About HPC Explorer", "Help", 1)
        .runs(lambda: open_dialog(AboutDialog(window)))
        .about("Show the version and the licences."),
    )


class SettingsDialog(QDialog):
    """All settings that a user can choose.

    Attributes:
        fields: the field of each setting, by its name.
    """

    def __init__(self, preferences: Preferences, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.setMinimumWidth(92 * GRID)
        self._preferences, self._actions = preferences, actions
        self.fields: dict[str, QWidget] = {}
        column = dialog_column(self)
        group = ""
        for setting in SETTINGS:
            if setting.group != group:
                group = setting.group
                column.addSpacing(GRID)
                column.addWidget(caption(group))
            field = self._field(setting)
            field.setAccessibleDescription(setting.about)
            if not isinstance(field, QCheckBox):
                column.addWidget(field_label(setting.title, field))
                field.setAccessibleName(setting.title)
            column.addWidget(field)
            column.addWidget(TextBlock(setting.about, muted=True))
            self.fields[setting.name] = field
        column.addSpacing(GRID)
        add_closing(self, column)

    def _field(self, setting: Setting) -> QWidget:
        value = getattr(self._preferences.settings, setting.name)
        if setting.choices:
            box = QComboBox()
            for name, label in setting.choices:
                box.addItem(label, name)
            box.setCurrentIndex(box.findData(value))
            box.currentIndexChanged.connect(lambda _: self._choose(setting, box.currentData()))
            return box
        if isinstance(value, bool):
            check = QCheckBox(setting.title)
            check.setChecked(value)
            check.toggled.connect(lambda on: self._choose(setting, on))
            return check
        line = QLineEdit(value)
        line.setPlaceholderText(setting.default)
        line.editingFinished.connect(lambda: self._choose(setting, line.text().strip()))
        return line

    def _choose(self, setting: Setting, value: object) -> None:
        command = setting.command.format(value)
        if command in self._actions.usable and getattr(self._preferences.settings, setting.name) != value:
            self._actions.run(command)
        # The command changes the setting and what is shown. It cannot run where nothing is open.
        if getattr(self._preferences.settings, setting.name) != value:
            self._preferences.change(**{setting.name: value})
        self._preferences.settings.save()
