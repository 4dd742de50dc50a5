"""The model of the query tab: the query being built, its focus and its text, kept consistent; each change is undoable.

The text is an editable view of the query. While the typed text has errors, the query stays the last valid one. Requests
about a state carry its generation; results for another generation are discarded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from hpc_explorer.app.undo import StateStep, UndoStack
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.text import brief
from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.ontology.labels import fallback_label
from hpc_explorer.query.building import Direction, FocusedQuery, main_variable, new_query, with_property_value
from hpc_explorer.query.building.connections import bound_variables
from hpc_explorer.query.model.paths import properties_of
from hpc_explorer.query.model.patterns import Locked, QuantityRange, Statement
from hpc_explorer.query.model.places import Place, element_at, places
from hpc_explorer.query.model.query import Form, QueryModel
from hpc_explorer.query.sentence.wording import element_words
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import QUDT, RDF, XSD, PrefixMap
from hpc_explorer.rdf.terms import NamedNode, Resource, Variable

TYPING = "edit the SPARQL text"
"""The name of the step for typing."""

NAMED_LENGTH = 40
"""Maximum length of a name in the words for a step."""


@dataclass(frozen=True)
class BuilderState:
    """A state of the query.

    Args:
        focus: the variable that suggestions are about; None if the query has none.
        text: the query as SPARQL, typed or generated.
    """

    query: QueryModel = field(default_factory=QueryModel)
    focus: Variable | None = None
    text: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether the query is empty."""
        return not self.query.where.elements and not self.text.strip()

    @property
    def rows_text(self) -> str:
        """The text to run: for open columns, with the variables in the order of the query."""
        query = self.query
        is_open = query.form is Form.SELECT and not query.columns and not query.is_grouped
        if not is_open or any(isinstance(element, Locked) for _, element in places(query)):
            return self.text
        bound = bound_variables(query)
        columns = tuple(variable for variable in query.variables if variable in bound)
        return sparql_text(replace(query, columns=columns)) if columns else self.text


class Builder:
    """Holds the query, and notifies subscribers of changes.

    Attributes:
        fault: the error in the typed text, if any.
        typed: the typed text if it has an error.
        generation: the number of states shown.
        names: the known names of terms.
        turned: called after an undo or redo.
        prefixes: of the open sources, used for undeclared prefixes and to shorten IRIs.
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
        """The query with its focus, for the next step; None without a focus."""
        return FocusedQuery(self.state.query, self.state.focus) if self.state.focus is not None else None

    @property
    def chosen(self) -> Place | None:
        """The place of the selected condition."""
        return self._chosen

    def choose(self, place: Place | None) -> None:
        """Select the condition at a place."""
        try:
            if place is not None:
                element_at(self.state.query, place)
        except IndexError:
            place = None
        self._chosen = place

    def subscribe(self, callback: Callable[[], None]) -> None:
        """Call back whenever the state changes or the text has an error."""
        self._subscribers.append(callback)

    # Changes

    def change(self, after: FocusedQuery | QueryModel, words: str) -> None:
        """Make a step.

        Args:
            after: the new query; without a focus, the current one is kept if possible.
            words: the name of the step in the Undo menu.
        """
        query, focus = (after.query, after.focus) if isinstance(after, FocusedQuery) else (after, self.state.focus)
        self._step(self._state(query, focus), words)

    def focus_on(self, variable: Variable) -> None:
        """Change the focus. This is not an undoable step, because the query stays the same."""
        if variable != self.state.focus and variable in self.state.query.variables:
            self._show(BuilderState(self.state.query, variable, self.state.text))

    def begin(self) -> None:
        """Start with an empty query."""
        if not self.state.is_empty:
            self._step(BuilderState(), "begin a new query")

    def open_text(self, text: str, words: str) -> None:
        """Show another query.

        Raises:
            QuerySyntaxError: it cannot be read.
        """
        query = query_model(text, self.prefixes)
        self._step(BuilderState(query, focus_in(query, None), text), words)

    def type_text(self, text: str, query: QueryModel | QuerySyntaxError) -> None:
        """Take over a typed text.

        Args:
            query: the result of `read_text`.
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
            last.after = after  # consecutive typing is one step
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
        """Show the state after an undo or redo."""
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

    def ask_about(
        self, class_: NamedNode, label: str, below: Mapping[NamedNode, str], *, with_subclasses: bool = True
    ) -> None:
        """Begin a query about the instances of a class.

        Args:
            below: the subclasses to list by name, with labels; empty if the store knows the subclasses.
            with_subclasses: whether instances of subclasses are meant too.
        """
        self.names.update({class_: label, **below})
        if below:
            begun = new_query(None, name=label)
            query = with_property_value(begun, RDF.type, Direction.FORWARD, *below, name=f"{label} class")
            # One row for each instance, also for one that belongs to several of these classes.
            query = FocusedQuery(replace(query.query, columns=(query.focus,)), query.focus)
        else:
            query = new_query(class_, with_subclasses=with_subclasses, name=label)
        self.change(query, f"ask about “{brief(label, NAMED_LENGTH)}”")

    @property
    def fault_words(self) -> str:
        """The error in the typed text, in words; empty if there is none."""
        if self.fault is None:
            return ""
        where = f" at {self.fault.where}" if self.fault.where else ""
        return f"The SPARQL text has an error{where}: {self.fault.what}. The last valid query is shown."

    def use_prefixes(self, prefixes: PrefixMap) -> None:
        """Set the prefixes of the open sources."""
        self.prefixes = prefixes

    # Names

    def learn(self, term: NamedNode, name: str) -> None:
        """Set the name of a term."""
        self.names[term] = name

    def learn_all(self, refs: Mapping[Resource, ResourceRef]) -> None:
        """Set the names of resources."""
        self.names.update({term: ref.label for term, ref in refs.items() if isinstance(term, NamedNode)})

    def name_of(self, term: NamedNode) -> str:
        """The name of a term; a readable form of its IRI if it is not known."""
        return self.names.get(term) or fallback_label(term)

    def words_at(self, query: QueryModel, place: Place) -> str:
        """A condition of a query in words."""
        return element_words(element_at(query, place), self.name_of)

    def unnamed(self) -> tuple[NamedNode, ...]:
        """The terms of the query without known names."""
        return tuple(dict.fromkeys(term for term in terms_of(self.state.query) if term not in self.names))


def read_text(text: str, prefixes: Mapping[str, str]) -> QueryModel | QuerySyntaxError:
    """The query of a text, or its error."""
    try:
        return query_model(text, prefixes) if text.strip() else QueryModel()
    except QuerySyntaxError as error:
        return error


def with_prefixes(query: QueryModel, prefixes: PrefixMap) -> QueryModel:
    """The query with the prefixes that shorten its IRIs, if they are free."""
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
    """The wanted variable if the query has it, otherwise the main variable."""
    return wanted if wanted is not None and wanted in query.variables else main_variable(query)


def terms_of(query: QueryModel) -> Iterable[NamedNode]:
    """The IRIs in the patterns of a query, with repetitions."""
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
