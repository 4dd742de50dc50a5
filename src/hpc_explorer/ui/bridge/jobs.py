"""Jobs as the window sees them: their changes, on the window's own thread."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar, TypeVarTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot

from hpc_explorer.app.jobs import Job, JobContext, Jobs, JobState
from hpc_explorer.ui.widgets.timers import single_shot

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

AT_ONCE = 0.008
"""Seconds after which no other answer is handed on before keys and clicks are looked after."""

NEWS_EVERY = 0.1
"""Seconds from one time that steps of jobs are told to the next; what has ended is told at once."""

Failed = Callable[[BaseException], None]


@dataclass(frozen=True)
class _Waiting:
    """What is called once a job ends, and the key of what was asked."""

    on_result: Callable[[Any], None] | None
    on_error: Failed | None
    key: Hashable | None


class JobsBridge(QObject):
    """Runs work in threads and brings its results to the thread this object lives in.

    Signals:
        changed(Job): a job began, said something of itself, or ended; several steps may be told as one.
        failed(Job): a job ended with an error that nobody else takes care of.
        servers_allowed(): queries from now on may ask more servers.
    """

    changed = Signal(object)
    failed = Signal(object)
    servers_allowed = Signal()
    _ended = Signal(int)
    _went_on = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._ends: dict[int, _Waiting] = {}
        self._latest: dict[Hashable, Job[Any]] = {}
        self._news: dict[int, Job[Any]] = {}
        self._lock = threading.Lock()
        self._untold: dict[int, Job[Any]] = {}
        self._is_on = False
        self._to_end: set[int] = set()
        self._delivered = -NEWS_EVERY
        self._ended.connect(self._deliver_end, Qt.ConnectionType.QueuedConnection)
        self._went_on.connect(self._deliver_soon, Qt.ConnectionType.QueuedConnection)
        self._telling = single_shot(self, 0, self._deliver)
        self._unsubscribe = jobs.on_change(self._take)

    def run(
        self,
        operation: Callable[[*Ts], T],
        *args: *Ts,
        title: str,
        on_result: Callable[[T], None] | None = None,
        on_error: Failed | None = None,
        replaces: Hashable | None = None,
        writes: bool = False,
    ) -> Job[T]:
        """Have `operation(*args)` done in a thread; its result or error comes to this one.

        Args:
            operation: if it has parameters called `limits` and `progress`, it is given those of the job.
            title: what is being done, in words.
            on_error: takes the error, which is `Cancelled` where a user stopped the job; without it any other error
                goes to the signal.
            replaces: the name of what is asked: whatever was asked under the same name is stopped, and its answer
                does not come. None: nothing is replaced, and `drop_all` leaves it alone.
            writes: whether it changes the graph; one change follows the other.
        """
        if replaces is not None:
            self.drop(replaces)
        job = self._jobs.submit(title, _work(operation, args), writes=writes)
        self._ends[job.number] = _Waiting(on_result, on_error, replaces)
        if replaces is not None:
            self._latest[replaces] = job
        return job

    def drop(self, name: Hashable) -> None:
        """Stop what was asked under a name; its answer does not come."""
        if name in self._latest:
            self.forget(self._latest[name])

    def drop_all(self) -> None:
        """Stop all that was asked under a name; no answer of it comes."""
        for name in tuple(self._latest):
            self.drop(name)

    def is_running(self, name: Hashable) -> bool:
        """Whether the answer to what was asked under a name has yet to come."""
        return name in self._latest

    def forget(self, job: Job[Any]) -> None:
        """Stop a job whose answer nobody waits for any more; nothing of it will be told."""
        self._taken(job)
        job.cancel()

    @property
    def servers(self) -> frozenset[str]:
        """The hosts that queries may ask with SERVICE."""
        return self._jobs.servers

    def allow_servers(self, servers: Iterable[str]) -> None:
        """Let queries from now on ask these hosts too."""
        self._jobs.servers |= frozenset(servers)
        self.servers_allowed.emit()

    def active(self) -> tuple[Job[Any], ...]:
        """The jobs that have not ended, the oldest first."""
        return self._jobs.active()

    @property
    def is_busy(self) -> bool:
        """Whether anybody waits for an answer, or a job has not ended."""
        return bool(self._ends or self._news or self._untold or self._jobs.active())

    def close(self) -> None:
        """Stop everything; nothing will be told any more."""
        self._unsubscribe()
        self._ends.clear()
        self._latest.clear()
        self._untold.clear()
        self._to_end.clear()
        self._jobs.shutdown()

    def _take(self, job: Job[Any]) -> None:
        is_end = job.state.finished
        with self._lock:
            self._news[job.number] = job
            is_step = not is_end and not self._is_on
            self._is_on = self._is_on or is_step
        if is_end:
            self._ended.emit(job.number)
        elif is_step:
            self._went_on.emit()

    @Slot()
    def _deliver_soon(self) -> None:
        """Tell of steps, if that was not done just now."""
        if not self._telling.isActive():
            left = self._delivered + NEWS_EVERY - time.perf_counter()
            self._telling.start(max(0, round(1000 * left)))

    @Slot(int)
    def _deliver_end(self, number: int) -> None:
        """Tell of the end of a job. By now all has come that its thread sent to this one before it ended."""
        self._to_end.add(number)
        self._deliver()

    @Slot()
    def _deliver(self) -> None:
        """Tell what is new; where that takes long, keys and clicks are looked after before the rest is told."""
        self._delivered = time.perf_counter()
        until = self._delivered + AT_ONCE
        with self._lock:
            self._untold |= self._news
            self._news = {}
            self._is_on = False
        while (number := self._next_told()) is not None:
            job, is_end = self._untold.pop(number), number in self._to_end
            self._to_end.discard(number)
            self.changed.emit(job)
            if is_end:
                self._end(job)
            if time.perf_counter() > until:
                self._telling.start(0)
                return

    def _next_told(self) -> int | None:
        """The number of the next job there is news of; one that ended waits until all that it sent has come."""
        told = (one for one, job in self._untold.items() if one in self._to_end or not job.state.finished)
        return next(told, None)

    def _end(self, job: Job[Any]) -> None:
        waiting = self._taken(job)
        if waiting is None:
            return
        if job.state is JobState.DONE:
            if waiting.on_result is not None:
                waiting.on_result(job.result(0))
        elif waiting.on_error is not None and job.error is not None:
            waiting.on_error(job.error)
        elif job.state is JobState.FAILED:
            self.failed.emit(job)

    def _taken(self, job: Job[Any]) -> _Waiting | None:
        """Who waits for a job, and does so no longer."""
        waiting = self._ends.pop(job.number, None)
        if waiting is not None and waiting.key is not None:
            del self._latest[waiting.key]
        return waiting


def _work(operation: Callable[..., T], args: tuple[object, ...]) -> Callable[[JobContext], T]:
    takes = inspect.signature(operation).parameters

    def work(context: JobContext) -> T:
        of_the_job = {name: getattr(context, name) for name in ("limits", "progress") if name in takes}
        return operation(*args, **of_the_job)

    return work
