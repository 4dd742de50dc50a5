"""Inference in the window: a command that switches it on and off, and explanations of inferred statements."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QWidget

from hpc_explorer.app.explore.inference import contradictions, explained, infer, withdraw
from hpc_explorer.app.views import ContradictionView, ProofStep, ResourceRef
from hpc_explorer.canvas.text import brief
from hpc_explorer.ontology.inference import InferenceReport
from hpc_explorer.ontology.rules import RuleSet
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import Triple
from hpc_explorer.ui.bridge.commands import Command, Need, open_graph
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.explore.inspector import Inspector
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import add_closing, column_in, dialog_column, open_dialog
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL
from hpc_explorer.wording import counted


class InferenceController(QObject):
    """Runs and withdraws inference, and reports the result on the banner."""

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
        """The commands for inference."""
        bridge = self._bridge

        def has_contradictions() -> bool:
            return bridge.inference is not None and bool(bridge.inference.contradictions)

        return (
            Command("view.inferred", "Inferred statements", "View", 3, "", "infer")
            .runs(lambda: self.toggle(RuleSet.COMMON), open_graph(bridge))
            .marked(lambda: self._uses(RuleSet.COMMON))
            .about("Infer further statements from the sources by the common rules, or remove the inferred ones."),
            Command("view.inferred_owl_rl", "Inferred statements by all of OWL 2 RL", "View", 3)
            .runs(lambda: self.toggle(RuleSet.OWL_RL), open_graph(bridge))
            .marked(lambda: self._uses(RuleSet.OWL_RL))
            .about("Infer by all rules, equality, restrictions and keys too, and find contradictions; or remove all."),
            Command("view.contradictions", "Contradictions…", "View", 3)
            .runs(self.show_contradictions, Need("contradictions that all of OWL 2 RL finds", has_contradictions))
            .about("Show which statements cannot all be true, and why."),
        )

    def _uses(self, rule_set: RuleSet) -> bool:
        """Whether statements were inferred by these rules."""
        report = self._bridge.inference
        return report is not None and report.rule_set is rule_set

    def toggle(self, rule_set: RuleSet) -> None:
        """Infer statements by these rules, or remove what was inferred by them."""
        if self._uses(rule_set):
            self._withdraw()
        else:
            self._bridge.run(infer, rule_set, title="Infer", on_result=self._done, on_error=self._failed, writes=True)

    def _withdraw(self) -> None:
        self._bridge.run(withdraw, title="Remove inferred statements", writes=True)

    def show_contradictions(self) -> None:
        """Show which statements cannot all be true."""
        self._bridge.run(
            contradictions, title="Explain contradictions", on_result=self._show_contradictions, replaces="dialog"
        )

    def explain(self, triple: Triple) -> None:
        """Show why a statement was inferred."""
        self._bridge.run(explained, triple, title="Find out why", on_result=self._show, replaces="dialog")

    def _done(self, report: InferenceReport) -> None:
        title = f"{counted(report.triples, 'statement')} inferred" if report.triples else "Nothing follows"
        text = (
            "What was inferred is drawn dashed and marked “inferred”, with its reason. It is not part of your sources."
            if report.triples
            else "No further statement follows from the sources by RDFS and OWL 2 RL rules."
        )
        if found := len(report.contradictions):
            more = "at least " if report.more_contradictions else ""
            title += f", {more}{counted(found, 'contradiction')}"
            self._banner.show_problem(title, text, "Show contradictions", self.show_contradictions)
        else:
            self._banner.show_done(
                title, text, "Remove them" if report.triples else "", self._withdraw if report.triples else None
            )
        self._reported = title
        self._bridge.updated.emit()

    def _look(self) -> None:
        """Hide the report when inference was withdrawn."""
        if not self._bridge.is_inferred and self._reported and self._banner.title == self._reported:
            self._banner.hide()
        self._bridge.updated.emit()

    def _failed(self, error: BaseException) -> None:
        self._banner.show_error("Infer", error)
        self._bridge.updated.emit()

    def _show(self, steps: tuple[ProofStep, ...]) -> None:
        self._open_dialog(WhyDialog(steps, self._window))

    def _show_contradictions(self, found: tuple[ContradictionView, ...]) -> None:
        report = self._bridge.inference
        if report is not None:
            total, is_cut = len(report.contradictions), bool(report.more_contradictions)
            self._open_dialog(ContradictionsDialog(found, total, is_cut, self._window))

    def _open_dialog(self, dialog: ProofDialog) -> None:
        dialog.opened.connect(self._navigator.open)
        open_dialog(dialog)


LONGEST_NAME = 60
"""Characters."""


class ProofDialog(QDialog):
    """Shows statements with the premises they follow from.

    Signals:
        opened(Resource): a link was followed; the dialog is closed.
    """

    opened = Signal(object)

    def __init__(self, title: str, about: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.resize(76 * GRID, 56 * GRID)
        column = dialog_column(self)
        column.addWidget(TextBlock(about, muted=True))
        content = QWidget()
        self._rows = column_in(content, 0, GRID, GRID, 0)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName("Proof")
        area.setWidget(content)
        column.addWidget(area, 1)
        add_closing(self, column)

    def add_step(self, step: ProofStep, level: int) -> None:
        """Add a statement with its reason, indented by its level."""
        self._rows.addWidget(self._row(step, level))

    def add_heading(self, text: str) -> None:
        """Add a line above the statements that follow."""
        self._rows.addSpacing(GRID)
        self._rows.addWidget(caption(text))
        self._rows.addSpacing(GRID // 2)

    def add_sentence(self, text: str) -> None:
        """Add a sentence of its own."""
        self._rows.addSpacing(GRID)
        self._rows.addWidget(TextBlock(text, weight=600))

    def end(self) -> None:
        """Leave the rest of the dialog free."""
        self._rows.addStretch(1)

    def _row(self, step: ProofStep, level: int) -> QWidget:
        row = _Step(level)
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


class WhyDialog(ProofDialog):
    """Shows a proof: below each statement the premises it follows from."""

    def __init__(self, steps: Sequence[ProofStep], parent: QWidget) -> None:
        super().__init__(
            "Why?", "Below each statement are its premises, down to the statements in the sources.", parent
        )
        for number, step in enumerate(steps):
            if number == 1:
                self.add_heading("because")
            self.add_step(step, max(step.depth - 1, 0))
        self.end()


class ContradictionsDialog(ProofDialog):
    """Shows contradictions: a sentence for each, and the proofs of the statements that cannot all be true.

    Args:
        found: those that are shown.
        total: the number that the inference kept.
        is_cut: whether there are more than it kept.
    """

    def __init__(self, found: Sequence[ContradictionView], total: int, is_cut: bool, parent: QWidget) -> None:
        text = "The statements below each sentence cannot all be true."
        if is_cut or len(found) < total:
            least = "at least " if is_cut else ""
            text = f"{len(found):,} of {least}{counted(total, 'contradiction')} are shown. {text}"
        super().__init__("Contradictions", text, parent)
        for one in found:
            self.add_sentence(one.sentence)
            self.add_heading(f"by rule {one.rule}")
            for step in one.steps:
                self.add_step(step, step.depth)
        self.end()


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
