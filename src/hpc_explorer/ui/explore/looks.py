"""The looks of classes that a person chose: kept, given to the picture, changed by a dialog, and taken back."""

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
    """Holds the chosen looks of one window.

    Args:
        session: told which classes have a look of their own, which those below them share.

    Signals:
        changed(bool): there are other looks; True: of other classes, so that what things look like is to be asked anew.
        done(StateStep): a person changed looks.
        view_changed(dict, str): a person chose these looks, by IRI, for the view in sight alone; and that in words.
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
        """What changes looks.

        Args:
            graph: that one is open.
            show: shows the dialog.
        """
        return (
            Command("view.looks", "Looks…", "View", 3, "Ctrl+Shift+J", "look")
            .runs(show, graph)
            .about("Choose colour, sign and shape of the things of a class."),
        )

    def themed(self, theme: Theme) -> Theme:
        """The theme with these looks."""
        return replace(theme, styles=self._whole())

    def _whole(self) -> Looks:
        """The looks with what they leave open as the kind of the class has it."""

        def kind(cls: str) -> str:
            return kind_of(look_key_of(cls, lambda iri: self._parents.get(iri, ())))

        return {cls: whole_style(style, kind(cls)) for cls, style in self.looks.items()}

    def set_classes(self, tops: tuple[ClassNode, ...]) -> None:
        """Take over the classes of what is open."""
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
        """The dialog that changes looks; accepting it changes them.

        Args:
            cls: the class that it begins with; None: the first.
            of_view: the looks of the view in sight alone, if it may have its own.
        """
        dialog = LooksDialog(self._classes, self._parents, self.looks, theme, cls, self._window, of_view)

        def accept() -> None:
            self._change(dialog.looks, dialog.changed_labels)
            if dialog.changed_in_view:
                self.view_changed.emit(dialog.of_view, f"{_change_of(dialog.changed_in_view)} in this view")

        dialog.accepted.connect(accept)
        return dialog

    def class_of_look(self, theme: Theme, key: str) -> str | None:
        """The first class of those that look so."""
        if key in self.looks or any(ref.iri == key for ref in self._classes):
            return key
        return next((ref.iri for ref in self._classes if look_key(theme, ref.colour_key) == key), None)

    def offer_in(self, tree: ClassTree, open_dialog: Callable[[str], None], others: Sequence[QAction] = ()) -> None:
        """Let the menu of a class tree lead to the look of the class, and to what else can be done with it."""
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
    """A change of the looks of these classes, in words."""
    what = f"the look of {labels[0]}" if len(labels) == 1 else f"the looks of {len(labels)} classes"
    return f"change {what}"
