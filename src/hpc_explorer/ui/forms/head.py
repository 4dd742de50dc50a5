"""The head of a form: the classes of the resource, whose name is above, the changes, and their buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.ui.forms.class_chips import ClassChips, ShownClass
from hpc_explorer.ui.widgets.action_button import MenuButton, action_button
from hpc_explorer.ui.widgets.dialog_parts import add_parts, row_in
from hpc_explorer.ui.widgets.edit_tab import WHY
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.suggest_line import Suggest, SuggestLine
from hpc_explorer.ui.widgets.tab_order import follow
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL, current_theme, font, icon, on_theme

NARROW = 62 * GRID
"""Below this width in pixels, the reason is below the field finder."""


class FormHead(QWidget):
    """The part above the fields.

    Args:
        save, discard, start, copy, add_class: the actions of its buttons.
        more: those of its menu.
        suggest: the fields and properties that a text may mean.

    Attributes:
        classes: the classes of what is described.
        finder: the line that finds a field, or adds one.
        iri: the line with the IRI of something new.
        why: the line for the reason of the edit; Enter in it saves.
        menu: what else can be done with the resource.

    Signals:
        iri_typed(str): another IRI was typed for something new.
    """

    iri_typed = Signal(str)

    def __init__(
        self,
        save: QAction,
        discard: QAction,
        start: QAction,
        copy: QAction,
        add_class: QAction,
        more: Sequence[QAction],
        suggest: Suggest,
    ) -> None:
        super().__init__()
        self.setObjectName("pictureBar")
        self._words = ""
        self.save = _command_button(save, "Apply")
        self.save.setDefault(True)
        self.discard = _command_button(discard, "Discard")
        self.menu = MenuButton()
        self.menu.setText("More")
        self.menu.setAccessibleName("More about this resource")
        entries = QMenu(self.menu)
        entries.addActions(list(more))
        self.menu.setMenu(entries)
        top = QHBoxLayout()
        top.setSpacing(GRID)
        self.classes = ClassChips(add_class)
        top.addWidget(self.classes, 1)
        top.addWidget(self.discard, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.save, 0, Qt.AlignmentFlag.AlignTop)
        self._name = TextBlock("", size=SMALL, muted=True)
        self._copy = action_button(copy)
        self.iri = SuggestLine(lambda text, answer: None, lambda text: True)
        self.iri.setAccessibleName("IRI")
        self.iri.setToolTip("What programs call it; it can be changed until it is saved")
        self.iri.textEdited.connect(self.iri_typed)
        self._taken = TextBlock("", size=SMALL)
        called = QHBoxLayout()
        called.setSpacing(GRID // 2)
        called.addWidget(self._name, 1)
        called.addWidget(self.iri, 1)
        called.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        called.addWidget(self.menu, 0, Qt.AlignmentFlag.AlignTop)
        self._notice = QFrame()
        self._notice.setObjectName("notice")
        self._notice_text = TextBlock("")
        self.start = _command_button(start, "Start editing")
        row = row_in(self._notice, GRID, GRID // 2, GRID // 2, GRID // 2, spacing=GRID)
        row.addWidget(self._notice_text, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.start)
        self.finder = SuggestLine(suggest)
        self.finder.setPlaceholderText("Find or add a field")
        self.finder.setAccessibleName("Find or add a field")
        self.finder.setClearButtonEnabled(True)
        self._loupe = self.finder.addAction(icon("search", "#808080"), SuggestLine.ActionPosition.LeadingPosition)
        self.finder.setFixedWidth(30 * GRID)
        self.why = QLineEdit()
        self.why.setAccessibleName("Why")
        self.why.setPlaceholderText(WHY)
        self.why.setToolTip("Your reason for the edit, shown in the journal, the history and Changes")
        self.why.setFixedWidth(30 * GRID)
        self.why.returnPressed.connect(save.trigger)
        self._changes = Label()
        self._changes.setMinimumWidth(0)
        self._changes.setProperty("role", "muted")
        below = self._below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        below.setSpacing(2 * GRID)
        add_parts(below, self.finder, self.why, 1)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 2 * GRID, 2 * GRID, GRID)
        column.setSpacing(GRID)
        add_parts(column, top, called, self._taken, self._notice, below, self._changes)
        self._dress()
        on_theme(self._dress)

    def show_classes(self, classes: Sequence[ShownClass], *, can_add: bool, remark: str = "") -> None:
        """Show the classes."""
        self.classes.show_classes(classes, can_add=can_add, remark=remark)
        follow(self.save, self.classes)

    def show_resource(self, iri: str, *, is_new: bool) -> None:
        """Show the IRI of the resource."""
        self._name.say(iri)
        self._name.setVisible(not is_new)
        self._copy.setVisible(not is_new)
        self.menu.setVisible(not is_new)
        self.iri.setVisible(is_new)
        if is_new and self.iri.text() != iri:
            self.iri.setText(iri)
        self.say_of_iri("")

    def say_of_iri(self, problem: str) -> None:
        """Show an error of the IRI of a new resource, or none."""
        if problem:
            self._taken.say(problem)
        self._taken.setVisible(bool(problem))

    def show_notice(self, text: str, *, can_start: bool) -> None:
        """Show why the form cannot be edited, with a button if a step helps; empty: it can."""
        if text:
            self._notice_text.say(text)
        self._column.setEnabled(False)  # all is placed anew once, not with each that is shown
        self._notice.setVisible(bool(text))
        self.start.setVisible(can_start)
        self.save.setVisible(not text)
        self.discard.setVisible(not text)
        self.why.setVisible(not text)
        self._changes.setVisible(not text)
        self._column.setEnabled(True)

    def show_changes(self, words: str) -> None:
        """Show the changes."""
        self._words = words
        self._changes.setAccessibleName(words)
        self._changes.setToolTip(plain_tip(words.replace(" · ", "\n")))
        self._fit_changes()

    @property
    def words(self) -> str:
        """The shown changes."""
        return self._words

    def _dress(self) -> None:
        """Take the colours of the theme."""
        theme = current_theme()
        self._loupe.setIcon(icon("search", theme.muted))
        palette = self._taken.palette()
        palette.setColor(QPalette.ColorRole.WindowText, theme.error)
        self._taken.setPalette(palette)

    def minimumSizeHint(self) -> QSize:
        """The height of all parts at this width: in a low window the page scrolls, and no text is cut."""
        least = super().minimumSizeHint()
        return least.expandedTo(QSize(0, self._column.totalHeightForWidth(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()
        direction = QBoxLayout.Direction
        self._below.setDirection(direction.TopToBottom if self.width() < NARROW else direction.LeftToRight)
        self._below.setSpacing(GRID if self.width() < NARROW else 2 * GRID)
        self._fit_changes()

    def _fit_changes(self) -> None:
        room = max(self.width() - 6 * GRID, 10 * GRID)
        self._changes.setText(QFontMetrics(font()).elidedText(self._words, Qt.TextElideMode.ElideRight, room))


def _command_button(action: QAction, name: str) -> QPushButton:
    """A button of a command, disabled with it."""
    button = QPushButton(name)
    button.setAccessibleName(name)
    button.setAutoDefault(False)

    def follow() -> None:
        button.setEnabled(action.isEnabled())
        button.setToolTip(action.toolTip())

    button.clicked.connect(action.trigger)
    action.changed.connect(follow)
    follow()
    return button
