"""Background jobs in threads, with progress and cancellation.

One serial lane runs jobs that change the store; a few threads run jobs that only read. This module does not use Qt: the
window receives changes through a callback and moves them to its own thread.
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from hpc_explorer.errors import Cancelled
from hpc_explorer.stores.base import CancelToken, Limits

T = TypeVar("T")


class JobState(Enum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def finished(self) -> bool:
        """Whether the job has ended."""
        return self in (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


@dataclass(frozen=True)
class Progress:
    """The current step of a job, and the completed fraction.

    Args:
        text: the step, such as the file being read.
        fraction: 0 to 1; None if unknown.
    """

    text: str = ""
    fraction: float | None = None


@dataclass(frozen=True)
class JobContext:
    """The argument of a job's work.

    Args:
        limits: to be passed to every operation, so that it can be cancelled.
        report: takes a `Progress`.
    """

    limits: Limits
    report: Callable[[Progress], None]

    def progress(self, text: str, fraction: float | None = None) -> None:
        """Report the current step and the completed fraction (0 to 1)."""
        self.report(Progress(text, fraction))


class Job(Generic[T]):
    """A piece of work, from its submission to its result or error.

    Attributes:
        number: its position in the order of submission.
        title: a description for the user.
        progress: the last report.
        error: the exception, if it failed or was cancelled.
    """

    def __init__(
        self,
        number: int,
        title: str,
        changed: Callable[[Job[Any]], None],
        token: CancelToken | None = None,
        servers: frozenset[str] = frozenset(),
    ) -> None:
        self.number = number
        self.title = title
        self.progress = Progress()
        self.state = JobState.WAITING
        self.error: BaseException | None = None
        self._value: T | None = None
        self._limits = Limits(cancel=token or CancelToken(), servers=servers)
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._changed = changed

    def cancel(self) -> None:
        """Cancel the job: a waiting one ends at once, a running one at its next check of the limits."""
        assert self._limits.cancel is not None
        self._limits.cancel.cancel()
        with self._lock:
            waiting = self.state is JobState.WAITING
            if waiting:
                self._become(JobState.CANCELLED, Cancelled(f"{self.title} was cancelled"))
        if waiting:
            self._changed(self)

    def result(self, timeout: float | None = None) -> T:
        """Wait for the value, at most `timeout` seconds.

        Raises:
            TimeoutError: it has not ended yet.
            BaseException: the error of the work; `Cancelled` if it was cancelled.
        """
        if not self._ended.wait(timeout):
            raise TimeoutError(f"{self.title} has not ended within {timeout} s")
        with self._lock:
            pass  # wait until the final state is set
        if self.error is not None:
            raise self.error
        return self._value  # type: ignore[return-value]  # set before the event, unless there is an error

    def _run(self, work: Callable[[JobContext], T]) -> None:
        with self._lock:
            if self.state is not JobState.WAITING:
                return
            self.state = JobState.RUNNING
        self._changed(self)
        try:
            self._value = work(JobContext(self._limits, self._report))
        except Cancelled as stop:
            self._end(JobState.CANCELLED, stop)
        except BaseException as error:  # noqa: BLE001  `result` raises it in the thread of the caller
            self._end(JobState.FAILED, error)
        else:
            self._end(JobState.DONE, None)

    def _report(self, progress: Progress) -> None:
        self.progress = progress
        self._changed(self)

    def _end(self, state: JobState, error: BaseException | None) -> None:
        if error is not None:
            _clear_frames(error)
        with self._lock:
            self._become(state, error)
        self._changed(self)

    def _become(self, state: JobState, error: BaseException | None) -> None:
        """Set the final state, after the outcome, which readers of the state expect; the caller holds the lock."""
        self.error = error
        self._ended.set()
        self.state = state


def _clear_frames(error: BaseException) -> None:
    """Clear the frames of an error's traceback; its lines can still be printed.

    Their variables, such as an iterator of the store engine, may be bound to the thread that created them and must not
    be freed in another thread.
    """
    link: BaseException | None = error
    while link is not None:
        traceback.clear_frames(link.__traceback__)
        link = link.__cause__ or link.__context__


class _YieldingToken(CancelToken):
    """A token that yields to the UI thread at each check."""

    def __init__(self, used: Callable[[], float]) -> None:
        super().__init__()
        self._yield = UiThreadYield(used)

    def at_step(self) -> None:
        self._yield.at_step()


class Jobs:
    """The threads of a program: one for changes, `readers` for reading jobs; started when needed.

    Args:
        readers: the number of reading jobs that run at the same time.
        first: the thread to which all others yield while it is busy, such as that of the window.

    Attributes:
        servers: the hosts that queries of new jobs may contact with SERVICE.
    """

    def __init__(self, readers: int = 4, first: threading.Thread | None = None) -> None:
        self.servers: frozenset[str] = frozenset()
        self._used = processor_time_of(first) if first is not None else None
        self._numbers = itertools.count(1)
        self._reading = _Lane("reader", readers)
        self._writing = _Lane("writer", 1)
        self._callbacks: list[Callable[[Job[Any]], None]] = []
        self._active: dict[int, Job[Any]] = {}
        self._lock = threading.Lock()
        self._closed = False

    def submit(self, title: str, work: Callable[[JobContext], T], *, writes: bool = False) -> Job[T]:
        """Run `work` in a thread.

        Args:
            title: a description for the user.
            work: takes a `JobContext` and returns the result.
            writes: whether it changes the store; it then waits for earlier changes.

        Raises:
            RuntimeError: after `shutdown`.
        """
        token = None if self._used is None else _YieldingToken(self._used)
        job: Job[T] = Job(next(self._numbers), title, self._changed, token, self.servers)
        with self._lock:
            if self._closed:
                raise RuntimeError(f"{title} was submitted after the shutdown")
            self._active[job.number] = job
            (self._writing if writes else self._reading).put(lambda: job._run(work))
        self._changed(job)
        return job

    def active(self) -> tuple[Job[Any], ...]:
        """The jobs that have not ended, oldest first."""
        with self._lock:
            return tuple(job for job in self._active.values() if not job.state.finished)

    def on_change(self, callback: Callable[[Job[Any]], None]) -> Callable[[], None]:
        """Call back with each job that changes, in the thread that changed it; returns a function that unsubscribes."""
        with self._lock:
            self._callbacks.append(callback)

        def unsubscribe() -> None:
            with self._lock:
                if callback in self._callbacks:
                    self._callbacks.remove(callback)

        return unsubscribe

    def shutdown(self, timeout: float = 5.0) -> bool:
        """Cancel all jobs, and wait at most `timeout` seconds for the threads.

        Returns:
            Whether all threads ended; one in a call that cannot be cancelled ends with the process.
        """
        with self._lock:
            self._closed = True
            self._callbacks.clear()
            active = tuple(self._active.values())
        for job in active:
            job.cancel()
        ends = time.monotonic() + timeout
        closed = [lane.close(ends) for lane in (self._reading, self._writing)]
        return all(closed)

    def _changed(self, job: Job[Any]) -> None:
        with self._lock:
            if job.state.finished:
                self._active.pop(job.number, None)
            callbacks = tuple(self._callbacks)
        for callback in callbacks:
            callback(job)


class _Lane:
    """At most `size` daemon threads that process a queue."""

    def __init__(self, name: str, size: int) -> None:
        self._name = name
        self._size = size
        self._threads: list[threading.Thread] = []
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()

    def put(self, work: Callable[[], None]) -> None:
        self._work.put(work)
        if len(self._threads) < self._size:
            thread = threading.Thread(target=self._take, name=f"{self._name}-{len(self._threads) + 1}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def close(self, ends: float) -> bool:
        for _ in self._threads:
            self._work.put(None)
        for thread in self._threads:
            thread.join(max(0.0, ends - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _take(self) -> None:
        while (work := self._work.get()) is not None:
            work()
            del work  # with what it found, which may be large and would be kept until the next job


LOOK = 0.001
"""Polling interval in seconds; a check takes a microsecond."""

AT_WORK = 0.00003
"""Processor seconds since the last check above which a thread is busy. A thread that waits for the interpreter lock
uses little; one that waits for events uses none."""

NAP = 0.001
"""Seconds to sleep before the next check."""

LONGEST = 0.04
"""Seconds after which a job continues anyway, because the window may be waiting for it."""

TURN = 0.01
"""Seconds that it then computes without a check, to make progress while a window draws continuously."""


class UiThreadYield:
    """Yields to another thread, the window's, at each step of a job.

    Only one thread at a time holds Python's interpreter lock, and Qt releases it at each call: without this, a window
    that makes a thousand calls while a job computes waits a thousand times.

    Args:
        used: the processor seconds that the other thread has used so far.
        now: a clock in seconds.
        nap: sleeps for a number of seconds and releases the interpreter lock.
    """

    def __init__(
        self,
        used: Callable[[], float],
        now: Callable[[], float] = time.perf_counter,
        nap: Callable[[float], None] = time.sleep,
    ) -> None:
        self._used, self._now, self._nap = used, now, nap
        self._had_used = used()
        self._next = now() + LOOK

    def at_step(self) -> None:
        """Sleep while the other thread is busy."""
        now = self._now()
        if now < self._next:
            return
        used = self._used()
        is_done = True
        if used - self._had_used > AT_WORK:
            now, used, is_done = self._wait(now, used)
        self._had_used = used
        self._next = now + (LOOK if is_done else TURN)

    def _wait(self, now: float, used: float) -> tuple[float, float, bool]:
        """Wait; returns the time, the processor seconds used, and whether the other thread is idle."""
        until = now + LONGEST
        while now < until:
            self._nap(NAP)
            had_used = used
            now, used = self._now(), self._used()
            if used - had_used <= AT_WORK:
                return now, used, True
        return now, used, False


def processor_time_of(thread: threading.Thread) -> Callable[[], float] | None:
    """A function that returns the processor seconds of a running thread; None if the system has no such clock."""
    clock_of = getattr(time, "pthread_getcpuclockid", None)
    if clock_of is None or thread.ident is None or not thread.is_alive():
        return None
    clock = clock_of(thread.ident)
    return lambda: time.clock_gettime(clock)
