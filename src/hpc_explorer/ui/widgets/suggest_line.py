"""A text line with suggestions below: resources, units or properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.keys import ENTER, keeps_escape
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.resource_list import ResourceList, ResourceRow
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot

PAUSE = 80
"""Milliseconds without a key after which what was typed is looked up."""

MOST_ROWS = 10
"""The number of visible suggestions; the others are scrolled to."""

_WALKING = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: MOST_ROWS, Qt.Key.Key_PageUp: -MOST_ROWS}


@dataclass(frozen=True)
class Suggestion:
    """A meaning of the typed text.

    Args:
        key: identifies the suggestion.
        second: distinguishes it from others of the same label.
        ref: the resource, whose class gives the mark; None for other things.
        span: the characters of the label that match the text.
    """

    key: object
    label: str
    second: str = ""
    ref: ResourceRef | None = None
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Suggestions:
    """The suggestions for a text.

    Args:
        remark: a note below them, or empty.
    """

    offered: tuple[Suggestion, ...] = ()
    remark: str = ""


Suggest = Callable[[str, Callable[[Suggestions], None]], None]
"""Looks up what a text may mean and calls back, at once or later."""


class SuggestLine(QLineEdit):
    """A line with suggestions below it. Arrow keys move through them while the line keeps the focus; Enter takes one.

    Args:
        suggest: finds suggestions; receives an empty text when the down arrow is pressed in an empty line.
        is_whole: whether a text is complete without a suggestion; Enter then keeps it.
        lines: the lines of a suggestion, 1 or 2.

    Signals:
        chosen(Suggestion): a suggestion was taken.
        entered(): Enter was pressed without a suggestion to take.
        looked(): the search ended, and no suggestions are visible.
        given_up(): a search was cancelled.
    """

    chosen = Signal(object)
    entered = Signal()
    looked = Signal()
    given_up = Signal()

    def __init__(
        self,
        suggest: Suggest,
        is_whole: Callable[[str], bool] = lambda text: False,
        parent: QWidget | None = None,
        *,
        lines: int = 1,
    ) -> None:
        super().__init__(parent)
        self._suggest = suggest
        self._is_whole = is_whole
        self._lines = lines
        self._popup: SuggestionPopup | None = None
        self._asked: str | None = None
        self._answered = ""
        self._take_first = False
        self._pause = single_shot(self, PAUSE, self.look_up)
        self.setAcceptDrops(False)  # a file dropped here is for the window
        self.textEdited.connect(self._typed)

    @property
    def popup(self) -> SuggestionPopup:
        """The list of suggestions."""
        if self._popup is None:
            self._popup = SuggestionPopup(self.window(), self, self._lines)
            self._popup.list.clicked.connect(lambda index: self._take(index.row()))
        return self._popup

    @property
    def is_suggesting(self) -> bool:
        """Whether suggestions are visible."""
        return self._popup is not None and self._popup.isVisible()

    @property
    def is_looking(self) -> bool:
        """Whether a search is running or suggestions are visible."""
        return self._pause.isActive() or self._asked is not None or self.is_suggesting

    def look_up(self) -> None:
        """Search at once."""
        self._pause.stop()
        asked = self.text().strip()
        self._asked = asked
        self._suggest(asked, lambda found: self._show(asked, found))

    def leave_suggestions(self) -> None:
        """Cancel the search and hide the suggestions."""
        self._pause.stop()
        self._give_up()
        self._take_first = False
        if self._popup is not None:
            self._popup.hide()
        self.looked.emit()

    def _give_up(self) -> None:
        if self._asked is not None:
            self._asked = None
            self.given_up.emit()

    def _typed(self, text: str) -> None:
        self._take_first = False
        self._give_up()
        if text.strip():
            self._pause.start()
        else:
            self.leave_suggestions()

    def _show(self, asked: str, found: Suggestions) -> None:
        if asked != self._asked or asked != self.text().strip():
            return
        self._asked, self._answered = None, asked
        if self._take_first and found.offered:
            self._popup_rows(found)
            self._take(0)
        elif self.hasFocus():
            if found.offered or found.remark:
                self._popup_rows(found)
                self.popup.place()
            elif self._popup is not None:
                self._popup.hide()
        self._take_first = False
        if not self.is_looking:
            self.looked.emit()

    def _popup_rows(self, found: Suggestions) -> None:
        self.popup.show_rows(found)
        self.setAccessibleDescription(self.popup.current_text())

    def _take(self, row: int) -> None:
        offered = self.popup.offered
        self.leave_suggestions()
        if 0 <= row < len(offered):
            self.chosen.emit(offered[row])

    def _enter(self) -> None:
        text = self.text().strip()
        if not text or self._is_whole(text):
            row = self.popup.row if self.is_suggesting and self.popup.was_walked else -1
            if row >= 0:
                self._take(row)
                return
            self.leave_suggestions()
            self.entered.emit()
        elif self.is_suggesting and self.popup.offered and text == self._answered:
            self._take(self.popup.row)
        elif self._pause.isActive() or self._asked is not None:
            self._take_first = True
            if self._pause.isActive():
                self.look_up()
        else:
            self.entered.emit()

    def event(self, event: QEvent) -> bool:
        return keeps_escape(event, self.is_suggesting) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        if key in ENTER and plain:
            self._enter()
        elif key == Qt.Key.Key_Escape and self.is_suggesting:
            self.leave_suggestions()
        elif key in _WALKING and plain:
            if self.is_suggesting:
                self.popup.walk(_WALKING[Qt.Key(key)])
                self.setAccessibleDescription(self.popup.current_text())
            elif key == Qt.Key.Key_Down:
                self.look_up()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is Qt.FocusReason.PopupFocusReason:
            return
        if not self._take_first:
            self.leave_suggestions()
        elif self._popup is not None:
            self._popup.hide()

    def hideEvent(self, event: QEvent) -> None:
        if self._popup is not None:
            self._popup.hide()


class SuggestionPopup(QFrame):
    """The list of suggestions above the other widgets of the window.

    Args:
        line: the line; the list is above it if there is no room below.
    """

    def __init__(self, window: QWidget, line: QWidget, lines: int) -> None:
        super().__init__(window)
        self._window, self._line = window, line
        self.offered: tuple[Suggestion, ...] = ()
        self.was_walked = False
        self.setObjectName("popup")
        self.setAutoFillBackground(True)
        self.list = ResourceList("Suggestions", lines=lines, parent=self)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.remark = Label(parent=self)
        self.remark.setProperty("role", "small")
        self.remark.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        self.remark.setWordWrap(True)
        layout = column_in(self, 1, GRID // 2, 1, GRID // 2)
        layout.addWidget(self.list)
        layout.addWidget(self.remark)
        window.installEventFilter(self)
        line.destroyed.connect(self.deleteLater)
        self.hide()

    @property
    def row(self) -> int:
        """The index of the chosen suggestion."""
        return self.list.currentIndex().row()

    def show_rows(self, found: Suggestions) -> None:
        """Show suggestions."""
        self.offered = found.offered
        self.was_walked = False
        rows = (
            ResourceRow(one.label, one.second, one.ref.iri if one.ref else one.second, one.ref, one.span)
            for one in found.offered
        )
        self.list.rows.set_rows(tuple(rows))
        self.list.setCurrentIndex(self.list.rows.index(0) if found.offered else QModelIndex())
        self.list.setVisible(bool(found.offered))
        self.list.setFixedHeight(min(len(found.offered), MOST_ROWS) * self.list.sizeHintForRow(0))
        self.remark.setText(found.remark)
        self.remark.setVisible(bool(found.remark))

    def place(self) -> None:
        """Show the list below the line, or above it."""
        self.setFixedWidth(min(max(self._line.width(), 56 * GRID), self._window.width() - 2 * GRID))
        self.adjustSize()
        below = self._line.mapTo(self._window, QPoint(0, self._line.height() + 2))
        above = self._line.mapTo(self._window, QPoint(0, -2)).y() - self.height()
        top = below.y() if below.y() + self.height() <= self._window.height() or above < 0 else above
        self.move(min(below.x(), self._window.width() - self.width() - GRID), top)
        self.show()
        self.raise_()

    def walk(self, step: int) -> None:
        """Move to another suggestion; wraps around."""
        count = len(self.offered)
        if count:
            row = self.row + step
            row = row % count if abs(step) == 1 else max(0, min(row, count - 1))
            self.was_walked = True
            self.list.setCurrentIndex(self.list.rows.index(row))

    def current_text(self) -> str:
        """The chosen suggestion for screen readers."""
        return str(self.list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole) or "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.hide()
        return False


def as_suggestions(refs: Sequence[ResourceRef]) -> tuple[Suggestion, ...]:
    """Resources as suggestions."""
    return tuple(
        Suggestion(ref.resource, ref.label, " · ".join(part for part in (ref.kind, ref.curie) if part), ref)
        for ref in refs
    )
