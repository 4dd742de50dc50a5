"""A fast validator for the most common SHACL constraints.

Source: SHACL (W3C Recommendation, 2017), section 4. Shapes with other constraints are not plain and are validated by
pySHACL. `tests/unit/annotate/validation` compares both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hpc_explorer.annotate.validation.findings import Result, Severity, severity_of
from hpc_explorer.annotate.validation.literals import compares, is_of_datatype
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.ontology.labels import preferred_text
from hpc_explorer.rdf.namespaces import RDF, RDFS, SH
from hpc_explorer.rdf.regular_expressions import Pattern, PatternFault, pattern_of
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Term, is_resource
from hpc_explorer.stores.base import Store


@dataclass(frozen=True)
class PlainTest:
    """The constraints on a value, all of which must hold.

    Args:
        datatypes, classes, node_kinds: `sh:datatype`, `sh:class`, `sh:nodeKind`.
        members: lists of allowed values (`sh:in`).
        patterns: regular expressions (`sh:pattern`).
        at_least, at_most: inclusive bounds.
        any_of: alternatives (`sh:or`).
        nodes: node shapes (`sh:node`).
        properties: property shapes.
    """

    datatypes: tuple[NamedNode, ...] = ()
    classes: tuple[NamedNode, ...] = ()
    node_kinds: tuple[NamedNode, ...] = ()
    members: tuple[frozenset[Term], ...] = ()
    patterns: tuple[Pattern, ...] = ()
    at_least: tuple[Literal, ...] = ()
    at_most: tuple[Literal, ...] = ()
    any_of: tuple[tuple[PlainTest, ...], ...] = ()
    nodes: tuple[PlainTest, ...] = ()
    properties: tuple[PlainProperty, ...] = ()


@dataclass(frozen=True)
class PlainProperty:
    """The constraints on the values of a property or of alternative properties.

    Args:
        source: the property shape.
        paths: the properties.
        test: the constraints on each value.
        minimum: the least number of values.
        maximum: the largest number of values; None: any.
    """

    source: Resource
    paths: tuple[NamedNode, ...]
    test: PlainTest
    minimum: int
    maximum: int | None
    severity: Severity
    messages: tuple[str, ...]

    @property
    def path(self) -> NamedNode | None:
        """The property, if there is only one."""
        return self.paths[0] if len(self.paths) == 1 else None


@dataclass(frozen=True)
class PlainShape:
    """A node shape: constraints on the node and on its properties."""

    source: Resource
    test: PlainTest
    severity: Severity
    messages: tuple[str, ...]


# Predicates without effect on validation.
_SILENT = frozenset(
    (
        RDF.type, RDFS.label, RDFS.comment, RDFS.isDefinedBy, RDFS.seeAlso, SH.name, SH.description, SH.group, SH.order,
        SH.defaultValue, SH.message, SH.severity, SH.targetClass, SH.targetNode, SH.targetSubjectsOf,
        SH.targetObjectsOf, SH.path, SH.minCount, SH.maxCount,
    )
)  # fmt: skip

_KINDS = {
    SH.IRI: (NamedNode,),
    SH.BlankNode: (BlankNode,),
    SH.Literal: (Literal,),
    SH.BlankNodeOrIRI: (BlankNode, NamedNode),
    SH.BlankNodeOrLiteral: (BlankNode, Literal),
    SH.IRIOrLiteral: (NamedNode, Literal),
}

# Cached, because each `RDF.type` makes a new term.
_TYPE = RDF.type


class _NotPlain(Exception):
    """The shape has a constraint that is not supported here."""


def plain_shape(store: Store, shape: Resource) -> PlainShape | None:
    """The plain form of a node shape, or None."""
    try:
        reader = _Reader(store)
        if reader.has(shape, SH.path):
            raise _NotPlain
        return PlainShape(shape, reader.test(shape, frozenset()), reader.severity(shape), reader.messages(shape))
    except _NotPlain:
        return None


class _Reader:
    """Reads plain shapes from a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def test(self, shape: Resource, within: frozenset[Resource]) -> PlainTest:
        """The constraints of a shape on a value.

        Args:
            within: the enclosing shapes; recursive shapes are not plain.
        """
        if shape in within:
            raise _NotPlain
        within |= {shape}
        said: dict[NamedNode, list[Term]] = {}
        for quad in self._store.match(shape):
            said.setdefault(quad.predicate, []).append(quad.object)  # type: ignore[arg-type]  # no quoted triples
        unread = set(said) - _SILENT - set(_READ)
        # Unknown predicates of SHACL are unsupported constraints; others are annotations.
        if any(predicate.value.startswith(SH) for predicate in unread) or self._has_custom_component(unread):
            raise _NotPlain
        return PlainTest(
            datatypes=self._single(said.get(SH.datatype, ())),
            classes=tuple(_named(said.get(SH.term("class"), ()))),
            node_kinds=self._single(said.get(SH.nodeKind, ())),
            members=tuple(frozenset(self._list(head)) for head in said.get(SH.term("in"), ())),
            patterns=tuple(_pattern(one) for one in said.get(SH.pattern, ())),
            at_least=tuple(_bound(one) for one in said.get(SH.minInclusive, ())),
            at_most=tuple(_bound(one) for one in said.get(SH.maxInclusive, ())),
            any_of=tuple(
                tuple(self.test(part, within) for part in self._parts(head)) for head in said.get(SH.term("or"), ())
            ),
            nodes=tuple(self._referred(part, within) for part in said.get(SH.node, ())),
            properties=tuple(self._property(one, within) for one in said.get(SH.property, ())),
        )

    def has(self, shape: Resource, predicate: NamedNode) -> bool:
        return any(True for _ in self._store.match(shape, predicate))

    def severity(self, shape: Resource) -> Severity:
        return severity_of(next((quad.object for quad in self._store.match(shape, SH.severity)), None))  # type: ignore[arg-type]  # likewise

    def messages(self, shape: Resource) -> tuple[str, ...]:
        text = preferred_text(q.object for q in self._store.match(shape, SH.message) if isinstance(q.object, Literal))
        return () if text is None else (text,)

    def _referred(self, part: Term, within: frozenset[Resource]) -> PlainTest:
        if not is_resource(part):
            raise _NotPlain
        return self.test(part, within)

    def _property(self, shape: Term, within: frozenset[Resource]) -> PlainProperty:
        if not is_resource(shape):
            raise _NotPlain
        paths = [quad.object for quad in self._store.match(shape, SH.path)]
        if len(paths) != 1:
            raise _NotPlain
        return PlainProperty(
            shape,
            self._paths(paths[0]),  # type: ignore[arg-type]  # likewise
            self.test(shape, within),
            self._count(shape, SH.minCount) or 0,
            self._count(shape, SH.maxCount),
            self.severity(shape),
            self.messages(shape),
        )

    def _paths(self, path: Term) -> tuple[NamedNode, ...]:
        if isinstance(path, NamedNode):
            return (path,)
        said = list(self._store.match(path)) if isinstance(path, BlankNode) else []
        if len(said) != 1 or said[0].predicate != SH.alternativePath:
            raise _NotPlain
        paths = tuple(self._list(said[0].object))  # type: ignore[arg-type]  # likewise
        if not all(isinstance(one, NamedNode) for one in paths):
            raise _NotPlain
        return tuple(_named(paths))

    def _count(self, shape: Resource, predicate: NamedNode) -> int | None:
        values = [quad.object for quad in self._store.match(shape, predicate)]
        if not values:
            return None
        if len(values) > 1 or not isinstance(values[0], Literal) or not re.fullmatch(r"\+?\d+", values[0].value):
            raise _NotPlain
        return int(values[0].value)

    def _has_custom_component(self, predicates: Iterable[NamedNode]) -> bool:
        """Whether one of these is a parameter of a custom component (section 6)."""
        return any(
            any(True for _ in self._store.match(None, SH.path, predicate)) and any(True for _ in self._parameters())
            for predicate in predicates
        )

    def _parameters(self) -> Iterator[object]:
        return iter(self._store.match(None, SH.parameter))

    def _single(self, values: Iterable[Term]) -> tuple[NamedNode, ...]:
        found = tuple(_named(values))
        if len(found) > 1:
            raise _NotPlain
        return found

    def _parts(self, head: Term) -> Iterator[Resource]:
        for part in self._list(head):
            if not is_resource(part):
                raise _NotPlain
            yield part

    def _list(self, head: Term) -> Iterator[Term]:
        seen: set[Term] = set()
        while head != RDF.nil:
            if head in seen or not is_resource(head):
                raise _NotPlain
            seen.add(head)
            first = [quad.object for quad in self._store.match(head, RDF.first)]
            rest = [quad.object for quad in self._store.match(head, RDF.rest)]
            if len(first) != 1 or len(rest) != 1:
                raise _NotPlain
            yield first[0]  # type: ignore[misc]  # likewise
            head = rest[0]  # type: ignore[assignment]  # likewise


