"""The message above the picture, which stays until it is closed and blocks nothing."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.errors import Cancelled, ExplorerError, SourceSyntaxError
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, current_theme, icon, on_theme

MOST_LINES = 10
"""The most visible lines of details."""


class Banner(QFrame):
    """A message; a new one replaces the one before.

    Attributes:
        title, text: the message; empty while hidden.

    Signals:
        failed(): an error is shown.
    """

    failed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.title = ""
        self.text = ""
        self._severity = "error"
        self._sign = Label(parent=self)
        self._words = QVBoxLayout()
        self._words.setSpacing(2)
        self._more = QPushButton("Details", self)
        self._more.setCheckable(True)
        self._more.toggled.connect(self._show_details)
        self._action = QPushButton(self)
        self._act: Callable[[], None] | None = None
        self._action.clicked.connect(self._run)
        self._offers = QHBoxLayout()
        self._offers.setSpacing(GRID)
        self._close = QToolButton(self)
        self._close.setAccessibleName("Close the message")
        self._close.setToolTip("Close (Escape)")
        self._close.clicked.connect(self.hide)
        self._details = QPlainTextEdit(self)
        self._details.setReadOnly(True)
        self._details.setAccessibleName("Details of the message")
        row = QHBoxLayout()
        row.setSpacing(GRID)
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(self._sign, 0, top)
        row.addLayout(self._words, 1)
        row.addWidget(self._action, 0, top)
        row.addLayout(self._offers)
        row.addWidget(self._more, 0, top)
        row.addWidget(self._close, 0, top)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, GRID, GRID, GRID)
        column.addLayout(row)
        column.addWidget(self._details)
        self.hide()
        on_theme(self._dress)

    def show_error(
        self, doing: str, error: BaseException, action: str = "", act: Callable[[], None] | None = None
    ) -> None:
        """Show an error; nothing if the user cancelled.

        Args:
            doing: the attempted step, such as "Open lassen.nq".
            action: the label of a button for `act`.
        """
        if isinstance(error, Cancelled):
            return
        if isinstance(error, ExplorerError):
            excerpt = error.excerpt if isinstance(error, SourceSyntaxError) else ""
            lines = [part for part in (error.where, excerpt, sentence(error.remedy)) if part]
            self._show("error", sentence(error.what), lines, f"{doing}\n{type(error).__name__}: {error}")
        else:
            details = "".join(traceback.format_exception(error))
            lines = ["This is an error in the program; what was open is still there. Please report the details."]
            self._show("error", f"{doing} failed: {type(error).__name__}", lines, details)
        self._offer(action, act)
        self.failed.emit()

    def show_done(self, title: str, text: str, action: str = "", act: Callable[[], None] | None = None) -> None:
        """Show a success; `action` is the label of a button for `act`."""
        self._show("done", title, [text], "")
        self._offer(action, act)

    def show_problem(self, title: str, text: str, action: str, act: Callable[[], None]) -> None:
        """Show that something was found to be wrong; `action` is the label of a button for `act`."""
        self._show("error", title, [text], "")
        self._offer(action, act)

    def _offer(self, action: str, act: Callable[[], None] | None) -> None:
        self._act = act
        self._action.setText(action)
        self._action.setVisible(act is not None)

    def show_notice(self, title: str, text: str) -> None:
        """Show information."""
        self._show("info", title, [text], "")

    def show_offer(self, title: str, text: str, offers: Sequence[tuple[str, Callable[[], None]]]) -> None:
        """Show a choice; each button closes the message.

        Args:
            offers: the label and function of each button.
        """
        self._show("info", title, [text], "")
        for name, act in offers:
            button = QPushButton(name, self)
            button.clicked.connect(self.hide)
            button.clicked.connect(lambda _=False, act=act: act())
            self._offers.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            button.show()

    def _dress(self) -> None:
        """Take the colours of the theme."""
        theme = current_theme()
        colours = {"done": theme.success, "info": theme.accent, "error": theme.error}
        self._sign.setPixmap(icon(self._severity, colours[self._severity]).pixmap(QSize(16, 16)))
        self._close.setIcon(icon("close", theme.muted))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def _show(self, severity: str, title: str, lines: list[str], details: str) -> None:
        self._severity = severity
        self.title, self.text = title, "\n".join(lines)
        while (item := self._words.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self._words.addWidget(TextBlock(title, weight=600))
        for line in lines:
            self._words.addWidget(TextBlock(line, muted=True))
        self._details.setPlainText(details)
        self._details.setFixedHeight(2 * GRID * min(details.count("\n") + 2, MOST_LINES))
        self._more.setVisible(bool(details))
        self._more.setChecked(False)
        self._details.hide()
        self._act = None
        self._action.hide()
        while (item := self._offers.takeAt(0)) is not None:
            offer = item.widget()
            if offer is not None:
                offer.hide()
                offer.deleteLater()
        self.setProperty("severity", severity)
        self.style().polish(self)
        self._dress()
        self.setAccessibleName(f"{title}. {self.text}")
        self.show()

    def _show_details(self, shown: bool) -> None:
        self._details.setVisible(shown)

    def _run(self) -> None:
        if self._act is not None:
            self._act()


def sentence(text: str) -> str:
    """A part of an error with a capital letter and a full stop."""
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?!" else ".")
