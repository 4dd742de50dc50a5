"""What the tab Ask stands on: the query that is being built, its focus and its text, in step, each change undoable.

The query is a value (`query.model`), so a step keeps the state before it and the one after it. The SPARQL text is a
view of the query that can be typed into: what is typed is read back, and while it cannot be read the query stays the
last one that could, with what is wrong and where. Whatever is asked about a state carries its generation; an answer
about another generation is of no use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from hpc_explorer.app.undo import StateStep, UndoStack
from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.ontology.labels import fallback_label
from hpc_explorer.query.building import FocusedQuery, main_variable
from hpc_explorer.query.building.connections import bound_variables
from hpc_explorer.query.model.paths import properties_of
from hpc_explorer.query.model.patterns import Locked, QuantityRange, Statement
from hpc_explorer.query.model.places import Place, element_at, places
from hpc_explorer.query.model.query import Form, QueryModel
from hpc_explorer.query.sentence.wording import element_words
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import QUDT, XSD, PrefixMap
from hpc_explorer.rdf.terms import NamedNode, Variable

TYPING = "edit the SPARQL text"
"""What a step is called that was typed."""


@dataclass(frozen=True)
class BuilderState:
    """What is being asked.

    Args:
        query: the query.
        focus: the variable that suggestions are about; None where the query has none.
        text: the query as SPARQL, as it was typed or, if it was not, as it is written.
    """

    query: QueryModel = field(default_factory=QueryModel)
    focus: Variable | None = None
    text: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked yet."""
        return not self.query.where.elements and not self.text.strip()

    @property
    def rows_text(self) -> str:
        """What is asked for the rows: the text, or, where that leaves the columns open, with them in the order in which
        the query speaks of them."""
        query = self.query
        is_open = query.form is Form.SELECT and not query.columns and not query.is_grouped
        if not is_open or any(isinstance(element, Locked) for _, element in places(query)):
            return self.text
        bound = bound_variables(query)
        columns = tuple(variable for variable in query.variables if variable in bound)
        return sparql_text(replace(query, columns=columns)) if columns else self.text


