"""A chart of two columns of rows, with boxes to choose the columns and the mark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from hpc_explorer.app.results.answer import AnswerPlot, Mark
from hpc_explorer.app.results.row_chart import COUNTED, row_chart, value_columns
from hpc_explorer.app.results.rows import HeldRows
from hpc_explorer.query.table import CellKind, Column
from hpc_explorer.ui.results.plot import PlotPane
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot

MOST_ROWS = 50_000
"""The most rows that are drawn; a note says if there are more."""

Maker = Callable[[Callable[[], AnswerPlot], Callable[[AnswerPlot], None]], None]
"""Makes a plot in a thread: the function and the receiver; replaces an earlier request."""

_DRAWN_AFTER = 60


class RowChart(QWidget):
    """Draws one column over another while it is visible.

    Attributes:
        pane: the plot, if there are values.
    """

    def __init__(self, maker: Maker) -> None:
        super().__init__()
        self._maker = maker
        self.setAccessibleName("Chart of two columns")
        self._rows: HeldRows | None = None
        self._shown: Sequence[int] = ()
        self._columns: tuple[Column, ...] = ()
        self.pane: PlotPane | None = None
        self.across, self.up, self.mark = (_choice(name) for name in ("Horizontal axis", "Vertical axis", "Drawn as"))
        for text, one in (("automatically", None), ("line", Mark.LINE), ("points", Mark.POINTS), ("bars", Mark.BARS)):
            self.mark.addItem(text, one)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for text, box in (("Chart", self.up), ("by", self.across), ("drawn as", self.mark)):
            label = Label(text)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
            box.activated.connect(self._draw)
        row.addStretch(1)
        self._note = TextBlock("", muted=True)
        self._column = column_in(self, GRID, GRID, GRID, 0, spacing=GRID // 2)
        add_parts(self._column, row, self._note, 1)
        self._timer = single_shot(self, _DRAWN_AFTER, self._draw)

    def set_rows(self, rows: HeldRows, shown: Sequence[int]) -> None:
        """Draw these rows once the chart is visible."""
        self._rows, self._shown = rows, shown
        if not self.isHidden():
            self._timer.start()

    def _offer(self, rows: HeldRows) -> None:
        """Fill the boxes with columns; choices are kept where possible."""
        if rows.columns == self._columns:
            return
        self._columns = rows.columns
        numbers = value_columns(rows)
        up = _offer(self.up, rows.columns, (*numbers, COUNTED), (*numbers, COUNTED)[0])
        # Prefer times, then names, then other numbers; not the column itself.
        others = [place for place in range(len(rows.columns)) if place != up] or [0]
        times = [place for place in others if rows.columns[place].kind is CellKind.TIME]
        names = [place for place in others if place not in numbers]
        _offer(self.across, rows.columns, range(len(rows.columns)), (times + names + others)[0])

    def _draw(self) -> None:
        self._timer.stop()
        rows = self._rows
        if rows is None or not rows.columns or not len(self._shown):
            self._show(None, "There are no rows to draw.")
            return
        self._offer(rows)
        shown = self._shown[:MOST_ROWS]
        across, up, mark = (box.currentData() for box in (self.across, self.up, self.mark))
        left_out = len(self._shown) - len(shown)
        note = f"The first {len(shown):,} of {len(self._shown):,} rows." if left_out else ""

        def done(plot: AnswerPlot) -> None:
            if rows is not self._rows:
                return
            if plot.series:
                self._show(plot, note)
            else:
                self._show(None, "These columns have no values to draw: choose others.")

        self._maker(partial(row_chart, rows, shown, across, up, mark), done)

    def _show(self, plot: AnswerPlot | None, note: str) -> None:
        if self.pane is not None:
            self._column.removeWidget(self.pane)
            self.pane.hide()
            self.pane.deleteLater()
            self.pane = None
        if plot is not None:
            self.pane = PlotPane(plot)
            self._column.insertWidget(2, self.pane)
        self._say(note)

    def _say(self, text: str) -> None:
        self._note.say(text)
        self._note.setVisible(bool(text))


def _choice(name: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    return box


def _offer(box: QComboBox, columns: Sequence[Column], places: Sequence[int], best: int) -> int:
    """Fill a box with columns. The choice is kept if possible; otherwise `best` is chosen."""
    before = box.currentText()
    box.clear()
    for place in places:
        box.addItem("number of rows" if place == COUNTED else columns[place].heading, place)
    kept = box.findText(before) if before else -1
    box.setCurrentIndex(kept if kept >= 0 else box.findData(best))
    return int(box.currentData())
