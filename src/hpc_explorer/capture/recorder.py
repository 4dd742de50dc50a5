"""The recorder of a process: a queue, and a thread that writes it to the spool and to a broker.

A call appends a tuple to the queue and returns. The thread takes records from the queue, at the latest after `interval`
seconds, frames them and writes them. A second thread computes the checksums of files.

**Acknowledged** is a record that is in the spool file by a returned `write`, or that the broker has confirmed. The kill
of the process does not lose it; the failure of the whole machine can, unless `sync` is on. `flush` waits until all
records so far are acknowledged. The end of a workflow, the interpreter's exit and SIGTERM flush.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import sys
import threading
import time
import uuid
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from hpc_explorer.capture.spool import SUFFIX, frames, header, write_all
from hpc_explorer.capture.waiting import Bell, Gap, Mark, append_by, begin_process, queue, records_of

_CHUNK = 256  # records in one write; the thread holds the interpreter's lock for about half a millisecond
_LARGEST = 4096  # records in one write while many wait; each write costs a wait for that lock
_SOON, _MANY = 0.1, 100_000  # no program makes so many records within so many seconds, so they need not be counted
_PAUSES = (0.5, 1.0, 2.0, 5.0)  # seconds before the next attempt after a failed write


@dataclass(frozen=True)
class CaptureSettings:
    """Where and how records are written (seed 004, section 5.3).

    Args:
        folder: the spool folder; made at the first record.
        disk: whether records are written to the spool. Without it they go to the broker alone, and to the spool while
            the broker does not answer.
        online: the address of a broker, such as `redis://host:6379/0`; None for none.
        stream: the name of the broker's stream.
        queue_size: this many waiting records wake the writing thread before `interval` is over.
        interval: the longest time in seconds that a record waits for the thread.
        memory: the maximum number of waiting records while nothing can be written; further ones are not recorded.
        sync: whether each write is followed by `fsync`, so that records survive the failure of the machine.
        exit_wait: the longest time in seconds that the end of a workflow waits for writing and for checksums.
    """

    folder: Path = Path("provenance")
    disk: bool = True
    online: str | None = None
    stream: str = "hpc-explorer"
    queue_size: int = 5_000
    interval: float = 0.1
    memory: int = 500_000
    sync: bool = False
    exit_wait: float = 60.0


class Broker(Protocol):
    """A connection to a broker."""

    def send(self, process: str, data: list[bytes]) -> None:
        """Send frames. Raises OSError unless the broker has confirmed all of them."""

    def close(self) -> None:
        """Close the connection."""


class LateRecord(Protocol):
    """A record about a file whose checksum is not yet known."""

    def with_checksum(self) -> tuple[Any, ...]:
        """The record; reads the file. Never raises."""

    def without_checksum(self) -> tuple[Any, ...]:
        """The record, if there is no time for reading the file."""


class Recorder:
    """Writes the records of this process, which wait in `queue`.

    Attributes:
        settings: where and how they are written.
        process: the identity of this process in the spool.
    """

    def __init__(self, settings: CaptureSettings) -> None:
        self.settings = settings
        self.process = _identity()
        self._attend_at = 0  # with fewer waiting items there is nothing to be done for another one
        self._gap: Gap | None = None
        self._framed: list[bytes] = []  # the frames of the first items of the queue
        self._lost: dict[str, int] = {}
        self._written_losses: dict[str, int] = {}
        self._reported_losses: dict[str, int] = {}
        self._wake = Bell()
        self._thread: threading.Thread | None = None
        self._starting = threading.RLock()  # a signal handler may interrupt its holder
        self._writing = threading.Lock()
        self._stopping = False
        self._file: int | None = None
        self._size = 0
        self._failures = 0
        self._broker: Broker | None = None
        self._broker_from = 0.0
        self._broker_failures = 0
        self._hashing: deque[Any] = deque()
        self._hash_wake = Bell()
        self._hasher: threading.Thread | None = None
        self._last_problem = ""

    # What callers do

    def append(self, item: Any) -> None:
        """Add an item to the queue; never waits for a disk or a network."""
        if len(queue) < self._attend_at:
            queue.append(item)
            return
        with self._starting:
            waiting, settings = len(queue), self.settings
            if waiting >= settings.memory:
                self.lose(self._last_problem or "more records than the memory for waiting ones")
                if self._gap is None:
                    self._gap = Gap()
                    self._attend_at = 0
                    append_by(self.append)
                self._gap.add(item)
                return
            self._close_gap()
            queue.append(item)
            self._start()
            if self._thread is not None:
                self._attend_at = settings.memory if waiting >= settings.queue_size else self._usual
        if waiting >= settings.queue_size:
            self._wake.ring()

    def _close_gap(self) -> None:
        if self._gap is not None:
            queue.append(self._gap)
            self._gap = None

    @property
    def _usual(self) -> int:
        """The number of waiting items that wakes the thread."""
        return min(self.settings.queue_size, self.settings.memory)

    def append_later(self, record: LateRecord) -> None:
        """Add a record that a thread of its own completes, because it reads a file."""
        self._hashing.append(record)
        with self._starting:
            if self._hasher is None:
                hasher = threading.Thread(target=self._hash, name="capture-checksums", daemon=True)
                with suppress(RuntimeError):  # the interpreter is ending
                    self._stopping = False
                    hasher.start()
                    self._hasher = hasher
        self._hash_wake.ring()

    def lose(self, why: str, number: int = 1) -> None:
        """Count records that are not recorded."""
        with self._starting:
            self._lost[why] = self._lost.get(why, 0) + number

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all records so far are acknowledged.

        Args:
            timeout: seconds; None for the settings' `exit_wait`.

        Returns: whether they are. False: some are waiting, or were not recorded.
        """
        end = time.monotonic() + (self.settings.exit_wait if timeout is None else timeout)
        lost = sum(self._lost.values())
        mark = Mark()
        if self._hasher is not None:
            self._hashing.append(mark)
            self._hash_wake.ring()
        elif queue or self._thread is not None:
            queue.append(mark)
        else:
            return True
        while not mark.reached.is_set():
            self._wake.ring()
            self._start()
            if self._thread is None:
                self._write_here()
            if not mark.reached.wait(min(0.5, max(0.0, end - time.monotonic()))) and time.monotonic() >= end:
                return False
        return sum(self._lost.values()) == lost

    def stop(self, timeout: float | None = None) -> None:
        """Flush, end the threads, close the file, and print one line if records were not recorded."""
        if not self.flush(timeout):
            self._write_here()
        self._stopping = True
        self._wake.ring()
        self._hash_wake.ring()
        for thread in (self._hasher, self._thread):
            if thread is not None and thread is not threading.current_thread():
                thread.join(timeout=2.0)
        self._end()

    def use(self, settings: CaptureSettings) -> None:
        """Write as these settings say from now on; what waits is written as before."""
        self.stop()
        with self._writing:
            self._close()
            self.settings = settings
            self.process = _identity()
            self._failures = self._broker_failures = 0
            self._broker_from = 0.0
            self._last_problem = ""

    def stop_at_once(self) -> None:
        """Write all waiting records in this thread, without missing checksums; for a signal handler."""
        self._write_here()
        self._end()

    def _write_here(self) -> None:
        if not self._writing.acquire(timeout=2.0):
            return
        try:
            while self._hashing:
                item = self._hashing.popleft()
                queue.append(item if isinstance(item, Mark) else item.without_checksum())
            while queue and self._write_some():
                pass
        finally:
            self._writing.release()

    def _end(self) -> None:
        left = sum(not isinstance(item, Mark | Gap) for item in list(queue))
        if left and self._writing.acquire(timeout=2.0):
            try:
                self.lose(self._last_problem or "the process ended first", left)
                # They are counted, so that later metrics have their right numbers.
                deque(records_of(list(islice(queue, len(self._framed), None))), maxlen=0)
                queue.clear()
                self._framed = []
            finally:
                self._writing.release()
        self._close()
        with self._starting:
            self._thread = self._hasher = None
            self._attend_at = 0
            append_by(self.append)
        self._report()

    def _report(self) -> None:
        """One line for records that were lost since the last line."""
        parts = [f"{number:,} ({why})" for why, number in _increase(self._reported_losses, self._lost)]
        self._reported_losses = dict(self._lost)
        if parts:
            with suppress(OSError, ValueError):
                sys.stderr.write(f"hpc-explorer-capture: records that were not written: {'; '.join(parts)}\n")
                sys.stderr.flush()

    # The writing thread

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="capture-writer", daemon=True)
                _hook_ends()
                self._stopping = False
                with suppress(RuntimeError):  # the interpreter is ending: `stop` writes in its own thread
                    thread.start()
                    self._thread = thread

    def _run(self) -> None:
        pause, settings = 0.0, self.settings
        while not self._stopping:
            if not queue or pause:
                self._wake.wait(pause or settings.interval)
            if not queue:
                pause = 0.0
                continue
            append_by(self.append)  # a disk may make it wait, and the queue grow
            with self._writing:
                ok = True
                while queue and ok:
                    ok = self._write_some()
            if ok:
                with self._starting:
                    if self._thread is threading.current_thread():
                        self._close_gap()
                        self._attend_at = self._usual
                        if settings.interval <= _SOON and settings.memory >= _MANY:
                            append_by(queue.append)
            pause = 0.0 if ok else _PAUSES[min(self._failures, len(_PAUSES)) - 1]

    def _write_some(self) -> bool:
        """Write the first items of the queue, and remove them from it; whether that worked.

        They leave the queue after they were written, so a failure loses none of them. Their frames are made once, as
        metrics are counted then.
        """
        if not self._framed:
            # The copy is made by one call, during which no thread adds an item.
            items = list(islice(queue, max(_CHUNK, min(len(queue) // 4, _LARGEST))))
            self._framed = frames(records_of(items))
        number = len(self._framed)
        if not self._write(self._framed):
            if number <= _CHUNK or not self._write(self._framed[:_CHUNK]):  # fewer may fit on the disk
                self._failures += 1
                return False
            number = _CHUNK
        self._failures = 0
        del self._framed[:number]
        for _ in range(number):
            item = queue.popleft()
            if type(item) is Mark:
                item.reached.set()
        return True

    def _write(self, made: list[bytes]) -> bool:
        if not any(made):
            return True
        losses = dict(self._lost)
        lost = frames(("lost", number, why) for why, number in _increase(self._written_losses, losses))
        data = [*lost, *made]
        settings = self.settings
        sent = settings.online is not None and self._send(data)
        if (settings.disk or not sent) and not self._write_to_disk(b"".join(data)):
            return False
        self._written_losses = losses
        return True

    def _write_to_disk(self, data: bytes) -> bool:
        try:
            if self._file is None:
                folder = self.settings.folder
                folder.mkdir(parents=True, exist_ok=True)
                flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
                self._file = os.open(folder / f"{self.process}{SUFFIX}", flags, 0o666)
                self._size = os.fstat(self._file).st_size
            if not self._size:
                data = header(self.process) + data
            write_all(self._file, data)
            if self.settings.sync:
                os.fsync(self._file)
        except OSError as error:
            self._last_problem = f"{self.settings.folder}: {error.strerror or error}"
            # A frame that was written in part is removed, so the file ends with a whole one.
            with suppress(OSError):
                if self._file is not None:
                    os.ftruncate(self._file, self._size)
            return False
        self._size += len(data)
        return True

    def _send(self, data: list[bytes]) -> bool:
        """Send frames to the broker; False while it does not answer, and then the spool takes them."""
        if time.monotonic() < self._broker_from:
            return False
        try:
            if self._broker is None:
                from hpc_explorer.capture.redis import RedisBroker

                assert self.settings.online is not None
                self._broker = RedisBroker(self.settings.online, self.settings.stream)
            self._broker.send(self.process, data)
        except (OSError, ValueError) as error:
            address = str(self.settings.online).rpartition("@")[2]  # without a password
            self._last_problem = f"{address}: {error}"
            if self._broker is not None:
                self._broker.close()
                self._broker = None
            self._broker_failures += 1
            self._broker_from = time.monotonic() + _PAUSES[min(self._broker_failures, len(_PAUSES)) - 1]
            return False
        self._broker_failures = 0
        return True

    def _close(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                os.close(self._file)
            self._file = None
        if self._broker is not None:
            self._broker.close()
            self._broker = None

    # The thread for checksums

    def _hash(self) -> None:
        while not self._stopping:
            while self._hashing:
                try:
                    item = self._hashing[0]
                    record = item if isinstance(item, Mark) else item.with_checksum()
                    if self._hashing.popleft() is not item:
                        continue
                except IndexError:  # the other thread has written it without its checksum
                    break
                queue.append(record)
                self._start()
            self._wake.ring()
            self._hash_wake.wait()


def _identity() -> str:
    host = "".join(letter if letter.isalnum() else "-" for letter in socket.gethostname())[:40]
    return f"{host}-{os.getpid()}-{uuid.uuid4().hex[:12]}"


def _increase(before: dict[str, int], now: dict[str, int]) -> list[tuple[str, int]]:
    return [(why, number - before.get(why, 0)) for why, number in now.items() if number > before.get(why, 0)]


_recorder: Recorder | None = None
_settings: CaptureSettings | None = None
_hooked = False
_making = threading.Lock()


def configure(**changes: Any) -> None:
    """Set where and how records are written, for records from now on.

    Args:
        changes: the fields of `CaptureSettings`.

    Raises:
        ValueError: neither a disk nor a broker.
    """
    global _settings
    if "folder" in changes:
        changes["folder"] = Path(changes["folder"])
    settings = replace(_current_settings(), **changes)
    if not settings.disk and settings.online is None:
        raise ValueError("neither disk nor online: records would be written nowhere")
    _settings = settings
    if _recorder is not None:
        _recorder.use(settings)


def _current_settings() -> CaptureSettings:
    if _settings is not None:
        return _settings
    folder = Path(os.environ.get("HPC_EXPLORER_SPOOL", "provenance"))
    return CaptureSettings(folder=folder.absolute(), online=os.environ.get("HPC_EXPLORER_BROKER") or None)


def recorder() -> Recorder:
    """The recorder of this process."""
    global _recorder
    if _recorder is None:
        with _making:
            if _recorder is None:
                _recorder = Recorder(_current_settings())
    return _recorder


def append(item: Any) -> None:
    """Add an item to the queue."""
    recorder().append(item)


def flush(timeout: float | None = None) -> bool:
    """Wait until all records so far are acknowledged: in the spool file, or confirmed by the broker.

    Args:
        timeout: the longest time in seconds; None for the settings' `exit_wait`.

    Returns: whether all of them are.
    """
    return _recorder is None or _recorder.flush(timeout)


def stop() -> None:
    """Flush, and end the recorder's threads; it starts again at the next record."""
    if _recorder is not None:
        _recorder.stop()


# The ends of a process


def _hook_ends() -> None:
    """Flush at the exit of the interpreter, at SIGTERM, and at the end of a process of `multiprocessing`."""
    global _hooked
    if _hooked:
        return
    _hooked = True
    atexit.register(stop)
    if "multiprocessing.util" in sys.modules:
        from multiprocessing import util

        util.Finalize(None, stop, exitpriority=100)
    with suppress(ValueError):  # signal handlers are set in the main thread only
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _on_sigterm)


def _on_sigterm(number: int, frame: FrameType | None) -> None:
    if _recorder is not None:
        _recorder.stop_at_once()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _before_fork() -> None:
    if _recorder is not None:
        _recorder._writing.acquire()


def _after_fork_in_parent() -> None:
    if _recorder is not None:
        _recorder._writing.release()


def _after_fork_in_child() -> None:
    """The child records as a process of its own; records that wait in the parent stay the parent's."""
    global _recorder, _hooked, _settings, _making
    begin_process()
    append_by(append)
    _making = threading.Lock()
    if _recorder is not None:
        _settings = _recorder.settings
        if _recorder._file is not None:
            with suppress(OSError):
                os.close(_recorder._file)
        _recorder = None
    _hooked = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)
