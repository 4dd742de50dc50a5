"""Workflows, tasks, stages, epochs and batches: what is running now, and its identity.

The identity of an activity says what it is: the run, and the path of steps with their numbers.

    train-unet.7c1e90ab44d2/stage:training.1/epoch:3/batch:17

Ranks and further processes of a run have a part of their own, `rank:5` or `process:9f3a…`, so their identities differ
without communication.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import itertools
import json
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from hpc_explorer.capture import recorder as recording
from hpc_explorer.capture import surroundings
from hpc_explorer.capture.specification import specification_of

STAGES = ("training", "validation", "evaluation")
TASKS = {"curation": "Data Curation", "preparation": "Learning Data Preparation", "features": "Feature Extraction"}
"""The kinds of tasks before learning, with the tags of PROVLake."""

_VARIABLE = "HPC_EXPLORER_CAPTURE"
"""The run of a process and its activity, for the processes that it starts."""

_pid = os.getpid()
_monotonic = time.monotonic_ns
_CLOCK = time.time_ns() - _monotonic()


def now() -> int:
    """The time in nanoseconds since 1970. It never goes back, also when the system's clock is set back."""
    return _CLOCK + _monotonic()


class Activity:
    """A running activity.

    Args:
        identity: its path, from the run on.
        run: the identity of its run.
        process: the operating system's number of the process that started it.
        plain: whether it has no role in learning, so what is logged is a value of a data transformation.
    """

    __slots__ = ("_counts", "_numbers", "attached", "identity", "plain", "process", "run")

    def __init__(self, identity: str, run: str, *, plain: bool = False) -> None:
        self.identity = identity
        self.run = run
        self.plain = plain
        self.process = _pid
        self._counts: dict[str, Iterator[int]] = {}
        self._numbers: dict[str, list[int]] | None = None
        self.attached: dict[str, Activity] | None = None

    def count(self, name: str) -> int:
        """0, 1, 2, … for what has the same name in this activity; never the same number twice, also in threads."""
        counter = self._counts.get(name)
        if counter is None:
            counter = self._counts.setdefault(name, itertools.count())
        return next(counter)

    def numbered(self, kind: str, index: int | None) -> str:
        """The part of the path for an epoch or batch. An index that comes again belongs to another loop: `2-0`."""
        with _lock:
            if self._numbers is None:
                self._numbers = {}
            state = self._numbers.get(kind)
            if state is None:
                state = self._numbers[kind] = [1, -1]
            if index is None:
                index = state[1] + 1
            elif index <= state[1]:
                state[0] += 1
            state[1] = index
            return f"{kind}:{index}" if state[0] == 1 else f"{kind}:{state[0]}-{index}"


_current: ContextVar[Activity | None] = ContextVar("hpc_explorer_capture", default=None)
_open_workflows: list[Activity] = []
_lock = threading.Lock()
_of_environment: Activity | None = None
_runs: dict[str, int] = {}


def current() -> Activity | None:
    """The innermost activity of this thread or asynchronous task.

    A new thread is in the process's workflow; if several are running, it is in none. A process that was started by a
    recorded one is in the activity that started it.
    """
    found = _current.get()
    if found is None:
        found = _inherited() if not _open_workflows else _open_workflows[0] if len(_open_workflows) == 1 else None
        if found is None:
            return None
    return found if found.process == _pid else _in_this_process(found)


def _in_this_process(activity: Activity) -> Activity:
    """The same activity in a forked process, where its children have identities of their own."""
    mine = Activity(f"{activity.identity}/process:{uuid.uuid4().hex[:8]}", activity.run, plain=activity.plain)
    _current.set(mine)
    _open_workflows[:] = [mine]
    return mine


