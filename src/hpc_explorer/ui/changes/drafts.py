"""The controller of drafts: offers, lists and deletes them, and reports recovered edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.editing import Draft, all_drafts, continue_draft, delete_draft, drafts_of, undo_recovered
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.working_state import Recovered
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.changes.drafts_dialog import DraftsDialog, confirm_deletion, names_of, unpushed_words, when_words
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import open_dialog
from hpc_explorer.wording import counted


class DraftsController(QObject):
    """Offers drafts of opened files, and edits recovered after a crash.

    Args:
        look: shows the journal.
        leave: asks about unsaved changes, then calls its argument.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        banner: Banner,
        undo: UndoStack,
        look: Callable[[], None],
        leave: Callable[[Callable[[], None]], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._banner = banner
        self._undo = undo
        self._look = look
        self._leave = leave
        self._window = window
        self._told: Recovered | None = None
        bridge.graph_changed.connect(self._look_for_recovered)

    def commands(self) -> tuple[Command, ...]:
        """The command."""
        return (
            Command("file.drafts", "Drafts…", "File", 0)
            .runs(self.list_drafts)
            .about("List the drafts, to continue or delete one."),
        )

    def opened(self, names: Sequence[str]) -> None:
        """Offer a draft of the files just opened, if there is one."""
        # The banner for the opened files replaced an earlier offer.
        self._told = None
        self._look_for_recovered()

        def work(session: Session) -> Draft | None:
            if session.workspace is not None:
                return None
            return next((draft for draft in drafts_of(names) if not draft.in_use), None)

        def done(draft: Draft | None) -> None:
            if draft is not None and self._bridge.workspace is None:
                self._offer(draft)

        self._bridge.run(work, title="Look for drafts", on_result=done, replaces="drafts")

    def look_for_all(self, show: Callable[[Sequence[tuple[str, str, Callable[[], None]]]], None]) -> None:
        """Find all drafts, for a list of what to go on with.

        Args:
            show: receives of each draft its files, what is unfinished, and what goes on with it.
        """

        def done(drafts: tuple[Draft, ...]) -> None:
            show(
                [
                    (
                        names_of(draft),
                        f"{unpushed_words(draft)}, edited {when_words(draft.edited)}",
                        partial(self.go_on_with, draft),
                    )
                    for draft in drafts
                    if draft.statements and not draft.in_use
                ]
            )

        self._bridge.run(
            lambda _: all_drafts(),
            title="Look for drafts",
            on_result=done,
            replaces="all drafts",
        )

    def list_drafts(self) -> None:
        """List all drafts."""

        def show(drafts: tuple[Draft, ...]) -> None:
            dialog = DraftsDialog(drafts, self._window)
            dialog.chosen.connect(self.go_on_with)
            dialog.delete_wanted.connect(lambda draft: self._delete(draft, dialog))
            open_dialog(dialog)

        self._bridge.run(lambda _: all_drafts(), title="Look for drafts", on_result=show, replaces="drafts")

    def go_on_with(self, draft: Draft) -> None:
        """Open a draft instead of the open graph."""

        def done(opened: Draft) -> None:
            if opened.notes:
                self._banner.show_notice(
                    f"The draft of {names_of(opened)}", "\n".join(f"{one}." for one in opened.notes)
                )
            else:
                self._bridge.said.emit(f"Continuing the draft of {names_of(opened)}")

        title = "Go on with the draft"

        def go_on() -> None:
            # Saving compares files that changed meanwhile, and asks about conflicts.
            self._bridge.run(
                partial(continue_draft, bring_in=False),
                draft.folder,
                title=title,
                on_result=done,
                closes=True,
            )

        self._leave(go_on)

    def _offer(self, draft: Draft) -> None:
        left = "The program ended before the draft was closed. " if draft.recovered is not None else ""
        text = f"{left}{unpushed_words(draft)}, edited {when_words(draft.edited)}. The files were opened unchanged."
        self._banner.show_offer(
            f"There is a draft of {names_of(draft)}",
            text[0].upper() + text[1:],
            [
                ("Go on with the draft", lambda: self.go_on_with(draft)),
                ("Leave it", lambda: None),
                ("Delete draft…", lambda: self._delete(draft)),
            ],
        )

    def _delete(self, draft: Draft, listed: DraftsDialog | None = None) -> None:
        def work(session: Session) -> tuple[Draft, ...]:
            delete_draft(draft.folder)
            return all_drafts()

        def done(left: tuple[Draft, ...]) -> None:
            self._bridge.said.emit(f"Deleted the draft of {names_of(draft)}")
            if listed is not None and Shiboken.isValid(listed):  # it may be closed by now
                listed.show_drafts(left)

        def delete() -> None:
            self._bridge.run(
                work,
                title="Delete the draft",
                on_result=done,
                writes=True,
            )

        confirm_deletion(draft, delete, listed or self._window)

    # Recovered edits

    def _look_for_recovered(self) -> None:
        workspace = self._bridge.session.workspace
        recovered = None if workspace is None or workspace.read_only_reason is not None else workspace.recovered
        if recovered is None or recovered == self._told:
            self._told = recovered
            return
        self._told = recovered
        self._banner.show_offer(
            f"{counted(recovered.edits, 'edit')} recovered",
            f"The program ended {when_words(recovered.until)} without closing this. Edits until then were "
            "recovered; you need not do anything.",
            [("Look at them", self._look), ("Undo them", lambda: self._undo_recovered(recovered))],
        )

    def _undo_recovered(self, recovered: Recovered) -> None:
        def work(session: Session) -> EditStep | None:
            return EditStep.made(session, undo_recovered(session, recovered))

        def done(step: EditStep | None) -> None:
            if step is not None:
                self._undo.push(step)
                self._bridge.said.emit("Undone; you can redo it")

        title = "Undo what was recovered"
        self._bridge.run(work, title=title, on_result=done, writes=True)
