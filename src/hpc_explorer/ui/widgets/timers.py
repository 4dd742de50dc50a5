"""Timers that end once each time they are begun."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def single_shot(parent: QObject, milliseconds: int, ended: Callable[[], None]) -> QTimer:
    """A timer that has not begun; begun once more, it begins anew."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(ended)
    return timer
