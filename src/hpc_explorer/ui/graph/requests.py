"""What the graph view asks of the session: each question in a thread, and only the latest answer of its kind counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hpc_explorer.app.graph.expanding import classes_in, filter_choices, neighbour_sets
from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.views import FilterChoices, NeighbourCount
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.view.state import GraphView, NeighbourSet
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.base import Limits
from hpc_explorer.ui.bridge.jobs import Channel, Failed, JobsBridge

T = TypeVar("T")


class GraphQuestions:
    """Asks `app` for the graph view.

    Args:
        jobs: runs the questions.
    """

    def __init__(self, session: Session, jobs: JobsBridge) -> None:
        self._session = session
        self._sets, self._classes, self._filters, self._layout, self._growth = (Channel(jobs) for _ in range(5))

    def drop(self) -> None:
        """Wait for no answer any more, other than that of a step under way."""
        for channel in (self._sets, self._classes, self._filters, self._layout):
            channel.drop()

    def ask_neighbour_sets(
        self, resource: Resource, done: Callable[[tuple[NeighbourCount, ...]], None], failed: Failed
    ) -> None:
        """What a node can be expanded by."""

        def work(context: JobContext) -> tuple[NeighbourCount, ...]:
            return neighbour_sets(self._session, resource, limits=context.limits)

        self._sets.ask("Count the neighbours", work, done, failed)

    def ask_classes_in(
        self, of: NeighbourSet, done: Callable[[tuple[NeighbourCount, ...]], None], failed: Failed
    ) -> None:
        """The neighbours of a set by their classes."""

        def work(context: JobContext) -> tuple[NeighbourCount, ...]:
            return classes_in(self._session, of, limits=context.limits)

        self._classes.ask("Count by class", work, done, failed)

    def ask_filters(self, view: GraphView, done: Callable[[FilterChoices], None]) -> None:
        """What can be left out of a view."""

        def work(context: JobContext) -> FilterChoices:
            return filter_choices(self._session, view, limits=context.limits)

        self._filters.ask("Count what is shown", work, done)

    def ask_layout(self, work: Callable[[Session, Limits], T], done: Callable[[T], None], failed: Failed) -> None:
        """Where things stand; a layout that was asked for before is given up."""

        def laid_out(context: JobContext) -> T:
            return work(self._session, context.limits)

        self._layout.ask("Lay out the graph", laid_out, done, failed)

    def drop_layout(self) -> None:
        """Wait for no layout any more."""
        self._layout.drop()

    def grow(self, title: str, work: Callable[[Session, Limits], T], done: Callable[[T], None], failed: Failed) -> None:
        """Have a graph view grown by what the graph says; one step at a time."""
        self._growth.ask(title, lambda context: work(self._session, context.limits), done, failed)

    def drop_growth(self) -> None:
        """Wait for no step of the graph view any more."""
        self._growth.drop()
