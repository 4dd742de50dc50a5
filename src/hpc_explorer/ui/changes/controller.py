"""The controller of the page "Changes": reads changes, shows and undoes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.journal.change_viewing import view_change, view_unpushed
from hpc_explorer.app.journal.change_views import Unpushed
from hpc_explorer.app.journal.edit_steps import EditStep, journal_steps
from hpc_explorer.app.journal.journal import JournalEntry, entries, take_back
from hpc_explorer.app.undo import Step, UndoStack
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.ui.bridge.commands import Command, Need, edited_workspace, open_graph
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.navigator import Navigator, Place, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.changes.page import ChangesBy, ChangesPage
from hpc_explorer.ui.widgets.edit_tab import EditTab, EditView

FIRST_ENTRIES = 200
"""The number of edits read at a time."""

_Entries = tuple[tuple[JournalEntry, ...], bool]


class ChangesController(QObject):
    """Updates the page while it is visible.

    Args:
        make_page: makes the page.
        undo: the undo stack, which also gets the last edits of the journal.

    Attributes:
        unpushed: the unpushed changes that were read last.

    Signals:
        export_wanted(JournalEntry | None): export edits; the entry is the selected one.
    """

    export_wanted = Signal(object)

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        tab: EditTab,
        make_page: Callable[[], ChangesPage],
        undo: UndoStack,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._navigator = navigator
        self._tab = tab
        self._page = Late(lambda: self._connected(make_page()))
        self._undo = undo
        self.unpushed = Unpushed()
        self._workspace: Path | None = None
        self._is_stale = True
        tab.mount(EditView.CHANGES, self._page.get)
        tab.view_wanted.connect(lambda view: self._look())
        navigator.moved.connect(self._moved)
        bridge.graph_changed.connect(self._graph_changed)

    @property
    def page(self) -> ChangesPage:
        """The page, made when it is first needed."""
        return self._page.get()

    def _connected(self, page: ChangesPage) -> ChangesPage:
        page.by_wanted.connect(lambda by: self._ask())
        page.words_changed.connect(self._ask)
        page.entries.chosen.connect(self._show_entry)
        page.entries.more_wanted.connect(self._ask_more)
        page.tree.opened.connect(self._navigator.explore)
        return page

    def commands(self) -> tuple[Command, ...]:
        """The commands of the page."""
        edited = edited_workspace(self._bridge)
        holds = Need(
            "a selected edit of the journal that is in effect", lambda: edited.is_met() and self._holding is not None
        )
        return (
            Command("changes.show", "Changes", "Edit", 3, "F4", "history")
            .runs(self.show, open_graph(self._bridge))
            .about("Show the changes that are not saved, with the old values."),
            Command("changes.resource", "Changes by resource", "Edit", 3)
            .runs(lambda: self._show_by(ChangesBy.RESOURCE), edited)
            .marked(self._page.has(lambda page: page.by is ChangesBy.RESOURCE, before=True), choice=True)
            .about("Show the changes that are not saved by resource."),
            Command("changes.time", "Changes by time", "Edit", 3)
            .runs(self.show_journal, edited)
            .marked(self._page.has(lambda page: page.by is ChangesBy.TIME), choice=True)
            .about("Show the journal: every edit with when, who and why, including undone edits."),
            Command("changes.take_back", "Take back this edit", "Edit", 3, "", "undo", short="Take back")
            .runs(self.take_back, holds)
            .about("Undo the selected edit of the journal, even if it is not the last one; this can be undone too."),
            Command("changes.export", "Export edits…", "Edit", 3, "", "export", short="Export edits")
            .runs(lambda: self.export_wanted.emit(self.entry), edited)
            .about("Write the selected edit, or all of them, as RDF Patch, SPARQL Update or PROV."),
        )

    def show_journal(self) -> None:
        """Show the journal."""
        self._show_by(ChangesBy.TIME)

    @property
    def entry(self) -> JournalEntry | None:
        """The selected edit, if the journal is visible."""
        return self.page.entries.entry if self.is_in_sight and self.page.by is ChangesBy.TIME else None

    @property
    def is_in_sight(self) -> bool:
        """Whether the page is visible."""
        return self._navigator.place.view is View.EDIT and self._tab.view is EditView.CHANGES

    # Commands

    def show(self) -> None:
        """Show the page."""
        self._tab.show_view(EditView.CHANGES)
        self._navigator.show_view(View.EDIT)
        self.page.setFocus()

    def refresh(self) -> None:
        """Read the changes again, after a push."""
        self._is_stale = True
        self._look()

    def take_back(self) -> None:
        """Undo the selected edit, unless a later edit conflicts."""
        entry = self._holding
        if entry is None:
            return
        revision = entry.revision

        def work(session: Session) -> EditStep | None:
            return EditStep.made(session, take_back(session, revision))

        def done(step: EditStep | None) -> None:
            if step is not None:
                self._undo.push(step)
                self._bridge.said.emit(f"Undone: {entry.words or f'edit {revision}'}")

        self._bridge.run(
            work,
            title="Take back an edit",
            on_result=done,
            writes=True,
        )

    @property
    def _holding(self) -> JournalEntry | None:
        """The selected edit, if it is in effect."""
        entry = self.entry
        return entry if entry is not None and entry.undone_by is None else None

    def _show_by(self, by: ChangesBy) -> None:
        self.page.show_by(by)
        self.show()

    # Updating

    def _moved(self, place: Place, before: Place) -> None:
        if place.view is View.EDIT and before.view is not View.EDIT:
            self._look()

    def _graph_changed(self) -> None:
        if self._bridge.workspace != self._workspace:
            self._workspace = self._bridge.workspace
            self._take_steps()
        self._is_stale = True
        self._look()

    def _take_steps(self) -> None:
        """Replace the edits of the undo stack by the last ones of the journal."""

        def is_edit(step: Step) -> bool:
            return isinstance(step, EditStep)

        self._bridge.drop("steps to undo")
        if any(map(is_edit, (*self._undo.done, *self._undo.undone))):
            self._undo.forget(is_edit)
        if self._workspace is None:
            return

        def done(found: tuple[tuple[EditStep, ...], tuple[EditStep, ...]]) -> None:
            if not any(map(is_edit, (*self._undo.done, *self._undo.undone))):
                self._undo.resume(*found)

        self._bridge.run(
            journal_steps,
            title="Read the journal",
            on_result=done,
            replaces="steps to undo",
        )

    def _look(self) -> None:
        """Read the changes if the page is visible and out of date."""
        if self._is_stale and self.is_in_sight:
            self._ask()
        self._bridge.updated.emit()

    def _ask(self) -> None:
        if self._bridge.workspace is None:
            self._is_stale = False
            self._show_nothing()
            return
        if not self.is_in_sight:
            self._is_stale = True
            return
        self._is_stale = False
        by_time = self.page.by is ChangesBy.TIME
        words = "" if by_time else self.page.words.text()

        self._bridge.run(
            partial(view_unpushed, words=words),
            title="Read the changes",
            on_result=self._take,
            replaces="unpushed changes",
        )
        if by_time:
            self._ask_entries(None, self._take_entries)
        else:
            self._bridge.drop("journal", "edit")
        self._bridge.updated.emit()

    def _show_nothing(self) -> None:
        self._bridge.drop("unpushed changes", "journal", "edit")
        self.unpushed = Unpushed()
        self.page.show_not_edited()
        self._tab.title(EditView.CHANGES, EditView.CHANGES.value)

    def _take(self, unpushed: Unpushed) -> None:
        self.unpushed = unpushed
        self.page.show_unpushed(unpushed)
        number = unpushed.view.total
        title = EditView.CHANGES.value
        self._tab.title(EditView.CHANGES, f"{title} ({number:,})" if number else title)
        self._bridge.updated.emit()

    # The journal

    def _ask_entries(self, before: int | None, done: Callable[[_Entries], None]) -> None:
        words = self.page.words.text().casefold().split()

        def work(session: Session, *, limits: Limits = NO_LIMITS) -> _Entries:
            found: list[JournalEntry] = []
            for entry in entries(session, before=before, limits=limits):
                if _speaks_of(entry, words):
                    found.append(entry)
                    if len(found) > FIRST_ENTRIES:
                        break
            return tuple(found[:FIRST_ENTRIES]), len(found) > FIRST_ENTRIES

        self._bridge.run(work, title="Read the journal", on_result=done, replaces="journal")

    def _take_entries(self, found: _Entries) -> None:
        shown, has_more = found
        self.page.show_entries(shown, has_more=has_more)
        self._bridge.updated.emit()

    def _ask_more(self) -> None:
        known = self.page.entries.edits.entries

        def done(found: _Entries) -> None:
            self.page.entries.edits.grow(found[0], has_more=found[1])

        self._ask_entries(known[-1].revision if known else None, done)

    def _show_entry(self, entry: JournalEntry | None) -> None:
        self._bridge.drop("edit")
        if self.page.by is not ChangesBy.TIME:
            return
        if entry is None:
            if self.page.is_edited:
                self.page.show_no_entry()
        else:
            self._bridge.run(
                partial(view_change, now=False),
                entry.change,
                title="Read the edit",
                on_result=self.page.show_entry,
                replaces="edit",
            )
        self._bridge.updated.emit()


def _speaks_of(entry: JournalEntry, words: list[str]) -> bool:
    """Whether all words occur in the description, reason or author of an edit."""
    text = f"{entry.words}\n{entry.why}\n{entry.who}".casefold()
    return all(word in text for word in words)
