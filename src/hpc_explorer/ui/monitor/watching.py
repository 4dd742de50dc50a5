"""Watches files and servers of measurements, shows how old the newest point is, and tells of anomalies that begin."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QSystemTrayIcon, QWidget

from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.monitor.desktop_notice import show_on_desktop
from hpc_explorer.app.monitor.watched_events import tell, words_of
from hpc_explorer.app.monitor.watching import Growth, Watch, start_watch
from hpc_explorer.app.settings import Settings
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled, EndpointUnreachable, ExplorerError
from hpc_explorer.monitor.live import is_live_address, live_address
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.ui.bridge.commands import Command, Need, open_graph
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.dialog_parts import add_answers, browse_row, dialog_column, fit_height, open_dialog
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot
from hpc_explorer.ui.widgets.typed_path import typed_path

EVERY, LATER = 5_000, 30_000
"""Milliseconds between two looks, and after one at which a source could not be read."""

BEGAN = "An anomaly began"

START, LOOK = "start to watch", "look at measurements"
"""The names of the requests."""


class WatchDialog(QDialog):
    """Asks for a file or an address to watch."""

    def __init__(self, folder: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Watch measurements")
        self.setFixedWidth(64 * GRID)
        self._folder = folder
        column = dialog_column(self)
        column.addWidget(caption("File or address"))
        self.line = QLineEdit()
        self.line.setPlaceholderText("influx://host:8086/database")
        column.addLayout(browse_row(self.line, "File or address", self._browse))
        self.problem = TextBlock("", muted=True)
        column.addWidget(self.problem)
        about = (
            "A file that grows, influx://HOST:8086/DATABASE, or amqp://HOST:5672/QUEUE. What is new is kept beside the "
            "graph, and anomalies are looked for. The command “hpc-explorer login” keeps passwords."
        )
        column.addWidget(TextBlock(about, muted=True))
        column.addSpacing(GRID)
        self.watch_button = add_answers(self, column, "Watch")
        self.line.textChanged.connect(self._look)
        self._column = column
        self._look()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def name(self) -> str:
        """What to watch."""
        text = self.line.text().strip()
        return text if is_live_address(text) else str(typed_path(text))

    def _look(self) -> None:
        text, problem = self.line.text().strip(), ""
        if is_live_address(text):
            try:
                live_address(text)
            except ExplorerError as error:
                problem = f"{error.remedy[:1].upper()}{error.remedy[1:]}."
        self.problem.say(problem)
        self.problem.setVisible(bool(problem))
        fit_height(self, self._column)
        self.watch_button.setEnabled(bool(text) and not problem)

    def _browse(self) -> None:
        dialog = QFileDialog(self, "Watch a file", self._folder)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.line.setText)
        open_dialog(dialog)


@dataclass(frozen=True)
class _Looked:
    """The result of a look.

    Args:
        grown: what is new.
        problems: what could not be told to a program or broker.
        unseen: what no service of the desktop took.
    """

    grown: tuple[Growth, ...]
    problems: tuple[str, ...]
    unseen: tuple[str, ...]


def _look(session: Session, watch: Watch, settings: Settings, *, limits: Limits = NO_LIMITS) -> _Looked:
    grown = tuple(watch.look(limits))
    begun = [news for one in grown for news in one.news if news.begins]
    problems = tuple(problem for news in begun for problem in tell(news, settings))
    shown = [words_of(news) for news in begun] if settings.anomaly_desktop else []
    return _Looked(grown, problems, tuple(text for text in shown if not show_on_desktop(BEGAN, text)))


def _close(session: Session, watch: Watch) -> None:
    watch.close()


class WatchController(QObject):
    """Watches one file or server at a time.

    Attributes:
        state: what is watched and how old the newest point is; empty if nothing is watched.

    Signals:
        grew(float): there are new points; the time of the newest, in seconds since 1970.
        state_changed(str): the new `state`.
    """

    grew = Signal(float)
    state_changed = Signal(str)

    def __init__(
        self,
        bridge: SessionBridge,
        undo: UndoStack,
        preferences: Preferences,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge, self._undo, self._preferences, self._window = bridge, undo, preferences, window
        self._watch: Watch | None = None
        self._workspace: Path | None = None
        self._newest: float | None = None
        self._problem = ""
        self._is_looking = False
        self.state = ""
        self._next = single_shot(self, EVERY, self._begin_look)
        self._clock = QTimer(self)
        self._clock.setInterval(1_000)
        self._clock.timeout.connect(self._tell_state)
        self._tray: QSystemTrayIcon | None = None
        bridge.graph_changed.connect(self._graph_changed)

    def commands(self) -> tuple[Command, ...]:
        """What it does."""
        watching = Need("measurements that are watched", lambda: self._watch is not None)
        return (
            Command("monitor.watch", "Watch measurements…", "File")
            .runs(self.choose, open_graph(self._bridge))
            .about("Follow a file that grows, an InfluxDB or an AMQP queue, and look for anomalies in what is new."),
            Command("monitor.unwatch", "Stop watching", "File")
            .runs(self.stop, watching)
            .about("Stop following measurements. What has come is kept."),
        )

    def choose(self) -> None:
        """Ask what to watch."""
        dialog = WatchDialog(self._preferences.folder(), self._window)
        dialog.accepted.connect(lambda: self.start(dialog.name))
        open_dialog(dialog)

    def start(self, name: str) -> None:
        """Watch a file or an address, in place of what was watched."""
        title = "Watch measurements"
        self.stop()

        def started(result: tuple[Watch, Any]) -> None:
            self._watch, resumed = result
            if resumed is not None:
                self._undo.take(None, resumed)
            self._workspace = self._bridge.workspace
            self._clock.start()
            self._bridge.updated.emit()
            self._begin_look()

        self._bridge.run(
            start_watch,
            [name],
            title=title,
            on_result=started,
            on_error=lambda error: self._report(title, error),
            replaces=START,
            writes=True,
        )

    def stop(self) -> None:
        """Watch nothing more."""
        watch, self._watch = self._watch, None
        self._next.stop()
        self._clock.stop()
        self._bridge.drop(START, LOOK)
        self._newest, self._problem = None, ""
        self._is_looking = False
        if watch is not None:
            # After a look that still runs.
            self._bridge.run(_close, watch, title="Stop watching", writes=True)
        self._tell_state()
        self._bridge.updated.emit()

    def look_now(self) -> None:
        """Look without waiting for the next time."""
        self._next.stop()
        self._begin_look()

    def close(self) -> None:
        """Close the connection; no job runs any more."""
        watch, self._watch = self._watch, None
        self._next.stop()
        self._clock.stop()
        if watch is not None:
            watch.close()

    def _begin_look(self) -> None:
        watch = self._watch
        if watch is None or self._is_looking:
            return
        self._is_looking = True

        def looked(found: _Looked) -> None:
            if self._watch is watch:
                self._is_looking = False
                self._take(found)
                self._next.start(LATER if self._problem else EVERY)

        def not_looked(error: BaseException) -> None:
            if self._watch is watch:
                self.stop()
                self._report("Watch measurements", error)

        self._bridge.run(
            _look,
            watch,
            self._preferences.settings,
            title="Look at measurements",
            on_result=looked,
            on_error=not_looked,
            replaces=LOOK,
            writes=True,
        )

    def _take(self, found: _Looked) -> None:
        for grown in found.grown:
            self._problem = grown.problem
            self._newest = grown.newest if grown.newest is not None else self._newest
            for step in (*grown.steps, *(news.step for news in grown.news)):
                self._keep(step)
            for news in grown.news:
                self._bridge.said.emit(words_of(news))
            if grown.lost:
                more = f", and {len(grown.lost) - 1:,} more" if len(grown.lost) > 1 else ""
                self._bridge.said.emit(f"Not all was read: {grown.lost[0]}{more}")
            if grown.new_points and grown.newest is not None:
                self.grew.emit(grown.newest)
        for text in found.unseen:
            self._show_in_tray(text)
        for problem in found.problems:
            self._bridge.failed.emit("Tell of an anomaly", EndpointUnreachable(problem, "", "see the settings"))
        self._tell_state()

    def _keep(self, step: EditStep | None) -> None:
        if step is not None:
            self._undo.take(step, None)

    def _tell_state(self) -> None:
        state = ""
        if self._watch is not None:
            age = (
                "" if self._newest is None else f"the newest point is {max(0.0, time.time() - self._newest):,.0f} s old"
            )
            parts = [f"cannot be read now, {self._problem}" if self._problem else "", age or "no point yet"]
            state = f"Watching {', '.join(self._watch.names)}: {'; '.join(part for part in parts if part)}."
        if state != self.state:
            self.state = state
            self.state_changed.emit(state)

    def _show_in_tray(self, text: str) -> None:
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(QApplication.windowIcon(), self)
            self._tray.setToolTip("HPC Explorer")
        self._tray.show()
        self._tray.showMessage(BEGAN, text)

    def _graph_changed(self) -> None:
        if self._watch is not None and (self._bridge.is_empty or self._bridge.workspace != self._workspace):
            self.stop()

    def _report(self, title: str, error: BaseException) -> None:
        if not isinstance(error, Cancelled):
            self._bridge.failed.emit(title, error)