def _inherited() -> Activity | None:
    """The activity that started this process, from the environment."""
    global _of_environment
    if _of_environment is not None and _of_environment.process == _pid:
        return _of_environment
    try:
        told = json.loads(os.environ.get(_VARIABLE, "null"))
        if told is None or told["pid"] == _pid:
            return None
        identity = f"{told['activity']}/process:{uuid.uuid4().hex[:8]}"
        _of_environment = Activity(identity, told["run"], plain=told["plain"])
        recording.configure(folder=told["folder"], disk=told["disk"], online=told["online"], stream=told["stream"])
    except (ValueError, KeyError, TypeError):
        return None
    return _of_environment


def _after_fork() -> None:
    global _pid, _lock
    _pid = os.getpid()
    _lock = threading.Lock()  # another thread of the parent may have held it


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _hand_down(activity: Activity | None) -> None:
    """Tell processes that are started from here on which activity they belong to."""
    if activity is None:
        os.environ.pop(_VARIABLE, None)
        return
    settings = recording.recorder().settings
    told = {
        "pid": _pid,
        "run": activity.run,
        "activity": activity.identity,
        "plain": activity.plain,
        "folder": str(settings.folder),
        "disk": settings.disk,
        "online": settings.online,
        "stream": settings.stream,
    }
    os.environ[_VARIABLE] = json.dumps(told)


@dataclass(frozen=True)
class Person:
    """Somebody who takes part in a run.

    Args:
        name: such as "Ada Lovelace".
        role: such as "ML engineer".
        orcid: such as "0000-0002-1825-0097".
        email: the address.
    """

    name: str
    role: str = ""
    orcid: str = ""
    email: str = ""

    def as_json(self) -> dict[str, str]:
        """The person in a record."""
        return {name: value for name, value in vars(self).items() if value}


_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])


class _Step:
    """The base of what is entered with `with`, or decorates a function, also an asynchronous one or a generator."""

    __slots__ = ("_activity", "_arguments", "_begun", "_token")

    def __init__(self, *arguments: Any) -> None:
        self._arguments = arguments
        self._activity: Activity | None = None
        self._token: Token[Activity | None] | None = None
        self._begun = 0

    def _enter(self, around: Activity | None) -> Activity | None:
        """Begin; None if no workflow is running."""
        raise NotImplementedError

    def _leave(self, activity: Activity, error: str | None) -> None:
        recording.recorder().append(("end", activity.identity, now(), error))

    def __enter__(self) -> Activity | None:
        activity = self._activity = self._enter(current())
        if activity is not None:
            self._token = _current.set(activity)
        return activity

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        activity, token = self._activity, self._token
        if activity is None or token is None:
            return
        self._activity = self._token = None
        try:
            _current.reset(token)
        except ValueError:  # a generator was closed in another context
            _current.set(None)
        if activity.process == _pid:
            self._leave(activity, None if kind is None else f"{kind.__name__}: {error}"[:500])

    def __call__(self, function: _F) -> _F:
        """Decorate a function: each call is an activity."""
        again = functools.partial(type(self), *self._arguments)
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def recorded_coroutine(*args: Any, **kwargs: Any) -> Any:
                with again():
                    return await function(*args, **kwargs)

            return recorded_coroutine  # type: ignore[return-value]

        @functools.wraps(function)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            with again():
                return function(*args, **kwargs)

        return recorded  # type: ignore[return-value]


