"""What a large picture shows from far away, kept as an image: moving and zooming show it at once, sharpened after."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal, Slot
from PySide6.QtGui import QImage, QPainter

from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.geometry import Size
from hpc_explorer.errors import Cancelled
from hpc_explorer.ui.canvas_drawing import qt_rect
from hpc_explorer.ui.canvas_plan import Backed, LargePlan

BEYOND = 0.25
"""How much of the view's size is drawn beyond each of its edges, so that a picture that is moved has no bare edge."""


@dataclass(frozen=True)
class Wanted:
    """An image that a view needs.

    Args:
        what: whether it shows lines alone, or everything.
        camera: what the view shows.
        size: of the view, in its pixels.
        ratio: pixels of the screen per pixel of the view.
    """

    plan: LargePlan
    what: Backed
    camera: Camera
    size: Size
    ratio: float


class CanvasBacking(QObject):
    """The image of a part of a picture, made in another thread; the last one wanted only.

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
        self._image = QImage()
        self._made.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def pending(self) -> bool:
        """Whether a sharper image is on its way."""
        return self._working

    def paint(self, painter: QPainter, wanted: Wanted) -> None:
        """Draws what there is, in pixels of the view, and has it made sharp if it is not."""
        shown = self._shown
        if shown is not None and (shown.plan, shown.what) == (wanted.plan, wanted.what):
            covered = _beyond(shown).seen(_larger(shown.size))
            painter.drawImage(qt_rect(wanted.camera.rect_to_view(covered)), self._image)
        if wanted != self._shown and wanted != self._wanted:
            self._wanted = wanted
            if not self._working:
                self._start()

    def stop(self) -> None:
        """Gives up what is being made, and forgets the image."""
        self._number += 1
        self._working = False
        self._wanted = self._shown = None

    def check(self, number: int) -> None:
        """Ends the work on an image that nobody wants any more.

        Raises:
            Cancelled: it is given up.
        """
        if number != self._number:
            raise Cancelled("the picture is no longer wanted")

    def _start(self) -> None:
        assert self._wanted is not None
        self._working = True
        QThreadPool.globalInstance().start(_Task(self, self._number, self._wanted))

    @Slot(int, object)
    def _take(self, number: int, made: tuple[Wanted, QImage]) -> None:
        if number != self._number:
            return
        self._shown, self._image = made
        self._working = False
        if self._wanted is not None and self._wanted != self._shown:
            self._start()
        else:
            self._wanted = None
        self.sharpened.emit()


def _beyond(wanted: Wanted) -> Camera:
    """The camera of the image for a view: it begins left of and above the view."""
    return wanted.camera.moved(wanted.size.width * BEYOND, wanted.size.height * BEYOND)


def _larger(size: Size) -> Size:
    return Size(size.width * (1 + 2 * BEYOND), size.height * (1 + 2 * BEYOND))


class _Task(QRunnable):
    """One image, in a thread of the pool."""

    def __init__(self, backing: CanvasBacking, number: int, wanted: Wanted) -> None:
        super().__init__()
        self._backing, self._number, self._wanted = backing, number, wanted

    def run(self) -> None:
        wanted = self._wanted
        beyond, larger = _beyond(wanted), _larger(wanted.size)
        sharp = Camera(beyond.scale * wanted.ratio, beyond.x, beyond.y)
        pixels = Size(round(larger.width * wanted.ratio), round(larger.height * wanted.ratio))
        try:
            image = wanted.plan.image(wanted.what, sharp, pixels, lambda: self._backing.check(self._number))
        except Cancelled:
            return
        # The window may have been closed meanwhile, and with it the C++ half of the backing.
        with suppress(RuntimeError):
            self._backing._made.emit(self._number, (wanted, image))
