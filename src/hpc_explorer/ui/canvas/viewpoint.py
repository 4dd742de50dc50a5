"""Where the view of a picture is: it opens, fits, zooms, moves and glides, and keeps the picture in sight."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QVariantAnimation, Signal
from PySide6.QtWidgets import QStyle, QWidget

from hpc_explorer.canvas.camera import Camera, fitting, opening
from hpc_explorer.canvas.geometry import Point, Rect, Size

ZOOM_STEP = 1.25
FARTHEST = 0.02
"""The scale to which any picture may be made smaller."""
GLIDE = 140
"""Milliseconds of the one motion there is, which keeps the eye's place when the view jumps."""


class Viewpoint(QObject):
    """The camera of one widget.

    Args:
        widget: what it is the camera of; it says how large the view is, and whether the desktop wants motion.

    Attributes:
        bounds: of the picture, in scene units.
        below: pixels at the lower edge of the view that something else needs.

    Signals:
        moved(): another part of the picture is to be drawn.
    """

    moved = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.bounds = Rect(0.0, 0.0, 1.0, 1.0)
        self._focus: Rect | None = None
        self.below = 0.0
        self._widget = widget
        self._camera = Camera()
        self._placing: Callable[[], Camera] | None = self._opening
        self._from = self._to = self._camera
        self._motion = QVariantAnimation(self)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.valueChanged.connect(self._step)

    @property
    def camera(self) -> Camera:
        """Which part of the picture is in sight."""
        return self._camera

    @property
    def goal(self) -> Camera:
        """Where the view is, or where it is just going."""
        return self._to if self.is_moving else self._camera

    @property
    def is_moving(self) -> bool:
        """Whether the view is on its way to another part of the picture."""
        return self._motion.state() is QVariantAnimation.State.Running

    @property
    def size(self) -> Size:
        """Of the view, in pixels."""
        return Size(float(self._widget.width()), float(self._widget.height()))

    @property
    def seen(self) -> Rect:
        """The part of the scene that is in sight."""
        return self._camera.seen(self.size)

    @property
    def is_free(self) -> bool:
        """Whether a person chose where the view is, and not the picture."""
        return self._placing is None

    def will_open(self) -> None:
        """The next picture is shown as a new one is: as a whole if it is readable then, else at its focus."""
        self._placing = self._opening

    def will_stay(self) -> None:
        """The next picture is shown at the place and scale of the one before."""
        self._placing = None

    def take(self, bounds: Rect, focus: Rect | None, below: float) -> None:
        """Places the view for another picture.

        Args:
            bounds: of the picture, in scene units.
            focus: the card that the picture is about.
            below: pixels at the lower edge of the view that something else needs.
        """
        self.bounds, self._focus, self.below = bounds, focus, below
        self._motion.stop()
        self._place()

    def resized(self) -> None:
        """Places the view for another size of the widget."""
        if self.is_free:
            self._camera = self._camera.kept(self.bounds, self.size)
        else:
            self._motion.stop()
            self._place()

    def fit(self) -> None:
        """Shows the whole picture, and keeps doing so while the view changes its size."""
        self._placing = self._fitting
        self._glide(self._fitting())

    def fit_rect(self, rect: Rect) -> None:
        """Shows a part of the picture as large as it fits, at most at its full size."""
        self._placing = None
        self._glide(fitting(rect, self.size, self.below))

    def zoomed(self, factor: float, at: Point) -> Camera:
        """The view closer by a factor, at most as far away as `FARTHEST`, or as the whole picture needs.

        Args:
            at: the place of the view that stays.
        """
        farthest = min(FARTHEST, self._fitting().scale)
        camera = self.goal
        return camera.zoomed(max(factor, min(farthest / camera.scale, 1.0)), at)

    def zoom(self, factor: float, at: Point) -> None:
        """Closer by a factor in one motion; what is at this place of the view stays there."""
        self._placing = None
        self._glide(self.zoomed(factor, at).kept(self.bounds, self.size))

    def bring_into_sight(self, rect: Rect) -> None:
        """Moves the view as little as possible so that it shows a rectangle of the scene."""
        goal = self.goal.showing(rect, self.size)
        if goal != self._camera:
            self._placing = None
            self._glide(goal)

    def look(self, camera: Camera) -> None:
        """Moves the view at once, as far as the picture stays in sight."""
        self._motion.stop()
        self._placing = None
        self._camera = camera.kept(self.bounds, self.size)
        self.moved.emit()

    def _place(self) -> None:
        if self._placing is not None:
            self._camera = self._placing()
            self.moved.emit()

    def _opening(self) -> Camera:
        return opening(self.bounds, self._focus, self.size, self.below)

    def _fitting(self) -> Camera:
        return fitting(self.bounds, self.size, self.below)

    def _glide(self, goal: Camera) -> None:
        """Moves the view in one short motion; at once if the desktop wants no motion."""
        self._motion.stop()
        style = self._widget.style()
        duration = style.styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self._widget)
        if duration <= 0 or not self._widget.isVisible():
            self._camera = goal
            self.moved.emit()
            return
        self._from, self._to = self._camera, goal
        self._motion.setDuration(min(GLIDE, duration))
        self._motion.start()

    def _step(self, t: float) -> None:
        # Setting up the motion tells a value, too.
        if self.is_moving or t >= 1.0:
            self._camera = self._to if t >= 1.0 else self._from.between(self._to, t)
            self.moved.emit()
