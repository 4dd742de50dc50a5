"""A ready question: a SPARQL SELECT with blanks, in words, and how its answer is shown.

The blanks are variables of the text, the parameters. One that is left open, where that is allowed, stays a variable:
the question is then asked about all values. A graph may be written in several ways; a question has a variant for each,
and says by an ASK which of them a graph is written in.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hpc_explorer.query.table import Column
from hpc_explorer.rdf.terms import Literal, NamedNode, Term

Value = NamedNode | Literal
"""What can stand in a blank. A blank node cannot: in SPARQL it would be a variable."""


class ParameterKind(Enum):
    """What is chosen for a parameter."""

    RESOURCE = "resource"
    LITERAL = "literal"
    CHOICE = "choice"


@dataclass(frozen=True)
class Query:
    """A SPARQL text with the prefixes that it stands on.

    Args:
        text: SELECT or ASK, without PREFIX lines for `prefixes`.
        prefixes: prefix and namespace, by prefix.
    """

    text: str
    prefixes: tuple[tuple[str, str], ...] = ()

    @property
    def whole(self) -> str:
        """The text with its prefixes declared, on the line where it begins."""
        return "".join(f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in self.prefixes) + self.text


@dataclass(frozen=True)
class Parameter:
    """A blank of a question.

    Args:
        name: the variable that stands for it in the text.
        label: what a person calls it.
        description: what belongs there, in a sentence.
        of_class: the class that a resource is of; None where nothing is said.
        datatype: the datatype of a literal; None for a resource.
        among: all that may be chosen, where that is fixed.
        choices: a SELECT that gives what there is to choose in a graph, under the parameter's name, and under `label`
            what it is called, if it names it. The other parameters' values are put into it, so it gives what goes
            with them.
        default: what is chosen where nobody says anything and the graph has it.
        is_optional: whether it may be left open.
        is_free: whether any other value of its datatype may be typed, such as a least size; the choices are proposals.
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
        """Whether it is chosen from what is fixed, or is a literal or a resource of the graph."""
        if self.among:
            return ParameterKind.CHOICE
        return ParameterKind.RESOURCE if self.datatype is None else ParameterKind.LITERAL


@dataclass(frozen=True)
class Variant:
    """A question in the terms of one way to write a graph.

    Args:
        label: which terms, in words; empty where there is only one way.
        select: the question itself.
        fits: an ASK that is true of the graphs that are written so; None: all are.
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
    """How the answer is drawn.

    Args:
        title: what it shows.
        x: the column along the horizontal axis; resources stand side by side in the order of the rows.
        y: the columns whose numbers are drawn, each a line or set of points of its own.
        series: the columns whose values tell one line from another; a row belongs to the one that its values name.
    """

    title: str
    x: str
    y: tuple[str, ...]
    series: tuple[str, ...] = ()
    mark: PlotMark = PlotMark.LINE


@dataclass(frozen=True)
class Example:
    """What a question answers on a graph that is known: its regression test.

    Args:
        graph: where it is asked, as a command line takes it, such as `sample:xplacer`.
        values: what stands in the blanks, by their names; one that is not named is left open.
        columns: the variables of the answer.
        rows: the rows in their order; None where a column is unbound.
    """

    graph: str
    values: tuple[tuple[str, Value], ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]


@dataclass(frozen=True)
class Question:
    """A ready question.

    Args:
        name: what it is called on a command line, one word.
        title: what it is called in a list.
        text: the question in words.
        source: where it comes from; empty where it does not say.
        parameters: its blanks, in the order in which they are filled in.
        variants: the ways to ask it, the preferred one first; at least one.
        columns: what the columns of the answer are called, as far as that is said.
        plots: how the answer is drawn.
        examples: what it answers on graphs that are known.
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
        """The parameter of a name; None if there is none."""
        return next((one for one in self.parameters if one.name == name), None)
