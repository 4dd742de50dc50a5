"""The datatypes of numbers in XML Schema Definition Language 1.1, Part 2, section 3.4, and the literal true."""

from __future__ import annotations

from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode

TRUE, FALSE = Literal("true", datatype=XSD.boolean), Literal("false", datatype=XSD.boolean)
"""The literals `true` and `false`. "1" has the same value as `true` but is another term."""

DERIVED_INTEGERS = frozenset(
    XSD.term(name)
    for name in (
        "byte", "short", "int", "long", "unsignedByte", "unsignedShort", "unsignedInt", "unsignedLong",
        "positiveInteger", "negativeInteger", "nonPositiveInteger", "nonNegativeInteger",
    )
)  # fmt: skip
"""Integer types with bounds."""

INTEGERS = DERIVED_INTEGERS | {XSD.integer}
"""Whole numbers."""

FRACTIONS = frozenset({XSD.decimal, XSD.double, XSD.float})
"""Numeric types with fractions."""

NUMBERS = INTEGERS | FRACTIONS
"""All numbers."""

_NEXT_WIDER = {
    "integer": "decimal", "long": "integer", "int": "long", "short": "int", "byte": "short",
    "nonNegativeInteger": "integer", "positiveInteger": "nonNegativeInteger", "unsignedLong": "nonNegativeInteger",
    "unsignedInt": "unsignedLong", "unsignedShort": "unsignedInt", "unsignedByte": "unsignedShort",
    "nonPositiveInteger": "integer", "negativeInteger": "nonPositiveInteger", "normalizedString": "string",
    "token": "normalizedString", "language": "token", "Name": "token", "NMTOKEN": "token", "NCName": "Name",
    "dateTimeStamp": "dateTime",
}  # fmt: skip


def _wider(name: str) -> list[NamedNode]:
    names = [name]
    while names[-1] in _NEXT_WIDER:
        names.append(_NEXT_WIDER[names[-1]])
    return [XSD.term(one) for one in names]


WIDER: dict[NamedNode, frozenset[NamedNode]] = {
    XSD.term(name): frozenset({*_wider(name), RDFS.Literal})
    for name in (
        *_NEXT_WIDER, "decimal", "float", "double", "string", "boolean", "hexBinary", "base64Binary", "anyURI",
        "dateTime", "time", "date",
    )
}  # fmt: skip
WIDER |= {one: frozenset({one, RDFS.Literal}) for one in (RDF.XMLLiteral, RDF.langString, RDFS.Literal)}
"""The datatypes of OWL 2 RL (OWL 2 Profiles, section 4.2.1), each with those whose values include its own."""
