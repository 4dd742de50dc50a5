"""Work on the window's thread in small pieces, one in each pass of the event loop.

The window lays out and paints the result in the next pass. If two widgets used timers of their own, both would work in
the same pass and delay input twice as long.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Qt
from shiboken6 import isValid

from hpc_explorer.ui.widgets.timers import single_shot


class Turn(QObject):
    """A piece of work in the queue.

    Args:
        parent: the work ends with this object.
        work: does a piece; it calls `start` if there is more.
    """

    def __init__(self, parent: QObject, work: Callable[[], None]) -> None:
        super().__init__(parent)
        self.work = work

    @property
    def is_waiting(self) -> bool:
        """Whether the work is queued."""
        return self in _turns().waiting

    def start(self) -> None:
        """Append the work to the queue."""
        turns = _turns()
        if self not in turns.waiting:
            turns.waiting.append(self)
            turns.timer.start()

    def stop(self) -> None:
        """Remove the work from the queue."""
        if self.is_waiting:
            _turns().waiting.remove(self)


class _Turns(QObject):
    """The queue."""

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
