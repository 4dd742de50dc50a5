"""The scripts behind `make run`: whether a window can be shown here, and whether Qt loads."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the scripts decide this on Linux only")


def exit_code(script: str, *arguments: str, **environment: str) -> int:
    """The exit code of a script of packaging/, with these variables and none that names a screen."""
    clean = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, str(PACKAGING / script), *arguments]
    return subprocess.run(command, env=clean | environment, check=False, timeout=60).returncode


def test_no_variable_means_no_screen() -> None:
    assert exit_code("has_screen.py") == 1


def test_a_screen_that_does_not_answer_is_none() -> None:
    assert exit_code("has_screen.py", DISPLAY=":987", WAYLAND_DISPLAY="wayland-987") == 1


def test_a_compositor_that_listens_is_a_screen(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(tmp_path / "wayland-0"))
        compositor.listen()
        assert exit_code("has_screen.py", XDG_RUNTIME_DIR=str(tmp_path), WAYLAND_DISPLAY="wayland-0") == 0


def test_qt_loads_where_the_tests_of_the_window_run() -> None:
    assert exit_code("qt_libraries.py", "check", "offscreen") == 0
