"""What a training calls for each batch: `batch` and `log_metric`.

They are called often, by programs whose own data fill the caches, so the usual case has as few steps as possible: it
looks at few objects, takes no lock, and leaves all that can be done later to the thread that writes. Names that are
looked up in each call stand together here.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from hpc_explorer.capture import recorder as recording
from hpc_explorer.capture import running
from hpc_explorer.capture.activities import Decorator, Loop, described_error, leave
from hpc_explorer.capture.running import current, outside
from hpc_explorer.capture.values import PLAIN, plain
from hpc_explorer.capture.waiting import CLOCK, Activity, monotonic, on_switch

_T = TypeVar("_T")

_get, _set = running.innermost.get, running.innermost.set
_append: Callable[[Any], None] = recording.append
_monotonic, _type, _float, _new, _none_yet = monotonic, type, float, object.__new__, math.inf


def _use(append: Callable[[Any], None]) -> None:
    global _append
    _append = append


def _after_fork() -> None:
    global _get, _set
    _get, _set = running.innermost.get, running.innermost.set


on_switch(_use)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def log_metric(name: str, value: float, step: int | None = None) -> None:
    """Record a measured value, such as a loss, of the innermost activity.

    Args:
        value: a number, or an array or tensor with one number; a tensor on a device is waited for.
        step: the step of the training that it belongs to.
    """
    activity = _get()
    if activity is None or activity.ended or _type(value) is not _float:
        _log_metric(name, value, step)
    else:
        _append((activity, name, value, _monotonic(), step))


def _log_metric(name: str, value: Any, step: int | None) -> None:
    activity = current()
    if activity is None:
        outside("a metric")
        return
    if type(value) not in PLAIN:
        value = plain(value)
    _append((activity, name, value, monotonic(), step))


def log_metrics(values: Mapping[str, float], step: int | None = None) -> None:
    """Record several measured values; see `log_metric`."""
    for name, value in values.items():
        log_metric(name, value, step)


class Batch(Activity, Decorator):
    """A batch, made by `batch`: step, activity and waiting item in one object. It has one record, at its end.

    The context variable is not set back at the end, as each batch sets it: an ended batch stands for what is around it.
    """

    __slots__ = ("_given", "_index", "_is_next", "_prefix", "_used_again")

    _given: int | None
    plain = False

    @property
    def identity(self) -> str:
        """Its path, from the run on."""
        return f"{self._prefix}{self._index}"

    def record(self) -> tuple[Any, ...]:
        """Its record, when it has ended."""
        return "batch", self.identity, CLOCK + self.begun, CLOCK + self.ended, None

    def _again(self) -> Batch:
        return batch(None if getattr(self, "_is_next", False) else getattr(self, "_index", self._given))

    def __enter__(self) -> Activity | None:
        around = _get()
        if around is not None and around.ended:
            around = around.around
        index = self._given
        # Threads do not switch between the comparison and the assignment, as nothing is called there.
        if around is None or index is None or index <= around.last_batch:
            return self._begin()
        around.last_batch = index
        self.around = around
        self._index = index
        self._given = None
        self._prefix = around.batch_prefix
        self.numbers = None
        self.last_batch = _none_yet
        self.ended = 0
        _set(self)
        self.begun = _monotonic()
        return self

    def _begin(self) -> Activity | None:
        """`__enter__`, where not all is as usual."""
        if hasattr(self, "_index"):  # entered again, so it is another batch: the first one may still be waiting
            if not self.ended:
                recording.recorder().lose("a batch that was entered again before its end")
            again = self._again() if self.ended else None
            self._used_again = [*getattr(self, "_used_again", ()), again]
            return None if again is None else again.__enter__()
        around = current()
        if around is None:
            outside("a batch")
            self.ended = -1
            return None
        self._is_next = self._given is None
        self._prefix, self._index = around.place("batch", self._given)
        self._given = None
        # A thread without an activity of its own may find another workflow after this batch.
        self.around = None if _get() is None else around
        self.numbers = None
        self.last_batch = math.inf
        self.ended = 0
        _set(self)
        self.begun = monotonic()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is not None or self.ended:
            self._end(kind, error)
        else:
            self.ended = _monotonic()
            self.last_batch = _none_yet  # nothing begins in it any more
            _append(self)

    def _end(self, kind: type[BaseException] | None, error: object) -> None:
        """`__exit__`, where not all is as usual."""
        if self.ended:
            if used_again := getattr(self, "_used_again", None):
                again = used_again.pop()
                if again is not None:
                    again.__exit__(kind, error, None)
            return
        self.ended = monotonic()
        self.last_batch = math.inf
        if kind is not None and self.is_of_this_process:
            _append((*self.record()[:-1], described_error(kind, error)))


def batch(index: int | None = None) -> Batch:
    """A batch of an epoch or stage.

    Args:
        index: its number; the next one otherwise.
    """
    made = _new(Batch)
    made._given = index
    return made


class _Batches(Loop[_T]):
    """A loop of batches. Its turns do what `Batch` does in the usual case, without calling it: each call costs."""

    def __iter__(self) -> Iterator[_T]:
        for index, item in enumerate(self._items):
            made = _new(Batch)
            around = _get()
            if around is not None and around.ended:
                around = around.around
            if around is None or index <= around.last_batch:
                made._given = index
                made._begin()
            else:
                around.last_batch = index
                made.around = around
                made._index = index
                made._prefix = around.batch_prefix
                made.numbers = None
                made.last_batch = _none_yet
                made.ended = 0
                _set(made)
                made.begun = _monotonic()
            try:
                yield item
            except BaseException as error:
                leave(made, error)
                raise
            if made.ended:
                made._end(None, None)
            else:
                made.ended = _monotonic()
                made.last_batch = _none_yet
                _append(made)


def batches(items: Iterable[_T]) -> Loop[_T]:
    """The items of a loop, each turn of which is a batch: `for images, labels in capture.batches(loader)`."""
    return _Batches(items, batch)
