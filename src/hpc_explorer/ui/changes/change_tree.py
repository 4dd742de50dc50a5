"""A tree of changes: resources, and below each its properties with new values and old ones struck through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QBrush, QColor, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from hpc_explorer.app.journal.change_views import (
    ChangedProperty,
    ChangedResource,
    ChangedValue,
    Happened,
    statement_figures,
)
from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import shortened
from hpc_explorer.ui.widgets.theme import GRID, class_mark, current_theme, font, icon
from hpc_explorer.ui.widgets.two_level_tree import Index, TwoLevelModel, TwoLevelTree

LONGEST_NAME, LONGEST_VALUE = 160, 400
"""The most characters shown of a name and of a value; tooltips show more."""

WIDEST_NAMES = 30 * GRID
"""The width in pixels of the column of names; less in a narrow tree."""

UNFOLDED = 40
"""The most resources that are all expanded at first."""

_ROLE = Qt.ItemDataRole


@dataclass(frozen=True)
class ChangeRow:
    """A value in the tree.

    Args:
        first: whether it is the first of its property, which shows the property's name.
    """

    of: ChangedProperty
    value: ChangedValue
    first: bool


class ChangeModel(TwoLevelModel):
    """Changed resources with their values as children; rows are made when a resource is expanded."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._resources: Sequence[ChangedResource] = ()
        self._rows: dict[int, list[ChangeRow]] = {}
        self._exact = False
        self._bold = font(weight=600)
        self._struck = font()
        self._struck.setStrikeOut(True)

    @property
    def resources(self) -> Sequence[ChangedResource]:
        """What is shown."""
        return self._resources

    def show(self, resources: Sequence[ChangedResource]) -> None:
        """Show other changes."""
        self.beginResetModel()
        self._resources, self._rows = resources, {}
        self.endResetModel()

    def show_exact(self, exact: bool) -> None:
        """Show each value with its datatype, and resources by their prefixed names."""
        self._exact = exact
        self.tell_all()

    def resource(self, index: Index) -> ChangedResource | None:
        """The resource of a row, or of its parent row."""
        number = self.top(index)
        return None if number is None else self._resources[number]

    def value(self, index: Index) -> ChangeRow | None:
        """The value of a row; None for the row of a resource."""
        number = self.top(index)
        return self._rows_of(number)[index.row()] if number is not None and self.is_below(index) else None

    def count(self) -> int:
        """The number of resources."""
        return len(self._resources)

    def count_below(self, number: int) -> int:
        """The number of values of a resource."""
        return len(self._rows_of(number))

    # Qt interface

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        if role == _ROLE.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return ("Resource and property", "Removed and added")[section]
        return None

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> Any:
        row = self.value(index)
        if row is None:
            one = self.resource(index)
            return None if one is None else self._of_resource(one, index.column(), role)
        return self._of_value(row, index.column(), role)

    def _of_resource(self, one: ChangedResource, column: int, role: int) -> Any:
        if role == _ROLE.DisplayRole:
            return brief(one.ref.label, LONGEST_NAME) if column == 0 else self._told(one)
        if role == _ROLE.AccessibleTextRole:
            return f"{one.ref.label}, {self._told(one)}" if column == 0 else self._told(one)
        if role == _ROLE.ToolTipRole:
            return plain_tip(one.ref.iri)
        if role == _ROLE.FontRole and column == 0:
            return self._bold
        if role == _ROLE.DecorationRole and column == 0:
            return class_mark(one.ref.colour_key, current_theme())
        if role == _ROLE.ForegroundRole and column == 1:
            return QBrush(QColor(current_theme().muted))
        return None

    def _told(self, one: ChangedResource) -> str:
        parts = [one.ref.kind] if one.ref.kind else []
        parts += [one.happened.value] if one.happened is not Happened.CHANGED else []
        return " · ".join([*parts, statement_figures(one.removed, one.added)])

    def _of_value(self, row: ChangeRow, column: int, role: int) -> Any:
        if column == 0:
            return self._of_property(row, role)
        value = row.value
        if role == _ROLE.DisplayRole:
            return self._text(value)
        if role == _ROLE.AccessibleTextRole:
            return f"{'added' if value.added else 'removed'}: {shortened(self._text(value))}"
        if role == _ROLE.ToolTipRole:
            return plain_tip("\n".join(part for part in (shortened(value.text), value.datatype) if part))
        if role == _ROLE.DecorationRole:
            return icon("plus" if value.added else "minus", self._colour(value))
        if role == _ROLE.ForegroundRole:
            return QBrush(QColor(self._colour(value)))
        if role == _ROLE.FontRole:
            return None if value.added else self._struck
        return None

    def _of_property(self, row: ChangeRow, role: int) -> Any:
        if role == _ROLE.DisplayRole:
            return row.of.label if row.first else ""
        if role == _ROLE.AccessibleTextRole:
            return row.of.label
        if role == _ROLE.ToolTipRole:
            return plain_tip("\n".join(term.value for term in row.of.path))
        if role == _ROLE.ForegroundRole:
            return QBrush(QColor(current_theme().muted))
        return None

    def _text(self, value: ChangedValue) -> str:
        said = value.datatype if self._exact else value.detail
        if self._exact and said and value.target is not None and not value.target.kind:
            # Without other statements only the IRI is known, and a name made from its end would repeat it.
            return brief(said, LONGEST_VALUE)
        text = brief(" ".join(value.text.split()), LONGEST_VALUE)
        return f"{text}  ({said})" if said and said != text else text

    def _colour(self, value: ChangedValue) -> str:
        return current_theme().success if value.added else current_theme().error

    def _rows_of(self, number: int) -> list[ChangeRow]:
        if number not in self._rows:
            self._rows[number] = [
                ChangeRow(one, value, at == 0)
                for one in self._resources[number].properties
                for at, value in enumerate(one.values)
            ]
        return self._rows[number]


