"""Literals in SHACL: datatype checks and comparisons.

Source of comparisons: SPARQL 1.1, section 17.3.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache, lru_cache
from typing import Literal as OneOf

from hpc_explorer.rdf.datatypes import FRACTIONS, INTEGERS
from hpc_explorer.rdf.lexical import is_well_formed
from hpc_explorer.rdf.namespaces import RDF, RDFS, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Term
from hpc_explorer.stores.local.local import LocalStore

_EXACT_NUMBERS = INTEGERS | {XSD.decimal}
_FLOATS = FRACTIONS - {XSD.decimal}
# Cached, because each `RDFS.Literal` makes a new term.
_ANY, _BOOLEAN = RDFS.Literal, XSD.boolean
_TEXTS = (XSD.string, RDF.langString)


def is_of_datatype(value: Term, datatype: NamedNode) -> bool:
    """Whether a value is a well-formed literal of a datatype (SHACL, section 4.1.2); any literal for rdfs:Literal."""
    if not isinstance(value, Literal):
        return False
    if datatype == _ANY:
        return True
    if datatype in _TEXTS:
        return value.datatype == datatype
    return value.datatype == datatype and is_well_formed(value.value, datatype)


@lru_cache(maxsize=65_536)
def compares(left: Term, operator: OneOf["<", "<="], right: Term) -> bool:
    """Whether the comparison is true in SPARQL; false if the terms are not comparable.

    Exact numbers of any size are compared exactly, other values by the engine.
    """
    if not isinstance(left, Literal) or not isinstance(right, Literal):
        return False
    if not is_well_formed(left.value, left.datatype) or not is_well_formed(right.value, right.datatype):
        return False
    if left.datatype in _EXACT_NUMBERS and right.datatype in _EXACT_NUMBERS:
        one, other = Decimal(left.value), Decimal(right.value)
        return one < other if operator == "<" else one <= other
    if left.datatype == right.datatype == _BOOLEAN:
        first, second = left.value in ("true", "1"), right.value in ("true", "1")
        return first < second if operator == "<" else first <= second
    if any(one.datatype in _FLOATS and one.value == "NaN" for one in (left, right)):
        return False
    return _nothing().ask(f"ASK {{ FILTER({left} {operator} {right}) }}")


@cache
def _nothing() -> LocalStore:
    return LocalStore.in_memory()
