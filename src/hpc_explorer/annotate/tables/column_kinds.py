"""The kinds of columns that a user can choose, and their mapping rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum

from hpc_explorer.annotate.tables.mapping import ColumnRule, TableMapping
from hpc_explorer.annotate.tables.template import parse_template
from hpc_explorer.rdf.namespaces import UNIT, XSD
from hpc_explorer.rdf.terms import NamedNode


class ColumnKind(Enum):
    """The kind of a column's values."""

    LEFT_OUT = "left out"
    TEXT = "text"
    LANGUAGE = "text in a language"
    INTEGER = "whole number"
    DECIMAL = "decimal number"
    DOUBLE = "floating-point number"
    QUANTITY = "quantity with a unit"
    BOOLEAN = "yes or no"
    DATE = "date"
    MOMENT = "date and time"
    YEAR = "year"
    ADDRESS = "address, as a value"
    LINK = "link made of its text"
    IRI = "link: it has the IRI"
    LOOKUP = "link by name"


_DATATYPES: Mapping[ColumnKind, NamedNode] = {
    ColumnKind.TEXT: XSD.string,
    ColumnKind.INTEGER: XSD.integer,
    ColumnKind.DECIMAL: XSD.decimal,
    ColumnKind.DOUBLE: XSD.double,
    ColumnKind.BOOLEAN: XSD.boolean,
    ColumnKind.DATE: XSD.date,
    ColumnKind.MOMENT: XSD.dateTime,
    ColumnKind.YEAR: XSD.gYear,
    ColumnKind.ADDRESS: XSD.anyURI,
}
_OTHER = {
    XSD.nonNegativeInteger: ColumnKind.INTEGER,
    XSD.positiveInteger: ColumnKind.INTEGER,
    XSD.float: ColumnKind.DOUBLE,
}


def kind_of(rule: ColumnRule) -> ColumnKind:
    """The kind of values of a rule."""
    if rule.unit is not None:
        return ColumnKind.QUANTITY
    if rule.language:
        return ColumnKind.LANGUAGE
    if rule.link is not None:
        return ColumnKind.LINK
    if rule.iri:
        return ColumnKind.IRI
    if rule.lookup is not None:
        return ColumnKind.LOOKUP
    found = next((kind for kind, datatype in _DATATYPES.items() if datatype == rule.datatype), None)
    return found or _OTHER[rule.datatype]


def kinds_for(rule: ColumnRule | None) -> tuple[ColumnKind, ...]:
    """The kinds that can be chosen for a column; links by name only if names were found."""
    has_names = rule is not None and rule.lookup is not None
    return tuple(kind for kind in ColumnKind if kind is not ColumnKind.LOOKUP or has_names)


def with_kind(rule: ColumnRule, kind: ColumnKind, column: str) -> ColumnRule:
    """The rule of a column changed to another kind, with defaults.

    Raises:
        ValueError: the kind needs no rule.
    """
    if kind is ColumnKind.LEFT_OUT:
        raise ValueError("a column that is left out has no rule")
    if kind is kind_of(rule):
        return rule
    plain = replace(rule, datatype=XSD.string, unit=None, language="", link=None, iri=False, lookup=None)
    if kind not in (ColumnKind.DATE, ColumnKind.MOMENT):
        plain = replace(plain, date_format="")
    if kind is ColumnKind.QUANTITY:
        return replace(plain, datatype=XSD.decimal, unit=UNIT.UNITLESS)
    if kind is ColumnKind.LANGUAGE:
        return replace(plain, language="en")
    if kind is ColumnKind.LINK:
        blank = column if not {"{", "}"} & set(column) else "#"
        return replace(plain, link=parse_template(f"https://example.org/things/{{{blank}}}"))
    if kind is ColumnKind.IRI:
        return replace(plain, iri=True)
    return replace(plain, datatype=_DATATYPES.get(kind, XSD.string))


def first_rule(mapping: TableMapping, column: str) -> ColumnRule | None:
    """The first rule of a column; None if it is ignored."""
    rules = mapping.columns.get(column, ())
    return rules[0] if rules else None


def with_rule(mapping: TableMapping, columns: Sequence[str], column: str, rule: ColumnRule | None) -> TableMapping:
    """A mapping with the first rule of a column replaced, or the column ignored.

    Args:
        columns: the table's columns, which give the order.
    """
    others = mapping.columns.get(column, ())[1:]
    made = {**mapping.columns, column: (rule, *others)} if rule is not None else dict(mapping.columns)
    if rule is None:
        made.pop(column, None)
    places = {name: place for place, name in enumerate(columns)}
    ordered = sorted(made, key=lambda name: places.get(name, len(places)))
    ignored = tuple(name for name in mapping.ignored if name != column) + ((column,) if rule is None else ())
    return replace(mapping, columns={name: made[name] for name in ordered}, ignored=ignored)
