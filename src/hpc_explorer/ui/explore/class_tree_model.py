"""A Qt model of the class tree: one row for each place of a class, created when it is first needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen

from hpc_explorer.app.explore.class_filter import ShownClasses, used
from hpc_explorer.app.views import ClassNode
from hpc_explorer.canvas.palette import class_colour
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.stores.base import CountKind
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.theme import class_mark, current_theme, font, paint_icon

Index = QModelIndex | QPersistentModelIndex

IRI_ROLE = Qt.ItemDataRole.UserRole


@dataclass
class _Row:
    node: ClassNode
    parent: int
    place: int
    children: list[int] | None = None


class ClassTreeModel(QAbstractItemModel):
    """The class tree: names in column 0, numbers of instances in column 1.

    Rows are created lazily: a class with several parents is below each of them, and an expanded tree can have far more
    rows than classes.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[_Row] = []
        self._roots: list[int] = []
        self._above: Mapping[str, tuple[ClassNode, ...]] = {}

    def set_classes(self, shown: ShownClasses) -> None:
        """Replace the classes."""
        self.beginResetModel()
        self._rows = []
        self._above = shown.above
        self._roots = self._added(shown.tree, -1)
        self.endResetModel()

    def class_at(self, index: Index) -> ClassNode | None:
        """The class of a row."""
        return self._rows[index.internalId()].node if index.isValid() else None

    def home(self, iri: str) -> str | None:
        """The IRI of the class below which this class is drawn in the class view, if any."""
        above = self._above.get(iri)
        return above[0].ref.iri if above else None

    def parents(self, index: Index) -> tuple[ClassNode, ...]:
        """All direct superclasses of the class of a row."""
        node = self.class_at(index)
        return self._above.get(node.ref.iri, ()) if node is not None else ()

    def is_elsewhere(self, index: Index) -> bool:
        """Whether the class view draws the class of a row below another class."""
        parents, above = self.parents(index), self.class_at(self.parent(index))
        return len(parents) > 1 and above is not None and parents[0].ref.iri != above.ref.iri

    def _added(self, nodes: tuple[ClassNode, ...], parent: int) -> list[int]:
        first = len(self._rows)
        self._rows.extend(_Row(node, parent, place) for place, node in enumerate(nodes))
        return list(range(first, len(self._rows)))

    def _children(self, parent: Index) -> list[int]:
        if not parent.isValid():
            return self._roots
        if parent.column() > 0:
            return []
        row = self._rows[parent.internalId()]
        if row.children is None:
            row.children = self._added(row.node.children, parent.internalId())
        return row.children

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        children = self._children(parent)
        if not (0 <= row < len(children) and 0 <= column < 2):
            return QModelIndex()
        return self.createIndex(row, column, children[row])

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        above = self._rows[index.internalId()].parent if index.isValid() else -1
        return self.createIndex(self._rows[above].place, 0, above) if above >= 0 else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(self._children(parent))

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        # Called for every row that is laid out; do not create the rows below it.
        if not parent.isValid():
            return bool(self._roots)
        return parent.column() == 0 and bool(self._rows[parent.internalId()].node.children)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.class_at(index)
        if node is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return node.ref.label if index.column() == 0 else str(node.instances)
        if role == IRI_ROLE:
            return node.ref.iri
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip("\n".join(_explained(node, self.parents(index))))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join((node.ref.label, _instances(node), *self._marks(index, node)))
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            if self.is_elsewhere(index):
                return _ring(class_colour(current_theme(), node.ref.colour_key))
            return class_mark(node.ref.colour_key, current_theme())
        if role == Qt.ItemDataRole.ForegroundRole and (index.column() == 1 or not used(node)):
            return QColor(current_theme().muted)
        if role == Qt.ItemDataRole.FontRole and index.column() == 1:
            return font(figures=True)
        if role == Qt.ItemDataRole.FontRole and node.origin is not Origin.ASSERTED:
            inferred = font()
            inferred.setItalic(True)
            return inferred
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == 1:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _marks(self, index: Index, node: ClassNode) -> Iterator[str]:
        """The marks of a row in words."""
        if self.is_elsewhere(index):
            yield f"drawn below {self.parents(index)[0].ref.label} in the class view"
        if node.origin is not Origin.ASSERTED:
            yield node.origin.value

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        # A title would widen the column although the header is hidden.
        if role == Qt.ItemDataRole.AccessibleTextRole and orientation is Qt.Orientation.Horizontal:
            return ("Class", "Instances")[section]
        return None


@lru_cache(maxsize=512)
def _ring(colour: str) -> QIcon:
    """The mark of a class that the class view draws elsewhere."""

    def draw(painter: QPainter, scale: int) -> None:
        painter.setPen(QPen(QColor(colour), 1.5))
        painter.drawEllipse(QRectF(1.75, 1.75, 6.5, 6.5))

    return paint_icon(QIcon(), 10, draw)


def _instances(node: ClassNode) -> str:
    one = node.instances.value == 1 and node.instances.kind is CountKind.EXACT
    if node.instances.kind is CountKind.STATED:
        return f"{node.instances.value:,} instances according to the endpoint"
    return "1 instance" if one else f"{node.instances} instances"


def _explained(node: ClassNode, parents: tuple[ClassNode, ...]) -> Iterator[str]:
    yield node.ref.iri
    if node.comment:
        yield node.comment
    direct = "" if node.instances == node.own_instances else f", {node.own_instances} of them directly"
    yield _instances(node) + direct
    if node.equivalents:
        others = ", ".join(f"{other.label} ({other.curie})" for other in node.equivalents)
        yield f"The same as {others}" + (": each is stated to be a subclass of the other" if node.circle else "")
    if len(parents) > 1:
        yield "Subclass of " + ", ".join(parent.ref.label for parent in parents)
    if node.origin is not Origin.ASSERTED:
        yield f"Its place in the tree is {node.origin.value}"
