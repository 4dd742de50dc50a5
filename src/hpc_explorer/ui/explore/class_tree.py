"""The tree of classes with the numbers of their instances."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from hpc_explorer.app.explore.class_filter import ShownClasses, rows_in, shown_classes
from hpc_explorer.app.views import ClassNode
from hpc_explorer.ui.explore.class_tree_model import IRI_ROLE, ClassTreeModel
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.theme import GRID, font

SMALL = 300
"""The most rows that are filtered without a thread."""

UNFOLDING = 0.005
"""Seconds of expanding rows before the event loop runs again."""

MOST_ROWS = 20_000
"""The most rows that are expanded automatically; classes with many parents can lead to any number."""


Prepare = Callable[[Callable[[], ShownClasses], Callable[[ShownClasses], None]], None]
"""Runs a function in a thread and passes its result on; replaces an earlier request."""


class ClassTree(QTreeView):
    """The class tree. The class view draws the same classes with the same branches open.

    A branch opens and closes at all places of a class with several parents.

    Signals:
        chosen(ClassNode): a class was clicked or reached by the keyboard.
        opened(ClassNode): a class was double-clicked, or Enter was pressed on it.
        arranged(): the shown classes or the open branches changed.
        renewed(): the classes of another graph are shown.
    """

    chosen = Signal(object)
    opened = Signal(object)
    arranged = Signal()
    renewed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Classes")
        self.setAccessibleDescription("Arrow keys move and expand, Enter opens a class")
        self._model = ClassTreeModel(self)
        self._all: tuple[ClassNode, ...] = ()
        self._shown = ShownClasses()
        self._prepare: Prepare | None = None
        self._is_small = True
        self._words = ""
        self._only_used = True
        self._open: frozenset[str] = frozenset()
        self._kept: frozenset[str] | None = None
        self._telling = True
        self._unfolding: Iterator[None] = iter(())
        self._unfolder = QTimer(self)
        self._unfolder.setInterval(0)
        self._unfolder.timeout.connect(self._unfold_more)
        self.setModel(self._model)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setExpandsOnDoubleClick(False)
        self.header().setStretchLastSection(False)
        self.header().setMinimumSectionSize(32)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.selectionModel().selectionChanged.connect(self._tell_chosen)
        self.doubleClicked.connect(self._tell_opened)
        self.expanded.connect(lambda index: self._note_fold(index, True))
        self.collapsed.connect(lambda index: self._note_fold(index, False))

    @property
    def shown(self) -> ShownClasses:
        """The classes that pass the filters."""
        return self._shown

    @property
    def is_unfolding(self) -> bool:
        """Whether rows are still being expanded."""
        return self._unfolder.isActive()

    def prepare_with(self, prepare: Prepare) -> None:
        """Filter the classes of large graphs with this function."""
        self._prepare = prepare

    @property
    def has_classes(self) -> bool:
        """Whether there are classes, shown or not."""
        return bool(self._all)

    @property
    def all_classes(self) -> tuple[ClassNode, ...]:
        """The topmost classes before filtering."""
        return self._all

    @property
    def hidden(self) -> int:
        """The number of classes without instances that are hidden and match the filter."""
        return self._shown.unused

    @property
    def open_branches(self) -> frozenset[str]:
        """The IRIs of the classes whose branches are open."""
        return self._open

    def show_classes(self, nodes: tuple[ClassNode, ...], *, only_used: bool) -> None:
        """Show the classes of a graph; the open branches and the choice are kept."""
        self._all = nodes
        self._only_used = only_used
        self._is_small = rows_in(nodes, SMALL) <= SMALL
        if not nodes:
            self._kept = None
        self._show(renewed=True)

    def set_filter(self, words: str) -> None:
        """Show only classes whose names contain these words, and the classes above them."""
        self._words = words
        self._show()

    def set_only_used(self, only_used: bool) -> None:
        """Show or hide classes without instances."""
        self._only_used = only_used
        self._show()

    def current_class(self) -> ClassNode | None:
        """The chosen class, if any."""
        chosen = self.selectedIndexes()
        return self._model.class_at(chosen[0]) if chosen else None

    def open_branch(self, iri: str, unfolded: bool) -> None:
        """Open or close the branch of a class."""
        self._set_open(self._open | {iri} if unfolded else self._open - {iri})

    def open_all(self) -> None:
        """Open all branches."""
        self._set_open(frozenset(iri for iri, node in self._shown.found.items() if node.children))

    def close_all(self) -> None:
        """Close all branches."""
        self._set_open(frozenset())

    def choose(self, iri: str) -> ClassNode | None:
        """Select a class without emitting `chosen`, and open the branches above it.

        Returns:
            the class; None if it is not shown.
        """
        current = self.current_class()
        if current is not None and current.ref.iri == iri:
            return current
        way = [iri]
        while (above := self._model.home(way[0])) is not None:
            way.insert(0, above)
        if not self._open.issuperset(way[:-1]):
            self._set_open(self._open.union(way[:-1]))
        self._telling = False
        self._choose(way)
        self._telling = True
        current = self.current_class()
        return current if current is not None and current.ref.iri == iri else None

    def stands_alone(self, iri: str) -> bool:
        """Whether a class has neither superclasses nor subclasses."""
        node = self._shown.found.get(iri)
        return node is not None and not node.children and iri not in self._shown.above

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self._tell_opened(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _show(self, *, renewed: bool = False) -> None:
        nodes, words, only_used = self._all, self._words, self._only_used

        def work() -> ShownClasses:
            return shown_classes(nodes, words, only_used=only_used)

        def done(shown: ShownClasses) -> None:
            self._take(shown)
            if renewed:
                self.renewed.emit()

        if self._is_small or self._prepare is None:
            done(work())
        else:
            self._prepare(work, done)

    def _take(self, shown: ShownClasses) -> None:
        chosen = self._way_to(self.currentIndex().siblingAtColumn(0))
        self._telling = False  # this is not an action of the user
        self._shown = shown
        self._model.set_classes(shown)
        self.header().resizeSection(1, _counts_width(shown.tree))
        self._open = shown.first if self._words.strip() or self._kept is None else self._kept
        self._unfold()
        self._choose(chosen)
        self._telling = True
        self.arranged.emit()

    def _set_open(self, opened: frozenset[str]) -> None:
        if opened == self._open:
            return
        self._open = opened
        if not self._words.strip():
            self._kept = opened
        self._unfold()
        self.arranged.emit()

    def _unfold(self) -> None:
        """Expand the rows of open branches and collapse the others; many rows take several steps."""
        self._unfolding = self._rows_to_unfold()
        self._unfold_more()

    def _unfold_more(self) -> None:
        before, self._telling = self._telling, False
        ends = time.perf_counter() + UNFOLDING
        going_on = True
        while going_on and time.perf_counter() < ends:
            going_on = next(self._unfolding, self) is None
        self._telling = before
        if not going_on:
            self._unfolder.stop()
        elif not self._unfolder.isActive():
            self._unfolder.start()

    def _rows_to_unfold(self) -> Iterator[None]:
        """Expand or collapse one row at a time, upper levels first."""
        opened = self._open
        level = [QModelIndex()]
        rows = 0
        while level and rows < MOST_ROWS:
            following: list[QModelIndex] = []
            for parent in level:
                for number in range(self._model.rowCount(parent)):
                    rows += 1
                    index = self._model.index(number, 0, parent)
                    node = self._model.class_at(index)
                    unfolded = node is not None and node.ref.iri in opened
                    if self.isExpanded(index) is not unfolded:
                        self.setExpanded(index, unfolded)
                        yield
                    if unfolded:
                        following.append(index)
            level = following

    def _way_to(self, index: QModelIndex) -> list[str]:
        """The IRIs of the classes from the top down to a row."""
        way: list[str] = []
        while (node := self._model.class_at(index)) is not None:
            way.insert(0, node.ref.iri)
            index = self._model.parent(index)
        return way

    def _choose(self, way: list[str]) -> None:
        """Select the row at the end of a path again, if it is still there."""
        index = QModelIndex()
        for iri in way:
            rows = (self._model.index(row, 0, index) for row in range(self._model.rowCount(index)))
            index = next((row for row in rows if row.data(IRI_ROLE) == iri), QModelIndex())
            if not index.isValid():
                return
        if index.isValid():
            self.setCurrentIndex(index)

    def _note_fold(self, index: QModelIndex, unfolded: bool) -> None:
        node = self._model.class_at(index)
        if node is not None and self._telling:
            self.open_branch(node.ref.iri, unfolded)

    def _tell_chosen(self) -> None:
        chosen = self.selectedIndexes()
        node = self._model.class_at(chosen[0]) if chosen else None
        if node is not None and self._telling:
            self.chosen.emit(node)

    def _tell_opened(self, index: QModelIndex) -> None:
        node = self._model.class_at(index)
        if node is not None:
            self.opened.emit(node)


def _counts_width(nodes: Iterable[ClassNode]) -> int:
    """The width of the column of counts. Qt would measure all rows at each change."""
    metrics = QFontMetrics(font(figures=True))
    # A class counts at least as many instances as those below it.
    return max((metrics.horizontalAdvance(str(node.instances)) for node in nodes), default=0) + 2 * GRID
