"""Anything that somebody may click or type, in any order: nothing fails, and there is a way back from everywhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.random_user import RandomUser, Stall, memory, random_graph
from tests.helpers.windows import User

BETWEEN = 100
"""Actions between two returns to the home page, where memory is measured."""

GROWTH = 80_000_000
"""Bytes that the second half of a long walk may add: caches that are not full yet, and what other sources need."""


@pytest.fixture
def walker(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """The window, whose program opens nothing outside and writes beside the graph at most."""
    window.place_opener.open_url = lambda address: True
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda address: True)
    monkeypatch.chdir(tmp_path)
    # The palette offers to quit too, which would be the end of the walk.
    leaving = next(command for command in window.commands.commands if command.id == "file.quit")
    window.commands.add([leaving.runs(lambda: None)])
    return window


def walk(window: MainWindow, qtbot: QtBot, folder: Path, seed: int, actions: int) -> tuple[list[int], list[Stall]]:
    """Act at random; returns the bytes in memory at each return to the home page, and the stalls.

    Whatever fails names the action and those before it.
    """
    random = Random(seed)
    user = User(qtbot, window)
    user.open_files([random_graph(folder / "drawn.ttl", random)])
    acting = RandomUser(window, random)
    sizes: list[int] = []
    with qtbot.captureExceptions() as failures:
        for number in range(1, actions + 1):
            acting.act()
            trail = "\n".join(acting.trail)
            assert not failures, f"action {number} of seed {seed}: {failures[0]}\n{trail}"
            assert window.isVisible(), f"the window is gone after action {number} of seed {seed}\n{trail}"
            if number % BETWEEN == 0:
                user.rest()  # a dialog may open only when its job ends
                acting.leave()
                window.run("view.home")
                user.rest()
                sizes.append(memory())
    return sizes, acting.stalls


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
    sizes, stalls = walk(walker, qtbot, tmp_path, seed, actions)
    # How long a stall is depends on the machine: the longest are in the report, for who reads it.
    for place, one in enumerate(sorted(stalls, key=lambda one: -one.seconds)[:10], 1):
        record_property(f"stall {place}", f"{one.seconds:.3f} s: {one.action} {one.where}")
    half = len(sizes) // 2
    assert not half or max(sizes[half:]) - max(sizes[:half]) < GROWTH, [size // 1_000_000 for size in sizes]
