"""The history of a resource: its edits, and the origin of each statement about it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from hpc_explorer.app.journal.change_views import ChangeView
from hpc_explorer.app.journal.history import ResourceHistory, StatedValue
from hpc_explorer.app.journal.journal import JournalEntry
from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.ui.changes.change_tree import ChangeTree
from hpc_explorer.ui.changes.journal_list import EntryList
from hpc_explorer.ui.changes.journal_text import EntryText, told_above
from hpc_explorer.ui.widgets.dialog_parts import add_closing, column_in, dialog_column, tab_bar
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock, shortened
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.turns import Turn
from hpc_explorer.wording import counted

LONGEST_VALUE = 200

LISTED_AT_ONCE = 250
"""The number of values listed between handling of user events."""

_ROLE = Qt.ItemDataRole.UserRole

AskEntry = Callable[[JournalEntry, Callable[[ChangeView], None]], None]
"""Reads the changes of an edit."""

AskBlame = Callable[[Quad, Callable[[tuple[str, ...]], None]], None]
"""Describes the origin of a statement in sentences."""


class HistoryDialog(QDialog):
    """Shows the edits of a resource, and the statements about it.

    Args:
        chosen: the statement to explain; None to show the edits first.

    Attributes:
        entries: the edits.
        told: the selected edit in full, with its reason; changes: its changes.
        values: the statements about the resource.
        blame: the origin of the selected statement.

    Signals:
        opened(Resource): the user wants to go to a resource; the dialog is closed.
    """

    opened = Signal(object)

    def __init__(
        self,
        history: ResourceHistory,
        ask_entry: AskEntry,
        ask_blame: AskBlame,
        parent: QWidget,
        chosen: Quad | None = None,
        *,
        values_first: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("History")
        self.resize(100 * GRID, 70 * GRID)
        self._ask_entry, self._ask_blame = ask_entry, ask_blame
        column = dialog_column(self)
        column.addWidget(TextBlock(brief(history.ref.label, LONGEST_VALUE), history.ref.kind, weight=600))
        self.views = tab_bar("Views of the history")
        self.views.addTab(f"Edits ({len(history.edits):,}{' or more' if history.more else ''})")
        self.views.addTab(f"Where it comes from ({len(history.values):,})")
        column.addWidget(self.views)
        self._stack = PageStack()
        self._stack.addWidget(self._made_edits(history))
        self._stack.addWidget(self._made_values(history))
        column.addWidget(self._stack, 1)
        add_closing(self, column)
        self.views.currentChanged.connect(self._stack.setCurrentIndex)
        if values_first or chosen is not None or not history.edits:
            self.views.setCurrentIndex(1)
        self._choose(history, chosen)
        (self.values if self.views.currentIndex() else self.entries).setFocus(Qt.FocusReason.OtherFocusReason)

    def _made_edits(self, history: ResourceHistory) -> QWidget:
        self.entries = EntryList("Edits of this resource, newest first")
        self.told = EntryText()
        self.changes = ChangeTree("What the edit did")
        self.changes.opened.connect(self._open)
        self.entries.chosen.connect(self._show_entry)
        self.entries.show_entries(history.edits, has_more=False)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.entries)
        splitter.addWidget(told_above(self.told, self.changes))
        if history.edits:
            return _with_remark(
                splitter,
                f"The last {counted(len(history.edits), 'edit')} are shown." if history.more else "",
            )
        return _with_remark(QWidget(), "No edits of this resource: it is unchanged since it was loaded.")

    def _made_values(self, history: ResourceHistory) -> QWidget:
        self.values = QTreeWidget()
        self.values.setAccessibleName("Statements about this resource")
        self.values.setProperty("framed", True)
        self.values.setRootIsDecorated(False)
        self.values.setAllColumnsShowFocus(True)
        self.values.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.values.setHeaderLabels(["Property", "Value", "Comes from"])
        self.values.header().resizeSection(0, 22 * GRID)
        self.values.header().resizeSection(1, 40 * GRID)
        self.values.setUniformRowHeights(True)
        self.values.ensurePolished()  # otherwise rows are measured before they are styled
        self._to_list = deque(history.values)
        self._listing = Turn(self, self._list_some)
        self._list_some()
        self.blame = TextBlock("")
        self.blame.setMinimumHeight(8 * GRID)
        self.values.currentItemChanged.connect(lambda item, before: self._show_value(item))
        page = QWidget()
        column = column_in(page, spacing=GRID)
        column.addWidget(self.values, 1)
        column.addWidget(self.blame)
        if not history.values:
            self.blame.say("This resource has no statements any more.")
        return page

    def _list_some(self) -> None:
        """List more statements, a batch at a time."""
        items = []
        for _ in range(min(LISTED_AT_ONCE, len(self._to_list))):
            one = self._to_list.popleft()
            text = brief(" ".join(one.text.split()), LONGEST_VALUE)
            item = QTreeWidgetItem([one.label, text, one.origin])
            item.setToolTip(0, plain_tip(str(one.quad.predicate)))
            item.setToolTip(1, plain_tip(shortened(one.text)))
            item.setData(0, _ROLE, one)
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{one.label} {text}: {one.origin}")
            items.append(item)
        self.values.addTopLevelItems(items)
        if self._to_list:
            self._listing.start()

    def _choose(self, history: ResourceHistory, chosen: Quad | None) -> None:
        at = next((number for number, one in enumerate(history.values) if one.quad == chosen), 0)
        while self.values.topLevelItemCount() <= at and self._to_list:
            self._list_some()
        self.values.setCurrentIndex(self.values.model().index(at, 0))

    def _show_entry(self, entry: JournalEntry | None) -> None:
        self.told.show_entry(entry)
        if entry is not None:
            self._ask_entry(entry, lambda view: self.changes.show_changes(view.resources))

    def _show_value(self, item: QTreeWidgetItem | None) -> None:
        if item is None:
            return
        one: StatedValue = item.data(0, _ROLE)
        self.blame.say("…")
        self._ask_blame(one.quad, lambda lines: self.blame.say("\n".join(lines)))

    def _open(self, resource: object) -> None:
        self.accept()
        self.opened.emit(resource)


def _with_remark(widget: QWidget, remark: str) -> QWidget:
    page = QWidget()
    column = column_in(page, spacing=GRID)
    if remark:
        column.addWidget(TextBlock(remark, muted=True))
    column.addWidget(widget, 1)
    return page
