"""The canvas for someone who cannot see it: its nodes as a tree that screen readers walk.

The canvas is an accessible object whose children are the selected node, what it is linked with, and the nodes in
sight; each has its name, its class and links in words, its place on the screen, and whether it is selected and has the
focus. There are at most `MOST` of them, however large the picture is.

Qt's cache keeps every object that was given an id, and destroys it itself. Python must not do so before: an object
is let go of by its id only (`CanvasTree.release`). Where Qt takes "none" for an answer, its Python types do not say so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, QPointF, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface, QWindow
from PySide6.QtWidgets import QAccessibleWidget
from shiboken6 import Shiboken

from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.walk import name_of, neighbours, spoken
from hpc_explorer.ui.widgets.timers import single_shot

if TYPE_CHECKING:
    from hpc_explorer.ui.canvas.view import CanvasView
    from hpc_explorer.ui.canvas.worker import Ready

MOST = 200
"""Nodes that are told one by one."""
MOST_NEIGHBOURS = 60
"""Nodes that the selected one is linked with that are told before those in sight."""
REST = 200
"""Milliseconds that the view stands still before other nodes are told."""


def told(ready: Ready, seen: Rect, current: str | None) -> tuple[str, ...]:
    """The keys of the nodes that are told: the selected one, its neighbours, then those in sight.

    Args:
        seen: the part of the scene in sight. If too many nodes are there, those with most links are told.
        current: the key of the selected node.
    """
    finder = ready.finder
    first: Iterable[str] = ()
    if current is not None and current in finder.links.position:
        first = (current, *neighbours(ready.scene, finder.links, current, MOST_NEIGHBOURS))
    in_sight = finder.cards_in(seen)
    if len(in_sight) > MOST:
        in_sight = finder.weightiest_in(seen, MOST, len(in_sight))
    return tuple(dict.fromkeys((*first, *in_sight)))[:MOST]


class CanvasTree(QAccessibleWidget):
    """The canvas as an accessible object."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view, QAccessible.Role.Canvas)
        self._view = view
        self._of: object = None
        self._keys: tuple[str, ...] = ()
        self._nodes: dict[str, tuple[CanvasNode, int]] = {}

    def told_keys(self) -> tuple[str, ...]:
        """The keys of the children, in their order."""
        view = self._view
        ready = view.ready()
        of = (id(ready), view.camera(), view.viewpoint.size, view.selection.current)
        if of != self._of:
            self._of = of
            self._keys = told(ready, view.viewpoint.seen, view.selection.current) if ready is not None else ()
            self.release(self._nodes.keys() - set(self._keys))
        return self._keys

    def node(self, key: str) -> CanvasNode:
        """The child for a node."""
        if key not in self._nodes:
            node = CanvasNode(self, self._view, key)
            self._nodes[key] = (node, QAccessible.uniqueId(node))
        return self._nodes[key][0]

    def release(self, keys: Iterable[str]) -> None:
        """Destroys the children for some nodes."""
        for key in list(keys):
            node, number = self._nodes.pop(key)
            if Shiboken.isValid(node):
                QAccessible.deleteAccessibleInterface(number)

    def release_all(self) -> None:
        """Destroys all children: the canvas is closed."""
        self.release(self._nodes)

    def childCount(self) -> int:
        return len(self.told_keys())

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        keys = self.told_keys()
        return self.node(keys[index]) if 0 <= index < len(keys) else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        key = child.key if isinstance(child, CanvasNode) else None
        return self.told_keys().index(key) if key in self.told_keys() else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        key = self._view.node_at(QPointF(self._view.mapFromGlobal(QPoint(x, y))))
        return self.node(key) if key in self.told_keys() and key is not None else None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        current = self._view.selection.current
        if self._view.hasFocus() and current is not None and current in self.told_keys():
            return self.node(current)
        return None


class CanvasNode(QAccessibleInterface):
    """A node of the canvas as an accessible object.

    Args:
        tree: its parent.
        key: of the node.
    """

    def __init__(self, tree: CanvasTree, view: CanvasView, key: str) -> None:
        super().__init__()
        self.key = key
        self._tree, self._view = tree, view

    def isValid(self) -> bool:
        return Shiboken.isValid(self._view) and self._view.view_rect(self.key) is not None

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def window(self) -> QWindow | None:  # type: ignore[override]
        return self._view.window().windowHandle()

    def parent(self) -> QAccessibleInterface:
        return self._tree

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def text(self, which: QAccessible.Text) -> str:
        ready = self._view.ready()
        at = ready.finder.links.position.get(self.key) if ready is not None else None
        if ready is None or at is None:
            return ""
        if which is QAccessible.Text.Name:
            return name_of(ready.scene.nodes[at])
        if which is QAccessible.Text.Description:
            return spoken(ready.scene, ready.finder.links, self.key)
        return ""

    def setText(self, which: QAccessible.Text, text: str) -> None:
        """The name of a node is not changed here."""

    def rect(self) -> QRect:
        place = self._view.view_rect(self.key)
        if place is None:
            return QRect()
        corner = self._view.mapToGlobal(QPoint(round(place.x), round(place.y)))
        return QRect(corner.x(), corner.y(), round(place.width), round(place.height))

    def state(self) -> QAccessible.State:
        view, state = self._view, QAccessible.State()
        state.focusable = state.selectable = state.multiSelectable = True
        state.selected = self.key in view.selection.keys
        state.focused = view.hasFocus() and self.key == view.selection.current
        place = view.view_rect(self.key)
        state.offscreen = place is None or not place.overlaps(Rect(0.0, 0.0, *view.viewpoint.size))
        return state


class Teller(QObject):
    """Tells screen readers what changes on a canvas; says nothing while there is none that listens."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        self._resting = single_shot(self, REST, lambda: self._tell(QAccessible.Event.ObjectReorder))
        _install(type(view))

    def moved(self) -> None:
        """Other nodes may be in sight; that is told once the view stands still."""
        if QAccessible.isActive():
            self._resting.start()

    def selected(self) -> None:
        """Other nodes are selected, or another one has the focus."""
        if not QAccessible.isActive():
            return
        self._tell(QAccessible.Event.DescriptionChanged)
        tree = QAccessible.queryAccessibleInterface(self._view)
        current = self._view.selection.current
        if isinstance(tree, CanvasTree) and current in tree.told_keys():
            at = tree.told_keys().index(current)
            self._tell(QAccessible.Event.Selection, at)
            if self._view.hasFocus():
                self._tell(QAccessible.Event.Focus, at)
        else:
            self._tell(QAccessible.Event.SelectionWithin)

    def _tell(self, what: QAccessible.Event, child: int = -1) -> None:
        event = QAccessibleEvent(self._view, what)
        if child >= 0:
            event.setChild(child)
        QAccessible.updateAccessibility(event)


_trees: dict[int, CanvasTree] = {}
"""By the id of the canvas: what was made here and is still alive."""
_canvas_types: set[type[CanvasView]] = set()
"""The classes of canvases that were made; empty until the factory is installed."""


def _install(canvas: type[CanvasView]) -> None:
    """Have Qt ask here for the accessible object of each canvas; the factory is installed once in a program."""
    if not _canvas_types:
        QAccessible.installFactory(_made)
    _canvas_types.add(canvas)


def _made(_class: str, thing: Any) -> QAccessibleInterface | None:
    if type(thing) not in _canvas_types:
        return None
    tree = CanvasTree(thing)
    number = id(thing)
    _trees[number] = tree

    def closed() -> None:
        tree.release_all()
        _trees.pop(number, None)

    thing.destroyed.connect(closed)
    return tree
