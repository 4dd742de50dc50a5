"""The schema index: the classes and properties of a graph, their labels and relations.

A term is in the index if the graph defines or uses it. The shipped ontologies (`shipped`) define only terms that the
graph itself does not define.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

from hpc_explorer.ontology.labels import class_label, comments_of, labels_of, term_label
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS, SCHEMA, SCHEMAS
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

CLASS_TYPES = (OWL.Class, RDFS.Class)

PROPERTY_TYPES = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty, RDF.Property)

_DOMAIN_INCLUDES = (SCHEMA.domainIncludes, SCHEMAS.domainIncludes)
_RANGES = (RDFS.range, SCHEMA.rangeIncludes, SCHEMAS.rangeIncludes)

# The vocabularies of schemas: not part of the content of a graph.
_META_NAMESPACES = (str(RDF), str(RDFS), str(OWL), "http://www.w3.org/2001/XMLSchema#")


class PropertyKind(Enum):
    """The kind of a property's values by its definition."""

    OBJECT = "object"
    DATATYPE = "datatype"
    ANNOTATION = "annotation"
    UNKNOWN = "unknown"


_KIND_OF_TYPE = {
    OWL.ObjectProperty: PropertyKind.OBJECT,
    OWL.DatatypeProperty: PropertyKind.DATATYPE,
    OWL.AnnotationProperty: PropertyKind.ANNOTATION,
    RDF.Property: PropertyKind.UNKNOWN,
}


@dataclass(frozen=True)
class ClassInfo:
    """A class of the graph.

    Args:
        parents: asserted superclasses.
        equivalents: asserted equivalent classes, from either side.
        defined: whether the graph itself declares it.
    """

    term: NamedNode
    label: str
    comment: str
    parents: tuple[NamedNode, ...]
    equivalents: tuple[NamedNode, ...]
    defined: bool


@dataclass(frozen=True)
class PropertyInfo:
    """A property of the graph.

    Args:
        domains: classes by `rdfs:domain`.
        domain_includes: classes by `schema:domainIncludes`.
        ranges: classes or datatypes of its values, by range or `schema:rangeIncludes`.
        parents: asserted superproperties.
        equivalents: equivalent properties, from either side.
        inverses: inverse properties, from either side.
        defined: whether the graph itself declares it.
    """

    term: NamedNode
    label: str
    comment: str
    kind: PropertyKind
    domains: tuple[NamedNode, ...]
    domain_includes: tuple[NamedNode, ...]
    ranges: tuple[NamedNode, ...]
    parents: tuple[NamedNode, ...]
    equivalents: tuple[NamedNode, ...]
    inverses: tuple[NamedNode, ...]
    defined: bool


@dataclass(frozen=True)
class SchemaIndex:
    """The classes and properties of a graph, by IRI."""

    classes: Mapping[NamedNode, ClassInfo]
    properties: Mapping[NamedNode, PropertyInfo]
    _superclasses: dict[NamedNode, frozenset[NamedNode]] = field(default_factory=dict, repr=False)
    _superproperties: dict[NamedNode, frozenset[NamedNode]] = field(default_factory=dict, repr=False)

    def superclasses(self, cls: NamedNode) -> frozenset[NamedNode]:
        """The class, its equivalents, and all superclasses."""
        if cls not in self._superclasses:
            self._superclasses[cls] = closure(cls, self._class_steps)
        return self._superclasses[cls]

    def at_or_below(self, cls: NamedNode) -> tuple[NamedNode, ...]:
        """The class and all its subclasses; only the class if it is unknown."""
        return tuple(other for other in self.classes if cls in self.superclasses(other)) or (cls,)

    def superproperties(self, predicate: NamedNode) -> frozenset[NamedNode]:
        """The property, its equivalents, and all superproperties."""
        if predicate not in self._superproperties:
            self._superproperties[predicate] = closure(predicate, self._property_steps)
        return self._superproperties[predicate]

    def _class_steps(self, cls: NamedNode) -> Iterable[NamedNode]:
        info = self.classes.get(cls)
        return (*info.parents, *info.equivalents) if info else ()

    def _property_steps(self, predicate: NamedNode) -> Iterable[NamedNode]:
        info = self.properties.get(predicate)
        return (*info.parents, *info.equivalents) if info else ()

    def most_specific(self, types: Iterable[NamedNode]) -> tuple[NamedNode, ...]:
        """The most specific classes among `types`, schema-language classes last."""
        candidates = sorted(set(types), key=lambda term: (is_meta(term), term.value))
        return tuple(
            cls
            for cls in candidates
            if not any(
                other != cls and cls in self.superclasses(other) and other not in self.superclasses(cls)
                for other in candidates
            )
        )

    def class_label(self, cls: NamedNode) -> str:
        """The class's label, or one from its IRI."""
        info = self.classes.get(cls)
        return info.label if info else class_label(cls)

    def property_label(self, predicate: NamedNode) -> str:
        """The property's label, or one from its IRI."""
        info = self.properties.get(predicate)
        return info.label if info else term_label(predicate)


