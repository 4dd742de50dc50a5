"""Turn a SPARQL text into a ready question: what of it could be a blank, and today's rows as its example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.query.question_checks import todays_example
from hpc_explorer.app.query.question_files import own_questions, save_question
from hpc_explorer.app.query.questions import ask_question
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.questions.asking import choices_of
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.query.questions.make_question import Blank, PossibleBlank, possible_blanks, question_of_query
from hpc_explorer.query.questions.question import Parameter, Question, Value
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import NO_LIMITS, CountKind, Limits


@dataclass(frozen=True)
class NamedBlank:
    """A place of a query that could be a blank, as a person reads it.

    Args:
        stands: what stands there now: the label of a resource, a value, or `?name`.
    """

    place: PossibleBlank
    stands: str


@dataclass(frozen=True)
class SavedBlanks:
    """What of a query could be a blank, and what questions are called already.

    Args:
        shipped, own: the names of questions that ship and of the user's own.
    """

    blanks: tuple[NamedBlank, ...]
    shipped: frozenset[str]
    own: frozenset[str]


def blanks_to_save(session: Session, text: str, *, limits: Limits = NO_LIMITS) -> SavedBlanks:
    """What is asked before a SELECT is saved as a question.

    Raises:
        QuerySyntaxError: the engine cannot read it, or it is no SELECT.
    """
    blanks = blanks_of_text(session, text, limits=limits)
    shipped = frozenset(question.name for question in shipped_questions())
    return SavedBlanks(blanks, shipped, frozenset(own_questions()))


def blanks_of_text(session: Session, text: str, *, limits: Limits = NO_LIMITS) -> tuple[NamedBlank, ...]:
    """What of a SELECT could be a blank; see `query.blanking.possible_blanks`.

    Raises:
        QuerySyntaxError: the engine cannot read it, or it is no SELECT.
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
    """A SPARQL text as a question with blanks.

    What else could stand in a blank is asked by the query's own conditions. Where these have no answer in the open
    graph, as with words that a filter looks for, the blank is left to be typed.

    Args:
        name: one word.
        title: what it is called in a list.
        words: the question in words.
        rows_of: the name of the open graph, as a command line takes it: today's rows are kept as an example of it;
            empty for none.

    Raises:
        QuerySyntaxError: the engine cannot read it, or it is no SELECT.
        WrongParameter: a name cannot be used, or the rows cannot be kept.
    """
    question = question_of_query(text, blanks, name=name, title=title, words=words, prefixes=session.prefixes)
    parameters = tuple(_answerable(session, one, limits) for one in question.parameters)
    question = replace(question, parameters=parameters)
    if not rows_of:
        return question
    values: dict[str, Value] = {one.name: one.default for one in parameters if one.default is not None}
    answer = ask_question(session, question, values, limits=limits)
    return replace(question, examples=(todays_example(answer, rows_of),))


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
    """Save a SPARQL text among the user's own questions, in place of one of the same name; see `question_of_text`.

    Raises:
        QuerySyntaxError, WrongParameter: as `question_of_text` does.
        OutputNotWritable: the file cannot be written.
    """
    question = question_of_text(
        session, text, blanks, name=name, title=title, words=words, rows_of=rows_of, limits=limits
    )
    save_question(question, replace=True)
    return question


def _answerable(session: Session, parameter: Parameter, limits: Limits) -> Parameter:
    """The parameter; without its choices where they are none and something is typed in place of them."""
    if parameter.choices is None or parameter.default is None:
        return parameter
    _, total = choices_of(session.store, parameter, {}, limits=limits)
    return replace(parameter, choices=None) if total.kind is CountKind.EXACT and total.value == 0 else parameter