class _Workflow(_Step):
    __slots__ = ("_outer",)

    def _enter(self, around: Activity | None) -> Activity | None:
        name, run, persons, specification, more, folder = self._arguments
        self._outer = os.environ.get(_VARIABLE)
        rank = surroundings.rank()
        with _lock:
            number = _runs[name] = _runs.get(name, 0) + 1
        if run is None:
            run = os.environ.get("HPC_EXPLORER_RUN") or None
        if run is None and rank is not None:
            # All ranks compute the same identity, without asking each other.
            run = hashlib.sha256(f"{rank[2]} {name} {number}".encode()).hexdigest()[:16]
        identity = f"{_part(name)}.{_part(run or uuid.uuid4().hex[:16])}"
        path = identity if rank is None else f"{identity}/rank:{rank[0]}"
        activity = Activity(path, identity)
        details = {
            **more,
            "name": name,
            "persons": [person.as_json() for person in persons] or _user(),
            "process": surroundings.process(),
            "job": surroundings.job(),
        }
        if rank is not None:
            details["ranks"] = rank[1]
        if around is not None and around.run != identity:
            details["within"] = around.identity
        own = recording.recorder()
        own.append(("run", path, now(), details))
        if specification is not None:
            own.append(("specification", identity, specification_of(specification)))
        own.append_later(_Surroundings(path, None if folder is None else os.path.abspath(folder)))
        with _lock:
            _open_workflows.append(activity)
        _hand_down(activity)
        return activity

    def _leave(self, activity: Activity, error: str | None) -> None:
        own = recording.recorder()
        for stage in (activity.attached or {}).values():
            own.append(("end", stage.identity, now(), error))
        own.append_later(_Surroundings(activity.identity, None))
        own.append(("end", activity.identity, now(), error))
        with _lock:
            if activity in _open_workflows:
                _open_workflows.remove(activity)
            is_last = not _open_workflows
        if self._outer is None:
            _hand_down(None)
        else:
            os.environ[_VARIABLE] = self._outer
        if is_last:
            own.stop()


def _user() -> list[dict[str, str]]:
    name = surroundings.user()
    return [{"name": name}] if name else []


@dataclass(frozen=True)
class _Surroundings:
    """The commit and the software of a run; found in another thread, as it takes a while.

    Args:
        folder: the folder whose commit is asked for; None: the software alone.
    """

    run: str
    folder: str | None

    def with_checksum(self) -> tuple[Any, ...]:
        found = {} if self.folder is None else surroundings.commit(self.folder)
        return ("surroundings", self.run, found, surroundings.imported_software())

    def without_checksum(self) -> tuple[Any, ...]:
        return ("surroundings", self.run, {}, {})


class _Task(_Step):
    def _enter(self, around: Activity | None) -> Activity | None:
        name, kind, tag = self._arguments
        if around is None:
            return outside("a task")
        part = _part(name)
        activity = Activity(f"{around.identity}/task:{part}.{around.count('task:' + part) + 1}", around.run, plain=True)
        recording.recorder().append(
            ("begin", activity.identity, now(), {"tag": tag or TASKS.get(kind, ""), "name": name})
        )
        return activity


class _Stage(_Step):
    def _enter(self, around: Activity | None) -> Activity | None:
        kind, name = self._arguments
        if around is None:
            return outside("a stage")
        parts = around.identity.split("/")
        own = recording.recorder()
        if not parts[-1].startswith(("epoch:", "batch:")):
            activity = Activity(f"{around.identity}/stage:{kind}.{around.count('stage:' + kind) + 1}", around.run)
            own.append(("begin", activity.identity, now(), {"name": name or kind}))
            return activity
        # A validation within an epoch of a training is the section of that epoch, in a validation stage of the run.
        at = next((number for number, part in enumerate(parts) if part.startswith("stage:")), len(parts) - 1)
        whole = Activity("/".join([*parts[:at], f"stage:{kind}.within-{parts[at].partition(':')[2]}"]), around.run)
        root = _open_workflows[-1] if _open_workflows else around
        if root.attached is None:
            root.attached = {}
        if whole.identity not in root.attached:
            root.attached[whole.identity] = whole
            own.append(("begin", whole.identity, now(), {"name": name or kind}))
        section = Activity(f"{whole.identity}/{'/'.join(parts[at + 1 :])}", around.run)
        own.append(("begin", section.identity, now(), {}))
        return section


class _Epoch(_Step):
    def _enter(self, around: Activity | None) -> Activity | None:
        if around is None:
            return outside("an epoch")
        activity = Activity(f"{around.identity}/{around.numbered('epoch', self._arguments[0])}", around.run)
        recording.recorder().append(("begin", activity.identity, now(), {}))
        return activity


