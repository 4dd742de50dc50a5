"""What fills a little at a time takes turns, pages do not ask each other how high they are, and jobs tell of steps now
and then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.app.jobs import Jobs
from hpc_explorer.stores.base import Progress, no_progress
from hpc_explorer.ui.bridge.jobs import NEWS_EVERY, JobsBridge
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.progress_bar import ProgressLine
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.turns import Turn


def filling(name: str, pieces: int, done: list[str]) -> tuple[QObject, Turn]:
    """Work of so many pieces, with whom it ends."""
    parent = QObject()
    left = [pieces]

    def piece() -> None:
        done.append(name)
        left[0] -= 1
        if left[0]:
            turn.start()

    turn = Turn(parent, piece)
    return parent, turn


def test_two_that_fill_do_a_piece_each_in_turns_of_their_own(qtbot: QtBot) -> None:
    done: list[str] = []
    first, second = filling("form", 3, done), filling("inspector", 2, done)
    first[1].start()
    second[1].start()
    first[1].start()
    assert first[1].is_waiting
    assert second[1].is_waiting
    counts = []
    while first[1].is_waiting or second[1].is_waiting:
        before = len(done)
        QCoreApplication.processEvents()
        counts.append(len(done) - before)
    assert done == ["form", "inspector", "form", "inspector", "form"]
    assert max(counts) == 1


def test_work_ends_with_its_part_of_the_window(qtbot: QtBot) -> None:
    done: list[str] = []
    gone, stopped, stays = filling("gone", 2, done), filling("stopped", 2, done), filling("stays", 2, done)
    for _, turn in (gone, stopped, stays):
        turn.start()
    stopped[1].stop()
    gone[0].deleteLater()
    QCoreApplication.sendPostedEvents(gone[0], QEvent.Type.DeferredDelete)
    qtbot.waitUntil(lambda: not stays[1].is_waiting)
    assert done == ["stays", "stays"]


class Asked(TextBlock):
    """A text that counts how often it is asked how high it is."""

    times = 0

    def heightForWidth(self, width: int) -> int:
        self.times += 1
        return super().heightForWidth(width)


def page_with(text: QWidget) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.addWidget(text)
    column.addStretch(1)
    return page


def test_a_new_word_asks_nothing_of_pages_out_of_sight(qtbot: QtBot) -> None:
    seen, unseen = Asked("seen"), Asked("unseen")
    inner, stack = PageStack(), PageStack()
    inner.addWidget(page_with(seen))
    stack.addWidget(page_with(inner))
    stack.addWidget(page_with(unseen))
    window = QWidget()
    QVBoxLayout(window).addWidget(stack)
    qtbot.addWidget(window)
    window.resize(300, 300)
    with qtbot.waitExposed(window):
        window.show()
    QCoreApplication.processEvents()
    seen.times = unseen.times = 0
    seen.say("another word, and many more, so that it goes on in the next line where the window is as narrow as this")
    qtbot.waitUntil(lambda: seen.height() > 2 * unseen.sizeHint().height())
    assert seen.times > 0
    assert unseen.times == 0


def test_steps_of_a_job_are_told_now_and_then_and_its_end_at_once(qtbot: QtBot) -> None:
    bridge = JobsBridge(Jobs(readers=2))
    told: list[str] = []
    bridge.changed.connect(lambda job: told.append(job.progress.text))
    go_on = threading.Event()
    done: list[int] = []

    def work(progress: Progress = no_progress) -> int:
        for step in range(5_000):
            progress(f"step {step}", None)
        progress("waiting", None)
        go_on.wait(240)
        return 1

    began = time.perf_counter()
    bridge.run(work, title="count", on_result=done.append)
    qtbot.waitUntil(lambda: told[-1:] == ["waiting"])
    # Each 0.1 s, by a timer that may come a little early; and once more for its beginning.
    assert len(told) <= (time.perf_counter() - began) / (0.8 * NEWS_EVERY) + 2
    go_on.set()
    qtbot.waitUntil(lambda: done == [1])
    bridge.close()


def test_a_progress_line_is_painted_with_all_else(qtbot: QtBot) -> None:
    painted: list[int] = []

    class Line(ProgressLine):
        def paintEvent(self, event: QEvent) -> None:
            painted.append(self.value())
            super().paintEvent(event)  # type: ignore[arg-type]

    line = Line("How far")
    qtbot.addWidget(line)
    with qtbot.waitExposed(line):
        line.show()
    qtbot.waitUntil(lambda: bool(painted))
    painted.clear()
    show: Callable[[float | None], None] = line.show_fraction
    for number in range(1, 101):
        show(number / 100)
    assert painted == []
    qtbot.waitUntil(lambda: bool(painted))
    assert line.value() == 1000
    show(None)
    assert (line.minimum(), line.maximum()) == (0, 0)
