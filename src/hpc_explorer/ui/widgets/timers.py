"""Single-shot timers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def single_shot(parent: QObject, milliseconds: int, ended: Callable[[], None]) -> QTimer:
    """A timer that is not started yet; starting it again restarts it."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(ended)
    return timer
