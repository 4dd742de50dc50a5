"""Ask a ready question: which of them go with the open graph, what may stand in their blanks, and the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hpc_explorer.app.explore.finding import common_start, references, told_apart
from hpc_explorer.app.query.run_query import start_queries, store_for
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import InputError, UnknownQuestion, WrongParameter
from hpc_explorer.ontology.labels import label_order, search_words
from hpc_explorer.query.questions.asking import choices_of, complete_text, fitting_variants
from hpc_explorer.query.questions.question import Parameter, Question, Value, Variant
from hpc_explorer.query.table import TermTable, table_of
from hpc_explorer.rdf.literals import is_number, literal_text
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Progress, no_progress

# So many choices are named in an error.
_NAMED = 8


@dataclass(frozen=True)
class FittingQuestion:
    """A question, and how it can be asked of the open graph.

    Args:
        variants: those in whose terms the graph is written, the preferred one first; none where it cannot be asked.
    """

    question: Question
    variants: tuple[Variant, ...]


@dataclass(frozen=True)
class NamedChoice:
    """What may stand in a blank, as a person reads it.

    Args:
        label: unlike that of all other choices.
        ref: the resource; None for a literal.
    """

    value: Value
    label: str
    ref: ResourceRef | None = None

    @property
    def detail(self) -> str:
        """The class of a resource; empty where it has none, and for a literal."""
        return self.ref.kind if self.ref is not None else ""


@dataclass(frozen=True)
class Choices:
    """What may stand in a blank: those that were sought, in reading order, and how many there are in all."""

    items: tuple[NamedChoice, ...]
    total: Count


@dataclass(frozen=True)
class OfferedChoices:
    """What may stand in a blank, and what is proposed for it; None for nothing."""

    choices: Choices
    proposed: Value | None


@dataclass(frozen=True)
class QuestionAnswer:
    """What was asked, and the answer.

    Args:
        values: what stood in the blanks.
    """

    question: Question
    variant: Variant
    values: Mapping[str, Value]
    table: TermTable


def questions_for(
    session: Session, questions: Iterable[Question], *, limits: Limits = NO_LIMITS
) -> tuple[FittingQuestion, ...]:
    """Each question with the variants in whose terms the open graph is written."""
    asked: dict[str, bool] = {}
    return tuple(
        FittingQuestion(question, fitting_variants(session.store, question, asked, limits=limits))
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
    """What may be chosen for a parameter in the open graph.

    Args:
        values: what is chosen for the others; only what goes with it is offered.
        sought: words that its label must have, each from its beginning.
        at_most: so many are given; None: all that fit.
    """
    found, total = choices_of(session.store, parameter, values, limits=limits)
    resources = [choice.value for choice in found if isinstance(choice.value, NamedNode)]
    refs = references(session, resources, limits=limits)
    named = _told_apart(
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


def _told_apart(choices: Sequence[NamedChoice]) -> list[NamedChoice]:
    """The choices; those that share a label are called by what sets their IRIs apart."""
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
    """Whether a choice has all these words in its label, each from its beginning."""
    there = f"{choice.label} {search_words(choice.label)}".casefold().split()
    return all(any(word.startswith(part) for word in there) for part in sought.casefold().split())


def _order(choice: NamedChoice) -> tuple[float, tuple[str | tuple[int, str], ...]]:
    """Numbers by their size before all else by its label."""
    value = choice.value
    if isinstance(value, Literal) and is_number(value):
        try:
            return float(value.value), ()
        except ValueError:
            pass
    return float("inf"), label_order(choice.label)


def open_text(session: Session, question: Question, *, limits: Limits = NO_LIMITS) -> str:
    """The query of a ready question, in the terms of what is open, with its blanks left open."""
    (found,) = questions_for(session, [question], limits=limits)
    variant = found.variants[0] if found.variants else question.variants[0]
    return variant.select.whole


def offered_choices(
    session: Session, parameter: Parameter, values: Mapping[str, Value], *, limits: Limits = NO_LIMITS
) -> OfferedChoices:
    """What may be chosen for a parameter, and what is where nobody says anything; see `parameter_choices`."""
    start_queries(session)
    choices = parameter_choices(session, parameter, values, limits=limits)
    return OfferedChoices(choices, _proposed(parameter, [one.value for one in choices.items], choices.total))


def default_value(
    session: Session, parameter: Parameter, values: Mapping[str, Value], *, limits: Limits = NO_LIMITS
) -> Value | None:
    """What is chosen where nobody says anything: the default if the graph has it, else the only choice there is."""
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
    """The value that a person means by a text: a choice's label, an IRI or prefixed name, or the literal itself.

    Raises:
        WrongParameter: there is no such choice, or several; the choices are named.
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
        raise WrongParameter(f"several choices of {parameter.name} are called so", text, f"one of: {listed}")
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
    """The literal of a parameter's datatype that a text spells, in the language of the default if that has one.

    None where the text spells none, or the parameter is no literal.
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
        return "this graph has nothing to choose from"
    listed = ", ".join(choice.label for choice in choices.items[:_NAMED])
    more = len(choices.items) - _NAMED
    return f"there are: {listed}" + (f" and {more:,} more" if more > 0 else "")


def filled_in(
    session: Session, question: Question, texts: Mapping[str, str], *, limits: Limits = NO_LIMITS
) -> dict[str, Value]:
    """The values of a question's blanks from what a person typed, and the defaults of those left open.

    Raises:
        WrongParameter: a name is none of the question's, a text names no choice, or a blank must be filled; the
            choices are named.
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
    """The variant of a question that fits the open graph.

    Args:
        label: the one that is wanted, whether it fits or not.

    Raises:
        UnknownQuestion: none fits, or none is called so.
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
            "this graph is not written in the terms of the question", question.name, "ask one that fits it"
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
    """The answer of a ready question over the merge of all open graphs.

    Args:
        values: what stands in its blanks; those left open, where that is allowed, stand for anything.
        variant: how it is asked; None: the first that fits the graph.
        at_most: so many rows are given; None: all.
        progress: told of what has to be done before the question can be answered.

    Raises:
        WrongParameter: a blank that must be filled is open, or a value is for none.
        UnknownQuestion: the graph is not written in its terms.
        MemoryExceeded, ReaderFailed: the process in which it was answered ended.
    """
    chosen = variant or variant_for(session, question, limits=limits)
    text = complete_text(question, chosen, values)
    rows = store_for(session, progress, limits).select(text, limits=limits)
    return QuestionAnswer(question, chosen, dict(values), table_of(rows, question.columns, at_most=at_most))


# The answer as a person reads it


def named_resources(session: Session, table: TermTable, *, limits: Limits = NO_LIMITS) -> dict[Resource, ResourceRef]:
    """How the resources of a table are called; those that share a name by what sets their IRIs apart."""
    resources = {value: None for row in table.rows for value in row if is_resource(value)}
    return told_apart(references(session, list(resources), limits=limits))


def asked_about(session: Session, answer: QuestionAnswer) -> tuple[str, ...]:
    """What stood in the blanks, one line each: `training dataset: …`."""
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
