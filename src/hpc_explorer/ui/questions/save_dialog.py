"""A dialog that saves a query as a question, with a title and parameters."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from hpc_explorer.app.query.question_saving import NamedBlank, SavedBlanks, blanks_to_save, save_text
from hpc_explorer.canvas.text import brief
from hpc_explorer.errors import ExplorerError
from hpc_explorer.query.questions.make_question import Blank, one_word
from hpc_explorer.query.questions.question import Question
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL

WIDTH, HEIGHT = 84 * GRID, 60 * GRID
"""The initial size in pixels."""

STANDS, WRITTEN, ASKED = range(3)
"""The columns: the current value, its text in the query, and the name of the parameter."""

_LONGEST = 60
_HINT = "Tick the values to ask for each time. Others stay as they are. Click a name to change it."


class SaveQuestionDialog(QDialog):
    """Asks for the title and parameters of a question, and saves it among the user's own.

    It closes after saving, and shows errors.

    Args:
        text: the query, a SELECT.

    Attributes:
        blanks: the possible parameters, one row each; a tick selects one.
        keep_rows: whether to save the current rows as an example.

    Signals:
        saved(Question): the question was saved.
    """

    saved = Signal(object)

    def __init__(self, session_bridge: SessionBridge, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._bridge = session_bridge
        self._text = text
        self._found: SavedBlanks | None = None
        self._is_saving = False
        self.setWindowTitle("Save as question")
        self.resize(WIDTH, HEIGHT)
        column = dialog_column(self)
        self.title = _line("Title", "The name in the list, such as: Runs of a project")
        self.words = _line("Question in words", "Such as: Which runs of a given project failed?")
        for name, line in (("Title", self.title), ("In words", self.words)):
            column.addWidget(caption(name))
            column.addWidget(line)
        column.addSpacing(GRID)
        column.addWidget(caption("Parameters"))
        column.addWidget(TextBlock(_HINT, size=SMALL, muted=True))
        self.blanks = _BlankList()
        column.addWidget(self.blanks, 1)
        self.keep_rows = QCheckBox("Keep today's rows to compare with later answers")
        self.keep_rows.setToolTip("On the command line, questions --check asks again and reports differences.")
        column.addWidget(self.keep_rows)
        self._remark = TextBlock("Looking for possible parameters …", size=SMALL, muted=True)
        column.addWidget(self._remark)
        self.save = add_answers(self, column, "Save", self._save)
        self.title.textChanged.connect(self._look)
        self.words.textChanged.connect(self._look)
        self.blanks.itemChanged.connect(self._look)
        self.finished.connect(lambda: session_bridge.drop("question to save"))
        self._look()
        self.title.setFocus(Qt.FocusReason.OtherFocusReason)
        session_bridge.run(
            blanks_to_save,
            text,
            title="Look for parameters",
            on_result=self._show,
            on_error=self._fail,
            replaces="question to save",
        )

    @property
    def remark(self) -> str:
        """The message at the bottom."""
        return self._remark.text()

    @property
    def chosen(self) -> tuple[Blank, ...]:
        """The ticked parameters with their names."""
        return self.blanks.chosen()

    def _show(self, found: SavedBlanks) -> None:
        self._found = found
        self.blanks.show_places(found.blanks)
        sources = self._bridge.source_names
        self.keep_rows.setEnabled(len(sources) == 1)
        if len(sources) != 1:
            self.keep_rows.setToolTip("Rows can be kept only for a single source that can be opened again by its name.")
        self._look()

    def _fail(self, error: BaseException) -> None:
        self._is_saving = False
        self._look()
        self._say(str(error) if isinstance(error, ExplorerError) else f"{type(error).__name__}: {error}")

    def _name(self) -> str:
        """The command-line name of the question, made of its title, different from shipped ones."""
        shipped = self._found.shipped if self._found is not None else frozenset()
        return one_word(self.title.text(), shipped)

    def _look(self) -> None:
        found = self._found
        title = self.title.text().strip()
        self.save.setEnabled(found is not None and bool(title) and not self._is_saving)
        if found is None or self._is_saving:
            return
        is_there = bool(title) and self._name() in found.own
        self.save.setText("Replace" if is_there else "Save")
        self.save.setAccessibleName(self.save.text())
        number = len(self.chosen)
        if not title:
            self._say("It needs a title.")
        elif is_there:
            self._say(f"You have a question of this name, {self._name()}. It will be replaced.")
        elif number:
            asked = ", ".join(blank.label for blank in self.chosen)
            self._say(f"It will ask for: {asked}.")
        else:
            self._say("It will ask for nothing and always answer the same query.")

    def _say(self, text: str) -> None:
        self._remark.say(text)

    def _save(self) -> None:
        if self._found is None or not self.title.text().strip():
            return
        self._is_saving = True
        self._look()
        self._say("Saving …")
        keeps_rows = self.keep_rows.isEnabled() and self.keep_rows.isChecked()
        self._bridge.run(
            partial(
                save_text,
                name=self._name(),
                title=self.title.text(),
                words=self.words.text(),
                rows_of=self._bridge.source_names[0] if keeps_rows else "",
            ),
            self._text,
            self.chosen,
            title="Save the question",
            on_result=self._done,
            on_error=self._fail,
            replaces="question to save",
        )

    def _done(self, question: Question) -> None:
        self.saved.emit(question)
        self.accept()


class _BlankList(QTreeWidget):
    """The possible parameters; a tick selects one, and its name can be edited."""

    def __init__(self) -> None:
        super().__init__()
        self._places: tuple[NamedBlank, ...] = ()
        self.setAccessibleName("Parameters")
        self.setAccessibleDescription("Space makes the selected row a parameter, F2 changes its name")
        self.setProperty("framed", True)
        self.setColumnCount(3)
        self.setHeaderLabels(["Current value", "In the query", "Asked for as"])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.itemClicked.connect(lambda item, column: self.editItem(item, ASKED) if column == ASKED else None)
        header = self.header()
        header.setStretchLastSection(False)
        for one in (STANDS, WRITTEN, ASKED):
            header.setSectionResizeMode(one, QHeaderView.ResizeMode.Stretch)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() == Qt.Key.Key_F2 and item is not None:
            self.editItem(item, ASKED)
        else:
            super().keyPressEvent(event)

    def show_places(self, places: tuple[NamedBlank, ...]) -> None:
        """List these places, unticked."""
        self._places = places
        self.clear()
        for one in places:
            item = QTreeWidgetItem([brief(one.stands, _LONGEST), brief(one.place.written, _LONGEST), one.place.label])
            item.setFlags(
                Qt.ItemFlag.ItemIsEnabled
                | Qt.ItemFlag.ItemIsSelectable
                | Qt.ItemFlag.ItemIsUserCheckable
                | Qt.ItemFlag.ItemIsEditable
            )
            item.setCheckState(STANDS, Qt.CheckState.Unchecked)
            number = len(one.place.places)
            item.setToolTip(
                STANDS, plain_tip(f"{one.place.written}, {'once' if number == 1 else f'{number} times'} in the query")
            )
            item.setToolTip(WRITTEN, plain_tip(one.place.written))
            item.setToolTip(ASKED, plain_tip(f"--set {one.place.name}=… on a command line"))
            self.addTopLevelItem(item)
        if places:
            self.setCurrentIndex(self.model().index(0, STANDS))

    def chosen(self) -> tuple[Blank, ...]:
        """The ticked parameters."""
        blanks = []
        for row, one in enumerate(self._places):
            item = self.topLevelItem(row)
            if item is not None and item.checkState(STANDS) == Qt.CheckState.Checked:
                blanks.append(Blank(one.place, one.place.name, item.text(ASKED).strip() or one.place.label))
        return tuple(blanks)


def _line(name: str, hint: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setPlaceholderText(hint)
    return line
