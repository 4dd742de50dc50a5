"""The signs of verdicts, open points and principles in the tab "FAIR": shape, colour and word."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPolygonF

from hpc_explorer.canvas.palette import THEMES, Theme, mixed
from hpc_explorer.fair.values import Basis, Verdict
from hpc_explorer.ui.widgets.theme import paint_icon

BASES = {
    Basis.VERIFIED: "verified",
    Basis.DECLARED: "declared",
    Basis.HUMAN: "answered",
    Basis.UNKNOWN: "not decided",
}
"""The basis of a verdict, in a word."""


class Sign(Enum):
    """The outcome of an indicator, by its word."""

    PASSED = "Passed"
    OVERRIDDEN = "Overridden"
    DENIED = "Overridden, no"
    OPEN = "Open"
    PARTIAL = "Partly"
    FAILED = "Failed"


def sign_of(verdict: Verdict, low: float, high: float, *, is_override: bool) -> Sign:
    """The sign of an indicator.

    Args:
        verdict: of its test.
        low, high: the certain and the possible points.
        is_override: whether a person overrode its test.
    """
    if is_override:
        return Sign.OVERRIDDEN if low else Sign.DENIED
    if low < high:
        return Sign.OPEN
    if low >= 1:
        return Sign.PASSED
    return Sign.PARTIAL if verdict is Verdict.PARTIAL else Sign.FAILED


def sign_colour(sign: Sign, theme: Theme) -> str:
    """The colour of a sign, readable as a text too."""
    return {
        Sign.PASSED: theme.success,
        Sign.OVERRIDDEN: theme.accent,
        Sign.DENIED: theme.error,
        Sign.OPEN: theme.muted,
        Sign.PARTIAL: theme.warning,
        Sign.FAILED: theme.error,
    }[sign]


def softened(colour: str, theme: Theme) -> str:
    """A colour for uncertain parts, closer to the background."""
    return mixed(colour, theme.surface, 0.62)


def sign_icon(sign: Sign, theme: Theme) -> QIcon:
    """The sign as an icon of 16 pixels."""
    return _icon(sign, theme.name)


@lru_cache(maxsize=32)
def _icon(sign: Sign, theme_name: str) -> QIcon:
    theme = THEMES[theme_name]
    # A selected row must not tint it.
    modes = (QIcon.Mode.Normal, QIcon.Mode.Selected)
    return paint_icon(
        QIcon(), 16, lambda painter, scale: paint_sign(painter, QRectF(1, 1, 14, 14), sign, theme), *modes
    )


def paint_sign(painter: QPainter, box: QRectF, sign: Sign, theme: Theme) -> None:
    """Paint a sign into a square: a disc with a tick or cross, a half disc, or a dashed ring; squares for overrides."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour, ground = QColor(sign_colour(sign, theme)), QColor(theme.surface)
    side = box.width()

    def at(x: float, y: float) -> QPointF:
        return QPointF(box.x() + x * side, box.y() + y * side)

    stroke = QPen(ground, side * 0.13, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    tick = QPolygonF([at(0.27, 0.52), at(0.44, 0.69), at(0.74, 0.33)])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    if sign in (Sign.PASSED, Sign.OVERRIDDEN, Sign.DENIED):
        if sign is Sign.PASSED:
            painter.drawEllipse(box)
        else:
            painter.drawRoundedRect(box, side * 0.18, side * 0.18)
        painter.setPen(stroke)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if sign is Sign.DENIED:
            painter.drawLine(at(0.3, 0.3), at(0.7, 0.7))
            painter.drawLine(at(0.7, 0.3), at(0.3, 0.7))
        else:
            painter.drawPolyline(tick)
    elif sign is Sign.FAILED:
        stroke.setColor(colour)
        stroke.setWidthF(side * 0.15)
        painter.setPen(stroke)
        painter.drawLine(at(0.18, 0.18), at(0.82, 0.82))
        painter.drawLine(at(0.82, 0.18), at(0.18, 0.82))
    else:
        ring = box.adjusted(side * 0.07, side * 0.07, -side * 0.07, -side * 0.07)
        if sign is Sign.PARTIAL:
            painter.drawPie(ring, 90 * 16, 180 * 16)
        pen = QPen(colour, side * 0.13)
        if sign is Sign.OPEN:
            pen.setDashPattern([1.6, 1.3])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(ring)
    painter.restore()
