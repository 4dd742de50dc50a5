"""Work of the window's own that is done a little at a time: one piece in each turn of the event loop.

What is made in a turn is placed and drawn in the next one. Two parts of the window that fill, each with a timer of its
own, would both do their piece in the same turn, and keys and clicks would wait for both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Qt
from shiboken6 import isValid

from hpc_explorer.ui.widgets.timers import single_shot


class Turn(QObject):
    """A piece of work that waits for its turn.

    Args:
        parent: with whom the work ends.
        work: does a piece; where more is left, it calls `start` again.
    """

    def __init__(self, parent: QObject, work: Callable[[], None]) -> None:
        super().__init__(parent)
        self.work = work

    @property
    def is_waiting(self) -> bool:
        """Whether a piece is to be done."""
        return self in _turns().waiting

    def start(self) -> None:
        """Do a piece when its turn comes, after what waits already."""
        turns = _turns()
        if self not in turns.waiting:
            turns.waiting.append(self)
            turns.timer.start()

    def stop(self) -> None:
        """Wait no more."""
        if self.is_waiting:
            _turns().waiting.remove(self)


class _Turns(QObject):
    """Whose turn it is."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.waiting: deque[Turn] = deque()
        self.timer = single_shot(self, 0, self._work)

    def _work(self) -> None:
        while self.waiting:
            turn = self.waiting.popleft()
            if isValid(turn):
                if self.waiting:
                    self.timer.start()
                turn.work()
                return


def _turns() -> _Turns:
    application = QCoreApplication.instance()
    if application is None:
        raise RuntimeError("there is no event loop to take turns in")
    found = application.findChild(_Turns, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return found if isinstance(found, _Turns) else _Turns(application)
