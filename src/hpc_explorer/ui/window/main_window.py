"""The main window: its title, its panes, its menus and status bar, and what happens when it closes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow

from hpc_explorer.app.journal.saving import Unwritten
from hpc_explorer.app.settings import Settings
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ExplorerError
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.window import layout
from hpc_explorer.ui.window.answers_age import AnswersAge
from hpc_explorer.ui.window.features import Features
from hpc_explorer.ui.window.job_status import JobStatus
from hpc_explorer.ui.window.menus import MENU_BAR
from hpc_explorer.ui.window.own_commands import window_commands
from hpc_explorer.ui.window.panes import Panes

_NAME = "HPC Explorer"


class MainWindow(QMainWindow):
    """The main window of one session, which it closes.

    Attributes:
        navigator: the place that is shown; commands: all commands.
        search, browser, pictures, inspector, banner, start_page, jobs, answers_age: its parts.
        features: what it can do.
    """

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self.setWindowTitle(f"{_NAME}[*]")
        self._may_close = False
        self._preferences = Preferences(settings)
        self._bridge = bridge = SessionBridge(session, self)
        self.navigator = Navigator(self)
        self.commands = Actions(self)
        self._panes = panes = Panes(bridge, self.commands, self._preferences, self)
        self.setCentralWidget(panes)
        self.search, self.browser, self.banner = panes.search, panes.browser, panes.banner
        self.start_page, self.pictures, self.inspector = panes.start_page, panes.pictures, panes.inspector
        self.features = Features(bridge, self.navigator, self.commands, self._preferences, panes, self)
        self.jobs = JobStatus(bridge.jobs)
        self.answers_age = AnswersAge(bridge, self.commands.action("source.refresh"))
        self._fill_status_bar()
        self._connect()
        self._add_commands()
        panes.set_widths(layout.restore(self, self._preferences))
        appearance = self.features.appearance
        appearance.parts.add(self.menuBar(), self.statusBar(), *panes.parts)
        appearance.use()
        self._show_whether_empty()
        self.features.presenter.show_all()
        if settings.problem is not None:
            self.banner.show_error("Read the settings", settings.problem)

    @property
    def bridge(self) -> SessionBridge:
        """The open session, and what is asked of it."""
        return self._bridge

    @property
    def is_busy(self) -> bool:
        """Whether something is loading or being laid out."""
        return (
            self._bridge.is_busy
            or self.features.is_busy
            or self.browser.classes.is_unfolding
            or self.inspector.is_filling
            or self.pictures.is_showing
            or any(canvas.is_laying_out() for canvas in self.pictures.canvases.values())
        )

    def run(self, command_id: str) -> None:
        """Run a command by id, if it can run now."""
        self.commands.run(command_id)

    def open_sources(self, names: Sequence[str]) -> None:
        """Open files, folders and samples in addition to the open ones."""
        self.features.opener.add(names)

    def _fill_status_bar(self) -> None:
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.setFixedHeight(4 * GRID)
        bar.addWidget(self.jobs, 1)
        for part in (self.features.saving.line, self.answers_age, self.features.overview.size_label):
            bar.addPermanentWidget(part)

    def _add_commands(self) -> None:
        for declared in self.features.commands():
            self.commands.add(declared)
        self.commands.add(self.jobs.commands())
        self.commands.add(window_commands(self.commands, self._preferences, self.features.tour, self))
        self.commands.fill(self.menuBar(), MENU_BAR)
        self.start_page.show_samples(self.features.opener.sample_commands())
        self._show_recent()

    def _connect(self) -> None:
        bridge, features, refresh = self._bridge, self.features, self._refresh
        bridge.updated.connect(refresh)
        bridge.said.connect(self._say)
        bridge.failed.connect(self.banner.show_error)
        bridge.wrote_to.connect(self._preferences.remember_folder)
        bridge.graph_changed.connect(self._graph_changed)
        # The message of an earlier step would seem to belong to the error.
        self.banner.failed.connect(self.statusBar().clearMessage)
        self._panes.sides_changed.connect(refresh)
        self._panes.top_bar.level_wanted.connect(self.navigator.show_level)
        self.navigator.moved.connect(lambda place, before: self._panes.show_place(place))
        self.start_page.chosen.connect(self.run)
        self.browser.classes.chosen.connect(refresh)
        self.browser.questions.currentRowChanged.connect(refresh)
        self.jobs.shown.connect(refresh)
        self.jobs.stopped.connect(lambda title: self._say(f"Stopped: {title}"))
        features.overview.named.connect(self._show_names)
        features.saving.counted.connect(self._show_unwritten)
        features.saving.opened.connect(self._preferences.remember_sources)
        features.saving.opened.connect(lambda _: self._show_recent())
        features.opener.changed.connect(self._show_whether_empty)
        features.opener.opened.connect(lambda _: self._show_recent())

    # What is open

    def _show_recent(self) -> None:
        recent = self.features.opener.recent_commands()
        self.commands.set_recent(recent)
        self.start_page.show_recent(recent)

    def _graph_changed(self) -> None:
        """Reload everything that is shown."""
        self.features.graph.saved_views.follow()
        self._show_whether_empty()
        self.features.classes.forget()
        if self._bridge.is_empty:
            self.navigator.reset()
        self.features.overview.ask()
        self.features.presenter.show_all()

    def _show_whether_empty(self) -> None:
        empty, opening = self._bridge.is_empty, self.features.opener.opening
        self._panes.show_parts(start=empty and not opening, empty=empty)
        self._panes.show_place(self.navigator.place)
        if empty and opening:
            self.pictures.say(f"Opening {opening[0]} …")
        self.search.set_remote(self._bridge.is_remote)
        self.search.set_usable(not empty, self.commands.action("go.search").shortcut())
        if empty:
            self.setWindowModified(False)
            self.setWindowTitle(f"{_NAME}[*]")
            self.features.editing.drafts.look_for_all(self.start_page.show_drafts)
        self._refresh()

    def _show_names(self, names: str) -> None:
        self.setWindowTitle(f"{names}[*] — {_NAME}")
        self.setWindowModified(self.features.saving.unwritten.total > 0)

    def _show_unwritten(self, found: Unwritten) -> None:
        if "[*]" in self.windowTitle():
            self.setWindowModified(found.total > 0)
        self.browser.sources.show_unwritten(found.changes)

    # What is said, and what can be done

    def _say(self, text: str) -> None:
        self.statusBar().showMessage(text, 4000)

    def _refresh(self) -> None:
        self.commands.set_title("go.compare_with", self.features.questions.compare_title)
        self.commands.refresh()

    def quit_now(self) -> None:
        """Close the window without a question; unsaved changes stay in their draft."""
        self._may_close = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        saving = self.features.saving
        if saving.must_ask and not self._may_close:
            event.ignore()
            saving.leave(self.quit_now)
            return
        self._preferences.settings = self.features.classes.remembered(self._preferences.settings)
        layout.keep(self, self._panes.widths, self._preferences)
        try:
            self._preferences.settings.save()
        except ExplorerError as error:
            sys.stderr.write(f"hpc-explorer: {error}\n")  # where it can still be read
        self.features.close()
        event.accept()
