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
    """A SPARQL text and its prefixes.

    Args:
        text: SELECT or ASK, without PREFIX lines for `prefixes`.
        prefixes: prefix and namespace, sorted by prefix.
    """

    text: str
    prefixes: tuple[tuple[str, str], ...] = ()

    @property
    def whole(self) -> str:
        """The text with its prefixes declared on its first line."""
        return "".join(f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in self.prefixes) + self.text


@dataclass(frozen=True)
class Parameter:
    """A parameter of a question.

    Args:
        name: its variable in the text.
        label: its name for people.
        description: one sentence about its values.
        of_class: the class of a resource, if known.
        datatype: the datatype of a literal; None for a resource.
        among: a fixed list of choices.
        choices: a SELECT of the possible values in a graph in a column with the parameter's name, optionally with a
            column `label`. The values of other parameters are filled in.
        default: the initial value, if the graph has it.
        is_optional: whether it may be left empty.
        is_free: whether any other value of its datatype is allowed, such as a minimum; the choices are proposals.
    """

    name: str
    label: str
    description: str = ""
    of_class: NamedNode | None = None
    datatype: NamedNode | None = None
    among: tuple[Value, ...] = ()
    choices: Query | None = None
    default: Value | None = None
    is_optional: bool = False
    is_free: bool = False

    @property
    def kind(self) -> ParameterKind:
        """Whether it has fixed choices, or is a literal or resource of the graph."""
        if self.among:
            return ParameterKind.CHOICE
        return ParameterKind.RESOURCE if self.datatype is None else ParameterKind.LITERAL


@dataclass(frozen=True)
class Variant:
    """A question in one vocabulary.

    Args:
        label: the vocabulary; empty if there is only one.
        select: the query.
        fits: an ASK that is true for graphs in this vocabulary; None: all graphs.
    """

    label: str
    select: Query
    fits: Query | None = None


class PlotMark(Enum):
    """How the values of a plot are drawn."""

    LINE = "line"
    POINTS = "points"


@dataclass(frozen=True)
class Plot:
    """A plot of the answer.

    Args:
        x: the column on the horizontal axis; resources are spaced evenly in the order of the rows.
        y: the numeric columns, each a line or set of points.
        series: the columns whose values divide the rows into separate lines.
    """

    title: str
    x: str
    y: tuple[str, ...]
    series: tuple[str, ...] = ()
    mark: PlotMark = PlotMark.LINE


@dataclass(frozen=True)
class Example:
    """The answer of a question on a known graph: its regression test.

    Args:
        graph: as on the command line, such as `sample:xplacer`.
        values: the values of parameters by name; others are empty.
        columns: the variables of the answer.
        rows: in order; None in an unbound column.
    """

    graph: str
    values: tuple[tuple[str, Value], ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]


@dataclass(frozen=True)
class Question:
    """A ready question.

    Args:
        name: one word, for the command line.
        title: its name in lists.
        text: the question in words.
        source: its origin, or empty.
        parameters: in the order of input.
        variants: preferred first; at least one.
        columns: the known titles and units of the answer's columns.
    """

    name: str
    title: str
    text: str
    variants: tuple[Variant, ...]
    parameters: tuple[Parameter, ...] = ()
    source: str = ""
    columns: tuple[Column, ...] = ()
    plots: tuple[Plot, ...] = ()
    examples: tuple[Example, ...] = ()

    def parameter(self, name: str) -> Parameter | None:
        """The parameter with this name, if any."""
        return next((one for one in self.parameters if one.name == name), None)
