"""The fields of a form in groups: filled and required ones first, empty ones folded."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from hpc_explorer.annotate.forms.form import Field, FieldGroup
from hpc_explorer.app.forms.arranging import doubled_labels, groups_of, in_sight_at_first
from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.app.forms.filling import Filling, Wrong
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.forms.field import SLICE, FieldRow
from hpc_explorer.ui.forms.field_box import FieldBox, leave
from hpc_explorer.ui.forms.scroller import FieldScroller
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.tab_order import follow, stops
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.turns import Turn

if TYPE_CHECKING:
    from hpc_explorer.ui.forms.tools import SessionTools

NARROW = 62 * GRID
"""Below this width in pixels, the name of a field is above its values."""

DELETED_AT_ONCE = 8
"""The number of old fields deleted before events are handled."""


class FormFields(FieldScroller):
    """The fields of a form, to be filled in.

    They are made a few at a time, from the first one on, so that a large form never holds up the window. One that is
    gone to is made at once. Where the same resource is shown again, only the fields that are different are made anew.

    Args:
        tools: what the entries need.

    Signals:
        typed(NamedNode): something else stands in the field of a property.
    """

    typed = Signal(object)

    def __init__(self, tools: SessionTools, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tools = tools
        self._read_only = False
        self._filling: Filling | None = None
        self._groups: dict[str, FieldBox] = {}
        self._unfolded: set[NamedNode] = set()
        self._doubled: frozenset[str] = frozenset()
        self._prefixes: PrefixMap | None = None
        self._to_make: dict[NamedNode, tuple[FieldGroup, Field]] = {}
        self._wrongs: dict[NamedNode, list[Wrong]] = {}
        self._to_say: dict[NamedNode, Sequence[QWidget]] = {}
        self._back_to = 0
        self._making = Turn(self, self._make_some)
        self._gone: list[QWidget] = []
        content = QWidget()
        content.setObjectName("answered")
        self._column = column_in(content, GRID, GRID, 2 * GRID, 3 * GRID, spacing=GRID)
        self._column.addStretch(1)
        self.setWidget(content)
        self._narrow = False

    def show_filling(self, filling: Filling, *, read_only: bool, anew: bool) -> None:
        """Show a form with what is typed into it.

        Args:
            anew: it is that of another resource: fields that were unfolded are folded, and its beginning is in sight.
        """
        if anew:
            self._unfolded = set()
        groups = groups_of(filling)
        stays = not anew and read_only == self._read_only and [one.label for one in groups] == list(self._groups)
        self._filling, self._read_only = filling, read_only
        self._doubled = doubled_labels(filling.fields)
        self._to_make, self._wrongs, self._to_say = {}, {}, {}
        if not stays:
            self._back_to = 0 if anew else self.verticalScrollBar().value()
            self._begin_anew(groups)
        in_sight = in_sight_at_first(filling, read_only=read_only) | self._unfolded
        for group in groups:
            shown = [one for one in group.fields if one.predicate in in_sight]
            self._drop_others(group.label, shown)
            self._to_make |= {one.predicate: (group, one) for one in shown if one.predicate not in self.rows}
            made = self._groups[group.label]
            made.fold([one for one in group.fields if one.predicate not in in_sight], hidden=read_only)
            made.setVisible(bool(shown) or not read_only)
        self._make_some()

    @property
    def is_making(self) -> bool:
        """Whether fields are still being created."""
        return self._making.is_waiting or any(row.is_making for row in self.rows.values())

    @property
    def first(self) -> NamedNode | None:
        """The property of the first field."""
        return next(iter(self._in_order()), None)

    def entries(self, predicate: NamedNode) -> tuple[Entry, ...]:
        """The entries in the field of a property."""
        return self.rows[predicate].entries

    def show_wrongs(self, wrongs: Sequence[Wrong]) -> None:
        """Show the errors at their values."""
        self._wrongs = {}
        for wrong in wrongs:
            self._wrongs.setdefault(wrong.field.predicate, []).append(wrong)
        for predicate, row in self.rows.items():
            row.show_wrongs(self._wrongs.get(predicate, ()))

    def mark_changes(self, filling: Filling, prefixes: PrefixMap | None) -> None:
        """Mark the changed fields."""
        self._filling, self._prefixes = filling, prefixes
        for row in self.rows.values():
            self._mark(row)

    def say_below(self, said: Mapping[NamedNode, Sequence[QWidget]]) -> None:
        """Show findings and suggestions below fields, and remove all others."""
        self._to_say = {predicate: said[predicate] for predicate in said if predicate in self._to_make}
        for predicate in said:
            if predicate not in self.rows and predicate not in self._to_make:
                self.bring(predicate)
        for predicate, row in self.rows.items():
            row.say_below(said.get(predicate, ()))

    def bring(self, predicate: NamedNode) -> FieldRow | None:
        """Show a field, also if it is folded; None if the form has none for the property."""
        if self._filling is None:
            return None
        if predicate in self._to_make:
            self._make(*self._to_make.pop(predicate))
        elif predicate not in self.rows:
            group = next(
                (one for one in groups_of(self._filling) if any(each.predicate == predicate for each in one.fields)),
                None,
            )
            if group is None:
                return None
            self._unfold(group, [one for one in group.fields if one.predicate == predicate])
            self._make(*self._to_make.pop(predicate))
        row = self.rows[predicate]
        row.show()  # not only when its layout gets to it: the keyboard goes there now
        self.reveal(row)
        return row

    def go_to(self, predicate: NamedNode) -> None:
        """Show a field and focus it."""
        row = self.bring(predicate)
        if row is not None:
            row.take_keyboard()

    @property
    def keyboard(self) -> tuple[NamedNode, int, int] | None:
        """The focused property, value and line; None if no field has the focus."""
        line = QApplication.focusWidget()
        for predicate, row in self.rows.items():
            for number, entry in enumerate(row.entries_shown):
                if line in entry.lines:
                    return predicate, number, entry.lines.index(line)
        return None

    def put_keyboard(self, predicate: NamedNode, number: int, part: int) -> None:
        """Restore the focus if its field still exists."""
        row = self.bring(predicate)
        if row is None or not row.entries_shown:
            return
        lines = row.entries_shown[min(number, len(row.entries_shown) - 1)].lines
        lines[min(part, len(lines) - 1)].setFocus(Qt.FocusReason.OtherFocusReason)

    def begin(self) -> None:
        """Focus the first field."""
        if self.first is not None:
            self.go_to(self.first)

    def next_after(self, row: FieldRow) -> None:
        """Focus the next field, if there is one."""
        shown = self._in_order()
        place = shown.index(row.field.predicate)
        if place + 1 < len(shown):
            self.go_to(shown[place + 1])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        if narrow != self._narrow:
            self._narrow = narrow
            for row in self.rows.values():
                row.set_narrow(narrow)

    def _begin_anew(self, groups: Sequence[FieldGroup]) -> None:
        """Replace everything by empty groups."""
        for before in self._groups.values():
            leave(before)
            self._column.removeWidget(before)
            before.hide()
            self._gone += [*before.rows, before]
        self.rows, self._groups, self.active = {}, {}, None
        self.verticalScrollBar().setValue(0)
        for group in groups:
            self._add_group(group)

    def _add_group(self, group: FieldGroup) -> None:
        made = FieldBox(group.label, partial(self._unfold_group, group.label))
        self._column.insertWidget(self._column.count() - 1, made)
        follow(next((one.more for one in reversed(self._groups.values())), self), made)
        self._groups[group.label] = made

    def _drop_others(self, label: str, shown: Sequence[Field]) -> None:
        """Remove the fields of a group that are outdated."""
        assert self._filling is not None
        wanted = {one.predicate: one for one in shown}
        for row in tuple(self._groups[label].rows):
            one = wanted.get(row.field.predicate)
            if one is not None and row.is_for(one, self._filling.entries_of(one), self._detail(one)):
                continue
            self._groups[label].drop(row)
            self._gone.append(row)
            del self.rows[row.field.predicate]
            if row is self.active:
                self.active = None

    def _make_some(self) -> None:
        """Create fields for a short time, then delete a few old ones."""
        until = time.perf_counter() + SLICE
        is_making = bool(self._to_make)
        while self._to_make:
            self._make(*self._to_make.pop(next(iter(self._to_make))))
            if time.perf_counter() > until:
                break
        if not is_making:
            if self._back_to and not self.verticalScrollBar().value():
                self.verticalScrollBar().setValue(self._back_to)
            self._back_to = 0
            for row in self._gone[:DELETED_AT_ONCE]:
                row.deleteLater()
            del self._gone[:DELETED_AT_ONCE]
        if is_making or self._gone:
            self._making.start()  # the next ones; after the last one they are placed first

    def _make(self, group: FieldGroup, one: Field) -> None:
        """Create and insert a field."""
        assert self._filling is not None
        row = FieldRow(
            one, self._filling.entries_of(one), self._tools, detail=self._detail(one), read_only=self._read_only
        )
        row.changed.connect(lambda: self._tell_typed(row))
        row.left.connect(lambda: self.next_after(row) if self._has(row) else None)
        row.set_narrow(self._narrow)
        row.show_wrongs(self._wrongs.get(one.predicate, ()))
        row.say_below(self._to_say.pop(one.predicate, ()))
        self._mark(row)
        self.rows[one.predicate] = row
        self._groups[group.label].add(row, [each.predicate for each in group.fields])
        row.remade.connect(lambda: self._lead_through(row))
        self._lead_through(row)

    def _has(self, row: FieldRow) -> bool:
        """Whether a field is one of the form; a menu of one that was replaced may be open still."""
        return self.rows.get(row.field.predicate) is row

    def _tell_typed(self, row: FieldRow) -> None:
        if self._has(row):
            self.typed.emit(row.field.predicate)

    def _mark(self, row: FieldRow) -> None:
        assert self._filling is not None
        change = self._filling.change_of(row.field, self._prefixes)
        row.mark_changed(change is not None, change.words if change is not None else "")

    def _detail(self, one: Field) -> str:
        """The remark that distinguishes a field from others of the same name."""
        return local_name(one.predicate.value) if one.label in self._doubled else ""

    def _in_order(self) -> list[NamedNode]:
        """The unfolded fields from top to bottom."""
        fields = {} if self._filling is None else {group.label: group.fields for group in groups_of(self._filling)}
        return [
            one.predicate
            for label in self._groups
            for one in fields.get(label, ())
            if one.predicate in self.rows or one.predicate in self._to_make
        ]

    def _unfold_group(self, label: str) -> None:
        assert self._filling is not None
        group = next(one for one in groups_of(self._filling) if one.label == label)
        shown = set(self._in_order())
        folded = [one for one in group.fields if one.predicate not in shown]
        self._unfold(group, folded)
        if folded:
            self.go_to(folded[0].predicate)

    def _unfold(self, group: FieldGroup, fields: Sequence[Field]) -> None:
        """Create the folded fields."""
        if group.label not in self._groups:
            self._add_group(group)
        self._unfolded |= {one.predicate for one in fields}
        self._to_make |= {one.predicate: (group, one) for one in fields}
        shown = set(self._in_order())
        made = self._groups[group.label]
        made.fold([one for one in group.fields if one.predicate not in shown], hidden=self._read_only)
        made.show()
        self._making.start()

    def _lead_through(self, row: FieldRow) -> None:
        """Put a field into the tab order."""
        before: QWidget = self
        for group in self._groups.values():
            if row in group.rows:
                above = reversed(group.rows[: group.rows.index(row)])
                follow(next((stop for other in above for stop in reversed((*stops(other),))), before), row)
                return
            before = group.more
