"""A local store whose queries run in a process that can be killed.

Pattern matching (`match`, `match_many`) and changes take microseconds per step and stay in this process. Queries, whose
duration is unknown, go to a `ReaderProcess`. It is reused for the next query, reopened after a change, and replaced
after it was killed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from pyoxigraph import QuerySolutions, RdfFormat, parse, parse_query_results

from hpc_explorer.errors import Cancelled, ReaderFailed, StoreError
from hpc_explorer.rdf.sparql_shape import in_order_of_query
from hpc_explorer.rdf.terms import Triple
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, Row, no_progress
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.memory_use import query_memory
from hpc_explorer.stores.local.reader_process import ChunkStream, ReaderProcess
from hpc_explorer.stores.local.rows import ROWS_FORMAT, LocalRows
from hpc_explorer.stores.protocol.federation import answered_elsewhere
from hpc_explorer.stores.wrapper import StoreWrapper


class StoppableStore(StoreWrapper):
    """A local store with its query processes.

    Concurrent queries have one process each; one idle process is kept.

    Attributes:
        local: the store itself.

    Args:
        memory: the bytes that a process may use; None: as `memory_use.query_memory` says.
    """

    def __init__(self, local: LocalStore, *, memory: int | None = None) -> None:
        super().__init__(local)
        self.local = local
        self._memory = query_memory() if memory is None else memory
        self._idle: ReaderProcess | None = None
        self._busy: set[ReaderProcess] = set()
        # Reentrant: garbage collection may release an answer at any point.
        self._lock = threading.RLock()
        self._stopped = False

    @property
    def processes(self) -> tuple[int, ...]:
        """The ids of the running processes."""
        with self._lock:
            running = [*self._busy, *([self._idle] if self._idle is not None else [])]
            return tuple(process.pid for process in running if process.alive)

    def prepare(self, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS) -> None:
        """Start a process with the current state of the store, so that the next query starts immediately.

        Raises:
            MemoryExceeded: the store in memory is too large to copy.
        """
        self.take_back(self._take(progress, limits), None)

    def start(self) -> None:
        """Start a process without waiting for it."""
        with self._lock:
            if self._idle is None and not self._stopped:
                self._idle = ReaderProcess(self._memory)

    def stop(self) -> None:
        """End all processes; the store stays open."""
        with self._lock:
            self._stopped = True
            running = [*self._busy, *([self._idle] if self._idle is not None else [])]
            self._busy.clear()
            self._idle = None
        for process in running:
            process.kill()

    # Queries

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> StoppableRows:
        """The solutions of a SELECT query over the merge of all graphs; numbers and dates in canonical spelling.

        Raises:
            QuerySyntaxError: the text is not a SPARQL 1.1 SELECT.
            MemoryExceeded, ReaderFailed: the process ended; the next query starts another. Also raised while iterating.
            ServerNotAllowed, ServerError: from `federation.answered_elsewhere`.
        """
        text = answered_elsewhere(query, limits)
        answer = _Answer(self, self._take(no_progress, limits), limits)
        with answer.released_if_it_fails():
            variables = answer.process.select(text, limits)
        return StoppableRows(in_order_of_query(query, variables), answer, limits, query)

    def ask(self, query: str, *, limits: Limits = NO_LIMITS) -> bool:
        """The answer of an ASK query over the merge of all graphs; raises what `select` does."""
        text = answered_elsewhere(query, limits)
        answer = _Answer(self, self._take(no_progress, limits), limits)
        with answer.released_if_it_fails():
            truth = answer.process.ask(text, limits)
        answer.release()
        return truth

    def construct(self, query: str, *, limits: Limits = NO_LIMITS) -> Iterator[Triple]:
        """The triples of a CONSTRUCT or DESCRIBE query over the merge of all graphs; raises what `select` does."""
        text = answered_elsewhere(query, limits)
        answer = _Answer(self, self._take(no_progress, limits), limits)
        with answer.released_if_it_fails():
            answer.process.construct(text, limits)
        return _triples(answer)

    def _take(self, progress: Progress, limits: Limits) -> ReaderProcess:
        """A process for one query, with the current state of the store."""
        limits.check()
        with self._lock:
            if self._stopped:
                raise StoreError("this store was closed", "", "open it again")
            kept = self._idle is not None
            process = self._idle or ReaderProcess(self._memory)
            self._idle = None
            self._busy.add(process)
        try:
            if kept:
                process.check(limits)
            self._show(process, progress, limits)
        except ReaderFailed:
            self.take_back(process, None)
            if kept and not self._stopped:
                # It died while idle.
                return self._take(progress, limits)
            raise
        except BaseException as error:
            self.take_back(process, error)
            raise
        return process

    def _show(self, process: ReaderProcess, progress: Progress, limits: Limits) -> None:
        changes = self.local.changes
        if process.shows == changes:
            return
        if self.local.folder is not None:
            process.open_folder(self.local.folder, merged=self.local.keeps_merge, limits=limits)
        else:
            sent = _sent(self.local, progress, limits)
            process.open_quads(self.local.write_stored, merged=self.local.keeps_merge, sent=sent, limits=limits)
        process.shows = changes

    def take_back(self, process: ReaderProcess, error: BaseException | None) -> None:
        """Return a process after a query: kept if it is free and no other is idle, else killed.

        Args:
            error: the exception that ended the query. After a cancellation a new process is started, because another
                query is likely.
        """
        kept = False
        with self._lock:
            self._busy.discard(process)
            if process.free and self._idle is None and not self._stopped:
                self._idle, kept = process, True
        if not kept:
            process.kill()
            if isinstance(error, Cancelled):
                self.start()

    def close(self) -> None:
        """End all processes and close the store."""
        self.stop()
        super().close()


def _sent(local: LocalStore, progress: Progress, limits: Limits) -> Callable[[bytes], None]:
    """A callback that reports the progress of copying and checks the limits."""
    total = max(1, local.size().value)
    sent = told = 0

    def take(piece: bytes) -> None:
        nonlocal sent, told
        limits.check("copying the graph")
        sent += piece.count(b"\n")
        # Where several graphs state one triple, their merge is copied too and makes it more than the total.
        percent = min(100, 100 * sent // total)
        if percent > told:
            told = percent
            progress("copying the graph for the query", percent / 100)

    return take


class StoppableRows:
    """The streamed solutions of a SELECT; iterate once. Closing the iterator stops the query."""

    def __init__(self, variables: tuple[str, ...], answer: _Answer, limits: Limits, query: str) -> None:
        self.variables = variables
        self.limited = False
        self._answer = answer
        self._limits = limits
        self._query = query

    def __iter__(self) -> Iterator[Row]:
        with self._answer as stream:
            solutions = parse_query_results(stream, ROWS_FORMAT)
            assert isinstance(solutions, QuerySolutions)
            yield from LocalRows(solutions, self._limits, self._query)


def _triples(answer: _Answer) -> Iterator[Triple]:
    with answer as stream:
        for quad in parse(stream, RdfFormat.N_TRIPLES):
            yield quad.triple


class _Answer:
    """An answer of a process; it occupies the process until it is released or collected."""

    def __init__(self, store: StoppableStore, process: ReaderProcess, limits: Limits) -> None:
        self.process = process
        self._store = store
        self._limits = limits
        self._held = True

    @contextmanager
    def released_if_it_fails(self) -> Iterator[None]:
        """Release it if the block raises."""
        try:
            yield
        except BaseException as error:
            self.release(error)
            raise

    def __enter__(self) -> BinaryIO:
        """The answer as a stream, until it is released."""
        return cast("BinaryIO", ChunkStream(lambda: self.process.data(self._limits)))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self.release(error)

    def release(self, error: BaseException | None = None) -> None:
        """Return the process; the rest of the answer is discarded.

        Args:
            error: the reason.
        """
        if self._held:
            self._held = False
            self.process.skip()
            self._store.take_back(self.process, error)

    def __del__(self) -> None:
        self.release()
