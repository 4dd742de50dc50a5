"""The tab "Edit" with its pages: forms, changes and validation."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.widgets.dialog_parts import column_in, tab_bar
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.theme import GRID

WHY = "Why (kept in the journal)"
"""The placeholder of a line for the reason of an edit."""


class EditView(Enum):
    """The pages, by the title of the sub-tab."""

    FORM = "Form"
    CHANGES = "Changes"
    CHECK = "Check"


class EditTab(QWidget):
    """The pages of the tab. Controllers mount their pages; a view without a page has no sub-tab.

    Attributes:
        views: the sub-tabs, hidden for a single page.

    Signals:
        view_wanted(EditView): another page is shown.
    """

    view_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._pages: dict[EditView, QWidget] = {}
        self._theming: list[Callable[[Theme], None]] = []
        self.views = tab_bar("Pages of the tab Edit")
        self._bar = QWidget()
        self._bar.setObjectName("pictureBar")
        row = QVBoxLayout(self._bar)
        row.setContentsMargins(GRID, 0, GRID, 0)
        row.addWidget(self.views, 0, Qt.AlignmentFlag.AlignLeft)
        self._bar.hide()
        self._stack = PageStack()
        column = column_in(self)
        column.addWidget(self._bar)
        column.addWidget(self._stack, 1)
        self.views.currentChanged.connect(self._show_page)

    @property
    def view(self) -> EditView | None:
        """The current page, if any."""
        mounted = self._mounted
        return mounted[self.views.currentIndex()] if mounted else None

    @property
    def front(self) -> QWidget:
        """The widget that takes the focus."""
        return self if self.view is None else self._pages[self.view]

    def mount(self, view: EditView, page: QWidget, set_theme: Callable[[Theme], None] | None = None) -> None:
        """Add a page; the sub-tabs are in the order of `EditView`.

        Args:
            set_theme: applies a theme to the page.
        """
        before = self.view
        self._pages[view] = page
        if set_theme is not None:
            self._theming.append(set_theme)
        self._stack.addWidget(page)
        self.views.blockSignals(True)
        self.views.insertTab(self._mounted.index(view), view.value)
        self.views.setCurrentIndex(self._mounted.index(before or view))
        self.views.blockSignals(False)
        self._stack.setCurrentWidget(self._pages[before or view])
        self._bar.setVisible(len(self._pages) > 1)

    def show_view(self, view: EditView) -> None:
        """Show a page."""
        self.views.setCurrentIndex(self._mounted.index(view))

    def title(self, view: EditView, title: str) -> None:
        """Set the title of a sub-tab."""
        self.views.setTabText(self._mounted.index(view), title)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        for set_theme in self._theming:
            set_theme(theme)

    @property
    def _mounted(self) -> list[EditView]:
        return [view for view in EditView if view in self._pages]

    def _show_page(self, number: int) -> None:
        view = self._mounted[number]
        self._stack.setCurrentWidget(self._pages[view])
        self.view_wanted.emit(view)
