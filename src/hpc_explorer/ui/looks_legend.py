"""The legend of a canvas as buttons: a click puts the things of a class back, and another brings them to the front.

The canvas draws the legend; the buttons lie over its entries and draw only what concerns mouse and keyboard. `Tab`
leads to the legend, the arrow keys along it, `Space` or `Enter` choose, the menu key or a right click opens its menu.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from hpc_explorer.canvas.legend import LegendEntry
from hpc_explorer.canvas.page import legend
from hpc_explorer.ui.canvas_drawing import qt_pen
from hpc_explorer.ui.canvas_painting import CORNER
from hpc_explorer.ui.canvas_view import CanvasView

PAD = 3
"""Pixels around an entry that belong to its button."""


class CanvasLegend(QObject):
    """The buttons over the legend of one canvas; an entry that is chosen fades on it.

    Args:
        fades: whether the canvas fades what is chosen; otherwise only its signal `legend_toggled` tells.

    Signals:
        looks_wanted(str): the look with this key is to be changed.
    """

    looks_wanted = Signal(str)

    def __init__(self, canvas: CanvasView, *, fades: bool = True) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self._entries: tuple[LegendEntry, ...] = ()
        self.buttons: list[LegendButton] = []
        canvas.installEventFilter(self)
        canvas.scene_shown.connect(self._follow)
        if fades:
            canvas.legend_toggled.connect(self._toggle)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._place()
        return False

    def bring_all_back(self) -> None:
        """Fade nothing any more."""
        self.canvas.fade(frozenset())

    def step(self, button: LegendButton, by: int) -> None:
        """Move the keyboard to another entry."""
        at = self.buttons.index(button) + by
        if 0 <= at < len(self.buttons):
            self.buttons[at].setFocus(Qt.FocusReason.TabFocusReason)

    def _toggle(self, key: str) -> None:
        self.canvas.fade(self.canvas.faded() ^ {key})

    def _follow(self) -> None:
        """Have one button for each look of the picture, the same ones as long as the looks are the same."""
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
        for button, entry in zip(self.buttons, entries, strict=True):
            button.show_entry(entry, faded=entry.key in self.canvas.faded())
        self._place()

    def _place(self) -> None:
        if not self.buttons:
            return
        canvas = self.canvas
        drawn = legend(canvas.legend(), canvas.drawing().theme, max(160.0, canvas.width() * 0.6))
        left, top = CORNER, canvas.height() - CORNER - drawn.bounds.height
        for button, entry in zip(self.buttons, self._entries, strict=True):
            rect = drawn.cards[entry.key].moved(left, top).grown(PAD)
            button.setGeometry(round(rect.x), round(rect.y) + PAD, round(rect.width), round(rect.height) - 2 * PAD)
            button.show()


class LegendButton(QAbstractButton):
    """One entry; pressed while its things are put back."""

    def __init__(self, owner: CanvasLegend, entry: LegendEntry) -> None:
        super().__init__(owner.canvas)
        self._owner = owner
        self._entry = entry
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(lambda: owner.canvas.legend_toggled.emit(self._entry.key))

    @property
    def key(self) -> str:
        """The key of the look it stands for."""
        return self._entry.key

    def show_entry(self, entry: LegendEntry, *, faded: bool) -> None:
        """Stand for an entry."""
        self._entry = entry
        self.setChecked(faded)
        things = f"{entry.count:,} node{'s' * (entry.count != 1)}"
        self.setAccessibleName(f"{entry.label}, {things}{', put back' if faded else ''}")
        self.setToolTip("Click to bring them to the front again" if faded else "Click to put them back")

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
        if self.isChecked():
            # What is put back is crossed out: colour alone would not tell.
            painter.setPen(qt_pen(theme.muted, 1.0))
            middle = self.height() / 2 + 0.5
            painter.drawLine(PAD + 24, round(middle), self.width() - PAD, round(middle))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
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
        back = menu.addAction("Bring all to the front", self._owner.bring_all_back)
        back.setEnabled(bool(self._owner.canvas.faded()))
        menu.popup(event.globalPos())
        event.accept()
