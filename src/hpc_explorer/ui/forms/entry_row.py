"""A typed value with its buttons, and its error below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSpacerItem, QToolButton, QWidget

from hpc_explorer.annotate.forms.kinds import ValueKind
from hpc_explorer.errors import WrongEntry
from hpc_explorer.ui.forms.value_entry import ValueEntry
from hpc_explorer.ui.widgets.banner import sentence
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL, current_theme, icon, on_theme

_ROOM = 3 * (3 * GRID + GRID // 2)
"""The width of the buttons beside a value, in pixels."""


class EntryRow(QWidget):
    """A value as it is typed, with its buttons.

    Args:
        kinds: what else the value may be, to choose from; empty: nothing else.

    Signals:
        removed(), added(): it is to be taken out; another one is to stand after it.
        kind_wanted(Kind): it is to be of another kind.
    """

    removed = Signal()
    added = Signal()
    kind_wanted = Signal(object)

    def __init__(self, entry: ValueEntry, kinds: Sequence[ValueKind], *, read_only: bool) -> None:
        super().__init__()
        self._entry = entry
        self._name = ""
        self._read_only = read_only
        self._shown = False
        self._wrong: TextBlock | None = None
        self._error: WrongEntry | None = None
        entry.settled.connect(self._tell)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID // 2)
        row.addWidget(entry, 1)
        self._kinds: QToolButton | None = None
        if kinds and not read_only:
            self._kinds = self._kind_button(entry, kinds)
        self.remove: QToolButton | None = None
        self.more: QToolButton | None = None
        self._room = QSpacerItem(_ROOM, 0)
        row.addSpacerItem(self._room)
        self._row = row
        if self._kinds is not None:
            self._make_buttons()
        column = column_in(self, spacing=2)
        column.addLayout(row)
        self._column = column
        on_theme(self._dress)

    def say(self, error: WrongEntry | None) -> None:
        """Show an error, or none."""
        self._error = error
        self._tell()

    def _tell(self) -> None:
        error = None if self._entry.is_unsettled else self._error
        self._entry.mark_wrong(error is not None)
        text = "" if error is None else sentence(f"{error.what}: {error.remedy}" if error.remedy else error.what)
        if text:
            if self._wrong is None:
                self._wrong = TextBlock("", size=SMALL)
                self._column.addWidget(self._wrong)
                self._dress()
            self._wrong.say(text)
            for line in self._entry.lines:
                line.setAccessibleDescription(text)
        if self._wrong is not None:
            self._wrong.setVisible(bool(text))

    def show_buttons(self, shown: bool, *, more: bool) -> None:
        """Show the buttons, which are made when they are shown first, or leave their room empty.

        Args:
            more: whether another value can stand after this one.
        """
        if shown and not self._read_only and self.remove is None:
            self._make_buttons()
        if self.remove is not None and self.more is not None:
            self.remove.setVisible(shown and not self._read_only)
            self.more.setVisible(shown and more and not self._read_only)
        self._shown = shown
        self._draw_kinds()

    def call(self, name: str) -> None:
        """Set the accessible names of the buttons."""
        self._name = name
        if self.remove is not None and self.more is not None:
            self.remove.setAccessibleName(f"Remove {name}")
            self.more.setAccessibleName(f"Add a value after {name}")

    def _make_buttons(self) -> None:
        """Replace the placeholder by the buttons."""
        self._row.removeItem(self._room)
        self.remove = _quiet_button(self.removed.emit)
        self.remove.setToolTip("Remove this value")
        self.more = _quiet_button(self.added.emit)
        self.more.setToolTip("Add another value (Enter)")
        for button in (self._kinds or _quiet_button(lambda: None), self.remove, self.more):
            policy = button.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            button.setSizePolicy(policy)
            self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            if button is not self._kinds:
                button.hide()
        self.call(self._name)
        self._dress()

    def _dress(self) -> None:
        """Take the colours of the theme."""
        theme = current_theme()
        if self.remove is not None and self.more is not None:
            self.remove.setIcon(icon("close", theme.muted, theme.line))
            self.more.setIcon(icon("add", theme.muted, theme.line))
        self._draw_kinds()
        if self._wrong is not None:
            palette = self._wrong.palette()
            palette.setColor(QPalette.ColorRole.WindowText, theme.error)
            self._wrong.setPalette(palette)

    def _draw_kinds(self) -> None:
        """Show or hide the button for kinds with the others; it exists always, so that Shift+Tab reaches it."""
        if self._kinds is not None:
            drawn = icon("chevron-down", current_theme().muted, current_theme().line) if self._shown else QIcon()
            self._kinds.setIcon(drawn)

    def _kind_button(self, entry: ValueEntry, kinds: Sequence[ValueKind]) -> QToolButton:
        """The button for the kind of the value, reached by Tab."""
        button = _quiet_button(lambda: None)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolTip(plain_tip(f"Kind of value: {entry.entry.kind.words}"))
        button.setAccessibleName(f"Kind of the value: {entry.entry.kind.words}")
        menu = QMenu(button)
        for kind in kinds:
            menu.addAction(kind.words).triggered.connect(lambda _=False, kind=kind: self.kind_wanted.emit(kind))
        button.setMenu(menu)
        return button


def _quiet_button(pressed: Callable[[], None]) -> QToolButton:
    """A small button beside a value. Tab skips it, because keys do the same."""
    button = QToolButton()
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setFixedSize(3 * GRID, 3 * GRID)
    button.clicked.connect(pressed)
    return button
