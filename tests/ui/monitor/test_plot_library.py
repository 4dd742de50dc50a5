"""The library of the plots is loaded between events, and whole."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from hpc_explorer.ui.monitor.plot_library import PlotLibrary

application = QApplication([])
beats = []
timer = QTimer()
timer.timeout.connect(lambda: beats.append("pyqtgraph" in sys.modules))
timer.start(0)
library = PlotLibrary(application)
library.when_loaded(lambda: beats.clear())
library.when_loaded(application.quit)
application.exec()
in_steps = set(vars(sys.modules.pop("pyqtgraph")))
import pyqtgraph
print(beats.count(False) > 1, beats.count(True) > 1, sorted(set(vars(pyqtgraph)) - in_steps), library.is_loading)
"""


@pytest.mark.slow  # a process of its own, as this one has the library
def test_events_are_handled_while_the_library_is_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True", "[]", "False"]
