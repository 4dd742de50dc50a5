"""The toolbar of a lineage: direction, depth, full picture, phases."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QButtonGroup,
    QToolButton,
    QWidget,
)

from hpc_explorer.ui.bridge.navigator import Place
from hpc_explorer.ui.widgets.action_button import TEXT, Choice, ChoiceButton, action_button, labelled_button
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.theme import GRID

DEPTHS = (None, 1, 2, 3, 5, 8, 13)
"""The choices for the number of steps; None: all."""


class LineageToolbar(QWidget):
    """Buttons for direction, depth and content of the lineage.

    Args:
        contents: the menu of what is in the lineage, which is shown while the page is low.

    Signals:
        direction_wanted(bool): True for downstream.
        depth_wanted(int or None): the maximum number of steps; None: all.
        whole_wanted(bool): whether to draw people, programs, machines and shortcuts.
        phases_wanted(bool): whether to fold it by phases.
        plot_wanted(): plot the values of the selected sections.
    """

    direction_wanted = Signal(bool)
    depth_wanted = Signal(object)
    whole_wanted = Signal(bool)
    phases_wanted = Signal(bool)
    plot_wanted = Signal()

    def __init__(self, contents: QToolButton) -> None:
        super().__init__()
        row = OneLine(self, GRID)
        self._row = row
        self._ways = QButtonGroup(self)
        for number, (name, tip) in enumerate(
            (("Upstream", "Where it comes from"), ("Downstream", "What was derived from it"))
        ):
            button = labelled_button(name, tip, f"{name}: {tip.lower()}", checkable=True)
            self._ways.addButton(button, number)
            row.addWidget(button)
        row.addWidget(contents)
        self._depth = ChoiceButton(
            "Steps of the lineage",
            [Choice(steps, _steps(steps)) for steps in DEPTHS],
            "Maximum number of steps from the resource",
        )
        self._depth.chosen.connect(self.depth_wanted)
        row.addWidget(self._depth)
        self._phases = labelled_button(
            "Phases",
            "Group the lineage by phase: data curation, learning data preparation, learning",
            "Phases: group the lineage by phase of its lifecycle",
            checkable=True,
        )
        self._phases.clicked.connect(self.phases_wanted)
        row.addWidget(self._phases)
        self._whole = labelled_button(
            "Everything",
            "Also draw people, programs, machines, plans and shortcuts",
            "Everything: also draw people, programs, machines, plans and shortcuts",
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
        """Show the choices of a place."""
        self._ways.button(int(place.downstream)).setChecked(True)
        self._depth.set_value(place.depth)
        self._whole.setChecked(place.whole)

    def add_action(self, action: QAction) -> None:
        """Add a button for a command."""
        self._row.addWidget(action_button(action, TEXT))

    def show_phases(self, *, are_shown: bool, can_plot: bool) -> None:
        """Show whether the lineage is folded, and whether it has values to plot."""
        self._phases.setChecked(are_shown)
        self._plot.setVisible(are_shown)
        self._plot.setEnabled(can_plot)


def _steps(depth: int | None) -> str:
    return "All steps" if depth is None else f"{depth} step" + ("" if depth == 1 else "s")
