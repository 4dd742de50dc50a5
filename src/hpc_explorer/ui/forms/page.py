"""The page "Form" of the tab Edit: a form, or what to do while none is open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.views import FacetRow
from hpc_explorer.ui.forms.fields import FormFields
from hpc_explorer.ui.forms.head import FormHead
from hpc_explorer.ui.widgets.action_button import BOTH, action_button
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.facet_list import FacetList
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, TITLE

if TYPE_CHECKING:
    from hpc_explorer.ui.forms.tools import SessionTools

EMPTY_TITLE = "Describe a resource"
EMPTY_TEXT = (
    "Choose a resource in the search, in a list or in a picture to see it as a form, or describe something new. The "
    "form knows what the ontology says of each class; what is typed is kept until you save or discard it."
)
PLACES_TITLE = "Not saved yet"


class FormPage(PageStack):
    """A form, or an explanation of the page.

    Args:
        head: what stands above the fields.
        tools: what the entries need.
        beginning: the actions offered while there is no form.

    Attributes:
        fields: the fields.
        unsaved: what was typed before and is not saved, offered while there is no form.
    """

    def __init__(self, head: FormHead, tools: SessionTools, beginning: Sequence[QAction]) -> None:
        super().__init__()
        self.head = head
        self.fields = FormFields(tools)
        self.unsaved = FacetList(PLACES_TITLE, "", "form-unsaved")
        self.unsaved.hide()
        form = QWidget()
        column = column_in(form)
        column.addWidget(head)
        column.addWidget(self.fields, 1)
        self._form = form
        self.addWidget(self._made_empty(beginning))
        self.addWidget(form)

    def show_form(self, shown: bool) -> None:
        """Show the form, or the explanation."""
        self.setCurrentWidget(self._form if shown else self._empty)

    def show_unsaved(self, rows: Sequence[FacetRow]) -> None:
        """Show the forms with unsaved entries."""
        self.unsaved.show_rows(list(rows), str(len(rows)) if rows else "", has_more=False)
        self.unsaved.setVisible(bool(rows))

    def _made_empty(self, beginning: Sequence[QAction]) -> QWidget:
        self._empty = QWidget()
        self._empty.setObjectName("answered")
        column = column_in(self._empty, 3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID, spacing=GRID)
        column.addWidget(TextBlock(EMPTY_TITLE, size=TITLE, weight=600))
        column.addWidget(TextBlock(EMPTY_TEXT, muted=True))
        steps = QWidget()
        row = FlowLayout(steps, GRID)
        for action in beginning:
            row.addWidget(action_button(action, BOTH))
        add_parts(column, steps, self.unsaved, 1)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        return self._empty
