"""The questions of lineage that have an answer of their own: what a thing reached, and how two differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QInputDialog, QWidget

from hpc_explorer.app.operations.answering import impact_answer
from hpc_explorer.app.views import ClassNode
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import CountKind
from hpc_explorer.ui.answers import Answers
from hpc_explorer.ui.class_tree import ClassTree
from hpc_explorer.ui.navigator import Navigator


class LineageQuestions(QObject):
    """Asks them about the chosen resource.

    Args:
        tree: whose classes can be counted instead of models.
    """

    def __init__(self, answers: Answers, navigator: Navigator, tree: ClassTree, window: QWidget) -> None:
        super().__init__(window)
        self._answers = answers
        self._navigator = navigator
        self._tree = tree
        self._window = window

    def handlers(self) -> dict[str, Callable[[], None]]:
        """What each command does, by its id."""
        return {"go.impact": self.ask_impact, "go.impact_class": self.ask_class}

    def ask_impact(self, kind: NamedNode | None = None) -> None:
        """Every model that the chosen resource reached, or every instance of a class."""
        start = self._navigator.place.selected
        if start is not None:
            self._impact_of(start, kind)

    def ask_class(self) -> None:
        """Ask of which class, and then what of it the chosen resource reached."""
        start = self._navigator.place.selected
        classes = _used_classes(self._tree.all_classes)
        if start is None or not classes:
            return
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("What it reached")
        dialog.setLabelText("Count what it reached of the class")
        names = [name for name, _ in classes]
        dialog.setComboBoxItems(names)
        dialog.setOkButtonText("Count")
        dialog.textValueSelected.connect(lambda name: self._impact_of(start, classes[names.index(name)][1]))
        dialog.open()

    def _impact_of(self, start: Resource, kind: NamedNode | None) -> None:
        kinds = () if kind is None else (kind,)
        self._answers.ask(
            "What it reached",
            lambda session, context: impact_answer(session, start, kinds=kinds, limits=context.limits),
        )


def _used_classes(roots: Iterable[ClassNode]) -> list[tuple[str, NamedNode]]:
    """The classes that have instances, or may have, by their names; each with a name that is its own."""
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
