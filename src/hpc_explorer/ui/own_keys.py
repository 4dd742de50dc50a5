"""Keys that a widget has a use for before the window's shortcuts take them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent


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
