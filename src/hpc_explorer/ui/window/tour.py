"""A tour in five steps on a sample graph; it can be left at any step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.widgets.banner import Banner

SAMPLE = "sample.open:xplacer"
TOUR_MODEL = NamedNode("http://example.org/AIModel/MO000001")
"""decisionTree.onnx in that sample."""


@dataclass(frozen=True)
class Step:
    """One step.

    Args:
        title, text: what is shown, and what to look at.
        do: shows it.
    """

    title: str
    text: str
    do: Callable[[], None]


class Tour(QObject):
    """Shows the steps one after the other above the view.

    Args:
        run: runs a command by id.
        open_model: opens the model that the tour is about.
    """

    def __init__(
        self, banner: Banner, run: Callable[[str], None], open_model: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._banner = banner
        self._steps = (
            Step(
                "A graph and what is in it",
                "This sample describes two models, their training data and the machine. The classes are on the left. "
                "Search everything with Ctrl+K.",
                lambda: run(SAMPLE),
            ),
            Step(
                "One thing and its facts",
                "This is decisionTree.onnx, a model. The inspector lists its properties. Click a link to go there, and "
                "Alt+Left to go back.",
                open_model,
            ),
            Step(
                "Lineage: where it comes from",
                "Raw profiler logs are at one end, the model at the other. Point at a link to see the statement and "
                "the file it comes from. Ctrl+L shows this for any resource.",
                lambda: run("go.upstream"),
            ),
            Step(
                "Impact: what depends on it",
                "If a dataset is wrong, Ctrl+I lists every model that it reached. Ctrl+R shows how to reproduce a "
                "model.",
                lambda: run("go.impact"),
            ),
            Step(
                "Questions without SPARQL",
                "Build a question by pointing at classes and values, and see the rows after each click. Press Ctrl+E "
                "to edit a resource, and Ctrl+S to save the file.",
                lambda: run("view.ask"),
            ),
        )

    def start(self) -> None:
        """Begin with the first step."""
        self._show(0)

    def _show(self, number: int) -> None:
        step = self._steps[number]
        step.do()
        is_last = number + 1 == len(self._steps)
        offers = [] if is_last else [("Next", lambda: self._show(number + 1))]
        offers.append(("Finish" if is_last else "Leave the tour", lambda: None))
        self._banner.show_offer(f"Step {number + 1} of {len(self._steps)}: {step.title}", step.text, offers)
