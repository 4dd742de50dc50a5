"""Common parts of dialogs and layouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTabBar,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from hpc_explorer.ui.widgets.dialog_size import keep_on_screen
from hpc_explorer.ui.widgets.plain import Label, without_shortcut
from hpc_explorer.ui.widgets.theme import GRID

Box = TypeVar("Box", QVBoxLayout, QHBoxLayout)


def dialog_column(dialog: QDialog) -> QVBoxLayout:
    """The main column of a dialog, which stays within its screen."""
    keep_on_screen(dialog)
    return column_in(dialog, 3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID, spacing=GRID)


def column_in(widget: QWidget, *margins: int, spacing: int = 0) -> QVBoxLayout:
    """A column that fills a widget.

    Args:
        margins: left, top, right and bottom, in pixels; none if omitted.
    """
    return _laid_out(QVBoxLayout(widget), margins, spacing)


def row_in(widget: QWidget, *margins: int, spacing: int = 0) -> QHBoxLayout:
    """A row that fills a widget; see `column_in`."""
    return _laid_out(QHBoxLayout(widget), margins, spacing)


def _laid_out(box: Box, margins: tuple[int, ...], spacing: int) -> Box:
    box.setContentsMargins(*(margins or (0, 0, 0, 0)))
    box.setSpacing(spacing)
    return box


def fit_height(dialog: QDialog, column: QVBoxLayout) -> None:
    """Fit the height of a dialog to its parts at its width.

    A dialog grows by itself but does not shrink, and initially reserves too much room for wrapped texts. One that is
    too tall for its screen keeps its height, and scrolls.
    """
    if column.parentWidget() is not dialog:
        return
    column.activate()
    width = dialog.width()
    high = column.totalHeightForWidth(width) if column.hasHeightForWidth() else column.sizeHint().height()
    dialog.resize(width, high)


def widget_row(*widgets: QWidget, stretch: int) -> QHBoxLayout:
    """Widgets in a row.

    Args:
        stretch: the index of the widget that takes the remaining width.
    """
    row = QHBoxLayout()
    row.setSpacing(GRID)
    for place, widget in enumerate(widgets):
        row.addWidget(widget, int(place == stretch))
    return row


def field_label(text: str, field: QWidget) -> QLabel:
    """The label of a field, also for screen readers."""
    label = Label(without_shortcut(text))
    label.setProperty("role", "muted")
    label.setBuddy(field)
    return label


def browse_row(line: QLineEdit, name: str, browse: Callable[[], None]) -> QHBoxLayout:
    """A line for a path with a "Browse…" button.

    Args:
        name: the accessible name of the button.
    """
    button = QPushButton("Browse…")
    button.setAccessibleName(name)
    button.setAutoDefault(False)
    button.clicked.connect(browse)
    return widget_row(line, button, stretch=0)


class ButtonBox(QDialogButtonBox):
    """Standard buttons in the platform's order, without the icons that some desktops add."""

    def __init__(self, *standard: QDialogButtonBox.StandardButton) -> None:
        super().__init__()
        for one in standard:
            self.addButton(one).setIcon(QIcon())


class Answers(ButtonBox):
    """The buttons of a dialog that is accepted or rejected.

    Args:
        name: the label of the accepting button.
        leaving: the other button.

    Attributes:
        go: accepts the dialog, also by Enter.
        leave: rejects it.
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
        """Add a button that does not close the dialog, apart from the others."""
        button.setAutoDefault(False)
        self.addButton(button, QDialogButtonBox.ButtonRole.ResetRole)


def call_button(button: QPushButton, name: str) -> None:
    """Set the text and the accessible name of a button."""
    button.setText(name)
    button.setAccessibleName(name)


def add_answers(
    dialog: QDialog, column: QVBoxLayout, name: str, accept: Callable[[], None] | None = None
) -> QPushButton:
    """Add accepting and rejecting buttons; returns the first.

    Args:
        accept: replaces accepting the dialog.
    """
    box = Answers(name)
    box.accepted.connect(accept or dialog.accept)
    box.rejected.connect(dialog.reject)
    column.addWidget(box)
    return box.go


def add_closing(dialog: QDialog, column: QVBoxLayout) -> None:
    """Add a "Close" button."""
    box = ButtonBox(QDialogButtonBox.StandardButton.Close)
    box.rejected.connect(dialog.reject)
    for button in box.buttons():
        button.setAccessibleName("Close")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    column.addWidget(box)


def add_parts(box: QBoxLayout, *parts: QWidget | QLayout | int | tuple[QWidget | QLayout, int]) -> None:
    """Add widgets and layouts to a box.

    Args:
        parts: a number is a stretch; a part in a pair has the stretch beside it.
    """
    for part in parts:
        if isinstance(part, int):
            box.addStretch(part)
            continue
        one, stretch = part if isinstance(part, tuple) else (part, 0)
        if isinstance(one, QWidget):
            box.addWidget(one, stretch)
        else:
            box.addLayout(one, stretch)


def open_dialog(dialog: QDialog) -> None:
    """Open a dialog that is deleted when it closes.

    One that comes late, while another one of the same window is open, waits until that is closed.
    """
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    _open_in_turn(dialog)


def _open_in_turn(dialog: QDialog) -> None:
    other = QApplication.activeModalWidget()
    opener: QWidget | None = dialog
    while opener is not None and opener is not other:
        opener = opener.parentWidget()
    if not isinstance(other, QDialog) or opener is other:
        dialog.open()
        return

    def go_on() -> None:
        if isValid(dialog):
            # What the other one leads to comes first.
            QTimer.singleShot(0, dialog, lambda: _open_in_turn(dialog))

    other.finished.connect(go_on)


def replace_content(area: QScrollArea, content: QWidget) -> None:
    """Show other content in a scroll area.

    What was there is deleted later: a click on one of its widgets may be what asks for the other content.
    """
    before = area.takeWidget()
    if before is not None:
        before.destroyed.connect(lambda _=None, kept=before: None)  # Python would delete it here
        before.deleteLater()
    area.setWidget(content)


def tab_bar(name: str) -> QTabBar:
    """A tab bar without a frame.

    Args:
        name: the accessible name.
    """
    bar = QTabBar()
    bar.setAccessibleName(name)
    bar.setDrawBase(False)
    bar.setExpanding(False)
    return bar
