"""A query on the command line, which Ctrl+C and `--timeout` end at once.

A workspace answers through a process of its own, and an endpoint over its connection: both can be given up while this
program waits for them. What is in memory would have to be copied to another process first. Here it need not: the query
runs in a thread, and when it is given up, the program ends and the thread with it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from hpc_explorer.app.session import Session
    from hpc_explorer.stores.base import Limits

T = TypeVar("T")

# Seconds between two looks at the clock; Ctrl+C is heard at once.
_LOOK = 0.02

# Whether a thread still computes what nobody waits for any more.
_abandoned = False


def answer(session: Session, ask: Callable[[Limits], T], *, limits: Limits) -> T:
    """What `ask` gives under limits that end it; whoever calls this ends the program with `leave`.

    Args:
        ask: asks the session one query, such as `app.operations.asking.run_query`.

    Raises:
        KeyboardInterrupt: Ctrl+C, within moments.
        DeadlineExceeded: likewise, by the limits.
    """
    from hpc_explorer.stores.base import CancelToken

    if session.workspace is not None or limits.servers:
        # In a process of its own; other servers are asked from here, and that ends by itself.
        return ask(replace(limits, cancel=CancelToken()))
    if session.store.capabilities.remote:
        return ask(limits)
    return _in_a_thread(ask, limits)


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
