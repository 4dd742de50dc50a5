"""Laying out and drawing a scene away from the window's thread; what is no longer wanted is dropped."""

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
"""Nodes and edges up to which a scene is laid out in the window's thread, in about ten milliseconds."""


@dataclass(frozen=True)
class Ready:
    """A scene that can be shown.

    Args:
        finder: what is where in it.
        first: the key of the node where a walk starts; None: it has no nodes.
        groups: what is named from far away besides nodes.
    """

    scene: Scene
    layout: Layout
    theme: Theme
    plan: Plan
    finder: Finder
    first: str | None
    groups: tuple[Group, ...]


class CanvasWorker(QObject):
    """Makes scenes ready to be shown, the last one wanted only.

    Signals:
        ready(Ready): the scene that was asked for last.
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
        """Asks for a scene; whatever was asked for before is given up.

        A small scene is ready before this returns.

        Args:
            layout: the scene's layout, if it is known and only the colours are new.
        """
        self._wanted += 1
        if len(scene.nodes) + len(scene.edges) <= AT_ONCE:
            self._pending = False
            self.ready.emit(_make(scene, theme, layout or arrange(scene)))
            return
        self._pending = True
        QThreadPool.globalInstance().start(_Task(self, self._wanted, scene, theme, layout))

    def stop(self) -> None:
        """Gives up what was asked for last."""
        self._wanted += 1
        self._pending = False

    def check(self, number: int) -> None:
        """Ends the work on a request that another one has followed.

        Raises:
            Cancelled: it is not the last one.
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
    """One request, in a thread of the pool."""

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
        # The window may have been closed meanwhile, and with it the C++ half of the worker.
        with suppress(RuntimeError):
            self._worker._made.emit(self._number, ready)
