"""The proof of an inferred statement."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QWidget

from hpc_explorer.app.views import ProofStep, ResourceRef
from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.ui.widgets.dialog_parts import add_closing, column_in, dialog_column
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import LinkBlock, TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL

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
