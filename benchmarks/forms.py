"""How long the window's thread is held up while the form of a large resource is opened, edited and saved.

QT_QPA_PLATFORM=offscreen python benchmarks/forms.py [FIELDS VALUES]
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from results import busy, write_section

from hpc_explorer.app.settings import Settings
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.widgets import theme
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.forms import LARGE_THING, large_form, term
from tests.helpers.watchdog import watched

RUNS = 7
OTHER = NamedNode("http://example.org/thing/4")
EDITED = term("property41")


def spin(milliseconds: int) -> None:
    """Let the window work for so long."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def rest(window: MainWindow) -> None:
    """Wait until nothing is being done any more."""
    spin(50)
    while window.is_busy:
        spin(20)
    spin(50)


def run(path: Path) -> dict[str, tuple[float, float]]:
    """What each step holds up the thread for at the most: by the clock, and by its own work, in ms."""
    window = MainWindow(Session.new(), Settings())
    window.resize(1280, 800)
    window.show()
    window.activateWindow()
    window.features.opener.open([str(path)])
    rest(window)
    window.navigator.open(LARGE_THING)
    rest(window)
    held: dict[str, tuple[float, float]] = {}

    def step(name: str, act: Callable[[], object]) -> None:
        with watched(window.bridge.jobs) as watchdog:
            act()
            rest(window)
        held[name] = max(watchdog.gaps), max(watchdog.work)

    def edit() -> None:
        window.features.form.page.fields.go_to(EDITED)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(QApplication.focusWidget(), "421")

    step("open its form", lambda: window.run("edit.resource"))
    step("start editing", lambda: window.run("edit.start"))
    step("type a value", edit)
    step("save it", lambda: window.run("edit.save"))
    step("undo that", lambda: window.run("edit.undo"))
    step("another resource", lambda: window.navigator.edit(OTHER))
    step("back to it", lambda: window.navigator.edit(LARGE_THING))
    window.close()
    return held


def table(fields: int, values: int) -> list[str]:
    """The figures as Markdown."""
    application = QApplication(sys.argv[:1])
    theme.prepare(application)
    runs = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("CONFIG", "DATA", "CACHE", "STATE"):
                os.environ[f"XDG_{name}_HOME"] = str(Path(folder) / name.lower())
            runs.append(run(large_form(Path(folder) / "large.ttl", fields, values)))
    lines = [
        f"A resource with {values:,} values of {fields:,} properties. The longest time in which keys and clicks waited",
        f"in each of {RUNS} runs: median, and the longest of all; by the clock, and what of it the thread itself did.",
        "",
        "| ms | median | longest | median, own work | longest, own work |",
        "|---|---|---|---|---|",
    ]
    for name in runs[0]:
        clock, work = ([one[name][which] for one in runs] for which in (0, 1))
        figures = (statistics.median(clock), max(clock), statistics.median(work), max(work))
        lines.append(f"| {name} | {' | '.join(f'{figure:.0f}' for figure in figures)} |")
    return lines


if __name__ == "__main__":
    before = busy()
    asked = [int(argument) for argument in sys.argv[1:]]
    write_section("The form of a resource", table(*(asked or (60, 100))), before)
