"""Turn a SPARQL text into a ready question: its possible parameters, and the current rows as its example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.query.question_files import own_questions, save_question
from hpc_explorer.app.query.questions import ask_question
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.questions.asking import choices_of
from hpc_explorer.query.questions.examples import example_of
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.query.questions.make_question import Blank, PossibleBlank, possible_blanks, question_of_query
from hpc_explorer.query.questions.question import Parameter, Question, Value
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import NO_LIMITS, CountKind, Limits


@dataclass(frozen=True)
class NamedBlank:
    """A possible parameter of a query, in words.

    Args:
        stands: its current value: the label of a resource, a value, or `?name`.
    """

    place: PossibleBlank
    stands: str


@dataclass(frozen=True)
class SavedBlanks:
    """The possible parameters of a query, and the names of existing questions: shipped and the user's own."""

    blanks: tuple[NamedBlank, ...]
    shipped: frozenset[str]
    own: frozenset[str]


def blanks_to_save(session: Session, text: str, *, limits: Limits = NO_LIMITS) -> SavedBlanks:
    """The information for saving a SELECT as a question.

    Raises:
        QuerySyntaxError: the engine cannot read it, or it is not a SELECT.
    """
    blanks = blanks_of_text(session, text, limits=limits)
    shipped = frozenset(question.name for question in shipped_questions())
    return SavedBlanks(blanks, shipped, frozenset(own_questions()))


def blanks_of_text(session: Session, text: str, *, limits: Limits = NO_LIMITS) -> tuple[NamedBlank, ...]:
    """The possible parameters of a SELECT; see `possible_blanks`.

    Raises:
        QuerySyntaxError: the engine cannot read it, or it is not a SELECT.
    """
    places = possible_blanks(text, session.prefixes)
    resources = [place.value for place in places if isinstance(place.value, NamedNode)]
    refs = references(session, resources, limits=limits)

    def stands(place: PossibleBlank) -> str:
        if isinstance(place.value, NamedNode):
            return refs[place.value].label
        return literal_text(place.value) if isinstance(place.value, Literal) else place.written

    return tuple(NamedBlank(place, stands(place)) for place in places)


def question_of_text(
    session: Session,
    text: str,
    blanks: Sequence[Blank],
    *,
    name: str,
    title: str,
    words: str = "",
    rows_of: str = "",
    limits: Limits = NO_LIMITS,
) -> Question:
    """Turn a SPARQL text into a question with parameters.

    The choices of a parameter come from the query's own conditions. If these give none in the open graph, as for the
    search text of a filter, the value is typed.

    Args:
        name: one word.
        title: its name in lists.
        words: the question in words.
        rows_of: the name of the open graph, as on the command line, to save the current rows as an example; empty: no
            example.

    Raises:
        QuerySyntaxError: the engine cannot read it, or it is not a SELECT.
        WrongParameter: a name is invalid, or the rows cannot be an example.
    """
    question = question_of_query(text, blanks, name=name, title=title, words=words, prefixes=session.prefixes)
    parameters = tuple(_answerable(session, one, limits) for one in question.parameters)
    question = replace(question, parameters=parameters)
    if not rows_of:
        return question
    values: dict[str, Value] = {one.name: one.default for one in parameters if one.default is not None}
    answer = ask_question(session, question, values, limits=limits)
    return replace(question, examples=(example_of(rows_of, answer.values, answer.table),))


def save_text(
    session: Session,
    text: str,
    blanks: Sequence[Blank],
    *,
    name: str,
    title: str,
    words: str = "",
    rows_of: str = "",
    limits: Limits = NO_LIMITS,
) -> Question:
    """Save a SPARQL text as one of the user's own questions, replacing one with the same name.

    Raises:
        QuerySyntaxError, WrongParameter: as in `question_of_text`.
        OutputNotWritable: the file cannot be written.
    """
    question = question_of_text(
        session, text, blanks, name=name, title=title, words=words, rows_of=rows_of, limits=limits
    )
    save_question(question, replace=True)
    return question


def _answerable(session: Session, parameter: Parameter, limits: Limits) -> Parameter:
    """Remove the choices of a parameter if there are none in the graph and it has a default."""
    if parameter.choices is None or parameter.default is None:
        return parameter
    _, total = choices_of(session.store, parameter, {}, limits=limits)
    return replace(parameter, choices=None) if total.kind is CountKind.EXACT and total.value == 0 else parameter
