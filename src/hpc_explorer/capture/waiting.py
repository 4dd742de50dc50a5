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

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

monotonic = time.monotonic_ns
CLOCK = time.time_ns() - monotonic()
"""The time of `monotonic` 0 in nanoseconds since 1970."""


def now() -> int:
    """The time in nanoseconds since 1970. It never goes back, also when the system's clock is set back."""
    return CLOCK + monotonic()


class Queue(deque[Any]):
    """The waiting items of this process.

    Attributes:
        attend_at: with fewer waiting items, nothing but `append` is to be done for another one.
        process: a new object in each process, also after a fork.
    """

    __slots__ = ("attend_at", "process")

    def __init__(self) -> None:
        super().__init__()
        self.attend_at = 0
        self.process = object()

    def begin_process(self) -> None:
        """Begin anew in a forked process; what waits is the parent's to write."""
        self.clear()
        self.attend_at = 0
        self.process = object()


queue = Queue()


class Row:
    """Batches or epochs of one activity whose indices grow; an index that comes again begins another row.

    Attributes:
        run: the identity of the activity's run.
        prefix: the identity of one of them without its index.
        number: 1 for the first row of the activity, 2 for the next.
        last: the last index; larger than any other if the activity has no row yet.
    """

    __slots__ = ("last", "number", "prefix", "run")

    def __init__(self, run: str, prefix: str, number: int, last: float = -1) -> None:
        self.run = run
        self.prefix = prefix
        self.number = number
        self.last = last


NO_ROW = Row("", "", 0, float("inf"))


class Activity:
    """A running activity.

    Args:
        identity: its path, from the run on.
        run: the identity of its run.
        plain: whether it has no role in learning, so what is logged is a value of a data transformation.

    Attributes:
        process: `queue.process` of the process that began it.
        batches: the newest row of batches in it.
        numbers: how many values of each metric were written; the writing thread counts.
        attached: stages of the run that were begun within its epochs, by identity.
    """

    __slots__ = ("_counts", "_identity", "_run", "attached", "batches", "epochs", "numbers", "plain", "process")

    def __init__(self, identity: str, run: str, *, plain: bool = False) -> None:
        self._identity = identity
        self._run = run
        self.plain = plain
        self.process: object = queue.process
        self.batches = NO_ROW
        self.epochs = NO_ROW
        self.numbers: dict[str, int] | None = None
        self.attached: dict[str, Activity] | None = None
        self._counts: dict[str, int] | None = None

    @property
    def identity(self) -> str:
        """Its path, from the run on."""
        return self._identity

    @property
    def run(self) -> str:
        """The identity of its run."""
        return self._run

    def count(self, name: str) -> int:
        """0, 1, 2, … for what has the same name in this activity; never the same number twice, also in threads."""
        with lock:
            counts: dict[str, int] = getattr(self, "_counts", None) or {}
            self._counts = counts
            number = counts.get(name, 0)
            counts[name] = number + 1
        return number

    def in_row(self, kind: str, index: int | None) -> tuple[Row, int]:
        """The row of an epoch or batch that begins now, and its index: the next one if None is given."""
        with lock:
            row: Row = self.batches if kind == "batch" else getattr(self, "epochs", NO_ROW)
            if row is NO_ROW:
                row = Row(self.run, f"{self.identity}/{kind}:", 1)
            if index is None:
                index = int(row.last) + 1
            elif index <= row.last:
                row = Row(self.run, f"{self.identity}/{kind}:{row.number + 1}-", row.number + 1)
            row.last = index
            if kind == "batch":
                self.batches = row
            else:
                self.epochs = row
        return row, index


NOBODY = Activity("", "")
"""Stands for no activity, where none is running."""
NOBODY.process = None

lock = threading.Lock()


def renew_lock() -> None:
    """Make a new lock in a forked process: another thread of the parent may have held it."""
    global lock
    lock = threading.Lock()


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


def records_of(items: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """The records of items of the queue, each once and in order, as numbers are counted here."""
    for item in items:
        if type(item) is not tuple:
            if type(item) is Gap:
                item.close()
            elif type(item) is not Mark:
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
