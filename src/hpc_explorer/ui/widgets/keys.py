"""Keys that widgets handle: Enter, and Escape before the window's shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
"""Both Enter keys."""


def keeps_escape(event: QEvent, wanted: bool) -> bool:
    """Whether the event is an Escape key press that a widget handles; accepts it.

    Without this, the window's shortcut would stop a running job instead of closing a list or clearing a filter.
    """
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    if event.key() != Qt.Key.Key_Escape or not wanted:
        return False
    event.accept()
    return True
