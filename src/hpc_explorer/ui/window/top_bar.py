"""The bar above the panes: back and forward, search, the home page and the workspaces, and the drawers."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.bridge.navigator import Level
from hpc_explorer.ui.widgets.action_button import action_button, labelled_button
from hpc_explorer.ui.widgets.dialog_parts import row_in
from hpc_explorer.ui.widgets.search_box import SearchBox
from hpc_explorer.ui.widgets.theme import GRID

_TIPS = {
    Level.HOME: "What is in the graph (Alt+Home)",
    Level.GRAPH: "Expand a part of the graph step by step, and see its classes",
    Level.QUERY: "Build queries, write SPARQL, and see answers",
}
"""The tooltips of the workspaces."""


class TopBar(QWidget):
    """The bar above the panes.

    Signals:
        level_wanted(Level): the button of the home page or of a workspace was clicked.
    """

    level_wanted = Signal(object)

    def __init__(self, commands: Actions, search: SearchBox) -> None:
        super().__init__()
        self.setObjectName("topBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.search = search
        row = row_in(self, GRID, GRID // 2, GRID, GRID // 2 + 1, spacing=GRID // 2)
        for action in commands.actions("view.browser", "go.back", "go.forward"):
            row.addWidget(action_button(action))
        row.addSpacing(GRID // 2)
        search.setMaximumWidth(90 * GRID)
        row.addWidget(search, 1)
        row.addStretch(0)
        self._levels: dict[Level, QToolButton] = {}
        for level, tip in _TIPS.items():
            button = labelled_button(level.value, tip, level.value, checkable=True)
            button.setProperty("labelled", False)
            button.clicked.connect(lambda _=False, level=level: self._want(level))
            row.addWidget(button)
            self._levels[level] = button
        row.addWidget(action_button(commands.action("view.inspector")))

    def show_level(self, level: Level, *, usable: bool) -> None:
        """Mark the button of the shown level.

        Args:
            usable: whether a graph is open.
        """
        for one, button in self._levels.items():
            button.setChecked(one is level and usable)
            button.setEnabled(usable)

    def _want(self, level: Level) -> None:
        button = self._levels[level]
        button.setChecked(True)  # a click on the shown level changes nothing
        self.level_wanted.emit(level)

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
