"""The commands of the window itself: settings, full screen, quit and help."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWhatsThis, QWidget

from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.widgets.dialog_parts import open_dialog
from hpc_explorer.ui.window.command_palette import CommandPalette
from hpc_explorer.ui.window.dialogs import AboutDialog, KeyboardDialog
from hpc_explorer.ui.window.guide import GuideDialog
from hpc_explorer.ui.window.settings_dialog import SettingsDialog
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
