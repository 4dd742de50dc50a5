"""Boxes for numbers that match the look of text lines and choices."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox

_LEFT = 6
"""Pixels before the number, as in a text line. A style sheet cannot set this margin."""


class WholeNumberBox(QSpinBox):
    """A box for an integer."""

    def __init__(self) -> None:
        super().__init__()
        _leave_room(self)


class DecimalBox(QDoubleSpinBox):
    """A box for a decimal number."""

    def __init__(self) -> None:
        super().__init__()
        _leave_room(self)


def _leave_room(box: QAbstractSpinBox) -> None:
    box.lineEdit().setTextMargins(_LEFT, 0, 0, 0)
