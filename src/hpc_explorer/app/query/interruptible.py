"""Run a query so that Ctrl+C and `--timeout` end it at once.

Queries of workspaces run in another process and those of endpoints over a connection; both can be abandoned. Queries of
graphs in memory run in a thread, to avoid copying the graph; an abandoned thread ends with the program. Queries that
sort run in another process too, because the engine's sort may abort its process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.stores.base import Limits

T = TypeVar("T")

# Polling interval in seconds; Ctrl+C takes effect immediately.
_POLL_SECONDS = 0.02

# Whether an abandoned thread is still running.
_abandoned = False


def answer(session: Session, ask: Callable[[Limits], T], *, limits: Limits, text: str = "") -> T:
    """Run a query under limits; a program that is about to end calls `leave` afterwards.

    Args:
        ask: runs one query, such as `run_query`.
        text: the query text, if it may sort.

    Raises:
        KeyboardInterrupt: Ctrl+C.
        DeadlineExceeded: by the limits.
        MemoryExceeded, ReaderFailed: the query process ended.
    """
    from hpc_explorer.stores.base import CancelToken

    if session.workspace is not None or limits.servers or _sorts(text):
        # Runs in another process; requests to other servers are made from here and have their own timeouts.
        return ask(replace(limits, cancel=CancelToken()))
    if session.store.capabilities.remote:
        return ask(limits)
    return _in_a_thread(ask, limits)


def _sorts(text: str) -> bool:
    from hpc_explorer.rdf.sparql_tokens import meaning_tokens

    return any(token.is_word("ORDER") for token in meaning_tokens(text))


def _in_a_thread(ask: Callable[[Limits], T], limits: Limits) -> T:
    from hpc_explorer.app.jobs import Jobs
    from hpc_explorer.stores.base import NO_LIMITS

    jobs = Jobs(readers=1)
    try:
        job = jobs.submit("query", lambda context: ask(NO_LIMITS))
        while True:
            limits.check()
            try:
                return job.result(_POLL_SECONDS)
            except TimeoutError:
                continue
    finally:
        global _abandoned
        _abandoned = not jobs.shutdown(_POLL_SECONDS)


def leave(code: int) -> int:
    """Return the exit code, or end the program at once if an abandoned thread is running."""
    if _abandoned:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code
