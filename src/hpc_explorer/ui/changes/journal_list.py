"""The list of journal entries: when, who, what and why. Undone edits are struck through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QWidget

from hpc_explorer.app.journal.change_views import statement_figures
from hpc_explorer.app.journal.history import moment
from hpc_explorer.app.journal.journal import JournalEntry
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import shortened
from hpc_explorer.ui.widgets.theme import GRID, current_theme, font

Index = QModelIndex | QPersistentModelIndex

_HEADINGS = ("When", "Who", "What", "Statements")
_WIDTHS = (17 * GRID, 11 * GRID, 40 * GRID)
NARROW = 64 * GRID
"""Below this width in pixels, only the columns "When" and "What" are shown."""

_ROLE = Qt.ItemDataRole


class EntryModel(QAbstractTableModel):
    """The edits read so far, newest first.

    Attributes:
        has_more: whether there are more to read.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: list[JournalEntry] = []
        self.has_more = False
        self._struck = font()
        self._struck.setStrikeOut(True)

    def begin(self, entries: Sequence[JournalEntry], *, has_more: bool) -> None:
        """Replace the edits."""
        self.beginResetModel()
        self.entries, self.has_more = list(entries), has_more
        self.endResetModel()

    def grow(self, entries: Sequence[JournalEntry], *, has_more: bool) -> None:
        """Append edits."""
        self.has_more = has_more
        if entries:
            before = len(self.entries)
            self.beginInsertRows(QModelIndex(), before, before + len(entries) - 1)
            self.entries.extend(entries)
            self.endInsertRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(_HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        if role == _ROLE.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return _HEADINGS[section]
        return None

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        if role == _ROLE.DisplayRole:
            return _cell(entry, index.column())
        if role == _ROLE.AccessibleTextRole:
            return full_text(entry) if index.column() == 0 else _cell(entry, index.column())
        if role == _ROLE.ToolTipRole:
            return plain_tip(shortened(full_text(entry)))
        if role == _ROLE.ForegroundRole and (entry.undone_by is not None or index.column() != 2):
            return QBrush(QColor(current_theme().muted))
        if role == _ROLE.FontRole and entry.undone_by is not None and index.column() == 2:
            return self._struck
        return None


class EntryList(QTreeView):
    """The list.

    Signals:
        chosen(JournalEntry | None): the selection changed.
        more_wanted(): the user scrolled near the end and there are more edits.
    """

    chosen = Signal(object)
    more_wanted = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edits = EntryModel(self)
        self.setModel(self.edits)
        self.setAccessibleName(name)
        self.setProperty("framed", True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.header()
        header.setStretchLastSection(False)
        for column, width in enumerate(_WIDTHS):
            header.resizeSection(column, width)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(3, 15 * GRID)
        # QTreeView calls fetchMore even if the rows are not visible, so the scroll bar is watched instead.
        self.verticalScrollBar().valueChanged.connect(self._look_for_more)
        self.selectionModel().currentRowChanged.connect(lambda now, before: self.chosen.emit(self.entry))

    @property
    def entry(self) -> JournalEntry | None:
        """The selected edit."""
        index = self.currentIndex()
        return self.edits.entries[index.row()] if index.isValid() else None

    def show_entries(self, entries: Sequence[JournalEntry], *, has_more: bool) -> None:
        """Show edits; the selection is kept if possible."""
        before = self.entry
        self.edits.begin(entries, has_more=has_more)
        at = next((n for n, one in enumerate(entries) if before and one.revision == before.revision), 0)
        self.setCurrentIndex(self.edits.index(at, 0))
        if not entries:
            self.chosen.emit(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for column in (1, 3):
            self.setColumnHidden(column, self.width() < NARROW)

    def _look_for_more(self, at: int) -> None:
        bar = self.verticalScrollBar()
        if self.edits.has_more and at >= bar.maximum() - bar.pageStep():
            self.edits.has_more = False  # until the next edits are read
            self.more_wanted.emit()


def full_text(entry: JournalEntry) -> str:
    """An edit in full, for tooltips and screen readers."""
    lines = [f"Edit {entry.revision}: {what(entry)}", f"{moment(entry.when)}{f', {entry.who}' if entry.who else ''}"]
    lines += [f"Why: {entry.why}"] if entry.why else []
    lines += [f"Undone by edit {entry.undone_by}"] if entry.undone_by is not None else []
    return "\n".join([*lines, statement_figures(len(entry.removed), len(entry.added))])


def what(entry: JournalEntry) -> str:
    """The description of an edit."""
    return entry.words or "Edit"


def _cell(entry: JournalEntry, column: int) -> str:
    if column == 0:
        return moment(entry.when)
    if column == 1:
        return entry.who
    if column == 2:
        return f"{what(entry)} – {entry.why}" if entry.why else what(entry)
    return statement_figures(len(entry.removed), len(entry.added)).rpartition(" ")[0]
