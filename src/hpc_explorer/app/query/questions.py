"""Ask a ready question: the questions for the open graph, the choices for parameters, and the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hpc_explorer.app.explore.finding import common_start, references, told_apart
from hpc_explorer.app.query.question_files import own_questions, readable_questions
from hpc_explorer.app.query.run_query import start_queries, store_for
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import InputError, UnknownQuestion, WrongParameter
from hpc_explorer.ontology.labels import label_order, search_words
from hpc_explorer.query.questions.asking import choices_of, complete_text, fitting_variants, has_terms_of
from hpc_explorer.query.questions.question import Parameter, Question, Value, Variant
from hpc_explorer.query.table import TermTable, table_of
from hpc_explorer.rdf.literals import is_number, literal_text
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Progress, no_progress

# The number of choices listed in an error.
_NAMED = 8


@dataclass(frozen=True)
class FittingQuestion:
    """A question and its variants for the open graph.

    Args:
        variants: preferred first; empty if the question does not fit.
    """

    question: Question
    variants: tuple[Variant, ...]


@dataclass(frozen=True)
class NamedChoice:
    """A choice for a parameter, with its name.

    Args:
        label: unique among the choices.
        ref: the resource; None for a literal.
    """

    value: Value
    label: str
    ref: ResourceRef | None = None

    @property
    def detail(self) -> str:
        """The class of a resource, or empty."""
        return self.ref.kind if self.ref is not None else ""


@dataclass(frozen=True)
class Choices:
    """The matching choices for a parameter in reading order, and their total number."""

    items: tuple[NamedChoice, ...]
    total: Count


@dataclass(frozen=True)
class OfferedChoices:
    """The choices for a parameter, and the proposed one, if any."""

    choices: Choices
    proposed: Value | None


@dataclass(frozen=True)
class QuestionAnswer:
    """A question with its parameter values and its answer."""

    question: Question
    variant: Variant
    values: Mapping[str, Value]
    table: TermTable


def questions_for(
    session: Session, questions: Iterable[Question], *, limits: Limits = NO_LIMITS
) -> tuple[FittingQuestion, ...]:
    """Each question with its variants for the open graph.

    A variant without a test of its own, as of a saved query, fits if the graph has its classes and properties.
    """
    asked: dict[str, bool] = {}

    def fits(variant: Variant) -> bool:
        return variant.fits is not None or has_terms_of(session.store, variant, asked, limits=limits)

    return tuple(
        FittingQuestion(question, tuple(filter(fits, fitting_variants(session.store, question, asked, limits=limits))))
        for question in questions
    )


def parameter_choices(
    session: Session,
    parameter: Parameter,
    values: Mapping[str, Value],
    sought: str = "",
    *,
    at_most: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Choices:
    """The choices for a parameter in the open graph.

    Args:
        values: the values of other parameters, which restrict the choices.
        sought: words that the label must contain, each matched by its beginning.
        at_most: the maximum number of choices; None: all.
    """
    found, total = choices_of(session.store, parameter, values, limits=limits)
    resources = [choice.value for choice in found if isinstance(choice.value, NamedNode)]
    refs = references(session, resources, limits=limits)
    named = _with_unique_labels(
        [
            NamedChoice(choice.value, choice.label or literal_text(choice.value))
            if isinstance(choice.value, Literal)
            else NamedChoice(choice.value, choice.label or refs[choice.value].label, refs[choice.value])
            for choice in found
        ]
    )
    kept = [choice for choice in named if is_sought(choice, sought)]
    kept.sort(key=_order)
    number = Count(len(kept), total.kind) if sought else total
    return Choices(tuple(kept[:at_most]), number)


def _with_unique_labels(choices: Sequence[NamedChoice]) -> list[NamedChoice]:
    """Replace labels that several choices share by the differing ends of their IRIs."""
    shared = {label for label, number in Counter(choice.label for choice in choices).items() if number > 1}
    iris = [choice.value.value for choice in choices if choice.label in shared and isinstance(choice.value, NamedNode)]
    start = common_start(iris)

    def apart(choice: NamedChoice) -> NamedChoice:
        if choice.label not in shared:
            return choice
        named = isinstance(choice.value, NamedNode)
        return replace(choice, label=choice.value.value[start:] if named else str(choice.value))

    return [apart(choice) for choice in choices]


def is_sought(choice: NamedChoice, sought: str) -> bool:
    """Whether a choice's label contains these words, each matched by its beginning."""
    there = f"{choice.label} {search_words(choice.label)}".casefold().split()
    return all(any(word.startswith(part) for word in there) for part in sought.casefold().split())


