"""The SPARQL pattern of a quantity between two amounts, in any unit of its kind.

    FILTER EXISTS {
      ?memory qudt:value|qudt:numericValue|rdf:value ?memory_number ;
        qudt:unit|qudt:hasUnit ?memory_unit .
      VALUES (?memory_unit ?memory_factor) { (unit:GigaBYTE 1000000000.0) … }
      FILTER (… >= 16 * 1000000000.0)
    }

The unit of the amounts comes first. The number is multiplied by its unit's factor as a decimal, which is exact, or as a
double if it is not a valid decimal (`1.5E3`, `442,010.00`) or too large for the engine.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from hpc_explorer.query.model.conditions import LockedExpression
from hpc_explorer.query.model.paths import AlternativePath
from hpc_explorer.query.model.patterns import Filter, Group, PresentGroup, QuantityRange, Statement, Values
from hpc_explorer.query.sparql.terms import TermWriter
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.quantities import UNIT_PREDICATES, VALUE_PREDICATES, Unit, known_units
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable

# Oxigraph's decimals: 18 digits after the decimal point, up to 1.7 * 10**20.
_MOST_DIGITS = 18
_LARGEST = Decimal(10) ** 20


@dataclass(frozen=True)
class QuantityNames:
    """The variables within the pattern of a quantity."""

    number: Variable
    unit: Variable
    factor: Variable

    @classmethod
    def beside(cls, node: Variable, taken: Collection[str]) -> QuantityNames:
        """Unused names that begin with the name of the node."""
        names = (f"{node.value}_{part}" for part in ("number", "unit", "factor"))
        return cls(*(Variable(unused(name, taken)) for name in names))


def unused(name: str, taken: Collection[str]) -> str:
    """A name, followed by a number if it is taken."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def quantity_pattern(quantity: QuantityRange, names: QuantityNames, writer: TermWriter) -> PresentGroup:
    """The pattern of a range in terms of the model.

    Raises:
        ValueError: the unit is unknown.
    """
    units = comparable_units(quantity.unit)
    rows = tuple((_iri(unit), _decimal(_factor(unit))) for unit in units)
    return PresentGroup(
        Group(
            (
                Statement(quantity.node, AlternativePath(VALUE_PREDICATES), names.number),
                Statement(quantity.node, AlternativePath(UNIT_PREDICATES), names.unit),
                Values((names.unit, names.factor), rows),
                *(Filter(bound) for bound in _bounds(quantity, _factor(units[0]), names, writer)),
            )
        )
    )


def _bounds(
    quantity: QuantityRange, factor: Decimal, names: QuantityNames, writer: TermWriter
) -> list[LockedExpression]:
    number, unit_factor = writer.variable(names.number), writer.variable(names.factor)
    amount = (
        f"COALESCE({writer.iri(XSD.decimal)}(STR({number})) * {unit_factor}, "
        f'{writer.iri(XSD.double)}(REPLACE(STR({number}), ",", "")) * {unit_factor})'
    )
    return [
        LockedExpression(
            f"{amount} {sign} {_amount(bound, factor)} * {writer.term(_decimal(factor))}", (names.number, names.factor)
        )
        for sign, bound in (
            (">=" if quantity.least_included else ">", quantity.least),
            ("<=" if quantity.most_included else "<", quantity.most),
        )
        if bound is not None
    ]


def _amount(amount: Decimal, factor: Decimal) -> str:
    """A bound as a number; as a double if the engine's decimals cannot hold it or its product."""
    written = format(amount, "f")
    digits = -int(amount.normalize().as_tuple().exponent)
    is_exact = digits <= _MOST_DIGITS and abs(amount) < _LARGEST and abs(amount * factor) < _LARGEST
    return written if is_exact else f"{written}e0"


@cache
def comparable_units(iri: NamedNode) -> tuple[Unit, ...]:
    """A known unit, followed by the others of its kind, smallest first.

    Raises:
        ValueError: it is unknown.
    """
    own = known_units().get(iri)
    if own is None or own.factor is None:
        raise ValueError(f"{iri} is no known unit")
    others = [unit for unit in known_units().values() if unit.kind == own.kind and unit.iri != iri]
    return (own, *sorted(others, key=lambda unit: (_factor(unit), _iri(unit).value)))


def _iri(unit: Unit) -> NamedNode:
    assert unit.iri is not None
    return unit.iri


def _factor(unit: Unit) -> Decimal:
    assert unit.factor is not None
    return unit.factor


def _decimal(number: Decimal) -> Literal:
    text = format(number, "f")
    return Literal(text if "." in text else f"{text}.0", datatype=XSD.decimal)
