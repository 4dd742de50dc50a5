"""The window: panes around the picture, each told what to show, each click sent to the one place that handles it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QMainWindow,
    QWidget,
)

from hpc_explorer.app.commands import recent_commands, sample_commands, source_title
from hpc_explorer.app.explore.class_filter import is_mostly_schema
from hpc_explorer.app.explore.described import all_values
from hpc_explorer.app.explore.finding import resource_of_key
from hpc_explorer.app.explore.overview import Overview, overview
from hpc_explorer.app.export.choices import Extent
from hpc_explorer.app.lineage.phase_views import PhaseView
from hpc_explorer.app.lineage.section_plot import section_answer
from hpc_explorer.app.settings import Settings, ThemeChoice
from hpc_explorer.app.views import PropertyView, ResourceRef
from hpc_explorer.app.workspace.opening import sample_names
from hpc_explorer.app.workspace.replacing import close_all, close_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.palette import DARK, LIGHT, Theme
from hpc_explorer.errors import ExplorerError
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.jobs import JobsBridge
from hpc_explorer.ui.bridge.navigator import Navigator, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.changes.history import Histories
from hpc_explorer.ui.explore.browser import Browser
from hpc_explorer.ui.explore.class_toolbar import ClassSteering
from hpc_explorer.ui.explore.class_view import ClassView
from hpc_explorer.ui.explore.inference import Reasoner
from hpc_explorer.ui.explore.inspector import Inspector
from hpc_explorer.ui.explore.looks import LooksKeeper
from hpc_explorer.ui.explore.search import SEARCH, ask_search
from hpc_explorer.ui.export.controller import Exporter
from hpc_explorer.ui.fair.controllers import FairDesks, fair_tab
from hpc_explorer.ui.graph.tab import GraphTab
from hpc_explorer.ui.graph.toolbar import GraphBar
from hpc_explorer.ui.imports.controller import FromFiles
from hpc_explorer.ui.lineage.answers import LineageQuestions
from hpc_explorer.ui.lineage.time import TimeDesk
from hpc_explorer.ui.query.controller import AskDesk
from hpc_explorer.ui.query.tab import AskTab
from hpc_explorer.ui.questions.controller import ReadyQuestions
from hpc_explorer.ui.results.answers import Answers
from hpc_explorer.ui.widgets import theme as look
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.edit_tab import EditTab
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.search_box import SearchBox
from hpc_explorer.ui.widgets.tab_order import to_end
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.window.answers_age import AnswersAge
from hpc_explorer.ui.window.command_palette import CommandPalette
from hpc_explorer.ui.window.command_state import checked, present
from hpc_explorer.ui.window.dialogs import AboutDialog, KeyboardDialog, ValuesDialog
from hpc_explorer.ui.window.editing import EditDesks
from hpc_explorer.ui.window.job_status import JobStatus
from hpc_explorer.ui.window.node_menu import open_node_menu
from hpc_explorer.ui.window.opener import Opener, dropped_names, sorted_names
from hpc_explorer.ui.window.panes import Panes, go_to_next
from hpc_explorer.ui.window.presenter import Presenter
from hpc_explorer.ui.window.start_page import StartPage
from hpc_explorer.ui.window.top_bar import TopBar
from hpc_explorer.ui.window.views import PicturePane

FIRST_SIZE = (1360, 860)

ASK_BAR = (
    ("edit.undo", "edit.redo"),
    ("ask.new", "ask.count", "ask.sort", "ask.limit", "ask.distinct", "ask.save", "ask.draw"),
)
"""The buttons above a question that is built."""

INSPECTED = ("edit.resource", "go.upstream", "go.neighbours", "graph.add", "resource.history", "resource.export")
"""The buttons below the name of the chosen resource."""

_THEMES: dict[ThemeChoice, Callable[[], Theme]] = {
    "light": lambda: LIGHT,
    "dark": lambda: DARK,
    "system": look.system_theme,
}


class MainWindow(QMainWindow):
    """One window on one session, which it closes with itself.

    Attributes:
        navigator: where it is; every click on a resource goes there.
        commands: every command as an action.
        handlers: what each command does, by its id; `run` runs one.
        search, browser, pictures, inspector, banner, start_page, jobs, answers_age, size_label: its parts.
        presenter: keeps picture and inspector on the navigator's place.
        graph: the graph view.
        ask: the tab Ask.
        classes: keeps the picture of the classes and their tree alike.
        opener, exporter: read and write files.
        time: the lineage as of a moment.
        answers: asks questions whose answer has a tab of its own; questions: those of lineage among them.
        ready_questions: those with blanks to fill in.
        editing: all that changes the graph; form, changes, checks: its pages.
        assessing: how FAIR things are; fair: what is assessed of what is chosen.
        from_files: makes statements of tables, and of what models' files say.
        histories: how a resource became what it is.
        looks: how classes look, where the user chose it.
        reasoner: infers, and says why.
    """

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self.setWindowTitle("HPC Explorer")
        self.setAcceptDrops(True)
        self._settings = settings
        self._bridge = SessionBridge(session, self)
        self._only_used = settings.only_used_classes
        self.navigator = Navigator(self)
        self._samples = sample_commands(sample_names())
        self.commands = Actions(self, self._samples)
        self._build()
        self.presenter = Presenter(
            self._bridge, self.navigator, self.pictures, self.inspector, self._matches_content, self
        )
        self.graph = GraphTab(self._bridge, self.navigator, self.pictures.graph, self.commands, self)
        undo = self.graph.desk.undo
        self.ask = AskDesk(self._bridge, self.navigator, self.pictures.ask, self.commands, undo, self)
        self.pictures.ask.rows.folder = self._folder
        self.editing = EditDesks(
            self._bridge,
            self.navigator,
            self.pictures.edit,
            self.commands,
            self.banner,
            undo,
            self._folder,
            self.chosen_resources,
            partial(self.run, "changes.time"),
            self,
        )
        self.form, self.changes, self.checks = self.editing.form, self.editing.changes, self.editing.checks
        self.assessing = FairDesks(
            self._bridge,
            self.navigator,
            self.pictures.fair,
            self.banner,
            undo,
            self._folder,
            self._open_beside,
            self._ask_about_results,
            self,
        )
        self.fair = self.assessing.desk
        self.from_files = FromFiles(
            self._bridge,
            self.navigator,
            self.banner,
            undo,
            self._folder,
            lambda: self._theme,
            self._open_beside,
            self,
        )
        self.histories = Histories(self._bridge, self.navigator, self.inspector, lambda: self._theme, self)
        self.classes = ClassView(self._bridge, self.navigator, self.pictures.classes, self.browser, settings, self)
        self.opener = Opener(
            self._bridge,
            self.banner,
            self._folder,
            lambda: self._settings.recent_sources,
            lambda: self._theme,
            self,
        )
        self.answers = Answers(self._bridge, self.pictures.answer, self.navigator, self.banner, self._folder, self)
        self.questions = LineageQuestions(
            self._bridge,
            self.answers,
            self.navigator,
            self.browser.classes,
            lambda: self.graph.commands.chosen,
            self,
        )
        for name in ("view.as_of", "view.match_content"):
            self.pictures.lineage.toolbar.add_action(self.commands.by_id[name])
        self.time = TimeDesk(self._bridge, self.navigator, self.pictures.lineage, self._matches_content, self)
        self.ready_questions = ReadyQuestions(self._bridge, self.browser, self.answers, lambda: self._theme, self)
        self.reasoner = Reasoner(self._bridge, self.banner, self.inspector, self.navigator, self)
        self.exporter = Exporter(self._bridge, self.banner, self._folder, self)
        self.looks = LooksKeeper(session, settings.looks, self)
        to_end(self.inspector)
        self._connect()
        self._restore()
        self.handlers = self._bound()
        self.commands.wanted.connect(self.run)
        self._use_theme()
        self._use_recent()
        self._show_whether_empty()
        self.presenter.show_all()
        if settings.problem is not None:
            self.banner.show_error("Read the settings", settings.problem)

    @property
    def jobs_bridge(self) -> JobsBridge:
        """Runs work in threads for this window."""
        return self._bridge.jobs

    @property
    def is_busy(self) -> bool:
        """Whether something is being read, asked or laid out, so that what is in sight will change by itself."""
        return (
            self._bridge.is_busy
            or self.browser.classes.is_unfolding
            or self.inspector.is_filling
            or self.ask.is_waiting
            or self.editing.is_waiting
            or any(canvas.is_laying_out() for canvas in self.pictures.canvases.values())
        )

    # Building

    def _build(self) -> None:
        by_id = self.commands.by_id
        self.commands.fill(self.menuBar())
        self.search = SearchBox(partial(ask_search, self._bridge), self)
        self._top_bar = TopBar(self.commands, self.search)
        self.browser = Browser(self._bridge, by_id["view.only_used"])
        self.banner = Banner()
        self.start_page = StartPage(
            [by_id[name] for name in ("file.open", "file.open_folder", "file.open_address")], self._samples
        )
        self.pictures = PicturePane(
            [by_id[name] for name in ("view.zoom_out", "view.zoom_in", "view.fit")],
            GraphBar(by_id, self.commands.submenu("Graph/Arrange")),
            AskTab([[by_id[name] for name in group] for group in ASK_BAR]),
            EditTab(),
            fair_tab(by_id),
            [action for name, action in by_id.items() if name.startswith("answer.")],
            ClassSteering([action for name, action in by_id.items() if name.startswith("classes.")]),
        )
        self.inspector = Inspector(
            [by_id[name] for name in INSPECTED],
            by_id["resource.copy_iri"],
            LIGHT,
        )
        self._panes = Panes(self._top_bar, self.browser, self.banner, self.start_page, self.pictures, self.inspector)
        self.setCentralWidget(self._panes)
        self.jobs = JobStatus(self._bridge.jobs)
        self.size_label = Label()
        self.size_label.setFont(look.font(figures=True))
        self.size_label.setContentsMargins(0, 0, 2 * GRID, 0)
        self.size_label.setProperty("role", "muted")
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setFixedHeight(4 * GRID)
        self.statusBar().addWidget(self.jobs, 1)
        self.answers_age = AnswersAge(self._bridge, by_id["source.refresh"])
        self.statusBar().addPermanentWidget(self.answers_age)
        self.statusBar().addPermanentWidget(self.size_label)

    def _connect(self) -> None:
        go = self.navigator
        tabs = (self.graph, self.ask, self.editing, self.assessing)
        for tab in tabs:
            tab.changed.connect(self._update_actions)
        for part in (self.presenter, self.classes, self.answers, self.time):
            part.updated.connect(self._update_actions)
        for telling in (*tabs, self.answers, self.ready_questions, self.from_files):
            telling.said.connect(self._say)
        showing = (self.presenter, self.classes, self.time, self.ready_questions, self.histories)
        for trying in (*tabs, *showing, self.from_files):
            trying.failed.connect(self.banner.show_error)
        for writer in (self.exporter, self.editing, self.assessing, self.from_files, self.answers):
            writer.wrote_to.connect(self._remember_folder)
        self._bridge.graph_changed.connect(self._graph_changed)
        self._bridge.jobs.failed.connect(lambda job: self.banner.show_error(job.title, job.error))
        # What was said of the step before would read as if it were of this one.
        self.banner.failed.connect(self.statusBar().clearMessage)
        self.search.opened.connect(self._leave_search)
        self.search.given_up.connect(lambda: self._bridge.drop(SEARCH))
        self.browser.opened.connect(go.open)
        self.browser.sources.close_wanted.connect(self._close_source)
        self.start_page.chosen.connect(self.run)
        self.presenter.gone.connect(lambda iri: self._say(f"Nothing that is open speaks of {iri} any more"))
        self.presenter.values_wanted.connect(self._list_values)
        self.presenter.menu_wanted.connect(lambda at: open_node_menu(self.commands, go.place.view, at, self))
        self.ask.draw_wanted.connect(self._draw_rows)
        self.ask.save_wanted.connect(self.ready_questions.save)
        self.pictures.ask.rows.wrote.connect(lambda path: self._remember_folder(str(path.parent)))
        self.browser.classes.chosen.connect(self._update_actions)
        self.browser.questions.currentRowChanged.connect(self._update_actions)
        self.browser.questions.listed.connect(self.pictures.ask.show_questions)
        self.browser.questions.addAction(self.commands.by_id["ask.question"])
        self.presenter.classes_wanted.connect(self.classes.draw)
        self.presenter.class_group_wanted.connect(self.classes.open_more)
        self.classes.tree_wanted.connect(self._ask_overview)
        self.jobs.shown.connect(self._update_actions)
        self.jobs.stopped.connect(lambda title: self._say(f"Stopped: {title}"))
        self.reasoner.changed.connect(self._mark_choices)
        self.opener.changed.connect(self._show_whether_empty)
        self.opener.opened.connect(self._opened)
        self.opener.looked_in.connect(self._remember_folder)
        self.questions.changed.connect(self._update_actions)
        self.presenter.traced.connect(self.time.follow)
        self.time.phases_wanted.connect(self.presenter.phases.show_as_of)
        self.opener.opened.connect(self.editing.drafts.opened)
        self.fair.field_wanted.connect(self.form.edit_field)
        self.looks.changed.connect(self._use_looks)
        self.looks.done.connect(self.graph.desk.undo.push)
        self.looks.view_changed.connect(self.graph.desk.restyle)
        self.presenter.phases.stepped.connect(self.graph.desk.undo.push)
        self.presenter.phases.plot_wanted.connect(self._plot_sections)
        self.looks.offer_in(self.browser.classes, self._show_looks, [self.commands.by_id["ask.class"]])
        for legend in self.pictures.legends.values():
            legend.looks_wanted.connect(lambda key: self._show_looks(self.looks.class_of_look(self._theme, key)))
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._use_theme)

    def _bound(self) -> dict[str, Callable[[], None]]:
        """What each command does."""
        go = self.navigator
        return {
            "file.open": self.opener.choose_files,
            "file.open_folder": self.opener.choose_folder,
            "file.open_address": self.opener.choose_address,
            "file.open_workspace": self.opener.choose_workspace,
            "file.load": self.opener.choose_load,
            **self.from_files.handlers(),
            "job.stop": self.jobs.cancel,
            "source.refresh": self._refresh,
            "source.close": self.browser.sources.close_current,
            "file.close_all": self._close_all,
            "file.export": lambda: self._export(Extent.LINEAGE if go.place.view is View.LINEAGE else Extent.GRAPH),
            "file.export_picture": lambda: self._show_dialog(
                self.exporter.ask_picture(self.pictures.canvas, self.pictures.view.value)
            ),
            "edit.copy_picture": lambda: self.exporter.copy_picture(self.pictures.canvas, self._say),
            "file.quit": lambda: _done(self.close()),
            "view.explore": lambda: go.show_view(View.EXPLORE),
            "view.lineage": lambda: go.show_view(View.LINEAGE),
            **self.graph.handlers(),
            **self.editing.handlers(self.graph.handlers()),
            "view.classes": lambda: go.show_view(View.CLASSES),
            "classes.branch": self.classes.toggle_branch,
            "classes.open_all": self.classes.open_all,
            "classes.close_all": self.classes.close_all,
            "classes.inferred": self.classes.toggle_inferred,
            "classes.properties": self.classes.toggle_properties,
            "classes.instances": self.classes.toggle_instances,
            "view.as_of": self.time.toggle,
            "view.ask": lambda: go.show_view(View.ASK),
            **self.ask.handlers(),
            "view.fair": lambda: go.show_view(View.FAIR),
            **self.assessing.handlers(),
            **self.histories.handlers(),
            "ask.class": self._ask_about_class,
            "ask.question": self._build_on_question,
            "view.answer": lambda: go.show_view(View.ANSWER),
            "view.edit": lambda: go.show_view(View.EDIT),
            **{
                f"answer.save:{kind}": partial(self.answers.save, f".{kind}")
                for kind in ("csv", "json", "md", "jsonld", "zip")
            },
            "answer.copy": self.answers.copy,
            "answer.iris": self.answers.toggle_iris,
            "view.zoom_in": lambda: self.pictures.canvas.zoom_in(),
            "view.zoom_out": lambda: self.pictures.canvas.zoom_out(),
            "view.fit": lambda: self.pictures.canvas.fit(),
            "view.zoom_selection": lambda: self.pictures.canvas.zoom_to_selection(),
            "view.browser": lambda: self._toggle_pane("browser"),
            "view.inspector": lambda: self._toggle_pane("inspector"),
            "view.only_used": self._toggle_only_used,
            "view.inferred": self.reasoner.toggle,
            "view.match_content": self._toggle_match_content,
            "view.whole_lineage": lambda: self.navigator.draw_whole(not self.navigator.place.whole),
            "view.phases": lambda: self.navigator.draw_phases(self.presenter.phases.view is None),
            "lineage.plot": self.presenter.phases.plot,
            "view.looks": lambda: self._show_looks(self.browser.class_iri),
            "theme.system": lambda: self._choose_theme("system"),
            "theme.light": lambda: self._choose_theme("light"),
            "theme.dark": lambda: self._choose_theme("dark"),
            "view.full_screen": lambda: self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen),
            "go.back": go.back,
            "go.forward": go.forward,
            "go.search": lambda: self.search.setFocus(Qt.FocusReason.ShortcutFocusReason),
            "go.questions": self.ready_questions.go_to_list,
            "go.neighbours": lambda: go.explore(go.place.selected),
            "go.upstream": lambda: go.trace(go.place.selected, downstream=False),
            "go.downstream": lambda: go.trace(go.place.selected, downstream=True),
            **self.questions.handlers(),
            "resource.copy_iri": self._copy_iri,
            "resource.export": lambda: self._export(Extent.RESOURCE),
            "go.next_pane": lambda: self._go_to_pane(1),
            "go.previous_pane": lambda: self._go_to_pane(-1),
            "help.palette": self._show_palette,
            "help.keyboard": lambda: self._show_dialog(KeyboardDialog(self.commands.commands, self)),
            "help.about": lambda: self._show_dialog(AboutDialog(self)),
        }

    def run(self, command_id: str) -> None:
        """Run a command by its id, as a menu, a key or the palette does; one that cannot be run now is left."""
        verb, _, argument = command_id.partition(":")
        if command_id not in self.commands.usable:
            self._mark_choices()
        elif verb == "sample.open":
            self.open_sources([f"sample:{argument}"])
        elif verb == "recent.open":
            self.open_sources([argument])
        else:
            self.handlers[command_id]()
            self._mark_choices()

    # Opening and closing

    def open_sources(self, names: Sequence[str]) -> None:
        """Open files, folders and samples beside what is open."""
        self.opener.open(names)

    def _open_beside(self, name: str) -> None:
        self.open_sources([name])

    def _opened(self, names: tuple[str, ...]) -> None:
        self._settings = self._settings.with_recent(names)
        self._use_recent()
        if len(self._bridge.sources) == len(names):
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _close_source(self, graph: NamedNode) -> None:
        if self._bridge.workspace is not None:
            self._close_all()
        else:
            self._bridge.run(close_sources, [graph], title="Close", writes=True)

    def _refresh(self) -> None:
        self._bridge.run(Session.refresh, title="Refresh", closes=True)

    def _close_all(self) -> None:
        self._bridge.run(close_all, title="Close", closes=True)

    def _ask_about_results(self) -> None:
        if "browser" in self._settings.hidden_panes:
            self._toggle_pane("browser")
        self.ready_questions.go_to("fair-")

    def _folder(self) -> str:
        return self._settings.last_folder if Path(self._settings.last_folder or "/none/").is_dir() else str(Path.home())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_names(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        names = dropped_names(event.mimeData())
        if names:
            event.acceptProposedAction()
            wanted = sorted_names(names)
            if wanted.sources:
                self.open_sources(wanted.sources)
            self.from_files.take(wanted.tables, wanted.models)

    def _graph_changed(self) -> None:
        """What is shown of the old graph is asked for anew."""
        self.graph.keeper.follow()
        self._show_whether_empty()
        self.classes.forget()
        if self._bridge.is_empty:
            self.navigator.reset()
            self.browser.show_classes((), only_used=self._only_used)
            self.browser.show_sources(())
            self.size_label.setText("")
        else:
            self._ask_overview()
        self.presenter.show_all()

    def _ask_overview(self) -> None:
        self._bridge.run(
            partial(overview, with_inferred=self.classes.with_inferred),
            title="Count the classes",
            on_result=self._take_overview,
            replaces="overview",
        )

    def _take_overview(self, graph: Overview) -> None:
        self.browser.show_sources(graph.sources)
        self.looks.set_classes(graph.classes)
        self._only_used = self._settings.only_used_classes and not is_mostly_schema(graph.classes)
        self.browser.show_classes(graph.classes, only_used=self._only_used)
        self._mark_choices()
        inferred = f", {graph.inferred:,} inferred" if graph.inferred else ""
        self.size_label.setText(f"{graph.triples} triples{inferred}")
        names = [source_title(source.name) for source in graph.sources]
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        self.setWindowTitle(f"{shown} – HPC Explorer")

    def _show_whether_empty(self) -> None:
        empty = self._bridge.is_empty
        opening = self.opener.opening
        self._panes.show_parts(start=empty and not opening, empty=empty, hidden=self._settings.hidden_panes)
        if empty and opening:
            self.pictures.say(f"Opening {opening[0]} …")
        self.search.set_remote(self._bridge.is_remote)
        self.search.set_usable(not empty, self.commands.by_id["go.search"].shortcut())
        if empty:
            self.setWindowTitle("HPC Explorer")
        self._update_actions()

    # What panes ask for

    def _leave_search(self, ref: ResourceRef) -> None:
        if self.navigator.place.view is not View.CLASSES or not self.classes.choose(ref.resource):
            self.navigator.open(ref.resource)
        self.pictures.front.setFocus(Qt.FocusReason.OtherFocusReason)

    def _plot_sections(self, view: PhaseView, key: str) -> None:
        self.answers.ask(
            "Plot the values",
            partial(section_answer, view=view, key=key),
        )

    def _list_values(self, one: PropertyView, incoming: bool) -> None:
        view = self.inspector.view
        if view is None:
            return

        def show(whole: PropertyView) -> None:
            dialog = ValuesDialog(whole, self._theme, self)
            dialog.opened.connect(self.navigator.open)
            self._show_dialog(dialog)

        self._bridge.run(
            all_values,
            view.ref.resource,
            one,
            incoming,
            title=f"List all {one.label}",
            on_result=show,
            replaces="dialog",
        )

    def chosen_resources(self) -> tuple[Resource, ...]:
        """The resources that are chosen: the nodes of the graph view, while it is in sight, or the one described."""
        place = self.navigator.place
        nodes = self.graph.commands.chosen if place.view is View.GRAPH else ()
        if nodes:
            return tuple(map(resource_of_key, nodes))
        return () if place.selected is None else (place.selected,)

    def _draw_rows(self, resources: list[Resource]) -> None:
        """Put what a question found into the graph view."""
        self.navigator.show_view(View.GRAPH)
        self.graph.desk.add(resources, f"draw {len(resources):,} found resources")

    def _ask_about_class(self) -> None:
        node = self.browser.classes.current_class()
        if node is not None:
            self.ask.ask_about(node)

    def _build_on_question(self) -> None:
        question = self.browser.questions.chosen
        if question is not None:
            self.ask.open_question(question)

    def _export(self, proposed: Extent) -> None:
        focus = self.pictures.canvas.scene().focus()
        label = focus.label if focus is not None else ""
        # In the other pictures a card may stand for a class or for many things.
        drawn = self.pictures.view in (View.EXPLORE, View.GRAPH)
        selected = sorted(self.pictures.canvas.selected_keys()) if drawn else []
        self._show_dialog(
            self.exporter.dialog(
                proposed,
                self.inspector.view,
                self.presenter.lineage,
                label,
                [resource_of_key(key) for key in selected],
                self.browser.classes.current_class(),
            )
        )

    def _copy_iri(self) -> None:
        if self.navigator.place.selected is not None:
            iri = iri_text(self.navigator.place.selected)
            QGuiApplication.clipboard().setText(iri)
            self._say(f"Copied {iri}")

    def _say(self, text: str) -> None:
        self.statusBar().showMessage(text, 4000)

    def _remember_folder(self, folder: str) -> None:
        self._settings = replace(self._settings, last_folder=folder)

    # How it looks

    def _choose_theme(self, choice: ThemeChoice) -> None:
        self._settings = replace(self._settings, theme=choice)
        self._use_theme()

    def _use_theme(self) -> None:
        self._theme = self.looks.themed(_THEMES[self._settings.theme]())
        application = QApplication.instance()
        if isinstance(application, QApplication):
            look.apply(application, self._theme)
        parts = (self.commands, self._top_bar, self.browser, self.banner, self.pictures, self.inspector, self.jobs)
        for part in (*parts, self.graph, self.questions, self.assessing):
            part.set_theme(self._theme)
        self._mark_choices()

    def _show_looks(self, cls: str | None) -> None:
        of_view = self.graph.desk.view.styles if self.pictures.view is View.GRAPH else None
        self._show_dialog(self.looks.dialog(self._theme, cls, of_view))

    def _use_looks(self, other_classes: bool) -> None:
        self._settings = replace(self._settings, looks=self.looks.looks)
        self._use_theme()
        if other_classes and not self._bridge.is_empty:
            self._ask_overview()
            self.presenter.show_all()
            self.graph.desk.redraw()

    def _use_recent(self) -> None:
        commands = recent_commands(self._settings.recent_sources)
        self.commands.set_recent(commands)
        self.start_page.show_recent(commands)

    def _toggle_pane(self, name: str) -> None:
        hidden = set(self._settings.hidden_panes) ^ {name}
        self._settings = replace(self._settings, hidden_panes=tuple(sorted(hidden)))
        self._show_whether_empty()

    def _toggle_only_used(self) -> None:
        self._only_used = not self._only_used
        self._settings = replace(self._settings, only_used_classes=self._only_used)
        self.browser.classes.set_only_used(self._only_used)

    def _matches_content(self) -> bool:
        return self._settings.match_content

    def _toggle_match_content(self) -> None:
        self._settings = replace(self._settings, match_content=not self._settings.match_content)
        if self.navigator.place.view is View.LINEAGE:
            self.presenter.show_all()

    def _mark_choices(self) -> None:
        self.commands.set_checked(checked(self, self._bridge, self._settings, only_used=self._only_used))

    def _update_actions(self) -> None:
        self.commands.set_title("go.compare_with", self.questions.compare_title)
        self.commands.set_present(present(self, self._bridge))
        self._mark_choices()

    def _show_palette(self) -> None:
        palette = CommandPalette(self.commands.commands, self.commands.usable, self._theme, self)
        palette.chosen.connect(self.run)
        self._show_dialog(palette)

    def _show_dialog(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _go_to_pane(self, step: int) -> None:
        """Move the keyboard to the next part of the window that is in sight."""
        stops: list[QWidget] = [self.search, self.browser.classes, self.browser.instances]
        stops += [self.browser.questions, self.browser.sources]
        stops += [self.start_page, self.pictures.front, self.inspector]
        go_to_next(stops, self.focusWidget(), step)

    # Beginning and end

    def _restore(self) -> None:
        settings = self._settings
        geometry = QByteArray.fromBase64(settings.window_geometry.encode("ascii", "replace"))
        if not settings.window_geometry or not self.restoreGeometry(geometry):
            self.resize(*FIRST_SIZE)
        self._panes.set_widths(settings.splitter_sizes)

    def closeEvent(self, event: QCloseEvent) -> None:
        widths = self._panes.widths
        self._settings = replace(
            self.classes.remembered(self._settings),
            window_geometry=bytes(self.saveGeometry().toBase64().data()).decode("ascii"),
            splitter_sizes=widths if all(widths) else self._settings.splitter_sizes,
        )
        try:
            self._settings.save()
        except ExplorerError as error:
            sys.stderr.write(f"hpc-explorer: {error}\n")  # where it can still be read
        self.graph.keeper.flush()
        self.form.typed.close()
        self._bridge.close()
        event.accept()


def _done(result: object) -> None:
    """Take a result that nobody needs, so that a handler returns nothing."""