def closure(start: NamedNode, steps: Callable[[NamedNode], Iterable[NamedNode]]) -> frozenset[NamedNode]:
    """All nodes reachable from `start` by `steps`, including `start`."""
    reached = {start}
    waiting = [start]
    while waiting:
        for following in steps(waiting.pop()):
            if following not in reached:
                reached.add(following)
                waiting.append(following)
    return frozenset(reached)


def is_meta(term: NamedNode) -> bool:
    """Whether a term belongs to the schema languages (RDF, RDFS, OWL, XSD)."""
    return term.value.startswith(_META_NAMESPACES)


@dataclass
class _Facts:
    """The schema statements of one store before they are combined."""

    classes: set[NamedNode] = field(default_factory=set)
    properties: dict[NamedNode, PropertyKind] = field(default_factory=dict)
    parents: dict[NamedNode, list[NamedNode]] = field(default_factory=lambda: defaultdict(list))
    equivalents: dict[NamedNode, list[NamedNode]] = field(default_factory=lambda: defaultdict(list))
    property_parents: dict[NamedNode, list[NamedNode]] = field(default_factory=lambda: defaultdict(list))
    property_equivalents: dict[NamedNode, list[NamedNode]] = field(default_factory=lambda: defaultdict(list))
    inverses: dict[NamedNode, list[NamedNode]] = field(default_factory=lambda: defaultdict(list))
    domains: dict[NamedNode, list[NamedNode]] = field(default_factory=lambda: defaultdict(list))
    domain_includes: dict[NamedNode, list[NamedNode]] = field(default_factory=lambda: defaultdict(list))
    ranges: dict[NamedNode, list[NamedNode]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True)
class _Terms:
    """What an ontology says: the facts, and the labels and descriptions of all that it describes."""

    facts: _Facts
    names: Mapping[Resource, str]
    comments: Mapping[Resource, str]


def _read_terms(ontology: Store) -> _Terms:
    described = {quad.subject for quad in ontology.match() if isinstance(quad.subject, (NamedNode, BlankNode))}
    return _Terms(_read_facts(ontology, NO_LIMITS), labels_of(ontology, described), comments_of(ontology, described))


@cache
def _shipped_terms() -> _Terms:
    from hpc_explorer.ontology.shipped import shipped_ontology

    return _read_terms(shipped_ontology())


def build_schema(
    store: Store,
    background: Store,
    *,
    used_classes: Iterable[NamedNode],
    used_properties: Iterable[NamedNode],
    limits: Limits = NO_LIMITS,
) -> SchemaIndex:
    """Build the schema index of a graph.

    Args:
        background: the shipped ontologies, for terms that `store` does not define.
        used_classes: the classes with instances.
        used_properties: the predicates of `store`.
    """
    own = _read_facts(store, limits)
    from hpc_explorer.ontology.shipped import shipped_ontology

    # The shipped ontologies never change.
    background_terms = _shipped_terms() if background is shipped_ontology() else _read_terms(background)
    shipped = background_terms.facts

    classes = own.classes | {cls for cls in used_classes if not is_meta(cls)}
    properties = set(own.properties) | {term for term in used_properties if not is_meta(term)}
    # Undefined terms get their place from the shipped ontologies, and so do their superclasses. Upwards only: an
    # equivalent in another vocabulary must not add that vocabulary's tree.
    explained_classes = closure_of(
        classes - own.classes, lambda cls: () if cls in own.classes else shipped.parents.get(cls, ())
    )
    explained_properties = closure_of(
        properties - own.properties.keys(),
        lambda term: () if term in own.properties else shipped.property_parents.get(term, ()),
    )
    all_classes = classes | {cls for cls in explained_classes if not is_meta(cls)}
    all_classes -= _needless_tops(all_classes - classes, all_classes, shipped.parents)
    all_properties = properties | {term for term in explained_properties if not is_meta(term)}

    terms = all_classes | all_properties
    names = {**background_terms.names, **labels_of(store, terms)}
    comments = {**background_terms.comments, **comments_of(store, terms)}
    return SchemaIndex(
        classes={
            cls: _class_info(cls, own if cls in own.classes else shipped, names, comments, cls in own.classes)
            for cls in sorted(all_classes, key=str)
        },
        properties={
            term: _property_info(term, own, shipped, names, comments) for term in sorted(all_properties, key=str)
        },
    )


