"""The size and position of the window, kept for each size of the screen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QWidget

from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.widgets.dialog_size import FRAME

FIRST_SIZE = QSize(1440, 900)
"""The size of a new window in pixels, where the screen has room for it."""


def screen_name(screen: QScreen) -> str:
    """The size of a screen, such as "1920x1080"; the layout is kept for each."""
    return f"{screen.size().width()}x{screen.size().height()}"


def restore(window: QWidget, preferences: Preferences) -> tuple[int, ...]:
    """Place a window as it was on a screen of this size, within the screen.

    Returns:
        the widths of the panes in pixels; empty if none are kept.
    """
    screen = window.screen()
    kept = preferences.settings.layouts.get(screen_name(screen), ())
    room = screen.availableGeometry()
    rect = QRect(*kept[:4]) if len(kept) == 8 else QRect(room.topLeft(), FIRST_SIZE)
    size = rect.size().expandedTo(window.minimumSizeHint()).boundedTo(room.size() - FRAME)
    window.resize(size)
    if len(kept) == 8:
        whole = size + FRAME
        left = min(max(rect.x(), room.left()), room.right() + 1 - whole.width())
        top = min(max(rect.y(), room.top()), room.bottom() + 1 - whole.height())
        window.move(QPoint(left, top))
        if kept[4]:
            window.showMaximized()
    return tuple(kept[5:])


def keep(window: QWidget, widths: Sequence[int], preferences: Preferences) -> None:
    """Keep the layout of a window for screens of this size.

    Args:
        widths: of the three panes in pixels.
    """
    rect, layouts = window.normalGeometry(), dict(preferences.settings.layouts)
    # A window is moved by the corner of its frame, so that corner is kept.
    corner = rect.topLeft() - (window.geometry().topLeft() - window.pos())
    place = (corner.x(), corner.y(), rect.width(), rect.height(), int(window.isMaximized()))
    layouts[screen_name(window.screen())] = (*place, *widths)
    preferences.change(layouts=layouts)
