"""Inference in the window: a command that switches it on and off, and explanations of inferred statements."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QWidget

from hpc_explorer.app.explore.inference import explained, infer, withdraw
from hpc_explorer.app.views import ProofStep, ResourceRef
from hpc_explorer.canvas.text import brief
from hpc_explorer.ontology.inference import InferenceReport
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import Triple
from hpc_explorer.ui.bridge.commands import Command, open_graph
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.explore.inspector import Inspector
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import add_closing, column_in, dialog_column
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL


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
            Command("view.inferred", "Inferred statements", "View", 3, "", "infer")
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


LONGEST_NAME = 60
"""Characters."""


class WhyDialog(QDialog):
    """Shows a proof: below each statement the premises it follows from.

    Signals:
        opened(Resource): a link was followed; the dialog is closed.
    """

    opened = Signal(object)

    def __init__(self, steps: Sequence[ProofStep], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Why?")
        self.resize(76 * GRID, 56 * GRID)
        column = dialog_column(self)
        about = "Below each statement are its premises, down to the statements in the sources."
        column.addWidget(TextBlock(about, muted=True))
        content = QWidget()
        rows = column_in(content, 0, GRID, GRID, 0)
        for number, step in enumerate(steps):
            if number == 1:
                rows.addSpacing(GRID)
                rows.addWidget(caption("because"))
                rows.addSpacing(GRID // 2)
            rows.addWidget(self._row(step))
        rows.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName("Proof")
        area.setWidget(content)
        column.addWidget(area, 1)
        add_closing(self, column)

    def _row(self, step: ProofStep) -> QWidget:
        row = _Step(max(step.depth - 1, 0))
        lines = column_in(row, row.indent + GRID // 2, GRID // 2, 0, GRID // 2)
        words = QWidget()
        flow = FlowLayout(words, GRID)
        flow.addWidget(self._link(step.subject))
        flow.addWidget(TextBlock(step.predicate, muted=True))
        flow.addWidget(self._link(step.target) if step.target is not None else TextBlock(brief(step.text, 200)))
        lines.addWidget(words)
        reason = step.reason + (", as shown above" if step.repeated else "")
        mark = "inferred: " if step.origin is Origin.INFERRED else ""
        lines.addWidget(TextBlock(mark + reason, size=SMALL, muted=True))
        row.setAccessibleName(f"{step.subject.label} {step.predicate} {step.text}: {mark}{reason}")
        return row

    def _link(self, ref: ResourceRef) -> LinkBlock:
        link = LinkBlock(brief(ref.label, LONGEST_NAME))
        link.setToolTip(plain_tip(ref.iri))
        link.clicked.connect(lambda: self._open(ref))
        return link

    def _open(self, ref: ResourceRef) -> None:
        self.accept()
        self.opened.emit(ref.resource)


class _Step(QWidget):
    """A step with a thin rule at its left for each level below the first premises."""

    def __init__(self, level: int) -> None:
        super().__init__()
        self._level = level
        self.indent = 2 * GRID * level

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = self.palette().color(QPalette.ColorRole.Mid)
        for level in range(self._level):
            painter.fillRect(QRect(2 * GRID * level + 5, 0, 1, self.height()), colour)
