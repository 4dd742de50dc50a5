"""Which activity is running in a thread, an asynchronous task or a process."""

from __future__ import annotations

import json
import os
import uuid
from contextvars import ContextVar

from hpc_explorer.capture import recorder as recording
from hpc_explorer.capture.waiting import Activity

_VARIABLE = "HPC_EXPLORER_CAPTURE"
"""The run of a process and its activity, for the processes that it starts."""

innermost: ContextVar[Activity | None] = ContextVar("hpc_explorer_capture", default=None)
"""The activity that was begun last in this context and has not ended; or a batch that has. A forked process has another
variable, as the activities are its parent's."""
open_workflows: list[Activity] = []
_of_environment: Activity | None = None


def current() -> Activity | None:
    """The innermost activity of this thread or asynchronous task.

    A new thread is in the process's workflow; if several are running, it is in none. A process that was started by a
    recorded one is in the activity that started it.
    """
    found = innermost.get()
    while found is not None and found.ended:
        found = found.around
    if found is None and len(open_workflows) == 1:
        return open_workflows[0]
    return found if found is not None or open_workflows else _inherited()


def _after_fork() -> None:
    """Let the activity go on as a part of its own in a forked process, whose activities get identities of their own."""
    global innermost, _of_environment
    found = current() if innermost.get() is not None or open_workflows else None
    innermost = ContextVar("hpc_explorer_capture", default=None)
    _of_environment = None
    if found is not None:
        mine = Activity(f"{found.identity}/process:{uuid.uuid4().hex[:8]}", plain=found.plain)
        innermost.set(mine)
        open_workflows[:] = [mine]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _inherited() -> Activity | None:
    """The activity that started this process, from the environment."""
    global _of_environment
    if _of_environment is not None and _of_environment.is_of_this_process:
        return _of_environment
    try:
        told = json.loads(os.environ.get(_VARIABLE, "null"))
        if told is None or told["pid"] == os.getpid():
            return None
        identity = f"{told['activity']}/process:{uuid.uuid4().hex[:8]}"
        _of_environment = Activity(identity, plain=told["plain"])
        recording.configure(folder=told["folder"], disk=told["disk"], online=told["online"], stream=told["stream"])
    except (ValueError, KeyError, TypeError):
        return None
    return _of_environment


def handed_down() -> str | None:
    """What `hand_down` has told, here or in the process that started this one; None: nothing."""
    return os.environ.get(_VARIABLE)


def hand_down(activity: Activity | None, before: str | None = None) -> None:
    """Tell processes that are started from here on which activity they belong to.

    Args:
        activity: the activity; None: what was told before.
        before: that, from `handed_down`.
    """
    if activity is not None:
        settings = recording.recorder().settings
        told = {
            "pid": os.getpid(),
            "run": activity.run,
            "activity": activity.identity,
            "plain": activity.plain,
            "folder": str(settings.folder),
            "disk": settings.disk,
            "online": settings.online,
            "stream": settings.stream,
        }
        os.environ[_VARIABLE] = json.dumps(told)
    elif before is None:
        os.environ.pop(_VARIABLE, None)
    else:
        os.environ[_VARIABLE] = before


def outside(what: str) -> None:
    """Count a call outside of any workflow."""
    recording.recorder().lose(f"{what} outside a workflow")
