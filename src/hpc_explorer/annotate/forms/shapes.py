"""SHACL shapes for forms: the properties of a class, and the number and kind of their values.

Source: SHACL (W3C Recommendation, 2017), sections 2 and 4. Shapes with `sh:targetClass` and implicit class targets are
read, including `sh:node` and `sh:and`. A property shape under `sh:or` or `sh:xone` becomes an optional field. Paths of
several properties are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hpc_explorer.ontology.labels import preferred_text
from hpc_explorer.rdf.datatypes import TRUE
from hpc_explorer.rdf.namespaces import RDF, RDFS, SH
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Term
from hpc_explorer.stores.base import Store


@dataclass(frozen=True)
class Allowed:
    """An alternative for values: a datatype, a class, or a node kind."""

    datatype: NamedNode | None = None
    cls: NamedNode | None = None
    node_kind: NamedNode | None = None

    @property
    def is_node(self) -> bool:
        """Whether only the node kind is given."""
        nodes = (SH.IRI, SH.BlankNode, SH.BlankNodeOrIRI)
        return self.datatype is None and self.cls is None and self.node_kind in nodes


@dataclass(frozen=True)
class ShapeGroup:
    """A group of fields (`sh:PropertyGroup`), by its label and order."""

    label: str
    order: float


@dataclass(frozen=True)
class PropertyShape:
    """The constraints of a shape on one property.

    Args:
        path: the property.
        name: the label of its field (`sh:name`), or empty.
        description: its description, or empty.
        allowed: the alternatives for values; empty: anything.
        choices: the values to choose from (`sh:in`).
        minimum: the least number of values.
        maximum: the largest number of values; None: any.
        pattern: the regular expression for values, or empty.
        languages: the allowed languages (`sh:languageIn`); empty: any.
        order: its position in its group (`sh:order`), or None.
        group: its group, or None.
        recommended: whether a value is recommended: a minimum count with severity warning.
    """

    path: NamedNode
    name: str = ""
    description: str = ""
    allowed: tuple[Allowed, ...] = ()
    choices: tuple[Term, ...] = ()
    minimum: int = 0
    maximum: int | None = None
    pattern: str = ""
    languages: tuple[str, ...] = ()
    order: float | None = None
    group: ShapeGroup | None = None
    recommended: bool = False

    def joined(self, other: PropertyShape) -> PropertyShape:
        """Combine two sets of constraints; values must satisfy both."""
        return PropertyShape(
            self.path,
            self.name or other.name,
            self.description or other.description,
            self.allowed or other.allowed,
            self.choices or other.choices,
            max(self.minimum, other.minimum),
            min((count for count in (self.maximum, other.maximum) if count is not None), default=None),
            self.pattern or other.pattern,
            self.languages or other.languages,
            other.order if self.order is None else self.order,
            self.group or other.group,
            self.recommended or other.recommended,
        )


@dataclass(frozen=True)
class NodeShape:
    """A shape for instances of some classes."""

    targets: frozenset[NamedNode]
    properties: tuple[PropertyShape, ...]


def read_shapes(store: Store) -> tuple[NodeShape, ...]:
    """The active class shapes of a graph."""
    reader = _Reader(store)
    targets: dict[Resource, set[NamedNode]] = {}
    for quad in store.match(None, SH.targetClass):
        if isinstance(quad.object, NamedNode):
            targets.setdefault(quad.subject, set()).add(quad.object)  # type: ignore[arg-type]  # no quoted subjects
    for quad in store.match(None, RDF.type, SH.NodeShape):
        if isinstance(quad.subject, NamedNode) and any(store.match(quad.subject, RDF.type, RDFS.Class)):
            targets.setdefault(quad.subject, set()).add(quad.subject)
    return tuple(
        NodeShape(frozenset(classes), tuple(reader.properties(shape, frozenset())))
        for shape, classes in sorted(targets.items(), key=lambda pair: str(pair[0]))
        if not reader.is_off(shape)
    )


class _Reader:
    """Reads the parts of shapes from a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def properties(self, shape: Resource, within: frozenset[Resource]) -> Iterator[PropertyShape]:
        """The properties of a shape, including inherited ones.

        Args:
            within: the enclosing shapes, to stop cycles.
        """
        if shape in within:
            return
        within |= {shape}
        for one in self._resources(shape, SH.property):
            found = None if self.is_off(one) else self._property(one)
            if found is not None:
                yield found
        for taken in self._resources(shape, SH.node):
            yield from self.properties(taken, within)
        for part in self._members(shape, SH.term("and")):
            yield from self.properties(part, within)
        for predicate in (SH.term("or"), SH.xone):
            for alternative in self._members(shape, predicate):
                for found in self.properties(alternative, within):
                    yield replace(found, minimum=0)

    def is_off(self, shape: Resource) -> bool:
        return TRUE in self._literals(shape, SH.deactivated)

    def _property(self, shape: Resource) -> PropertyShape | None:
        path = next(self._objects(shape, SH.path), None)
        if not isinstance(path, NamedNode):
            return self._first_alternative(shape, path)
        alternatives = [
            one
            for predicate in (SH.term("or"), SH.xone)
            for member in self._members(shape, predicate)
            if (one := self._allowed(member)) is not None
        ]
        own = self._allowed(shape)
        # A bare node kind adds nothing to more specific alternatives.
        narrow = own is not None and (own.datatype is not None or own.cls is not None or not alternatives)
        minimum = int(self._number(shape, SH.minCount) or 0)
        must = self._must(shape)
        group = next(self._resources(shape, SH.group), None)
        maximum = self._number(shape, SH.maxCount)
        return PropertyShape(
            path,
            preferred_text(self._literals(shape, SH.name)) or "",
            preferred_text(self._literals(shape, SH.description)) or "",
            (own,) if own is not None and narrow else tuple(alternatives),
            tuple(value for head in self._resources(shape, SH.term("in")) for value in self._list(head)),
            minimum if must else 0,
            None if maximum is None or not must else int(maximum),
            self._pattern(shape) if must else "",
            tuple(value.value for head in self._resources(shape, SH.languageIn) for value in self._list(head)),
            self._number(shape, SH.order),
            None if group is None else self._group(group),
            minimum > 0 and not must,
        )

    def _first_alternative(self, shape: Resource, path: Term | None) -> PropertyShape | None:
        """Of alternative properties, such as names of several vocabularies, the first is recommended."""
        if not isinstance(path, BlankNode) or not self._number(shape, SH.minCount):
            return None
        first = next(self._members(path, SH.alternativePath), None)
        return PropertyShape(first, recommended=True) if isinstance(first, NamedNode) else None

    def _must(self, shape: Resource) -> bool:
        """Whether the severity of a shape is violation."""
        return not any(term in (SH.Warning, SH.Info) for term in self._objects(shape, SH.severity))

    def _allowed(self, shape: Resource) -> Allowed | None:
        datatype, cls, node_kind = (
            next((term for term in self._objects(shape, predicate) if isinstance(term, NamedNode)), None)
            for predicate in (SH.datatype, SH.term("class"), SH.nodeKind)
        )
        return Allowed(datatype, cls, node_kind) if datatype or cls or node_kind else None

    def _pattern(self, shape: Resource) -> str:
        text = next((value.value for value in self._literals(shape, SH.pattern)), "")
        flags = "".join(value.value for value in self._literals(shape, SH.flags))
        known = "".join(flag for flag in "imsx" if flag in flags)
        return f"(?{known}){text}" if text and known else text

    def _group(self, group: Resource) -> ShapeGroup:
        return ShapeGroup(preferred_text(self._literals(group, RDFS.label)) or "", self._number(group, SH.order) or 0.0)

    def _number(self, shape: Resource, predicate: NamedNode) -> float | None:
        for value in self._literals(shape, predicate):
            try:
                return float(value.value)
            except ValueError:
                continue
        return None

    def _objects(self, subject: Resource, predicate: NamedNode) -> Iterator[Term]:
        for quad in self._store.match(subject, predicate):
            yield quad.object  # type: ignore[misc]  # shapes hold no quoted triples

    def _resources(self, subject: Resource, predicate: NamedNode) -> Iterator[Resource]:
        return (term for term in self._objects(subject, predicate) if isinstance(term, (NamedNode, BlankNode)))

    def _literals(self, subject: Resource, predicate: NamedNode) -> list[Literal]:
        return [term for term in self._objects(subject, predicate) if isinstance(term, Literal)]

    def _members(self, subject: Resource, predicate: NamedNode) -> Iterator[Resource]:
        for head in self._resources(subject, predicate):
            yield from (term for term in self._list(head) if isinstance(term, (NamedNode, BlankNode)))

    def _list(self, head: Resource) -> Iterator[Term]:
        seen: set[Term] = set()
        place: Term | None = head
        while isinstance(place, (NamedNode, BlankNode)) and place != RDF.nil and place not in seen:
            seen.add(place)
            yield from self._objects(place, RDF.first)
            place = next(self._objects(place, RDF.rest), None)
