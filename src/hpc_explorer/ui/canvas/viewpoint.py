"""The position of the view: it opens, fits, zooms, moves and animates, and keeps the picture visible."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import QObject, QVariantAnimation, Signal
from PySide6.QtWidgets import QStyle, QWidget

from hpc_explorer.canvas.camera import Camera, fitting, opening
from hpc_explorer.canvas.geometry import Point, Rect, Size

ZOOM_STEP = 1.25
FARTHEST = 0.02
"""The smallest scale that any picture may be zoomed to."""
GLIDE = 140
"""Milliseconds of the animation when the view jumps."""


class Viewpoint(QObject):
    """The camera of a widget.

    Args:
        widget: the widget; gives the view's size and the animation setting.

    Attributes:
        bounds: of the picture, in scene units.
        below: reserved pixels at the bottom of the view.

    Signals:
        moved(): the visible part changed.
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
        """The visible part of the scene."""
        return self._camera

    @property
    def goal(self) -> Camera:
        """The camera at the end of the current animation."""
        return self._to if self.is_moving else self._camera

    @property
    def is_moving(self) -> bool:
        """Whether an animation is running."""
        return self._motion.state() is QVariantAnimation.State.Running

    @property
    def size(self) -> Size:
        """Of the view, in pixels."""
        return Size(float(self._widget.width()), float(self._widget.height()))

    @property
    def seen(self) -> Rect:
        """The visible part of the scene."""
        return self._camera.seen(self.size)

    @property
    def is_free(self) -> bool:
        """Whether the user placed the view."""
        return self._placing is None

    def will_open(self) -> None:
        """Show the next picture as a new one: as a whole if it is readable, else at its focus."""
        self._placing = self._opening

    def will_stay(self) -> None:
        """Show the next picture at the current place and scale."""
        self._placing = None

    def take(self, bounds: Rect, focus: Rect | None, below: float) -> None:
        """Place the view for another picture.

        Args:
            bounds: of the picture, in scene units.
            focus: the card in focus.
            below: reserved pixels at the bottom of the view.
        """
        self.bounds, self._focus, self.below = bounds, focus, below
        self._motion.stop()
        self._place()

    def resized(self) -> None:
        """Place the view after the widget was resized."""
        if self.is_free:
            self._camera = self._camera.kept(self.bounds, self.size)
        else:
            self._motion.stop()
            self._place()

    def fit(self) -> None:
        """Show the whole picture, and keep it fitted when the view is resized."""
        self._placing = self._fitting
        self._glide(self._fitting())

    def fit_rect(self, rect: Rect) -> None:
        """Zoom to a part of the picture, at most to scale 1."""
        self._placing = None
        self._glide(fitting(rect, self.size, self.below))

    def zoomed(self, factor: float, at: Point) -> Camera:
        """The camera zoomed by a factor, at most out to `FARTHEST` or to the whole picture.

        Args:
            at: the fixed point, in pixels of the view.
        """
        farthest = min(FARTHEST, self._fitting().scale)
        camera = self.goal
        return camera.zoomed(max(factor, min(farthest / camera.scale, 1.0)), at)

    def zoom(self, factor: float, at: Point) -> None:
        """Zoom by a factor with animation; the point `at` of the view stays fixed."""
        self._placing = None
        self._glide(self.zoomed(factor, at).kept(self.bounds, self.size))

    def bring_into_sight(self, rect: Rect) -> None:
        """Scroll as little as possible to show a rectangle of the scene."""
        self._move_to(self.goal.showing(rect, self.size))

    def reveal(self, cards: Collection[Rect], beside: Rect | None) -> None:
        """Scroll as little as possible to show as many cards as there is room for; see `Camera.revealing`."""
        self._move_to(self.goal.revealing(cards, beside, self.size))

    def _move_to(self, goal: Camera) -> None:
        if goal != self._camera:
            self._placing = None
            self._glide(goal)

    def look(self, camera: Camera) -> None:
        """Set the camera without animation, keeping part of the picture visible."""
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
        """Animate to a camera; jump if the desktop disables animations."""
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
        # Configuring the animation emits a value too.
        if self.is_moving or t >= 1.0:
            self._camera = self._to if t >= 1.0 else self._from.between(self._to, t)
            self.moved.emit()
