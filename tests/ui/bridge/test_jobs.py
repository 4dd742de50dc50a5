"""Work in threads, its results on the window's thread, and only the latest answer."""

from __future__ import annotations

import contextlib
import io
import sys
import threading
from collections.abc import Iterator
from functools import partial

import pytest
import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from pytestqt.qtbot import QtBot

from hpc_explorer.app.jobs import Jobs
from hpc_explorer.errors import SourceNotFound
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.ui.bridge.jobs import JobsBridge
from tests.helpers.windows import PATIENCE


@pytest.fixture
def bridge(qtbot: QtBot) -> Iterator[JobsBridge]:
    bridge = JobsBridge(Jobs(readers=2))
    yield bridge
    bridge.close()


def test_a_result_arrives_on_the_windows_thread(bridge: JobsBridge, qtbot: QtBot) -> None:
    arrived: list[tuple[int, threading.Thread]] = []
    took: list[tuple[int, threading.Thread]] = []

    def add(one: int, two: int) -> int:
        took.append((one, threading.current_thread()))
        return one + two

    bridge.run(add, 1, 2, title="add", on_result=lambda value: arrived.append((value, threading.current_thread())))
    qtbot.waitUntil(lambda: bool(arrived))
    assert arrived == [(3, threading.main_thread())]
    assert took[0][1] is not threading.main_thread()
    assert not bridge.is_busy


def test_an_operation_is_given_what_it_takes_of_the_job(bridge: JobsBridge, qtbot: QtBot) -> None:
    taken: list[Limits] = []
    steps: list[str] = []
    bridge.changed.connect(lambda job: steps.append(job.progress.text))

    def count(most: int, *, limits: Limits = NO_LIMITS, progress: Progress = no_progress) -> None:
        taken.append(limits)
        progress(f"counting to {most}", None)

    ended: list[None] = []
    for operation in (count, partial(count)):
        bridge.run(operation, 7, title="count", on_result=ended.append)
    qtbot.waitUntil(lambda: len(ended) == 2)
    assert all(limits.cancel is not None for limits in taken)
    assert steps[-1] == "counting to 7"


class Receiver(QObject):
    """A part of the window that keeps what it gets."""

    def __init__(self, got: list[tuple[object, ...]]) -> None:
        super().__init__()
        self.got = got

    def take(self, *values: object) -> None:
        self.objectName()  # fails if it was deleted
        self.got.append(values)


def test_a_part_of_the_window_that_was_deleted_gets_nothing(bridge: JobsBridge, qtbot: QtBot) -> None:
    got: list[tuple[object, ...]] = []
    gone, there = Receiver(got), Receiver(got)
    answers: list[int] = []

    def fail() -> None:
        raise SourceNotFound("not there")

    bridge.run(lambda: 1, title="one", on_result=gone.take)
    bridge.run(lambda: 2, title="two", on_result=partial(gone.take, "two"))
    bridge.run(lambda: 3, title="three", on_result=partial(Receiver.take, gone))
    bridge.run(fail, title="four", on_error=gone.take)
    bridge.run(lambda: 5, title="five", on_result=partial(there.take, "five"))
    bridge.run(lambda: 6, title="six", on_result=answers.append)
    shiboken6.delete(gone)
    qtbot.waitUntil(lambda: not bridge.is_busy)
    assert (got, answers) == ([("five", 5)], [6])


def test_an_error_goes_to_whoever_takes_it_else_to_the_signal(bridge: JobsBridge, qtbot: QtBot) -> None:
    def work() -> None:
        raise SourceNotFound("no such file", "a.ttl")

    taken: list[BaseException] = []
    bridge.run(work, title="open", on_error=taken.append)
    qtbot.waitUntil(lambda: bool(taken))
    with qtbot.waitSignal(bridge.failed) as told:
        bridge.run(work, title="open")
    assert [type(error) for error in taken] == [SourceNotFound]
    assert isinstance(told.args[0].error, SourceNotFound)


class Late:
    """Answers when it is let, and does not look whether anybody still waits, as a query of the engine does not."""

    def __init__(self) -> None:
        self.begun, self.let = threading.Event(), threading.Event()

    def answer(self, text: str) -> str:
        self.begun.set()
        self.let.wait(PATIENCE / 1000)
        return text


