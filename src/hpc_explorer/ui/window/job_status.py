"""The left end of the status bar: the current job, its progress, and a button to stop it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QToolButton, QWidget

from hpc_explorer.app.jobs import Job, JobState
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.bridge.jobs import JobsBridge
from hpc_explorer.ui.widgets.dialog_parts import row_in
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.progress_bar import ProgressLine
from hpc_explorer.ui.widgets.theme import GRID, current_theme, icon, on_theme
from hpc_explorer.ui.widgets.timers import single_shot

PATIENCE = 250
"""Milliseconds before a job is shown."""


class JobStatus(QWidget):
    """Shows the oldest unfinished job after `PATIENCE`; Escape stops it.

    Signals:
        shown(): the display of a job began or ended.
        stopped(str): the title of a job that the user stopped, after it ended.
    """

    shown = Signal()
    stopped = Signal(str)

    def __init__(self, bridge: JobsBridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._job: Job[Any] | None = None
        self._text = Label(parent=self)
        self._bar = ProgressLine("Progress", self)
        self._bar.setFixedSize(15 * GRID, 4)
        self._percent = Label(parent=self)
        self._percent.setProperty("role", "muted")
        self._stop = QToolButton(self)
        self._stop.setAccessibleName("Stop this work")
        self._stop.setToolTip("Stop (Escape)")
        self._stop.clicked.connect(self.cancel)
        self._stopping: set[int] = set()
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self._escape.activated.connect(self.cancel)
        self._escape.setEnabled(False)
        row = row_in(self, GRID, 0, 0, 0, spacing=GRID)
        for widget in (self._text, self._bar, self._percent, self._stop):
            row.addWidget(widget)
            widget.hide()
        self._patience = single_shot(self, PATIENCE, self._show)
        bridge.changed.connect(self._follow)
        self._dress()
        on_theme(self._dress)

    def commands(self) -> tuple[Command, ...]:
        """The command that stops work."""
        return (
            Command("job.stop", "Stop work", "File", 3, "Ctrl+.", "stop")
            .runs(self.cancel, Need("work under way", lambda: self.is_shown))
            .about("Stop the current work; what is open stays as it was."),
        )

    @property
    def text(self) -> str:
        """The shown text; empty if no job is shown."""
        return self._text.text() if self._text.isVisible() else ""

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self._stop.setIcon(icon("close", current_theme().muted))

    @property
    def is_shown(self) -> bool:
        """Whether a job is shown."""
        return self._job is not None

    def cancel(self) -> None:
        """Stop the shown job."""
        if self._job is not None:
            self._stopping.add(self._job.number)
            self._job.cancel()
            self._show()

    def _follow(self, job: Job[Any]) -> None:
        if job.state.finished and job.number in self._stopping:
            self._stopping.discard(job.number)
            if job.state is JobState.CANCELLED:
                self.stopped.emit(job.title)
        if not self._bridge.active():
            self._patience.stop()
            self._show()
        elif self._text.isVisible():
            self._show()
        elif not self._patience.isActive():
            self._patience.start()

    def _show(self) -> None:
        active = self._bridge.active()
        before = self._job
        self._job = active[0] if active else None
        if (before is None) != (self._job is None):
            self._escape.setEnabled(self._job is not None)
            self.shown.emit()
        for widget in (self._text, self._bar, self._percent, self._stop):
            widget.setVisible(self._job is not None)
        if self._job is None:
            return
        progress = self._job.progress
        waiting = "waiting" if self._job.state is JobState.WAITING else progress.text
        if self._job.number in self._stopping:
            waiting = "stopping …"
        others = f" (and {len(active) - 1} more)" if len(active) > 1 else ""
        title = ": ".join(part for part in (self._job.title, waiting) if part)
        self._text.setText(title + others)
        self._percent.setVisible(progress.fraction is not None)
        self._bar.show_fraction(progress.fraction)
        if progress.fraction is not None:
            self._percent.setText(f"{round(100 * progress.fraction)} %")