class ChangeTree(TwoLevelTree):
    """The tree of changes.

    Signals:
        opened(Resource): the user wants to go to a resource.
    """

    opened = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self._model = ChangeModel()
        super().__init__(self._model, name, parent)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.header().setStretchLastSection(True)
        self.header().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.header().setMinimumSectionSize(12 * GRID)
        self.header().resizeSection(0, WIDEST_NAMES)

    @property
    def changes(self) -> ChangeModel:
        """What is shown."""
        return self._model

    @property
    def chosen(self) -> ChangedResource | None:
        """The resource of the current row."""
        return self._model.resource(self.currentIndex())

    def show_changes(self, resources: Sequence[ChangedResource]) -> None:
        """Show other changes; a few resources are expanded. The selection is kept if possible."""
        before = self.chosen
        kept = {one.ref.resource for n, one in enumerate(self._model.resources) if not self._is_folded(n)}
        known = {one.ref.resource for one in self._model.resources}
        self._model.show(resources)
        for number, one in enumerate(resources):
            there = one.ref.resource in known
            if one.ref.resource in kept or (not there and len(resources) <= UNFOLDED) or len(resources) == 1:
                self.expand(self._model.index(number, 0))
        at = next((n for n, one in enumerate(resources) if before and one.ref.resource == before.ref.resource), 0)
        self.setCurrentIndex(self._model.index(at, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.header().resizeSection(0, min(WIDEST_NAMES, int(0.45 * self.viewport().width())))

    def _is_folded(self, number: int) -> bool:
        return not self.isExpanded(self._model.index(number, 0))

    def open_row(self, index: QModelIndex) -> None:
        """Go to the resource that a row leads to."""
        resource = self._goal(index)
        if resource is not None:
            self.opened.emit(resource)

    def _goal(self, index: QModelIndex) -> Resource | None:
        """The resource that a row leads to: its value, or the resource of the row."""
        row, one = self._model.value(index), self._model.resource(index)
        if row is not None and row.value.target is not None and index.column() == 1:
            return row.value.target.resource
        return None if one is None else one.ref.resource

    def open_menu(self, at: QPoint) -> None:
        """Show the menu of the row at a place."""
        index = self.indexAt(at)
        menu = self.menu_of(index)
        if menu is not None:
            menu.exec(self.viewport().mapToGlobal(at))
            menu.deleteLater()

    def menu_of(self, index: QModelIndex) -> QMenu | None:
        """The context menu of a row; None if there is no row."""
        one = self._model.resource(index)
        if one is None:
            return None
        menu = QMenu(self)
        go = QAction("Go to resource", menu)
        go.triggered.connect(lambda: self.open_row(index))
        menu.addAction(go)
        row = self._model.value(index)
        quads = one.quads if row is None else row.value.quads
        copy = QAction("Copy as N-Quads", menu)
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText("".join(f"{quad} .\n" for quad in quads)))
        menu.addAction(copy)
        return menu
