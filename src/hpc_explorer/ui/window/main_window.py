"""The main window creates the features and connects their signals."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow

from hpc_explorer.app.journal.saving import Unwritten
from hpc_explorer.app.lineage.main_entity import main_entity
from hpc_explorer.app.settings import Settings
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ExplorerError
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.ask.controller import AskController
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import chosen_resource, open_graph
from hpc_explorer.ui.bridge.jobs import JobsBridge
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.navigator import Navigator, Place, View
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.page import ViewPage
from hpc_explorer.ui.capture.controller import RunsController
from hpc_explorer.ui.changes.history import HistoryController
from hpc_explorer.ui.explore.class_view import ClassView
from hpc_explorer.ui.explore.inference import InferenceController
from hpc_explorer.ui.explore.opening import PlaceOpener
from hpc_explorer.ui.explore.overview import GraphOverview
from hpc_explorer.ui.explore.search import SEARCH
from hpc_explorer.ui.export.commands import ExportCommands
from hpc_explorer.ui.export.controller import ExportController
from hpc_explorer.ui.fair.controller import FairController
from hpc_explorer.ui.fair.controllers import FairControllers
from hpc_explorer.ui.graph.tab import GraphTab
from hpc_explorer.ui.home.controller import HomeController
from hpc_explorer.ui.imports.controller import ImportsController
from hpc_explorer.ui.lineage.answers import LineageQuestions
from hpc_explorer.ui.lineage.commands import lineage_commands
from hpc_explorer.ui.lineage.reproduce import ReproduceController
from hpc_explorer.ui.lineage.time import TimeController
from hpc_explorer.ui.monitor.controller import OWN, REACHING, MonitorController
from hpc_explorer.ui.monitor.watching import WatchController
from hpc_explorer.ui.query.controller import QueryController
from hpc_explorer.ui.questions.controller import QuestionsController
from hpc_explorer.ui.results.answers import Answers
from hpc_explorer.ui.share.share import ShareController
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.window import layout
from hpc_explorer.ui.window.answers_age import AnswersAge
from hpc_explorer.ui.window.appearance import Appearance
from hpc_explorer.ui.window.dialogs import show_values
from hpc_explorer.ui.window.drops import Drops
from hpc_explorer.ui.window.editing import EditControllers
from hpc_explorer.ui.window.job_status import JobStatus
from hpc_explorer.ui.window.menus import MENU_BAR
from hpc_explorer.ui.window.node_menu import open_node_menu
from hpc_explorer.ui.window.opener import Opener
from hpc_explorer.ui.window.own_commands import window_commands
from hpc_explorer.ui.window.panes import Panes
from hpc_explorer.ui.window.presenter import Presenter
from hpc_explorer.ui.window.tour import TOUR_MODEL, Tour
from hpc_explorer.ui.window.zoom import drawn_picture, zoom_commands


class MainWindow(QMainWindow):
    """The main window of one session, which it closes.

    Attributes:
        search, browser, pictures, inspector, banner, start_page, jobs, answers_age, size_label: its parts.
        presenter: shows the navigator's place in the picture and the inspector.
        home: the home page of the graph; reproducing: how a resource was made.
        overview: counts and names of what is open.
        classes: the class view.
        runs: the progress of recorded runs.
        monitor: jobs over time, measurements and anomalies.
        time: the lineage as of a time.
        answers: shows answers in their own tab; questions: asks about lineage.
        ready_questions: questions with parameters.
        editing: changes the graph; form, changes, checks: its pages.
        from_files: converts tables and describes model files.
        histories: the history of a resource.
        appearance: the theme; looks: the appearance of classes.
        inference: runs inference and explains its results.
    """

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self.setWindowTitle("HPC Explorer[*]")
        self._may_close = False
        self._preferences = Preferences(settings)
        self._bridge = bridge = SessionBridge(session, self)
        self.navigator = Navigator(self)
        self.commands = Actions(self)
        self.appearance = Appearance(session, self._preferences, lambda: self.graph.own_looks(), self)
        self.looks = self.appearance.looks
        self._panes = panes = Panes(bridge, self.commands, self._preferences, self)
        self.setCentralWidget(panes)
        self.search, self.browser, self.banner = panes.search, panes.browser, panes.banner
        self.start_page, self.pictures, self.inspector = panes.start_page, panes.pictures, panes.inspector
        self._build_features()
        self.inspector.come_last()
        self._connect()
        self._declare_commands()
        self._panes.set_widths(layout.restore(self, self._preferences))
        self.appearance.parts.add(self.menuBar(), self.statusBar(), *panes.parts)
        self.appearance.use()
        self._show_whether_empty()
        self.presenter.show_all()
        if settings.problem is not None:
            self.banner.show_error("Read the settings", settings.problem)

    @property
    def bridge(self) -> SessionBridge:
        """The open session, and what is asked of it."""
        return self._bridge

    @property
    def jobs_bridge(self) -> JobsBridge:
        """The background jobs."""
        return self._bridge.jobs

    @property
    def is_busy(self) -> bool:
        """Whether something is loading or being laid out."""
        return (
            self._bridge.is_busy
            or self.browser.classes.is_unfolding
            or self.inspector.is_filling
            or self._ask.has(lambda ask: ask.is_waiting)()
            or self.editing.is_waiting
            or self.monitor.is_loading
            or self.pictures.is_showing
            or self.appearance.parts.is_applying
            or any(canvas.is_laying_out() for canvas in self.pictures.canvases.values())
        )

    def run(self, command_id: str) -> None:
        """Run a command by id, if it can run now."""
        self.commands.run(command_id)

    def open_sources(self, names: Sequence[str]) -> None:
        """Open files, folders and samples in addition to the open ones."""
        self.opener.add(names)

    # Building

    def _build_features(self) -> None:
        bridge, navigator, commands, pictures = self._bridge, self.navigator, self.commands, self.pictures
        self._ask, self._assessing = Late(self._make_ask), Late(self._make_fair)
        pictures.add_late(View.ASK, self._ask.get)
        pictures.add_late(View.FAIR, self._assessing.get)
        banner, folder = self.banner, self._preferences.folder
        tree, matches = self.browser.classes, self._preferences.matches_content
        self.opener = Opener(bridge, banner, self._preferences, lambda then: self.editing.saving.leave(then), self)
        self.presenter = Presenter(bridge, navigator, pictures, self.inspector, matches, self)
        self.graph = GraphTab(bridge, navigator, pictures.graph, commands, self)
        undo, chosen = self.graph.controller.undo, self.graph.commands.chosen_resources
        self.editing = EditControllers(bridge, navigator, pictures.edit, commands, banner, undo, folder, chosen, self)
        self.form, self.changes, self.checks = self.editing.form, self.editing.changes, self.editing.checks
        self.saving = self.editing.saving
        self.answers = Answers(bridge, pictures.answer, pictures.recipe, navigator, banner, folder, self)
        self.reproducing = ReproduceController(bridge, navigator, pictures.recipe, self)
        self.english = AskController(bridge, navigator, folder, self)
        self.ready_questions = QuestionsController(bridge, self.browser, self.answers, self)

        self.from_files = ImportsController(bridge, navigator, banner, undo, folder, self._open_beside, self)
        self.histories = HistoryController(bridge, navigator, self.inspector, self)
        self.classes = ClassView(bridge, navigator, pictures.classes, self.browser, self._preferences.settings, self)
        self.runs = RunsController(bridge, navigator, self)
        pictures.add(View.RUNS, ViewPage(self.runs.page, lambda: self.runs.page.tree))
        self.monitor = MonitorController(
            bridge, navigator, undo, commands.actions(*REACHING), commands.actions(*OWN), folder, self
        )
        self.watching = WatchController(bridge, undo, self._preferences, self)
        self.watching.state_changed.connect(self.monitor.show_watched)
        self.watching.grew.connect(self.monitor.follow)
        self.opener.watch_wanted.connect(self.watching.start)
        pictures.add(View.MONITOR, ViewPage(self.monitor.place))
        self.overview = GraphOverview(
            bridge, self.browser, self.classes, self.looks, self._preferences, self.saving.leave, self
        )
        self.home = HomeController(
            bridge,
            navigator,
            pictures.home,
            self._preferences,
            self.ready_questions.open,
            self.form.continue_unsaved,
            self,
        )
        self.questions = LineageQuestions(
            bridge, self.answers, navigator, tree, lambda: self.graph.commands.chosen, self
        )
        self.time = TimeController(bridge, navigator, pictures.lineage, matches, self)
        self.inference = InferenceController(bridge, banner, self.inspector, navigator, self)
        self.exporter = ExportController(bridge, banner, folder, self)
        self.changes.export_wanted.connect(self.exporter.export_edits)
        self._export = ExportCommands(
            self.exporter, bridge, navigator, self.inspector, tree, self._panes.canvas, lambda: self.presenter.lineage
        )
        self.place_opener = PlaceOpener(bridge, navigator, self)
        self.share = ShareController(bridge, navigator, self.inspector, banner, folder, self)
        self.tour = Tour(banner, self.run, lambda: navigator.open(TOUR_MODEL), self)
        self._drops = Drops(self.opener.open, self.from_files, self)
        self.jobs = JobStatus(bridge.jobs)
        self.size_label = self.overview.size_label
        self.answers_age = AnswersAge(bridge, commands.action("source.refresh"))
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.setFixedHeight(4 * GRID)
        bar.addWidget(self.jobs, 1)
        bar.addPermanentWidget(self.saving.line)
        bar.addPermanentWidget(self.answers_age)
        bar.addPermanentWidget(self.size_label)

    def _declare_commands(self) -> None:
        """Add the commands of all features; within a section, a menu keeps this order."""
        bridge, commands = self._bridge, self.commands
        graph, resource = open_graph(bridge), chosen_resource(bridge, self.navigator)
        picture, turning = drawn_picture(bridge, self._panes.canvas), self.graph.commands
        questions = self.browser.questions
        for declared in (
            self.opener.commands(),
            self.overview.commands(),
            self.from_files.commands(),
            self.histories.commands(),
            self.editing.commands(turning.take_back, turning.do_again),
            self.navigator.commands(resource),
            self._export.commands(picture),
            self.share.commands(),
            self.place_opener.commands(),
            zoom_commands(self._panes.canvas, picture),
            self._panes.commands(),
            self.classes.commands(),
            self.appearance.commands(),
            lineage_commands(bridge, self.navigator, self.presenter.phases, self._preferences, self.presenter.show_all),
            self.answers.commands(),
            self.time.commands(),
            self.inference.commands(),
            self.looks.commands(graph, lambda: self.appearance.show_looks(self.browser.class_iri)),
            self._panes.top_bar.commands(graph),
            self.english.commands(),
            self.ready_questions.commands(),
            self.graph.commands.commands(),
            self.questions.commands(),
            QueryController.commands(
                self._ask, bridge, self.navigator, self.browser.classes.current_class, lambda: questions.chosen
            ),
            FairControllers.commands(self._assessing, bridge, self.navigator),
            self.monitor.commands(),
            self.watching.commands(),
            self.jobs.commands(),
            window_commands(commands, self._preferences, self.tour, self),
        ):
            commands.add(declared)
        commands.fill(self.menuBar(), MENU_BAR)
        self.start_page.show_samples(self.opener.sample_commands())
        self._show_recent()

    def _connect(self) -> None:
        bridge, go, refresh = self._bridge, self.navigator, self._refresh
        bridge.updated.connect(refresh)
        self._panes.sides_changed.connect(refresh)
        self.monitor.offered.connect(lambda views: self.pictures.offer(views, go.place))
        bridge.said.connect(self._say)
        bridge.failed.connect(self.banner.show_error)
        bridge.wrote_to.connect(self._preferences.remember_folder)
        self._bridge.graph_changed.connect(self._graph_changed)
        # The message of an earlier step would seem to belong to the error.
        self.banner.failed.connect(self.statusBar().clearMessage)
        self.search.opened.connect(self._leave_search)
        self.search.asked.connect(self.english.ask)
        self.search.given_up.connect(lambda: bridge.drop(SEARCH))
        self.browser.opened.connect(go.open)
        self.start_page.chosen.connect(self.run)
        self.presenter.values_wanted.connect(
            lambda one, incoming: show_values(bridge, self.inspector.view, one, incoming, go.open, self)
        )
        self.presenter.menu_wanted.connect(lambda at: open_node_menu(self.commands, go.place.view, at, self))
        self.english.query_wanted.connect(lambda text, title: self.ask.open_text(text, title))
        self.english.draw_wanted.connect(self.graph.commands.draw_found)
        self.english.save_wanted.connect(self.ready_questions.save)
        self.browser.classes.chosen.connect(refresh)
        self.browser.questions.currentRowChanged.connect(refresh)
        self.browser.questions.listed.connect(self.home.show_questions)
        self.overview.counted.connect(self.home.show_classes)
        self.home.page.describe_wanted.connect(lambda: self.run("edit.describe"))
        self.form.editor.named.connect(self.presenter.name_new)
        self.form.typed.changed.connect(lambda: self.home.show_unsaved(self.form.typed.rows()))
        go.moved.connect(lambda place, before: self._panes.show_place(place))
        self._panes.top_bar.level_wanted.connect(go.show_level)
        self.presenter.classes_wanted.connect(self.classes.draw)
        self.presenter.class_group_wanted.connect(self.classes.open_more)
        self.overview.named.connect(self._show_names)
        self.saving.counted.connect(self._show_unwritten)
        self.saving.opened.connect(self._preferences.remember_sources)
        self.saving.opened.connect(lambda _: self._show_recent())
        self.jobs.shown.connect(refresh)
        self.jobs.stopped.connect(lambda title: self._say(f"Stopped: {title}"))
        self.opener.changed.connect(self._show_whether_empty)
        self.opener.opened.connect(self._opened)
        self.opener.opened.connect(self.editing.drafts.opened)
        self.presenter.traced.connect(self.time.follow)
        self.time.phases_wanted.connect(self.presenter.phases.show_as_of)
        self.checks.field_wanted.connect(self.form.edit_field)
        self.looks.changed.connect(self._use_looks)
        self.looks.done.connect(self.graph.controller.undo.push)
        self.looks.view_changed.connect(self.graph.controller.restyle)
        self.presenter.phases.stepped.connect(self.graph.controller.undo.push)
        self.presenter.phases.plot_wanted.connect(self.questions.plot_sections)
        self.looks.offer_in(self.browser.classes, self.appearance.show_looks, self.commands.actions("ask.class"))
        for legend in self.pictures.legends.values():
            legend.looks_wanted.connect(self.appearance.show_look)

    # Pages that are made when they are first shown

    @property
    def ask(self) -> QueryController:
        """The query tab."""
        return self._ask.get()

    @property
    def assessing(self) -> FairControllers:
        """The FAIR assessments."""
        return self._assessing.get()

    @property
    def fair(self) -> FairController:
        """The assessment of the chosen resource."""
        return self.assessing.controller

    def _make_ask(self) -> QueryController:
        graph, questions = self.graph, self.browser.questions
        ask = QueryController(self._bridge, self.navigator, self.commands, graph.controller.undo, self)
        ask.tab.rows.folder = self._preferences.folder
        ask.tab.rows.wrote.connect(lambda path: self._preferences.remember_folder(str(path.parent)))
        ask.tab.show_questions(questions.questions)
        questions.listed.connect(ask.tab.show_questions)
        ask.draw_wanted.connect(graph.commands.draw_found)
        ask.save_wanted.connect(self.ready_questions.save)
        self._add_late(View.ASK, ViewPage(ask.tab))
        return ask

    def _make_fair(self) -> FairControllers:
        undo, folder = self.graph.controller.undo, self._preferences.folder

        def ask_about_results() -> None:
            self._panes.show_pane("browser")
            self.ready_questions.go_to("fair-")

        made = FairControllers(
            self._bridge,
            self.navigator,
            self.commands,
            self.banner,
            undo,
            folder,
            self._open_beside,
            ask_about_results,
            self,
        )
        made.controller.field_wanted.connect(self.form.edit_field)
        self._add_late(View.FAIR, ViewPage(made.tab, lambda: made.tab.front))
        return made

    def _open_beside(self, name: str) -> None:
        self.open_sources([name])

    def _add_late(self, view: View, page: ViewPage) -> None:
        self.pictures.add(view, page)
        self.appearance.parts.add(*self.pictures.parts)
        self.inspector.come_last()

    # What is open

    def _opened(self, names: tuple[str, ...]) -> None:
        self._show_recent()
        if len(self._bridge.sources) == len(names):
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)
            self._bridge.run(
                main_entity,
                title="Look for the main entity",
                on_result=self._show_main_entity,
                on_error=lambda error: None,  # the home page is shown
                replaces="main entity",
            )

    def _show_main_entity(self, entity: Resource | None) -> None:
        """Show the lineage of what a crate is about, unless the user has gone elsewhere."""
        if entity is not None and self.navigator.place == Place():
            self.navigator.trace(entity, downstream=False)

    def _show_recent(self) -> None:
        recent = self.opener.recent_commands()
        self.commands.set_recent(recent)
        self.start_page.show_recent(recent)

    def _graph_changed(self) -> None:
        """Reload everything that is shown."""
        self.graph.saved_views.follow()
        self._show_whether_empty()
        self.classes.forget()
        if self._bridge.is_empty:
            self.navigator.reset()
        self.overview.ask()
        self.presenter.show_all()

    def _show_whether_empty(self) -> None:
        empty, opening = self._bridge.is_empty, self.opener.opening
        self._panes.show_parts(start=empty and not opening, empty=empty)
        self._panes.show_place(self.navigator.place)
        if empty and opening:
            self.pictures.say(f"Opening {opening[0]} …")
        self.search.set_remote(self._bridge.is_remote)
        self.search.set_usable(not empty, self.commands.action("go.search").shortcut())
        if empty:
            self.setWindowModified(False)
            self.setWindowTitle("HPC Explorer[*]")
            self.editing.drafts.look_for_all(self.start_page.show_drafts)
        self._refresh()

    def _show_names(self, names: str) -> None:
        self.setWindowTitle(f"{names}[*] — HPC Explorer")
        self.setWindowModified(self.saving.unwritten.total > 0)

    def _show_unwritten(self, found: Unwritten) -> None:
        if "[*]" in self.windowTitle():
            self.setWindowModified(found.total > 0)
        self.browser.sources.show_unwritten(found.changes)

    def _leave_search(self, ref: ResourceRef) -> None:
        if self.navigator.place.view is not View.CLASSES or not self._show_class(ref.resource):
            self.navigator.open(ref.resource)
        self.pictures.front.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_class(self, resource: Resource) -> bool:
        """Select a class in the class view, also one that is hidden; returns whether it is a class."""
        if self.classes.choose(resource):
            return True
        once = Qt.ConnectionType.SingleShotConnection
        connection = self.browser.classes.arranged.connect(lambda: self.classes.choose(resource), once)
        if self.overview.reveal(resource):
            return True
        self.browser.classes.arranged.disconnect(connection)
        return False

    # What is said, and what can be done

    def _say(self, text: str) -> None:
        self.statusBar().showMessage(text, 4000)

    def _refresh(self) -> None:
        self.commands.set_title("go.compare_with", self.questions.compare_title)
        self.commands.refresh()

    def _use_looks(self, other_classes: bool) -> None:
        if other_classes and not self._bridge.is_empty:
            self.overview.ask()
            self.presenter.show_all()
            self.graph.controller.redraw()

    def quit_now(self) -> None:
        """Close the window without a question; unsaved changes stay in their draft."""
        self._may_close = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.saving.must_ask and not self._may_close:
            event.ignore()
            self.saving.leave(self.quit_now)
            return
        self._preferences.settings = self.classes.remembered(self._preferences.settings)
        layout.keep(self, self._panes.widths, self._preferences)
        try:
            self._preferences.settings.save()
        except ExplorerError as error:
            sys.stderr.write(f"hpc-explorer: {error}\n")  # where it can still be read
        self.graph.saved_views.flush()
        self.form.typed.close()
        self._bridge.close()
        self.runs.close()
        self.watching.close()
        event.accept()
