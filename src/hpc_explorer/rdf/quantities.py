"""Quantities: a number with a unit (QUDT), read from the graph, shown as people write them, and compared.

The units and their factors are those of the shipped `ontology/units.ttl`; a unit that is not among
them is shown by its name and compared with nothing.
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
"""The predicates that a quantity's number is found under."""

UNIT_PREDICATES: tuple[NamedNode, ...] = (QUDT.unit, QUDT.hasUnit)
"""The predicates that a quantity's unit is found under."""

QUANTITY_PREDICATES: tuple[NamedNode, ...] = VALUE_PREDICATES + UNIT_PREDICATES


@dataclass(frozen=True)
class Unit:
    """A unit of measure.

    Args:
        iri: the unit; None where the graph gives it as mere text.
        label: its name in words.
        symbol: how it is written behind a number.
        kind: its quantity kind; None for a unit that `units.ttl` does not know.
        factor: how many of its kind's base units it is (byte, hertz, flop/s, watt, second, 1, byte/s, flop/s/W).
        ucum: its code in the Unified Code for Units of Measure; empty where that has none.
        other_name: another name in use, such as "TFLOPS"; empty where there is none.
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
        spelled: the number as the graph spells it.
        unit: the unit; None where the graph names none.
    """

    spelled: str
    unit: Unit | None

    @property
    def value(self) -> Decimal | None:
        """The number; None where the spelling is none."""
        try:
            return Decimal(self.spelled.replace(",", "").strip())
        except InvalidOperation:
            return None

    @property
    def base_value(self) -> Decimal | None:
        """The amount in its kind's base unit, to be compared with others of the kind; None where unknown."""
        number = self.value
        if number is None or self.unit is None or self.unit.factor is None:
            return None
        return number * self.unit.factor

    def to(self, unit: Unit) -> Quantity:
        """The same amount in another unit.

        Raises:
            ValueError: the units are not of one kind, or one of them is unknown.
        """
        amount = self.base_value
        if amount is None or self.unit is None or unit.factor is None or unit.kind != self.unit.kind:
            raise ValueError(f"{self} cannot be given in {unit.label}")
        return Quantity(format((amount / unit.factor).normalize(), "f"), unit)

    def __str__(self) -> str:
        """Such as "442,010.00 TFLOP/s": every digit as the graph spells it."""
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
    """The unit of this IRI; one that is not shipped is named by the end of its IRI."""
    known = known_units().get(iri)
    if known is not None:
        return known
    name = iri.value.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1]
    return Unit(iri, name, name, None, None)


def read_quantity(statements: Iterable[tuple[NamedNode, Literal | NamedNode]]) -> Quantity | None:
    """The quantity that a node's statements (predicate, object) make up; None where they give no number and unit.

    A node with `rdf:value` alone is no quantity: many things have one.
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
