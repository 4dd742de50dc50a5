"""Inference in the window: a command that switches it on and off, and explanations of inferred statements."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.explore.inference import explained, infer, withdraw
from hpc_explorer.app.views import ProofStep
from hpc_explorer.ontology.inference import InferenceReport
from hpc_explorer.rdf.terms import Triple
from hpc_explorer.ui.bridge.commands import Command, open_graph
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.explore.inspector import Inspector
from hpc_explorer.ui.explore.why_dialog import WhyDialog
from hpc_explorer.ui.widgets.banner import Banner


class InferenceController(QObject):
    """Runs and withdraws inference, and reports the result on the banner.

    Signals:
        changed(): inference ended or failed.
    """

    changed = Signal()

    def __init__(
        self, bridge: SessionBridge, banner: Banner, inspector: Inspector, navigator: Navigator, window: QWidget
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._banner = banner
        self._navigator = navigator
        self._window = window
        self._reported = ""
        bridge.graph_changed.connect(self._look)
        inspector.why_wanted.connect(self.explain)

    def commands(self) -> tuple[Command, ...]:
        """The command for inference."""
        return (
            Command("view.inferred", "Inferred statements", "View", 3, "Ctrl+Shift+F", "infer")
            .runs(self.toggle, open_graph(self._bridge))
            .marked(lambda: self._bridge.is_inferred)
            .about("Infer further statements from the sources, or remove the inferred ones."),
        )

    def toggle(self) -> None:
        """Infer statements, or remove the inferred ones."""
        if self._bridge.is_inferred:
            self._bridge.run(withdraw, title="Remove inferred statements", writes=True)
        else:
            self._bridge.run(infer, title="Infer", on_result=self._done, on_error=self._failed, writes=True)

    def explain(self, triple: Triple) -> None:
        """Show why a statement was inferred."""
        self._bridge.run(explained, triple, title="Find out why", on_result=self._show, replaces="dialog")

    def _done(self, report: InferenceReport) -> None:
        one = report.triples == 1
        title = f"{report.triples:,} statement{'' if one else 's'} inferred" if report.triples else "Nothing follows"
        text = (
            "They are drawn dashed and marked “inferred”, with their reasons. They are not part of your sources."
            if report.triples
            else "No further statement follows from the sources by RDFS and OWL 2 RL rules."
        )
        self._banner.show_done(
            title, text, "Remove them" if report.triples else "", self.toggle if report.triples else None
        )
        self._reported = title
        self.changed.emit()

    def _look(self) -> None:
        """Hide the report when inference was withdrawn."""
        if not self._bridge.is_inferred and self._reported and self._banner.title == self._reported:
            self._banner.hide()
        self.changed.emit()

    def _failed(self, error: BaseException) -> None:
        self._banner.show_error("Infer", error)
        self.changed.emit()

    def _show(self, steps: tuple[ProofStep, ...]) -> None:
        dialog = WhyDialog(steps, self._window)
        dialog.opened.connect(self._navigator.open)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
