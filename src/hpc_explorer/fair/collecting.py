"""Collect the statements relevant to resources from a store, with a few requests per hundred resources."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from hpc_explorer.fair.subject import ABOUT, Elements, Node, Subject, classes_in
from hpc_explorer.fair.terms import (
    BACKWARD_ROLES,
    DATASET_CLASSES,
    ELEMENTS_INTO,
    ELEMENTS_OF,
    FORWARD_ROLES,
    MODEL_CLASSES,
    RECORD_CLASSES,
    Role,
)
from hpc_explorer.ontology.common_terms import KINDS, TERMS, Fact, ThingKind, schema_org
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, PROV, RDF
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Quad, Resource, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Store

SAMPLE = 50
"""The most data elements examined per resource, in the order of their IRIs."""

MOST_TARGETS = 500
"""The most link targets per resource whose classes are requested."""

MOST_NODES = 2_000
"""The most nodes collected per resource."""

_BATCH = 100

# Cached because a namespace creates a new term on every access.
_TYPE = RDF.type
_CONFORMS_TO = DCTERMS.conformsTo

# What a catalogue says of the other things it lists is not about this resource.
_LISTING = frozenset({DCAT.dataset, DCAT.resource, DCAT.record, DCAT.service, *schema_org("dataset"), *ELEMENTS_OF})


def subject_of(store: Store, resource: Resource, *, limits: Limits = NO_LIMITS) -> Subject:
    """Collect the statements relevant to one resource.

    Raises:
        DeadlineExceeded, Cancelled: see `limits`.
        ServerError: the endpoint failed.
    """
    return next(subjects_of(store, (resource,), limits=limits))


def subjects_of(store: Store, resources: Iterable[Resource], *, limits: Limits = NO_LIMITS) -> Iterator[Subject]:
    """Collect the statements relevant to each of many resources, in their order.

    Raises:
        DeadlineExceeded, Cancelled: see `limits`.
        ServerError: the endpoint failed.
    """
    rest = iter(resources)
    while batch := tuple(islice(rest, _BATCH)):
        yield from _collect(store, batch, limits)


_FORWARD: Mapping[NamedNode, tuple[Role, ...]] = {
    term: tuple(role for role, terms in FORWARD_ROLES if term in terms) for _, each in FORWARD_ROLES for term in each
}
_BACKWARD: Mapping[NamedNode, Role] = {term: role for role, terms in BACKWARD_ROLES for term in terms}
_LIST = (RDF.first, RDF.rest)
# Columns are in a list in CSVW, authors in CodeMeta.
_LISTED = frozenset({Role.STRUCTURE, Role.AGENT})
_FILE_CLASSES = next(classes for kind, classes in KINDS if kind is ThingKind.FILE)

# What may belong to the resource through another node: the licence of a distribution does, the licence of
# the project that paid for it does not.
_THROUGH: Mapping[Role, frozenset[Role]] = {
    Role.DISTRIBUTION: frozenset(
        {Role.LICENCE, Role.SERVICE, Role.STRUCTURE, Role.POLICY, Role.IDENTIFIER, Role.FORMAT}
    ),
    Role.RECORD: frozenset({Role.IDENTIFIER}),
    Role.STRUCTURE: frozenset({Role.STRUCTURE}),
    Role.QUALIFIED: frozenset({Role.AGENT}),
    Role.ACTIVITY: frozenset({Role.AGENT}),
    Role.AGENT: frozenset({Role.IDENTIFIER}),
    Role.VALUE: frozenset(),
}


_OTHERS = DATASET_CLASSES | MODEL_CLASSES


class _Collecting:
    """The nodes found for one resource with their roles, and the queue of nodes to visit."""

    def __init__(self, resource: Resource) -> None:
        self.resource = resource
        self.roles: dict[Resource, set[Role]] = {}
        self.links_here: list[Quad] = []
        self.targets: dict[Resource, None] = {}
        self.parts: dict[Resource, None] = {}
        self.elements: dict[Resource, None] = {}
        self.element_count = Count(0)
        self.waiting: list[tuple[Resource, Role | None]] = [(resource, None)]

    def add(self, node: Resource, role: Role) -> None:
        """Record the role of a node and queue it for the next round."""
        roles = self.roles.setdefault(node, set())
        if node != self.resource and role not in roles and len(self.roles) <= MOST_NODES:
            roles.add(role)
            self.waiting.append((node, role))

    def expand(self, role: Role | None, quads: Iterable[Quad]) -> None:
        """Follow the statements about a node with this role; None is the resource itself."""
        quads = tuple(quads)
        classes = frozenset(classes_in(quads))
        if role not in _MAY_BE_DATASETS and classes & _OTHERS and not classes & RECORD_CLASSES:
            return  # Another dataset or model: its parts do not belong to this one.
        for quad in quads:
            value = quad.object
            if not is_resource(value) or quad.predicate == _TYPE or value == self.resource:
                continue
            found = _FORWARD.get(quad.predicate, ())
            if role is not None:
                found = tuple(each for each in found if each in _THROUGH.get(role, frozenset()))
                if role in _LISTED and quad.predicate in _LIST:
                    found = (role,)
            for each in found:
                self.add(value, each)
            if found:
                pass
            elif isinstance(value, BlankNode) and role is not Role.CATALOGUE:
                self.add(value, Role.ELEMENT_VALUE if role in _ELEMENT_ROLES else Role.VALUE)
            if role in _LINKING:
                self.targets[value] = None
            if role is None and quad.predicate in ELEMENTS_OF:
                self.parts[value] = None


# A catalogue is a dataset too (DCAT 3, section 6.3); files are sometimes typed as one.
_MAY_BE_DATASETS = (None, Role.CATALOGUE, Role.DISTRIBUTION)
_LINKING = (None, Role.ACTIVITY, Role.QUALIFIED, Role.VALUE, Role.EVALUATION, Role.DISTRIBUTION)
_ELEMENT_ROLES = (Role.ELEMENT, Role.ELEMENT_VALUE)


def _collect(store: Store, batch: Sequence[Resource], limits: Limits) -> Iterator[Subject]:
    limits.check("the assessment")
    found = {resource: _Collecting(resource) for resource in batch}
    described: dict[Resource, list[Quad]] = {}
    classes: dict[Resource, list[Quad]] = {}
    _take_backward(store, found, limits)
    _take_elements(store, found, limits)
    while any(each.waiting for each in found.values()):
        _describe(store, {node for each in found.values() for node, _ in each.waiting}, described, limits)
        for each in found.values():
            waiting, each.waiting = each.waiting, []
            for node, role in waiting:
                each.expand(role, described[node])
        _classify(store, found, described, classes, limits)
        for each in found.values():
            _files_among_parts(each, described, classes)
    for resource in batch:
        yield _subject(found[resource], described, classes)


def _take_backward(store: Store, found: Mapping[Resource, _Collecting], limits: Limits) -> None:
    for quad in store.match_many(objects=tuple(found), predicates=tuple(_BACKWARD), limits=limits):
        each = found[quad.object]  # type: ignore[index]  # only these objects were asked for
        if is_resource(quad.subject):
            each.links_here.append(quad)
            each.add(quad.subject, _BACKWARD[quad.predicate])


def _take_elements(store: Store, found: Mapping[Resource, _Collecting], limits: Limits) -> None:
    named = [each for each in found if isinstance(each, NamedNode)]
    elements: dict[Resource, set[Resource]] = {each: set() for each in found}
    if store.capabilities.remote:
        if named:
            for row in store.select(_first_elements(named), limits=limits):
                element, dataset = row["e"], row["d"]
                if is_resource(element) and is_resource(dataset):
                    elements[dataset].add(element)
    else:
        for quad in store.match_many(objects=tuple(found), predicates=ELEMENTS_INTO, limits=limits):
            if is_resource(quad.subject):
                elements[quad.object].add(quad.subject)  # type: ignore[index]  # only these objects were asked for
    for dataset, members in elements.items():
        each = found[dataset]
        kind = CountKind.AT_LEAST if store.capabilities.remote and len(members) > SAMPLE else CountKind.EXACT
        each.element_count = Count(len(members), kind)
        for member in heapq.nsmallest(SAMPLE, members, key=_plain_key):
            each.elements[member] = None
            each.add(member, Role.ELEMENT)


def _first_elements(datasets: Iterable[NamedNode]) -> str:
    predicates = " ".join(str(term) for term in ELEMENTS_INTO)
    return "SELECT ?e ?d WHERE { %s }" % " UNION ".join(  # noqa: UP031  # braces are SPARQL's
        f"{{ SELECT DISTINCT ?e ?d WHERE {{ VALUES ?d {{ {dataset} }} VALUES ?p {{ {predicates} }} ?e ?p ?d }}"
        f" ORDER BY ?e LIMIT {SAMPLE + 1} }}"
        for dataset in datasets
    )


def _describe(
    store: Store, wanted: Collection[Resource], described: dict[Resource, list[Quad]], limits: Limits
) -> None:
    unknown = [node for node in wanted if node not in described]
    for node in unknown:
        described[node] = []
    if unknown:
        for quad in store.match_many(subjects=unknown, limits=limits):
            described[quad.subject].append(quad)  # type: ignore[index]  # subjects are resources


def _classify(
    store: Store,
    found: Mapping[Resource, _Collecting],
    described: Mapping[Resource, list[Quad]],
    classes: dict[Resource, list[Quad]],
    limits: Limits,
) -> None:
    wanted = {
        target
        for each in found.values()
        for target in heapq.nsmallest(MOST_TARGETS, each.targets, key=_plain_key)
        if target not in classes and target not in described
    }
    for target in wanted:
        classes[target] = []
    if wanted:
        for quad in store.match_many(subjects=tuple(wanted), predicates=(_TYPE,), limits=limits):
            classes[quad.subject].append(quad)  # type: ignore[index]  # subjects are resources


def _files_among_parts(
    each: _Collecting, described: Mapping[Resource, list[Quad]], classes: Mapping[Resource, list[Quad]]
) -> None:
    """Classify the parts of a dataset that are files; the others are its data elements."""
    parts, each.parts = each.parts, {}
    elements = []
    for part in parts:
        of_part = frozenset(classes_in(classes.get(part, described.get(part, ()))))
        if of_part & _FILE_CLASSES:
            each.add(part, Role.DISTRIBUTION)
        elif not of_part & _NO_ELEMENTS:
            elements.append(part)
    if elements:
        each.element_count = Count(each.element_count.value + len(elements), each.element_count.kind)
        for part in heapq.nsmallest(SAMPLE, elements, key=_plain_key):
            each.elements[part] = None
            each.add(part, Role.ELEMENT)


_NO_ELEMENTS = (
    DATASET_CLASSES
    | MODEL_CLASSES
    | frozenset(each for _, classes in KINDS for each in classes)
    | {DCAT.Catalog, DCAT.CatalogRecord, DCAT.DataService, PROV.Activity, HPC.Experiment, HPC.Workflow}
    | frozenset(
        schema_org("DataCatalog", "CreativeWork", "HowTo", "ScholarlyArticle", "WebPage", "Action", "CreateAction")
    )
)
"""Classes of parts of a dataset that are not its data."""


def _subject(
    each: _Collecting, described: Mapping[Resource, list[Quad]], classes: Mapping[Resource, list[Quad]]
) -> Subject:
    key = _Order(described, (each.resource, *each.roles))
    nodes: dict[Resource, Node] = {
        resource: Node(resource, key.sorted(_of_its_own(each, resource, described.get(resource, ()))))
        for resource in (each.resource, *each.roles)
    }
    by_role: dict[Role, list[Node]] = {}
    for resource in sorted(each.roles, key=key.of_term):
        for role in each.roles[resource]:
            if _stands(role, nodes[resource], each):
                by_role.setdefault(role, []).append(nodes[resource])
            elif role is Role.VALUE:
                by_role.setdefault(Role.ANOTHER, []).append(_located(nodes[resource]))
    sample = tuple(by_role.pop(Role.ELEMENT, ()))
    values = tuple(by_role.pop(Role.ELEMENT_VALUE, ()))
    excluded = len(each.elements) - len(sample)
    count = each.element_count
    if excluded:
        complete = len(each.elements) >= count.value and count.kind is CountKind.EXACT
        count = Count(len(sample), CountKind.EXACT if complete else CountKind.AT_LEAST)
    standing = {node.resource for found in by_role.values() for node in found}
    return Subject(
        each.resource,
        nodes[each.resource].quads,
        {role: tuple(by_role[role]) for role in Role if role in by_role},
        key.sorted(quad for quad in each.links_here if quad.subject in standing),
        {
            target: classes_in(key.sorted(classes.get(target, described.get(target, ()))))
            for target in sorted(each.targets, key=key.of_term)
        },
        Elements(sample, values, count),
    )


def _of_its_own(each: _Collecting, node: Resource, quads: Iterable[Quad]) -> Iterable[Quad]:
    """The statements about a node itself, without links to its many members, such as those of a catalogue."""
    if node == each.resource:
        return quads
    elsewhere = _LISTING if Role.CATALOGUE in each.roles[node] else _BACKWARD
    return (
        quad
        for quad in quads
        if quad.predicate not in elsewhere or quad.object == each.resource or not is_resource(quad.object)
    )


def _stands(role: Role, node: Node, each: _Collecting) -> bool:
    """Whether the role assigned to a node fits its classes, now that they are known."""
    classes = frozenset(node.classes)
    if role is Role.ELEMENT:
        return not classes & _NO_ELEMENTS
    if role in (Role.VALUE, Role.IDENTIFIER):
        return not classes & _OTHERS
    if role is Role.RECORD:
        if classes & _OTHERS and not classes & RECORD_CLASSES:
            return False  # A crate whose main entity it is.
        links = {quad.predicate for quad in each.links_here if quad.subject == node.resource}
        if links <= ABOUT and links:
            return bool(classes & RECORD_CLASSES) or any(quad.predicate == _CONFORMS_TO for quad in node.quads)
    return True


def _located(node: Node) -> Node:
    """Whether a node is an unnamed dataset with only a class and a location."""
    return Node(node.resource, tuple(quad for quad in node.quads if quad.predicate in _LOCATING))


_LOCATING = frozenset({_TYPE, *(term for fact in (Fact.IDENTIFIER, Fact.URL, Fact.SAME_AS) for term in TERMS[fact])})


class _Order:
    """Sort terms and quads by what is said of blank nodes, not by their labels."""

    def __init__(self, described: Mapping[Resource, list[Quad]], nodes: Iterable[Resource]) -> None:
        self._signatures: dict[BlankNode, str] = {}
        blank = [node for node in nodes if isinstance(node, BlankNode)]
        for _ in range(3):
            self._signatures = {
                node: hashlib.sha256(
                    "\n".join(
                        sorted(f"{quad.predicate} {self.of_term(quad.object)}" for quad in set(described.get(node, ())))
                    ).encode()
                ).hexdigest()
                for node in blank
            }

    def of_term(self, term: object) -> tuple[int, str]:
        """The sort key of a term: IRIs, then blank nodes, then the rest."""
        if isinstance(term, NamedNode):
            return (0, term.value)
        if isinstance(term, BlankNode):
            return (1, self._signatures.get(term, ""))
        return (2, str(term))

    def sorted(self, quads: Iterable[Quad]) -> tuple[Quad, ...]:
        """The distinct quads in order."""
        return tuple(
            sorted(
                set(quads),
                key=lambda quad: (
                    self.of_term(quad.subject),
                    quad.predicate.value,
                    self.of_term(quad.object),
                    self.of_term(quad.graph_name),
                ),
            )
        )


def _plain_key(term: Resource) -> tuple[int, str]:
    return (0, term.value) if isinstance(term, NamedNode) else (1, "")
