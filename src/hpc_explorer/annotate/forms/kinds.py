"""What a value of a field may be, and the widget it is entered with: decided by datatype and range alone."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from hpc_explorer.rdf.datatypes import INTEGERS
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, RDFS, SCHEMA, SCHEMAS, SKOS, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Term


class Widget(Enum):
    """How a value is entered."""

    TEXT = "text"
    MULTI_LINE = "multi-line text"
    LANGUAGE_TEXT = "text in a language"
    INTEGER = "whole number"
    NUMBER = "number"
    BOOLEAN = "yes or no"
    DATE = "date"
    TIME = "time"
    DATE_TIME = "date and time"
    DURATION = "duration"
    IRI = "IRI"
    FILE = "file"
    CHOICE = "controlled list"
    QUANTITY = "quantity"
    LINK = "linked resource"
    LIST = "list"
    KEY_VALUE = "key and value"


VALUE_NODES = frozenset({Widget.QUANTITY, Widget.KEY_VALUE, Widget.LIST})
"""What is a node in the graph, and one value to a person."""


@dataclass(frozen=True)
class ValueKind:
    """One kind of value that a field takes.

    Args:
        widget: how such a value is entered.
        datatype: the datatype of a literal; None where the value is a node.
        cls: the class of a node; None where any will do.
        choices: the values to choose from, in their order.
    """

    widget: Widget
    datatype: NamedNode | None = None
    cls: NamedNode | None = None
    choices: tuple[Term, ...] = ()

    @property
    def words(self) -> str:
        """What it is called where a field takes several kinds."""
        as_text = self.widget is Widget.IRI and self.datatype == XSD.string
        return f"{self.widget.value} as text" if as_text else self.widget.value


DURATIONS = frozenset({XSD.duration, XSD.dayTimeDuration, XSD.yearMonthDuration})
"""XML Schema's spans of time."""

_OF_DATATYPE = {
    **dict.fromkeys(INTEGERS, Widget.INTEGER),
    **dict.fromkeys((XSD.decimal, XSD.double, XSD.float), Widget.NUMBER),
    **dict.fromkeys(DURATIONS, Widget.DURATION),
    XSD.boolean: Widget.BOOLEAN,
    XSD.date: Widget.DATE,
    XSD.time: Widget.TIME,
    XSD.dateTime: Widget.DATE_TIME,
    XSD.dateTimeStamp: Widget.DATE_TIME,
    XSD.anyURI: Widget.IRI,
    RDF.langString: Widget.LANGUAGE_TEXT,
}

# The nodes that are values, by the class they are of or below.
_OF_CLASS = {
    QUDT.QuantityValue: Widget.QUANTITY,
    QUDT.Quantity: Widget.QUANTITY,
    HPC.KeyValue: Widget.KEY_VALUE,
    HPC.File: Widget.FILE,
    SCHEMA.MediaObject: Widget.FILE,
    SCHEMAS.MediaObject: Widget.FILE,
    RDF.List: Widget.LIST,
    SKOS.Concept: Widget.CHOICE,
}

_ANY_LITERAL = frozenset({RDFS.Literal, RDF.PlainLiteral})


def is_datatype(range: NamedNode) -> bool:
    """Whether a range is one of literals."""
    return range in _OF_DATATYPE or range in _ANY_LITERAL or range.value.startswith(XSD)


def kind_of_datatype(datatype: NamedNode, *, multi_line: bool = False) -> ValueKind:
    """The kind of the literals of a datatype; a datatype that is not known is typed as text and kept.

    Args:
        multi_line: whether its texts may have several lines.
    """
    if datatype in _ANY_LITERAL:
        datatype = XSD.string
    widget = _OF_DATATYPE.get(datatype, Widget.TEXT)
    return ValueKind(Widget.MULTI_LINE if multi_line and widget is Widget.TEXT else widget, datatype)


def kind_of_class(cls: NamedNode, above: Collection[NamedNode]) -> ValueKind:
    """The kind of the nodes of a class.

    Args:
        above: the classes above it.
    """
    for ancestor, widget in _OF_CLASS.items():
        if ancestor == cls or ancestor in above:
            return ValueKind(widget, cls=cls)
    return ValueKind(Widget.LINK, cls=cls)


def kind_of_term(term: Term) -> ValueKind:
    """The kind that a value is of by itself, whatever its property says."""
    if not isinstance(term, Literal):
        return ValueKind(Widget.LINK)
    if term.language is not None:
        return ValueKind(Widget.LANGUAGE_TEXT, RDF.langString)
    return kind_of_datatype(term.datatype, multi_line="\n" in term.value)
