"""The bar above the panes: back and forward, search, and the menu of sources."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.bridge.actions import RECENT_MENU, SAMPLES_MENU, Actions
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.widgets.action_button import action_button
from hpc_explorer.ui.widgets.dialog_parts import row_in
from hpc_explorer.ui.widgets.menu_button import MenuButton
from hpc_explorer.ui.widgets.search_box import SearchBox
from hpc_explorer.ui.widgets.theme import GRID, icon

SOURCES = (
    (
        "file.open",
        "file.open_folder",
        "file.open_address",
        "file.open_workspace",
        "file.load",
        SAMPLES_MENU,
        RECENT_MENU,
    ),
    ("source.close", "file.close_all"),
)
"""The menu of the button "Sources"."""


class TopBar(QWidget):
    """The bar above the panes."""

    def __init__(self, commands: Actions, search: SearchBox) -> None:
        super().__init__()
        self.setObjectName("topBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.search = search
        row = row_in(self, GRID, GRID // 2, GRID, GRID // 2 + 1, spacing=GRID // 2)
        for action in commands.actions("go.back", "go.forward"):
            row.addWidget(action_button(action))
        row.addSpacing(GRID // 2)
        search.setMaximumWidth(90 * GRID)
        row.addWidget(search, 1)
        row.addStretch(0)
        self._sources = MenuButton()
        self._sources.setText("Sources")
        self._sources.setAccessibleName("Sources: open and close")
        self._sources.setMenu(commands.menu(SOURCES, self._sources))
        row.addWidget(self._sources)

    def commands(self, graph: Need) -> tuple[Command, ...]:
        """The command that goes to the search box.

        Args:
            graph: a graph is open.
        """
        return (
            Command("go.search", "Search", "Go", 1, "Ctrl+K", "search")
            .runs(lambda: self.search.setFocus(Qt.FocusReason.ShortcutFocusReason), graph)
            .about("Find a resource by its name, words of it, a prefixed name or an IRI."),
        )

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.search.set_theme(theme)
        self._sources.set_theme(theme)
        self._sources.setIcon(icon("sources", theme.muted))
