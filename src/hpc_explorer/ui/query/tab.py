"""The tab "Ask": a query that is built by pointing, as a sentence, with what can be asked next and what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.views import FacetRow
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.questions.question import Question
from hpc_explorer.rdf.terms import Variable
from hpc_explorer.ui.query.facet_panel import FacetPanel
from hpc_explorer.ui.query.pattern_view import PatternView
from hpc_explorer.ui.query.relax_panel import RelaxPanel
from hpc_explorer.ui.query.sentence_view import SentenceView
from hpc_explorer.ui.results.rows_view import RowsView
from hpc_explorer.ui.sparql.editor import SparqlEditor
from hpc_explorer.ui.widgets.action_button import ICON, TEXT, action_button
from hpc_explorer.ui.widgets.facet_list import FacetList
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, TITLE

NARROW = 70 * GRID
"""Below so many pixels the suggestions stand above the rows, one list at a time."""

MOST_LINES = 4
"""So many lines of the sentence are in sight at once."""

EMPTY_TITLE = "Ask by pointing"
EMPTY_TEXT = (
    "Begin with the class of what you look for, or, where nothing is of a class, with a property. Then choose, step by "
    "step, what the things must have: only what exists is offered, with how often, and the rows are shown after each "
    "step. The question can be read as a sentence, as a pattern and as SPARQL, and each of them can be changed."
)


class AskView(Enum):
    """How the query is seen, by the title of the sub-tab."""

    ROWS = "Rows"
    PATTERN = "Pattern"
    SPARQL = "SPARQL"


class AskTab(QWidget):
    """The parts of the tab, side by side; `QueryController` fills them and takes their clicks.

    Args:
        actions: the buttons above; those of the first group by their icons.

    Attributes:
        sentence, facets, rows, pattern, editor, relax: its parts.
        questions: the ready questions to begin with, while nothing is asked.

    Signals:
        view_wanted(AskView): another sub-tab was chosen.
        question_wanted(Question): a ready question is to be built on.
        writing_wanted(): SPARQL is to be written from the beginning.
    """

    view_wanted = Signal(object)
    question_wanted = Signal(object)
    writing_wanted = Signal()

    def __init__(self, actions: Sequence[Sequence[QAction]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._query: QueryModel = QueryModel()
        self._focus: Variable | None = None
        self.sentence = SentenceView()
        self._reading = QScrollArea()
        self._reading.setFrameShape(QFrame.Shape.NoFrame)
        self._reading.setWidgetResizable(True)
        self._reading.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._reading.setWidget(self.sentence)
        self.fault = TextBlock("")
        self._fault_box = QFrame()
        self._fault_box.setObjectName("problem")
        box = QVBoxLayout(self._fault_box)
        box.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        box.addWidget(self.fault)
        self._fault_box.hide()
        self._bar = QWidget()
        bar = FlowLayout(self._bar, GRID // 2)
        for number, group in enumerate(actions):
            for action in group:
                bar.addWidget(action_button(action, TEXT if number else ICON))
        self.facets = FacetPanel()
        self.rows = RowsView()
        self.rows.setObjectName("ask-rows")
        self.pattern = PatternView()
        self.editor = SparqlEditor()
        self.relax = RelaxPanel()
        self._found = PageStack()
        self._found.addWidget(self.rows)
        self._found.addWidget(self.relax)
        self.views = QTabBar()
        self.views.setAccessibleName("Views of the question")
        self.views.setDrawBase(False)
        self.views.setExpanding(False)
        for view in AskView:
            self.views.addTab(view.value)
        self._stack = PageStack()
        for widget in (self._found, self.pattern, self.editor):
            self._stack.addWidget(widget)
        seen = QWidget()
        right = QVBoxLayout(seen)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self.views)
        right.addWidget(self._stack, 1)
        self._pages = PageStack()
        self._pages.addWidget(self._made_beginning())
        self._pages.addWidget(seen)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.facets)
        self.splitter.addWidget(self._pages)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([34 * GRID, 60 * GRID])
        above = QWidget()
        head = QVBoxLayout(above)
        head.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        head.setSpacing(GRID)
        head.addWidget(self._reading)
        head.addWidget(self._fault_box)
        head.addWidget(self._bar)
        above.setObjectName("pictureBar")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(above)
        column.addWidget(self.splitter, 1)
        self.setFocusProxy(self.facets.search)
        self.views.currentChanged.connect(self._show_view)

    def query(self) -> QueryModel:
        """The query that is shown."""
        return self._query

    def focus(self) -> Variable | None:
        """The variable that the suggestions are about."""
        return self._focus

    @property
    def view(self) -> AskView:
        """The sub-tab in sight."""
        return list(AskView)[self.views.currentIndex()]

    @property
    def is_writing(self) -> bool:
        """Whether the SPARQL editor is the page in sight."""
        return self._pages.currentIndex() == 1 and self.view is AskView.SPARQL

    @property
    def is_relaxing(self) -> bool:
        """Whether it says in place of the rows why there are none."""
        return self._found.currentWidget() is self.relax

    def show_query(self, query: QueryModel, focus: Variable | None, *, is_empty: bool) -> None:
        """Take over the query, and show the page that belongs to it.

        Args:
            is_empty: nothing is asked yet.
        """
        self._query, self._focus = query, focus
        self._pages.setCurrentIndex(0 if is_empty else 1)
        self._reading.setVisible(not is_empty)
        self.fit_sentence()

    def show_view(self, view: AskView) -> None:
        """Bring a sub-tab into sight."""
        self.views.setCurrentIndex(list(AskView).index(view))

    def show_relaxing(self, shown: bool) -> None:
        """Say in place of the rows why there are none, or show the rows."""
        self._found.setCurrentWidget(self.relax if shown else self.rows)

    def show_fault(self, text: str) -> None:
        """Say what is wrong with the text that was typed; empty: nothing."""
        self.fault.say(text)
        self._fault_box.setVisible(self._is_fault_told)

    def show_questions(self, questions: Sequence[Question]) -> None:
        """Offer these questions to begin with."""
        rows = [FacetRow(one, one.title, tip=one.text) for one in questions]
        self.questions.show_rows(rows, str(len(rows)) if rows else "", has_more=False)
        self.questions.setVisible(bool(rows))

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        for part in (self.facets, self.questions, self.rows, self.pattern, self.editor):
            part.set_theme(theme)

    def menu_place(self) -> QPoint:
        """Where a menu opens that no click asked for: below the buttons."""
        return self._bar.mapToGlobal(QPoint(0, self._bar.height()))

    def fit_sentence(self) -> None:
        """Have the sentence as high as it needs, up to a few lines."""
        width = max(self.width() - 4 * GRID, 10 * GRID)
        needed, most = self.sentence.heightForWidth(width), MOST_LINES * 3 * GRID
        policy = Qt.ScrollBarPolicy
        self._reading.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOn if needed > most + GRID else policy.ScrollBarAlwaysOff
        )
        self._reading.setFixedHeight(max(min(needed, most), 3 * GRID))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        self.splitter.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
        self.facets.set_narrow(narrow)
        self.fit_sentence()

    @property
    def _is_fault_told(self) -> bool:
        """Whether there is a fault to tell of; the SPARQL editor tells of it where it is."""
        return bool(self.fault.text()) and self.view is not AskView.SPARQL

    def _show_view(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self._fault_box.setVisible(self._is_fault_told)
        self.view_wanted.emit(list(AskView)[number])

    def _made_beginning(self) -> QWidget:
        """What the tab says while nothing is asked."""
        page = QWidget()
        page.setObjectName("answered")
        column = QVBoxLayout(page)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        column.addWidget(TextBlock(EMPTY_TITLE, size=TITLE, weight=600))
        column.addWidget(TextBlock(EMPTY_TEXT, muted=True))
        row = QHBoxLayout()
        self.write = QPushButton("Write SPARQL")
        self.write.setToolTip("Begin with a query that you type")
        self.write.clicked.connect(self.writing_wanted)
        row.addWidget(self.write)
        row.addStretch(1)
        column.addLayout(row)
        self.questions = FacetList("Or begin with a ready question", "", "ask-questions")
        self.questions.chosen.connect(lambda row: self.question_wanted.emit(row.key))
        self.questions.hide()
        self.questions.setMinimumHeight(20 * GRID)
        column.addWidget(self.questions, 1)
        column.addStretch(0)
        scrolled = QScrollArea()
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setWidgetResizable(True)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setWidget(page)
        return scrolled