class Builder:
    """Holds the query, and tells whoever subscribed of each change.

    Args:
        undo: where steps are kept; the window's one stack.

    Attributes:
        state: what is being asked.
        fault: why the text that was typed last cannot be read; None: it can.
        typed: what was typed last and cannot be read; empty where `fault` is None.
        generation: counts the states that were shown.
        names: what terms are called, as far as that is known.
        turned: called after a step was taken back or done again.
        prefixes: those of what is open, for texts that use and do not declare them, and to write short ones.
    """

    def __init__(self, undo: UndoStack) -> None:
        self._undo = undo
        self.state = BuilderState()
        self.fault: QuerySyntaxError | None = None
        self.typed = ""
        self.generation = 0
        self.names: dict[NamedNode, str] = {}
        self.prefixes = PrefixMap()
        self.turned: Callable[[], None] = lambda: None
        self._chosen: Place | None = None
        self._subscribers: list[Callable[[], None]] = []

    @property
    def focused(self) -> FocusedQuery | None:
        """The query with its focus, for the next step; None where there is none."""
        return FocusedQuery(self.state.query, self.state.focus) if self.state.focus is not None else None

    @property
    def chosen(self) -> Place | None:
        """The place of the condition that the commands are about."""
        return self._chosen

    def choose(self, place: Place | None) -> None:
        """Have the commands be about the condition at a place."""
        try:
            if place is not None:
                element_at(self.state.query, place)
        except IndexError:
            place = None
        self._chosen = place

    def subscribe(self, callback: Callable[[], None]) -> None:
        """Be told whenever another state is shown, or the text cannot be read."""
        self._subscribers.append(callback)

    # Changes

    def change(self, after: FocusedQuery | QueryModel, words: str) -> None:
        """Make a step.

        Args:
            after: the query it leads to; a query alone keeps the focus, as far as it is still there.
            words: what it does, as a menu says it after "Undo".
        """
        query, focus = (after.query, after.focus) if isinstance(after, FocusedQuery) else (after, self.state.focus)
        self._step(self._state(query, focus), words)

    def focus_on(self, variable: Variable) -> None:
        """Have the suggestions be about another variable. Not a step: nothing else is asked."""
        if variable != self.state.focus and variable in self.state.query.variables:
            self._show(BuilderState(self.state.query, variable, self.state.text))

    def begin(self) -> None:
        """Ask nothing."""
        if not self.state.is_empty:
            self._step(BuilderState(), "begin a new query")

    def open_text(self, text: str, words: str) -> None:
        """Show a query that was written elsewhere.

        Raises:
            QuerySyntaxError: it cannot be read.
        """
        query = query_model(text, self.prefixes)
        self._step(BuilderState(query, focus_in(query, None), text), words)

    def type_text(self, text: str, query: QueryModel | QuerySyntaxError) -> None:
        """Take over what was typed.

        Args:
            query: what `read_text` made of it.
        """
        if isinstance(query, QuerySyntaxError):
            self.fault, self.typed = query, text
            self._tell()
            return
        after = BuilderState(query, focus_in(query, self.state.focus), text)
        if query == self.state.query:
            self._show(after)
            return
        last = self._undo.last
        if isinstance(last, StateStep) and last.words == TYPING and last.after == self.state:
            last.after = after  # one step from the first key to the last
            self._show(after)
        else:
            self._step(after, TYPING)

    def _state(self, query: QueryModel, focus: Variable | None) -> BuilderState:
        query = with_prefixes(query, self.prefixes)
        return BuilderState(query, focus_in(query, focus), sparql_text(query) if query.where.elements else "")

    def _step(self, after: BuilderState, words: str) -> None:
        before = self.state
        if after == before:
            return
        step = StateStep(words, before, after, self._turn)
        self._show(after)
        self._undo.push(step)

    def _turn(self, state: BuilderState) -> None:
        """Show what an undo or a redo leads to."""
        self._show(state)
        self.turned()

    def _show(self, state: BuilderState) -> None:
        if state.query != self.state.query:
            self._chosen = None
        self.state, self.fault, self.typed = state, None, ""
        self.generation += 1
        self._tell()

    def _tell(self) -> None:
        for callback in self._subscribers:
            callback()

    # Names

    def learn(self, term: NamedNode, name: str) -> None:
        """Know what a term is called."""
        self.names[term] = name

    def name_of(self, term: NamedNode) -> str:
        """What a term is called; a readable form of its IRI where that is not known."""
        return self.names.get(term) or fallback_label(term)

    def words_at(self, query: QueryModel, place: Place) -> str:
        """A condition of a query, as a person reads it."""
        return element_words(element_at(query, place), self.name_of)

    def unnamed(self) -> tuple[NamedNode, ...]:
        """The terms of the query of which it is not known what they are called."""
        return tuple(dict.fromkeys(term for term in terms_of(self.state.query) if term not in self.names))


def read_text(text: str, prefixes: Mapping[str, str]) -> QueryModel | QuerySyntaxError:
    """The query of a text, or why it cannot be read.

    Args:
        prefixes: those that need not be declared.
    """
    try:
        return query_model(text, prefixes) if text.strip() else QueryModel()
    except QuerySyntaxError as error:
        return error


def with_prefixes(query: QueryModel, prefixes: PrefixMap) -> QueryModel:
    """The query with the prefixes that make its IRIs readable, as far as it does not use them otherwise."""
    known = dict(query.prefixes)
    written = list(terms_of(query))
    for _, element in places(query):
        if isinstance(element, QuantityRange):
            written += [element.unit, QUDT.value, XSD.decimal]
    for term in written:
        prefix, colon, _ = (prefixes.curie(term.value) or "").partition(":")
        if colon and prefixes[prefix] not in known.values():
            known.setdefault(prefix, prefixes[prefix])
    return query if len(known) == len(query.prefixes) else replace(query, prefixes=tuple(known.items()))


def focus_in(query: QueryModel, wanted: Variable | None) -> Variable | None:
    """The variable that suggestions are about: the wanted one if it is there, or the one that the query is about."""
    return wanted if wanted is not None and wanted in query.variables else main_variable(query)


def terms_of(query: QueryModel) -> Iterable[NamedNode]:
    """The IRIs that the patterns of a query name as subjects, properties and objects; one may come twice."""
    for _, element in places(query):
        match element:
            case Statement():
                for end in (element.subject, element.object):
                    if isinstance(end, NamedNode):
                        yield end
                if not isinstance(element.predicate, Variable):
                    yield from properties_of(element.predicate)
            case _:
                for row in getattr(element, "rows", ()):
                    yield from (term for term in row if isinstance(term, NamedNode))
