"""What steers a lineage: which way it goes, how far, whole or folded up by phases."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QButtonGroup,
    QMenu,
    QWidget,
)

from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.bridge.navigator import Place
from hpc_explorer.ui.widgets.action_button import TEXT, action_button, labelled_button
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.menu_button import MenuButton
from hpc_explorer.ui.widgets.theme import GRID

DEPTHS = (None, 1, 2, 3, 5, 8, 13)
"""How many steps of a lineage can be chosen; None stands for all."""


class LineageToolbar(QWidget):
    """Which way the lineage goes, how far, and how much of it is drawn.

    Signals:
        direction_wanted(bool): it is to go downstream, or upstream.
        depth_wanted(int or None): so many steps are to be gone at most; None: all.
        whole_wanted(bool): people, programs, machines and shortcuts are to be drawn too, or not.
        phases_wanted(bool): it is to be folded up by phases, or not.
        plot_wanted(): what the chosen sections measured is to be plotted.
    """

    direction_wanted = Signal(bool)
    depth_wanted = Signal(object)
    whole_wanted = Signal(bool)
    phases_wanted = Signal(bool)
    plot_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        row = FlowLayout(self, GRID)
        self._row = row
        self._ways = QButtonGroup(self)
        for number, (name, tip) in enumerate((("Upstream", "Where it comes from"), ("Downstream", "What came of it"))):
            button = labelled_button(name, tip, f"{name}: {tip.lower()}", checkable=True)
            self._ways.addButton(button, number)
            row.addWidget(button)
        self._depth = MenuButton()
        self._depth.setToolTip("How many steps to go from the resource at most")
        menu = QMenu(self._depth)
        self._depths = QActionGroup(self)
        for steps in DEPTHS:
            action = menu.addAction(_steps(steps))
            action.setCheckable(True)
            action.triggered.connect(lambda _=False, steps=steps: self.depth_wanted.emit(steps))
            self._depths.addAction(action)
        self._depth.setMenu(menu)
        row.addWidget(self._depth)
        self._phases = labelled_button(
            "Phases",
            "Fold the lineage up: data curation, learning data preparation, learning",
            "Phases: fold the lineage up by the phases of its lifecycle",
            checkable=True,
        )
        self._phases.clicked.connect(self.phases_wanted)
        row.addWidget(self._phases)
        self._whole = labelled_button(
            "Everything",
            "Draw people, programs, machines and plans too, and the links that a longer way says as well",
            "Everything: draw the setting and the shortcuts too",
            checkable=True,
        )
        self._whole.clicked.connect(self.whole_wanted)
        row.addWidget(self._whole)
        self._plot = labelled_button(
            "Plot values",
            "Plot what the chosen sections measured, such as the loss of each batch",
            "Plot the values of the chosen sections",
        )
        self._plot.clicked.connect(self.plot_wanted)
        row.addWidget(self._plot)
        self.show_phases(are_shown=False, can_plot=False)
        self._ways.idClicked.connect(lambda number: self.direction_wanted.emit(number == 1))

    def show_choice(self, place: Place) -> None:
        """Show what is chosen, without choosing it."""
        self._ways.button(int(place.downstream)).setChecked(True)
        steps = _steps(place.depth)
        for action in self._depths.actions():
            action.setChecked(action.text() == steps)
        self._depth.setText(steps)
        self._depth.setAccessibleName(f"Steps of the lineage: {steps}")
        self._whole.setChecked(place.whole)

    def add_action(self, action: QAction) -> None:
        """Show a button for a command, too."""
        self._row.addWidget(action_button(action, TEXT))

    def show_phases(self, *, are_shown: bool, can_plot: bool) -> None:
        """Show whether the lineage is folded up, and whether there is something to be plotted."""
        self._phases.setChecked(are_shown)
        self._plot.setVisible(are_shown)
        self._plot.setEnabled(can_plot)

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        self._depth.set_theme(theme)


def _steps(depth: int | None) -> str:
    return "All steps" if depth is None else f"{depth} step" + ("" if depth == 1 else "s")
