"""A form as a value: the grouped and ordered fields of a resource or of a new instance of a class.

A field comes from a SHACL shape if one constrains its property, otherwise from the ontology: by domain, by
`schema:domainIncludes`, or because instances of the class use it. Properties that the resource has are always fields.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from typing import TYPE_CHECKING

from hpc_explorer.annotate.forms.field_kinds import FieldKinds
from hpc_explorer.annotate.forms.kinds import VALUE_NODES, ValueKind, Widget, kind_of_term
from hpc_explorer.annotate.forms.shapes import NodeShape, PropertyShape
from hpc_explorer.annotate.forms.values import Items, Node, Value, values_of
from hpc_explorer.ontology.labels import COMMENT_PREDICATES, LABEL_PREDICATES, label_order
from hpc_explorer.ontology.schema import (
    CLASS_TYPES,
    PROPERTY_TYPES,
    DomainReason,
    SchemaIndex,
    build_schema,
    is_meta,
    predicates_of_instances,
    properties_of_class,
)
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

if TYPE_CHECKING:
    from hpc_explorer.ontology.instances import Usage

OTHER = "Other properties"
"""The group of properties that no class and no shape of the resource defines."""

# Groups from shapes come first in their own order; groups by class follow.
_BEHIND_SHAPES = 1e6


class Reason(Enum):
    """Why a form has a field."""

    SHAPE = "a shape asks for it"
    DOMAIN = "defined for the class by the ontology"
    DOMAIN_INCLUDES = "suggested for the class by the ontology"
    USE = "used by other instances of the class"
    VALUE = "it is stated here"
    ADDED = "it was added"


_OF_DOMAIN = {
    DomainReason.DOMAIN: Reason.DOMAIN,
    DomainReason.DOMAIN_INCLUDES: Reason.DOMAIN_INCLUDES,
    DomainReason.USE: Reason.USE,
}


@dataclass(frozen=True)
class Field:
    """One property of a form.

    Args:
        predicate: the property.
        label: its label.
        description: its description; may be empty.
        kinds: the allowed kinds of values, the usual first; never empty.
        reason: why the form has the field.
        minimum: the least number of values.
        maximum: the largest number of values; None: any.
        pattern: the regular expression for values, or empty.
        languages: the allowed languages; empty: any.
        values: the values of the resource.
        recommended: whether a shape recommends a value.
    """

    predicate: NamedNode
    label: str
    description: str
    kinds: tuple[ValueKind, ...]
    reason: Reason
    minimum: int = 0
    maximum: int | None = None
    pattern: str = ""
    languages: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    recommended: bool = False

    @property
    def required(self) -> bool:
        """Whether a value is required."""
        return self.minimum > 0

    @property
    def widget(self) -> Widget:
        """The kind of new values."""
        return self.kinds[0].widget

    def kind_of(self, value: Value) -> ValueKind:
        """The kind of a value: one of the field's kinds, otherwise its own."""
        if isinstance(value, Node):
            own = ValueKind(Widget.KEY_VALUE if value.entry is not None else Widget.QUANTITY)
        elif isinstance(value, Items):
            own = ValueKind(Widget.LIST)
        else:
            own = kind_of_term(value)
            choosing = next((kind for kind in self.kinds if value in kind.choices), None)
            if choosing is not None:
                return choosing
        if isinstance(value, Literal):
            fits = (kind for kind in self.kinds if kind.datatype == own.datatype and not kind.choices)
        elif isinstance(value, NamedNode):
            fits = (kind for kind in self.kinds if kind.datatype is None and kind.widget not in VALUE_NODES)
        else:
            fits = (kind for kind in self.kinds if kind.widget is own.widget)
        return next(fits, own)


