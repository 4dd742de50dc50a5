"""What waits for the thread that writes it, and the activities that it belongs to.

A training calls for each batch and each value. Such a call does as little as possible: it appends to `queue` what it
was given, with a time. The thread that writes makes records of it: names, numbers and texts.

| item of the queue | what it is |
|---|---|
| a tuple that begins with an activity | a metric: activity, name, value, monotonic time, step or None |
| a tuple that begins with a text | a record (`hpc_explorer.capture.records`) |
| an object with a method `record` | a batch that has ended |
| a `Mark` | a place in the queue: everything before it was written, or could not be written |
| a `Gap` | metrics that found no room in the queue |
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

monotonic = time.monotonic_ns
CLOCK = time.time_ns() - monotonic()
"""The time of `monotonic` 0 in nanoseconds since 1970."""


def now() -> int:
    """The time in nanoseconds since 1970. It never goes back, also when the system's clock is set back."""
    return CLOCK + monotonic()


queue: deque[Any] = deque()
"""The waiting items of this process."""

_users: list[Callable[[Callable[[Any], None]], None]] = []
_process_begun = 0
_lock = threading.Lock()


def on_switch(use: Callable[[Callable[[Any], None]], None]) -> None:
    """Call `use` with the function that adds an item to the queue, whenever it is another one."""
    _users.append(use)


def append_by(function: Callable[[Any], None]) -> None:
    """Add items by this function from now on: `queue.append` while nothing else is to be done."""
    for use in _users:
        use(function)


def begin_process() -> None:
    """Begin anew in a forked process: what waits is the parent's to write, and its activities are the parent's."""
    global _process_begun, _lock
    queue.clear()
    _process_begun = monotonic()
    _lock = threading.Lock()  # another thread of the parent may have held it


class Activity:
    """A running activity.

    Args:
        identity: its path, from the run on.
        plain: whether it has no role in learning, so what is logged is a value of a data transformation.

    Attributes:
        begun: the monotonic time of its beginning.
        ended: that of its end, if it is a batch; 0 before.
        around: the activity around a batch, if that was begun in the same context.
        last_batch: the index of the last batch in it; infinite if it had none.
        batch_prefix: the identity of its last batch without the index.
        numbers: how many values of each metric were written; the writing thread counts.
        attached: stages of the run that were begun within its epochs, by identity.
    """

    __slots__ = (
        "_counts",
        "_identity",
        "_rows",
        "around",
        "attached",
        "batch_prefix",
        "begun",
        "ended",
        "last_batch",
        "numbers",
        "plain",
    )

    attached: dict[str, Activity]
    _counts: dict[str, int]
    _rows: dict[str, tuple[int, float]]

    def __init__(self, identity: str, *, plain: bool = False) -> None:
        self._identity = identity
        self.plain = plain
        self.begun = monotonic()
        self.ended = 0
        self.around: Activity | None = None
        self.last_batch = math.inf
        self.batch_prefix = ""
        self.numbers: dict[str, int] | None = None

    @property
    def identity(self) -> str:
        """Its path, from the run on."""
        return self._identity

    @property
    def run(self) -> str:
        """The identity of its run."""
        return self.identity.partition("/")[0]

    @property
    def is_of_this_process(self) -> bool:
        """Whether it was begun here, and not before this process was forked."""
        return self.begun >= _process_begun

    def count(self, name: str) -> int:
        """0, 1, 2, … for what has the same name in this activity; never the same number twice, also in threads."""
        with _lock:
            counts = self._counts = getattr(self, "_counts", {})
            number: int = counts.get(name, 0)
            counts[name] = number + 1
        return number

    def place(self, kind: str, index: int | None) -> tuple[str, int]:
        """The prefix and the index of the identity of an epoch or batch that begins in it now.

        Args:
            index: the next one if None. One that comes again belongs to another loop: its prefix ends with `2-`.
        """
        with _lock:
            rows = self._rows = getattr(self, "_rows", {})
            number, last = rows.get(kind, (1, -1))
            if kind == "batch" and self.last_batch != math.inf:
                last = self.last_batch
            if index is None:
                index = int(last) + 1
            elif index <= last:
                number += 1
            rows[kind] = (number, index)
            prefix = f"{self.identity}/{kind}:" if number == 1 else f"{self.identity}/{kind}:{number}-"
            if kind == "batch":
                self.last_batch = index
                self.batch_prefix = prefix
        return prefix, index


class Mark:
    """A place in the queue."""

    def __init__(self) -> None:
        self.reached = threading.Event()


class Gap:
    """How many metrics found no room in the queue at this place, so later ones have their right numbers."""

    def __init__(self) -> None:
        self._missed: dict[Activity, dict[str, int]] = {}

    def add(self, item: Any) -> None:
        """Count an item that is not in the queue."""
        if type(item) is not tuple:
            self._missed.pop(item, None)  # a batch that has ended has no later metrics
        elif isinstance(item[0], Activity):
            missed = self._missed.setdefault(item[0], {})
            missed[item[1]] = missed.get(item[1], 0) + 1

    def close(self) -> None:
        """Let the numbers of the later metrics begin after those that were missed."""
        for activity, missed in self._missed.items():
            numbers = activity.numbers = activity.numbers or {}
            for name, number in missed.items():
                numbers[name] = numbers.get(name, 0) + number


def records_of(items: Iterable[Any]) -> Iterator[tuple[Any, ...] | None]:
    """The record of each item of the queue; None for one without. Each is asked for once and in order: this counts."""
    for item in items:
        if type(item) is not tuple:
            if type(item) is Gap:
                item.close()
                yield None
            elif type(item) is Mark or not item.is_of_this_process:
                yield None
            else:
                yield item.record()
        elif type(item[0]) is str:
            yield item
        else:
            activity, name, value, moment, step = item
            if type(name) is not str:
                name = _text(name)
            numbers = activity.numbers
            if numbers is None:
                numbers = activity.numbers = {}
            number = numbers.get(name, 0)
            numbers[name] = number + 1
            yield "metric", activity.identity, name, value, number, CLOCK + moment, step


def _text(name: Any) -> str:
    try:
        return str(name)
    except Exception:  # noqa: BLE001  # whatever a name does, the other records are written
        return f"a {type(name).__name__}"


class Bell:
    """Wakes the thread that waits for it. `threading.Event` does the same with more work at each wait."""

    def __init__(self) -> None:
        self._silence = threading.Lock()
        self._silence.acquire()

    def ring(self) -> None:
        """Wake the thread, or let its next wait return at once."""
        with suppress(RuntimeError):  # it has rung already
            self._silence.release()

    def wait(self, timeout: float = -1) -> None:
        """Wait until it rings, at most `timeout` seconds; without limit if negative."""
        self._silence.acquire(timeout=timeout)
