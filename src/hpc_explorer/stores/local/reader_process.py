"""A process that answers queries over a copy of a local store, and that can be killed at any moment.

The engine cannot cancel a query, but a process can be killed. This one opens a store's folder read-only, or receives
the quads of a store in memory, and answers one query after the other:

    parent                                       child
    ("still there",)                             READY
    ("folder", path, merged)                     READY
    ("quads", merged), DATA …, END               READY
    ("select" | "ask" | "construct", text)       HEAD (the variables), DATA …, END   or   TRUTH
                                                 FAULT: a named error, in place of any of these or between DATA

Rows and triples are DATA in the engine's format, a few kilobytes per message. A full pipe blocks the child, so a slow
consumer needs no memory. The parent checks its `Limits` every `LOOK` seconds while it waits.

The child exits when the parent is gone or its memory limit is exceeded.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, BinaryIO, cast

from pyoxigraph import RdfFormat, Store, parse, serialize

from hpc_explorer.errors import ExplorerError, MemoryExceeded, ReaderFailed, StoreError
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.local.folder import damage_in
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.memory_use import MEMORY_VARIABLE, used_memory
from hpc_explorer.stores.local.spawning import without_main_module
from hpc_explorer.stores.query_faults import named_damage

LOOK = 0.02
"""Seconds between two looks at the clock and the cancel token, and at the memory that a query uses."""

_READY, _HEAD, _DATA, _END, _TRUTH, _FAULT = b"RHDETF"

# Exit code for too much memory; the shell's code for a command that cannot be executed.
_TOO_MUCH_MEMORY = 126

# Seconds to wait for a killed process: freeing gigabytes takes time.
_BURIAL = 0.1

# Seconds to wait for the exit code after the pipe closed: a busy machine may be slow.
_LAST_WORDS = 30.0


# Seconds to check a store for damage after its process ended.
_SEARCH = 10.0


class ReaderProcess:
    """A query process, used by one thread at a time.

    Attributes:
        shows: the store's change counter when it was opened; None before.
        free: whether it waits for a request and has no unfinished answer.

    Args:
        memory: the bytes it may use; None: no limit.
    """

    def __init__(self, memory: int | None) -> None:
        self.shows: int | None = None
        self.free = True
        self._memory = memory
        self._folder: Path | None = None
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, memory), name="query reader", daemon=True)
        with _interrupts_blocked(), without_main_module():
            self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.is_alive()

    def check(self, limits: Limits) -> None:
        """Check that the process is running.

        Raises:
            ReaderFailed: it is not.
        """
        self._send(("still there",))
        self._receive(limits)

    def open_folder(self, folder: Path, *, merged: bool, limits: Limits) -> None:
        """Open the store in a folder in its current state."""
        self._folder = folder
        self._send(("folder", str(folder), merged))
        self._receive(limits)

    def open_quads(
        self, write: Callable[[BinaryIO], None], *, merged: bool, sent: Callable[[bytes], None], limits: Limits
    ) -> None:
        """Send a copy of a store in memory.

        Args:
            write: writes the store's quads, see `LocalStore.write_stored`.
            sent: called before each piece is sent; an exception stops the copying.
        """
        self._folder = None
        self._send(("quads", merged))
        frames = _Frames(self._pipe, sent)
        try:
            write(cast("BinaryIO", frames))
            frames.end()
        except OSError:
            raise self._end() from None
        self._receive(limits)

    def ask(self, query: str, limits: Limits) -> bool:
        """The answer of an ASK query."""
        self._send(("ask", query))
        return self._receive(limits) == b"1"

    def select(self, query: str, limits: Limits) -> tuple[str, ...]:
        """Send a SELECT query; returns its variables once the engine has parsed it."""
        self._send(("select", query))
        return tuple(self._receive(limits).decode().split())

    def construct(self, query: str, limits: Limits) -> None:
        """Send a CONSTRUCT or DESCRIBE query; returns once the engine has parsed it."""
        self._send(("construct", query))
        self._receive(limits)

    def data(self, limits: Limits) -> bytes:
        """The next piece of the answer; empty at its end."""
        return b"" if self.free else self._receive(limits)

    def skip(self) -> None:
        """Discard received data; the process becomes free if the answer is complete."""
        try:
            while not self.free and self._pipe.poll(0):
                self.free = self._pipe.recv_bytes()[0] in (_END, _FAULT)
        except (EOFError, OSError):
            return

    def kill(self) -> None:
        """Kill the process."""
        # The pipe is not closed here: another thread may be looking at it, and sees its end.
        self._process.kill()
        self._process.join(_BURIAL)

    def _send(self, request: tuple[Any, ...]) -> None:
        self.free = False
        try:
            self._pipe.send(request)
        except OSError:
            raise self._end() from None

    def _receive(self, limits: Limits) -> bytes:
        """Receive the next message.

        Raises:
            Cancelled, DeadlineExceeded: by the limits; the process keeps working and must be killed.
            MemoryExceeded, ReaderFailed: the process ended.
            ExplorerError: the error that the process reports.
        """
        limits.check()
        try:
            while not self._pipe.poll(LOOK):
                limits.check()
            message = self._pipe.recv_bytes()
        except (EOFError, OSError):
            raise self._end() from None
        self.free = message[0] in (_READY, _TRUTH, _END, _FAULT)
        if message[0] == _FAULT:
            raise pickle.loads(message[1:])
        return message[1:]

    def _end(self) -> ExplorerError:
        """The reason why the process ended."""
        self._process.join(_LAST_WORDS)
        code = self._process.exitcode
        damage = None if self._folder is None else damage_in(self._folder, _SEARCH)
        if damage is not None:
            return damage
        if code == _TOO_MUCH_MEMORY:
            allowed = f"{(self._memory or 0) >> 20:,} MiB"
            return MemoryExceeded(
                "the query needs more memory than it may use",
                allowed,
                f"narrow it, allow more with {MEMORY_VARIABLE} (in MiB), or load large files into a workspace",
            )
        how = f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"
        if code == -signal.SIGABRT:
            # Oxigraph aborts the process when it sorts values of kinds without a common order.
            remedy = "if it sorts values of several kinds, put STR() around them in ORDER BY, or leave that out"
            return ReaderFailed("the engine gave the query up", how, remedy)
        remedy = "ask again; if it was killed for want of memory, narrow the query"
        return ReaderFailed("the process that answers queries ended", how, remedy)


class _interrupts_blocked:  # noqa: N801  reads as a block of code
    """Processes started in this block ignore Ctrl+C, which a terminal sends to the whole group."""

    def __enter__(self) -> None:
        if sys.platform != "win32":
            self._before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

    def __exit__(self, *_: object) -> None:
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_SETMASK, self._before)


class _Frames:
    """A stream that sends writes through the pipe as DATA."""

    def __init__(self, pipe: Connection, told: Callable[[bytes], None] = lambda piece: None) -> None:
        self._pipe = pipe
        self._told = told

    def write(self, data: bytes) -> int:
        self._told(data)
        self._pipe.send_bytes(bytes((_DATA,)) + data)
        return len(data)

    def flush(self) -> None:
        """Do nothing; data is sent immediately."""

    def end(self) -> None:
        """Send the end of the data."""
        self._pipe.send_bytes(bytes((_END,)))


class ChunkStream:
    """Chunks as a stream for the engine's parsers.

    Args:
        following: returns the next chunk; empty at the end.
    """

    def __init__(self, following: Callable[[], bytes]) -> None:
        self._following = following
        self._rest = b""
        self._ended = False

    def read(self, size: int) -> bytes:
        """At most `size` bytes; empty only at the end."""
        if not self._rest and not self._ended:
            self._rest = self._following()
            self._ended = not self._rest
        piece, self._rest = self._rest[:size], self._rest[size:]
        return piece


# In the process


def _serve(pipe: Connection, memory: int | None) -> None:
    """Answer requests until the parent disconnects."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _say_nothing()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    store: LocalStore | None = None
    try:
        while True:
            request = pipe.recv()
            with _MemoryWatch(memory):
                try:
                    if request[0] == "quads":
                        # The copy before is given back first.
                        store = None
                    with named_damage():
                        store = _do(pipe, store, request)
                except (EOFError, BrokenPipeError):
                    raise
                except ExplorerError as error:
                    _tell(pipe, _FAULT, pickle.dumps(error))
                except MemoryError:
                    os._exit(_TOO_MUCH_MEMORY)
                except BaseException as error:  # noqa: BLE001  a panic of the engine is one; the query is at fault, not the process
                    fault = StoreError("the query failed", str(error), "")
                    _tell(pipe, _FAULT, pickle.dumps(fault))
    except (EOFError, OSError):
        # Nobody waits for an answer any more.
        os._exit(0)


