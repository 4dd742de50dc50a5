"""Work in threads, its results on the window's thread, and only the latest answer."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from pytestqt.qtbot import QtBot

from hpc_explorer.app.jobs import JobContext, Jobs
from hpc_explorer.errors import SourceNotFound
from hpc_explorer.ui.bridge.jobs import Channel, JobsBridge
from tests.helpers.windows import PATIENCE


@pytest.fixture
def bridge(qtbot: QtBot) -> Iterator[JobsBridge]:
    bridge = JobsBridge(Jobs(readers=2))
    yield bridge
    bridge.close()


def test_a_result_arrives_on_the_windows_thread(bridge: JobsBridge, qtbot: QtBot) -> None:
    arrived: list[tuple[int, threading.Thread]] = []
    bridge.run("add", lambda context: 2, lambda value: arrived.append((value, threading.current_thread())))
    qtbot.waitUntil(lambda: bool(arrived))
    assert arrived == [(2, threading.main_thread())]
    assert not bridge.is_busy


def test_an_error_goes_to_whoever_takes_it_else_to_the_signal(bridge: JobsBridge, qtbot: QtBot) -> None:
    def work(context: JobContext) -> None:
        raise SourceNotFound("no such file", "a.ttl")

    taken: list[BaseException] = []
    bridge.run("open", work, lambda _: None, taken.append)
    qtbot.waitUntil(lambda: bool(taken))
    with qtbot.waitSignal(bridge.failed) as told:
        bridge.run("open", work, lambda _: None)
    assert [type(error) for error in taken] == [SourceNotFound]
    assert isinstance(told.args[0].error, SourceNotFound)


def test_a_channel_gives_only_the_latest_answer(bridge: JobsBridge, qtbot: QtBot) -> None:
    answers: list[str] = []
    late = threading.Event()
    channel = Channel(bridge)

    def deaf(context: JobContext) -> str:
        """Does not look whether anybody still waits, as a query of the engine does not."""
        late.wait(PATIENCE / 1000)
        return "first"

    channel.ask("first", deaf, answers.append)
    channel.ask("second", lambda context: "second", answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    late.set()
    qtbot.waitUntil(lambda: not bridge.is_busy)
    assert answers == ["second"]


def test_a_dropped_question_has_no_answer(bridge: JobsBridge, qtbot: QtBot) -> None:
    answers: list[str] = []
    channel = Channel(bridge)
    channel.ask("ask", lambda context: "answer", answers.append)
    channel.drop()
    qtbot.waitUntil(lambda: not bridge.is_busy)
    assert answers == []


def test_many_steps_are_told_as_few(bridge: JobsBridge, qtbot: QtBot) -> None:
    told: list[float | None] = []
    bridge.changed.connect(lambda job: told.append(job.progress.fraction))
    done: list[bool] = []

    def work(context: JobContext) -> bool:
        for step in range(10_000):
            context.progress("counting", step / 10_000)
        return True

    bridge.run("count", work, done.append)
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

        def work(context: JobContext, hearer: Hearer = hearer) -> str:
            context.progress("sending")
            hearer.sent.emit("a part")
            return "the end"

        job = bridge.run("send", work, hearer.heard.append)
        assert job.result(PATIENCE / 1000) == "the end"
        bridge._deliver()  # as its timer does, which knows nothing of what is under way to this thread
    assert [hearer.heard for hearer in hearers] == [[], []]
    assert bridge.is_busy
    qtbot.waitUntil(lambda: not bridge.is_busy)
    assert [hearer.heard for hearer in hearers] == [["a part", "the end"]] * 2
