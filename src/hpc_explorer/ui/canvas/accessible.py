"""The canvas for screen readers: a tree of its nodes.

The children of the canvas are the selected node, its neighbours, and the visible nodes, at most `MOST`. Each has a
name, a description with class and links, its place on the screen, and its state.

Qt's cache owns every object with an id and destroys it. Python must not destroy one earlier, so objects are released by
id only (`CanvasTree.release`). Qt accepts None in places where its Python types do not say so.
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
"""Maximum number of nodes that are children."""
MOST_NEIGHBOURS = 60
"""Maximum number of neighbours of the selected node that come before other visible nodes."""
REST = 200
"""Milliseconds without movement before changes are announced."""


def accessible_keys(ready: Ready, seen: Rect, current: str | None) -> tuple[str, ...]:
    """The keys of the accessible nodes: the selected one, its neighbours, then the visible ones.

    Args:
        seen: the visible part of the scene. If it has too many nodes, those with most links are used.
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

    def child_keys(self) -> tuple[str, ...]:
        """The keys of the children, in order."""
        view = self._view
        ready = view.ready()
        current = view.selection.current
        of = (id(ready), view.camera(), view.viewpoint.size, current)
        if of != self._of:
            self._of = of
            self._keys = (
                accessible_keys(ready, view.viewpoint.seen, view.selection.current) if ready is not None else ()
            )
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
        """Destroy all children when the canvas is closed."""
        self.release(self._nodes)

    def childCount(self) -> int:
        return len(self.child_keys())

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        keys = self.child_keys()
        return self.node(keys[index]) if 0 <= index < len(keys) else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        key = child.key if isinstance(child, CanvasNode) else None
        return self.child_keys().index(key) if key in self.child_keys() else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        key = self._view.node_at(QPointF(self._view.mapFromGlobal(QPoint(x, y))))
        return self.node(key) if key in self.child_keys() and key is not None else None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        current = self._view.selection.current
        if self._view.hasFocus() and current is not None and current in self.child_keys():
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
        """Names cannot be changed here."""

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


class AccessibilityNotifier(QObject):
    """Announces changes of a canvas to screen readers; does nothing if none is active."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        self._resting = single_shot(self, REST, lambda: self._notify(QAccessible.Event.ObjectReorder))
        _install(type(view))

    def moved(self) -> None:
        """Announce other visible nodes when the view rests."""
        if QAccessible.isActive():
            self._resting.start()

    def selected(self) -> None:
        """Announce another selection or focus."""
        if not QAccessible.isActive():
            return
        self._notify(QAccessible.Event.DescriptionChanged)
        tree = QAccessible.queryAccessibleInterface(self._view)
        current = self._view.selection.current
        if isinstance(tree, CanvasTree) and current in tree.child_keys():
            at = tree.child_keys().index(current)
            self._notify(QAccessible.Event.Selection, at)
            if self._view.hasFocus():
                self._notify(QAccessible.Event.Focus, at)
        else:
            self._notify(QAccessible.Event.SelectionWithin)

    def _notify(self, what: QAccessible.Event, child: int = -1) -> None:
        event = QAccessibleEvent(self._view, what)
        if child >= 0:
            event.setChild(child)
        QAccessible.updateAccessibility(event)


_trees: dict[int, CanvasTree] = {}
"""The accessible objects that are alive, by the id of the canvas."""
_canvas_types: set[type[CanvasView]] = set()
"""The classes of canvases; empty until the factory is installed."""


def _install(canvas: type[CanvasView]) -> None:
    """Install the factory for accessible objects, once per program."""
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
