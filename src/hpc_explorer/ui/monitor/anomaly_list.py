"""The anomalies of a run, each with the jobs that it affected below it."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent
from PySide6.QtWidgets import QFrame, QTreeWidget, QTreeWidgetItem

from hpc_explorer.app.monitor.run_view import AnomalyRow, RunView
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.theme import GRID, current_theme, font, on_theme

HEADINGS = ("Anomaly", "Severity", "Began", "Lasted", "Where", "Jobs", "Verdict")
_WIDTHS = (40 * GRID, 9 * GRID, 21 * GRID, 9 * GRID, 12 * GRID, 7 * GRID, 12 * GRID)
MOST_JOBS = 200
"""The most jobs listed below an anomaly."""

_NUMBER, _RESOURCE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class AnomalyList(QTreeWidget):
    """The list of anomalies.

    Signals:
        chosen(int): another anomaly, or a job below it, was chosen; the index in the view's anomalies.
        opened(Resource): a row was double-clicked, or Enter was pressed on it.
    """

    chosen = Signal(int)
    opened = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[AnomalyRow, ...] = ()
        self._filling = False
        self.setAccessibleName("Anomalies")
        self.setAccessibleDescription("Enter opens an anomaly or a job")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("framed", True)
        self.setColumnCount(len(HEADINGS))
        self.setHeaderLabels(HEADINGS)
        self.setUniformRowHeights(True)
        for column, width in enumerate(_WIDTHS):
            self.setColumnWidth(column, width)
        self.currentItemChanged.connect(self._changed)
        self.itemActivated.connect(lambda item: self.opened.emit(item.data(0, _RESOURCE)))
        on_theme(self._dress)

    @property
    def current(self) -> AnomalyRow | None:
        """The chosen anomaly."""
        item = self.currentItem()
        return self._rows[item.data(0, _NUMBER)] if item is not None else None

    def show_view(self, view: RunView | None) -> None:
        """Show the anomalies of a run; the chosen one stays chosen."""
        before = self.current
        self._filling = True
        self.clear()
        self._rows = () if view is None else view.anomalies
        names: dict[NamedNode, str] = {} if view is None else {row.resource: row.job.name for row in view.jobs}
        for number, row in enumerate(self._rows):
            item = self._item(row)
            item.setData(0, _NUMBER, number)
            item.setData(0, _RESOURCE, row.resource)
            self.addTopLevelItem(item)
            for job in row.jobs[:MOST_JOBS]:
                below = QTreeWidgetItem([names.get(job, job.value)])
                below.setData(0, _NUMBER, number)
                below.setData(0, _RESOURCE, job)
                item.addChild(below)
            if before is not None and before.resource == row.resource:
                self.setCurrentItem(item)
        self._filling = False
        self._dress()

    def choose(self, number: int) -> None:
        """Choose an anomaly."""
        item = self.topLevelItem(number)
        if item is not None:
            self.setCurrentItem(item)

    def choose_resource(self, resource: Resource | None) -> None:
        """Choose the anomaly with this IRI, if it is listed, without a signal."""
        self._filling = True
        for number, row in enumerate(self._rows):
            if row.resource == resource:
                self.choose(number)
        self._filling = False

    def _dress(self) -> None:
        """Take the colours of the theme."""
        theme = current_theme()
        for number, row in enumerate(self._rows):
            item = self.topLevelItem(number)
            assert item is not None
            refused = row.verdict == "false alarm"
            colour = {"critical": theme.error, "major": theme.warning}.get(row.anomaly.severity, theme.text)
            for column in range(len(HEADINGS)):
                item.setForeground(column, QColor(theme.muted if refused else theme.text))
            item.setForeground(1, QColor(theme.muted if refused else colour))

    def _item(self, row: AnomalyRow) -> QTreeWidgetItem:
        one = row.anomaly
        began = "" if row.begin is None else f"{datetime.fromtimestamp(row.begin, UTC):%Y-%m-%d %H:%M:%S}"
        lasted = "" if row.begin is None or row.end is None else f"{(row.end - row.begin) / 60:,.0f} min"
        item = QTreeWidgetItem([one.what, one.severity, began, lasted, one.where, f"{len(row.jobs):,}", row.verdict])
        tip = "\n".join(text for text in (one.label, one.evidence, row.why) if text)
        for column in range(len(HEADINGS)):
            item.setToolTip(column, plain_tip(tip))
        for column in (2, 3, 5):
            item.setFont(column, font(figures=True))
        item.setTextAlignment(5, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return item

    def _changed(self, now: QTreeWidgetItem | None, before: QTreeWidgetItem | None) -> None:
        if now is not None and not self._filling:
            self.chosen.emit(now.data(0, _NUMBER))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt makes the first row the current one; that is no choice of the user."""
        self._filling = True
        super().focusInEvent(event)
        self._filling = False