_READ = (
    SH.datatype, SH.term("class"), SH.nodeKind, SH.term("in"), SH.pattern, SH.minInclusive, SH.maxInclusive,
    SH.term("or"), SH.node, SH.property,
)  # fmt: skip


def _named(terms: Iterable[Term]) -> Iterator[NamedNode]:
    for term in terms:
        if not isinstance(term, NamedNode):
            raise _NotPlain
        yield term


def _pattern(term: Term) -> Pattern:
    try:
        return pattern_of(term.value)
    except PatternFault:
        raise _NotPlain from None


def _bound(term: Term) -> Literal:
    if not isinstance(term, Literal):
        raise _NotPlain
    return term


def check_plain(shape: PlainShape, view: GraphView, focus: Term) -> list[Result]:
    """The validation results of a node, including repeated ones."""
    found = [
        Result(focus, None, focus, component, shape.source, shape.severity, shape.messages)
        for component in _broken(shape.test, view, focus)
    ]
    for one in shape.test.properties:
        found.extend(_check_property(one, view, focus))
    return found


def _check_property(one: PlainProperty, view: GraphView, focus: Term) -> Iterator[Result]:
    values = _values(one, view, focus)
    if not values and not one.minimum:
        return
    count = len(values)
    components = []
    if count < one.minimum:
        components.append(SH.MinCountConstraintComponent)
    if one.maximum is not None and count > one.maximum:
        components.append(SH.MaxCountConstraintComponent)
    for component in components:
        yield Result(focus, one.path, None, component, one.source, one.severity, one.messages)
    for value in values:
        for component in _broken(one.test, view, value):
            yield Result(focus, one.path, value, component, one.source, one.severity, one.messages)
        for inner in one.test.properties:
            yield from _check_property(inner, view, value)


