from __future__ import annotations

import threading
import traceback
import weakref
from collections.abc import Iterator

import pytest

from hpc_explorer.app.jobs import Job, JobContext, Jobs, JobState, Progress
from hpc_explorer.errors import Cancelled, SourceNotFound
from tests.helpers.waiting import until

SOON = 60.0
"""Seconds to wait at most for what happens at once."""


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    jobs = Jobs(readers=2)
    yield jobs
    assert jobs.shutdown(SOON), "a thread is left"


class Gate:
    """Work that says it has begun, then waits until it may go on or is stopped."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.open = threading.Event()

    def __call__(self, context: JobContext) -> str:
        self.begun.set()
        while not self.open.wait(0.005):
            context.limits.check("the gate")
        return "through"


class Found:
    """Something that may be large."""


def test_what_a_job_found_is_not_kept_by_its_thread(jobs: Jobs) -> None:
    job = jobs.submit("find", lambda context: Found())
    found = weakref.ref(job.result(SOON))
    del job
    until(lambda: found() is None)


def test_a_job_gives_its_result(jobs: Jobs) -> None:
    job = jobs.submit("add", lambda context: 1 + 1)
    assert job.result(SOON) == 2
    assert job.state is JobState.DONE
    assert job.error is None


class WatchedEvent(threading.Event):
    """Notes which state its job says it is in as the event comes."""

    def __init__(self, job: Job[str]) -> None:
        super().__init__()
        self._job = job
        self.states: list[JobState] = []

    def set(self) -> None:
        self.states.append(self._job.state)
        super().set()


def test_who_sees_that_a_job_has_ended_finds_its_outcome_there(jobs: Jobs) -> None:
    """The outcome can be had before the state says so, never the other way round."""
    gate = Gate()
    job = jobs.submit("wait", gate)
    assert gate.begun.wait(SOON)
    job._ended = ended = WatchedEvent(job)
    gate.open.set()
    assert job.result(SOON) == "through"
    assert ended.states == [JobState.RUNNING]
    assert job.state is JobState.DONE


def test_an_error_is_kept_and_raised_to_whoever_asks(jobs: Jobs) -> None:
    def work(context: JobContext) -> None:
        raise SourceNotFound("no such file", "a.ttl")

    job = jobs.submit("open", work)
    with pytest.raises(SourceNotFound, match=r"a\.ttl"):
        job.result(SOON)
    assert job.state is JobState.FAILED
    assert jobs.submit("next", lambda context: "alive").result(SOON) == "alive"


def test_a_running_job_stops_at_its_next_step(jobs: Jobs) -> None:
    gate = Gate()
    job = jobs.submit("wait", gate)
    assert gate.begun.wait(SOON)
    job.cancel()
    with pytest.raises(Cancelled):
        job.result(SOON)
    assert job.state is JobState.CANCELLED


def test_a_waiting_job_that_is_cancelled_never_runs(jobs: Jobs) -> None:
    gate, ran = Gate(), threading.Event()
    first = jobs.submit("first", gate, writes=True)
    second = jobs.submit("second", lambda context: ran.set(), writes=True)
    assert gate.begun.wait(SOON)
    second.cancel()
    assert second.state is JobState.CANCELLED
    gate.open.set()
    assert first.result(SOON) == "through"
    assert jobs.submit("third", lambda context: "after", writes=True).result(SOON) == "after"
    assert not ran.is_set()


def test_cancelling_what_has_ended_changes_nothing(jobs: Jobs) -> None:
    job = jobs.submit("add", lambda context: 3)
    assert job.result(SOON) == 3
    job.cancel()
    assert job.state is JobState.DONE
    assert job.result(SOON) == 3


def test_changes_run_one_after_the_other_in_order(jobs: Jobs) -> None:
    order: list[int] = []
    running = threading.Semaphore(1)

    def change(number: int) -> None:
        assert running.acquire(blocking=False), "two changes at once"
        order.append(number)
        running.release()

    written = [jobs.submit("change", lambda context, n=number: change(n), writes=True) for number in range(50)]
    for job in written:
        job.result(SOON)
    assert order == list(range(50))


def test_reading_does_not_wait_for_a_change(jobs: Jobs) -> None:
    gate = Gate()
    change = jobs.submit("change", gate, writes=True)
    assert gate.begun.wait(SOON)
    assert jobs.submit("read", lambda context: "read").result(SOON) == "read"
    gate.open.set()
    assert change.result(SOON) == "through"


def test_every_step_is_told(jobs: Jobs) -> None:
    told: list[tuple[str, JobState, Progress]] = []
    ended = threading.Event()

    def note(job: Job[object]) -> None:
        told.append((job.title, job.state, job.progress))
        if job.state.finished:
            ended.set()

    unsubscribe = jobs.on_change(note)
    start = threading.Event()

    def work(context: JobContext) -> None:
        start.wait(SOON)
        context.progress("reading a.ttl", 0.5)

    job = jobs.submit("open", work)
    start.set()
    job.result(SOON)
    assert ended.wait(SOON)
    states = [state for _, state, _ in told]
    assert states[-1] is JobState.DONE
    assert JobState.RUNNING in states
    assert ("open", JobState.RUNNING, Progress("reading a.ttl", 0.5)) in told
    unsubscribe()
    seen = len(told)
    jobs.submit("quiet", lambda context: None).result(SOON)
    assert len(told) == seen


def test_active_lists_what_has_not_ended(jobs: Jobs) -> None:
    gate = Gate()
    job = jobs.submit("wait", gate)
    assert jobs.active() == (job,)
    gate.open.set()
    job.result(SOON)
    assert jobs.active() == ()


def test_result_says_when_it_gave_up_waiting(jobs: Jobs) -> None:
    gate = Gate()
    job = jobs.submit("wait", gate)
    with pytest.raises(TimeoutError, match="wait"):
        job.result(0.01)
    gate.open.set()
    job.result(SOON)


def test_shutdown_stops_everything_and_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    jobs = Jobs(readers=2)
    gates = [Gate() for _ in range(4)]
    waiting = [jobs.submit("wait", gate) for gate in gates]
    assert gates[0].begun.wait(SOON)
    assert jobs.shutdown(SOON)
    assert all(job.state is JobState.CANCELLED for job in waiting)
    assert set(threading.enumerate()) <= before
    with pytest.raises(RuntimeError, match="late"):
        jobs.submit("late", lambda context: None)


class Held:
    """Something that notes which thread frees it."""

    def __init__(self, freed_by: list[threading.Thread]) -> None:
        self.freed_by = freed_by

    def __del__(self) -> None:
        self.freed_by.append(threading.current_thread())


def test_what_work_held_when_it_failed_is_freed_in_its_own_thread(jobs: Jobs) -> None:
    freed_by: list[threading.Thread] = []

    def work(context: JobContext) -> None:
        held = Held(freed_by)
        try:
            raise KeyError("first")
        except KeyError:
            raise ValueError(f"while {type(held).__name__} is alive") from None

    job = jobs.submit("fail", work)
    with pytest.raises(ValueError, match="Held is alive") as caught:
        job.result(SOON)
    assert [thread.name for thread in freed_by] == ["reader-1"]
    assert "in work" in "".join(traceback.format_exception(caught.value))
