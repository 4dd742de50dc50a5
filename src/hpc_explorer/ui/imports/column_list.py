"""The list of columns, with property and kind of values."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from hpc_explorer.annotate.tables.column_kinds import first_rule, kind_of
from hpc_explorer.annotate.tables.mapping import ColumnRule, TableMapping
from hpc_explorer.rdf.namespaces import WELL_KNOWN, PrefixMap
from hpc_explorer.rdf.quantities import unit_of
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import shortened
from hpc_explorer.ui.widgets.theme import GRID, current_theme
from hpc_explorer.ui.widgets.turns import Turn

_NAME = Qt.ItemDataRole.UserRole

LISTED_AT_ONCE = 250
"""The number of columns added per turn of the event loop."""


class ColumnList(QTreeWidget):
    """The list; its current item is the selected column."""

    def __init__(self) -> None:
        super().__init__()
        self._prefixes = PrefixMap(WELL_KNOWN)
        self._faulty: frozenset[str] = frozenset()
        self._mapping: TableMapping | None = None
        self._offers: Mapping[str, ColumnRule] = {}
        self._items: dict[str, QTreeWidgetItem] = {}
        self._to_list: deque[str] = deque()
        self._listing = Turn(self, self._list_some)
        self.setAccessibleName("Columns")
        self.setProperty("framed", True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setHeaderLabels(["Column", "Property", "Kind"])
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(2, QHeaderView.ResizeMode.Interactive)
        self.header().resizeSection(2, 14 * GRID)

    @property
    def column(self) -> str:
        """The name of the selected column; empty if there is none."""
        item = self.currentItem()
        return _name(item) if item is not None else ""

    def show_columns(
        self, names: Sequence[str], mapping: TableMapping, offers: Mapping[str, ColumnRule] | None = None
    ) -> None:
        """List the columns of a table. The selection is kept if possible; no signal is emitted.

        Args:
            offers: rules with suggested properties, shown with a question mark.
        """
        self._offers = offers or {}
        before = self.column
        self._prefixes = PrefixMap({**WELL_KNOWN, **mapping.prefixes})
        self._mapping = mapping
        with QSignalBlocker(self):
            self.clear()
            self._items = {}
            self._to_list = deque(names)
            self._list_some()
            self.choose(list(names).index(before) if before in names else 0)

    @property
    def is_listing(self) -> bool:
        """Whether there are columns to add."""
        return bool(self._to_list)

    def _list_some(self) -> None:
        """Add the next columns."""
        made = []
        for _ in range(min(LISTED_AT_ONCE, len(self._to_list))):
            name = self._to_list.popleft()
            item = QTreeWidgetItem([shortened(name, 80)])
            item.setData(0, _NAME, name)
            item.setToolTip(0, plain_tip(shortened(name)))
            self._update_item(item)
            if name in self._faulty:
                item.setForeground(2, QColor(current_theme().error))
            self._items[name] = item
            made.append(item)
        self.addTopLevelItems(made)
        if self._to_list:
            self._listing.start()

    def choose(self, place: int) -> None:
        """Select the column at an index."""
        while self.topLevelItemCount() <= place and self._to_list:
            self._list_some()
        item = self.topLevelItem(place)
        if item is not None:
            self.setCurrentItem(item)

    def show_rule(self, mapping: TableMapping) -> None:
        """Update the selected column."""
        self._mapping = mapping
        item = self.currentItem()
        if item is not None:
            self._update_item(item)

    def mark_faults(self, faulty: frozenset[str], mapping: TableMapping) -> None:
        """Mark the columns with rejects, and no others."""
        self._mapping = mapping
        for name in self._faulty - faulty:
            if name in self._items:
                self._update_item(self._items[name])
        for name in faulty:
            if name in self._items:
                self._items[name].setForeground(2, QColor(current_theme().error))
        self._faulty = faulty

    def _update_item(self, item: QTreeWidgetItem) -> None:
        """Set the texts and colours of a column."""
        rule = first_rule(self._mapping, _name(item)) if self._mapping is not None else None
        offer = self._offers.get(_name(item))
        asked = "" if offer is None or rule is None or rule.property == offer.property else offer.property.value
        name = self._prefixes.short(rule.property.value) if rule is not None else "–"
        item.setText(1, f"{self._prefixes.short(asked)}? {name}" if asked else name)
        item.setToolTip(1, plain_tip(rule.property.value if rule is not None else ""))
        item.setText(2, _is(rule))
        colour = QColor(current_theme().muted if rule is None else current_theme().text)
        for place in range(3):
            item.setForeground(place, colour)


def _name(item: QTreeWidgetItem) -> str:
    return str(item.data(0, _NAME))


def _is(rule: ColumnRule | None) -> str:
    """The kind of a column's values."""
    if rule is None:
        return "left out"
    if rule.unit is not None:
        return unit_of(rule.unit).symbol
    return f"text ({rule.language})" if rule.language else kind_of(rule).value