def given_up(bridge: JobsBridge, how: str, answers: list[str]) -> list[str]:
    """Give up what was asked as "one", and say which answers are to come."""
    if how == "replaced":
        bridge.run(lambda: "second", title="ask", on_result=answers.append, replaces="one")
        return ["beside", "second"]
    if how == "dropped":
        bridge.drop("one")
    else:
        bridge.drop_all()
    return ["beside"]


@pytest.mark.parametrize("how", ["replaced", "dropped", "all dropped"])
def test_no_answer_comes_to_what_was_given_up(bridge: JobsBridge, qtbot: QtBot, how: str) -> None:
    answers: list[str] = []
    first = Late()
    bridge.run(
        first.answer,
        "first",
        title="ask",
        on_result=answers.append,
        on_error=lambda error: answers.append(str(error)),
        replaces="one",
    )
    bridge.run(lambda: "beside", title="ask", on_result=answers.append)
    assert first.begun.wait(PATIENCE / 1000)
    expected = given_up(bridge, how, answers)
    first.let.set()
    qtbot.waitUntil(lambda: not bridge.is_busy)
    assert sorted(answers) == expected
    assert not bridge.is_running("one")


def test_other_names_are_left_alone(bridge: JobsBridge, qtbot: QtBot) -> None:
    answers: list[str] = []
    names = ["one", ("one", 2)]
    for name in names:
        bridge.run(repr, name, title="ask", on_result=answers.append, replaces=name)
    assert all(map(bridge.is_running, names))
    qtbot.waitUntil(lambda: not bridge.is_busy)
    assert sorted(answers) == sorted(map(repr, names))


def test_a_name_can_be_asked_again_by_who_takes_its_answer(bridge: JobsBridge, qtbot: QtBot) -> None:
    answers: list[int] = []

    def take(number: int) -> None:
        answers.append(number)
        if number < 3:
            bridge.run(lambda: number + 1, title="count", on_result=take, replaces="number")

    take(0)
    qtbot.waitUntil(lambda: not bridge.is_busy)
    assert answers == [0, 1, 2, 3]


def test_many_steps_are_told_as_few(bridge: JobsBridge, qtbot: QtBot) -> None:
    told: list[float | None] = []
    bridge.changed.connect(lambda job: told.append(job.progress.fraction))
    done: list[bool] = []

    def work(progress: Progress = no_progress) -> bool:
        for step in range(10_000):
            progress("counting", step / 10_000)
        return True

    bridge.run(work, title="count", on_result=done.append)
    qtbot.waitUntil(lambda: bool(done))
    assert len(told) < 5_000
    assert told[-1] == 9_999 / 10_000


class Hearer(QObject):
    """Takes what a job sends from its thread, in the order it comes."""

    sent = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []
        self.sent.connect(self.heard.append, Qt.ConnectionType.QueuedConnection)


def test_what_a_job_sent_comes_before_its_end(bridge: JobsBridge, qtbot: QtBot) -> None:
    hearers = [Hearer(), Hearer()]
    for hearer in hearers:

        def work(hearer: Hearer, *, progress: Progress = no_progress) -> str:
            progress("sending", None)
            hearer.sent.emit("a part")
            return "the end"

        job = bridge.run(work, hearer, title="send", on_result=hearer.heard.append)
        assert job.result(PATIENCE / 1000) == "the end"
        for timer in bridge.findChildren(QTimer):  # they know nothing of what is under way to this thread
            timer.timeout.emit()
    assert [hearer.heard for hearer in hearers] == [[], []]
    assert bridge.is_busy
    qtbot.waitUntil(lambda: not bridge.is_busy)
    assert [hearer.heard for hearer in hearers] == [["a part", "the end"]] * 2


def test_a_module_is_imported_in_a_thread_before_it_is_needed(bridge: JobsBridge, qtbot: QtBot) -> None:
    sys.modules.pop("this", None)
    at: list[str] = []
    with contextlib.redirect_stdout(io.StringIO()):
        bridge.import_first("this", lambda: at.append(threading.current_thread().name), "Read the Zen of Python")
        assert at == []
        qtbot.waitUntil(lambda: bool(at))
    assert "this" in sys.modules
    bridge.import_first("this", lambda: at.append("at once"), "Read the Zen of Python")
    assert at == [threading.main_thread().name, "at once"]
