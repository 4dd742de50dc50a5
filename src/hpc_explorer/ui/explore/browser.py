"""The left pane: classes, instances of the chosen class, ready questions and open sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QColor, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSplitter,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.explore.class_filter import ShownClasses
from hpc_explorer.app.explore.classes import instances_of
from hpc_explorer.app.views import ClassNode, ResourcePage, ResourceRef, SourceSummary, source_title
from hpc_explorer.query.questions.question import Question
from hpc_explorer.rdf.terms import GraphName, NamedNode
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.explore.class_tree import ClassTree
from hpc_explorer.ui.explore.question_list import QuestionList
from hpc_explorer.ui.widgets.action_button import action_button
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.filter_line import FilterLine
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.resource_list import ResourceList, row_of
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL, current_theme, font, on_theme
from hpc_explorer.wording import counted

DRAWERS = {"classes": "Classes", "questions": "Questions", "sources": "Sources"}
"""The names and titles of the drawers."""

_HEIGHTS = (360, 220, 160, 100)
"""The heights of the lists in pixels, at first."""


class Browser(QWidget):
    """Drawers, one above the other: the classes with their instances, questions, and sources.

    Args:
        only_used: the command that hides classes without instances.

    Signals:
        opened(Resource): a class or an instance was opened.
        close_wanted(str): the button of a drawer was clicked that closes it; see `DRAWERS`.
    """

    opened = Signal(object)
    close_wanted = Signal(str)

    def __init__(self, bridge: SessionBridge, only_used: QAction) -> None:
        super().__init__()
        self._bridge = bridge
        self._shown: ClassNode | None = None
        self._closed: frozenset[str] = frozenset()
        self.filter = FilterLine("Filter classes")
        self.classes = ClassTree()
        self.classes.prepare_with(self._filter)
        self.instances = ResourceList("Instances")
        self.questions = QuestionList()
        self.sources = SourcesList()
        self._instances_title = caption("Instances")
        self._empty = Label()
        self._empty.setProperty("role", "muted")
        self._empty.setWordWrap(True)
        self._empty.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID)

        filter_row = QHBoxLayout()
        filter_row.setContentsMargins(GRID, 0, GRID, 0)
        filter_row.setSpacing(GRID // 2)
        filter_row.addWidget(self.filter, 1)
        filter_row.addWidget(action_button(only_used))

        self.hidden = LinkBlock("", size=SMALL)
        self.hidden.clicked.connect(only_used.trigger)
        self.hidden.hide()
        hidden_row = QHBoxLayout()
        hidden_row.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        hidden_row.addWidget(self.hidden)

        self._instances_part = _part(self._instances_title, self._empty, self.instances)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setChildrenCollapsible(False)
        self._classes_part = self._drawer("classes", filter_row, self.classes, hidden_row)
        self._splitter.addWidget(self._classes_part)
        self._splitter.addWidget(self._instances_part)
        self.unread = TextBlock("", size=SMALL, muted=True)
        self.unread.hide()
        unread_row = QHBoxLayout()
        unread_row.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        unread_row.addWidget(self.unread)
        self._questions_part = self._drawer("questions", self.questions, unread_row)
        self._splitter.addWidget(self._questions_part)
        self._sources_part = self._drawer("sources", self.sources)
        self._splitter.addWidget(self._sources_part)
        self.reset_heights()
        for number, stretch in enumerate((4, 2, 1, 0)):
            self._splitter.setStretchFactor(number, stretch)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._splitter)

        self.filter.textChanged.connect(self.classes.set_filter)
        self.filter.left_downwards.connect(self._enter_tree)
        self.classes.chosen.connect(self.show_instances)
        self.classes.renewed.connect(self._list_again)
        self.classes.arranged.connect(self._count_hidden)
        self.classes.opened.connect(lambda node: self.opened.emit(node.ref.resource))
        self.instances.opened.connect(lambda ref: self.opened.emit(ref.resource))
        self._has_questions = False
        self._show_drawers()

    def close_drawers(self, names: Collection[str]) -> None:
        """Close these drawers, and open the others."""
        self._closed = frozenset(names)
        self._show_drawers()

    def reset_heights(self) -> None:
        """Give the lists the heights they have at first."""
        self._splitter.setSizes(list(_HEIGHTS))

    def _show_drawers(self) -> None:
        self._classes_part.setVisible("classes" not in self._closed)
        self._instances_part.setVisible("classes" not in self._closed and self._shown is not None)
        self._questions_part.setVisible("questions" not in self._closed and self._has_questions)
        self._sources_part.setVisible("sources" not in self._closed)

    @property
    def class_iri(self) -> str | None:
        """The IRI of the chosen class, if any."""
        node = self.classes.current_class()
        return node.ref.iri if node is not None else None

    def show_classes(self, nodes: tuple[ClassNode, ...], *, only_used: bool) -> None:
        """Show the classes of the graph, and reload the instances."""
        self.classes.show_classes(nodes, only_used=only_used)

    def _count_hidden(self) -> None:
        number = self.classes.hidden
        be, do = ("are", "match") if number > 1 else ("is", "matches")
        what = f"{do} and {be}" if self.filter.text().strip() else be
        self.hidden.say(f"{number:,} without instances {what} hidden: show")
        self.hidden.setVisible(number > 0)

    def _list_again(self) -> None:
        current = self.classes.current_class()
        if current is None:
            self._shown = None
            self._show_drawers()
        else:
            self.show_instances(current)

    def show_sources(self, sources: tuple[SourceSummary, ...]) -> None:
        """List the open sources."""
        self.sources.show_sources(sources)

    def show_questions(
        self, questions: tuple[Question, ...], unread: str = "", own: frozenset[str] = frozenset()
    ) -> None:
        """List the ready questions that apply to the graph.

        Args:
            unread: which questions cannot be read, and why.
            own: the names of the user's own questions.
        """
        self.questions.show_questions(questions, own)
        self.unread.say(unread)
        self.unread.setVisible(bool(unread))
        self._has_questions = bool(questions) or bool(unread)
        self._show_drawers()

    def show_instances(self, node: ClassNode) -> None:
        """List the instances of a class."""
        self._shown = node
        self._show_drawers()
        self._instances_title.setText(f"Instances of {node.ref.label}")
        self._instances_title.setToolTip(plain_tip(node.ref.iri))
        self.instances.setAccessibleName(f"Instances of {node.ref.label}")
        self._say("")
        self._ask(0)

    def _drawer(self, name: str, *below: QWidget | QHBoxLayout) -> QWidget:
        """A part with a button that closes it."""
        close = QToolButton()
        close.setText("✕")
        close.setAccessibleName(f"Close the drawer {DRAWERS[name]}")
        close.setToolTip(f"Close. View → Drawers → {DRAWERS[name]} opens it again.")
        close.setFixedHeight(3 * GRID)
        close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        close.clicked.connect(lambda: self.close_wanted.emit(name))
        return _part(caption(DRAWERS[name]), *below, close=close)

    def _filter(self, work: Callable[[], ShownClasses], done: Callable[[ShownClasses], None]) -> None:
        self._bridge.jobs.run(work, title="Filter the classes", on_result=done, replaces="class filter")

    def _ask(self, offset: int) -> None:
        if self._shown is not None and isinstance(self._shown.ref.resource, NamedNode):
            self._bridge.run(
                partial(instances_of, offset=offset),
                self._shown.ref.resource,
                title="List the instances",
                on_result=self._take_page,
                replaces="instances",
            )

    def _take_page(self, page: ResourcePage) -> None:
        names = Counter(ref.label for ref in page.items)
        rows = tuple(row_of(ref, _distinction(ref) if names[ref.label] > 1 else "") for ref in page.items)
        last = page.offset + len(rows) >= page.total.value or not rows
        if page.offset == 0:
            self.instances.rows.set_rows(rows, None if last else self._ask)
            if not rows and self._shown is not None:
                self._say(f"The open graph has no instance of {self._shown.ref.label}.")
            if self._shown is not None:
                order = "" if page.by_label else "   not sorted"
                self._instances_title.setText(f"Instances of {self._shown.ref.label}   {page.total}{order}")
                if not page.by_label:
                    self._instances_title.setToolTip(
                        "There are too many to sort by name. Use the search to find one by its name."
                    )
        else:
            self.instances.rows.add_rows(rows, last=last)

    def _say(self, text: str) -> None:
        self._empty.setText(text)
        self._empty.setVisible(bool(text))
        self.instances.setVisible(not text)

    def _enter_tree(self) -> None:
        self.classes.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.classes.currentIndex().isValid():
            self.classes.setCurrentIndex(self.classes.indexAt(QPoint(0, 0)))


def _distinction(ref: ResourceRef) -> str:
    """What distinguishes a resource from others of the same name."""
    return ref.curie if isinstance(ref.resource, NamedNode) else ""


def _part(title: QLabel, *below: QWidget | QHBoxLayout, close: QToolButton | None = None) -> QWidget:
    part = QWidget()
    column = column_in(part, 0, GRID // 2, 0, 0, spacing=GRID // 2)
    above = QHBoxLayout()  # a hidden label would lose its own margins when the theme changes
    above.setContentsMargins(2 * GRID, 0, GRID // 2, 0)
    above.addWidget(title, 1)
    if close is not None:
        above.addWidget(close)
    column.addLayout(above)
    for one in below:
        if isinstance(one, QAbstractItemView):
            one.setMinimumHeight(4 * GRID)
            row = QHBoxLayout()
            row.setContentsMargins(GRID, 0, 0, 0)
            row.addWidget(one)
            column.addLayout(row, 1)
        elif isinstance(one, QWidget):
            column.addWidget(one)
        else:
            column.addLayout(one)
    return part


GRAPH_ROLE = Qt.ItemDataRole.UserRole


class SourcesList(QTreeWidget):
    """The open sources with their sizes.

    Signals:
        close_wanted(NamedNode): close the source with this graph.
    """

    close_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Sources")
        self.setAccessibleDescription("Delete closes the chosen source")
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        close = QAction("Close source", self)
        close.triggered.connect(self.close_current)
        self.addAction(close)
        self._sources: tuple[SourceSummary, ...] = ()
        self._unwritten: Mapping[GraphName, int] = {}
        on_theme(self._dress)

    def show_sources(self, sources: tuple[SourceSummary, ...]) -> None:
        """List these sources."""
        self._sources = sources
        current = self.selectedItems()
        chosen = current[0].data(0, GRAPH_ROLE) if current else ""
        self.clear()
        for source in sources:
            changes = self._unwritten.get(source.graph, 0)
            item = QTreeWidgetItem([source_title(source.name) + " *" * bool(changes), str(source.triples)])
            item.setData(0, GRAPH_ROLE, source.graph.value)
            unwritten = [f"{counted(changes, 'change')} not saved"] if changes else []
            item.setToolTip(0, plain_tip("\n".join(explained(source) + unwritten)))
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setToolTip(1, plain_tip(f"{source.triples} triples"))
            item.setFont(1, font(figures=True))
            item.setForeground(1, QColor(current_theme().muted))
            self.addTopLevelItem(item)
            if source.graph.value == chosen:
                self.setCurrentItem(item)

    def show_unwritten(self, changes: Mapping[GraphName, int]) -> None:
        """Mark the sources with changes that are not saved, by graph."""
        if changes != self._unwritten:
            self._unwritten = changes
            self.show_sources(self._sources)

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self.show_sources(self._sources)

    def close_current(self) -> None:
        """Request to close the chosen source, or the only one."""
        chosen = self.selectedItems()
        if chosen:
            self.close_wanted.emit(NamedNode(chosen[0].data(0, GRAPH_ROLE)))
        elif len(self._sources) == 1:
            self.close_wanted.emit(self._sources[0].graph)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.close_current()
        else:
            super().keyPressEvent(event)


_MOST_MISSING = 10
"""The most lines about what could not be read."""


def explained(source: SourceSummary) -> list[str]:
    """The facts about a source, one per line."""
    lines = [source.name, f"{source.format}, {source.triples} triples"]
    lines += [f"{spelled} read as {read}" for spelled, read in source.aliases]
    lines += source.notes
    lines += [f"Not read: {line}" for line in source.missing[:_MOST_MISSING]]
    more = len(source.missing) - _MOST_MISSING
    return [*lines, f"and {more:,} more that were not read"] if more > 0 else lines
