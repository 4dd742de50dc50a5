"""Inference in the window: on and off by one command, and why one inferred statement follows."""

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
    """Has inferences made and withdrawn, and says on the banner what came of it.

    Signals:
        changed(): something was inferred, or could not be.
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
        self._told = ""
        bridge.graph_changed.connect(self._look)
        inspector.why_wanted.connect(self.explain)

    def commands(self) -> tuple[Command, ...]:
        """What infers."""
        return (
            Command("view.inferred", "Inferred statements", "View", 3, "Ctrl+Shift+F", "infer")
            .runs(self.toggle, open_graph(self._bridge))
            .marked(lambda: self._bridge.is_inferred)
            .about("Infer what follows from what the sources state, or take it out again."),
        )

    def toggle(self) -> None:
        """Infer what follows from the graph; if that was done, take it out again."""
        if self._bridge.is_inferred:
            self._bridge.run(withdraw, title="Take out the inferred", writes=True)
        else:
            self._bridge.run(infer, title="Infer", on_result=self._done, on_error=self._failed, writes=True)

    def explain(self, triple: Triple) -> None:
        """Show why a statement was inferred."""
        self._bridge.run(explained, triple, title="Find out why", on_result=self._show, replaces="dialog")

    def _done(self, report: InferenceReport) -> None:
        one = report.triples == 1
        title = f"{report.triples:,} statement{'' if one else 's'} inferred" if report.triples else "Nothing follows"
        text = (
            "They are drawn dashed and marked “inferred”, and each says why. They are not part of your sources."
            if report.triples
            else "From what the sources state, no further statement follows by the rules that are known."
        )
        self._banner.show_done(
            title, text, "Take them out" if report.triples else "", self.toggle if report.triples else None
        )
        self._told = title
        self.changed.emit()

    def _look(self) -> None:
        """Take back what was said of inferences that are no longer there."""
        if not self._bridge.is_inferred and self._told and self._banner.title == self._told:
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
