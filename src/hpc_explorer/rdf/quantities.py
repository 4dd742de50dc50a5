"""Quantities: a number with a unit (QUDT), read from the graph, shown as people write them, and compared.

Units and factors come from the shipped `ontology/units.ttl`. Other units are shown by name and cannot be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache

from hpc_explorer.rdf.literals import grouped
from hpc_explorer.rdf.namespaces import QUDT, RDF, RDFS, SKOS
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.shipped import shipped_folder

VALUE_PREDICATES: tuple[NamedNode, ...] = (QUDT.value, QUDT.numericValue, RDF.value)
"""Predicates for the number of a quantity."""

UNIT_PREDICATES: tuple[NamedNode, ...] = (QUDT.unit, QUDT.hasUnit)
"""Predicates for the unit of a quantity."""

QUANTITY_PREDICATES: tuple[NamedNode, ...] = VALUE_PREDICATES + UNIT_PREDICATES


@dataclass(frozen=True)
class Unit:
    """A unit of measure.

    Args:
        iri: the unit; None if the graph has only text.
        label: the name.
        symbol: the symbol written after a number.
        kind: the quantity kind; None if the unit is not in `units.ttl`.
        factor: the size in base units of the kind (byte, hertz, flop/s, watt, joule, second, 1, byte/s, flop/s/W).
        ucum: the code in the Unified Code for Units of Measure, or empty.
        other_name: another common name such as "TFLOPS", or empty.
    """

    iri: NamedNode | None
    label: str
    symbol: str
    kind: NamedNode | None
    factor: Decimal | None
    ucum: str = ""
    other_name: str = ""


@dataclass(frozen=True)
class Quantity:
    """A number with a unit.

    Args:
        spelled: the number as written in the graph.
        unit: the unit; None if the graph has none.
    """

    spelled: str
    unit: Unit | None

    @property
    def value(self) -> Decimal | None:
        """The number; None if it cannot be parsed."""
        try:
            return Decimal(self.spelled.replace(",", "").strip())
        except InvalidOperation:
            return None

    @property
    def base_value(self) -> Decimal | None:
        """The amount in the base unit of its kind, for comparison; None if unknown."""
        number = self.value
        if number is None or self.unit is None or self.unit.factor is None:
            return None
        return number * self.unit.factor

    def to(self, unit: Unit) -> Quantity:
        """The same amount in another unit.

        Raises:
            ValueError: the units have different kinds, or one is unknown.
        """
        amount = self.base_value
        if amount is None or self.unit is None or unit.factor is None or unit.kind != self.unit.kind:
            raise ValueError(f"{self} cannot be converted to {unit.label}")
        return Quantity(format((amount / unit.factor).normalize(), "f"), unit)

    def __str__(self) -> str:
        """For example "442,010.00 TFLOP/s", with every digit of the graph."""
        number = grouped(self.spelled)
        if self.unit is None:
            return number
        return f"{number}{'' if self.unit.symbol == '%' else ' '}{self.unit.symbol}"


@cache
def known_units() -> Mapping[NamedNode, Unit]:
    """The shipped units by IRI."""
    from pyoxigraph import RdfFormat, parse

    stated: dict[NamedNode, dict[NamedNode, Literal | NamedNode]] = {}
    for quad in parse(path=str(shipped_folder("ontology") / "units.ttl"), format=RdfFormat.TURTLE):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, (Literal, NamedNode)):
            stated.setdefault(quad.subject, {})[quad.predicate] = quad.object
    return {iri: _unit(iri, facts) for iri, facts in stated.items() if facts.get(RDF.type) == QUDT.Unit}


def _unit(iri: NamedNode, facts: Mapping[NamedNode, Literal | NamedNode]) -> Unit:
    kind = facts.get(QUDT.hasQuantityKind)
    return Unit(
        iri=iri,
        label=facts[RDFS.label].value,
        symbol=facts[QUDT.symbol].value,
        kind=kind if isinstance(kind, NamedNode) else None,
        factor=Decimal(facts[QUDT.conversionMultiplier].value),
        ucum=facts[QUDT.ucumCode].value if QUDT.ucumCode in facts else "",
        other_name=facts[SKOS.altLabel].value if SKOS.altLabel in facts else "",
    )


def unit_of(iri: NamedNode) -> Unit:
    """The unit of an IRI; an unknown unit is named by the last part of its IRI."""
    known = known_units().get(iri)
    if known is not None:
        return known
    name = iri.value.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1]
    return Unit(iri, name, name, None, None)


def read_quantity(statements: Iterable[tuple[NamedNode, Literal | NamedNode]]) -> Quantity | None:
    """The quantity described by a node's statements (predicate, object); None if there is none.

    A node with only `rdf:value` is not a quantity.
    """
    found = dict(statements)
    number = next((found[term] for term in VALUE_PREDICATES if isinstance(found.get(term), Literal)), None)
    unit = next((found[term] for term in UNIT_PREDICATES if term in found), None)
    if number is None or (unit is None and found.keys().isdisjoint((QUDT.value, QUDT.numericValue))):
        return None
    if isinstance(unit, NamedNode):
        return Quantity(number.value, unit_of(unit))
    if isinstance(unit, Literal):
        return Quantity(number.value, Unit(None, unit.value, unit.value, None, None))
    return Quantity(number.value, None)