@dataclass(frozen=True)
class FieldGroup:
    """Fields that are shown together, required ones first."""

    label: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Form:
    """The fields of one resource.

    Args:
        subject: the resource; None for a new one.
        classes: the most specific classes of the form.
        groups: the fields in groups; groups with required fields first.
        types: all classes of the form, the most specific first.
        stated: the classes stated in the graph, in the same order.
    """

    subject: Resource | None
    classes: tuple[NamedNode, ...]
    groups: tuple[FieldGroup, ...]
    types: tuple[NamedNode, ...] = ()
    stated: tuple[NamedNode, ...] = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """All fields in their order."""
        return tuple(field for group in self.groups for field in group.fields)

    def field(self, predicate: NamedNode) -> Field | None:
        """The field of a property."""
        return next((field for field in self.fields if field.predicate == predicate), None)


def schema_for_forms(store: Store, background: Store, usage: Usage, *, limits: Limits = NO_LIMITS) -> SchemaIndex:
    """The classes and properties for forms: those of the graph and of the shipped ontologies.

    Args:
        background: the shipped ontologies.
        usage: the terms in use.
    """
    return build_schema(
        store,
        background,
        used_classes={*usage.classes(), *_defined(background, CLASS_TYPES)},
        used_properties={*usage.predicates, *_defined(background, PROPERTY_TYPES)},
        limits=limits,
    )


def _defined(store: Store, types: Iterable[NamedNode]) -> set[NamedNode]:
    subjects = (quad.subject for of_type in types for quad in store.match(None, RDF.type, of_type))
    return {subject for subject in subjects if isinstance(subject, NamedNode)}


def form_of(
    store: Store,
    schema: SchemaIndex,
    shapes: Sequence[NodeShape],
    *,
    subject: Resource | None = None,
    classes: Sequence[NamedNode] = (),
    without: Collection[NamedNode] = (),
    values: Mapping[NamedNode, tuple[Value, ...]] | None = None,
    used: Callable[[NamedNode], Iterable[NamedNode]] | None = None,
    limits: Limits = NO_LIMITS,
) -> Form:
    """The form of an existing resource, or of a new instance of some classes.

    Args:
        store: the graph.
        schema: the result of `schema_for_forms`.
        shapes: the shapes.
        subject: the resource; None for a new one.
        classes: the classes of a new resource, or additional classes.
        without: classes that the resource loses. Values of their properties stay in the form.
        values: initial values of a new resource.
        used: the predicates that instances of a class use, if already counted.
    """
    stated = dict(values or {}) if subject is None else values_of(store, subject, limits=limits)
    own = [value for value in stated.get(RDF.type, ()) if isinstance(value, NamedNode)]
    types = {*(cls for cls in own if cls not in without), *classes}
    specific = schema.most_specific(types)
    maker = _Maker(store, schema, _asked_for(schema, shapes, specific), limits)
    reasons: dict[NamedNode, Reason] = dict.fromkeys(maker.asked, Reason.SHAPE)
    for cls in specific:
        in_use = predicates_of_instances(store, cls, limits=limits) if used is None else used(cls)
        for predicate, why in properties_of_class(schema, cls, in_use).items():
            reasons.setdefault(predicate, _OF_DOMAIN[why])
    for predicate in stated:
        reasons.setdefault(predicate, Reason.VALUE)
    reasons.pop(RDF.type, None)
    distances = _distances(schema, specific)
    placed: dict[tuple[float, str], list[tuple[float, Field]]] = {}
    for predicate, reason in reasons.items():
        field = maker.field(predicate, reason, stated.get(predicate, ()))
        placed.setdefault(maker.group(predicate, distances), []).append((maker.order(predicate), field))
    groups = [
        (order, FieldGroup(label, tuple(field for _, field in sorted(fields, key=_field_order))))
        for (order, label), fields in placed.items()
    ]
    groups.sort(key=lambda pair: (not any(field.required for field in pair[1].fields), pair[0], pair[1].label))
    return Form(
        subject,
        specific,
        tuple(group for _, group in groups),
        _specific_first(schema, types),
        () if subject is None else _specific_first(schema, own),
    )


