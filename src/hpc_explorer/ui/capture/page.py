"""The page "Runs": the steps of recorded runs and a plot of their values, which grow while a run is recorded."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from hpc_explorer.app.capture.progress import ProgressRow, RunsView, State, duration_text
from hpc_explorer.app.results.answer import AnswerPlot
from hpc_explorer.ui.results.plot import PlotPane
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, current_theme, font, on_theme
from hpc_explorer.wording import counted

NOTHING = (
    "No recorded run is open. Choose File → Open folder… and a folder that hpc_explorer.capture records into, "
    "or File → Open address… and redis://HOST:PORT/STREAM. "
    "A run can be opened while it is recorded; its stages and values then grow here."
)
HEADINGS = ("Run", "State", "Epochs", "Batches", "Latest values", "Last record")
_WIDTHS = (20 * GRID, 8 * GRID, 7 * GRID, 8 * GRID, 20 * GRID, 11 * GRID)
_NAME, _LATEST = 0, 4
_ROW = Qt.ItemDataRole.UserRole


class RunsPage(QWidget):
    """The steps of the runs above a plot.

    Signals:
        opened(Resource): a row was double-clicked, or Enter was pressed on it.
        metric_wanted(str): plot another metric.
    """

    opened = Signal(object)
    metric_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._items: dict[str, QTreeWidgetItem] = {}
        self.view = RunsView()
        self.summary = TextBlock("", muted=True)
        self.warning = TextBlock("")
        self.tree = _steps()
        self.metrics = QComboBox()
        self.metrics.setAccessibleName("Metric")
        self.metrics.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.pane: PlotPane | None = None
        self._choice = QWidget()
        row = QHBoxLayout(self._choice)
        row.setContentsMargins(0, 0, 0, 0)
        label = Label("Plot")
        label.setBuddy(self.metrics)
        add_parts(row, label, self.metrics, 1)
        self._column = column_in(self, 2 * GRID, GRID, 2 * GRID, GRID, spacing=GRID)
        add_parts(self._column, self.summary, self.warning, (self.tree, 1), self._choice)
        self._column.addStretch(0)
        self.tree.itemActivated.connect(lambda item: self.opened.emit(item.data(0, _ROW)))
        self.metrics.activated.connect(lambda: self.metric_wanted.emit(self.metrics.currentText()))
        self.show_runs(None)
        on_theme(self._dress)

    def show_runs(self, view: RunsView | None) -> None:
        """Show how far the runs have come; None if none is open."""
        self.view = view or RunsView()
        self.tree.setVisible(view is not None)
        self.summary.say(NOTHING if view is None else _summary(self.view))
        self._warn()
        self._show_rows(self.view.rows)
        self._offer(self.view.metrics)
        self._show_plot(self.view.plot)

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self._warn()
        self._show_rows(self.view.rows)

    def _warn(self) -> None:
        stalled = [f"{row.label} is stalled: {row.why}." for row in self.view.rows if row.depth == 0 and row.why]
        said = "\n".join((*stalled, *self.view.problems))
        self.warning.say(said)
        self.warning.setVisible(bool(said))

    def _show_rows(self, rows: tuple[ProgressRow, ...]) -> None:
        """Change the rows in place, so that the selection and the open branches stay."""
        above: list[QTreeWidgetItem] = [self.tree.invisibleRootItem()]
        known = {row.resource.value for row in rows}
        if not self._items.keys() <= known:
            self._items.clear()
            self.tree.clear()
        for row in rows:
            del above[row.depth + 1 :]
            item = self._items.get(row.resource.value)
            if item is None:
                item = self._items[row.resource.value] = QTreeWidgetItem()
                item.setData(0, _ROW, row.resource)
                above[-1].addChild(item)
                item.setExpanded(True)
            self._fill(item, row)
            above.append(item)

    def _fill(self, item: QTreeWidgetItem, row: ProgressRow) -> None:
        ended = row.state in (State.DONE, State.FAILED)
        last = "" if ended else f"{_age(row.last)} ago"
        texts = (row.label, row.state.value, _number(row.epochs), _number(row.batches), row.latest, last)
        for column, text in enumerate(texts):
            item.setText(column, text)
            item.setToolTip(column, plain_tip("\n".join(one for one in (text, row.why) if one)))
        theme = current_theme()
        colours = {State.FAILED: theme.error, State.STALLED: theme.warning, State.DONE: theme.muted}
        item.setForeground(1, QColor(colours.get(row.state, theme.text)))
        for column in (2, 3, 5):
            item.setFont(column, font(figures=True))
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def _offer(self, metrics: tuple[str, ...]) -> None:
        """Fill the box; what was chosen stays."""
        shown = tuple(self.metrics.itemText(number) for number in range(self.metrics.count()))
        if shown != metrics:
            before = self.metrics.currentText()
            self.metrics.clear()
            self.metrics.addItems(metrics)
            self.metrics.setCurrentIndex(max(0, self.metrics.findText(before)))
        self._choice.setVisible(bool(metrics))

    def _show_plot(self, plot: AnswerPlot | None) -> None:
        if plot is None:
            if self.pane is not None:
                self.pane.hide()
        elif self.pane is None:
            self.pane = PlotPane(plot)
            self._column.insertWidget(self._column.indexOf(self._choice) + 1, self.pane)
        else:
            self.pane.show_plot(plot)
            self.pane.show()
        if plot is not None:
            self.metrics.setCurrentIndex(self.metrics.findText(plot.title))


def _steps() -> QTreeWidget:
    tree = QTreeWidget()
    tree.setAccessibleName("Steps of the runs")
    tree.setAccessibleDescription("Enter opens a run or step")
    tree.setProperty("framed", True)
    tree.setFrameShape(QFrame.Shape.NoFrame)
    tree.setColumnCount(len(HEADINGS))
    tree.setHeaderLabels(HEADINGS)
    tree.setUniformRowHeights(True)
    tree.setIndentation(12)
    tree.setMinimumHeight(14 * GRID)
    tree.header().setStretchLastSection(False)
    for column, width in enumerate(_WIDTHS):
        tree.setColumnWidth(column, width)
    for column in (_NAME, _LATEST):
        tree.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
    for column in (2, 3, 5):
        tree.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return tree


def _age(seconds: float) -> str:
    """A duration in its largest unit, such as "34 min"."""
    return " ".join(duration_text(round(seconds)).split()[:2])


def _number(number: int) -> str:
    return f"{number:,}" if number else ""


def _summary(view: RunsView) -> str:
    runs = [row for row in view.rows if row.depth == 0]
    states = [(sum(row.state is state for row in runs), state.value) for state in State]
    told = ", ".join(f"{number:,} {word}" for number, word in states if number)
    return f"{counted(len(runs), 'run')}: {told}. {counted(view.records, 'record')} read."
