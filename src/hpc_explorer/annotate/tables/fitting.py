"""Check whether a column's values fit a property: literals of its datatype, quantities of its kind, links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hpc_explorer.annotate.tables.cells import NUMBERS
from hpc_explorer.annotate.tables.mapping import ColumnRule
from hpc_explorer.annotate.tables.template import parse_template
from hpc_explorer.ontology.labels import local_name
from hpc_explorer.ontology.schema import PropertyInfo, PropertyKind
from hpc_explorer.rdf.namespaces import QUDT, RDFS, UNIT, XSD
from hpc_explorer.rdf.quantities import Unit
from hpc_explorer.rdf.terms import NamedNode

_WORDS: Mapping[NamedNode, str] = {
    XSD.integer: "a whole number",
    XSD.decimal: "a number",
    XSD.double: "a number",
    XSD.boolean: "true or false",
    XSD.date: "a date",
    XSD.dateTime: "a date and time",
    XSD.anyURI: "an address",
}
"""Names of datatypes for users."""


@dataclass(frozen=True)
class Fit:
    """How well a property fits a column.

    Args:
        rule: the column's rule with the property.
        doubt: why the values do not fit; empty if they do.
    """

    rule: ColumnRule
    doubt: str = ""


class Fitting:
    """Matches properties with columns.

    Args:
        kinds: the kind of quantity by property, if known.
        units: the known units.
        own: the namespace of the table.
    """

    def __init__(self, kinds: Mapping[NamedNode, NamedNode], units: Mapping[NamedNode, Unit], own: str) -> None:
        self._kinds, self._units, self._own = kinds, units, own

    def fit(self, info: PropertyInfo, rule: ColumnRule, column: str, *, is_empty: bool = False) -> Fit:
        """How well a property fits a column.

        Args:
            rule: the column's rule with a property of the table's namespace.
            is_empty: whether the column has no values.
        """
        found = self._fit(info, replace(rule, property=info.term), column)
        return replace(found, doubt="no value was seen that could tell") if found.doubt and is_empty else found

    def _fit(self, info: PropertyInfo, rule: ColumnRule, column: str) -> Fit:
        if QUDT.QuantityValue in info.ranges:
            return self._quantity(info, rule)
        datatypes = [term for term in info.ranges if term in _WORDS or term in (XSD.string, RDFS.Literal)]
        if datatypes or info.kind is PropertyKind.DATATYPE:
            if info.ranges and not datatypes and not any(term.value.startswith(XSD) for term in info.ranges):
                return Fit(replace(rule, lookup=None, iri=False), f"its values are {local_name(info.ranges[0].value)}")
            return _literal(datatypes, rule)
        if info.kind is PropertyKind.OBJECT:
            return self._link(info, rule, column)
        return Fit(rule)

    def _quantity(self, info: PropertyInfo, rule: ColumnRule) -> Fit:
        if rule.datatype not in NUMBERS:
            return Fit(_as_quantity(rule), "it is a quantity, and the values are no numbers")
        if rule.unit is None:
            return Fit(_as_quantity(rule), "it is a quantity, and the heading names no unit that is known")
        unit, kind = self._units.get(rule.unit), self._kinds.get(info.term)
        if unit is None or kind is None or unit.kind == kind:
            return Fit(rule)
        usual = next((one.symbol for one in self._units.values() if one.kind == kind), local_name(kind.value))
        return Fit(rule, f"its values are in units like {usual}, and those of the column in {unit.symbol}")

    def _link(self, info: PropertyInfo, rule: ColumnRule, column: str) -> Fit:
        if rule.iri or rule.lookup is not None:
            return Fit(rule)
        name = local_name(info.term.value)
        plain = replace(rule, unit=None, datatype=XSD.string, date_format="")
        if not {"{", "}"} & set(column):
            plain = replace(plain, link=parse_template(f"{self._own}/{name}/{{{column}}}"))
        whose = f" to a {local_name(info.ranges[0].value)}" if info.ranges else ""
        return Fit(plain, f"it is a link{whose}, and the values are no links")


def _as_quantity(rule: ColumnRule) -> ColumnRule:
    """The rule for a quantity; the user must choose its unit."""
    return replace(rule, datatype=XSD.decimal, unit=UNIT.UNITLESS, date_format="", iri=False, lookup=None)


def _literal(datatypes: list[NamedNode], rule: ColumnRule) -> Fit:
    """How well a property of literals fits a column.

    Args:
        datatypes: the property's datatypes; empty if unknown.
    """
    plain = replace(rule, lookup=None, iri=False, unit=None)
    if rule.unit is not None:
        return Fit(plain, "it has no unit, and the heading names one")
    if XSD.anyURI in datatypes and rule.iri:
        return Fit(replace(plain, datatype=XSD.anyURI))
    if not datatypes or RDFS.Literal in datatypes or plain.datatype in datatypes:
        return Fit(plain)
    if XSD.string in datatypes:
        return Fit(replace(plain, datatype=XSD.string, date_format=""))
    if plain.datatype in (XSD.integer, XSD.decimal):
        wider = next((one for one in (XSD.decimal, XSD.double) if one in datatypes), None)
        if wider is not None:
            return Fit(replace(plain, datatype=wider))
    other = replace(plain, datatype=datatypes[0], date_format="")
    return Fit(other, f"it is {_WORDS[datatypes[0]]}, and the values are not")
