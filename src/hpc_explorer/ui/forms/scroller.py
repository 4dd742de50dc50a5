"""A scroll area that keeps the field with the keyboard in sight."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.forms.field import FieldRow
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot


class FieldScroller(QScrollArea):
    """Scrolls to the field that the keyboard is in, also when fields above it change, until the user scrolls.

    Attributes:
        rows: the fields by property.
        active: the field with the keyboard.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows: dict[NamedNode, FieldRow] = {}
        self.active: FieldRow | None = None
        self._to_reveal: FieldRow | None = None
        self._revealing = single_shot(self, 0, self._scroll)
        # A field that was just added has its place only when the height has changed; findings move it again.
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._revealing.start())
        self.verticalScrollBar().sliderPressed.connect(self._leave_in_place)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_keyboard)

    def reveal(self, row: FieldRow) -> None:
        """Scroll to a field after the layout is updated."""
        self._to_reveal = row
        self._revealing.start()

    def _follow_keyboard(self, before: QWidget | None, now: QWidget | None) -> None:
        if now is None or not self.isAncestorOf(now):
            return
        row = next((row for row in self.rows.values() if row.isAncestorOf(now)), None)
        if row is None:
            self._leave_in_place()
        if row is self.active:
            return
        if self.active is not None:
            self.active.set_active(False)
        self.active = row
        if row is not None:
            row.set_active(True)
            self.reveal(row)

    def _scroll(self) -> None:
        row = self._to_reveal
        if row is not None and row in self.rows.values():
            self.ensureWidgetVisible(row, 0, 6 * GRID)

    def _leave_in_place(self) -> None:
        """Stop keeping the field with the keyboard in sight, because the user scrolls or leaves it."""
        self._to_reveal = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._leave_in_place()
        super().wheelEvent(event)
