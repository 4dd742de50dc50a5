"""Graph patterns: what has to be so in the graph (SPARQL 1.1 Query, sections 5 to 8)."""

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
"""An end of a statement. A blank node of a text is a variable that no column shows."""

INSTANCE_PATH = SequencePath((RDF.type, RepeatedPath(RDFS.subClassOf, 0, None)))
"""From a thing to its class and to all classes above that."""


@dataclass(frozen=True)
class Statement:
    """A triple pattern, or a path between two nodes."""

    subject: Node
    predicate: Path | Variable
    object: Node

    @property
    def class_of_subject(self) -> NamedNode | None:
        """The class that it says its subject is of, be it exactly or by way of classes below; None: it says no such."""
        return (
            self.object if self.predicate in (RDF.type, INSTANCE_PATH) and isinstance(self.object, NamedNode) else None
        )


@dataclass(frozen=True)
class Filter:
    """A condition that each solution of the group meets."""

    condition: Condition


@dataclass(frozen=True)
class QuantityRange:
    """That a quantity, a node with a number and a unit, lies between two amounts, in any unit.

    Args:
        node: the variable of the quantity's node (`qudt:QuantityValue`).
        unit: what `least` and `most` are in, one of `rdf.quantities.known_units`.
        least, most: amounts, both included; None: no bound on that side. Not both None.
    """

    node: Variable
    unit: NamedNode
    least: Decimal | None = None
    most: Decimal | None = None


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
    """`FILTER EXISTS { group }`: it has to be so, and multiplies no rows."""

    group: Group


@dataclass(frozen=True)
class Alternatives:
    """`{ a } UNION { b }`; with one group alone, a group in braces of its own."""

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
    """A piece of a group that the model has no form for, such as MINUS, BIND, SERVICE or a query in the query.

    Args:
        text: its tokens, with the query's own prefixes, without comments; where there is space between two of them,
            one blank. A query in the query is locked without its braces, alone in its group.
        variables: those that it names, each once, in their order.
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
    """What stands in braces, in its order."""

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
    """The element with other groups in it.

    Args:
        groups: as many as it has.
    """
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
    """The variables of an element and of all within it, in their order; one may come twice."""
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
