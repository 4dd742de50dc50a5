"""The tab "Answer": sentences, tables, plots, text and a picture, one below the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QScrollArea, QVBoxLayout, QWidget

from hpc_explorer.app.results.answer import Answer, AnswerPlot, AnswerTable, AnswerText
from hpc_explorer.app.results.answer_files import DOCUMENT_SUFFIXES, answer_markdown
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.text import brief
from hpc_explorer.errors import ExplorerError
from hpc_explorer.query.table import CellKind, Table
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.results.answer_table import AnswerTableView
from hpc_explorer.ui.results.plot import PlotPane
from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.banner import sentence
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, replace_content
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock
from hpc_explorer.ui.widgets.theme import BODY, GRID, TITLE, font

EMPTY_TITLE = "Answers"
EMPTY_TEXT = (
    "Answers are shown here as sentences, tables and plots that can be saved. "
    "Choose a resource and ask what it reached, or compare it with another, in the menu Go or by a right click on it."
)

OUTDATED = "The graph has changed since this was answered."

LONGEST_TITLE = 160
PICTURE_HEIGHT = 52 * GRID
MOST_LINES = 500
"""The most lines of a text that are shown; a saved file has all."""


class AnswerTab(QScrollArea):
    """Shows an answer, its progress, or its error.

    Args:
        canvas: draws the picture of an answer.
        actions: the buttons below the title.

    Attributes:
        answer: the shown answer, if any.
        tables, plots: the widgets of its sections.
        with_iris: whether tables show IRIs instead of labels.

    Signals:
        selected(Resource): a resource was clicked.
        opened(Resource): a resource was double-clicked, or Enter was pressed on it.
        again_wanted(): ask the question again.
    """

    selected = Signal(object)
    opened = Signal(object)
    again_wanted = Signal()

    def __init__(self, canvas: CanvasView, actions: Sequence[QAction] = ()) -> None:
        super().__init__()
        self.setAccessibleName("Answer")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._canvas = canvas
        self._actions = tuple(actions)
        self.answer: Answer | None = None
        self.tables: list[AnswerTableView] = []
        self.plots: list[PlotPane] = []
        self.with_iris = False
        self._outdated: QWidget | None = None
        self.show_nothing()

    # What is shown

    def show_nothing(self) -> None:
        """Show what the tab is for."""
        column = self._begin(None)
        column.addStretch(1)
        for block in (TextBlock(EMPTY_TITLE, size=TITLE, weight=600), TextBlock(EMPTY_TEXT, muted=True)):
            column.addWidget(block)
        column.addStretch(2)

    def show_progress(self, title: str) -> None:
        """Show that a question is being answered."""
        column = self._begin(None)
        column.addWidget(TextBlock(brief(title, LONGEST_TITLE), size=TITLE, weight=600))
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setFixedHeight(4)
        bar.setAccessibleName("Looking for the answer")
        add_parts(column, bar, TextBlock("Looking for the answer. Escape stops it.", muted=True), 1)

    def show_error(self, title: str, error: BaseException) -> None:
        """Show why there is no answer."""
        column = self._begin(None)
        column.addWidget(TextBlock(brief(title, LONGEST_TITLE), size=TITLE, weight=600))
        if isinstance(error, ExplorerError):
            said = [sentence(error.what), error.where, sentence(error.remedy)]
        else:
            said = [f"{type(error).__name__}: {error}", "This is an error in the program. The open graph is unchanged."]
        box = QFrame()
        box.setObjectName("problem")
        lines = QVBoxLayout(box)
        lines.setSpacing(GRID // 2)
        for number, text in enumerate(part for part in said if part):
            lines.addWidget(TextBlock(text, weight=600 if number == 0 else 400))
        add_parts(column, box, self._again_row(), 1)

    def show_answer(self, answer: Answer) -> None:
        """Show an answer from the top."""
        column = self._begin(answer)
        title = TextBlock(brief(answer.title, LONGEST_TITLE), size=TITLE, weight=600)
        title.setToolTip(plain_tip(answer.title))
        column.addWidget(title)
        for number, text in enumerate(answer.summary):
            column.addWidget(TextBlock(text, weight=500 if number == 0 else 400))
        for note in answer.notes:
            column.addWidget(TextBlock(note, muted=True))
        self._outdated = self._made_outdated()
        column.addWidget(self._outdated)
        if self._actions:
            column.addWidget(self._buttons(answer))
        for section in answer.sections:
            if section.title:
                column.addSpacing(GRID)
                column.addWidget(TextBlock(section.title, weight=600))
            if isinstance(section, Table):
                self._add_table(column, section)
            elif isinstance(section, AnswerPlot):
                self.plots.append(PlotPane(section))
                column.addWidget(self.plots[-1])
            else:
                self._add_text(column, section)
        if answer.picture is not None:
            self._add_picture(column, answer)
        column.addStretch(1)

    def mark_outdated(self) -> None:
        """Show that the graph has changed since."""
        if self._outdated is not None:
            self._outdated.show()

    def show_iris(self, shown: bool) -> None:
        """Show IRIs or labels of resources in tables."""
        self.with_iris = shown
        for table in self.tables:
            table.rows.show_iris(shown)

    def copy(self) -> None:
        """Copy the answer as Markdown."""
        if self.answer is not None:
            QGuiApplication.clipboard().setText(answer_markdown(self.answer))

    def take_focus(self) -> None:
        """Focus the first table, or the page."""
        target: QWidget = self.tables[0] if self.tables else self
        target.show()  # a hidden widget cannot take the focus
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    # Its parts

    def _begin(self, answer: Answer | None) -> QVBoxLayout:
        self.answer = answer
        self.tables, self.plots, self._outdated = [], [], None
        self._canvas.setParent(self)
        self._canvas.hide()
        if answer is None or answer.picture is None:
            self._canvas.set_scene(Scene())
        content = QWidget()
        content.setObjectName("answered")
        column = column_in(content, 3 * GRID, 2 * GRID, 3 * GRID, 3 * GRID, spacing=GRID)
        replace_content(self, content)
        self.verticalScrollBar().setValue(0)
        return column

    def _buttons(self, answer: Answer) -> QWidget:
        offered = {document.suffix for document in answer.documents}
        bar = QWidget()
        flow = OneLine(bar, GRID)
        for action in self._actions:
            suffix = f".{action.objectName().partition(':')[2]}"
            if suffix in DOCUMENT_SUFFIXES and suffix not in offered:
                continue
            flow.addWidget(action_button(action, TEXT))
        return bar

    def _made_outdated(self) -> QWidget:
        box = QFrame()
        lines = QVBoxLayout(box)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.addWidget(TextBlock(OUTDATED))
        lines.addLayout(self._again_row())
        box.hide()
        return box

    def _again_row(self) -> QVBoxLayout:
        again = QPushButton("Ask again")
        again.clicked.connect(self.again_wanted)
        row = QVBoxLayout()
        row.addWidget(again, 0, Qt.AlignmentFlag.AlignLeft)
        return row

    def _add_picture(self, column: QVBoxLayout, answer: Answer) -> None:
        if answer.picture_title:
            column.addSpacing(GRID)
            column.addWidget(TextBlock(answer.picture_title, weight=600))
        self._canvas.setFixedHeight(PICTURE_HEIGHT)
        column.addWidget(self._canvas)
        self._canvas.show()
        if answer.picture is not None:
            self._canvas.set_scene(answer.picture)

    def _add_table(self, column: QVBoxLayout, table: AnswerTable) -> None:
        if not table.rows:
            column.addWidget(TextBlock(table.empty_text, muted=True))
            return
        view = AnswerTableView(table)
        view.setFont(font(BODY, figures=True))
        view.setFixedHeight(view.minimumSizeHint().height())
        view.selected.connect(self.selected)
        view.opened.connect(self.opened)
        view.rows.show_iris(self.with_iris and any(one.kind is CellKind.RESOURCE for one in table.columns))
        column.addWidget(view)
        self.tables.append(view)

    def _add_text(self, column: QVBoxLayout, text: AnswerText) -> None:
        for line in text.lines[:MOST_LINES]:
            words = f"• {line.text}" if text.listed else line.text
            block = TextBlock(words) if line.target is None else self._link(words, line.target)
            block.setContentsMargins(0, 0, 0, 0)
            inner = QVBoxLayout()
            inner.setContentsMargins(2 * GRID * line.indent, 0, 0, 0)
            inner.addWidget(block)
            column.addLayout(inner)
        if len(text.lines) > MOST_LINES:
            column.addWidget(
                TextBlock(f"… and {len(text.lines) - MOST_LINES:,} more; a saved file has all.", muted=True)
            )

    def _link(self, text: str, target: ResourceRef) -> QWidget:
        link = _Link(text)
        link.setToolTip(plain_tip(target.iri))
        link.clicked.connect(lambda: self.selected.emit(target.resource))
        link.followed.connect(lambda: self.opened.emit(target.resource))
        return link


class _Link(LinkBlock):
    """A resource in a text: a click describes it, a double click or Enter opens it."""

    followed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.followed.emit()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.followed.emit()