def _values(one: PlainProperty, view: GraphView, focus: Term) -> tuple[Term, ...]:
    if not is_resource(focus):
        return ()
    if len(one.paths) == 1:
        return _objects(view, focus, one.paths[0])
    return tuple(dict.fromkeys(value for path in one.paths for value in _objects(view, focus, path)))


def _objects(view: GraphView, focus: Resource, predicate: NamedNode) -> tuple[Term, ...]:
    return view.types(focus) if predicate == _TYPE else view.objects(focus, predicate)


def _broken(test: PlainTest, view: GraphView, value: Term) -> Iterator[NamedNode]:
    """The components that a value violates, once per parameter, without property shapes."""
    for datatype in test.datatypes:
        if not is_of_datatype(value, datatype):
            yield SH.DatatypeConstraintComponent
    for cls in test.classes:
        if not is_resource(value) or cls not in view.classes(value):
            yield SH.ClassConstraintComponent
    for kind in test.node_kinds:
        if not isinstance(value, _KINDS.get(kind, ())):
            yield SH.NodeKindConstraintComponent
    for members in test.members:
        if value not in members:
            yield SH.InConstraintComponent
    for pattern in test.patterns:
        if isinstance(value, BlankNode) or not pattern.is_found_in(value.value):
            yield SH.PatternConstraintComponent
    for bound in test.at_least:
        if not compares(bound, "<=", value):
            yield SH.MinInclusiveConstraintComponent
    for bound in test.at_most:
        if not compares(value, "<=", bound):
            yield SH.MaxInclusiveConstraintComponent
    for alternatives in test.any_of:
        if not any(_conforms(one, view, value) for one in alternatives):
            yield SH.OrConstraintComponent
    for node in test.nodes:
        if not _conforms(node, view, value):
            yield SH.NodeConstraintComponent


def _conforms(test: PlainTest, view: GraphView, value: Term) -> bool:
    if any(True for _ in _broken(test, view, value)):
        return False
    return not any(True for one in test.properties for _ in _check_property(one, view, value))