def _order(choice: NamedChoice) -> tuple[float, tuple[str | tuple[int, str], ...]]:
    """Sort numbers by value, then others by label."""
    value = choice.value
    if isinstance(value, Literal) and is_number(value):
        try:
            return float(value.value), ()
        except ValueError:
            pass
    return float("inf"), label_order(choice.label)


def open_text(session: Session, question: Question, *, limits: Limits = NO_LIMITS) -> str:
    """The query text of a ready question for the open graph, with its parameters as variables."""
    (found,) = questions_for(session, [question], limits=limits)
    variant = found.variants[0] if found.variants else question.variants[0]
    return variant.select.whole


def offered_choices(
    session: Session, parameter: Parameter, values: Mapping[str, Value], *, limits: Limits = NO_LIMITS
) -> OfferedChoices:
    """The choices for a parameter, and the proposed one; see `parameter_choices`."""
    start_queries(session)
    choices = parameter_choices(session, parameter, values, limits=limits)
    return OfferedChoices(choices, _proposed(parameter, [one.value for one in choices.items], choices.total))


def default_value(
    session: Session, parameter: Parameter, values: Mapping[str, Value], *, limits: Limits = NO_LIMITS
) -> Value | None:
    """The initial value: the default if the graph has it, otherwise the only choice."""
    choices, total = choices_of(session.store, parameter, values, limits=limits)
    return _proposed(parameter, [one.value for one in choices], total)


def _proposed(parameter: Parameter, there: Sequence[Value], total: Count) -> Value | None:
    is_free = parameter.is_free or total.kind is CountKind.UNKNOWN
    if parameter.default is not None and (is_free or parameter.default in there):
        return parameter.default
    return there[0] if len(there) == 1 and not parameter.is_optional else None


def value_of_text(
    session: Session, parameter: Parameter, text: str, values: Mapping[str, Value], *, limits: Limits = NO_LIMITS
) -> Value:
    """The value for a typed text: a choice's label, an IRI or prefixed name, or a literal.

    Raises:
        WrongParameter: no choice matches, or several do; the error lists the choices.
    """
    text = text.strip()
    choices = parameter_choices(session, parameter, values, limits=limits)
    is_open = parameter.is_free or choices.total.kind is not CountKind.EXACT
    by_value = _as_value(session, parameter, text)
    exactly = [choice for choice in choices.items if choice.value == by_value]
    exactly = exactly or [choice for choice in choices.items if _means(choice, text)]
    if len(exactly) == 1:
        return exactly[0].value
    if len(exactly) > 1:
        listed = ", ".join(session.prefixes.short(one.value.value) for one in exactly[:_NAMED])
        raise WrongParameter(f"several choices of {parameter.name} have this name", text, f"one of: {listed}")
    if is_open and by_value is not None:
        return by_value
    raise WrongParameter(f"no such {parameter.label}", f"{parameter.name}={text}", _there_are(choices))


def _means(choice: NamedChoice, text: str) -> bool:
    if isinstance(choice.value, Literal):
        return text in (choice.value.value, choice.label)
    return choice.label.casefold() == text.casefold()


def _as_value(session: Session, parameter: Parameter, text: str) -> Value | None:
    """The text as an IRI or prefixed name, or as a literal of the parameter's datatype; None if it is neither."""
    if parameter.datatype is not None:
        return typed_value(parameter, text)
    try:
        return session.prefixes.resolve(text)
    except InputError:
        return None


def typed_value(parameter: Parameter, text: str) -> Literal | None:
    """The literal of a parameter's datatype for a text, in the language of the default if that has one.

    None if the text is invalid for the datatype, or the parameter is not a literal.
    """
    if parameter.datatype is None:
        return None
    language = parameter.default.language if isinstance(parameter.default, Literal) else None
    if language:
        return Literal(text, language=language)
    value = Literal(text, datatype=parameter.datatype)
    if is_number(value):
        try:
            float(text)
        except ValueError:
            return None
        if parameter.datatype == XSD.integer and not text.lstrip("+-").isdecimal():
            return None
    return value


def _there_are(choices: Choices) -> str:
    if not choices.items:
        return "this graph has no choices for it"
    listed = ", ".join(choice.label for choice in choices.items[:_NAMED])
    more = len(choices.items) - _NAMED
    return f"there are: {listed}" + (f" and {more:,} more" if more > 0 else "")


