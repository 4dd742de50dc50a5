"""Boxes for numbers, with small arrows at their end: they look like the lines and choices beside them."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

_LEFT = 6
"""Pixels before the number, as a line for text has: a style sheet cannot say it of the line in such a box."""


class WholeNumberBox(QSpinBox):
    """A box for a whole number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _leave_room(self)


class DecimalBox(QDoubleSpinBox):
    """A box for a number with decimals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _leave_room(self)


def _leave_room(box: QAbstractSpinBox) -> None:
    box.lineEdit().setTextMargins(_LEFT, 0, 0, 0)
