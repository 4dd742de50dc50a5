"""Undo and redo: picture steps run at once, graph edits in a job."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.bridge.session import SessionBridge


class EditUndo(QObject):
    """Undoes and redoes edits of the graph."""

    def __init__(self, undo: UndoStack, bridge: SessionBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._undo, self._bridge = undo, bridge
        self._turning = False

    def commands(self, take_back: Callable[[], None], do_again: Callable[[], None]) -> tuple[Command, ...]:
        """The commands.

        Args:
            take_back, do_again: undo and redo steps that are not edits.
        """
        done = Need("a step to undo", lambda: self._undo.undo_words is not None)
        undone = Need("a step to redo", lambda: self._undo.redo_words is not None)
        return (
            Command("edit.undo", "Undo", "Edit", 0, "Ctrl+Z", "undo")
            .runs(lambda: self._take_back(take_back), done)
            .about("Undo the last step."),
            Command("edit.redo", "Redo", "Edit", 0, "Ctrl+Shift+Z", "redo")
            .runs(lambda: self._do_again(do_again), undone)
            .about("Redo the last undone step."),
        )

    def _take_back(self, other: Callable[[], None]) -> None:
        step = self._undo.last
        if isinstance(step, EditStep):
            self._turn("Undo", step, step.undo, self._undo.mark_undone)
        else:
            other()

    def _do_again(self, other: Callable[[], None]) -> None:
        step = next(iter(self._undo.undone), None)
        if isinstance(step, EditStep):
            self._turn("Redo", step, step.redo, self._undo.mark_redone)
        else:
            other()

    def _turn(self, verb: str, step: EditStep, turn: Callable[[], None], mark: Callable[[EditStep], None]) -> None:
        if self._turning:
            return  # another step is running
        self._turning = True

        def done(_: None) -> None:
            self._turning = False
            mark(step)
            self._bridge.said.emit(f"{verb}: {step.words}")

        def failed(error: BaseException) -> None:
            self._turning = False
            self._bridge.failed.emit(verb, error)

        self._bridge.jobs.run(turn, title=f"{verb} {step.words}", on_result=done, on_error=failed, writes=True)
