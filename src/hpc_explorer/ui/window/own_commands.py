"""The commands of the window itself: full screen, quit and help."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.window.command_palette import CommandPalette
from hpc_explorer.ui.window.dialogs import AboutDialog, KeyboardDialog


def window_commands(actions: Actions, theme: Callable[[], Theme], window: QWidget) -> tuple[Command, ...]:
    """The commands of the window itself.

    Args:
        theme: returns the current theme.
    """

    def show(dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def show_palette() -> None:
        palette = CommandPalette(actions.commands, actions.usable, theme(), window)
        palette.chosen.connect(actions.run)
        show(palette)

    return (
        Command("view.full_screen", "Full screen", "View", 4, "F11", "expand")
        .runs(lambda: window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen))
        .marked(window.isFullScreen)
        .about("Use the whole screen."),
        Command("file.quit", "Quit", "File", 4, "Ctrl+Q")
        .runs(window.close)
        .about("Close the window and end the program."),
        Command("help.palette", "All commands…", "Help", 0, "Ctrl+Shift+P", "palette")
        .runs(show_palette)
        .about("Find and run any command by its name."),
        Command("help.keyboard", "Keyboard", "Help", 0, "F1", "keyboard")
        .runs(lambda: show(KeyboardDialog(actions.commands, window)))
        .about("List the keyboard shortcuts."),
        Command("help.about", "About HPC Explorer", "Help", 1)
        .runs(lambda: show(AboutDialog(window)))
        .about("Show the version and the licences."),
    )
