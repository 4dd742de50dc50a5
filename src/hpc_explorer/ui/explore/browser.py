"""The left pane: classes, instances of the chosen class, ready questions and open sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.explore.class_filter import ShownClasses
from hpc_explorer.app.explore.describing import instances_of
from hpc_explorer.app.views import ClassNode, ResourcePage, ResourceRef, SourceSummary
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.query.questions.question import Question
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.explore.class_tree import ClassTree
from hpc_explorer.ui.explore.question_list import QuestionList
from hpc_explorer.ui.explore.sources_list import SourcesList
from hpc_explorer.ui.widgets.action_button import action_button
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.filter_line import FilterLine
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.resource_list import ResourceList, row_of
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL


class Browser(QWidget):
    """Four lists, one above the other.

    Args:
        only_used: the command that hides classes without instances.

    Signals:
        opened(Resource): a class or an instance was opened.
    """

    opened = Signal(object)

    def __init__(self, bridge: SessionBridge, only_used: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._shown: ClassNode | None = None
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

        self._instances_part = _part(self._instances_title, self._empty, self.instances)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(_part(caption("Classes"), filter_row, self.classes))
        self._splitter.addWidget(self._instances_part)
        self.unread = TextBlock("", size=SMALL, muted=True)
        self.unread.hide()
        unread_row = QHBoxLayout()
        unread_row.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        unread_row.addWidget(self.unread)
        self._questions_part = _part(caption("Questions"), self.questions, unread_row)
        self._splitter.addWidget(self._questions_part)
        self._splitter.addWidget(_part(caption("Sources"), self.sources))
        self._splitter.setSizes([360, 220, 160, 100])
        for number, stretch in enumerate((4, 2, 1, 0)):
            self._splitter.setStretchFactor(number, stretch)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._splitter)

        self.filter.textChanged.connect(self.classes.set_filter)
        self.filter.left_downwards.connect(self._enter_tree)
        self.classes.chosen.connect(self.show_instances)
        self.classes.renewed.connect(self._list_again)
        self.classes.opened.connect(lambda node: self.opened.emit(node.ref.resource))
        self.instances.opened.connect(lambda ref: self.opened.emit(ref.resource))
        self._instances_part.hide()
        self._questions_part.hide()

    @property
    def class_iri(self) -> str | None:
        """The IRI of the chosen class, if any."""
        node = self.classes.current_class()
        return node.ref.iri if node is not None else None

    def show_classes(self, nodes: tuple[ClassNode, ...], *, only_used: bool) -> None:
        """Show the classes of the graph, and reload the instances."""
        self.classes.show_classes(nodes, only_used=only_used)

    def _list_again(self) -> None:
        current = self.classes.current_class()
        if current is None:
            self._shown = None
            self._instances_part.hide()
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
        self._questions_part.setVisible(bool(questions) or bool(unread))

    def show_instances(self, node: ClassNode) -> None:
        """List the instances of a class."""
        self._shown = node
        self._instances_part.show()
        self._instances_title.setText(f"Instances of {node.ref.label}")
        self._instances_title.setToolTip(plain_tip(node.ref.iri))
        self.instances.setAccessibleName(f"Instances of {node.ref.label}")
        self._say("")
        self._ask(0)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.filter.set_theme(theme)
        self.classes.set_theme(theme)
        self.instances.rows.set_theme(theme)
        self.sources.set_theme(theme)

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


def _part(title: QLabel, *below: QWidget | QHBoxLayout) -> QWidget:
    part = QWidget()
    column = column_in(part, 0, GRID, 0, 0, spacing=GRID // 2 + 2)
    above = QHBoxLayout()  # a hidden label would lose its own margins when the theme changes
    above.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
    above.addWidget(title)
    column.addLayout(above)
    for one in below:
        if isinstance(one, QAbstractItemView):
            row = QHBoxLayout()
            row.setContentsMargins(GRID, 0, 0, 0)
            row.addWidget(one)
            column.addLayout(row, 1)
        elif isinstance(one, QWidget):
            column.addWidget(one)
        else:
            column.addLayout(one)
    return part