def _say_nothing() -> None:
    """Silence standard error: the engine writes many lines there when it aborts.

    The parent learns the reason from the pipe and the exit code.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def _do(pipe: Connection, store: LocalStore | None, request: tuple[Any, ...]) -> LocalStore | None:
    """Handle a request; returns the store for the next one."""
    if request[0] == "still there":
        _tell(pipe, _READY)
    elif request[0] == "folder":
        store = LocalStore.read_only(Path(request[1]), merged=request[2])
        _tell(pipe, _READY)
    elif request[0] == "quads":
        engine = Store()
        # The engine's own loader would relabel the blank nodes.
        engine.bulk_extend(parse(_sent(pipe), RdfFormat.N_QUADS))
        store = LocalStore(engine, writable=False, merged=request[1])
        _tell(pipe, _READY)
    else:
        assert store is not None
        _answer(pipe, store, *request)
    return store


def _answer(pipe: Connection, store: LocalStore, form: str, query: str) -> None:
    if form == "ask":
        _tell(pipe, _TRUTH, b"1" if store.ask(query) else b"0")
        return
    frames = _Frames(pipe)
    if form == "select":
        rows = store.select(query)
        _tell(pipe, _HEAD, " ".join(rows.variables).encode())
        rows.write(cast("BinaryIO", frames))
    else:
        triples = store.construct(query)
        _tell(pipe, _HEAD)
        serialize(triples, cast("BinaryIO", frames), RdfFormat.N_TRIPLES)
    frames.end()


def _sent(pipe: Connection) -> BinaryIO:
    """The DATA that the parent sends until its END, as a stream."""
    return cast("BinaryIO", ChunkStream(lambda: pipe.recv_bytes()[1:]))


def _tell(pipe: Connection, tag: int, body: bytes = b"") -> None:
    pipe.send_bytes(bytes((tag,)) + body)


def _end_with_parent() -> None:
    """Exit when the parent does, even during a query."""
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(0)


class _MemoryWatch:
    """Ends the process if it exceeds its memory limit while the context is active."""

    def __init__(self, memory: int | None) -> None:
        self._memory = memory
        self._done = threading.Event()

    def __enter__(self) -> None:
        if self._memory is not None:
            threading.Thread(target=self._watch, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self._done.set()

    def _watch(self) -> None:
        assert self._memory is not None
        while not self._done.wait(LOOK):
            if (used_memory() or 0) > self._memory:
                os._exit(_TOO_MUCH_MEMORY)