def _specific_first(schema: SchemaIndex, types: Collection[NamedNode]) -> tuple[NamedNode, ...]:
    above = sorted(types, key=lambda cls: (is_meta(cls), cls.value))
    return tuple(dict.fromkeys((*schema.most_specific(types), *above)))


def field_of(store: Store, schema: SchemaIndex, predicate: NamedNode, *, limits: Limits = NO_LIMITS) -> Field:
    """A field for any property, to be added to a form."""
    return _Maker(store, schema, {}, limits).field(predicate, Reason.ADDED, ())


def _asked_for(
    schema: SchemaIndex, shapes: Sequence[NodeShape], classes: Sequence[NamedNode]
) -> dict[NamedNode, PropertyShape]:
    """The constraints on each property by the shapes of some classes and their superclasses."""
    above = {ancestor for cls in classes for ancestor in schema.superclasses(cls)}
    by_path: dict[NamedNode, list[PropertyShape]] = {}
    for shape in shapes:
        if not above.isdisjoint(shape.targets):
            for one in shape.properties:
                by_path.setdefault(one.path, []).append(one)
    return {path: reduce(PropertyShape.joined, found) for path, found in by_path.items()}


def _distances(schema: SchemaIndex, classes: Sequence[NamedNode]) -> dict[NamedNode, int]:
    """The distance of each superclass from the nearest of some classes; equivalent classes have distance 0."""
    found: dict[NamedNode, int] = {}
    level, distance = list(classes), 0
    while level:
        above: list[NamedNode] = []
        for cls in level:
            if cls not in found:
                found[cls] = distance
                info = schema.classes.get(cls)
                if info is not None:
                    level.extend(info.equivalents)
                    above.extend(info.parents)
        level, distance = above, distance + 1
    return found


def _field_order(placed: tuple[float, Field]) -> tuple[object, ...]:
    """Sort key: required fields, then the shape's order, then names and descriptions, then by label."""
    order, field = placed
    names = (*LABEL_PREDICATES, *COMMENT_PREDICATES)
    rank = names.index(field.predicate) if field.predicate in names else len(names)
    return (not field.required, order, rank, label_order(field.label), field.predicate.value)


class _Maker:
    """Makes the fields of one form."""

    def __init__(
        self, store: Store, schema: SchemaIndex, asked: dict[NamedNode, PropertyShape], limits: Limits
    ) -> None:
        self._schema = schema
        self._kinds = FieldKinds(store, schema, limits)
        self.asked = asked

    def order(self, predicate: NamedNode) -> float:
        """The position of a field in its group by its shape."""
        shape = self.asked.get(predicate)
        return float("inf") if shape is None or shape.order is None else shape.order

    def group(self, predicate: NamedNode, distances: dict[NamedNode, int]) -> tuple[float, str]:
        """The order and label of a field's group: by its shape, otherwise by the nearest class with the property."""
        shape = self.asked.get(predicate)
        if shape is not None and shape.group is not None:
            return shape.group.order, shape.group.label
        info = self._schema.properties.get(predicate)
        domains = [] if info is None else [cls for cls in (*info.domains, *info.domain_includes) if cls in distances]
        if domains:
            nearest = min(domains, key=lambda cls: (distances[cls], cls.value))
            return _BEHIND_SHAPES + distances[nearest], self._schema.class_label(nearest)
        return float("inf"), OTHER

    def field(self, predicate: NamedNode, reason: Reason, values: tuple[Value, ...]) -> Field:
        """The field of a property."""
        info = self._schema.properties.get(predicate)
        shape = self.asked.get(predicate, PropertyShape(predicate))
        return Field(
            predicate,
            shape.name or self._schema.property_label(predicate),
            shape.description or ("" if info is None else info.comment),
            self._kinds.of(predicate, shape, values),
            reason,
            shape.minimum,
            shape.maximum,
            shape.pattern,
            shape.languages,
            values,
            shape.recommended,
        )
