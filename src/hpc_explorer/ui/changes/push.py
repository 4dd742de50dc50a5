"""Pushing from the window: the dialog, and the work in other threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.annotate.pushing.values import Choice, Conflict, PushPlan, PushReport
from hpc_explorer.app.jobs import Job
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.push import give_left, push
from hpc_explorer.app.journal.push_viewing import PlanView, planned_push
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.commands import Command, edited_workspace
from hpc_explorer.ui.bridge.jobs import Failed
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.changes.push_dialog import PushDialog


class PushController(QObject):
    """Plans and does a push for the dialog.

    Signals:
        pushed(): something was written.
    """

    pushed = Signal()

    def __init__(self, bridge: SessionBridge, window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._window = window
        self._job: Job[Any] | None = None

    def commands(self) -> tuple[Command, ...]:
        """What pushes."""
        return (
            Command("file.push", "Push…", "File", 2, "F9", "push")
            .runs(self.ask, edited_workspace(self._bridge))
            .about(
                "Write what was edited into the files and endpoints it came from, after a look at what they say now."
            ),
        )

    def ask(self) -> None:
        """Show what a push would do, and do it when all is decided."""
        dialog = PushDialog(self, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def plan(self, done: Callable[[PlanView], None], failed: Failed) -> None:
        """Look at everything and say what would be done."""

        self._job = self._bridge.run(
            planned_push, title="Look at what would be pushed", on_result=done, on_error=failed, writes=True
        )

    def push(
        self,
        plan: PushPlan,
        choices: Mapping[Conflict, Choice],
        rewrite: bool,
        done: Callable[[PushReport], None],
        failed: Failed,
    ) -> None:
        """Do it."""

        def told(report: PushReport) -> None:
            self.pushed.emit()
            done(report)

        self._job = self._bridge.run(
            partial(push, rewrite=rewrite), plan, choices, title="Push", on_result=told, on_error=failed, writes=True
        )

    def give(self, plan: PushPlan, graph: NamedNode, done: Callable[[EditStep | None], None], failed: Failed) -> None:
        """Give what belongs to no source to one; a step that can be taken back."""
        self._job = self._bridge.run(
            give_left,
            plan,
            graph,
            title="Give statements to a source",
            on_result=done,
            on_error=failed,
            writes=True,
        )

    def stop(self) -> None:
        """Stop what is being done; what is written already stays so, target by target."""
        if self._job is not None:
            self._bridge.jobs.forget(self._job)
