"""Anything that somebody may click or type, in any order: nothing fails, and there is a way back from everywhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.changes.saving import LeaveDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.random_user import RandomUser, memory, random_graph
from tests.helpers.recorded import run_program
from tests.helpers.speed import slowness
from tests.helpers.windows import User

CHAPTER = 100
"""Actions between two returns to the home page, each of which is followed by another size and another resource."""

SIZES = [(640, 330), (1000, 650), (1280, 720), (1440, 900), (1920, 1080)]
"""Widths and heights in pixels; the first is a screen of 1280 by 720 at 200 %, less its title bar."""

CLOSED = 1000
"""Actions between two times that everything is closed, after which memory is measured."""

GROWTH = 0.05
"""What part of itself memory may grow by in the second half of a walk of `LONG` actions or more."""

LONG = 10_000

RUN = "http://example.org/sns/r4"
"""A run of the sample `sns`, which has something to show in every view."""

TRAINING = """
with capture.workflow("fit"), capture.stage("training"):
    capture.log_input(__file__)
    capture.log_metric("loss", 0.5)
    capture.log_model(__file__)
"""


@pytest.fixture
def walker(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """The window, whose program opens nothing outside and writes beside the graph at most."""
    window.features.place_opener.open_url = lambda address: True
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda address: True)
    monkeypatch.chdir(tmp_path)
    # The palette offers to quit too, which would be the end of the walk.
    leaving = next(command for command in window.commands.commands if command.id == "file.quit")
    window.commands.add([leaving.runs(lambda: None)])
    return window


class Walk:
    """Some thousand actions.

    Attributes:
        acting: who acts, which knows where it was and what took long.
        sizes: the bytes in memory each time that everything was closed.
    """

    def __init__(self, window: MainWindow, qtbot: QtBot, folder: Path, seed: int) -> None:
        self.window, self.seed, self.random = window, seed, Random(seed)
        self.user = User(qtbot, window)
        self.acting = RandomUser(window, self.random)
        self.drawn = str(random_graph(folder / "drawn.ttl", self.random))
        self.recorded = str(folder / "recorded")
        run_program(TRAINING, folder / "recorded")
        self.sizes: list[int] = []

    def take(self, actions: int, failures: list[object]) -> None:
        """Act; whatever fails names the action and those before it."""
        for number in range(1, actions + 1):
            if number % CHAPTER == 1:
                self._begin_chapter()
            self.acting.act()
            trail = "\n".join(self.acting.trail)
            assert not failures, f"action {number} of seed {self.seed}: {failures[0]}\n{trail}"
            assert self.window.isVisible(), f"the window is gone after action {number} of seed {self.seed}\n{trail}"
            if number % CHAPTER == 0:
                self._return()
            if number % CLOSED == 0:
                self._close()
                self.sizes.append(memory())

    def _begin_chapter(self) -> None:
        """Open what every view has something to show of, and go to one of it."""
        window, random = self.window, self.random
        window.resize(*random.choice(SIZES))
        if window.start_page.isVisible():
            window.open_sources([self.drawn, self.recorded, "sample:sns"])
            self.user.rest()
        if window.commands.action("source.close").isEnabled():
            window.navigator.open(NamedNode(random.choice([f"http://example.org/t{random.randrange(20)}", RUN])))
            self.user.rest()

    def _return(self) -> None:
        """Go home; fail if there is no way."""
        self.user.rest()  # a dialog may open only when its job ends
        self.acting.leave()
        self.window.run("view.home")
        self.user.rest()
        assert self.window.navigator.place.view is View.HOME

    def _close(self) -> None:
        """Close everything that is open, without saving."""
        self.window.run("file.close_all")
        self.user.rest()
        for dialog in self.window.findChildren(LeaveDialog):
            if dialog.isVisible():
                self.user.click(self.user.button("Discard", dialog))
        self.user.until(self.window.start_page.isVisible)
        self.user.rest()


@pytest.mark.walk
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_random_actions(
    walker: MainWindow,
    qtbot: QtBot,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    record_property: Callable[[str, object], None],
) -> None:
    actions = 20 * int(os.environ.get("EXAMPLES", "15"))
    seed = int(request.config.getoption("--hypothesis-seed") or 1)
    walk = Walk(walker, qtbot, tmp_path, seed)
    with qtbot.captureExceptions() as failures:
        walk.take(actions, failures)
    sizes = walk.sizes
    record_property("acted in", dict(walk.acting.acted.most_common()))
    record_property("megabytes", [size // 1_000_000 for size in sizes])
    record_property("slowness", round(slowness(), 1))  # by what processor time is longer than on a machine at rest
    # How long a stall is depends on the machine: the longest are in the report, for who reads it.
    for place, one in enumerate(sorted(walk.acting.stalls, key=lambda one: -one.seconds)[:40], 1):
        record_property(f"stall {place}", f"{one.seconds:.3f} s: {one.action} {one.where}")
    if actions >= LONG:
        assert sizes[-1] < (1 + GROWTH) * sizes[len(sizes) // 2 - 1], [size // 1_000_000 for size in sizes]
