"""A ready question: a SPARQL SELECT with parameters, its words, and the display of its answer.

Parameters are variables of the text. An optional parameter without a value stays a variable, so the question is about
all values. A question has a variant for each vocabulary that a graph may use, with an ASK that recognises it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hpc_explorer.query.table import Column
from hpc_explorer.rdf.terms import Literal, NamedNode, Term

Value = NamedNode | Literal
"""A parameter's value. A blank node would be a variable in SPARQL."""


class ParameterKind(Enum):
    """How a parameter is chosen."""

    RESOURCE = "resource"
    LITERAL = "literal"
    CHOICE = "choice"


@dataclass(frozen=True)
class Query:
    """A SPARQL text and its prefixes."""

    text: str  # SELECT or ASK, without PREFIX lines for `prefixes`
    prefixes: tuple[tuple[str, str], ...] = ()  # prefix and namespace, sorted by prefix

    @property
    def whole(self) -> str:
        """The text with its prefixes declared on its first line."""
        return "".join(f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in self.prefixes) + self.text


@dataclass(frozen=True)
class Parameter:
    """A parameter of a question."""

    name: str  # its variable in the text
    label: str  # its name for people
    description: str = ""  # one sentence about its values
    of_class: NamedNode | None = None  # the class of a resource, if known
    datatype: NamedNode | None = None  # the datatype of a literal; None for a resource
    among: tuple[Value, ...] = ()  # a fixed list of choices
    # a SELECT of the possible values in a graph in a column with the parameter's name, optionally with a column
    # `label`. The values of other parameters are filled in.
    choices: Query | None = None
    default: Value | None = None  # the initial value, if the graph has it
    is_optional: bool = False  # whether it may be left empty
    # whether any other value of its datatype is allowed, such as a minimum; the choices are proposals
    is_free: bool = False

    @property
    def kind(self) -> ParameterKind:
        """Whether it has fixed choices, or is a literal or resource of the graph."""
        if self.among:
            return ParameterKind.CHOICE
        return ParameterKind.RESOURCE if self.datatype is None else ParameterKind.LITERAL


@dataclass(frozen=True)
class Variant:
    """A question in one vocabulary."""

    label: str  # the vocabulary; empty if there is only one
    select: Query
    fits: Query | None = None  # an ASK that is true for graphs in this vocabulary; None: all graphs


class PlotMark(Enum):
    """How the values of a plot are drawn."""

    LINE = "line"
    POINTS = "points"


@dataclass(frozen=True)
class Plot:
    """A plot of the answer."""

    title: str
    x: str  # the column on the horizontal axis; resources are spaced evenly in the order of the rows
    y: tuple[str, ...]  # the numeric columns, each a line or set of points
    series: tuple[str, ...] = ()  # the columns whose values divide the rows into separate lines
    mark: PlotMark = PlotMark.LINE


@dataclass(frozen=True)
class Example:
    """The answer of a question on a known graph: its regression test."""

    graph: str  # as on the command line, such as `sample:xplacer`
    values: tuple[tuple[str, Value], ...]  # the values of parameters by name; others are empty
    columns: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]  # in order; None in an unbound column


@dataclass(frozen=True)
class Question:
    """A ready question."""

    name: str  # one word, for the command line
    title: str  # its name in lists
    text: str
    variants: tuple[Variant, ...]  # preferred first; at least one
    parameters: tuple[Parameter, ...] = ()  # in the order of input
    source: str = ""  # its origin, or empty
    columns: tuple[Column, ...] = ()  # the known titles and units of the answer's columns
    plots: tuple[Plot, ...] = ()
    examples: tuple[Example, ...] = ()

    def parameter(self, name: str) -> Parameter | None:
        return next((one for one in self.parameters if one.name == name), None)
