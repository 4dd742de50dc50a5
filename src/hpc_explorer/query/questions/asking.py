"""Ask a store a ready question: the variant for its graph, the choices for parameters, and the query text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hpc_explorer.errors import QuerySyntaxError, WrongParameter
from hpc_explorer.query.model.paths import InversePath, Path, RepeatedPath, SequencePath
from hpc_explorer.query.model.patterns import Statement
from hpc_explorer.query.questions.question import Parameter, Query, Question, Value, Variant
from hpc_explorer.query.sparql.blanks import filled
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.rdf.namespaces import RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Store

MOST_CHOICES = 10_000
"""The maximum number of choices of a parameter."""


@dataclass(frozen=True)
class Choice:
    """A possible value of a parameter.

    Args:
        label: from the question; None: use the graph's label.
    """

    value: Value
    label: str | None = None


def fitting_variants(
    store: Store, question: Question, asked: dict[str, bool] | None = None, *, limits: Limits = NO_LIMITS
) -> tuple[Variant, ...]:
    """The variants that fit the graph's vocabulary, preferred first.

    Args:
        asked: cached test results for the same graph, shared by questions; extended here.
    """
    known = {} if asked is None else asked

    def fits(test: Query) -> bool:
        if test.whole not in known:
            known[test.whole] = store.ask(test.whole, limits=limits)
        return known[test.whole]

    return tuple(variant for variant in question.variants if variant.fits is None or fits(variant.fits))


def has_terms_of(store: Store, variant: Variant, asked: dict[str, bool], *, limits: Limits = NO_LIMITS) -> bool:
    """Whether a graph has the classes and properties that a variant needs to have rows.

    Args:
        asked: as in `fitting_variants`.
    """
    for test in _needed_terms(variant.select):
        if test not in asked:
            asked[test] = store.ask(test, limits=limits)
        if not asked[test]:
            return False
    return True


def _needed_terms(select: Query) -> Iterator[str]:
    """A test for each class and property that a query needs to have rows."""
    try:
        query = query_model(select.whole)
    except QuerySyntaxError:
        return
    for element in query.where.elements:
        if not isinstance(element, Statement):
            continue
        if element.class_of_subject is not None:
            yield f"ASK {{ {{ ?s a {element.object} }} UNION {{ ?s {RDFS.subClassOf} {element.object} }} }}"
        elif not isinstance(element.predicate, Variable):
            yield from (f"ASK {{ ?s {one} ?o }}" for one in _needed_properties(element.predicate))


def _needed_properties(path: Path) -> Iterator[NamedNode]:
    match path:
        case NamedNode():
            yield path
        case SequencePath():
            for step in path.steps:
                yield from _needed_properties(step)
        case InversePath():
            yield from _needed_properties(path.path)
        case RepeatedPath() if path.least:
            yield from _needed_properties(path.path)


def choices_of(
    store: Store, parameter: Parameter, values: Mapping[str, Value], *, limits: Limits = NO_LIMITS
) -> tuple[tuple[Choice, ...], Count]:
    """The choices for a parameter, unordered, and their number.

    Args:
        values: the chosen values of other parameters, which restrict the choices.
    """
    if parameter.among:
        return tuple(map(Choice, parameter.among)), Count(len(parameter.among))
    if parameter.choices is None:
        return (), Count(0, CountKind.UNKNOWN)
    others = {name: value for name, value in values.items() if name != parameter.name}
    rows = store.select(filled(parameter.choices.whole, others), limits=limits)
    found: dict[Value, str | None] = {}
    cut_off = False
    for row in rows:
        value = row.get(parameter.name)
        if not isinstance(value, (NamedNode, Literal)):
            continue
        if len(found) == MOST_CHOICES and value not in found:
            cut_off = True
            break
        label = row.get("label")
        found.setdefault(value, label.value if isinstance(label, Literal) else None)
    kind = CountKind.AT_LEAST if cut_off or rows.limited else CountKind.EXACT
    return tuple(Choice(value, label) for value, label in found.items()), Count(len(found), kind)


def complete_text(question: Question, variant: Variant, values: Mapping[str, Value]) -> str:
    """The SPARQL text of a question with its parameters filled in.

    Raises:
        WrongParameter: a required parameter has no value, or there is no parameter for a value.
    """
    names = {parameter.name for parameter in question.parameters}
    stray = next((name for name in values if name not in names), None)
    if stray is not None:
        there = ", ".join(parameter.name for parameter in question.parameters) or "none"
        raise WrongParameter(f"{question.name} has no parameter of this name", stray, f"its parameters: {there}")
    for parameter in question.parameters:
        if parameter.name not in values and not parameter.is_optional:
            raise WrongParameter(f"{question.name} needs a {parameter.label}", parameter.name, "choose one")
    return filled(variant.select.whole, values)
