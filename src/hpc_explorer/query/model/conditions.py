"""Conditions of a FILTER (SPARQL 1.1 Query, section 17).

Each kind has a form in the window. Any other expression is kept as text, locked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from hpc_explorer.rdf.terms import Literal, NamedNode, Variable


class Operator(Enum):
    """How two values compare."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="


@dataclass(frozen=True)
class Comparison:
    """`?variable operator value`; a value may be another variable."""

    variable: Variable
    operator: Operator
    value: Literal | NamedNode | Variable


@dataclass(frozen=True)
class Between:
    """`?variable >= least && ?variable <= most`.

    Args:
        least_included, most_included: False: `>` and `<`.
    """

    variable: Variable
    least: Literal
    most: Literal
    least_included: bool = True
    most_included: bool = True


@dataclass(frozen=True)
class OneOf:
    """`?variable IN (values)`, or NOT IN.

    Args:
        values: one or more.
    """

    variable: Variable
    values: tuple[Literal | NamedNode, ...]
    is_negated: bool = False


class TextTest(Enum):
    """How a text is compared; MATCHES takes a regular expression."""

    CONTAINS = "contains"
    STARTS = "starts with"
    ENDS = "ends with"
    MATCHES = "matches"


@dataclass(frozen=True)
class TextMatch:
    """A text in `STR(?variable)`.

    Args:
        ignores_case: compare in lower case; for a regular expression, the flag `i`.
    """

    variable: Variable
    test: TextTest
    text: str
    ignores_case: bool = True


@dataclass(frozen=True)
class LanguageMatch:
    """`LANGMATCHES(LANG(?variable), language)`."""

    variable: Variable
    language: str


class TermKind(Enum):
    """The kind of a term, with the SPARQL function that tests for it."""

    IRI = "isIRI"
    BLANK = "isBlank"
    LITERAL = "isLiteral"
    NUMBER = "isNumeric"


@dataclass(frozen=True)
class KindMatch:
    """`isIRI(?variable)` and the like."""

    variable: Variable
    kind: TermKind


@dataclass(frozen=True)
class IsBound:
    """`BOUND(?variable)`."""

    variable: Variable


@dataclass(frozen=True)
class AllOf:
    """`a && b`: two or more; none is an `AllOf`, and two bounds of one variable are a `Between`."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True)
class AnyOf:
    """`a || b`: two or more; none is an `AnyOf`."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True)
class Not:
    """`!(a)`."""

    condition: Condition


@dataclass(frozen=True)
class LockedExpression:
    """An expression kept as written.

    Args:
        text: its tokens with the query's prefixes, without comments and outer parentheses, separated by single spaces.
        variables: the variables in it, each once, in order.
    """

    text: str
    variables: tuple[Variable, ...] = ()


Condition: TypeAlias = (
    Comparison
    | Between
    | OneOf
    | TextMatch
    | LanguageMatch
    | KindMatch
    | IsBound
    | AllOf
    | AnyOf
    | Not
    | LockedExpression
)


def condition_variables(condition: Condition) -> Iterator[Variable]:
    """The variables of a condition in order, with repetitions."""
    match condition:
        case AllOf() | AnyOf():
            for part in condition.conditions:
                yield from condition_variables(part)
        case Not():
            yield from condition_variables(condition.condition)
        case LockedExpression():
            yield from condition.variables
        case Comparison():
            yield condition.variable
            if isinstance(condition.value, Variable):
                yield condition.value
        case _:
            yield condition.variable
