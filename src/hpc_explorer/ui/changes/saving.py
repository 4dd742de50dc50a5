"""Saves changes to files: the line that says what is not saved, and the question before unsaved changes are left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from hpc_explorer.annotate.pushing.values import PushReport
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.push import push
from hpc_explorer.app.journal.push_viewing import PlanView, planned_push
from hpc_explorer.app.journal.saving import NOTHING_UNWRITTEN, Unwritten, discard, new_graph, save_as, unwritten
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.views import SourceSummary, source_title
from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.syntax.formats import FORMATS
from hpc_explorer.ui.bridge.commands import Command, Need, edited_workspace
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.changes.push_dialog import PushDialog
from hpc_explorer.ui.widgets.dialog_parts import dialog_column, open_dialog, row_in
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock
from hpc_explorer.ui.widgets.theme import GRID, current_theme, icon, on_theme
from hpc_explorer.wording import counted

Then = Callable[[], None]


def _nothing() -> None:
    """Do nothing more."""


@dataclass(frozen=True)
class TypedForms:
    """What is typed into forms and not in the graph yet.

    Args:
        in_sight: whether the visible form has such entries.
        apply: saves the visible form to the graph, then calls its argument.
        number: the number of forms with such entries.
        drop: forgets all of them.
    """

    in_sight: Callable[[], bool]
    apply: Callable[[Then], None]
    number: Callable[[], int]
    drop: Callable[[], None]


class SaveController(QObject):
    """Saves, discards, and asks before something unsaved is closed.

    Args:
        folder: returns the folder that file dialogs start in.
        review: shows the page of changes.

    Attributes:
        line: the line for the status bar.
        unwritten: the changes that were counted last.

    Signals:
        counted(Unwritten): the unwritten changes were counted.
        written(): a file or endpoint was written.
        opened(tuple): the names of the files that were opened.
    """

    counted = Signal(object)
    written = Signal()
    opened = Signal(tuple)

    def __init__(
        self,
        bridge: SessionBridge,
        undo: UndoStack,
        typed: TypedForms,
        folder: Callable[[], str],
        review: Callable[[], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge, self._undo, self._typed, self._folder, self._window = bridge, undo, typed, folder, window
        self.unwritten = NOTHING_UNWRITTEN
        self._workspace: Path | None = None
        self._opened_at = 0
        self._after: list[Then] = []
        self.line = UnwrittenLine(review, self.save, self.discard, window)
        bridge.graph_changed.connect(self._graph_changed)

    def commands(self) -> tuple[Command, ...]:
        """The commands for files."""
        unsaved = Need("changes that are not saved", lambda: self.unwritten.total > 0 or self._typed.in_sight())
        graph = Need("an open graph on this computer", lambda: not self._bridge.is_empty and not self._bridge.is_remote)
        return (
            Command("file.new", "New graph", "File", 0, "Ctrl+N", "add")
            .runs(self.new)
            .about("Start an empty graph. Save it as a file when you like."),
            Command("file.save", "Save", "File", 2, "Ctrl+S", "push")
            .runs(self.save, unsaved)
            .about("Save your changes to their files and endpoints, after a check for changes by others."),
            Command("file.save_as", "Save as…", "File", 2, "Ctrl+Shift+S")
            .runs(self.save_as, graph)
            .about("Save the whole graph to a new file, in the format of its name, and go on with that file."),
            Command("file.push", "Review and save…", "File", 2)
            .runs(self.show_plan, edited_workspace(self._bridge))
            .about("See what will be saved to each file and endpoint, resolve conflicts, and save it."),
            Command("file.discard", "Discard changes", "File", 2)
            .runs(self.discard, unsaved)
            .about("Undo all changes that are not saved. This can be undone too."),
        )

    # Saving

    def save(self, then: Then = _nothing) -> None:
        """Write the changes to their files, after applying the visible form; ask only where it is necessary.

        Args:
            then: called when everything is written.
        """
        if self._typed.in_sight():
            self._typed.apply(lambda: self._save(then))
        else:
            self._save(then)

    def _save(self, then: Then) -> None:
        self._count(lambda: self._plan(then))

    def _plan(self, then: Then) -> None:
        def planned(view: PlanView) -> None:
            asks = view.plan.left or any(
                one.conflicts or one.target.rewritten or one.target.refused for one in view.targets
            )
            if asks:
                self.show_plan(then)
            elif view.targets:
                self._bridge.run(push, view.plan, title="Save", on_result=pushed, on_error=failed, writes=True)
            else:
                self._bridge.said.emit("Everything is saved")
                then()

        def pushed(report: PushReport) -> None:
            self._bridge.said.emit(f"Saved {', '.join(source_title(one.target.source) for one in report.pushed)}")
            self._wrote(then)

        failed = partial(self._bridge.failed.emit, "Save")
        if self.unwritten.total and not self.unwritten.has_file:
            self._ask_file(then)
        else:
            title = "Compare with the files"
            self._bridge.run(planned_push, title=title, on_result=planned, on_error=failed, writes=True)

    def show_plan(self, then: Then = _nothing) -> None:
        """Show what will be written, with conflicts to resolve."""
        dialog = PushDialog(self._bridge, self._window)

        def closed() -> None:
            if dialog.is_written:
                self._wrote(then)

        dialog.pushed.connect(self._wrote)
        dialog.finished.connect(closed)
        open_dialog(dialog)

    def _wrote(self, then: Then = _nothing) -> None:
        self.written.emit()
        self._count(then)

    def save_as(self, then: Then = _nothing) -> None:
        """Ask for a new file, and write the graph to it."""
        if self._typed.in_sight():
            self._typed.apply(lambda: self._ask_file(then))
        else:
            self._ask_file(then)

    def _ask_file(self, then: Then) -> None:
        filters = [f"{one.name} (*.{one.extension})" for one in FORMATS]
        dialog = QFileDialog(self._window, "Save as", self._folder())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(filters)
        dialog.setDefaultSuffix(FORMATS[0].extension)
        dialog.filterSelected.connect(lambda name: dialog.setDefaultSuffix(FORMATS[filters.index(name)].extension))
        dialog.selectFile(f"graph.{FORMATS[0].extension}")
        dialog.accepted.connect(lambda: self.write_to(Path(dialog.selectedFiles()[0]), then))
        open_dialog(dialog)

    def write_to(self, path: Path, then: Then = _nothing) -> None:
        """Write the graph to a new file, and open that file instead."""

        def done(_: tuple[SourceSummary, ...]) -> None:
            self._bridge.said.emit(f"Saved {path.name}")
            self.opened.emit((str(path),))
            then()

        self._bridge.run(
            partial(save_as, keep_draft=self._typed.number() > 0),
            path,
            title=f"Save {path.name}",
            on_result=done,
            closes=True,
        )

    def new(self) -> None:
        """Start an empty graph in place of what is open."""

        def begin() -> None:
            self._bridge.run(new_graph, title="New graph", closes=True)

        self.leave(begin)

    def discard(self, then: Then = _nothing) -> None:
        """Undo everything that is not written."""

        def done(step: EditStep | None) -> None:
            if step is not None:
                self._undo.push(step)
                self._bridge.said.emit(f"{step.words}. Undo takes this back")
            then()

        self._bridge.run(discard, title="Discard", on_result=done, writes=True)

    # Leaving

    @property
    def must_ask(self) -> bool:
        """Whether something is unsaved, or may be because it is not counted yet."""
        workspace = self._bridge.session.workspace
        if workspace is None or workspace.read_only_reason is not None:
            return False
        if workspace.revision != self.unwritten.revision:
            return True
        changed = self.unwritten.in_draft or workspace.revision > self._opened_at
        return self._typed.number() > 0 or (self.unwritten.total > 0 and changed)

    def leave(self, then: Then) -> None:
        """Ask what to do with unsaved changes, and go on unless the user cancels."""
        workspace = self._bridge.session.workspace
        if not self.must_ask:
            then()
        elif workspace is not None and workspace.revision != self.unwritten.revision:
            self._count(lambda: self._ask(then))
        else:
            self._ask(then)

    def _ask(self, then: Then) -> None:
        if not self.must_ask:
            then()
            return

        def chosen(choice: Leaving) -> None:
            if choice is Leaving.SAVE:
                self.save(then)
            elif choice is Leaving.DISCARD:
                self._typed.drop()
                self.discard(then)
            else:
                then()

        can_save = self.unwritten.total > 0 or self._typed.in_sight()
        dialog = LeaveDialog(self.unwritten, self._typed.number(), can_save, self._window)
        dialog.chosen.connect(chosen)
        open_dialog(dialog)

    # Counting

    def _graph_changed(self) -> None:
        workspace = self._bridge.session.workspace
        if self._bridge.workspace != self._workspace:
            self._workspace = self._bridge.workspace
            self._opened_at = workspace.revision if workspace is not None else 0
        self._count()

    def _count(self, then: Then = _nothing) -> None:
        """Count the changes, then go on. A later count replaces this one, and then goes on for both."""
        self._after.append(then)
        if self._bridge.workspace is None:
            self._bridge.drop("unwritten")
            self._take(NOTHING_UNWRITTEN)
        else:
            self._bridge.run(unwritten, title="Count the changes", on_result=self._take, replaces="unwritten")

    def _take(self, found: Unwritten) -> None:
        self.unwritten = found
        self.line.show_unwritten(found)
        self.counted.emit(found)
        after, self._after = self._after, []
        for then in after:
            then()


LONGEST = 64


class UnwrittenLine(QWidget):
    """Such as "3 changes not saved to my.ttl: Review · Save · Discard"; hidden if everything is saved.

    Args:
        review, save, discard: called when the words are clicked.

    Attributes:
        text: the sentence.
    """

    def __init__(
        self, review: Callable[[], None], save: Callable[[], None], discard: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._sign = Label()
        self._words = Label()
        self.text = ""
        row = row_in(self, GRID, 0, GRID, 0, spacing=GRID)
        row.addWidget(self._sign)
        row.addWidget(self._words)
        self._links: list[LinkBlock] = []
        for number, act in enumerate((review, save, discard)):
            if number:
                row.addWidget(Label("·"))
            link = LinkBlock("")
            link.clicked.connect(lambda _=False, act=act: act())
            row.addWidget(link, 0, Qt.AlignmentFlag.AlignVCenter)  # it writes at its top
            self._links.append(link)
        self.hide()
        self._dress()
        on_theme(self._dress)

    def show_unwritten(self, found: Unwritten) -> None:
        """Show the changes, or nothing if there are none."""
        self.text = f"{found.words}:" if found.total else ""
        self._words.setText(brief(self.text, LONGEST))
        self._words.setToolTip(plain_tip(f"{found.figures}\n{', '.join(found.names)}"))
        for link, name in zip(
            self._links, ("Review", "Save" if found.has_file else "Save as…", "Discard"), strict=True
        ):
            link.say(name)
            link.setAccessibleName(f"{name}: {found.words}")
        self.setVisible(bool(found.total))

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self._sign.setPixmap(icon("edit", current_theme().accent).pixmap(QSize(14, 14)))


class Leaving(Enum):
    """What to do with unsaved changes."""

    SAVE = "Save"
    KEEP = "Keep as draft"
    DISCARD = "Discard"


class LeaveDialog(QDialog):
    """Asks what to do with changes before they are closed.

    Args:
        found: the changes.
        forms: the number of forms with entries that are not in the graph yet.
        can_save: whether there is something to save.

    Signals:
        chosen(Leaving): the answer; the dialog is closed. Nothing if the user cancelled.
    """

    chosen = Signal(object)

    def __init__(self, found: Unwritten, forms: int, can_save: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Unsaved changes")
        self.setMinimumWidth(56 * GRID)
        column = dialog_column(self)
        first, *others = _explained(found, forms)
        column.addWidget(TextBlock(first, weight=600))
        for line in others:
            column.addWidget(TextBlock(line, muted=True))
        column.addSpacing(GRID)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addStretch(1)
        for choice in (Leaving.DISCARD, None, Leaving.KEEP, Leaving.SAVE):
            if choice is Leaving.SAVE and not can_save:
                continue
            name = "Cancel" if choice is None else choice.value
            if choice is Leaving.KEEP and not found.in_draft:
                name = "Keep in the workspace"
            if choice is Leaving.SAVE and found.total and not found.has_file:
                name = "Save as…"
            button = QPushButton(name)
            button.setAccessibleName(name)
            button.clicked.connect(lambda _=False, choice=choice: self._choose(choice))
            row.addWidget(button)
            if choice is Leaving.DISCARD:
                row.addSpacing(2 * GRID)
        button.setDefault(True)
        button.setFocus(Qt.FocusReason.OtherFocusReason)
        column.addLayout(row)

    def _choose(self, choice: Leaving | None) -> None:
        if choice is None:
            self.reject()
        else:
            self.accept()
            self.chosen.emit(choice)


def _explained(found: Unwritten, forms: int) -> list[str]:
    keeper = "A draft" if found.in_draft else "The workspace"
    one = (found.total or forms) == 1
    again = f"on this computer. You can go on with {'it' if one else 'them'} when you open the graph again."
    if not found.total:
        typed = f"You typed into {counted(forms, 'form')} and did not apply {'it' if one else 'them'}"
        return [typed, f"{keeper} keeps what you typed {again}"]
    lines = [f"{found.words[0].upper()}{found.words[1:]}", f"{keeper} keeps {'it' if one else 'them'} {again}"]
    if forms:
        lines.append(f"You also typed into {counted(forms, 'form')}. What you typed there is kept too.")
    return lines
