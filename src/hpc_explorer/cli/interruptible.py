"""A query on the command line, which Ctrl+C and `--timeout` end at once.

A workspace answers through a process of its own, and an endpoint over its connection: both can be given up while this
program waits for them. What is in memory would have to be copied to another process first. Most queries do not need
that: they run in a thread, and when one is given up, the program ends and the thread with it. A query that sorts is
answered by another process nevertheless, because the engine's sort may end the process that it runs in.
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

# Seconds between two looks at the clock; Ctrl+C is heard at once.
_LOOK = 0.02

# Whether a thread still computes what nobody waits for any more.
_abandoned = False


def answer(session: Session, ask: Callable[[Limits], T], *, limits: Limits, text: str = "") -> T:
    """What `ask` gives under limits that end it; whoever calls this ends the program with `leave`.

    Args:
        ask: asks the session one query, such as `run_query`.
        text: the query, where it may be any.

    Raises:
        KeyboardInterrupt: Ctrl+C, within moments.
        DeadlineExceeded: likewise, by the limits.
        MemoryExceeded, ReaderFailed: the process in which it was answered ended.
    """
    from hpc_explorer.stores.base import CancelToken

    if session.workspace is not None or limits.servers or _sorts(text):
        # In a process of its own; other servers are asked from here, and that ends by itself.
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
                return job.result(_LOOK)
            except TimeoutError:
                continue
    finally:
        global _abandoned
        _abandoned = not jobs.shutdown(_LOOK)


def leave(code: int) -> int:
    """The exit code to end the program with; it ends here if a thread would go on computing."""
    if _abandoned:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code
