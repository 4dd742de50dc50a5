"""The page "Changes": unpushed changes by resource, and the journal."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.journal.change_views import ChangeView, Unpushed, change_figures
from hpc_explorer.app.journal.journal import JournalEntry
from hpc_explorer.app.views import source_title
from hpc_explorer.ui.changes.change_tree import ChangeTree
from hpc_explorer.ui.changes.journal_list import EntryList
from hpc_explorer.ui.changes.journal_text import EntryText
from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, tab_bar
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.page_stack import EmptyPage, PageStack
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot
from hpc_explorer.wording import counted

PAUSE = 200
"""Milliseconds from the last key to filtering."""

MOST_SOURCES = 5
"""The most sources listed above the changes."""

NOT_EDITED = (
    "Nothing is edited here yet",
    "Files are edited in a draft and stay unchanged until you save. Every edit is saved at once, with "
    "time, author and reason. Here you see changes, undo them, and save them.",
)
NOTHING_CHANGED = (
    "Everything is written",
    "All edits are in their files and endpoints. New changes are shown here by resource, with the old values.",
)

NO_EDITS = (
    "The journal has no edits yet",
    "Edits are listed here with time, author and reason, newest first. Each can be undone.",
)


class ChangesBy(Enum):
    """How changes are grouped; the value is the title of the tab."""

    RESOURCE = "By resource"
    TIME = "By time (journal)"


class ChangesPage(QWidget):
    """The page; `ChangesController` fills it.

    Args:
        actions: the buttons at the top.
        starting: the actions offered when nothing is edited.

    Attributes:
        entries: the journal.
        told: the details of the selected edit.
        tree: the changes.
        words: the filter.

    Signals:
        by_wanted(ChangesBy): the user changed the grouping.
        words_changed(): the filter changed.
    """

    by_wanted = Signal(object)
    words_changed = Signal()

    def __init__(self, actions: Sequence[QAction], starting: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answered")
        self.summary = TextBlock("", weight=600)
        self.sources = TextBlock("", muted=True)
        bar = QWidget()
        flow = OneLine(bar, GRID // 2)
        for action in actions:
            flow.addWidget(action_button(action, TEXT))
        self.views = tab_bar("Grouping of the changes")
        for by in ChangesBy:
            self.views.addTab(by.value)
        self.words = QLineEdit()
        self.words.setClearButtonEnabled(True)
        self.words.setAccessibleName("Filter the changes")
        self.words.setPlaceholderText("Filter by name, property or value")
        self.exact = QCheckBox("Datatypes")
        self.exact.setAccessibleName("Show datatypes and prefixed names")
        self.exact.setToolTip("Show each value with its datatype, and each resource with its prefixed name")
        choosing = QHBoxLayout()
        choosing.setSpacing(GRID)
        choosing.addWidget(self.words, 1)
        choosing.addWidget(self.exact)
        head = QWidget()
        head.setObjectName("pictureBar")
        above = column_in(head, 2 * GRID, GRID, 2 * GRID, 0, spacing=GRID // 2)
        for part in (self.summary, self.sources, bar):
            above.addWidget(part)
        above.addLayout(choosing)
        above.addWidget(self.views)
        self.entries = EntryList("Edits, newest first")
        self.tree = ChangeTree("Changes")
        self.exact.toggled.connect(self.tree.changes.show_exact)
        self.remark = Label()
        self.remark.setProperty("role", "small")
        self.remark.setWordWrap(True)
        self._nothing = EmptyPage(NOTHING_CHANGED)
        shown = QWidget()
        below = column_in(shown, spacing=GRID // 2)
        self.told = EntryText()
        self.told.hide()
        add_parts(below, self.told, (self.tree, 1), self.remark)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.entries)
        self.splitter.addWidget(shown)
        self.splitter.setSizes([200, 300])
        self._parts = PageStack()
        for part in (self.splitter, self._nothing, EmptyPage(NO_EDITS)):
            self._parts.addWidget(part)
        body = QVBoxLayout()
        body.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        body.addWidget(self._parts)
        edited = QWidget()
        column = column_in(edited)
        column.addWidget(head)
        column.addLayout(body, 1)
        self._pages = PageStack()
        self._pages.addWidget(EmptyPage(NOT_EDITED, starting))
        self._pages.addWidget(edited)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.setFocusProxy(self.tree)
        self._pause = single_shot(self, PAUSE, self.words_changed.emit)
        self.words.textEdited.connect(lambda _: self._pause.start())
        self.words.textChanged.connect(lambda text: None if text else self._pause.start())
        self.views.currentChanged.connect(self._turn)
        self._turn(0)

    @property
    def by(self) -> ChangesBy:
        """The grouping."""
        return list(ChangesBy)[self.views.currentIndex()]

    @property
    def is_edited(self) -> bool:
        """Whether a workspace is open."""
        return self._pages.currentIndex() == 1

    def show_by(self, by: ChangesBy) -> None:
        """Set the grouping."""
        self.views.setCurrentIndex(list(ChangesBy).index(by))

    def show_not_edited(self) -> None:
        """Explain the page, when nothing is edited."""
        self._pages.setCurrentIndex(0)
        self.tree.show_changes(())
        self.entries.show_entries((), has_more=False)

    def show_unpushed(self, unpushed: Unpushed) -> None:
        """Show the changes that are not saved."""
        self._pages.setCurrentIndex(1)
        lines = [
            f"{source_title(one.name) or 'In no source'}: {change_figures(one.resources, one.removed, one.added)}"
            for one in unpushed.sources[:MOST_SOURCES]
        ]
        if len(unpushed.sources) > MOST_SOURCES:
            lines.append(f"and {len(unpushed.sources) - MOST_SOURCES} more sources")
        if not lines:
            self.summary.say("Everything is written")
        elif len(lines) == 1 and unpushed.sources[0].name:
            self.summary.say(f"Not saved yet to {source_title(unpushed.sources[0].name)}: {unpushed.figures}")
        else:
            self.summary.say(f"Not saved yet: {unpushed.figures}")
            self.sources.say("\n".join(lines))
        self.sources.setVisible(self.summary.text().startswith("Not saved yet:"))
        if self.by is ChangesBy.RESOURCE:
            self._parts.setCurrentIndex(0 if unpushed.sources else 1)
            self._show(unpushed.view)

    def show_entries(self, found: Sequence[JournalEntry], *, has_more: bool) -> None:
        """Show the journal."""
        self._parts.setCurrentIndex(0)  # `show_no_entry` may show another page
        self.entries.show_entries(found, has_more=has_more)

    def show_entry(self, view: ChangeView) -> None:
        """Show the changes of the selected edit."""
        self.told.show_entry(self.entries.entry)
        self._show(view)

    def show_no_entry(self) -> None:
        """Show that there are no edits."""
        self.told.show_entry(None)
        self.tree.show_changes(())
        typed = self.words.text().strip()
        self._parts.setCurrentIndex(0 if typed else 2)
        self.remark.setText(f"No edit contains “{typed}”.")
        self.remark.setVisible(bool(typed))

    def _show(self, view: ChangeView) -> None:
        self.tree.show_changes(view.resources)
        self.remark.setText(_remark(view, self.words.text().strip() if self.by is ChangesBy.RESOURCE else ""))
        self.remark.setVisible(bool(self.remark.text()))

    def _turn(self, number: int) -> None:
        by_time = list(ChangesBy)[number] is ChangesBy.TIME
        self.entries.setVisible(by_time)
        self.told.show_entry(self.entries.entry if by_time else None)
        self.words.setPlaceholderText(
            "Filter by words, reason or person" if by_time else "Filter by name, property or value"
        )
        self.setFocusProxy(self.entries if by_time else self.tree)
        self.by_wanted.emit(self.by)


def _remark(view: ChangeView, words: str) -> str:
    """How many resources are hidden and how to find them; empty if none are."""
    shown = len(view.resources)
    if words:
        if not shown:
            return f"No change contains “{words}”."
        if view.matching is None:
            return f"The first {counted(shown, 'resource')} with “{words}”; there may be more. Type more to narrow it."
        of = f" of {view.matching:,}" if view.matching > shown else ""
        return f"{shown:,}{of} with “{words}”, of {counted(view.total, 'changed resource')}."
    if shown < view.total:
        return f"{shown:,} of {counted(view.total, 'resource')} are shown: type in the filter to find the others."
    return ""
