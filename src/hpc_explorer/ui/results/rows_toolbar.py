"""The bar above rows: the filter, and buttons to draw, chart and export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLineEdit, QMenu, QToolButton, QWidget

from hpc_explorer.app.results.row_resources import Drawable
from hpc_explorer.app.results.table_files import FORMS
from hpc_explorer.query.table import Column
from hpc_explorer.ui.widgets.action_button import MenuButton, labelled_button
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.plain import without_shortcut
from hpc_explorer.ui.widgets.theme import GRID

Offers = Callable[[], Sequence[Drawable]]
"""The columns whose resources can be drawn."""


class RowsBar(QWidget):
    """The bar above rows.

    Attributes:
        box: the filter text.
        within: the column to filter.

    Signals:
        filtered(): the filter changed.
        iris_toggled(bool): show IRIs, or labels.
        chart_toggled(bool): show or hide the chart.
        draw_wanted(int, int): draw the resources of this column, a part of them by its number.
        save_wanted(str): save the rows in the format of this suffix.
    """

    filtered = Signal()
    iris_toggled = Signal(bool)
    chart_toggled = Signal(bool)
    draw_wanted = Signal(int, int)
    save_wanted = Signal(str)

    def __init__(self, offers: Offers) -> None:
        super().__init__()
        self._offers = offers
        self.box = QLineEdit()
        self.box.setPlaceholderText("Filter the rows")
        self.box.setAccessibleName("Filter the rows")
        self.box.setClearButtonEnabled(True)
        self.box.textChanged.connect(self.filtered)
        self.within = QComboBox()
        self.within.setAccessibleName("Column to filter")
        self.within.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.within.setMinimumContentsLength(12)
        self.within.activated.connect(self.filtered)
        self.set_columns(())
        iris = _toggle("IRIs", "Show IRIs instead of labels", self.iris_toggled.emit)
        chart = _toggle("Chart", "Show a chart of two columns", self.chart_toggled.emit)
        self._draw = _menu_button("Draw", "Draw on the canvas")
        self._draw.setToolTip("Add the resources of a column to the graph tab")
        self._draw.menu().aboutToShow.connect(self._offer_columns)
        self._save = _menu_button("Export", "Export the rows")
        self._save.setToolTip("Write the shown rows to a file")
        for suffix, name in FORMS.items():
            action = QAction(f"{name}…", self._save)
            action.triggered.connect(lambda _=False, suffix=suffix: self.save_wanted.emit(suffix))
            self._save.menu().addAction(action)
        self.box.setFixedWidth(20 * GRID)
        line = QWidget()
        row = OneLine(line, GRID)
        for widget in (self.box, self.within, iris, chart, self._draw, self._save):
            row.addWidget(widget)
        column_in(self, GRID, GRID // 2, GRID, 0).addWidget(line)

    def focus_filter(self) -> None:
        """Focus the filter and select its text."""
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Offer these columns to filter in."""
        self.within.clear()
        self.within.addItem("in any column", None)
        for place, column in enumerate(columns):
            self.within.addItem(f"in {column.heading}", place)

    def _offer_columns(self) -> None:
        menu = self._draw.menu()
        menu.clear()
        for one in self._offers():
            if len(one.parts) == 1:
                menu.addAction(without_shortcut(one.title), partial(self.draw_wanted.emit, one.column, 0))
                continue
            parts = menu.addMenu(without_shortcut(one.title))
            for number, part in enumerate(one.parts):
                parts.addAction(part, partial(self.draw_wanted.emit, one.column, number))
        if menu.isEmpty():
            menu.addAction("No column has resources").setEnabled(False)


def _menu_button(text: str, name: str) -> MenuButton:
    button = MenuButton()
    button.setText(text)
    button.setAccessibleName(name)
    button.setMenu(QMenu(button))
    return button


def _toggle(text: str, tip: str, toggled: Callable[[bool], None]) -> QToolButton:
    button = labelled_button(text, tip, tip, checkable=True)
    button.toggled.connect(toggled)
    return button
