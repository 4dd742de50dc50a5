"""A query on the command line, which Ctrl+C and `--timeout` end at once.

A workspace answers through a process of its own, and an endpoint over its connection: both can be given up while this
program waits for them. What is in memory would have to be copied to another process first. Here it need not: the query
runs in a thread, and when it is given up, the program ends and the thread with it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hpc_explorer.app.session import Session
    from hpc_explorer.app.views import QueryTable
    from hpc_explorer.rdf.terms import Triple
    from hpc_explorer.stores.base import Limits

# Seconds between two looks at the clock; Ctrl+C is heard at once.
_LOOK = 0.02

# Whether a thread still computes what nobody waits for any more.
_abandoned = False


def answer(session: Session, text: str, *, limits: Limits) -> QueryTable | bool | tuple[Triple, ...]:
    """The answer of a query, see `app.operations.asking.run_query`; whoever calls this ends the program with `leave`.

    Raises:
        KeyboardInterrupt: Ctrl+C, within moments.
        DeadlineExceeded: likewise, by the limits.
    """
    from hpc_explorer.app.operations.asking import run_query
    from hpc_explorer.stores.base import CancelToken

    if session.workspace is not None:
        return run_query(session, text, limits=replace(limits, cancel=CancelToken()))
    if session.store.capabilities.remote:
        return run_query(session, text, limits=limits)
    return _in_a_thread(session, text, limits)


def _in_a_thread(session: Session, text: str, limits: Limits) -> QueryTable | bool | tuple[Triple, ...]:
    from hpc_explorer.app.jobs import Jobs
    from hpc_explorer.app.operations.asking import run_query

    jobs = Jobs(readers=1)
    try:
        job = jobs.submit("query", lambda context: run_query(session, text))
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
