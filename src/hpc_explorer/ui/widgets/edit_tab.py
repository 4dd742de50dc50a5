"""The tab "Edit" with its pages: forms, changes and validation."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

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
    """The pages of the tab. Controllers mount their pages, each made when it is first shown.

    A view without a page has no sub-tab.

    Attributes:
        views: the sub-tabs, hidden for a single page.

    Signals:
        view_wanted(EditView): another page is shown.
    """

    view_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._mounted: dict[EditView, Callable[[], QWidget]] = {}
        self._pages: dict[EditView, QWidget] = {}
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
        views = self._views
        return views[self.views.currentIndex()] if views else None

    @property
    def front(self) -> QWidget:
        """The widget that takes the focus."""
        return self if self.view is None else self._page(self.view)

    def mount(self, view: EditView, make: Callable[[], QWidget]) -> None:
        """Add a page; the sub-tabs are in the order of `EditView`.

        Args:
            make: makes the page, when it is first shown.
        """
        before = self.view
        self._mounted[view] = make
        self.views.blockSignals(True)
        self.views.insertTab(self._views.index(view), view.value)
        self.views.setCurrentIndex(self._views.index(before or view))
        self.views.blockSignals(False)
        if before is None:
            self._stack.setCurrentWidget(self._page(view))
        self._bar.setVisible(len(self._mounted) > 1)

    def show_view(self, view: EditView) -> None:
        """Show a page."""
        self.views.setCurrentIndex(self._views.index(view))

    def title(self, view: EditView, title: str) -> None:
        """Set the title of a sub-tab."""
        self.views.setTabText(self._views.index(view), title)

    def _page(self, view: EditView) -> QWidget:
        """A page, made when it is first needed."""
        if view not in self._pages:
            self._pages[view] = self._mounted[view]()
            self._stack.addWidget(self._pages[view])
        return self._pages[view]

    @property
    def _views(self) -> list[EditView]:
        return [view for view in EditView if view in self._mounted]

    def _show_page(self, number: int) -> None:
        view = self._views[number]
        self._stack.setCurrentWidget(self._page(view))
        self.view_wanted.emit(view)
