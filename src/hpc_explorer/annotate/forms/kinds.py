"""The kinds of field values and their widgets, by datatype and range."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from hpc_explorer.rdf.datatypes import INTEGERS
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, RDFS, SCHEMA, SCHEMAS, SKOS, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Term


class Widget(Enum):
    """The input widget of a value."""

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
"""Nodes that are shown as one value."""


@dataclass(frozen=True)
class ValueKind:
    """A kind of value.

    Args:
        widget: the input widget.
        datatype: the datatype of a literal; None for a node.
        cls: the class of a node; None for any.
        choices: the values to choose from.
    """

    widget: Widget
    datatype: NamedNode | None = None
    cls: NamedNode | None = None
    choices: tuple[Term, ...] = ()

    @property
    def words(self) -> str:
        """The label of the kind in a field with several kinds."""
        as_text = self.widget is Widget.IRI and self.datatype == XSD.string
        return f"{self.widget.value} as text" if as_text else self.widget.value


DURATIONS = frozenset({XSD.duration, XSD.dayTimeDuration, XSD.yearMonthDuration})
"""The duration types of XML Schema."""

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

# Nodes shown as values, by class.
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
    """Whether a range is a datatype."""
    return range in _OF_DATATYPE or range in _ANY_LITERAL or range.value.startswith(XSD)


def kind_of_datatype(datatype: NamedNode, *, multi_line: bool = False) -> ValueKind:
    """The kind of literals of a datatype; unknown datatypes are edited as text.

    Args:
        multi_line: whether texts may have several lines.
    """
    if datatype in _ANY_LITERAL:
        datatype = XSD.string
    widget = _OF_DATATYPE.get(datatype, Widget.TEXT)
    return ValueKind(Widget.MULTI_LINE if multi_line and widget is Widget.TEXT else widget, datatype)


def kind_of_class(cls: NamedNode, above: Collection[NamedNode]) -> ValueKind:
    """The kind of the nodes of a class.

    Args:
        above: its superclasses.
    """
    for ancestor, widget in _OF_CLASS.items():
        if ancestor == cls or ancestor in above:
            return ValueKind(widget, cls=cls)
    return ValueKind(Widget.LINK, cls=cls)


def kind_of_term(term: Term) -> ValueKind:
    """The kind of a value regardless of its property."""
    if not isinstance(term, Literal):
        return ValueKind(Widget.LINK)
    if term.language is not None:
        return ValueKind(Widget.LANGUAGE_TEXT, RDF.langString)
    return kind_of_datatype(term.datatype, multi_line="\n" in term.value)