_SCHEMA_PREDICATES = frozenset(
    {
        RDFS.subClassOf,
        OWL.equivalentClass,
        RDFS.subPropertyOf,
        OWL.equivalentProperty,
        OWL.inverseOf,
        RDFS.domain,
        *_DOMAIN_INCLUDES,
        *_RANGES,
    }
)


def speaks_of_schema(schema: SchemaIndex, quads: Iterable[Quad]) -> bool:
    """Whether adding or removing these statements could change the index, apart from the terms in use."""
    return any(
        quad.predicate in _SCHEMA_PREDICATES
        or (quad.predicate == RDF.type and quad.object in (*CLASS_TYPES, *PROPERTY_TYPES))
        or quad.subject in schema.classes
        or quad.subject in schema.properties
        for quad in quads
    )


def _needless_tops(
    brought_in: set[NamedNode], all_classes: set[NamedNode], parents: Mapping[NamedNode, list[NamedNode]]
) -> set[NamedNode]:
    """The top classes from the shipped ontologies that only repeat the tree under another root.

    Terms of the shipped ontology are below several vocabularies at once.
    """
    needless: set[NamedNode] = set()
    while True:
        places = {
            cls: [parent for parent in parents.get(cls, ()) if parent in all_classes and parent not in needless]
            for cls in all_classes - needless
        }
        tops = {cls for cls in brought_in - needless if not places[cls]}
        under: dict[NamedNode, bool] = dict.fromkeys(tops, True)
        for above in places.values():
            for parent in above:
                if parent in tops and len(set(above)) == 1:
                    under[parent] = False
        # One at a time: two tops may be redundant because of each other.
        going = min((top for top, spare in under.items() if spare), key=lambda top: top.value, default=None)
        if going is None:
            return needless
        needless.add(going)


def closure_of(starts: Iterable[NamedNode], steps: Callable[[NamedNode], Iterable[NamedNode]]) -> set[NamedNode]:
    """All nodes reachable from any of `starts`."""
    reached: set[NamedNode] = set()
    for start in starts:
        if start not in reached:
            reached |= closure(start, steps)
    return reached


def _class_info(
    cls: NamedNode,
    facts: _Facts,
    names: Mapping[Resource, str],
    comments: Mapping[Resource, str],
    defined: bool,
) -> ClassInfo:
    return ClassInfo(
        term=cls,
        label=names.get(cls) or class_label(cls),
        comment=comments.get(cls, ""),
        parents=_distinct(facts.parents.get(cls, ())),
        equivalents=_distinct(facts.equivalents.get(cls, ())),
        defined=defined,
    )


def _property_info(
    term: NamedNode,
    own: _Facts,
    shipped: _Facts,
    names: Mapping[Resource, str],
    comments: Mapping[Resource, str],
) -> PropertyInfo:
    facts = own if term in own.properties else shipped
    return PropertyInfo(
        term=term,
        label=names.get(term) or term_label(term),
        comment=comments.get(term, ""),
        kind=facts.properties.get(term, PropertyKind.UNKNOWN),
        domains=_distinct(facts.domains.get(term, ())),
        domain_includes=_distinct(facts.domain_includes.get(term, ())),
        ranges=_distinct(facts.ranges.get(term, ())),
        parents=_distinct(facts.property_parents.get(term, ())),
        equivalents=_distinct(facts.property_equivalents.get(term, ())),
        inverses=_distinct(facts.inverses.get(term, ())),
        defined=term in own.properties,
    )


def _distinct(terms: Iterable[NamedNode]) -> tuple[NamedNode, ...]:
    return tuple(dict.fromkeys(terms))


