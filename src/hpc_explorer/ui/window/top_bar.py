"""The bar above the panes: back and forward, the search box, the menu of sources."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.widgets.action_button import action_button
from hpc_explorer.ui.widgets.menu_button import MenuButton
from hpc_explorer.ui.widgets.search_box import SearchBox
from hpc_explorer.ui.widgets.theme import GRID, icon


class TopBar(QWidget):
    """One row of what is always wanted."""

    def __init__(self, commands: Actions, search: SearchBox) -> None:
        super().__init__()
        self.setObjectName("topBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._search = search
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2 + 1)
        row.setSpacing(GRID // 2)
        for name in ("go.back", "go.forward"):
            row.addWidget(action_button(commands.by_id[name]))
        row.addSpacing(GRID // 2)
        search.setMaximumWidth(90 * GRID)
        row.addWidget(search, 1)
        row.addStretch(0)
        self._sources = MenuButton()
        self._sources.setText("Sources")
        self._sources.setAccessibleName("Sources: open and close")
        self._sources.setMenu(commands.sources_menu(self._sources))
        row.addWidget(self._sources)

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        self._search.set_theme(theme)
        self._sources.set_theme(theme)
        self._sources.setIcon(icon("sources", theme.muted))
