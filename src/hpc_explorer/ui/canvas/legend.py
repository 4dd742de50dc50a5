"""The legend of a canvas as buttons: a click fades the nodes of a class, another click shows them again.

In the graph view a click filters them out instead. With Shift, all are shown again.

The canvas draws the legend; the buttons over its entries draw only the focus and hover frames. `Tab` moves to the
legend, arrow keys move along it, `Space` or `Enter` click, the menu key or a right click opens the menu.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from hpc_explorer.canvas.export.page import legend
from hpc_explorer.canvas.legend import LegendEntry
from hpc_explorer.ui.canvas.painting import CORNER
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.widgets.drawing import qt_pen
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.wording import counted

PAD = 3
"""Pixels around an entry that belong to its button."""


class CanvasLegend(QObject):
    """The buttons over the legend of one canvas.

    Args:
        fades: whether a click fades nodes on the canvas; otherwise only `legend_toggled` and `legend_cleared` are
            emitted.

    Signals:
        looks_wanted(str): edit the look with this key.
    """

    looks_wanted = Signal(str)

    def __init__(self, canvas: CanvasView, *, fades: bool = True) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self.fades = fades
        self._entries: tuple[LegendEntry, ...] = ()
        self.buttons: list[LegendButton] = []
        canvas.installEventFilter(self)
        canvas.scene_shown.connect(self._follow)
        if fades:
            canvas.legend_toggled.connect(self._toggle)
            canvas.legend_cleared.connect(lambda: canvas.fade(frozenset()))
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._place()
        return False

    @property
    def hides_any(self) -> bool:
        """Whether any entry is faded or filtered out."""
        return any(button.isChecked() for button in self.buttons)

    def step(self, button: LegendButton, by: int) -> None:
        """Move the focus to another entry."""
        at = self.buttons.index(button) + by
        if 0 <= at < len(self.buttons):
            self.buttons[at].setFocus(Qt.FocusReason.TabFocusReason)

    def _toggle(self, key: str) -> None:
        self.canvas.fade(self.canvas.faded() ^ {key})

    def _follow(self) -> None:
        """Create one button per look of the picture; keep them while the looks are the same."""
        entries = tuple(entry for entry in self.canvas.legend() if entry.key)
        if [entry.key for entry in entries] != [entry.key for entry in self._entries]:
            for button in self.buttons:
                button.hide()
                button.deleteLater()
            self.buttons = [LegendButton(self, entry) for entry in entries]
            for before, after in pairwise([self.canvas, *self.buttons]):
                QWidget.setTabOrder(before, after)
            # One stop for Tab: the arrow keys lead on from there.
            for button in self.buttons[1:]:
                button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._entries = entries
        faded = {entry.key for entry in entries if entry.left_out or entry.key in self.canvas.faded()}
        for button, entry in zip(self.buttons, entries, strict=True):
            button.show_entry(entry, faded=entry.key in faded, others=bool(faded))
        self._place()

    def _place(self) -> None:
        if not self.buttons:
            return
        canvas = self.canvas
        if not canvas.has_legend:
            for button in self.buttons:
                button.hide()
            return
        drawn = legend(canvas.legend(), canvas.drawing().theme, max(160.0, canvas.width() * 0.6))
        left, top = CORNER, canvas.height() - CORNER - drawn.bounds.height
        for button, entry in zip(self.buttons, self._entries, strict=True):
            rect = drawn.cards[entry.key].moved(left, top).grown(PAD)
            button.setGeometry(round(rect.x), round(rect.y) + PAD, round(rect.width), round(rect.height) - 2 * PAD)
            button.show()


class LegendButton(QAbstractButton):
    """One entry; checked while its nodes are faded or filtered out."""

    def __init__(self, owner: CanvasLegend, entry: LegendEntry) -> None:
        super().__init__(owner.canvas)
        self._owner = owner
        self._entry = entry
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._with_shift = False
        self.clicked.connect(self._choose)

    @property
    def key(self) -> str:
        """The key of its look."""
        return self._entry.key

    def show_entry(self, entry: LegendEntry, *, faded: bool, others: bool) -> None:
        """Show an entry.

        Args:
            faded: whether its nodes are faded or filtered out.
            others: whether those of any entry are.
        """
        self._entry = entry
        self.setChecked(faded)
        things = counted(entry.count, "node")
        state, forth, back, everything = (
            ("faded", "fade them", "show them again", "show all classes again")
            if self._owner.fades
            else ("left out", "leave them out", "show them again", "show all classes again")
        )
        self.setAccessibleName(f"{entry.label}, {things}{f', {state}' if faded else ''}")
        hint = f"Click to {back if faded else forth}"
        self.setToolTip(plain_tip(f"{hint}; with Shift, to {everything}" if others else hint))

    def _choose(self) -> None:
        # The checked state changes with the picture, not with the click.
        self.setChecked(not self.isChecked())
        if self._with_shift:
            self._owner.canvas.legend_cleared.emit()
        else:
            self._owner.canvas.legend_toggled.emit(self._entry.key)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._with_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        super().mouseReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._owner.canvas.drawing().theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.hasFocus():
            painter.setPen(qt_pen(theme.accent, 2.0))
        elif self.underMouse():
            painter.setPen(qt_pen(theme.edge, 1.0))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(1.0, 1.0, -1.0, -1.0), 4.0, 4.0)
        if self.isChecked() and self._owner.fades:
            # Colour alone is not accessible, so faded entries are crossed out. Hidden ones are labelled.
            painter.setPen(qt_pen(theme.muted, 1.0))
            middle = self.height() / 2 + 0.5
            painter.drawLine(PAD + 24, round(middle), self.width() - PAD, round(middle))
        painter.end()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self._with_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        super().keyReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._with_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Up:
                self._owner.step(self, -1)
            case Qt.Key.Key_Right | Qt.Key.Key_Down:
                self._owner.step(self, 1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.click()
            case _:
                super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Looks…", lambda: self._owner.looks_wanted.emit(self.key))
        back = menu.addAction("Show all classes again", self._owner.canvas.legend_cleared.emit)
        back.setEnabled(self._owner.hides_any)
        menu.popup(event.globalPos())
        event.accept()
