"""Background jobs for the window: results and progress arrive on the window's thread."""

from __future__ import annotations

import inspect
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, TypeVar, TypeVarTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot
from shiboken6 import isValid

from hpc_explorer.app.jobs import Job, JobContext, Jobs, JobState
from hpc_explorer.ui.widgets.timers import single_shot

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

AT_ONCE = 0.008
"""Seconds of delivering results before the event loop handles input again."""

NEWS_EVERY = 0.1
"""Seconds between progress notices; the end of a job is delivered at once."""

Failed = Callable[[BaseException], None]


@dataclass(frozen=True)
class _Waiting:
    """The callbacks of a job, and the name of its request."""

    on_result: Callable[[Any], None] | None
    on_error: Failed | None
    key: Hashable | None


class JobsBridge(QObject):
    """Runs work in threads and delivers results on the thread of this object.

    Signals:
        changed(Job): a job started, progressed or ended; several steps may arrive as one.
        failed(Job): a job without an error callback failed.
        servers_allowed(): queries may contact more servers.
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
        self._undelivered: dict[int, Job[Any]] = {}
        self._is_on = False
        self._to_end: set[int] = set()
        self._delivered = -NEWS_EVERY
        self._ended.connect(self._deliver_end, Qt.ConnectionType.QueuedConnection)
        self._went_on.connect(self._deliver_soon, Qt.ConnectionType.QueuedConnection)
        self._timer = single_shot(self, 0, self._deliver)
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
        """Run `operation(*args)` in a thread.

        Args:
            operation: receives the job's `limits` and `progress` if it has parameters of these names.
            title: what is being done, for the status bar.
            on_result: receives the result. A method of a widget that was deleted meanwhile is not called; a lambda is.
            on_error: receives the error, `Cancelled` included. Without it, `failed` reports errors.
            replaces: the name of the request; it cancels an earlier request of the same name. A request without
                a name is not affected by `drop_all`.
            writes: whether it changes the graph; such jobs run one after another.
        """
        if replaces is not None:
            self.drop(replaces)
        job = self._jobs.submit(title, _work(operation, args), writes=writes)
        self._ends[job.number] = _Waiting(on_result, on_error, replaces)
        if replaces is not None:
            self._latest[replaces] = job
        return job

    def import_first(self, module: str, then: Callable[[], None], title: str) -> None:
        """Import a large module in a thread, unless that was done, and go on; importing would hold up the window.

        Args:
            title: what is being done, for the status bar.
        """
        if module in sys.modules:
            then()
        else:
            self.run(import_module, module, title=title, on_result=lambda _: then(), replaces=module)

    def drop(self, name: Hashable) -> None:
        """Cancel the request of a name without delivering its result."""
        if name in self._latest:
            self.forget(self._latest[name])

    def drop_all(self) -> None:
        """Cancel all requests that have a name."""
        for name in tuple(self._latest):
            self.drop(name)

    def is_running(self, name: Hashable) -> bool:
        """Whether the request of a name is unanswered."""
        return name in self._latest

    def forget(self, job: Job[Any]) -> None:
        """Cancel a job without delivering its result."""
        self._pop(job)
        job.cancel()

    @property
    def servers(self) -> frozenset[str]:
        """The hosts that queries may contact with SERVICE."""
        return self._jobs.servers

    def allow_servers(self, servers: Iterable[str]) -> None:
        """Allow queries to contact these hosts."""
        self._jobs.servers |= frozenset(servers)
        self.servers_allowed.emit()

    def active(self) -> tuple[Job[Any], ...]:
        """The unfinished jobs, oldest first."""
        return self._jobs.active()

    @property
    def is_busy(self) -> bool:
        """Whether a job is unfinished or a result is undelivered."""
        return bool(self._ends or self._news or self._undelivered or self._jobs.active())

    def close(self) -> None:
        """Cancel everything; nothing more is delivered."""
        self._unsubscribe()
        self._ends.clear()
        self._latest.clear()
        self._undelivered.clear()
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
        """Deliver progress, at most once in `NEWS_EVERY` seconds."""
        if not self._timer.isActive():
            left = self._delivered + NEWS_EVERY - time.perf_counter()
            self._timer.start(max(0, round(1000 * left)))

    @Slot(int)
    def _deliver_end(self, number: int) -> None:
        """Deliver the end of a job. All signals that its thread sent before have arrived by now."""
        self._to_end.add(number)
        self._deliver()

    @Slot()
    def _deliver(self) -> None:
        """Deliver notices; after `AT_ONCE` seconds, let the event loop run before delivering the rest."""
        self._delivered = time.perf_counter()
        until = self._delivered + AT_ONCE
        with self._lock:
            self._undelivered |= self._news
            self._news = {}
            self._is_on = False
        while (number := self._next_reported()) is not None:
            job, is_end = self._undelivered.pop(number), number in self._to_end
            self._to_end.discard(number)
            self.changed.emit(job)
            if is_end:
                self._end(job)
            if time.perf_counter() > until:
                self._timer.start(0)
                return

    def _next_reported(self) -> int | None:
        """The next job to report. An ended job waits until `_ended` has arrived."""
        reported = (one for one, job in self._undelivered.items() if one in self._to_end or not job.state.finished)
        return next(reported, None)

    def _end(self, job: Job[Any]) -> None:
        waiting = self._pop(job)
        if waiting is None:
            return
        if job.state is JobState.DONE:
            if waiting.on_result is not None and not _is_of_the_past(waiting.on_result):
                waiting.on_result(job.result(0))
        elif waiting.on_error is not None and job.error is not None:
            if not _is_of_the_past(waiting.on_error):
                waiting.on_error(job.error)
        elif job.state is JobState.FAILED:
            self.failed.emit(job)

    def _pop(self, job: Job[Any]) -> _Waiting | None:
        """Remove and return the callbacks of a job."""
        waiting = self._ends.pop(job.number, None)
        if waiting is not None and waiting.key is not None:
            del self._latest[waiting.key]
        return waiting


def _is_of_the_past(callback: Callable[..., object]) -> bool:
    """Whether a callback is a method or a `partial` of a widget that was deleted, such as a dialog that was closed."""
    about: list[object] = []
    while isinstance(callback, partial):
        about += callback.args
        callback = callback.func
    about.append(getattr(callback, "__self__", None))
    return any(isinstance(one, QObject) and not isValid(one) for one in about)


def _work(operation: Callable[..., T], args: tuple[object, ...]) -> Callable[[JobContext], T]:
    takes = inspect.signature(operation).parameters

    def work(context: JobContext) -> T:
        of_the_job = {name: getattr(context, name) for name in ("limits", "progress") if name in takes}
        return operation(*args, **of_the_job)

    return work