def filled_in(
    session: Session, question: Question, texts: Mapping[str, str], *, limits: Limits = NO_LIMITS
) -> dict[str, Value]:
    """The values of a question's parameters from typed texts, with the defaults of others.

    Raises:
        WrongParameter: a parameter is unknown, a text matches no choice, or a required value is missing; the error
            lists the choices.
    """
    stray = next((name for name in texts if question.parameter(name) is None), None)
    if stray is not None:
        there = ", ".join(parameter.name for parameter in question.parameters) or "none"
        raise WrongParameter(f"{question.name} has no parameter of this name", stray, f"its parameters: {there}")
    values: dict[str, Value] = {}
    for parameter in question.parameters:
        if parameter.name in texts:
            values[parameter.name] = value_of_text(session, parameter, texts[parameter.name], values, limits=limits)
    for parameter in question.parameters:
        if parameter.name in values:
            continue
        value = default_value(session, parameter, values, limits=limits)
        if value is not None:
            values[parameter.name] = value
        elif not parameter.is_optional:
            choices = parameter_choices(session, parameter, values, limits=limits)
            raise WrongParameter(f"{question.name} needs a {parameter.label}", parameter.name, _there_are(choices))
    return values


def variant_for(
    session: Session, question: Question, label: str | None = None, *, limits: Limits = NO_LIMITS
) -> Variant:
    """The variant of a question for the open graph.

    Args:
        label: the label of the variant to use, whether it fits or not.

    Raises:
        UnknownQuestion: none fits, or none has this label.
    """
    if label is not None:
        named = [variant for variant in question.variants if variant.label.casefold() == label.casefold()]
        if not named:
            there = ", ".join(variant.label for variant in question.variants if variant.label)
            raise UnknownQuestion(f"{question.name} has no such variant", label, f"there are: {there or 'none'}")
        return named[0]
    fitting = fitting_variants(session.store, question, limits=limits)
    if not fitting:
        raise UnknownQuestion(
            "this graph does not use the vocabulary of the question", question.name, "ask one that fits it"
        )
    return fitting[0]


def ask_question(
    session: Session,
    question: Question,
    values: Mapping[str, Value],
    *,
    variant: Variant | None = None,
    at_most: int | None = None,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> QuestionAnswer:
    """Ask a ready question over the merge of all open graphs.

    Args:
        values: the parameter values; an optional parameter without a value matches anything.
        variant: None: the first that fits the graph.
        at_most: the maximum number of rows; None: all.
        progress: reports preparations.

    Raises:
        WrongParameter: a required value is missing, or a value is for no parameter.
        UnknownQuestion: no variant fits the graph.
        MemoryExceeded, ReaderFailed: the process ended.
    """
    chosen = variant or variant_for(session, question, limits=limits)
    text = complete_text(question, chosen, values)
    rows = store_for(session, progress, limits).select(text, limits=limits)
    return QuestionAnswer(question, chosen, dict(values), table_of(rows, question.columns, at_most=at_most))


def named_resources(session: Session, table: TermTable, *, limits: Limits = NO_LIMITS) -> dict[Resource, ResourceRef]:
    """The names of a table's resources, made unique by the differing ends of their IRIs."""
    resources = {value: None for row in table.rows for value in row if is_resource(value)}
    return told_apart(references(session, list(resources), limits=limits))


def asked_about(session: Session, answer: QuestionAnswer) -> tuple[str, ...]:
    """The parameter values, one line each: `training dataset: …`."""
    resources = [value for value in answer.values.values() if isinstance(value, NamedNode)]
    refs = references(session, resources)
    lines = []
    for parameter in answer.question.parameters:
        value = answer.values.get(parameter.name)
        if value is None:
            lines.append(f"{parameter.label}: any")
        elif isinstance(value, Literal):
            lines.append(f"{parameter.label}: {literal_text(value)}")
        else:
            lines.append(f"{parameter.label}: {refs[value].label} ({refs[value].curie})")
    return tuple(lines)


@dataclass(frozen=True)
class FittingQuestions:
    """The ready questions that fit a graph.

    Args:
        problems: errors in the user's own question files.
        own: the names of the user's own questions.
    """

    questions: tuple[Question, ...]
    problems: tuple[InputError, ...]
    own: frozenset[str]


def fitting_questions(session: Session, *, limits: Limits = NO_LIMITS) -> FittingQuestions:
    """The ready questions with a variant for the open graph's vocabulary."""
    known, problems = readable_questions()
    found = questions_for(session, known, limits=limits)
    return FittingQuestions(tuple(one.question for one in found if one.variants), problems, frozenset(own_questions()))