def _read_facts(store: Store, limits: Limits) -> _Facts:
    facts = _Facts()
    for cls in CLASS_TYPES:
        facts.classes.update(_named(quad.subject for quad in _stated(store, RDF.type, cls, limits)))
    # A precise kind takes precedence over rdf:Property, which is last in PROPERTY_TYPES.
    for type_of_property in PROPERTY_TYPES:
        for term in _named(quad.subject for quad in _stated(store, RDF.type, type_of_property, limits)):
            facts.properties.setdefault(term, _KIND_OF_TYPE[type_of_property])
    _read_pairs(store, RDFS.subClassOf, facts.parents, limits)
    _read_pairs(store, OWL.equivalentClass, facts.equivalents, limits, symmetric=True)
    _read_pairs(store, RDFS.subPropertyOf, facts.property_parents, limits)
    _read_pairs(store, OWL.equivalentProperty, facts.property_equivalents, limits, symmetric=True)
    _read_pairs(store, OWL.inverseOf, facts.inverses, limits, symmetric=True)
    _read_pairs(store, RDFS.domain, facts.domains, limits)
    for predicate in _DOMAIN_INCLUDES:
        _read_pairs(store, predicate, facts.domain_includes, limits)
    for predicate in _RANGES:
        _read_pairs(store, predicate, facts.ranges, limits)
    # A class with a place in the hierarchy is a class (RDFS 1.1, rdfs2 and rdfs3), and so is one that is stated
    # to be equivalent to another (OWL 2 RDF-based semantics, section 5.3).
    for above in (facts.parents, facts.equivalents):
        for cls, others in list(above.items()):
            facts.classes.update((cls, *others))
    for term, parents in list(facts.property_parents.items()):
        for one in (term, *parents):
            facts.properties.setdefault(one, PropertyKind.UNKNOWN)
    facts.classes = {cls for cls in facts.classes if not is_meta(cls)}
    facts.properties = {term: kind for term, kind in facts.properties.items() if not is_meta(term)}
    return facts


def _stated(store: Store, predicate: NamedNode, value: NamedNode | None, limits: Limits) -> Iterable[Quad]:
    """The stated triples. Inferred ones would make every ancestor a parent, and define here what only the shipped
    ontologies define.
    """
    return (quad for quad in store.match(None, predicate, value, limits=limits) if quad.graph_name != INFERRED)


def _named(terms: Iterable[object]) -> Iterable[NamedNode]:
    return (term for term in terms if isinstance(term, NamedNode))


def _read_pairs(
    store: Store,
    predicate: NamedNode,
    into: dict[NamedNode, list[NamedNode]],
    limits: Limits,
    *,
    symmetric: bool = False,
) -> None:
    for quad in _stated(store, predicate, None, limits):
        subject, value = quad.subject, quad.object
        if isinstance(subject, NamedNode) and isinstance(value, NamedNode) and subject != value:
            into[subject].append(value)
            if symmetric:
                into[value].append(subject)


class DomainReason(Enum):
    """Why a property belongs to a class."""

    DOMAIN = "domain"
    DOMAIN_INCLUDES = "domain includes"
    USE = "use"


def properties_of_class(
    schema: SchemaIndex, cls: NamedNode, used: Iterable[NamedNode]
) -> dict[NamedNode, DomainReason]:
    """The possible properties of a class's instances, with the reasons.

    By `rdfs:domain` or `schema:domainIncludes` (including those of superclasses), else by use.

    Args:
        used: the predicates that instances of the class use.
    """
    above = schema.superclasses(cls)
    found: dict[NamedNode, DomainReason] = {}
    for term, info in schema.properties.items():
        if any(domain in above for domain in info.domains):
            found[term] = DomainReason.DOMAIN
        elif any(domain in above for domain in info.domain_includes):
            found[term] = DomainReason.DOMAIN_INCLUDES
    for predicate in used:
        if predicate != RDF.type:
            found.setdefault(predicate, DomainReason.USE)
    return found


def predicates_of_instances(store: Store, cls: NamedNode, *, limits: Limits = NO_LIMITS) -> Iterable[NamedNode]:
    """The predicates that instances of a class use."""
    rows = store.select(f"SELECT DISTINCT ?p WHERE {{ ?s a {cls} ; ?p ?o }}", limits=limits)
    return _named(row["p"] for row in rows)
