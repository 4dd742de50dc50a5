"""The kinds of values of a field: by a shape, otherwise by the ontology, otherwise by values in the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hpc_explorer.annotate.forms.kinds import (
    ValueKind,
    Widget,
    is_datatype,
    kind_of_class,
    kind_of_datatype,
    kind_of_term,
)
from hpc_explorer.annotate.forms.shapes import Allowed, PropertyShape
from hpc_explorer.annotate.forms.values import Items, Node, Value
from hpc_explorer.ontology.labels import COMMENT_PREDICATES
from hpc_explorer.ontology.sampling import some_members, some_values
from hpc_explorer.ontology.schema import PropertyKind, SchemaIndex, is_meta
from hpc_explorer.rdf.namespaces import RDF, SH, SKOS, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode
from hpc_explorer.stores.base import Limits, Store

# Number of values that are inspected if nothing defines a property's values.
_VALUES_LOOKED_AT = 50

# Longer controlled lists are searched like linked resources.
_LONGEST_CHOICE = 200

_TEXTS = frozenset({Widget.TEXT, Widget.MULTI_LINE, Widget.LANGUAGE_TEXT})


class FieldKinds:
    """Determines the kinds of fields in one graph."""

    def __init__(self, store: Store, schema: SchemaIndex, limits: Limits) -> None:
        self._store = store
        self._schema = schema
        self._limits = limits

    def of(self, predicate: NamedNode, shape: PropertyShape, values: tuple[Value, ...]) -> tuple[ValueKind, ...]:
        """The kinds of a property's field, the usual first; at least one.

        Args:
            shape: the constraints of shapes.
            values: the values of the resource.
        """
        above = self._schema.superproperties(predicate)
        multi_line = not above.isdisjoint(COMMENT_PREDICATES)
        if shape.choices:
            return (ValueKind(Widget.CHOICE, choices=shape.choices),)
        kinds = [self._kind_allowed(one, multi_line) for one in shape.allowed]
        if len(shape.allowed) == 1 and shape.allowed[0].is_node:
            nodes = (self._kind_of_range(one, multi_line) for one in self._ranges(predicate) if not is_datatype(one))
            kinds = list(nodes) or kinds
        if not kinds:
            kinds = [self._kind_of_range(one, multi_line) for one in self._ranges(predicate)]
        if not kinds:
            kinds = self._kinds_in_use(predicate, values)
            kinds = kinds or [self._kind_unsaid(predicate, multi_line)]
            if all(kind.widget in _TEXTS for kind in kinds):
                # The language of its texts is not defined.
                kinds.append(ValueKind(Widget.LANGUAGE_TEXT, RDF.langString))
                kinds.append(ValueKind(Widget.MULTI_LINE if multi_line else Widget.TEXT, XSD.string))
        if any(kind.datatype == XSD.anyURI for kind in kinds):
            kinds = self._addresses(predicate, kinds, values, by_shape=bool(shape.allowed))
        if shape.languages and all(kind.widget in _TEXTS for kind in kinds):
            kinds = [ValueKind(Widget.LANGUAGE_TEXT, RDF.langString)]
        return tuple(dict.fromkeys(kinds))

    def _addresses(
        self, predicate: NamedNode, kinds: list[ValueKind], values: tuple[Value, ...], *, by_shape: bool
    ) -> list[ValueKind]:
        """The kinds of a field for addresses: also plain text, which comes first if it is usual.

        The HPC Ontology paper prints `hpc:url` as text in Listings 3 and 4, and as `xsd:anyURI` in Table II.

        Args:
            by_shape: whether a shape defines the datatypes.
        """
        as_text = ValueKind(Widget.IRI, XSD.string)
        kinds = [as_text if kind.datatype == XSD.string else kind for kind in kinds]
        if as_text not in kinds:
            if by_shape:
                return kinds
            kinds.append(as_text)
        usual = self._kinds_in_use(predicate, values)
        if usual and usual[0].datatype == XSD.string:
            kinds.sort(key=lambda kind: kind != as_text)
        return kinds

    def _ranges(self, predicate: NamedNode) -> list[NamedNode]:
        """The ranges of a property, or of its nearest superproperties."""
        seen: set[NamedNode] = set()
        level = [predicate]
        while level:
            infos = [info for term in level if (info := self._schema.properties.get(term)) is not None]
            ranges = [one for info in infos for one in info.ranges if is_datatype(one) or not is_meta(one)]
            if ranges:
                return list(dict.fromkeys(ranges))
            seen.update(level)
            above = (term for info in infos for term in (*info.equivalents, *info.parents))
            level = [term for term in dict.fromkeys(above) if term not in seen]
        return []

    def _kind_allowed(self, allowed: Allowed, multi_line: bool) -> ValueKind:
        if allowed.datatype is not None:
            return kind_of_datatype(allowed.datatype, multi_line=multi_line)
        if allowed.cls is not None:
            return self._kind_of_range(allowed.cls, multi_line)
        if allowed.node_kind == SH.Literal:
            return ValueKind(Widget.MULTI_LINE if multi_line else Widget.TEXT, XSD.string)
        return ValueKind(Widget.IRI) if allowed.node_kind == SH.IRI else ValueKind(Widget.LINK)

    def _kind_of_range(self, range: NamedNode, multi_line: bool) -> ValueKind:
        if is_datatype(range):
            return kind_of_datatype(range, multi_line=multi_line)
        kind = kind_of_class(range, self._schema.superclasses(range))
        if kind.widget is not Widget.CHOICE:
            return kind
        concepts = tuple(self._concepts(range))
        if 0 < len(concepts) <= _LONGEST_CHOICE:
            return replace(kind, choices=concepts)
        return ValueKind(Widget.LINK, cls=range)

    def _concepts(self, cls: NamedNode) -> Sequence[NamedNode]:
        """The instances of a class, up to the length of a choice list."""
        found = set(some_members(self._store, (cls,), _LONGEST_CHOICE + 1, limits=self._limits))
        if cls == SKOS.Concept and not self._store.capabilities.remote:
            stated = self._store.match(None, SKOS.inScheme, None, limits=self._limits)
            named = (quad.subject for quad in stated if isinstance(quad.subject, NamedNode))
            while len(found) <= _LONGEST_CHOICE and (one := next(named, None)) is not None:
                found.add(one)
        return sorted(found, key=str)

    def _kinds_in_use(self, predicate: NamedNode, values: tuple[Value, ...]) -> list[ValueKind]:
        """The kinds of values in the graph, the most frequent first."""
        terms = [value for value in values if not isinstance(value, (Node, Items))]
        kinds = [ValueKind(Widget.LIST) for value in values if isinstance(value, Items)]
        for value in values:
            if isinstance(value, Node):
                kinds.append(ValueKind(Widget.QUANTITY if value.entry is None else Widget.KEY_VALUE))
        some = some_values(self._store, predicate, _VALUES_LOOKED_AT, limits=self._limits)
        terms += [term for term in some if isinstance(term, (Literal, NamedNode))]
        kinds += [kind_of_term(term) for term in terms if not isinstance(term, BlankNode)]
        return sorted(dict.fromkeys(kinds), key=lambda kind: (-kinds.count(kind), kind.widget.value))

    def _kind_unsaid(self, predicate: NamedNode, multi_line: bool) -> ValueKind:
        info = self._schema.properties.get(predicate)
        if info is not None and info.kind is PropertyKind.OBJECT:
            return ValueKind(Widget.LINK)
        return ValueKind(Widget.MULTI_LINE if multi_line else Widget.TEXT, XSD.string)
