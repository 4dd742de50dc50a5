"""The query tab "Ask": a query built by clicking, as a sentence, with suggestions and results."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.query.facets import Relief
from hpc_explorer.app.views import FacetRow
from hpc_explorer.canvas.text import brief
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.questions.question import Question
from hpc_explorer.rdf.terms import Variable
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.ui.query.facet_panel import FacetPanel
from hpc_explorer.ui.query.pattern_view import PatternView
from hpc_explorer.ui.query.sentence_view import SentenceView
from hpc_explorer.ui.results.rows_view import RowsView
from hpc_explorer.ui.sparql.editor import SparqlEditor
from hpc_explorer.ui.widgets.action_button import ICON, TEXT, action_button
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, replace_content, row_in, tab_bar
from hpc_explorer.ui.widgets.facet_list import FacetList
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, TITLE, font

NARROW = 70 * GRID
"""Below this width in pixels, the suggestions are above the rows, one list at a time."""

MOST_LINES = 4
"""The maximum number of visible lines of the sentence."""

ASK_BAR = (
    ("edit.undo", "edit.redo"),
    ("ask.new", "ask.count", "ask.sort", "ask.limit", "ask.distinct", "ask.save"),
)
"""The buttons above a query."""

EMPTY_TITLE = "Ask by pointing"
EMPTY_TEXT = (
    "Start with the class of what you are looking for, or with a property if there are no classes. Then choose step by "
    "step which properties and values the things must have. Only existing ones are offered, with their counts, and the "
    "rows are updated after each step. You can read and change the question as a sentence, as a pattern and as SPARQL."
)


class AskView(Enum):
    """A view of the query, with the title of its sub-tab."""

    ROWS = "Rows"
    PATTERN = "Pattern"
    SPARQL = "SPARQL"


class AskTab(QWidget):
    """The parts of the tab; `QueryController` fills them and handles clicks.

    Args:
        actions: the buttons at the top in groups; the first group shows icons.

    Attributes:
        questions: the ready questions offered while the query is empty.

    Signals:
        view_wanted(AskView): another sub-tab was chosen.
        question_wanted(Question): a ready question to open.
        writing_wanted(): the user wants to write SPARQL.
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
        bar = OneLine(self._bar, GRID // 2)
        self._more = bar.more
        self._buttons: dict[QAction, QWidget] = {}
        for number, group in enumerate(actions):
            for action in group:
                self._buttons[action] = action_button(action, TEXT if number else ICON)
                bar.addWidget(self._buttons[action])
        self.facets = FacetPanel()
        self.rows = RowsView()
        self.rows.setObjectName("ask-rows")
        self.pattern = PatternView()
        self.editor = SparqlEditor()
        self.relax = RelaxPanel()
        self._found = PageStack()
        self._found.addWidget(self.rows)
        self._found.add_late(self.relax)
        self.views = tab_bar("Views of the question")
        for view in AskView:
            self.views.addTab(view.value)
        self._stack = PageStack()
        self._stack.addWidget(self._found)
        for widget in (self.pattern, self.editor):
            self._stack.add_late(widget)
        seen = QWidget()
        right = column_in(seen)
        right.addWidget(self.views)
        right.addWidget(self._stack, 1)
        self._pages = PageStack()
        self._pages.addWidget(self._made_beginning())
        self._pages.add_late(seen)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.facets)
        self.splitter.addWidget(self._pages)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([34 * GRID, 60 * GRID])
        above = QWidget()
        head = column_in(above, 2 * GRID, GRID, 2 * GRID, GRID, spacing=GRID)
        add_parts(head, self._reading, self._fault_box, self._bar)
        above.setObjectName("pictureBar")
        column = column_in(self)
        column.addWidget(above)
        column.addWidget(self.splitter, 1)
        self.setFocusProxy(self.facets.search)
        self.views.currentChanged.connect(self._show_view)

    def query(self) -> QueryModel:
        """The current query."""
        return self._query

    def focus(self) -> Variable | None:
        """The variable that the suggestions are about."""
        return self._focus

    @property
    def view(self) -> AskView:
        """The visible sub-tab."""
        return list(AskView)[self.views.currentIndex()]

    @property
    def is_writing(self) -> bool:
        """Whether the SPARQL editor is visible."""
        return self._pages.currentIndex() == 1 and self.view is AskView.SPARQL

    @property
    def is_relaxing(self) -> bool:
        """Whether an empty result is explained instead of the rows."""
        return self._found.currentWidget() is self.relax

    def show_query(self, query: QueryModel, focus: Variable | None, *, is_empty: bool) -> None:
        """Show a query, or the start page if it is empty."""
        self._query, self._focus = query, focus
        self._pages.setCurrentIndex(0 if is_empty else 1)
        self._reading.setVisible(not is_empty)
        self.fit_sentence()

    def show_view(self, view: AskView) -> None:
        """Show a sub-tab."""
        self.views.setCurrentIndex(list(AskView).index(view))

    def show_relaxing(self, shown: bool) -> None:
        """Explain an empty result instead of the rows, or show the rows."""
        self._found.setCurrentWidget(self.relax if shown else self.rows)

    def show_fault(self, text: str) -> None:
        """Show the error in the typed text, if any."""
        self.fault.say(text)
        self._fault_box.setVisible(self._shows_fault)

    def show_questions(self, questions: Sequence[Question]) -> None:
        """Offer ready questions on the start page."""
        rows = [FacetRow(one, one.title, tip=one.text) for one in questions]
        self.questions.show_rows(rows, str(len(rows)) if rows else "", has_more=False)
        self.questions.setVisible(bool(rows))

    def menu_place(self, action: QAction) -> QPoint:
        """The position of a menu that an action opens: below its button, or below ⋯ if that has the button."""
        button = self._buttons.get(action, self._more)
        below = button if button.x() < self._bar.width() else self._more
        return below.mapToGlobal(QPoint(0, below.height()))

    def fit_sentence(self) -> None:
        """Fit the height of the sentence, up to a few lines."""
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
    def _shows_fault(self) -> bool:
        """Whether to show an error here; the SPARQL editor shows its own."""
        return bool(self.fault.text()) and self.view is not AskView.SPARQL

    def _show_view(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self._fault_box.setVisible(self._shows_fault)
        self.view_wanted.emit(list(AskView)[number])

    def _made_beginning(self) -> QWidget:
        """The start page."""
        page = QWidget()
        page.setObjectName("answered")
        column = column_in(page, 3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID, spacing=GRID)
        column.addWidget(TextBlock(EMPTY_TITLE, size=TITLE, weight=600))
        column.addWidget(TextBlock(EMPTY_TEXT, muted=True))
        row = QHBoxLayout()
        self.write = QPushButton("Write SPARQL")
        self.write.setToolTip("Start with a query that you type")
        self.write.clicked.connect(self.writing_wanted)
        row.addWidget(self.write)
        row.addStretch(1)
        column.addLayout(row)
        self.questions = FacetList("Or start with a ready question", "", "ask-questions")
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


LONGEST = 200


class RelaxPanel(QScrollArea):
    """Replaces the rows when there are none.

    Attributes:
        buttons: one for each condition that can be removed, in the order shown.

    Signals:
        relax_wanted(Relief): a condition to remove.
    """

    relax_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ask-relax")
        self.setAccessibleName("Nothing meets all conditions")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.buttons: list[QPushButton] = []
        self.reliefs: tuple[Relief, ...] = ()

    def show_waiting(self) -> None:
        """Show that the rows are being counted."""
        column = self._begin()
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setFixedHeight(4)
        bar.setAccessibleName("Counting the rows without each condition")
        column.addWidget(bar)
        column.addStretch(1)

    def show_reliefs(self, reliefs: Sequence[Relief]) -> None:
        """Show the conditions, those whose removal gives most rows first."""
        column = self._begin()
        # Among equals, the condition added last comes first.
        last_first = list(reliefs)[::-1]
        last_first.sort(key=_usefulness)
        self.reliefs = tuple(last_first)
        if not reliefs:
            column.addWidget(TextBlock("No single condition is the cause: undo a step, or start again.", muted=True))
        elif not any(relief.count.value or relief.count.kind is CountKind.UNKNOWN for relief in reliefs):
            column.addWidget(TextBlock("Removing one condition is not enough: remove two.", muted=True))
        else:
            column.addWidget(TextBlock("Without one of these conditions there are rows:", muted=True))
        for relief in self.reliefs:
            column.addWidget(self._row(relief))
        column.addStretch(1)

    def show_error(self, why: str) -> None:
        """Show why the rows could not be counted."""
        column = self._begin()
        column.addWidget(TextBlock(f"The rows without each condition could not be counted: {why}", muted=True))
        column.addStretch(1)

    def _begin(self) -> QVBoxLayout:
        self.buttons, self.reliefs = [], ()
        page = QWidget()
        page.setObjectName("answered")
        column = column_in(page, 2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID, spacing=GRID)
        column.addWidget(TextBlock("Nothing meets all conditions", size=TITLE, weight=600))
        replace_content(self, page)
        return column

    def _row(self, relief: Relief) -> QWidget:
        row = QWidget()
        line = row_in(row, spacing=2 * GRID)
        button = QPushButton("Remove")
        button.setAccessibleName(f"Remove “{brief(relief.words, LONGEST)}”, which gives {relief.count} rows")
        button.clicked.connect(lambda: self.relax_wanted.emit(relief))
        self.buttons.append(button)
        count = Label(f"{relief.count} row{'' if relief.count == Count(1) else 's'}")
        count.setFont(font(figures=True, weight=600 if relief.count.value else 400))
        count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        count.setFixedWidth(12 * GRID)
        line.addWidget(button)
        line.addWidget(count)
        line.addWidget(TextBlock(brief(relief.words, LONGEST)), 1, Qt.AlignmentFlag.AlignVCenter)
        return row


def _usefulness(relief: Relief) -> tuple[int, int]:
    """Sort known counts first, highest first; then unknown ones; then zero."""
    if relief.count.kind is CountKind.UNKNOWN:
        return 1, 0
    return (0, -relief.count.value) if relief.count.value else (2, 0)
