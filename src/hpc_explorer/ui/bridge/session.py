"""Runs operations of `app` on the window's session in background jobs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import TypeVar, TypeVarTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot

from hpc_explorer.app.jobs import Job, Jobs
from hpc_explorer.app.query.run_query import servers_of_query
from hpc_explorer.app.views import SourceSummary, source_title
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.inference import InferenceReport
from hpc_explorer.rdf.terms import GraphName
from hpc_explorer.ui.bridge.jobs import Failed, JobsBridge

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class SessionBridge(QObject):
    """Runs operations of `app` on one session.

    Attributes:
        jobs: the background jobs.

    Signals:
        graph_changed(): sources were opened or closed, or the graph was changed.
        graph_grew(): an open source has more statements than before, and nothing else changed.
        updated(): what is shown or chosen changed, and with it the commands that can run.
        said(str): a message for the status bar.
        wrote_to(str): a file was written to this folder.
        failed(str, BaseException): the title of what was attempted, and its error.
    """

    graph_changed = Signal()
    graph_grew = Signal()
    updated = Signal()
    said = Signal(str)
    wrote_to = Signal(str)
    failed = Signal(str, object)
    _changed = Signal(bool)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._is_closed = False
        self.jobs = JobsBridge(Jobs(first=threading.current_thread()), self)
        self.jobs.failed.connect(lambda job: self.failed.emit(job.title, job.error))
        self._seen = session.generation
        self._changed.connect(self._notify, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = session.subscribe(lambda change: self._changed.emit(change.grew))

    @property
    def is_busy(self) -> bool:
        """Whether a result or a change notice is undelivered."""
        return self.jobs.is_busy or self._seen != self._session.generation

    @property
    def is_empty(self) -> bool:
        """Whether nothing is open; true after `close`."""
        return self._is_closed or not self._session.opened

    @property
    def sources(self) -> tuple[SourceSummary, ...]:
        """The open sources."""
        return self._session.sources

    @property
    def source_names(self) -> tuple[str, ...]:
        """The names by which the sources can be opened again."""
        return tuple(
            source.summary.name
            if source.path is None or source.summary.name.startswith("sample:")
            else str(source.path)
            for source in self._session.opened
        )

    @property
    def workspace(self) -> Path | None:
        """The folder of the open workspace, if any."""
        return self._session.workspace.folder if self._session.workspace is not None else None

    @property
    def session(self) -> Session:
        """The session, for operations that change it."""
        return self._session

    @property
    def read_only_reason(self) -> str | None:
        """Why the graph cannot be edited; None if it can."""
        return self._session.read_only_reason

    @property
    def is_shared(self) -> bool:
        """Whether another program has the workspace open for editing."""
        return self._session.workspace is not None and not self._session.workspace.alone

    @property
    def is_remote(self) -> bool:
        """Whether an endpoint is open."""
        return self._session.store.capabilities.remote

    @property
    def is_offline(self) -> bool:
        """Whether the endpoint is unreachable."""
        return self._session.is_offline

    @property
    def answers_age(self) -> timedelta | None:
        """The age of the oldest cached answer that was shown; None if all answers are new."""
        return self._session.answers_age()

    @property
    def is_inferred(self) -> bool:
        """Whether inference was run."""
        return self._session.inference is not None

    @property
    def inference(self) -> InferenceReport | None:
        """What was inferred; None if nothing was."""
        return self._session.inference

    @property
    def graph_names(self) -> Mapping[GraphName, str]:
        """The title of the source of each graph."""
        return {source.graph: source_title(source.name) for source in self._session.sources}

    def servers_to_allow(self, texts: Iterable[str]) -> tuple[str, ...]:
        """The hosts in SERVICE clauses of queries that the user has not allowed."""
        asked = (server for text in texts for server in servers_of_query(self._session, text))
        return tuple(dict.fromkeys(server for server in asked if server not in self.jobs.servers))

    def close(self) -> None:
        """Cancel all jobs and close the session."""
        self._is_closed = True
        self._unsubscribe()
        self.jobs.close()
        self._session.close()

    def run(
        self,
        operation: Callable[[Session, *Ts], T],
        *args: *Ts,
        title: str,
        on_result: Callable[[T], None] | None = None,
        on_error: Failed | None = None,
        replaces: Hashable | None = None,
        writes: bool = False,
        closes: bool = False,
    ) -> Job[T]:
        """Run `operation(session, *args)` in a thread; the result arrives on this thread.

        Args:
            operation: a function of `app`; it receives the job's `limits` and `progress` if it has such parameters.
            title: what is being done, for the status bar.
            on_error: receives the error, `Cancelled` included. Without it, `failed` reports errors.
            replaces: the name of the request; it cancels an earlier request of the same name, and is cancelled when
                the graph is closed. A request without a name is not.
            writes: whether it changes the session; such jobs run one after another.
            closes: whether it closes what is open, which cancels all named requests; implies `writes`.
        """
        if closes:
            self.jobs.drop_all()
        return self.jobs.run(
            operation,
            self._session,
            *args,
            title=title,
            on_result=on_result,
            on_error=on_error,
            replaces=replaces,
            writes=writes or closes,
        )

    def drop(self, *names: Hashable) -> None:
        """Cancel the requests of these names."""
        for name in names:
            self.jobs.drop(name)

    @Slot(bool)
    def _notify(self, grew: bool) -> None:
        self._seen = self._session.generation
        (self.graph_grew if grew else self.graph_changed).emit()
