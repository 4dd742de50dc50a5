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
import os
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import Token
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from hpc_explorer.capture import recorder as recording
from hpc_explorer.capture import running, surroundings
from hpc_explorer.capture.running import current, hand_down, handed_down, open_workflows, outside
from hpc_explorer.capture.specification import specification_of
from hpc_explorer.capture.waiting import Activity, now

STAGES = ("training", "validation", "evaluation")
TASKS = {"curation": "Data Curation", "preparation": "Learning Data Preparation", "features": "Feature Extraction"}
"""The kinds of tasks before learning, with the tags of PROVLake."""

_lock = threading.Lock()
_runs: dict[str, int] = {}
"""How many workflows of each name were begun."""


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()  # another thread of the parent may have held it


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


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


class Decorator:
    """What also decorates a function: each call is an activity."""

    __slots__ = ()

    def _again(self) -> Any:
        """Another step like this one."""
        raise NotImplementedError

    def __call__(self, function: _F) -> _F:
        """Decorate a function, also an asynchronous one."""
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def recorded_coroutine(*args: Any, **kwargs: Any) -> Any:
                with self._again():
                    return await function(*args, **kwargs)

            return recorded_coroutine  # type: ignore[return-value]

        @functools.wraps(function)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            with self._again():
                return function(*args, **kwargs)

        return recorded  # type: ignore[return-value]


class _Step(Decorator):
    """The base of what is entered with `with`."""

    __slots__ = ("_activity", "_arguments", "_token")

    def __init__(self, *arguments: Any) -> None:
        self._arguments = arguments
        self._activity: Activity | None = None
        self._token: Token[Activity | None] | None = None

    def _again(self) -> Any:
        return type(self)(*self._arguments)

    def _enter(self, around: Activity | None) -> Activity | None:
        """Begin; None if no workflow is running."""
        raise NotImplementedError

    def _leave(self, activity: Activity, error: str | None) -> None:
        recording.recorder().append(("end", activity.identity, now(), error))

    def __enter__(self) -> Activity | None:
        activity = self._activity = self._enter(current())
        if activity is not None:
            self._token = running.innermost.set(activity)
        return activity

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        activity, token = self._activity, self._token
        if activity is None or token is None:
            return
        self._activity = self._token = None
        if not activity.is_of_this_process:
            return
        try:
            running.innermost.reset(token)
        except ValueError:  # a generator was closed in another context
            running.innermost.set(None)
        self._leave(activity, None if kind is None else described_error(kind, error))


def described_error(kind: type[BaseException], error: object) -> str:
    """The error with which an activity ended."""
    return f"{kind.__name__}: {error}"[:500]


class _Workflow(_Step):
    __slots__ = ("_outer",)

    def _enter(self, around: Activity | None) -> Activity | None:
        name, run, persons, specification, more, folder = self._arguments
        self._outer = handed_down()
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
        activity = Activity(path)
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
            open_workflows.append(activity)
        hand_down(activity)
        return activity

    def _leave(self, activity: Activity, error: str | None) -> None:
        own = recording.recorder()
        for stage in getattr(activity, "attached", {}).values():
            own.append(("end", stage.identity, now(), error))
        own.append_later(_Surroundings(activity.identity, None))
        own.append(("end", activity.identity, now(), error))
        with _lock:
            if activity in open_workflows:
                open_workflows.remove(activity)
            is_last = not open_workflows
        hand_down(None, self._outer)
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
            outside("a task")
            return None
        part = _part(name)
        activity = Activity(f"{around.identity}/task:{part}.{around.count('task:' + part) + 1}", plain=True)
        recording.recorder().append(
            ("begin", activity.identity, now(), {"tag": tag or TASKS.get(kind, ""), "name": name})
        )
        return activity


class _Stage(_Step):
    def _enter(self, around: Activity | None) -> Activity | None:
        kind, name = self._arguments
        if around is None:
            outside("a stage")
            return None
        parts = around.identity.split("/")
        own = recording.recorder()
        if not parts[-1].startswith(("epoch:", "batch:")):
            activity = Activity(f"{around.identity}/stage:{kind}.{around.count('stage:' + kind) + 1}")
            own.append(("begin", activity.identity, now(), {"name": name or kind}))
            return activity
        # A validation within an epoch of a training is the section of that epoch, in a validation stage of the run.
        at = next((number for number, part in enumerate(parts) if part.startswith("stage:")), len(parts) - 1)
        whole = Activity("/".join([*parts[:at], f"stage:{kind}.within-{parts[at].partition(':')[2]}"]))
        root = open_workflows[-1] if open_workflows else around
        attached = root.attached = getattr(root, "attached", {})
        if whole.identity not in attached:
            attached[whole.identity] = whole
            own.append(("begin", whole.identity, now(), {"name": name or kind}))
        section = Activity(f"{whole.identity}/{'/'.join(parts[at + 1 :])}")
        own.append(("begin", section.identity, now(), {}))
        return section


class _Epoch(_Step):
    def _enter(self, around: Activity | None) -> Activity | None:
        if around is None:
            outside("an epoch")
            return None
        prefix, index = around.place("epoch", self._arguments[0])
        activity = Activity(f"{prefix}{index}")
        recording.recorder().append(("begin", activity.identity, now(), {}))
        return activity


def _part(name: str) -> str:
    """A name as a part of an identity."""
    return quote(str(name), safe="", errors="replace")


class Loop(Generic[_T]):
    """An iterable whose turns are epochs or batches.

    Leaving the loop early ends the turn when the iterator is discarded. A generator is not told why: `break` is no
    error, and an error is recorded by the activities around it.
    """

    def __init__(self, items: Iterable[_T], step: Callable[[int], Any]) -> None:
        self._items = items
        self._step = step

    def __len__(self) -> int:
        return len(self._items)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[_T]:
        for number, item in enumerate(self._items):
            step = self._step(number)
            step.__enter__()  # less work than `with`, which calls through C
            try:
                yield item
            except BaseException as error:
                leave(step, error)
                raise
            step.__exit__(None, None, None)


def leave(step: Any, error: BaseException) -> None:
    """End the turn of a loop that is left early."""
    if isinstance(error, GeneratorExit):
        step.__exit__(None, None, None)
    else:
        step.__exit__(type(error), error, None)


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


def epochs(items: Iterable[_T]) -> Loop[_T]:
    """The items of a loop, each turn of which is an epoch: `for number in capture.epochs(range(10))`."""
    return Loop(items, _Epoch)
