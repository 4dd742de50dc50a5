"""Connects the query tab with the window: the query being built, its views, and its commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from hpc_explorer.app.query.builder import NAMED_LENGTH, Builder, read_text
from hpc_explorer.app.query.facet_lists import subclasses_to_ask
from hpc_explorer.app.query.facets import names_of, prepare_facets
from hpc_explorer.app.query.questions import open_text
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.views import ClassNode, ResourceRef
from hpc_explorer.canvas.text import brief
from hpc_explorer.errors import ExplorerError, QuerySyntaxError
from hpc_explorer.query import building
from hpc_explorer.query.model.places import Place
from hpc_explorer.query.model.query import Duplicates, QueryModel
from hpc_explorer.query.questions.question import Question
from hpc_explorer.query.sentence.sentence import sentence
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command, Need, open_graph
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.navigator import Navigator, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.query.condition import ChosenCondition
from hpc_explorer.ui.query.menus import AskMenus, opened_menu, variable_name
from hpc_explorer.ui.query.rows import QueryRows
from hpc_explorer.ui.query.sentence_view import Piece
from hpc_explorer.ui.query.suggestions import Suggestions
from hpc_explorer.ui.query.tab import ASK_BAR, AskTab, AskView
from hpc_explorer.ui.sparql.editor import SparqlEditor
from hpc_explorer.ui.widgets.turns import Turn

LONG = 4_000
"""Texts with more characters are parsed in a thread."""


class QueryController(QObject):
    """Makes the tab, and connects the query, its views and the window.

    Attributes:
        tab: the tab.

    Signals:
        draw_wanted(list): resources to add to the graph view.
        save_wanted(str): a query to save as a ready question.
    """

    draw_wanted = Signal(list)
    save_wanted = Signal(str)

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        actions: Actions,
        undo: UndoStack,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._navigator = navigator
        self._actions = actions
        self._window = window
        self.tab = tab = AskTab([actions.actions(*group) for group in ASK_BAR])
        self.builder = Builder(undo)
        self.builder.turned = lambda: navigator.show_view(View.ASK)
        self.suggestions = Suggestions(self.builder, tab.facets, bridge, self)
        self._menus = AskMenus(self.builder, self._change, tab)
        self._rows = QueryRows(self.builder, bridge, tab, self)
        self._rows.counted.connect(self._bridge.updated)
        self._condition = ChosenCondition(
            self.builder, self._change, self.suggestions.begin_alternative, actions, bridge.said.emit, tab
        )
        self._shown: QueryModel | None = None
        self._asked: tuple[int, int] | None = None
        self._is_writing = False
        self._graph = 0
        self._drawing = Turn(self, self._draw_pattern)
        self.builder.subscribe(self._follow)
        tab.sentence.focus_wanted.connect(self._focus_on_piece)
        tab.sentence.condition_wanted.connect(self._offer_condition)
        tab.sentence.menu_wanted.connect(self._offer_piece)
        tab.facets.focus_wanted.connect(self.builder.focus_on)
        tab.view_wanted.connect(self._view_changed)
        tab.question_wanted.connect(self.open_question)
        tab.writing_wanted.connect(self._write)
        tab.rows.counted.connect(tab.editor.note_count)
        tab.rows.selected.connect(navigator.select)
        tab.rows.opened.connect(navigator.open)
        tab.rows.draw_wanted.connect(self.draw_wanted)
        tab.pattern.focus_wanted.connect(self.builder.focus_on)
        tab.pattern.remove_wanted.connect(self._condition.remove_at)
        tab.editor.set_session(bridge)
        tab.editor.changed.connect(self._typed)
        tab.editor.cancel_wanted.connect(tab.rows.stop)
        tab.editor.selected.connect(navigator.select)
        tab.editor.opened.connect(navigator.open)
        tab.editor.run_wanted.connect(self._run)
        self.suggestions.described.connect(navigator.select)
        navigator.moved.connect(self._come_into_sight)
        bridge.graph_changed.connect(self._graph_changed)
        bridge.jobs.servers_allowed.connect(self._graph_changed)
        self._graph_changed()
        self._follow()

    @property
    def is_waiting(self) -> bool:
        """Whether a request or a drawing of the query is about to start."""
        return self.suggestions.is_waiting or self._drawing.is_waiting

    def is_settled(self) -> bool:
        """Whether everything shown is about the current query."""
        return not self.is_waiting and not self._bridge.is_busy and not self._rows.is_waiting

    # The query, and its views

    def _follow(self) -> None:
        """Show the current query."""
        builder, state = self.builder, self.builder.state
        same = self._shown is not None and state.query == self._shown
        self._shown = state.query
        if not state.is_empty:
            self._is_writing = False
        if not same:
            self._rows.forget()
        self._show_sentence()
        self.tab.show_fault(builder.fault_words)
        if builder.fault is None and self.tab.editor.text() != state.text:
            self.tab.editor.set_text(state.text)
        self._ask_if_seen()
        self._bridge.updated.emit()

    def _show_sentence(self) -> None:
        state = self.builder.state
        phrases = sentence(state.query, self.builder.name_of) if not state.is_empty else ()
        pieces = [Piece(phrase.text, phrase.variable, phrase.place, is_locked=phrase.is_locked) for phrase in phrases]
        self.tab.sentence.show_pieces(pieces, state.focus, self.builder.chosen)
        self.tab.show_query(state.query, state.focus, is_empty=state.is_empty and not self._is_writing)
        names = [(variable, variable_name(variable)) for variable in state.query.variables]
        self.tab.facets.show_focus(state.focus, variable_name(state.focus) if state.focus else "", names)
        self._show_pattern()

    def _show_pattern(self) -> None:
        """Draw the query if the drawing is visible, after what else shows it."""
        if self.tab.view is AskView.PATTERN and self._navigator.place.view is View.ASK:
            self._drawing.start()

    def _draw_pattern(self) -> None:
        state = self.builder.state
        self.tab.pattern.show_query(state.query, state.focus, self.builder.name_of)

    def _come_into_sight(self) -> None:
        self._show_pattern()
        self._ask_if_seen()

    def _ask_if_seen(self) -> None:
        """Request what the tab shows, once for each query and graph, and only while it is visible."""
        wanted = self.builder.generation, self._graph
        if self._navigator.place.view is not View.ASK or self._asked == wanted or self._bridge.is_empty:
            return
        before, self._asked = self._asked, wanted
        if before is None or before[1] != self._graph:
            self._bridge.run(prepare_facets, title="Prepare suggestions", replaces="facets")
        state = self.builder.state
        self.suggestions.follow(calmly=self._bridge.is_remote)
        if not self._bridge.is_remote and (unnamed := self.builder.unnamed()):
            self._bridge.run(
                names_of, unnamed, title="Look up names", on_result=self._name, replaces="names of a query"
            )
        if state.is_empty:
            self._rows.hide_reliefs()
        elif before is None or before[1] != self._graph or not self._rows.is_counted:
            self._rows.show()

    def _name(self, refs: Mapping[Resource, ResourceRef]) -> None:
        self.builder.learn_all(refs)
        self._show_sentence()

    def _graph_changed(self) -> None:
        self._graph += 1
        if not self._bridge.is_empty:
            self.builder.use_prefixes(self._bridge.session.prefixes)
        self._ask_if_seen()

    # SPARQL

    def _write(self) -> None:
        self._is_writing = True
        self._show_sentence()
        self.tab.show_view(AskView.SPARQL)
        self.tab.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _typed(self, text: str) -> None:
        if text == self.builder.state.text and self.builder.fault is None:
            return
        prefixes = self.builder.prefixes
        if len(text) <= LONG:
            self.builder.type_text(text, read_text(text, prefixes))
        else:
            self._bridge.jobs.run(
                read_text,
                text,
                prefixes,
                title="Read the query",
                on_result=lambda read: self.builder.type_text(text, read) if text == self.tab.editor.text() else None,
                replaces="read query",
            )

    def _run(self, text: str) -> None:
        """Show the rows of a text, which may be a selection in the editor."""
        self._typed(self.tab.editor.text())
        self.tab.show_view(AskView.ROWS)
        if text.strip() and text != self.builder.state.text and self.builder.fault is None:
            self.tab.show_relaxing(False)
            self.tab.rows.show_query(self._bridge, text)

    # From elsewhere

    def ask_about(self, node: ClassNode) -> None:
        """Start a query about the instances of a class in the tree."""
        class_ = node.ref.resource
        if not isinstance(class_, NamedNode):
            return

        def done(below: Mapping[NamedNode, str]) -> None:
            self._navigator.show_view(View.ASK)
            self.builder.ask_about(class_, node.ref.label, below)

        self._bridge.run(
            subclasses_to_ask, node, title="Count the instances", on_result=done, replaces="query to begin with"
        )

    def open_question(self, question: Question) -> None:
        """Open the query of a ready question."""

        def done(text: str) -> None:
            try:
                self.builder.open_text(text, f"build on “{brief(question.title, NAMED_LENGTH)}”")
            except QuerySyntaxError as error:
                self._bridge.failed.emit(f"Build on {question.title}", error)

        self._navigator.show_view(View.ASK)
        self._bridge.run(
            open_text, question, title=f"Read {question.title}", on_result=done, replaces="query to begin with"
        )

    def open_text(self, text: str, title: str) -> None:
        """Open a query by its text, as one undoable step."""
        self._navigator.show_view(View.ASK)
        try:
            self.builder.open_text(text, f"ask “{brief(title, NAMED_LENGTH)}”")
        except QuerySyntaxError as error:
            self._bridge.failed.emit("Open the query", error)

    # Commands

    @staticmethod
    def commands(
        ask: Late[QueryController],
        bridge: SessionBridge,
        navigator: Navigator,
        chosen_class: Callable[[], ClassNode | None],
        chosen_question: Callable[[], Question | None],
    ) -> tuple[Command, ...]:
        """The commands of the query tab.

        Args:
            chosen_class: returns the class selected in the tree.
            chosen_question: returns the selected ready question.
        """

        def need(what: str, is_met: Callable[[], bool]) -> Need:
            return Need(what, lambda: not bridge.is_empty and is_met())

        graph = open_graph(bridge)
        cls = need("a class selected in the tree on the left", lambda: chosen_class() is not None)
        ready = need("a selected ready question", lambda: chosen_question() is not None)
        query = need("a question in the tab Ask", ask.has(lambda one: not one.builder.state.is_empty))
        variable = need("a variable in the tab Ask", ask.has(lambda one: one.builder.state.focus is not None))
        condition = need("a selected condition of the question", ask.has(lambda one: one.builder.chosen is not None))
        editor = need(
            "the SPARQL editor open", ask.has(lambda one: navigator.place.view is View.ASK and one.tab.is_writing)
        )

        def ask_about_class() -> None:
            node = chosen_class()
            if node is not None:
                ask.get().ask_about(node)

        def build_on_question() -> None:
            question = chosen_question()
            if question is not None:
                ask.get().open_question(question)

        def sees(view: AskView) -> Callable[[], bool]:
            return ask.has(lambda one: one.tab.view is view, before=view is AskView.ROWS)

        return (
            Command("ask.new", "New question", "Ask", 0, "", short="New")
            .runs(ask.does(QueryController._begin), graph)
            .about("Start a new question."),
            Command("ask.class", "Ask about this class", "Ask", 0)
            .runs(ask_about_class, cls)
            .about("Start a question about the instances of the class selected in the tree on the left."),
            Command("ask.question", "Build on this question", "Ask")
            .runs(build_on_question, ready)
            .about("Open the query of the ready question selected on the left, to change it."),
            Command("ask.count", "Count per…", "Ask", 1)
            .runs(ask.does(lambda one: one._open_below("ask.count", one._menus.counting())), variable)
            .about("Count, sum or average the focus for each value of another variable."),
            Command("ask.sort", "Sort…", "Ask", 1)
            .runs(ask.does(lambda one: one._open_below("ask.sort", one._menus.sorting())), query)
            .about("Choose the column to sort the rows by."),
            Command("ask.limit", "Limit…", "Ask", 1)
            .runs(ask.does(lambda one: one._open_below("ask.limit", one._menus.limiting())), query)
            .about("Show the first rows only."),
            Command("ask.distinct", "Each row once", "Ask", 1, short="Distinct")
            .runs(ask.does(QueryController._toggle_distinct), query)
            .marked(ask.has(lambda one: one.builder.state.query.duplicates is Duplicates.DISTINCT))
            .about("Show repeated rows once, or as often as they occur."),
            *ChosenCondition.commands(ask.part(lambda one: one._condition), condition),
            Command("ask.save", "Save as question…", "Ask", 4, "", short="Save…")
            .runs(ask.does(lambda one: one.save_wanted.emit(one.builder.state.text)), query)
            .about("Save this question under a name, with parameters to fill in each time."),
            Command("ask.draw", "Draw what was found", "Ask", 4, "", short="Draw")
            .runs(ask.does(QueryController._draw), query)
            .about("Add the things found for the focus to the graph view."),
            Command("ask.rows", "Rows of the question", "Ask", 5)
            .runs(ask.does(lambda one: one._see(AskView.ROWS)), graph)
            .marked(sees(AskView.ROWS), choice=True)
            .about("Show the results of the question in the tab Ask."),
            Command("ask.pattern", "Pattern of the question", "Ask", 5)
            .runs(ask.does(lambda one: one._see(AskView.PATTERN)), graph)
            .marked(sees(AskView.PATTERN), choice=True)
            .about("Draw the question as a pattern of things and links."),
            Command("ask.sparql", "SPARQL of the question", "Ask", 5)
            .runs(ask.does(lambda one: one._see(AskView.SPARQL)), graph)
            .marked(sees(AskView.SPARQL), choice=True)
            .about("Read and write the question as SPARQL."),
            *SparqlEditor.commands(ask.part(lambda one: one.tab.editor), editor),
        )

    def _see(self, view: AskView) -> None:
        self._navigator.show_view(View.ASK)
        if view is AskView.SPARQL and self.builder.state.is_empty:
            self._write()
        else:
            self.tab.show_view(view)

    def _draw(self) -> None:
        """Draw the things found for the focus, or else those of the first column that has any."""
        held, focus = self.tab.rows.rows, self.builder.state.focus
        columns = sorted(range(len(held.columns)), key=lambda at: focus is None or held.columns[at].name != focus.value)
        found = next((at for at in columns if self.tab.rows.resources_of(at)), None)
        if found is not None:
            self.tab.rows.draw(found)
        else:
            self._bridge.said.emit("The rows have nothing that can be drawn")

    def _view_changed(self) -> None:
        self._show_pattern()
        self._bridge.updated.emit()

    def _begin(self) -> None:
        self._is_writing = False
        self.builder.begin()
        self._navigator.show_view(View.ASK)
        self._follow()
        self.tab.facets.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _change(self, step: Callable[[], QueryModel], words: str) -> None:
        try:
            self.builder.change(step(), words)
        except ExplorerError as error:
            self._bridge.failed.emit(words, error)

    def _focus_on_piece(self, piece: Piece) -> None:
        if piece.variable is not None:
            self.builder.focus_on(piece.variable)
        if piece.place is not None:
            self._choose(piece.place)

    def _toggle_distinct(self) -> None:
        query = self.builder.state.query
        kept = query.duplicates is Duplicates.DISTINCT
        wanted = Duplicates.KEPT if kept else Duplicates.DISTINCT
        words = "show repeated rows" if kept else "show each row once"
        self._change(lambda: building.with_duplicates(query, wanted), words)

    # Clicks in the sentence

    def _offer_condition(self, place: Place, at: QPoint) -> None:
        self._choose(place)
        self._pop_up(self._condition.menu(), at)

    def _offer_piece(self, piece: Piece, at: QPoint) -> None:
        if piece.place is not None:
            self._choose(piece.place)
        if piece.variable is not None:
            self.builder.focus_on(piece.variable)
            menu = opened_menu(variable_name(piece.variable), self.tab)
            menu.addActions(self._actions.actions("ask.count", "ask.sort", "ask.limit"))
            if piece.place is not None:
                menu.addSeparator()
                menu.addActions(self._condition.menu().actions())
            self._pop_up(menu, at)
        elif piece.place is not None:
            self._pop_up(self._condition.menu(), at)

    def _choose(self, place: Place) -> None:
        self.builder.choose(place)
        self.tab.sentence.mark_chosen(self.builder.chosen)
        self._bridge.updated.emit()

    def _open_below(self, command: str, menu: QMenu) -> None:
        """Open a menu below the button of its command."""
        self._navigator.show_view(View.ASK)
        (action,) = self._actions.actions(command)
        menu.popup(self.tab.menu_place(action))

    def _pop_up(self, menu: QMenu, at: QPoint) -> None:
        self._navigator.show_view(View.ASK)
        menu.popup(at)
