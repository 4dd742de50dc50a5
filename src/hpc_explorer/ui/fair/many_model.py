"""The rows of all datasets and models, sorted and filtered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QColor

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.fair.scoring import Score
from hpc_explorer.fair.values import PRINCIPLE_TITLES, Indicator
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import shortened
from hpc_explorer.ui.widgets.theme import class_mark, current_theme, font

Index = QModelIndex | QPersistentModelIndex

HEADINGS = ("Dataset or model", "Points", "F", "A", "I", "R", "Lacks first")
SCORE = Qt.ItemDataRole.UserRole
"""The role of a row's score."""

_ROLE = Qt.ItemDataRole


@dataclass(frozen=True)
class ManyRow:
    """One resource of many.

    Args:
        worst: the indicators that it lacks, essential ones first.
    """

    ref: ResourceRef
    score: Score
    worst: tuple[Indicator, ...]


class ManyModel(QAbstractTableModel):
    """The rows, sorted by a column and filtered by name.

    Attributes:
        rows: all of them, in the order they came.
        shown: those that are listed, as they are sorted.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[ManyRow] = []
        self.shown: list[ManyRow] = []
        self._words = ""
        self._column, self._descending = 1, True
        self._figures = font(figures=True)

    def clear(self) -> None:
        """Show nothing."""
        self.beginResetModel()
        self.rows, self.shown = [], []
        self.endResetModel()

    def add(self, rows: Sequence[ManyRow]) -> None:
        """Show more."""
        self.rows.extend(rows)
        shown = [row for row in rows if self._fits(row)]
        if shown:
            self.beginInsertRows(QModelIndex(), len(self.shown), len(self.shown) + len(shown) - 1)
            self.shown.extend(shown)
            self.endInsertRows()
            self._arrange()

    def narrow(self, words: str) -> None:
        """Show those with these words in their name."""
        self.beginResetModel()
        self._words = words.casefold()
        self.shown = self._sorted(row for row in self.rows if self._fits(row))
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._column, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self._arrange()

    def _fits(self, row: ManyRow) -> bool:
        return self._words in row.ref.label.casefold()

    def _sorted(self, rows: Iterable[ManyRow]) -> list[ManyRow]:
        # Rows with equal points are in alphabetical order in both directions.
        named = sorted(rows, key=lambda row: label_order(row.ref.label)) if self._column else rows
        return sorted(named, key=lambda row: _sort_key(row, self._column), reverse=self._descending)

    def _arrange(self) -> None:
        """Sort the rows; the selection stays."""
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        chosen = [self.shown[index.row()] for index in kept]
        self.shown = self._sorted(self.shown)
        if kept:
            places = {id(row): number for number, row in enumerate(self.shown)}
            now = [self.index(places[id(row)], index.column()) for row, index in zip(chosen, kept, strict=True)]
            self.changePersistentIndexList(kept, now)
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == _ROLE.DisplayRole:
            return HEADINGS[section]
        if role == _ROLE.ToolTipRole and HEADINGS[section] in PRINCIPLE_TITLES:
            return PRINCIPLE_TITLES[HEADINGS[section]]
        return None

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self.shown[index.row()], index.column()
        if role == _ROLE.DisplayRole:
            return self._text(row, column)
        if role == _ROLE.AccessibleTextRole:
            return _told(row) if column == 0 else self._text(row, column)
        if role == SCORE:
            return row.score
        if role == _ROLE.DecorationRole and column == 0:
            return class_mark(row.ref.colour_key, current_theme())
        if role == _ROLE.ToolTipRole:
            return plain_tip(
                _worst_tip(row) if column == 6 else shortened(f"{row.ref.label}\n{row.ref.iri}\n{_told(row)}")
            )
        if role == _ROLE.FontRole and 1 <= column <= 5:
            return self._figures
        if role == _ROLE.ForegroundRole and column >= 2:
            return QBrush(QColor(current_theme().muted))
        return None

    def _text(self, row: ManyRow, column: int) -> str:
        if column == 0:
            return " ".join(shortened(row.ref.label, 200).split())
        if column == 1:
            return f"{row.score.points}"
        if column <= 5:
            return str(row.score.by_principle[column - 2].points)
        if not row.worst:
            return "nothing"
        return row.worst[0].id + (f"  and {len(row.worst) - 1}" if len(row.worst) > 1 else "")


def _told(row: ManyRow) -> str:
    parts = ", ".join(f"{PRINCIPLE_TITLES[part.name]} {part.points} of {part.of}" for part in row.score.by_principle)
    return f"{row.ref.label}, {row.ref.kind}: {row.score} ({row.score.percent}); {parts}"


def _worst_tip(row: ManyRow) -> str:
    lines = [f"{one.id}: {one.text}" for one in row.worst[:10]]
    more = [f"and {len(row.worst) - 10} more"] if len(row.worst) > 10 else []
    return "\n".join([*lines, *more])


def _sort_key(row: ManyRow, column: int) -> Any:
    if column == 0:
        return label_order(row.ref.label)
    if column == 6:
        return row.worst[0].id if row.worst else ""
    points = row.score.points if column == 1 else row.score.by_principle[column - 2].points
    return points.low * 100 + points.high
