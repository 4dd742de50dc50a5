"""What dialogs have in common: their column, the row with a line to fill in, and the buttons that answer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.ui.widgets.plain import Label, without_shortcut
from hpc_explorer.ui.widgets.theme import GRID


def dialog_column(dialog: QDialog) -> QVBoxLayout:
    """The column that a dialog's parts stand in, one below the other."""
    column = QVBoxLayout(dialog)
    column.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
    column.setSpacing(GRID)
    return column


def fit_height(dialog: QDialog, column: QVBoxLayout) -> None:
    """Make a dialog just as high as its parts need at its width: for when they came or went.

    A dialog grows by itself where a part appears, but keeps the room of one that has gone; and it opens with room for
    texts in lines shorter than it has.
    """
    column.activate()
    width = dialog.width()
    high = column.totalHeightForWidth(width) if column.hasHeightForWidth() else column.sizeHint().height()
    dialog.resize(width, high)


def widget_row(*widgets: QWidget, stretch: int) -> QHBoxLayout:
    """Widgets beside each other.

    Args:
        stretch: which of them takes the room that is left.
    """
    row = QHBoxLayout()
    row.setSpacing(GRID)
    for place, widget in enumerate(widgets):
        row.addWidget(widget, int(place == stretch))
    return row


def field_label(text: str, field: QWidget) -> QLabel:
    """The quiet name beside a field, which screen readers say of it too."""
    label = Label(without_shortcut(text))
    label.setProperty("role", "muted")
    label.setBuddy(field)
    return label


def browse_row(line: QLineEdit, name: str, browse: Callable[[], None]) -> QHBoxLayout:
    """A line for the name of a file or folder, and the button that looks for one.

    Args:
        name: what the button does, for screen readers.
    """
    button = QPushButton("Browse…")
    button.setAccessibleName(name)
    button.setAutoDefault(False)
    button.clicked.connect(browse)
    return widget_row(line, button, stretch=0)


class Answers(QDialogButtonBox):
    """The buttons that answer a dialog, side by side in the order that the platform has for them.

    Args:
        name: of the button that goes on.
        leaving: the button that does not.

    Attributes:
        go: goes on, also with Enter; what else it says than `accepted` is the dialog's own.
        leave: does not.
    """

    def __init__(
        self, name: str, leaving: QDialogButtonBox.StandardButton = QDialogButtonBox.StandardButton.Cancel
    ) -> None:
        super().__init__(leaving)
        self.leave = self.button(leaving)
        self.leave.setAutoDefault(False)
        self.go = self.addButton(name, QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setDefault(True)
        for button in (self.go, self.leave):
            call_button(button, button.text().replace("&", ""))

    def add_first(self, button: QPushButton) -> None:
        """Add a button that answers nothing, such as one that deletes what is chosen: apart from the others, first."""
        button.setAutoDefault(False)
        self.addButton(button, QDialogButtonBox.ButtonRole.ResetRole)


def call_button(button: QPushButton, name: str) -> None:
    """Give a button a name, for eyes and for screen readers."""
    button.setText(name)
    button.setAccessibleName(name)


def add_answers(
    dialog: QDialog, column: QVBoxLayout, name: str, accept: Callable[[], None] | None = None
) -> QPushButton:
    """Add a row with the button that goes on, which is returned, and one that does not.

    Args:
        accept: what going on means; None: the dialog is accepted.
    """
    box = Answers(name)
    box.accepted.connect(accept or dialog.accept)
    box.rejected.connect(dialog.reject)
    column.addWidget(box)
    return box.go


def add_closing(dialog: QDialog, column: QVBoxLayout) -> None:
    """Add a row with the one button that closes a dialog where there is nothing to decide."""
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    box.rejected.connect(dialog.reject)
    for button in box.buttons():
        button.setAccessibleName("Close")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    column.addWidget(box)
