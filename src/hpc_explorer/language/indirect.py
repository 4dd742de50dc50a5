"""Properties that a graph states in more than one triple: values of key and value nodes, and durations.

`hpc:hyperParameter [ hpc:key "batch size" ; hpc:value 32 ]` gives a property "batch size", and a start with an end a
property "duration". The grammar treats them like other properties; their IRIs stand in no graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from hpc_explorer.ontology.common_terms import schema_org
from hpc_explorer.rdf.datatypes import NUMBERS
from hpc_explorer.rdf.namespaces import DCAT, HPC, PROV, RDF, SCHEMA, SCHEMAS, XSD
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource
from hpc_explorer.stores.base import Limits, Store

IN_BYTES = frozenset((DCAT.byteSize, HPC.fileSize, *schema_org("contentSize")))
"""Properties whose plain numbers are bytes."""

_KEYS: tuple[tuple[NamedNode, NamedNode], ...] = (
    (HPC.key, HPC.value),
    *((space.propertyID, space.value) for space in (SCHEMA, SCHEMAS)),
)
_NAMES: tuple[tuple[NamedNode, NamedNode], ...] = tuple((space.name, space.value) for space in (SCHEMA, SCHEMAS))
_NAMED_KINDS = frozenset(schema_org("PropertyValue"))
_PERIODS: tuple[tuple[NamedNode, NamedNode], ...] = (
    (HPC.startDate, HPC.endDate),
    (PROV.startedAtTime, PROV.endedAtTime),
    *((space.startTime, space.endTime) for space in (SCHEMA, SCHEMAS)),
    *((space.startDate, space.endDate) for space in (SCHEMA, SCHEMAS)),
)
_MOST_KEYS = 200
_MOST_LETTERS = 40
_MOST_NODES = 20_000


@dataclass(frozen=True)
class Keyed:
    """The value of a node with a key.

    Args:
        label: the key.
        properties: from the thing to the node.
        key, value: of the node.
        keys: the literals of this key.
        unit: of all its values (`schema:unitCode`); None if they have none, or different ones.
    """

    label: str
    properties: tuple[NamedNode, ...]
    key: NamedNode
    keys: tuple[Literal, ...]
    value: NamedNode
    unit: NamedNode | None = None


@dataclass(frozen=True)
class Duration:
    """The time between a start and an end."""

    start: NamedNode
    end: NamedNode

    @property
    def label(self) -> str:
        """The label of the property."""
        return "duration"


Indirect = Keyed | Duration


@dataclass
class IndirectRead:
    """An indirect property as a graph uses it.

    Args:
        subjects: the classes of things that have it.
        values: the texts of its values, with their literals.
        is_numeric: whether a value is a number.
    """

    property: Indirect
    subjects: Counter[NamedNode]
    values: Mapping[str, Sequence[Literal]]
    is_numeric: bool = False


def indirect_term(label: str, number: int) -> NamedNode:
    """The IRI that stands for an indirect property."""
    name = "".join(one if one.isalnum() else "_" for one in label)
    return NamedNode(f"urn:hpc-explorer:language:{number}/{name}")


def read_indirect(
    store: Store,
    predicates: Mapping[NamedNode, int],
    objects: Mapping[NamedNode, Mapping[NamedNode | None, int]],
    times: Mapping[NamedNode, Iterable[NamedNode]],
    subjects: Mapping[NamedNode, Mapping[NamedNode, int]],
    types: Mapping[NamedNode, frozenset[NamedNode]],
    limits: Limits,
) -> list[IndirectRead]:
    """The indirect properties of a graph; of keys, those of the first 20,000 nodes.

    Args:
        predicates: those in use.
        objects, subjects: the classes at both ends of the predicates.
        times: the datatypes of properties that hold times.
        types: the classes of resources.
    """
    found: list[IndirectRead] = []
    for start, end in _PERIODS:
        if {XSD.dateTime} <= set(times.get(start, ())) & set(times.get(end, ())):
            both = subjects.get(start, {}).keys() & subjects.get(end, {}).keys()
            if both:
                found.append(IndirectRead(Duration(start, end), Counter(dict.fromkeys(both, 1)), {}))
    for key, value in (*_KEYS, *_NAMES):
        if key in predicates and value in predicates:
            found += _keyed(store, key, value, objects, types, limits)
    return found


def _keyed(
    store: Store,
    key: NamedNode,
    value: NamedNode,
    objects: Mapping[NamedNode, Mapping[NamedNode | None, int]],
    types: Mapping[NamedNode, frozenset[NamedNode]],
    limits: Limits,
) -> list[IndirectRead]:
    nodes: dict[Resource, Literal] = {}
    values: dict[Resource, Literal] = {}
    for quad in islice(store.match(None, key, limits=limits), _MOST_NODES):
        if isinstance(quad.object, Literal) and len(quad.object.value) <= _MOST_LETTERS:
            nodes[quad.subject] = quad.object  # type: ignore[index]  # subjects are resources
    for quad in islice(store.match(None, value, limits=limits), _MOST_NODES):
        if isinstance(quad.object, Literal) and quad.subject in nodes:
            values[quad.subject] = quad.object  # type: ignore[index]  # likewise
    units: dict[Resource, str] = {}
    for quad in store.match_many(subjects=list(values), predicates=schema_org("unitCode"), limits=limits):
        units[quad.subject] = str(getattr(quad.object, "value", ""))  # type: ignore[index]  # likewise
    kinds: set[NamedNode | None] = set()
    for quad in store.match_many(subjects=list(values), predicates=[RDF.type], limits=limits):
        if isinstance(quad.object, NamedNode):
            kinds.add(quad.object)
    if (key, value) in _NAMES:
        kinds &= _NAMED_KINDS
    found: dict[str, _Keys] = {}
    for property in [one for one, ends in objects.items() if not kinds.isdisjoint(ends)]:
        for quad in islice(store.match(None, property, limits=limits), _MOST_NODES):
            value_of = values.get(quad.object)  # type: ignore[arg-type]  # any term may be looked up
            if value_of is None or not isinstance(quad.subject, NamedNode):
                continue
            name = nodes[quad.object]  # type: ignore[index]  # its value was found
            if name.value in found or len(found) < _MOST_KEYS:
                held = found.setdefault(name.value, _Keys())
                held.properties[property] = held.literals[name] = None
                held.values.setdefault(value_of.value, {})[value_of] = None
                held.units.add(units.get(quad.object, ""))  # type: ignore[arg-type]  # likewise
                held.subjects.update(types.get(quad.subject, ()))
    return [
        IndirectRead(
            Keyed(label, tuple(one.properties), key, tuple(one.literals), value, _unit(one.units)),
            one.subjects,
            {text: tuple(several) for text, several in one.values.items()},
            any(literal.datatype in NUMBERS for several in one.values.values() for literal in several),
        )
        for label, one in found.items()
    ]


@dataclass
class _Keys:
    """What was found of one key, in order and once."""

    properties: dict[NamedNode, None] = field(default_factory=dict)
    literals: dict[Literal, None] = field(default_factory=dict)
    values: dict[str, dict[Literal, None]] = field(default_factory=dict)
    subjects: Counter[NamedNode] = field(default_factory=Counter)
    units: set[str] = field(default_factory=set)


def _unit(codes: set[str]) -> NamedNode | None:
    """The unit of a single code: its UCUM code, symbol or name in any capitals ("KWH")."""
    code = next(iter(codes)).casefold() if len(codes) == 1 else ""
    for iri, unit in known_units().items() if code else ():
        if unit.factor and code in {one.casefold() for one in (unit.ucum, unit.symbol, unit.label, unit.other_name)}:
            return iri
    return None
