"""Which activity is running in a thread, an asynchronous task or a process."""

from __future__ import annotations

import json
import os
import uuid
from contextvars import ContextVar

from hpc_explorer.capture import recorder as recording
from hpc_explorer.capture.waiting import NOBODY, Activity, queue

_VARIABLE = "HPC_EXPLORER_CAPTURE"
"""The run of a process and its activity, for the processes that it starts."""

innermost: ContextVar[Activity] = ContextVar("hpc_explorer_capture", default=NOBODY)
"""The innermost activity that was begun in this context; `NOBODY` without one. It may be that of a parent process."""
open_workflows: list[Activity] = []
_of_environment: Activity | None = None


def current() -> Activity | None:
    """The innermost activity of this thread or asynchronous task.

    A new thread is in the process's workflow; if several are running, it is in none. A process that was started by a
    recorded one is in the activity that started it.
    """
    found = innermost.get()
    around = found if found is not NOBODY else open_workflows[0] if len(open_workflows) == 1 else None
    if around is None:
        return None if open_workflows else _inherited()
    return around if around.process is queue.process else _in_this_process(around)


def _in_this_process(activity: Activity) -> Activity:
    """The same activity in a forked process, where its children have identities of their own."""
    mine = Activity(f"{activity.identity}/process:{uuid.uuid4().hex[:8]}", activity.run, plain=activity.plain)
    innermost.set(mine)
    open_workflows[:] = [mine]
    return mine


def _inherited() -> Activity | None:
    """The activity that started this process, from the environment."""
    global _of_environment
    if _of_environment is not None and _of_environment.process is queue.process:
        return _of_environment
    try:
        told = json.loads(os.environ.get(_VARIABLE, "null"))
        if told is None or told["pid"] == os.getpid():
            return None
        identity = f"{told['activity']}/process:{uuid.uuid4().hex[:8]}"
        _of_environment = Activity(identity, told["run"], plain=told["plain"])
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
