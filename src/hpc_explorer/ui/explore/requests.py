"""What the window asks about resources: what is said of one and why, a class's instances, and what a text may mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hpc_explorer.app.explore.describing import describe_resource, instances_of, properties_for
from hpc_explorer.app.explore.finding import search
from hpc_explorer.app.explore.inference import explain, proof_steps
from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.lineage.comparing import Alike, alike
from hpc_explorer.app.views import ProofStep, PropertyView, ResourcePage, ResourceView, SearchResult, TermCount
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.schema import DomainReason
from hpc_explorer.rdf.terms import NamedNode, Resource, Triple
from hpc_explorer.ui.bridge.jobs import Channel, Failed, JobsBridge

MOST_LISTED = 20_000
"""How many values of one property are listed at once."""


@dataclass(frozen=True)
class Described:
    """All that is said of a resource; of a class, the properties of its instances too, and why each is one."""

    view: ResourceView
    fields: tuple[tuple[TermCount, DomainReason], ...] = ()


class ResourceQuestions:
    """Asks `app` about resources.

    Args:
        jobs: runs the questions.
    """

    def __init__(self, session: Session, jobs: JobsBridge) -> None:
        self._session = session
        self._described, self._values, self._instances, self._searched = (Channel(jobs) for _ in range(4))

    def drop(self) -> None:
        """Wait for no answer any more."""
        for channel in (self._described, self._values, self._instances, self._searched):
            channel.drop()

    def ask_resource(self, resource: Resource, done: Callable[[Described], None], failed: Failed) -> None:
        """All that the graph says about a resource."""

        def work(context: JobContext) -> Described:
            view = describe_resource(self._session, resource, limits=context.limits)
            if (
                not isinstance(resource, NamedNode)
                or resource not in self._session.schema(limits=context.limits).classes
            ):
                return Described(view)
            return Described(view, properties_for(self._session, resource, limits=context.limits))

        self._described.ask("Describe the resource", work, done, failed)

    def drop_resource(self) -> None:
        """Wait for no description any more."""
        self._described.drop()

    def ask_values(
        self, resource: Resource, one: PropertyView, incoming: bool, done: Callable[[PropertyView], None]
    ) -> None:
        """All values of one property, or all links of one kind that come in, as many as can be listed."""

        def work(context: JobContext) -> PropertyView:
            view = describe_resource(self._session, resource, values_per_property=MOST_LISTED, limits=context.limits)
            listed = view.incoming if incoming else view.outgoing
            return next((other for other in listed if other.predicate == one.predicate), one)

        self._values.ask(f"List all {one.label}", work, done)

    def ask_why(self, triple: Triple, done: Callable[[tuple[ProofStep, ...]], None]) -> None:
        """The proof of an inferred statement."""

        def work(context: JobContext) -> tuple[ProofStep, ...]:
            proof = explain(self._session, triple, limits=context.limits)
            return proof_steps(self._session, proof, limits=context.limits)

        self._values.ask("Find out why", work, done)

    def ask_alike(self, resource: Resource, done: Callable[[Alike], None]) -> None:
        """What a resource may be compared with."""
        self._values.ask(
            "Find others of its class", lambda context: alike(self._session, resource, limits=context.limits), done
        )

    def ask_instances(self, cls: NamedNode, offset: int, done: Callable[[ResourcePage], None]) -> None:
        """A page of the instances of a class."""

        def work(context: JobContext) -> ResourcePage:
            return instances_of(self._session, cls, offset=offset, limits=context.limits)

        self._instances.ask("List the instances", work, done)

    def ask_search(self, text: str, done: Callable[[SearchResult], None], failed: Failed) -> None:
        """What a text may mean."""

        def work(context: JobContext) -> SearchResult:
            return search(self._session, text, limits=context.limits)

        self._searched.ask("Search", work, done, failed)

    def drop_search(self) -> None:
        """Wait for no search any more."""
        self._searched.drop()
