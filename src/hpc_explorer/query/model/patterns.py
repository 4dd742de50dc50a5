"""Graph patterns (SPARQL 1.1 Query, sections 5 to 8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from hpc_explorer.query.model.conditions import Condition, condition_variables
from hpc_explorer.query.model.paths import Path, RepeatedPath, SequencePath
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable

Node: TypeAlias = Variable | NamedNode | Literal
"""An end of a statement. A blank node of a query text becomes a variable that no column shows."""

INSTANCE_PATH = SequencePath((RDF.type, RepeatedPath(RDFS.subClassOf, 0, None)))
"""From a thing to its class and all superclasses."""


@dataclass(frozen=True)
class Statement:
    """A triple pattern, or a path between two nodes."""

    subject: Node
    predicate: Path | Variable
    object: Node

    @property
    def class_of_subject(self) -> NamedNode | None:
        """The class that it states for its subject, directly or through subclasses."""
        return (
            self.object if self.predicate in (RDF.type, INSTANCE_PATH) and isinstance(self.object, NamedNode) else None
        )


@dataclass(frozen=True)
class Filter:
    """`FILTER (condition)`."""

    condition: Condition


@dataclass(frozen=True)
class QuantityRange:
    """A quantity (a node with a number and a unit) lies between two amounts, in any unit.

    Args:
        node: the variable of the node (`qudt:QuantityValue`).
        unit: the unit of `least` and `most`, one of `rdf.quantities.known_units`.
        least, most: the bounds; None: unbounded. Not both None.
        least_included, most_included: False: `>` and `<`.
    """

    node: Variable
    unit: NamedNode
    least: Decimal | None = None
    most: Decimal | None = None
    least_included: bool = True
    most_included: bool = True


@dataclass(frozen=True)
class OptionalGroup:
    """`OPTIONAL { group }`."""

    group: Group


@dataclass(frozen=True)
class AbsentGroup:
    """`FILTER NOT EXISTS { group }`."""

    group: Group


@dataclass(frozen=True)
class PresentGroup:
    """`FILTER EXISTS { group }`."""

    group: Group


@dataclass(frozen=True)
class Alternatives:
    """`{ a } UNION { b }`; with one group, a group in braces."""

    groups: tuple[Group, ...]


@dataclass(frozen=True)
class InGraph:
    """`GRAPH name { group }`."""

    name: Variable | NamedNode
    group: Group


@dataclass(frozen=True)
class Values:
    """`VALUES (variables) { rows }`; None in a row is UNDEF.

    Args:
        rows: each as long as `variables`.
    """

    variables: tuple[Variable, ...]
    rows: tuple[tuple[NamedNode | Literal | None, ...], ...]


@dataclass(frozen=True)
class Locked:
    """A piece without a form in the model, such as MINUS, BIND, SERVICE or a subquery.

    Args:
        text: its tokens with the query's prefixes, without comments, separated by single spaces. A subquery is locked
            without its braces, alone in its group.
        variables: the variables in it, each once, in order.
    """

    text: str
    variables: tuple[Variable, ...] = ()


Element: TypeAlias = (
    Statement
    | Filter
    | QuantityRange
    | OptionalGroup
    | AbsentGroup
    | PresentGroup
    | Alternatives
    | InGraph
    | Values
    | Locked
)


@dataclass(frozen=True)
class Group:
    """A group graph pattern: the elements in braces, in order."""

    elements: tuple[Element, ...] = ()


def groups_of(element: Element) -> tuple[Group, ...]:
    """The groups within an element."""
    match element:
        case OptionalGroup() | AbsentGroup() | PresentGroup() | InGraph():
            return (element.group,)
        case Alternatives():
            return element.groups
        case _:
            return ()


def with_groups(element: Element, groups: tuple[Group, ...]) -> Element:
    """The element with its groups replaced by as many others."""
    match element:
        case OptionalGroup():
            return OptionalGroup(*groups)
        case AbsentGroup():
            return AbsentGroup(*groups)
        case PresentGroup():
            return PresentGroup(*groups)
        case InGraph():
            return InGraph(element.name, *groups)
        case Alternatives():
            return Alternatives(groups)
        case _:
            return element


def element_variables(element: Element) -> Iterator[Variable]:
    """The variables of an element and everything within it in order, with repetitions."""
    match element:
        case Statement():
            yield from (
                one for one in (element.subject, element.predicate, element.object) if isinstance(one, Variable)
            )
        case Filter():
            yield from condition_variables(element.condition)
        case QuantityRange():
            yield element.node
        case Values() | Locked():
            yield from element.variables
        case InGraph(name=Variable() as name):
            yield name
    for group in groups_of(element):
        for inner in group.elements:
            yield from element_variables(inner)
