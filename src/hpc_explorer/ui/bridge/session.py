"""The window's questions to the session: each runs in a thread, and only the latest answer of its kind counts."""

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
from hpc_explorer.rdf.terms import GraphName
from hpc_explorer.ui.bridge.jobs import Failed, JobsBridge

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class SessionBridge(QObject):
    """Asks `app` about one session.

    Attributes:
        jobs: runs the questions.

    Signals:
        graph_changed(): sources were opened or closed, or the graph was changed.
    """

    graph_changed = Signal()
    _changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._is_closed = False
        self.jobs = JobsBridge(Jobs(first=threading.current_thread()), self)
        self._told = session.generation
        self._changed.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = session.subscribe(lambda change: self._changed.emit())

    @property
    def is_busy(self) -> bool:
        """Whether an answer, or the notice of a change, has yet to come."""
        return self.jobs.is_busy or self._told != self._session.generation

    @property
    def is_empty(self) -> bool:
        """Whether nothing is open; so it is once the window is closed."""
        return self._is_closed or not self._session.sources

    @property
    def sources(self) -> tuple[SourceSummary, ...]:
        """What is open."""
        return self._session.sources

    @property
    def source_names(self) -> tuple[str, ...]:
        """The names that the sources were opened by; the file itself, where there is one."""
        return tuple(
            source.summary.name
            if source.path is None or source.summary.name.startswith("sample:")
            else str(source.path)
            for source in self._session.opened
        )

    @property
    def workspace(self) -> Path | None:
        """The folder of the workspace that is open; None where there is none."""
        return self._session.workspace.folder if self._session.workspace is not None else None

    @property
    def session(self) -> Session:
        """The session, for what changes it."""
        return self._session

    @property
    def read_only_reason(self) -> str | None:
        """Why the graph cannot be edited here; None where it can."""
        return self._session.read_only_reason

    @property
    def is_shared(self) -> bool:
        """Whether another program may change the workspace that is open, so that this one cannot."""
        return self._session.workspace is not None and not self._session.workspace.alone

    @property
    def is_remote(self) -> bool:
        """Whether an endpoint is open."""
        return self._session.store.capabilities.remote

    @property
    def is_offline(self) -> bool:
        """Whether the endpoint could not be reached just now."""
        return self._session.is_offline

    @property
    def answers_age(self) -> timedelta | None:
        """How old the oldest kept answer of the endpoint is that was shown; None if all came now."""
        return self._session.answers_age()

    @property
    def is_inferred(self) -> bool:
        """Whether what follows from the graph has been inferred."""
        return self._session.inference is not None

    @property
    def graph_names(self) -> Mapping[GraphName, str]:
        """The name of the source that each graph was read from."""
        return {source.graph: source_title(source.name) for source in self._session.sources}

    def servers_to_allow(self, texts: Iterable[str]) -> tuple[str, ...]:
        """The hosts that queries would ask with SERVICE, and that have not been allowed."""
        asked = (server for text in texts for server in servers_of_query(self._session, text))
        return tuple(dict.fromkeys(server for server in asked if server not in self.jobs.servers))

    def close(self) -> None:
        """Stop everything and give back the store."""
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
        """Have `operation(session, *args)` done in a thread; its result or error comes to this one.

        Args:
            operation: a function of `app`; keyword arguments of it are given with `functools.partial`, but `limits` and
                `progress` are those of the job.
            title: what is being done, in words.
            on_error: takes the error, which is `Cancelled` where a user stopped the job; without it any other error
                is shown by the window.
            replaces: the name of what is asked: whatever was asked under the same name is stopped, and its answer
                does not come; nor does it when the graph is closed. None: it replaces nothing and outlives the graph.
            writes: whether it changes the session; one change follows the other.
            closes: whether what is open is closed by it, so that no answer about that counts any more; it writes too.
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
        """Stop what was asked under these names; no answer to it comes."""
        for name in names:
            self.jobs.drop(name)

    @Slot()
    def _tell(self) -> None:
        self._told = self._session.generation
        self.graph_changed.emit()
