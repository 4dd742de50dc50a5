"""The statements that are relevant to one resource, detached from the store.

These are the statements of the resource and of what belongs to it: distributions, catalogue records, agents, activities
and blank-node values. Of other link targets only the classes are known, so statements about other datasets never count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from hpc_explorer.fair.terms import ELEMENTS_OF, MODEL_CLASSES, FairFact, Role, terms_of
from hpc_explorer.ontology.common_terms import Fact, schema_org
from hpc_explorer.rdf.namespaces import DCTERMS, RDF
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Resource
from hpc_explorer.stores.base import Count

# Cached because a namespace creates a new term on every access.
_TYPE = RDF.type
_CONFORMS_TO = DCTERMS.conformsTo

ABOUT = frozenset(schema_org("about", "mainEntity"))
"""Predicates from a record to its subject."""

BY_KIND = ABOUT | frozenset(ELEMENTS_OF)
"""The object belongs to the resource depending on its class."""


@dataclass(frozen=True)
class Node:
    """A node of the description.

    Args:
        quads: the statements about it, sorted.
    """

    resource: Resource
    quads: tuple[Quad, ...] = ()

    @cached_property
    def classes(self) -> tuple[NamedNode, ...]:
        """Its classes, sorted."""
        return classes_in(self.quads)

    def stated(self, *facts: Fact | FairFact) -> tuple[Quad, ...]:
        """The non-empty statements of these facts, sorted."""
        return stated(self.quads, *facts)


@dataclass(frozen=True)
class Elements:
    """The data elements of a dataset in the graph.

    Args:
        nodes: a sample, the first by IRI.
        values: their blank-node values.
        count: the total number of elements.
    """

    nodes: tuple[Node, ...] = ()
    values: tuple[Node, ...] = ()
    count: Count = field(default_factory=lambda: Count(0))

    @property
    def quads(self) -> tuple[Quad, ...]:
        """The statements about the sample, sorted by element."""
        return tuple(quad for node in (*self.nodes, *self.values) for quad in node.quads)


@dataclass(frozen=True)
class Subject:
    """One resource with all relevant statements. Everything is sorted, independent of the store's order.

    Args:
        quads: the statements about the resource.
        nodes: the nodes that belong to it by role; a node may have several roles.
        links_here: statements that link to it, such as a record's foaf:primaryTopic.
        targets: the classes of other link targets.
        elements: its data elements in the graph.
    """

    resource: Resource
    quads: tuple[Quad, ...]
    nodes: Mapping[Role, tuple[Node, ...]] = field(default_factory=dict)
    links_here: tuple[Quad, ...] = ()
    targets: Mapping[Resource, tuple[NamedNode, ...]] = field(default_factory=dict)
    elements: Elements = Elements()

    @cached_property
    def own(self) -> Node:
        """The resource as a node."""
        return Node(self.resource, self.quads)

    @cached_property
    def classes(self) -> tuple[NamedNode, ...]:
        """Its classes, sorted."""
        return classes_in(self.quads)

    @cached_property
    def is_model(self) -> bool:
        """Whether it is a machine learning model; all else is assessed as a dataset."""
        return any(each in MODEL_CLASSES for each in self.classes)

    def of(self, *roles: Role) -> tuple[Node, ...]:
        """The nodes with one of these roles."""
        if len(roles) == 1:
            return self.nodes.get(roles[0], ())
        found = {node.resource: node for role in reversed(roles) for node in self.nodes.get(role, ())}
        order = dict.fromkeys(node.resource for role in roles for node in self.nodes.get(role, ()))
        return tuple(found[resource] for resource in order)

    @property
    def distributions(self) -> tuple[Node, ...]:
        """The distributions."""
        return self.of(Role.DISTRIBUTION)

    @property
    def records(self) -> tuple[Node, ...]:
        """The catalogue records about it."""
        return self.of(Role.RECORD)

    @property
    def activities(self) -> tuple[Node, ...]:
        """The activities that made it."""
        return self.of(Role.ACTIVITY)

    @property
    def agents(self) -> tuple[Node, ...]:
        """Its creators, publishers and funders."""
        return self.of(Role.AGENT)

    def node(self, resource: object) -> Node | None:
        """The node of a resource, in any role."""
        if resource == self.resource:
            return self.own
        return self._by_resource.get(resource)

    @cached_property
    def _by_resource(self) -> Mapping[object, Node]:
        return {node.resource: node for nodes in tuple(self.nodes.values())[::-1] for node in nodes}

    def stated(self, *facts: Fact | FairFact, of: Sequence[Role] = ()) -> tuple[Quad, ...]:
        """The statements of these facts about the resource, and about nodes with some roles; sorted within each."""
        return stated(self.quads, *facts) + tuple(quad for node in self.of(*of) for quad in node.stated(*facts))

    def link_to(self, resource: object) -> tuple[Quad, ...]:
        """The statements that link the resource to a node; empty for the resource itself."""
        chain: list[Quad] = []
        passed: set[object] = set()
        while resource != self.resource and resource not in passed:
            passed.add(resource)
            quad = self._links.get(resource)
            if quad is None:
                break
            if quad.predicate in BY_KIND and (node := self.node(resource)) is not None:
                chain += [each for each in node.quads if each.predicate in (_TYPE, _CONFORMS_TO)]
            chain.append(quad)
            resource = quad.subject if quad.object == resource else quad.object
        return tuple(reversed(chain))

    @cached_property
    def _links(self) -> Mapping[object, Quad]:
        """One link per node towards the resource; statements of the resource come first."""
        links: dict[object, Quad] = {}
        for quad in self.quads:
            links.setdefault(quad.object, quad)
        for quad in self.links_here:
            links.setdefault(quad.subject, quad)
        for node in self.elements.nodes:
            for quad in node.quads:
                if quad.object == self.resource:
                    links.setdefault(node.resource, quad)
        for nodes in (*self.nodes.values(), self.elements.nodes, self.elements.values):
            for node in nodes:
                for quad in node.quads:
                    if quad.object != self.resource and quad.predicate != _TYPE:
                        links.setdefault(quad.object, quad)
        return links

    def all_quads(self) -> tuple[Quad, ...]:
        """All distinct statements."""
        nodes = (node for nodes in self.nodes.values() for node in nodes)
        return tuple(
            dict.fromkeys(
                (
                    *self.quads,
                    *self.links_here,
                    *(quad for node in nodes for quad in node.quads),
                    *self.elements.quads,
                )
            )
        )


def stated(quads: Iterable[Quad], *facts: Fact | FairFact) -> tuple[Quad, ...]:
    """The non-empty statements of these facts, in the order of `quads`."""
    terms = {term for fact in facts for term in terms_of(fact)}
    return tuple(quad for quad in quads if quad.predicate in terms and says_anything(quad))


def says_anything(quad: Quad) -> bool:
    """Whether the value of a statement is not an empty text."""
    return not isinstance(quad.object, Literal) or bool(quad.object.value.strip())


def classes_in(quads: Iterable[Quad]) -> tuple[NamedNode, ...]:
    """The classes in some statements, in order."""
    classes = (quad.object for quad in quads if quad.predicate == _TYPE)
    return tuple(dict.fromkeys(each for each in classes if isinstance(each, NamedNode)))
