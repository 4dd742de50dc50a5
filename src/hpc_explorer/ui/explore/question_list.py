"""The list of ready questions that apply to the open graph."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from hpc_explorer.query.questions.question import Question
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import plain_tip


class QuestionList(QListWidget):
    """Titles of ready questions, with their texts as tooltips.

    Signals:
        wanted(Question): a question was clicked, or Enter was pressed on it.
        export_wanted(Question): write a question to a file.
        delete_wanted(Question): delete one of the user's own questions.
        import_wanted(): read questions from a file.
        listed(tuple): the list changed.
    """

    wanted = Signal(object)
    export_wanted = Signal(object)
    delete_wanted = Signal(object)
    import_wanted = Signal()
    listed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Questions")
        self.setAccessibleDescription("Enter opens the chosen question, Delete deletes one of your own")
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._questions: tuple[Question, ...] = ()
        self._own: frozenset[str] = frozenset()
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._export = self._action("Export question…", lambda: self._emit(self.export_wanted))
        self._delete = self._action("Delete question…", lambda: self._emit(self.delete_wanted))
        self._action("Import questions…", self.import_wanted.emit)
        self.currentRowChanged.connect(self._look)
        self._look()
        self.itemClicked.connect(lambda item: self._open(self.row(item)))

    def _action(self, name: str, done: Callable[[], None]) -> QAction:
        action = QAction(name, self)
        action.triggered.connect(lambda checked: done())
        self.addAction(action)
        return action

    @property
    def questions(self) -> tuple[Question, ...]:
        """The listed questions."""
        return self._questions

    @property
    def chosen(self) -> Question | None:
        """The selected question, if any."""
        at = self.currentRow()
        return self._questions[at] if 0 <= at < len(self._questions) else None

    def _look(self) -> None:
        chosen = self.chosen
        self._export.setEnabled(chosen is not None)
        self._delete.setEnabled(chosen is not None and chosen.name in self._own)

    def _emit(self, signal: SignalInstance) -> None:
        if self.chosen is not None:
            signal.emit(self.chosen)

    def show_questions(self, questions: tuple[Question, ...], own: frozenset[str] = frozenset()) -> None:
        """List questions; the selection is kept.

        Args:
            own: the names of the user's own questions.
        """
        chosen = self.chosen.name if self.chosen is not None else ""
        self._questions = questions
        self._own = own
        self.clear()
        for number, question in enumerate(questions):
            item = QListWidgetItem(question.title)
            item.setToolTip(plain_tip("\n".join(part for part in (question.text, question.source) if part)))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, question.text)
            self.addItem(item)
            if question.name == chosen:
                self.setCurrentRow(number)
        self._look()
        self.listed.emit(questions)

    def choose(self, start: str) -> bool:
        """Select the first question whose name starts with a text; returns whether there is one."""
        for row, question in enumerate(self._questions):
            if question.name.startswith(start):
                self.setCurrentRow(row)
                self.scrollToItem(self.item(row), QListWidget.ScrollHint.PositionAtTop)
                return True
        return False

    def _open(self, row: int) -> None:
        if 0 <= row < len(self._questions):
            self.wanted.emit(self._questions[row])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self._open(self.currentRow())
        elif event.key() == Qt.Key.Key_Delete and self._delete.isEnabled():
            self._delete.trigger()
        else:
            super().keyPressEvent(event)
