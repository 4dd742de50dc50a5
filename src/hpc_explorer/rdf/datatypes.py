"""The datatypes of numbers in XML Schema Definition Language 1.1, Part 2, section 3.4, and the literal true."""

from __future__ import annotations

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal

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
