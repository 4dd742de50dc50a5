"""A field of a form: its name, its values, and their errors below."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.app.forms.entry import Entry, blank_entry
from hpc_explorer.app.forms.filling import Wrong
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.terms import NamedNode, Term
from hpc_explorer.ui.forms.entries import made_entry
from hpc_explorer.ui.forms.entry_row import EntryRow
from hpc_explorer.ui.forms.value_entry import ValueEntry
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.turns import Turn

if TYPE_CHECKING:
    from hpc_explorer.ui.forms.tools import SessionTools

LABEL_WIDTH = 20 * GRID
"""The width of the names, in pixels."""

LONGEST_LABEL = 90
"""The maximum length of a name; the tooltip has all of it."""

FIRST_VALUES = 8
"""The number of values of a field that are visible at first."""

SLICE = 0.008
"""Seconds that fields and values are made for before keys and clicks are looked after; placing and drawing what was
made takes as long."""


class FieldRow(QWidget):
    """A field of a form.

    Enter in a value leads to one more of the field, and in an empty one on to the next field. A value that is emptied
    is taken out.

    Args:
        of: the field.
        entries: what stands in it.
        detail: what tells it from another field of its name.

    Attributes:
        entries_shown: the widgets of its values, in their order.

    Signals:
        changed(): something else is typed.
        left(): Enter was pressed where nothing more is to be typed into this field.
        remade(): something in it was made, so that Tab is to be led through it anew.
    """

    changed = Signal()
    left = Signal()
    remade = Signal()

    def __init__(
        self, of: Field, entries: Sequence[Entry], tools: SessionTools, *, detail: str = "", read_only: bool = False
    ) -> None:
        super().__init__()
        self.field = of
        self._tools = tools
        self._read_only = read_only
        self._detail = detail
        self._refs = _refs_of(of, entries, tools)
        self._changed = False
        self._active = self._pointed = False
        self.entries_shown: list[ValueEntry] = []
        self._lines: dict[ValueEntry, EntryRow] = {}
        self._hidden: list[Entry] = []
        self._name = TextBlock(
            brief(of.label, LONGEST_LABEL),
            " · ".join(part for part in (detail, _wanted(of)) if part),
        )
        self._name.setFixedWidth(LABEL_WIDTH)
        self._name.setContentsMargins(0, 5, 0, 0)
        self._name.setToolTip(
            plain_tip("\n".join(part for part in (of.label, of.description, of.predicate.value) if part))
        )
        self._values = QVBoxLayout()
        self._values.setContentsMargins(0, 0, 0, 0)
        self._values.setSpacing(GRID // 2)
        self._below = QVBoxLayout()
        self._below.setContentsMargins(0, 0, 0, 0)
        self._below.setSpacing(GRID // 2)
        self._values.addLayout(self._below)
        name = QVBoxLayout()
        name.setContentsMargins(0, 5, 0, 0)
        name.addWidget(self._name)
        name.addStretch(1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(2 * GRID, GRID // 2, 0, GRID // 2)
        self._row.setSpacing(2 * GRID)
        self._row.addLayout(name)
        self._row.addLayout(self._values, 1)
        self._all: LinkBlock | None = None
        self._showing: Turn | None = None
        self._said: list[QWidget] = []
        shown = self._at_first(entries)
        self._hidden = list(shown[FIRST_VALUES:])
        for entry in shown[:FIRST_VALUES]:
            self._put(entry)
        if self._hidden:
            self._all = LinkBlock(f"Show all {len(shown):,}")
            self._all.clicked.connect(self._show_hidden)
            self._all.setAccessibleName(f"Show all {len(shown):,} of {of.label}")
            self._below.addWidget(self._all)
        self._settle()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The typed entries."""
        return (*(one.entry for one in self.entries_shown), *self._hidden)

    @property
    def is_making(self) -> bool:
        """Whether values are still being added."""
        return self._showing is not None and self._showing.is_waiting

    def is_for(self, of: Field, entries: Sequence[Entry], detail: str) -> bool:
        """Whether another row for these arguments would look the same."""
        return (
            self.field == of
            and self.entries == self._at_first(entries)
            and self._detail == detail
            and self._refs == _refs_of(of, entries, self._tools)
        )

    def _at_first(self, entries: Sequence[Entry]) -> tuple[Entry, ...]:
        """The entries of the field; an empty one if there are no values."""
        return tuple(entries) or (() if self._read_only else (blank_entry(self.field),))

    def show_wrongs(self, wrongs: Sequence[Wrong]) -> None:
        """Show the errors at the values."""
        by_number = {wrong.number: wrong.error for wrong in wrongs}
        for number, one in enumerate(self.entries_shown):
            self._lines[one].say(by_number.get(number))

    def mark_changed(self, changed: bool, words: str = "") -> None:
        """Mark the field as changed."""
        if changed != self._changed:
            self._changed = changed
            self.update()
        self.setToolTip(plain_tip(words))

    @property
    def is_changed(self) -> bool:
        """Whether the field is marked as changed."""
        return self._changed

    def say_below(self, widgets: Sequence[QWidget]) -> None:
        """Replace the findings and suggestions below the values."""
        for before in self._said:
            self._below.removeWidget(before)
            before.hide()
            before.deleteLater()
        self._said = list(widgets)
        for widget in widgets:
            self._below.addWidget(widget)
        if widgets:
            self.remade.emit()

    def add_value(self, kind: ValueKind | None = None) -> None:
        """Add a value, and focus it."""
        entry = blank_entry(self.field)
        if kind is not None:
            entry = Entry("", kind, "en" if kind.widget is Widget.LANGUAGE_TEXT else "")
        self._add(entry).take_keyboard()

    def take_keyboard(self) -> None:
        """Focus the first value."""
        if self.entries_shown:
            self.entries_shown[0].take_keyboard()
        elif not self._read_only:
            self.add_value()

    def set_narrow(self, narrow: bool) -> None:
        """Place the name above the values, or to their left."""
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if narrow else direction.LeftToRight)
        self._row.setSpacing(2 if narrow else 2 * GRID)
        self._name.setMinimumWidth(0 if narrow else LABEL_WIDTH)
        self._name.setMaximumWidth(16_777_215 if narrow else LABEL_WIDTH)

    def set_active(self, active: bool) -> None:
        """Whether the field is in use, so that its buttons are visible."""
        if active != self._active:
            self._active = active
            self._show_buttons()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._pointed = True
        self._show_buttons()

    def leaveEvent(self, event: QEvent) -> None:
        self._pointed = False
        self._show_buttons()

    def _add(self, entry: Entry, at: int | None = None) -> ValueEntry:
        """Add a value, and update the others."""
        made = self._put(entry, at)
        self._settle()
        return made

    def _put(self, entry: Entry, at: int | None = None) -> ValueEntry:
        made = made_entry(self.field, entry, self._tools)
        made.setEnabled(not self._read_only)
        line = EntryRow(made, self._kinds_of(entry), read_only=self._read_only)
        place = len(self.entries_shown) if at is None else at
        self.entries_shown.insert(place, made)
        self._lines[made] = line
        self._values.insertWidget(place, line)
        made.changed.connect(self.changed)
        made.entered.connect(lambda: self._enter(made))
        line.removed.connect(lambda: self._remove(made))
        line.added.connect(self.add_value)
        line.kind_wanted.connect(lambda kind: self._turn(made, kind))
        return made

    def _settle(self) -> None:
        """Update the buttons, the accessible names and the tab order."""
        self._show_buttons()
        self._call()
        self.remade.emit()

    def _kinds_of(self, entry: Entry) -> tuple[ValueKind, ...]:
        kinds = self.field.kinds
        return kinds if len(kinds) > 1 and entry.kind in kinds else ()

    def _drop(self, one: ValueEntry) -> None:
        line = self._lines.pop(one)
        self.entries_shown.remove(one)
        self._values.removeWidget(line)
        line.hide()
        line.deleteLater()

    def _remove(self, one: ValueEntry) -> None:
        at = self.entries_shown.index(one)
        self._drop(one)
        if not self.entries_shown:
            self._put(blank_entry(self.field))
        self._settle()
        self.entries_shown[max(0, at - 1)].take_keyboard()
        self.changed.emit()

    def _turn(self, one: ValueEntry, kind: ValueKind) -> None:
        """Change the kind of a value."""
        at = self.entries_shown.index(one)
        typed = one.entry
        self._drop(one)
        language = "en" if kind.widget is Widget.LANGUAGE_TEXT else ""
        self._add(Entry(typed.text, kind, language, typed.before), at).take_keyboard()
        self.changed.emit()

    def _enter(self, one: ValueEntry) -> None:
        at = self.entries_shown.index(one)
        if at + 1 < len(self.entries_shown):
            self.entries_shown[at + 1].take_keyboard()
        elif self.field.maximum is not None and len(self.entries_shown) >= self.field.maximum:
            self.left.emit()
        elif one.entry.is_blank:
            if len(self.entries_shown) > 1 and one.entry.before is None:
                self._drop(one)
                self._show_buttons()
                self._call()
            self.left.emit()
        else:
            self.add_value()

    def _show_hidden(self) -> None:
        """Add the remaining values, a few at a time."""
        if self._all is not None:
            self._all.hide()
        until = time.perf_counter() + SLICE
        while self._hidden:
            self._put(self._hidden.pop(0))
            if time.perf_counter() > until:
                break
        self._settle()
        if self._hidden:
            self._showing = self._showing or Turn(self, self._show_hidden)
            self._showing.start()

    def _show_buttons(self) -> None:
        room = self.field.maximum is None or len(self.entries_shown) < self.field.maximum
        for number, one in enumerate(self.entries_shown):
            more = room and number == len(self.entries_shown) - 1
            self._lines[one].show_buttons(self._active or self._pointed, more=more)

    def _call(self) -> None:
        """Set the accessible names of the values."""
        count = len(self.entries_shown)
        described = self.field.description + (" Required." if self.field.required else "")
        for number, one in enumerate(self.entries_shown):
            name = self.field.label if count == 1 else f"{self.field.label}, value {number + 1} of {count}"
            one.call(name, described)
            self._lines[one].call(name)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._changed:
            painter = QPainter(self)
            painter.fillRect(QRect(0, 4, 3, self.height() - 8), self.palette().color(QPalette.ColorRole.Accent))


def _refs_of(of: Field, entries: Sequence[Entry], tools: SessionTools) -> tuple[ResourceRef | None, ...]:
    """The names of the resources in a field and of its choices."""
    links = [_link_in(entry) for entry in entries if entry.kind.widget is Widget.LINK]
    choices = [choice for kind in of.kinds for choice in kind.choices]
    return tuple(None if term is None else tools.ref_of(term) for term in (*links, *choices))


def _link_in(entry: Entry) -> Term | None:
    try:
        return NamedNode(entry.text)
    except ValueError:
        return entry.before if isinstance(entry.before, Term) else None


def _wanted(of: Field) -> str:
    """Whether a value is required or recommended."""
    return "required" if of.required else "recommended" if of.recommended else ""
