"""The scripts behind `make run`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

QT_LIBRARIES = Path(__file__).parents[2] / "src" / "hpc_explorer" / "ui" / "window" / "qt_libraries.py"


def test_qt_loads_where_the_tests_of_the_window_run() -> None:
    done = subprocess.run([sys.executable, str(QT_LIBRARIES), "check", "offscreen"], check=False, timeout=240)
    assert done.returncode == 0
