"""The names over a picture seen from far away: chosen anew where the view rests, carried along while it moves.

Choosing which of thousands of nodes are named, and where, takes longer than a smooth frame has; and names that come and
go while a person moves the view cannot be read anyway.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPainter

from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.geometry import Point
from hpc_explorer.canvas.primitives import Primitive, extent
from hpc_explorer.ui.widgets.drawing import ReadyPart
from hpc_explorer.ui.widgets.timers import single_shot

REST = 90
"""Milliseconds without a move after which the names are chosen anew."""
LONGEST = 0.4
"""Seconds for which they are carried along at most, so that a long move brings new ones."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name made ready.

    Args:
        anchor: the place in the scene that it keeps to.
        drawn: where that was in the view when it was chosen.
    """

    anchor: Point
    drawn: Point
    part: ReadyPart


class CanvasNames(QObject):
    """Draws the names of one canvas.

    Signals:
        settled(): the view rests, and names are to be chosen anew.
    """

    settled = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._names: list[_Name] = []
        self._of: Hashable = None
        self._camera: Camera | None = None
        self._chosen = 0.0
        self._rest = single_shot(self, REST, self._settle)

    @property
    def pending(self) -> bool:
        """Whether other names will be chosen as soon as the view rests."""
        return self._rest.isActive()

    def paint(self, painter: QPainter, camera: Camera, of: Hashable, choose: Callable[[], Iterable[Primitive]]) -> None:
        """Draws the names in pixels of the view.

        Args:
            of: what is named; where it is another than before, the names are chosen at once.
            choose: gives a primitive for each name.
        """
        moved = camera != self._camera
        carried = self._camera is not None and of == self._of and time.monotonic() - self._chosen < LONGEST
        if moved and carried:
            self._rest.start()
        elif moved or of != self._of:
            self._rest.stop()
            self._choose(camera, of, choose())
        for name in self._names:
            here = camera.to_view(name.anchor)
            painter.save()
            painter.translate(here.x - name.drawn.x, here.y - name.drawn.y)
            name.part.draw(painter, 1.0)
            painter.restore()

    def forget(self) -> None:
        """Chooses the names anew the next time."""
        self._camera = None

    def _choose(self, camera: Camera, of: Hashable, names: Iterable[Primitive]) -> None:
        self._camera, self._of, self._chosen = camera, of, time.monotonic()
        self._names = []
        for name in names:
            middle = extent(name).centre
            self._names.append(_Name(camera.to_scene(middle), middle, ReadyPart([name])))

    def _settle(self) -> None:
        self.forget()
        self.settled.emit()
