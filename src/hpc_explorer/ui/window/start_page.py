"""The page of a window in which nothing is open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, TITLE


class StartPage(QScrollArea):
    """Ways to begin: open something, try a sample, or reopen a recent source.

    Args:
        openers: the actions that open files and folders.

    Signals:
        chosen(str): the id of the command that was clicked.
    """

    chosen = Signal(str)

    def __init__(self, openers: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("startPage")
        self.setAccessibleName("Start")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        page = QWidget()
        page.setObjectName("startColumn")
        outer = QHBoxLayout(page)
        inner = QWidget()
        inner.setMaximumWidth(76 * GRID)
        column = column_in(inner, 3 * GRID, 6 * GRID, 3 * GRID, 4 * GRID, spacing=GRID)
        column.addWidget(TextBlock("HPC Explorer", size=TITLE, weight=600))
        purpose = "Trace a trained model back to its raw data, through every step on the way."
        column.addWidget(TextBlock(purpose, muted=True))
        column.addSpacing(GRID)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        self._openers: list[QPushButton] = []
        for action in openers:
            button = _action_button(action)
            buttons.addWidget(button)
            self._openers.append(button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addWidget(TextBlock("Or drop files anywhere on this window.", muted=True))
        column.addSpacing(3 * GRID)
        column.addWidget(caption("Try a sample"))
        self._samples = QVBoxLayout()
        self._samples.setSpacing(GRID)
        column.addLayout(self._samples)
        column.addSpacing(3 * GRID)
        self._drafts_title = caption("Drafts")
        column.addWidget(self._drafts_title)
        self._drafts = QVBoxLayout()
        self._drafts.setSpacing(GRID)
        column.addLayout(self._drafts)
        self._space_below_drafts = QWidget()
        self._space_below_drafts.setFixedHeight(3 * GRID)
        column.addWidget(self._space_below_drafts)
        self.show_drafts(())
        self._recent_title = caption("Recent")
        column.addWidget(self._recent_title)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(GRID)
        column.addLayout(self._recent)
        column.addStretch(1)
        outer.addStretch(1)
        outer.addWidget(inner, 6)
        outer.addStretch(1)
        self.setWidget(page)

    def show_samples(self, commands: Sequence[Command]) -> None:
        """List the samples."""
        for command in commands:
            self._add_entry(self._samples, command, command.in_menu, command.description)

    def show_recent(self, commands: Sequence[Command]) -> None:
        """List the recent sources."""
        _clear(self._recent)
        self._recent_title.setVisible(bool(commands))
        for command in commands:
            name, title = command.description, command.in_menu
            where = "" if "://" in name else name.removesuffix(title).rstrip("/\\")
            self._add_entry(self._recent, command, title, where)

    def show_drafts(self, drafts: Sequence[tuple[str, str, Callable[[], object]]]) -> None:
        """List the drafts: of each the names of its files, what is unfinished, and what goes on with it."""
        _clear(self._drafts)
        for widget in (self._drafts_title, self._space_below_drafts):
            widget.setVisible(bool(drafts))
        for title, words, go_on in drafts:
            self._drafts.addWidget(_entry(title, f"Go on with the draft of {title}", words, words, go_on))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.window().focusWidget() is None:  # otherwise Qt focuses the top bar
            self._openers[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _add_entry(self, column: QVBoxLayout, command: Command, title: str, text: str) -> None:
        chosen = partial(self.chosen.emit, command.id)
        column.addWidget(_entry(title, command.title, command.description, text, chosen))


def _entry(title: str, name: str, tip: str, text: str, act: Callable[[], object]) -> QWidget:
    """A link with a line below it."""
    entry = QWidget()
    lines = column_in(entry, spacing=1)
    link = LinkBlock(title)
    link.setAccessibleName(name)
    link.setAccessibleDescription(tip)
    link.setToolTip(plain_tip(tip))
    link.clicked.connect(lambda: act())
    lines.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
    if text:
        lines.addWidget(TextBlock(text, muted=True))
    return entry


def _clear(column: QVBoxLayout) -> None:
    while (item := column.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.deleteLater()


def _action_button(action: QAction) -> QPushButton:
    """A button for an action, with its title, icon and tooltip."""
    button = QPushButton()
    button.setIconSize(QSize(16, 16))

    def follow() -> None:
        button.setIcon(action.icon())
        button.setText(action.text())
        button.setToolTip(action.toolTip())
        button.setAccessibleName(action.text())

    button.clicked.connect(action.trigger)
    action.changed.connect(follow)
    follow()
    return button
