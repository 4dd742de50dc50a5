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

from hpc_explorer.ui.theme import GRID


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
    label = QLabel(text)
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


def add_answers(
    dialog: QDialog, column: QVBoxLayout, name: str, accept: Callable[[], None] | None = None
) -> QPushButton:
    """Add a row with the button that goes on, which is returned, and one that does not.

    Args:
        accept: what going on means; None: the dialog is accepted.
    """
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    button = box.addButton(name, QDialogButtonBox.ButtonRole.AcceptRole)
    button.setDefault(True)
    for one in box.buttons():
        one.setAccessibleName(one.text().replace("&", ""))
    box.accepted.connect(accept or dialog.accept)
    box.rejected.connect(dialog.reject)
    column.addWidget(box)
    return button


def add_closing(dialog: QDialog, column: QVBoxLayout) -> None:
    """Add a row with the one button that closes a dialog where there is nothing to decide."""
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    box.rejected.connect(dialog.reject)
    for button in box.buttons():
        button.setAccessibleName("Close")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    column.addWidget(box)
