"""The looks of classes: the user's choices of colour, sign and shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from hpc_explorer.app.undo import StateStep
from hpc_explorer.app.views import ClassNode, ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.kinds import Style, kind_of, look_key_of, whole_style
from hpc_explorer.canvas.palette import Theme, look_key
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.explore.class_tree import ClassTree
from hpc_explorer.ui.explore.looks_dialog import LooksDialog

Looks = Mapping[str, Style]
"""How classes look, by IRI."""


class LooksController(QObject):
    """Stores the looks of one window and changes them by a dialog.

    Args:
        session: receives the classes with looks of their own, which subclasses share.

    Signals:
        changed(bool): looks changed; True if other classes have looks, so colour keys must be queried again.
        done(StateStep): the user changed looks.
        view_changed(dict, str): the user changed the looks of the current view; the looks and a description.
    """

    changed = Signal(bool)
    done = Signal(object)
    view_changed = Signal(object, str)

    def __init__(self, session: Session, looks: Looks, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self._classes: tuple[ResourceRef, ...] = ()
        self._parents: Mapping[str, list[str]] = {}
        self.looks: Looks = dict(looks)
        session.styled = frozenset(self.looks)

    def commands(self, graph: Need, show: Callable[[], None]) -> tuple[Command, ...]:
        """The command that opens the dialog.

        Args:
            graph: a graph is open.
            show: opens the dialog.
        """
        return (
            Command("view.looks", "Looks…", "View", 3, "", "look")
            .runs(show, graph)
            .about("Choose the colour, sign and shape of a class."),
        )

    def themed(self, theme: Theme) -> Theme:
        """The theme with these looks."""
        return replace(theme, styles=self._whole())

    def _whole(self) -> Looks:
        """The looks, completed by the defaults of each class's kind."""

        def kind(cls: str) -> str:
            return kind_of(look_key_of(cls, lambda iri: self._parents.get(iri, ())))

        return {cls: whole_style(style, kind(cls)) for cls, style in self.looks.items()}

    def set_classes(self, tops: tuple[ClassNode, ...]) -> None:
        """Set the classes of the open graphs."""
        found: dict[str, ResourceRef] = {}
        parents: dict[str, list[str]] = {}
        waiting = list(reversed(tops))
        while waiting:
            node = waiting.pop()
            if node.ref.iri not in found:
                found[node.ref.iri] = node.ref
                waiting.extend(reversed(node.children))
                for child in node.children:
                    parents.setdefault(child.ref.iri, []).append(node.ref.iri)
        before = self._whole()
        self._classes, self._parents = tuple(found.values()), parents
        if self._whole() != before:
            self.changed.emit(False)

    def dialog(self, theme: Theme, cls: str | None = None, of_view: Looks | None = None) -> LooksDialog:
        """The dialog that changes looks; accepting it applies them.

        Args:
            cls: the class to start with; None for the first.
            of_view: the looks of the current view, if it can have its own.
        """
        dialog = LooksDialog(self._classes, self._parents, self.looks, theme, cls, self._window, of_view)

        def accept() -> None:
            self._change(dialog.looks, dialog.changed_labels)
            if dialog.changed_in_view:
                self.view_changed.emit(dialog.of_view, f"{_change_of(dialog.changed_in_view)} in this view")

        dialog.accepted.connect(accept)
        return dialog

    def class_of_look(self, theme: Theme, key: str) -> str | None:
        """The first class with the look of a key."""
        if key in self.looks or any(ref.iri == key for ref in self._classes):
            return key
        return next((ref.iri for ref in self._classes if look_key(theme, ref.colour_key) == key), None)

    def offer_in(self, tree: ClassTree, open_dialog: Callable[[str], None], others: Sequence[QAction] = ()) -> None:
        """Add a context menu to a class tree: the look of the class, and other commands."""
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

        def show(place: QPoint) -> None:
            node = tree.current_class()
            if node is not None:
                menu = QMenu(tree)
                menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
                menu.addActions(others)
                menu.addAction("Look of this class…", lambda: open_dialog(node.ref.iri))
                menu.popup(tree.viewport().mapToGlobal(place))

        tree.customContextMenuRequested.connect(show)

    def _change(self, looks: Looks, labels: tuple[str, ...]) -> None:
        if looks == self.looks:
            return
        step = StateStep(_change_of(labels), self.looks, looks, self._show)
        self._show(looks)
        self.done.emit(step)

    def _show(self, looks: Looks) -> None:
        other_classes = looks.keys() != self.looks.keys()
        self.looks = dict(looks)
        self._session.styled = frozenset(self.looks)
        self.changed.emit(other_classes)


def _change_of(labels: tuple[str, ...]) -> str:
    what = f"the look of {labels[0]}" if len(labels) == 1 else f"the looks of {len(labels)} classes"
    return f"change {what}"
