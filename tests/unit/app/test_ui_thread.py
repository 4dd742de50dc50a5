"""A job gives way to the window's thread while that is at work, and gets on all the same."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from hpc_explorer.app.jobs import LONGEST, LOOK, NAP, TURN, Jobs, UiThreadYield, processor_time_of


class Scene:
    """A clock, and a thread that is at work from one second to another; both go on only in naps and steps."""

    def __init__(self, begins: float = 0.0, ends: float = 0.0) -> None:
        self.now, self.begins, self.ends = 0.0, begins, ends
        self.napped = 0.0
        self.aside = UiThreadYield(self.used, lambda: self.now, self.nap)

    def used(self) -> float:
        """What the thread has computed so far."""
        return max(0.0, min(self.now, self.ends) - self.begins)

    def nap(self, seconds: float) -> None:
        """Let time go by without work."""
        self.napped += seconds
        self.now += seconds

    def work(self, seconds: float) -> float:
        """Compute for so long, with a step each tenth of a millisecond; returns how long it took."""
        began, done = self.now, 0.0
        while done < seconds:
            self.now += 0.0001
            done += 0.0001
            self.aside.at_step()
        return self.now - began


def test_nobody_waits_for_a_thread_that_does_nothing() -> None:
    scene = Scene()
    scene.work(1.0)
    assert scene.napped == 0


def test_work_waits_until_the_thread_has_done() -> None:
    scene = Scene(begins=0.1, ends=0.12)
    scene.work(1.0)
    assert 0.12 - 0.1 - 2 * LOOK <= scene.napped <= 0.12 - 0.1 + 2 * NAP


def test_work_gets_on_beside_a_thread_that_never_ends() -> None:
    scene = Scene(begins=0.0, ends=1_000.0)
    took = scene.work(1.0)
    assert took <= (LONGEST + TURN + LOOK + NAP) / TURN
    assert scene.napped > 0.7 * took


def test_a_look_is_taken_now_and_then_not_at_each_step() -> None:
    looks: list[float] = []
    scene = Scene()
    aside = UiThreadYield(lambda: looks.append(scene.now) or 0.0, lambda: scene.now, scene.nap)
    for step in range(10_000):
        scene.now = step * 0.00001
        aside.at_step()
    assert len(looks) <= 0.1 / LOOK + 2


def test_the_processor_time_of_a_thread_goes_on_while_it_computes() -> None:
    used = processor_time_of(threading.current_thread())
    if used is None:
        pytest.skip("this system does not tell the processor time of another thread")
    before = used()
    sum(number * number for number in range(300_000))
    assert used() > before
    ended = threading.Thread(target=int)
    ended.start()
    ended.join()
    assert processor_time_of(ended) is None


@pytest.mark.parametrize("first", [None, threading.current_thread])
def test_jobs_have_their_results_with_and_without_one_that_goes_first(
    first: Callable[[], threading.Thread] | None,
) -> None:
    jobs = Jobs(readers=2, first=first() if first is not None else None)

    def count(context: object) -> int:
        for _ in range(2_000):
            context.limits.check()  # type: ignore[attr-defined]
        return 2_000

    counted = [jobs.submit("count", count) for _ in range(4)]
    assert [job.result(60) for job in counted] == [2_000] * 4
    assert jobs.shutdown()