class _Batch(_Step):
    """A batch has one record, at its end, with both times. It is entered often, so it is short of calls."""

    __slots__ = ()

    def __enter__(self) -> Activity | None:
        around = current()
        if around is None:
            return outside("a batch")
        part = around.numbered("batch", self._arguments[0])
        activity = self._activity = Activity(f"{around.identity}/{part}", around.run)
        self._token = _current.set(activity)
        self._begun = _CLOCK + _monotonic()
        return activity

    def _leave(self, activity: Activity, error: str | None) -> None:
        recording.recorder().append(("batch", activity.identity, self._begun, _CLOCK + _monotonic(), error))


def _part(name: str) -> str:
    """A name as a part of an identity."""
    return quote(str(name), safe="", errors="replace")


def outside(what: str) -> Activity | None:
    """Count a call outside of any workflow; returns None."""
    recording.recorder().lose(f"{what} outside a workflow")
    return None


class _Loop(Generic[_T]):
    """An iterable whose turns are epochs or batches.

    Leaving the loop early ends the turn when the iterator is discarded.
    """

    def __init__(self, items: Iterable[_T], step: type[_Step]) -> None:
        self._items = items
        self._step = step

    def __len__(self) -> int:
        return len(self._items)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[_T]:
        for number, item in enumerate(self._items):
            with self._step(number):
                yield item


# The public functions


def workflow(
    name: str,
    *,
    run: str | None = None,
    persons: Sequence[Person] = (),
    specification: Any = None,
    study: str = "",
    task: str = "",
    description: str = "",
    folder: str | os.PathLike[str] | None = ".",
) -> _Workflow:
    """A run of a workflow, with `with` or as a decorator. What is logged belongs to the innermost activity.

    Args:
        name: the workflow's name, the same for all of its runs.
        run: the identity of the run, if it is known; a new one otherwise. All ranks of a job have the same.
        persons: who takes part; the system's user otherwise.
        specification: the plan: a JSON file, or the value of one (see `capture.specification`).
        study: the study that the workflow belongs to.
        task: the learning task, such as "Classification".
        description: a sentence.
        folder: of the code, whose git commit is recorded; the working folder otherwise. None: no commit is recorded.
    """
    more = {"study": study, "learning task": task, "description": description}
    said = {key: value for key, value in more.items() if value}
    return _Workflow(name, run, tuple(persons), specification, said, folder)


def task(name: str, kind: str = "", *, tag: str = "") -> _Task:
    """A data transformation outside of learning.

    Args:
        kind: `curation`, `preparation` or `features`, if it is one of these.
        tag: another kind, in a word or two.
    """
    if kind and kind not in TASKS:
        raise ValueError(f"kind is {kind!r}; it is one of {', '.join(TASKS)}")
    return _Task(name, kind, tag)


def stage(kind: str, name: str = "") -> _Stage:
    """A stage of learning.

    Args:
        kind: `training`, `validation` or `evaluation`.
        name: another name for people.
    """
    if kind not in STAGES:
        raise ValueError(f"kind is {kind!r}; it is one of {', '.join(STAGES)}")
    return _Stage(kind, name)


def epoch(index: int | None = None) -> _Epoch:
    """An epoch of a stage.

    Args:
        index: its number; the next one otherwise.
    """
    return _Epoch(index)


def batch(index: int | None = None) -> _Batch:
    """A batch of an epoch or stage.

    Args:
        index: its number; the next one otherwise.
    """
    return _Batch(index)


def epochs(items: Iterable[_T]) -> _Loop[_T]:
    """The items of a loop, each turn of which is an epoch: `for number in capture.epochs(range(10))`."""
    return _Loop(items, _Epoch)


def batches(items: Iterable[_T]) -> _Loop[_T]:
    """The items of a loop, each turn of which is a batch: `for images, labels in capture.batches(loader)`."""
    return _Loop(items, _Batch)
