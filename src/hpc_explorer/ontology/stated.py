"""A store as if nothing had been inferred: only what somebody stated."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from hpc_explorer.ontology.inference import INFERRED
from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, Resource, Term
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.wrapper import StoreWrapper


class StatedStore(StoreWrapper):
    """The triples of a store without those that were inferred; its queries see them all the same."""

    def match(
        self,
        subject: Resource | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: GraphName | None = None,
        *,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The quads that fit."""
        return _stated(super().match(subject, predicate, object, graph, limits=limits))

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The quads whose terms are among those given."""
        return _stated(super().match_many(subjects=subjects, predicates=predicates, objects=objects, limits=limits))


def _stated(quads: Iterator[Quad]) -> Iterator[Quad]:
    return (quad for quad in quads if quad.graph_name != INFERRED)
