"""The start of the window as a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

INTERRUPTED = """
import os, signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
from hpc_explorer.ui.window.application import run_window

application = QApplication([])
def interrupt():
    windows = [one for one in application.topLevelWidgets() if isinstance(one, QMainWindow)]
    if windows and windows[0].features.overview.size_label.text():
        looking.stop()
        print(windows[0].features.overview.size_label.text(), flush=True)
        os.kill(os.getpid(), signal.SIGINT)
looking = QTimer()
looking.timeout.connect(interrupt)
looking.start(10)
code = run_window(["sample:fugaku"])
print("ended", code, flush=True)
sys.exit(code)
"""


def run(arguments: list[str], folder: Path, **changed: str | None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HPC_EXPLORER_CONFIG": str(folder), "QT_QPA_PLATFORM": "offscreen", **changed}
    return subprocess.run(
        [sys.executable, *arguments],
        env={name: value for name, value in environment.items() if value is not None},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_ctrl_c_in_the_terminal_closes_the_window(tmp_path: Path) -> None:
    ended = run(["-c", INTERRUPTED], tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[-1] == "ended 0"
    assert "Traceback" not in ended.stderr
    assert (tmp_path / "settings.json").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a screen")
def test_without_a_screen_one_line_says_so(tmp_path: Path) -> None:
    ended = run(
        ["-m", "hpc_explorer", "sample:fugaku"], tmp_path, QT_QPA_PLATFORM=None, DISPLAY=None, WAYLAND_DISPLAY=None
    )
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.startswith("hpc-explorer: there is no screen ")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have no such packages")
@pytest.mark.parametrize(("library", "package"), [("libGL.so.1", "libgl1"), ("libxcb-cursor.so.0", "libxcb-cursor0")])
def test_a_missing_system_library_is_named_with_its_package(tmp_path: Path, library: str, package: str) -> None:
    (tmp_path / library).touch()  # the loader finds this file first, and cannot load it
    ended = run(
        ["-m", "hpc_explorer", "sample:fugaku"],
        tmp_path,
        LD_LIBRARY_PATH=str(tmp_path),
        QT_QPA_PLATFORM=None,
        DISPLAY=":9999",
    )
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1, "one line"
    assert library in ended.stderr
    assert package in ended.stderr or not shutil.which("apt-get")
