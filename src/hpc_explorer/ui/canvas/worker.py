"""Lay out and prepare scenes in a background thread; outdated requests are dropped."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal, Slot

from hpc_explorer.canvas.finder import Finder
from hpc_explorer.canvas.landmarks import Group, groups
from hpc_explorer.canvas.layout import Layout, arrange
from hpc_explorer.canvas.layout.collection import collection_paused
from hpc_explorer.canvas.palette import Theme, with_styles
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.walk import first_node, links
from hpc_explorer.errors import Cancelled
from hpc_explorer.ui.canvas.plan import Plan, make_plan

AT_ONCE = 60
"""Maximum nodes and edges of a scene that is laid out in the GUI thread, in about ten milliseconds."""


@dataclass(frozen=True)
class Ready:
    """A scene ready to be shown.

    Args:
        finder: finds nodes and lines by place.
        first: the key of the first node for keyboard navigation; None if there are no nodes.
        groups: groups of nodes that are named from far away.
    """

    scene: Scene
    layout: Layout
    theme: Theme
    plan: Plan
    finder: Finder
    first: str | None
    groups: tuple[Group, ...]


class CanvasWorker(QObject):
    """Prepares scenes; only the last request counts.

    Signals:
        ready(Ready): the scene that was requested last.
    """

    ready = Signal(object)
    _made = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted = 0
        self._pending = False
        self._made.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def pending(self) -> bool:
        """Whether a scene is being laid out."""
        return self._pending

    def want(self, scene: Scene, theme: Theme, layout: Layout | None = None) -> None:
        """Request a scene, dropping earlier requests. A small scene is ready before this returns.

        Args:
            layout: the scene's layout, if known.
        """
        self._wanted += 1
        if len(scene.nodes) + len(scene.edges) <= AT_ONCE:
            self._pending = False
            self.ready.emit(_make(scene, theme, layout or arrange(scene)))
            return
        self._pending = True
        QThreadPool.globalInstance().start(_Task(self, self._wanted, scene, theme, layout))

    def stop(self) -> None:
        """Drop the last request."""
        self._wanted += 1
        self._pending = False

    def check(self, number: int) -> None:
        """Stop work on an outdated request.

        Raises:
            Cancelled: there is a newer request.
        """
        if number != self._wanted:
            raise Cancelled("the layout is no longer wanted")

    @Slot(int, object)
    def _take(self, number: int, ready: Ready) -> None:
        if number == self._wanted:
            self._pending = False
            self.ready.emit(ready)


def _make(scene: Scene, theme: Theme, layout: Layout) -> Ready:
    theme = with_styles(theme, scene.styles)
    with collection_paused():
        plan = make_plan(scene, layout, theme)
        finder = Finder(scene, layout, links(scene), plan.index)
        return Ready(scene, layout, theme, plan, finder, first_node(scene, layout), groups(finder))


class _Task(QRunnable):
    """One request in the thread pool."""

    def __init__(self, worker: CanvasWorker, number: int, scene: Scene, theme: Theme, layout: Layout | None) -> None:
        super().__init__()
        self._worker, self._number = worker, number
        self._scene, self._theme, self._layout = scene, theme, layout

    def run(self) -> None:
        try:
            layout = self._layout or arrange(self._scene, lambda: self._worker.check(self._number))
            self._worker.check(self._number)
            ready = _make(self._scene, self._theme, layout)
        except Cancelled:
            return
        # The window may have been closed, which destroys the C++ part of the worker.
        with suppress(RuntimeError):
            self._worker._made.emit(self._number, ready)
