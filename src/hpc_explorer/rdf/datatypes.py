"""The datatypes of numbers in XML Schema Definition Language 1.1, Part 2, section 3.4, and the literal true."""

from __future__ import annotations

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal

TRUE, FALSE = Literal("true", datatype=XSD.boolean), Literal("false", datatype=XSD.boolean)
"""The terms that vocabularies call true and false; "1" of the same datatype has the value true and is another term."""

DERIVED_INTEGERS = frozenset(
    XSD.term(name)
    for name in (
        "byte", "short", "int", "long", "unsignedByte", "unsignedShort", "unsignedInt", "unsignedLong",
        "positiveInteger", "negativeInteger", "nonPositiveInteger", "nonNegativeInteger",
    )
)  # fmt: skip
"""Whole numbers within bounds."""

INTEGERS = DERIVED_INTEGERS | {XSD.integer}
"""Whole numbers."""

FRACTIONS = frozenset({XSD.decimal, XSD.double, XSD.float})
"""Numbers that may have a fraction."""

NUMBERS = INTEGERS | FRACTIONS
"""All numbers."""
