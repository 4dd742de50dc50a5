"""The list of the ready questions that go with the open graph."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from hpc_explorer.query.question import Question


class QuestionList(QListWidget):
    """Ready questions by their titles; what each asks is read on hover.

    Signals:
        wanted(Question): one was clicked, or Enter was pressed on it.
        listed(tuple): other questions are listed.
    """

    wanted = Signal(object)
    listed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Questions")
        self.setAccessibleDescription("Enter opens the chosen question")
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._questions: tuple[Question, ...] = ()
        self.itemClicked.connect(lambda item: self._open(self.row(item)))

    @property
    def current(self) -> Question | None:
        """The question that is chosen."""
        return self._questions[self.currentRow()] if 0 <= self.currentRow() < len(self._questions) else None

    def show_questions(self, questions: tuple[Question, ...]) -> None:
        """List these questions; the one that was chosen stays so."""
        at = self.currentRow()
        chosen = self._questions[at].name if 0 <= at < len(self._questions) else ""
        self._questions = questions
        self.clear()
        for number, question in enumerate(questions):
            item = QListWidgetItem(question.title)
            item.setToolTip("\n".join(part for part in (question.text, question.source) if part))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, question.text)
            self.addItem(item)
            if question.name == chosen:
                self.setCurrentRow(number)
        self.listed.emit(questions)

    def _open(self, row: int) -> None:
        if 0 <= row < len(self._questions):
            self.wanted.emit(self._questions[row])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentRow())
        else:
            super().keyPressEvent(event)
