"""Keys that widgets have a use for: what Enter is, and Escape before the window's shortcuts take it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
"""Enter, wherever on the keyboard it is."""


def keeps_escape(event: QEvent, wanted: bool) -> bool:
    """Whether Escape is about to be pressed and a widget wants it: else the window's key stops work that takes long.

    What Escape does must not depend on whether something happens to take long just then: a list of results closes, and
    a text that narrows something goes, before any work is stopped.
    """
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    if event.key() != Qt.Key.Key_Escape or not wanted:
        return False
    event.accept()
    return True
