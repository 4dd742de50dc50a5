"""A cached view of the graph after a change, for validation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Quad, Resource, Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.changes.changes import ChangeSet

Superclasses = Callable[[NamedNode], frozenset[NamedNode]]
"""Returns the superclasses of a class, with equivalents."""


class GraphView:
    """The stated triples of a store after a change, cached by subject.

    Args:
        store: the graph.
        background: the shipped ontologies, for units and other linked resources.
        superclasses: the class hierarchy.
        change: the assumed change.
    """

    def __init__(
        self,
        store: Store,
        *,
        background: Store,
        superclasses: Superclasses,
        change: ChangeSet | None = None,
        limits: Limits = NO_LIMITS,
    ) -> None:
        self.store = store
        self.background = background
        self.limits = limits
        self.superclasses = superclasses
        self._removed = frozenset() if change is None else frozenset(change.removed) - frozenset(change.added)
        self._added = () if change is None else tuple(dict.fromkeys(change.added))
        self._said: dict[Resource, dict[NamedNode, tuple[Term, ...]]] = {}
        self._types: dict[Resource, tuple[NamedNode, ...]] = {}
        self._classes: dict[Resource, frozenset[NamedNode]] = {}

    def fetch(self, subjects: Collection[Resource]) -> None:
        """Prefetch the statements of these resources, and the classes of linked resources, in two requests."""
        wanted = [subject for subject in subjects if subject not in self._said]
        self._keep(wanted, self.store.match_many(subjects=wanted, limits=self.limits) if wanted else ())
        linked = (value for subject in wanted for values in self._said[subject].values() for value in values)
        self.fetch_types({value for value in linked if is_resource(value)})

    def fetch_types(self, resources: Collection[Resource]) -> None:
        """Prefetch the classes of these resources."""
        unknown = [one for one in resources if one not in self._said and one not in self._types]
        if not unknown:
            return
        found: dict[Resource, dict[NamedNode, None]] = {one: {} for one in unknown}
        quads = self.store.match_many(subjects=unknown, predicates=(RDF.type,), limits=self.limits)
        for quad in self._overlaid(quads, set(unknown)):
            if quad.predicate == RDF.type and isinstance(quad.object, NamedNode):
                found[quad.subject][quad.object] = None  # type: ignore[index]  # subjects are resources
        self._types.update((one, self._with_background(one, types)) for one, types in found.items())

    def said(self, subject: Resource) -> Mapping[NamedNode, tuple[Term, ...]]:
        """The statements of a subject by predicate."""
        if subject not in self._said:
            self._keep([subject], self.store.match(subject, limits=self.limits))
        return self._said[subject]

    def objects(self, subject: Resource, predicate: NamedNode) -> tuple[Term, ...]:
        """The values of a property."""
        return self.said(subject).get(predicate, ())

    def types(self, resource: Resource) -> tuple[NamedNode, ...]:
        """The stated classes of a resource, here or in the shipped ontologies."""
        if resource not in self._types:
            if resource in self._said:
                stated = [one for one in self._said[resource].get(RDF.type, ()) if isinstance(one, NamedNode)]
                self._types[resource] = self._with_background(resource, stated)
            else:
                self.fetch_types((resource,))
        return self._types[resource]

    def classes(self, resource: Resource) -> frozenset[NamedNode]:
        """The classes of a resource with their superclasses."""
        found = self._classes.get(resource)
        if found is None:
            found = frozenset().union(*(self.superclasses(cls) for cls in self.types(resource)))
            self._classes[resource] = found
        return found

    def linking(self, predicate: NamedNode | None, value: Term) -> Iterator[tuple[Resource, NamedNode]]:
        """The subjects and predicates of the statements with a value."""
        for quad in self.statements(None, predicate, value):
            if is_resource(quad.subject):
                yield quad.subject, quad.predicate

    def statements(self, subject: Resource | None, predicate: NamedNode | None, value: Term | None) -> Iterator[Quad]:
        """The matching quads after the change."""
        for quad in self.store.match(subject, predicate, value, limits=self.limits):
            if quad.graph_name != INFERRED and quad not in self._removed:
                yield quad
        for quad in self._added:
            if (
                (subject is None or quad.subject == subject)
                and (predicate is None or quad.predicate == predicate)
                and (value is None or quad.object == value)
            ):
                yield quad

    def _keep(self, subjects: Iterable[Resource], quads: Iterable[Quad]) -> None:
        wanted = set(subjects)
        said: dict[Resource, dict[NamedNode, dict[Term, None]]] = {subject: {} for subject in wanted}
        for quad in self._overlaid(quads, wanted):
            of_subject = said[quad.subject]  # type: ignore[index]  # subjects are resources
            of_subject.setdefault(quad.predicate, {})[quad.object] = None  # type: ignore[index]  # no quoted triples
        for subject, facts in said.items():
            self._said[subject] = {predicate: tuple(values) for predicate, values in facts.items()}

    def _overlaid(self, quads: Iterable[Quad], subjects: Collection[Resource]) -> Iterator[Quad]:
        for quad in quads:
            if quad.graph_name != INFERRED and quad not in self._removed:
                yield quad
        for quad in self._added:
            if quad.subject in subjects:
                yield quad

    def _with_background(self, resource: Resource, stated: Iterable[NamedNode]) -> tuple[NamedNode, ...]:
        found = dict.fromkeys(stated)
        if not found and isinstance(resource, NamedNode):
            known = self.background.match(resource, RDF.type)
            found.update((quad.object, None) for quad in known if isinstance(quad.object, NamedNode))
        return tuple(found)
