"""The dialog that lists drafts, to continue or delete one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from hpc_explorer.app.journal.editing import Draft
from hpc_explorer.app.views import source_title
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.widgets.dialog_parts import Answers, dialog_column, open_dialog
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted

LONGEST_NAMES = 90
_ROLE = Qt.ItemDataRole.UserRole
_NONE = "There are no drafts. Editing files creates one; the files stay unchanged until you save."


class DraftsDialog(QDialog):
    """Lists the drafts.

    Signals:
        chosen(Draft): the user continues a draft; the dialog is closed.
        delete_wanted(Draft): the user wants to delete a draft; ask for confirmation.
    """

    chosen = Signal(object)
    delete_wanted = Signal(object)

    def __init__(self, drafts: Sequence[Draft], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Drafts")
        self.resize(88 * GRID, 48 * GRID)
        column = dialog_column(self)
        self.about = TextBlock("")
        column.addWidget(self.about)
        self.list = QTreeWidget()
        self.list.setAccessibleName("Drafts")
        self.list.setProperty("framed", True)
        self.list.setRootIsDecorated(False)
        self.list.setAllColumnsShowFocus(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setUniformRowHeights(True)
        self.list.setHeaderLabels(["Of", "In", "Saved", "Edited"])
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column_of_names in (0, 1):
            header.setSectionResizeMode(column_of_names, QHeaderView.ResizeMode.Stretch)
        self.list.ensurePolished()  # otherwise rows are measured before they are styled
        column.addWidget(self.list, 1)
        answers = Answers("Go on", QDialogButtonBox.StandardButton.Close)
        self.go = answers.go
        self.go.setAccessibleName("Go on with the draft")
        self.delete = QPushButton("Delete…")
        self.delete.setAccessibleName("Delete the draft")
        answers.add_first(self.delete)
        answers.accepted.connect(self._choose)
        answers.rejected.connect(self.reject)
        column.addWidget(answers)
        self.list.itemActivated.connect(lambda item, at: self._choose())
        self.delete.clicked.connect(self._want_delete)
        self.list.currentItemChanged.connect(lambda item, before: self._mark())
        self.show_drafts(drafts)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def draft(self) -> Draft | None:
        """The selected draft."""
        item = self.list.currentItem()
        return None if item is None else item.data(0, _ROLE)

    def show_drafts(self, drafts: Sequence[Draft]) -> None:
        """List these."""
        self.list.clear()
        for draft in drafts:
            item = QTreeWidgetItem(
                [names_of(draft), folders_of(draft), unpushed_words(draft), when_words(draft.edited)]
            )
            for place in (0, 1):
                item.setToolTip(place, plain_tip("\n".join([*draft.sources, f"Draft: {draft.folder}"])))
            item.setData(0, _ROLE, draft)
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, draft_words(draft))
            self.list.addTopLevelItem(item)
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.about.say("Edits of files are kept here until you save them." if drafts else _NONE)
        self._mark()

    def _mark(self) -> None:
        usable = self.draft is not None and not self.draft.in_use
        self.go.setEnabled(usable)
        self.delete.setEnabled(usable)

    def _choose(self) -> None:
        draft = self.draft
        if draft is not None and not draft.in_use:
            self.accept()
            self.chosen.emit(draft)

    def _want_delete(self) -> None:
        if self.draft is not None:
            self.delete_wanted.emit(self.draft)


def confirm_deletion(draft: Draft, delete: Callable[[], None], parent: QWidget) -> QDialog:
    """Ask whether to delete a draft with its unpushed edits."""
    dialog = QDialog(parent)
    dialog.setWindowTitle("Delete draft")
    dialog.setMinimumWidth(56 * GRID)
    column = dialog_column(dialog)
    column.addWidget(TextBlock(f"Delete the draft of {names_of(draft)}?", weight=600))
    lost = f"{unpushed_words(draft)} will be lost." if draft.statements else "All of it is written."
    column.addWidget(TextBlock(f"{lost} The files stay unchanged.", muted=True))
    answers = Answers("Delete")
    answers.go.setDefault(False)
    answers.go.setAutoDefault(False)
    answers.leave.setDefault(True)  # deletion cannot be undone
    answers.accepted.connect(dialog.accept)
    answers.rejected.connect(dialog.reject)
    column.addWidget(answers)
    dialog.accepted.connect(delete)
    open_dialog(dialog)
    return dialog


def names_of(draft: Draft) -> str:
    """What a draft is of."""
    return brief(", ".join(map(source_title, draft.sources)), LONGEST_NAMES) or "nothing yet"


def folders_of(draft: Draft) -> str:
    """The folders of a draft's files; "" for endpoints."""
    folders = (str(Path(source).parent) for source in draft.sources if Path(source).is_absolute())
    return ", ".join(dict.fromkeys(folders))


def unpushed_words(draft: Draft) -> str:
    """Such as "4 statements not saved"."""
    if draft.in_use:
        return "open in another window"
    return f"{counted(draft.statements, 'statement')} not saved" if draft.statements else "all saved"


def draft_words(draft: Draft) -> str:
    """A draft in one line."""
    parts = [names_of(draft), unpushed_words(draft)]
    parts += [f"edited {when_words(draft.edited)}"] if draft.edited is not None else []
    return ", ".join(parts)


def when_words(when: datetime | None, now: datetime | None = None) -> str:
    """Such as "yesterday at 14:05"; "never" for None."""
    if when is None:
        return "never"
    local = when.astimezone()
    today = (now or datetime.now().astimezone()).date()
    if local.date() == today:
        return f"today at {local:%H:%M}"
    if local.date() == today - timedelta(days=1):
        return f"yesterday at {local:%H:%M}"
    return f"on {local:%Y-%m-%d at %H:%M}"
