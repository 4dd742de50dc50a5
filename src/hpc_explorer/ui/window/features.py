"""The features of the window: each is created once, declares its commands, and is connected to the others here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMainWindow

from hpc_explorer.app.lineage.main_entity import main_entity
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.ask.controller import AskController
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command, chosen_resource, open_graph
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
from hpc_explorer.ui.window.appearance import Appearance
from hpc_explorer.ui.window.dialogs import show_values
from hpc_explorer.ui.window.drops import Drops
from hpc_explorer.ui.window.editing import EditControllers
from hpc_explorer.ui.window.node_menu import open_node_menu
from hpc_explorer.ui.window.opener import Opener
from hpc_explorer.ui.window.panes import Panes
from hpc_explorer.ui.window.presenter import Presenter
from hpc_explorer.ui.window.tour import TOUR_MODEL, Tour
from hpc_explorer.ui.window.zoom import drawn_picture, zoom_commands


class Features(QObject):
    """The features of a window. The query tab and the FAIR assessments are created when they are first shown.

    Attributes:
        appearance: the theme, and the looks of classes.
        presenter: shows the navigator's place in the picture and the inspector.
        opener: opens sources.
        graph: the *Graph* tab.
        editing: changes the graph; form, changes, checks, saving: its parts.
        answers: shows answers in their own tab; questions: asks about lineage.
        reproducing: how a resource was made.
        english: questions in English.
        ready_questions: questions with parameters.
        from_files: converts tables and describes model files.
        histories: the history of a resource.
        classes: the class view.
        runs: the progress of recorded runs.
        monitor: jobs over time, measurements and anomalies; watching: live measurements.
        overview: counts and names of what is open.
        home: the home page of the graph.
        time: the lineage as of a time.
        inference: runs inference and explains its results.
        exporter: writes files.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        commands: Actions,
        preferences: Preferences,
        panes: Panes,
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self._bridge, self._navigator, self._commands = bridge, navigator, commands
        self._preferences, self._panes, self._window = preferences, panes, window
        banner, pictures, browser, inspector = panes.banner, panes.pictures, panes.browser, panes.inspector
        self._ask, self._assessing = Late(self._make_ask), Late(self._make_fair)
        pictures.add_late(View.ASK, self._ask.get)
        pictures.add_late(View.FAIR, self._assessing.get)
        tree, matches, folder = browser.classes, preferences.matches_content, preferences.folder
        self.appearance = Appearance(bridge.session, preferences, lambda: self.graph.own_looks(), window)
        self.opener = Opener(bridge, banner, preferences, lambda then: self.saving.leave(then), window)
        self.presenter = Presenter(bridge, navigator, pictures, inspector, matches, window)
        self.graph = GraphTab(bridge, navigator, pictures.graph, commands, window)
        undo, chosen = self.graph.controller.undo, self.graph.commands.chosen_resources
        self.editing = EditControllers(bridge, navigator, pictures.edit, commands, banner, undo, folder, chosen, window)
        self.form, self.changes, self.checks = self.editing.form, self.editing.changes, self.editing.checks
        self.saving = self.editing.saving
        self.answers = Answers(bridge, pictures.answer, pictures.recipe, navigator, banner, folder, window)
        self.reproducing = ReproduceController(bridge, navigator, pictures.recipe, window)
        self.english = AskController(bridge, navigator, folder, window)
        self.ready_questions = QuestionsController(bridge, browser, self.answers, window)
        self.from_files = ImportsController(bridge, navigator, banner, undo, folder, self._open_beside, window)
        self.histories = HistoryController(bridge, navigator, inspector, window)
        self.classes = ClassView(bridge, navigator, pictures.classes, browser, preferences.settings, window)
        self.runs = RunsController(bridge, navigator, window)
        pictures.add(View.RUNS, ViewPage(self.runs.page, lambda: self.runs.page.tree))
        own, reaching = commands.actions(*OWN), commands.actions(*REACHING)
        self.monitor = MonitorController(bridge, navigator, undo, reaching, own, folder, window)
        self.watching = WatchController(bridge, undo, preferences, window)
        pictures.add(View.MONITOR, ViewPage(self.monitor.place))
        self.overview = GraphOverview(
            bridge, browser, self.classes, self.appearance.looks, preferences, self.saving.leave, window
        )
        open_question, unsaved = self.ready_questions.open, self.form.continue_unsaved
        self.home = HomeController(bridge, navigator, pictures.home, preferences, open_question, unsaved, window)
        self.questions = LineageQuestions(
            bridge, self.answers, navigator, tree, lambda: self.graph.commands.chosen, window
        )
        self.time = TimeController(bridge, navigator, pictures.lineage, matches, window)
        self.inference = InferenceController(bridge, banner, inspector, navigator, window)
        self.exporter = ExportController(bridge, banner, folder, window)
        self._export = ExportCommands(
            self.exporter, bridge, navigator, inspector, tree, panes.canvas, lambda: self.presenter.lineage
        )
        self.place_opener = PlaceOpener(bridge, navigator, window)
        self.share = ShareController(bridge, navigator, inspector, banner, folder, window)
        self.tour = Tour(banner, commands.run, lambda: navigator.open(TOUR_MODEL), window)
        self._drops = Drops(self.opener.open, self.from_files, window)
        inspector.come_last()
        self._connect()

    @property
    def is_busy(self) -> bool:
        """Whether a feature is loading something."""
        return (
            self._ask.has(lambda ask: ask.is_waiting)()
            or self.editing.is_waiting
            or self.monitor.is_loading
            or self.appearance.parts.is_applying
        )

    def close(self) -> None:
        """Keep what is to be kept, and stop what runs."""
        self.graph.saved_views.flush()
        self.form.typed.close()
        self._bridge.close()
        self.runs.close()
        self.watching.close()

    def commands(self) -> Iterator[Sequence[Command]]:
        """The commands of all features; within a section, a menu keeps this order."""
        bridge, navigator, panes = self._bridge, self._navigator, self._panes
        graph, resource = open_graph(bridge), chosen_resource(bridge, navigator)
        picture, turning = drawn_picture(bridge, panes.canvas), self.graph.commands
        looks, browser = self.appearance.looks, panes.browser
        yield self.opener.commands()
        yield self.overview.commands()
        yield self.from_files.commands()
        yield self.histories.commands()
        yield self.editing.commands(turning.take_back, turning.do_again)
        yield navigator.commands(resource)
        yield self._export.commands(picture)
        yield self.share.commands()
        yield self.place_opener.commands()
        yield zoom_commands(panes.canvas, picture)
        yield panes.commands()
        yield self.classes.commands()
        yield self.appearance.commands()
        yield lineage_commands(bridge, navigator, self.presenter.phases, self._preferences, self.presenter.show_all)
        yield self.answers.commands()
        yield self.time.commands()
        yield self.inference.commands()
        yield looks.commands(graph, lambda: self.appearance.show_looks(browser.class_iri))
        yield panes.top_bar.commands(graph)
        yield self.english.commands()
        yield self.ready_questions.commands()
        yield self.graph.commands.commands()
        yield self.questions.commands()
        current_class, chosen = browser.classes.current_class, browser.questions
        yield QueryController.commands(self._ask, bridge, navigator, current_class, lambda: chosen.chosen)
        yield FairControllers.commands(self._assessing, bridge, navigator)
        yield self.monitor.commands()
        yield self.watching.commands()

    def _connect(self) -> None:
        bridge, go, panes, window = self._bridge, self._navigator, self._panes, self._window
        self._connect_parts()
        self.watching.state_changed.connect(self.monitor.show_watched)
        self.watching.grew.connect(self.monitor.follow)
        self.opener.watch_wanted.connect(self.watching.start)
        self.opener.opened.connect(self._show_opened)
        self.opener.opened.connect(self.editing.drafts.opened)
        self.changes.export_wanted.connect(self.exporter.export_edits)
        self.monitor.offered.connect(lambda views: panes.pictures.offer(views, go.place))
        self.english.query_wanted.connect(lambda text, title: self.ask.open_text(text, title))
        self.english.draw_wanted.connect(self.graph.commands.draw_found)
        self.english.save_wanted.connect(self.ready_questions.save)
        self.overview.counted.connect(self.home.show_classes)
        self.home.page.describe_wanted.connect(lambda: self._commands.run("edit.describe"))
        self.form.editor.named.connect(self.presenter.name_new)
        self.form.typed.changed.connect(lambda: self.home.show_unsaved(self.form.typed.rows()))
        self.presenter.values_wanted.connect(
            lambda one, incoming: show_values(bridge, panes.inspector.view, one, incoming, go.open, window)
        )
        self.presenter.menu_wanted.connect(lambda at: open_node_menu(self._commands, go.place.view, at, window))
        self.presenter.classes_wanted.connect(self.classes.draw)
        self.presenter.class_group_wanted.connect(self.classes.open_more)
        self.presenter.traced.connect(self.time.follow)
        self.presenter.phases.stepped.connect(self.graph.controller.undo.push)
        self.presenter.phases.plot_wanted.connect(self.questions.plot_sections)
        self.time.phases_wanted.connect(self.presenter.phases.show_as_of)
        self.checks.field_wanted.connect(self.form.edit_field)
        looks = self.appearance.looks
        looks.changed.connect(self._use_looks)
        looks.done.connect(self.graph.controller.undo.push)
        looks.view_changed.connect(self.graph.controller.restyle)

    def _connect_parts(self) -> None:
        """Connect search, browser and legends with the features."""
        panes, bridge = self._panes, self._bridge
        panes.search.opened.connect(self._leave_search)
        panes.search.asked.connect(self.english.ask)
        panes.search.given_up.connect(lambda: bridge.drop(SEARCH))
        panes.browser.opened.connect(self._navigator.open)
        panes.browser.questions.listed.connect(self.home.show_questions)
        as_class = self._commands.actions("ask.class")
        self.appearance.looks.offer_in(panes.browser.classes, self.appearance.show_looks, as_class)
        for legend in panes.pictures.legends.values():
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
        graph, questions = self.graph, self._panes.browser.questions
        ask = QueryController(self._bridge, self._navigator, self._commands, graph.controller.undo, self._window)
        ask.tab.rows.folder = self._preferences.folder
        ask.tab.rows.wrote.connect(lambda path: self._preferences.remember_folder(str(path.parent)))
        ask.tab.show_questions(questions.questions)
        questions.listed.connect(ask.tab.show_questions)
        ask.draw_wanted.connect(graph.commands.draw_found)
        ask.save_wanted.connect(self.ready_questions.save)
        self._add_late(View.ASK, ViewPage(ask.tab))
        return ask

    def _make_fair(self) -> FairControllers:
        undo, folder, banner = self.graph.controller.undo, self._preferences.folder, self._panes.banner

        def ask_about_results() -> None:
            self._panes.show_pane("browser")
            self.ready_questions.go_to("fair-")

        made = FairControllers(
            self._bridge,
            self._navigator,
            self._commands,
            banner,
            undo,
            folder,
            self._open_beside,
            ask_about_results,
            self._window,
        )
        made.controller.field_wanted.connect(self.form.edit_field)
        self._add_late(View.FAIR, ViewPage(made.tab, lambda: made.tab.front))
        return made

    def _add_late(self, view: View, page: ViewPage) -> None:
        self._panes.pictures.add(view, page)
        self.appearance.parts.add(*self._panes.pictures.parts)
        self._panes.inspector.come_last()

    def _open_beside(self, name: str) -> None:
        self.opener.add([name])

    # One feature leads to another

    def _show_opened(self, names: tuple[str, ...]) -> None:
        if len(self._bridge.sources) == len(names):
            self._panes.search.setFocus(Qt.FocusReason.OtherFocusReason)
            self._bridge.run(
                main_entity,
                title="Look for the main entity",
                on_result=self._show_main_entity,
                on_error=lambda error: None,  # the home page is shown
                replaces="main entity",
            )

    def _show_main_entity(self, entity: Resource | None) -> None:
        """Show the lineage of what a crate is about, unless the user has gone elsewhere."""
        if entity is not None and self._navigator.place == Place():
            self._navigator.trace(entity, downstream=False)

    def _leave_search(self, ref: ResourceRef) -> None:
        if self._navigator.place.view is not View.CLASSES or not self._show_class(ref.resource):
            self._navigator.open(ref.resource)
        self._panes.pictures.front.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_class(self, resource: Resource) -> bool:
        """Select a class in the class view, also one that is hidden; returns whether it is a class."""
        if self.classes.choose(resource):
            return True
        once, tree = Qt.ConnectionType.SingleShotConnection, self._panes.browser.classes
        connection = tree.arranged.connect(lambda: self.classes.choose(resource), once)
        if self.overview.reveal(resource):
            return True
        tree.arranged.disconnect(connection)
        return False

    def _use_looks(self, other_classes: bool) -> None:
        if other_classes and not self._bridge.is_empty:
            self.overview.ask()
            self.presenter.show_all()
            self.graph.controller.redraw()
