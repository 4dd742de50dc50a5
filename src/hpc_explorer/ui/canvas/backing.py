"""The image of a large picture from far away: shown at once while moving, then replaced by a sharper one."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal, Slot
from PySide6.QtGui import QImage, QPainter

from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.geometry import EMPTY_RECT, Rect, Size
from hpc_explorer.errors import Cancelled
from hpc_explorer.ui.canvas.plan import Backed, LargePlan
from hpc_explorer.ui.widgets.drawing import qt_rect

BEYOND = 0.25
"""The margin drawn beyond each edge of the view, as a share of its size, for moving without gaps."""
BLURRED = 0.02
"""The largest offset from the pixel grid, in pixels, that does not look blurred."""
SOFT = 2.0
"""Pixels that lines and small cards extend beyond the picture's bounds."""


@dataclass(frozen=True)
class Wanted:
    """An image that a view needs.

    Args:
        what: only lines, or everything.
        camera: of the view.
        size: of the view, in its pixels.
        ratio: device pixels per pixel of the view.
    """

    plan: LargePlan
    what: Backed
    camera: Camera
    size: Size
    ratio: float


class CanvasBacking(QObject):
    """An image of a part of a picture, made in another thread; only the last request counts.

    Signals:
        sharpened(): there is a newer image.
    """

    sharpened = Signal()
    _made = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._working = False
        self._wanted: Wanted | None = None
        self._shown: Wanted | None = None
        self._image, self._covered = QImage(), EMPTY_RECT
        self._made.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def pending(self) -> bool:
        """Whether a sharper image is being made."""
        return self._working

    def paint(self, painter: QPainter, wanted: Wanted) -> None:
        """Draw the current image in pixels of the view, and request a sharper one if needed."""
        shown = self._shown
        if shown is not None and (shown.plan, shown.what) == (wanted.plan, wanted.what):
            painter.drawImage(qt_rect(wanted.camera.rect_to_view(self._covered)), self._image)
        if self._serves(wanted):
            self._wanted = None
        elif wanted != self._wanted:
            self._wanted = wanted
            if not self._working:
                self._start()

    def _serves(self, wanted: Wanted) -> bool:
        """Whether the current image is sharp for this view, with room to move."""
        shown = self._shown
        if shown == wanted:
            return True
        if shown is None or replace(shown, camera=wanted.camera) != wanted or shown.camera.scale != wanted.camera.scale:
            return False
        image = wanted.camera.rect_to_view(self._covered)
        if any(abs(place * wanted.ratio - round(place * wanted.ratio)) > BLURRED for place in image[:2]):
            return False
        width, height = wanted.size
        room = Rect(-width * BEYOND / 2, -height * BEYOND / 2, width * (1 + BEYOND), height * (1 + BEYOND))
        picture = wanted.camera.rect_to_view(wanted.plan.picture.bounds)
        return (
            image.x <= max(picture.x, room.x)
            and image.y <= max(picture.y, room.y)
            and image.right >= min(picture.right, room.right)
            and image.bottom >= min(picture.bottom, room.bottom)
        )

    def stop(self) -> None:
        """Drop the request and the image."""
        self._number += 1
        self._working = False
        self._wanted = self._shown = None

    def check(self, number: int) -> None:
        """Stop work on an outdated image.

        Raises:
            Cancelled: it was dropped.
        """
        if number != self._number:
            raise Cancelled("the picture is no longer wanted")

    def _start(self) -> None:
        assert self._wanted is not None
        self._working = True
        QThreadPool.globalInstance().start(_Task(self, self._number, self._wanted))

    @Slot(int, object)
    def _take(self, number: int, made: tuple[Wanted, QImage, Rect]) -> None:
        if number != self._number:
            return
        self._shown, self._image, self._covered = made
        self._working = False
        if self._wanted is not None and not self._serves(self._wanted):
            self._start()
        else:
            self._wanted = None
        self.sharpened.emit()


def cropped(wanted: Wanted) -> tuple[Camera, Size]:
    """The camera and size of the image for a view, in device pixels.

    It extends beyond the view on all sides but not beyond the picture, which halves the work for a whole picture.
    """
    view, size, ratio = wanted.camera, wanted.size, wanted.ratio
    # Align with the pixels of the screen.
    beyond = view.moved(*(round(side * BEYOND * ratio) / ratio for side in size))
    sharp = Camera(beyond.scale * ratio, beyond.x, beyond.y)
    picture = sharp.rect_to_view(wanted.plan.picture.bounds).grown(SOFT)
    pixels = [round(side * (1 + 2 * BEYOND) * ratio) for side in size]
    left, top = max(0, math.floor(picture.x)), max(0, math.floor(picture.y))
    width = max(1, min(pixels[0], math.ceil(picture.right)) - left)
    height = max(1, min(pixels[1], math.ceil(picture.bottom)) - top)
    return sharp.moved(-left, -top), Size(width, height)


class _Task(QRunnable):
    """One image in the thread pool."""

    def __init__(self, backing: CanvasBacking, number: int, wanted: Wanted) -> None:
        super().__init__()
        self._backing, self._number, self._wanted = backing, number, wanted

    def run(self) -> None:
        wanted = self._wanted
        camera, pixels = cropped(wanted)
        covered = camera.seen(pixels)
        try:
            image = wanted.plan.image(wanted.what, camera, pixels, lambda: self._backing.check(self._number))
        except Cancelled:
            return
        # The window may have been closed, which destroys the C++ part of the backing.
        with suppress(RuntimeError):
            self._backing._made.emit(self._number, (wanted, image, covered))
