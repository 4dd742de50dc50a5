"""Questions about lineage with an answer page: impact, comparison, reproduction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog, QWidget

from hpc_explorer.app.explore.finding import resource_of_key
from hpc_explorer.app.lineage.answering import comparison_answer, impact_answer
from hpc_explorer.app.lineage.comparing import Alike, alike
from hpc_explorer.app.lineage.phase_views import PhaseView
from hpc_explorer.app.lineage.section_plot import section_answer
from hpc_explorer.app.views import ClassNode, ResourceRef
from hpc_explorer.canvas.text import brief
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import CountKind
from hpc_explorer.ui.bridge.commands import Command, Need, chosen_resource
from hpc_explorer.ui.bridge.navigator import Navigator, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.explore.class_tree import ClassTree
from hpc_explorer.ui.explore.search import SEARCH, ask_search
from hpc_explorer.ui.lineage.compare_dialog import CompareDialog
from hpc_explorer.ui.results.answers import Answers
from hpc_explorer.ui.widgets.dialog_parts import open_dialog

Two = Callable[[], tuple[str, ...]]
"""The keys of the selected nodes of the graph view."""

COMPARE_WITH = "Compare with the one before"
LONGEST_NAME = 40


class LineageQuestions(QObject):
    """Asks questions about the selected resource.

    Args:
        tree: gives the classes that can be counted instead of models.
        two: returns the selected nodes of the graph view.

    Attributes:
        remembered: the last resource to be compared; menus offer to compare others with it.
    """

    def __init__(
        self, bridge: SessionBridge, answers: Answers, navigator: Navigator, tree: ClassTree, two: Two, window: QWidget
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._two = two
        self.remembered: ResourceRef | None = None
        bridge.graph_changed.connect(self._forget_if_empty)
        self._answers = answers
        self._navigator = navigator
        self._tree = tree
        self._window = window

    def commands(self) -> tuple[Command, ...]:
        """The commands for these questions."""
        resource = chosen_resource(self._bridge, self._navigator)
        comparable = Need(
            "a chosen resource, and another one compared before",
            lambda: not self._bridge.is_empty and self.can_compare,
        )
        two = Need(
            "two chosen nodes of the graph view",
            lambda: self._navigator.place.view is View.GRAPH and len(self._two()) == 2,
        )
        return (
            Command("go.impact", "What it reached", "Go", 2, "Ctrl+I", "downstream")
            .runs(self.ask_impact, resource)
            .about(
                "Count every model that the chosen resource had an impact on, by project: the models to "
                "review if it is retracted."
            ),
            Command("go.impact_class", "What it reached of a class…", "Go", 2)
            .runs(self.ask_class, resource)
            .about("Count the instances of a chosen class that the chosen resource had an impact on."),
            Command("go.compare", "Compare with…", "Go", 2, "Ctrl+D")
            .runs(self.ask_other, resource)
            .about("Choose another run or model, and list the differences, the earliest first."),
            Command("go.compare_with", "Compare with the one before", "Go", 2)
            .runs(self.compare_with_remembered, comparable)
            .about("List the differences between the chosen resource and the one compared before."),
            Command("graph.compare", "Compare the two", "Graph", 1)
            .runs(self.compare_two, two)
            .about("List the differences between two chosen nodes, the earliest first."),
        )

    def plot_sections(self, view: PhaseView, key: str) -> None:
        """Plot the values of the sections on the card with this key."""
        self._answers.ask(
            "Plot the values",
            partial(section_answer, view=view, key=key),
        )

    def ask_impact(self, kind: NamedNode | None = None) -> None:
        """Find every model that the selected resource reached, or every instance of a class."""
        start = self._navigator.place.selected
        if start is not None:
            self._impact_of(start, kind)

    def ask_class(self) -> None:
        """Ask for a class, then find its instances that the selected resource reached."""
        start = self._navigator.place.selected
        classes = _used_classes(self._tree.all_classes)
        if start is None or not classes:
            return
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle("What it reached")
        dialog.setLabelText("Count what it reached of the class")
        names = [name for name, _ in classes]
        dialog.setComboBoxItems(names)
        dialog.setOkButtonText("Count")
        dialog.textValueSelected.connect(lambda name: self._impact_of(start, classes[names.index(name)][1]))
        open_dialog(dialog)

    @property
    def can_compare(self) -> bool:
        """Whether the selected resource can be compared with the remembered one."""
        selected = self._navigator.place.selected
        return self.remembered is not None and selected is not None and selected != self.remembered.resource

    @property
    def compare_title(self) -> str:
        """The title of the command that compares with the remembered resource."""
        return COMPARE_WITH if self.remembered is None else f"Compare with {brief(self.remembered.label, LONGEST_NAME)}"

    def ask_other(self) -> None:
        """Remember the selected resource, and ask what to compare it with."""
        start = self._navigator.place.selected
        if start is not None:
            self._bridge.run(alike, start, title="Find others of its class", on_result=self._offer, replaces="dialog")

    def compare_with_remembered(self) -> None:
        """Compare the remembered resource with the selected one."""
        selected = self._navigator.place.selected
        if self.can_compare and self.remembered is not None and selected is not None:
            self.compare(self.remembered.resource, selected)

    def compare_two(self) -> None:
        """Compare the two selected nodes of the graph view."""
        keys = self._two()
        if len(keys) == 2:
            self.compare(*(resource_of_key(key) for key in keys))

    def compare(self, first: Resource, second: Resource) -> None:
        """Show the differences between two resources."""
        self._answers.ask("Compare", partial(comparison_answer, first=first, second=second))

    def _offer(self, one: Alike) -> None:
        self.remembered = one.ref
        self._bridge.updated.emit()
        dialog = CompareDialog(one, partial(ask_search, self._bridge), lambda: self._bridge.drop(SEARCH), self._window)
        dialog.chosen.connect(lambda other: self.compare(one.ref.resource, other))
        open_dialog(dialog)

    def _forget_if_empty(self) -> None:
        if self._bridge.is_empty and self.remembered is not None:
            self.remembered = None
            self._bridge.updated.emit()

    def _impact_of(self, start: Resource, kind: NamedNode | None) -> None:
        kinds = () if kind is None else (kind,)
        self._answers.ask(
            "What it reached",
            partial(impact_answer, resource=start, kinds=kinds),
        )


def _used_classes(roots: Iterable[ClassNode]) -> list[tuple[str, NamedNode]]:
    """The classes with instances, sorted by unique names."""
    found: dict[NamedNode, ClassNode] = {}
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if isinstance(node.ref.resource, NamedNode) and node.ref.resource not in found:
            found[node.ref.resource] = node
            waiting += node.children
    used = [node for node in found.values() if node.instances.value or node.instances.kind is not CountKind.EXACT]
    times = Counter(node.ref.label for node in used)
    named = (
        (f"{node.ref.label} ({node.ref.curie})" if times[node.ref.label] > 1 else node.ref.label, node) for node in used
    )
    return sorted(
        ((name, node.ref.resource) for name, node in named if isinstance(node.ref.resource, NamedNode)),
        key=lambda item: label_order(item[0]),
    )
