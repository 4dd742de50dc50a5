"""Names over a picture seen from far away: chosen when the view rests, moved along while it moves.

Choosing and placing names among thousands takes longer than a frame, and changing them during a movement would make
them unreadable.
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
"""Milliseconds without movement before names are chosen again."""
LONGEST = 0.4
"""Maximum seconds that names are kept during a movement."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name ready to be drawn.

    Args:
        anchor: its place in the scene.
        drawn: its place in the view when it was chosen.
    """

    anchor: Point
    drawn: Point
    part: ReadyPart


class CanvasNames(QObject):
    """Draws the names of one canvas.

    Signals:
        settled(): the view rests; names have to be chosen again.
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
        """Whether names will be chosen again when the view rests."""
        return self._rest.isActive()

    def paint(self, painter: QPainter, camera: Camera, of: Hashable, choose: Callable[[], Iterable[Primitive]]) -> None:
        """Draw the names in pixels of the view.

        Args:
            of: identifies what is named; if it changes, names are chosen at once.
            choose: returns a primitive for each name.
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
        """Choose the names again next time."""
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
