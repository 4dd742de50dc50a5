"""The classes of the resource in a form, as chips that can be removed, and the button that adds one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.ui.widgets.chip import Chip
from hpc_explorer.ui.widgets.dialog_parts import column_in, row_in
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL, current_theme, icon, on_theme

HEIGHT = 3 * GRID
"""Pixels of a chip."""


class ChipState(Enum):
    """The state of a class; the value is the text beside its chip."""

    STATED = ""
    ADDED = "added"
    REMOVED = "removed"
    INFERRED = "inferred"


@dataclass(frozen=True)
class ShownClass:
    """A class as it is shown.

    Args:
        can_go: whether it can be taken off.
    """

    ref: ResourceRef
    standing: ChipState = ChipState.STATED
    can_go: bool = False


class ClassChips(QWidget):
    """The classes of one resource.

    Args:
        add: the action that adds one.

    Attributes:
        add: its button.

    Signals:
        opened(ResourceRef): the chip of a class was clicked.
        removed(ResourceRef): a class is to be taken off.
        kept(ResourceRef): one that was taken off is to stay.
    """

    opened = Signal(object)
    removed = Signal(object)
    kept = Signal(object)

    def __init__(self, add: QAction) -> None:
        super().__init__()
        self._shown: tuple[ShownClass, ...] = ()
        self._entries: list[_Entry] = []
        self.add = LinkBlock("Add class…", size=SMALL)
        add.changed.connect(lambda: self.add.setToolTip(add.toolTip()))
        self.add.clicked.connect(add.trigger)
        self._remark = TextBlock("", size=SMALL, muted=True)
        self._adding = QWidget()
        self._adding.setFixedHeight(HEIGHT)
        beside = QHBoxLayout(self._adding)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(self.add, 0, Qt.AlignmentFlag.AlignVCenter)
        row = QWidget()
        self._flow = FlowLayout(row, GRID + GRID // 2)
        self._flow.addWidget(self._adding)
        column = column_in(self, spacing=GRID // 2)
        column.addWidget(row)
        column.addWidget(self._remark)

    @property
    def remark(self) -> str:
        """The remark about the classes, or empty."""
        return "" if self._remark.isHidden() else self._remark.text()

    def show_classes(self, classes: Sequence[ShownClass], *, can_add: bool, remark: str = "") -> None:
        """Show classes; the keyboard focus stays at its class if that is still shown."""
        if tuple(classes) != self._shown:
            at = next((number for number, one in enumerate(self._entries) if one.has_keyboard), None)
            for one in self._entries:
                self._flow.removeWidget(one)
                one.hide()
                one.deleteLater()
            self._flow.removeWidget(self._adding)
            self._shown = tuple(classes)
            self._entries = [self._made(one) for one in classes]
            self._flow.addWidget(self._adding)
            if at is not None:
                last = self._entries[min(at, len(self._entries) - 1)].stops[-1] if self._entries else self.add
                last.setFocus(Qt.FocusReason.OtherFocusReason)
        self._adding.setVisible(can_add)
        if remark:
            self._remark.say(remark)
        self._remark.setVisible(bool(remark))
        self.setVisible(bool(classes) or can_add)

    def _made(self, shown: ShownClass) -> _Entry:
        made = _Entry(shown, self)
        made.chip.clicked.connect(lambda: self.opened.emit(shown.ref))
        made.removed.connect(lambda: self.removed.emit(shown.ref))
        made.kept.connect(lambda: self.kept.emit(shown.ref))
        self._flow.addWidget(made)
        made.show()
        return made


class _Entry(QWidget):
    """A class with the button that removes or restores it; Delete does the same."""

    removed = Signal()
    kept = Signal()

    def __init__(self, shown: ShownClass, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown = shown
        standing, label = shown.standing, shown.ref.label
        self.chip = Chip(
            shown.ref,
            self,
            inferred=standing is ChipState.INFERRED,
            gone=standing is ChipState.REMOVED,
        )
        self.chip.setAccessibleName(f"Class {label}" + (f", {standing.value}" if standing.value else ""))
        row = row_in(self, spacing=GRID // 2)
        row.addWidget(self.chip)
        if standing.value:
            row.addWidget(TextBlock(standing.value, size=SMALL, muted=True), 0, Qt.AlignmentFlag.AlignVCenter)
        self._button: QToolButton | None = None
        if standing is ChipState.REMOVED:
            self._button = self._small_button(f"Keep class {label}", "Keep this class after all")
            self._button.clicked.connect(self.kept)
        elif shown.can_go:
            self._button = self._small_button(f"Remove class {label}", "Remove this class (Delete)")
            self._button.clicked.connect(self.removed)
        if self._button is not None:
            row.addWidget(self._button)
        self._dress()
        on_theme(self._dress)

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """The chip, and its button."""
        return (self.chip,) if self._button is None else (self.chip, self._button)

    @property
    def has_keyboard(self) -> bool:
        """Whether it has the keyboard focus."""
        return any(one.hasFocus() for one in self.stops)

    def _dress(self) -> None:
        """Take the colours of the theme."""
        theme = current_theme()
        if self._button is not None:
            sign = "undo" if self._shown.standing is ChipState.REMOVED else "close"
            self._button.setIcon(icon(sign, theme.muted, theme.line))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) or self._button is None:
            super().keyPressEvent(event)
        elif self._shown.standing is not ChipState.REMOVED:
            self.removed.emit()

    def _small_button(self, name: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setFixedSize(HEIGHT, HEIGHT)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setAccessibleName(name)
        button.setToolTip(plain_tip(tip))
        return button
