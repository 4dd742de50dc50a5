"""The controller of results: writes assessments as a graph, opens it as a source, and leads to questions about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.fair.assessing_many import resources_to_assess
from hpc_explorer.app.fair.results import open_results, write_all_results, write_results
from hpc_explorer.app.views import SourceSummary
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.source_files import SourceFile
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.ui.bridge.commands import Command, Need, open_graph
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.fair.controller import FairController
from hpc_explorer.ui.widgets.banner import Banner

_NAMELESS = " The resource has no IRI: a blank node with its label represents it there."


class FairResults(QObject):
    """Opens results as a separate graph.

    Args:
        controller: the assessed resource, the reading, and whether online.
        ask: shows the ready questions about results.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        controller: FairController,
        banner: Banner,
        ask: Callable[[], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge, self._controller, self._banner, self._ask = bridge, controller, banner, ask

    @staticmethod
    def commands(results: Late[FairResults], bridge: SessionBridge, assessment: Need) -> tuple[Command, ...]:
        """What opens results.

        Args:
            assessment: an assessment is in sight.
        """
        return (
            Command("fair.results", "Open results beside the graph", "FAIR", 2, "", short="Open results")
            .runs(results.does(FairResults.open), assessment)
            .about("Put this assessment and the kept ones into a separate graph, to query them like the rest."),
            Command(
                "fair.all_results",
                "Open all results beside the graph",
                "FAIR",
                2,
                "",
                short="Open results",
            )
            .runs(results.does(FairResults.open_all), open_graph(bridge))
            .about("Assess all datasets and models, and put the results into a separate graph to query."),
        )

    def open(self) -> None:
        """Open the results of the shown assessment and of the kept ones."""
        view = self._controller.view
        if view is None:
            return
        note = "" if isinstance(view.resource, NamedNode) else _NAMELESS
        self._write(partial(write_results, view=view), note)

    def open_all(self) -> None:
        """Assess all datasets and models, and open the results."""
        reading, online = self._controller.reading, self._controller.page.online.isChecked()

        def work(session: Session, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS) -> SourceFile:
            return write_all_results(
                session,
                resources_to_assess(session, limits=limits),
                reading=reading,
                online=online,
                progress=lambda done, of: progress(f"assessing, {done:,} of {of:,}", done / of),
                limits=limits,
            )

        self._write(work)

    def _write(self, work: Callable[[Session], SourceFile], note: str = "") -> None:
        # Only opening blocks edits; a thousand assessments take a while.
        self._bridge.run(
            work,
            title="Write the results",
            on_result=lambda file: self._open(file, note),
        )

    def _open(self, file: SourceFile, note: str) -> None:
        def done(source: SourceSummary) -> None:
            self._banner.show_done(
                f"{source.name} are open beside the graph",
                f"{source.triples} statements in a separate graph. They do not change scores and are not an edit; "
                f"opened again, they are replaced.{note}",
                "Ask about them",
                self._ask,
            )

        self._bridge.run(
            open_results,
            file,
            title=f"Open {file.name}",
            on_result=done,
            closes=self._bridge.workspace is not None,
            writes=True,
        )
