"""The program's window, which also tells where everything in it is, as a screen reader is told.

`python -m tests.helpers.probed_window SOCKET SOURCE...` runs the window. A connection to the Unix socket SOCKET gets one
JSON object with what is on the screen: `busy`, and `things`, a list of objects as `Thing` in `tests.helpers.real_window`.
Nothing can be changed over the socket: mouse and keys are for that.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, QSocketNotifier
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from hpc_explorer.ui.window.application import run_window

DEEPEST = 40
"""How deep in the tree of a window is looked."""
MOST = 400
"""Maximum number of children of one thing that are told."""


def main(address: str, sources: list[str]) -> int:
    """Run the window, and tell who connects what is on the screen."""
    application = QApplication(sys.argv[:1])
    QAccessible.setActive(True)  # only then lists tell of their new rows
    server = socket.socket(socket.AF_UNIX)
    server.bind(address)
    server.listen()
    notifier = QSocketNotifier(server.fileno(), QSocketNotifier.Type.Read)

    def answer() -> None:
        with server.accept()[0] as connection:
            windows = [one for one in application.topLevelWidgets() if isinstance(one, QMainWindow)]
            busy = any(getattr(window, "is_busy", False) for window in windows)
            connection.sendall(json.dumps({"busy": busy, "things": list(_things(application))}).encode())

    notifier.activated.connect(lambda *_: answer())
    try:
        return run_window(sources)
    finally:
        notifier.setEnabled(False)
        server.close()


def _things(application: QApplication) -> Iterator[dict[str, object]]:
    for window in application.topLevelWidgets():
        if window.isVisible():
            found = QAccessible.queryAccessibleInterface(window)
            if found is not None and found.isValid():
                yield from _inside(found, window, found.rect(), 0)


def _inside(thing: QAccessibleInterface, window: QWidget, clip: QRect, depth: int) -> Iterator[dict[str, object]]:
    """What is in sight of a thing and in it."""
    state = thing.state()
    place = thing.rect()
    seen = place.intersected(clip)
    if state.invisible or (place.isValid() and seen.isEmpty()):
        return
    ratio = window.devicePixelRatio()
    middle = seen.center() if place.isValid() else QPoint(-1, -1)
    yield {
        "role": thing.role().name,
        "name": thing.text(QAccessible.Text.Name),
        "value": thing.text(QAccessible.Text.Value),
        "x": round(middle.x() * ratio),
        "y": round(middle.y() * ratio),
        "disabled": bool(state.disabled),
    }
    if depth > DEEPEST:
        return
    for number in range(min(thing.childCount(), MOST)):
        child = thing.child(number)
        if child is not None and child.isValid() and child.object() is not thing.object():
            if isinstance(child.object(), QWidget) and child.object().isWindow():
                continue  # it is a top-level window too
            yield from _inside(child, window, seen if place.isValid() else clip, depth + 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
