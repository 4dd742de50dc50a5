"""The scripts behind `make run`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hpc_explorer.ui.window.qt_libraries import OFFSCREEN, SCREEN

QT_LIBRARIES = Path(__file__).parents[2] / "src" / "hpc_explorer" / "ui" / "window" / "qt_libraries.py"


def test_qt_loads_where_the_tests_of_the_window_run() -> None:
    done = subprocess.run([sys.executable, str(QT_LIBRARIES), "check", "offscreen"], check=False, timeout=240)
    assert done.returncode == 0


HIDE = """
for name in $HIDDEN; do
    path=$(/sbin/ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }')
    [ -z "$path" ] || mount --bind /dev/null "$(readlink -f "$path")" || exit 77
done
exec "$@"
"""
"""Runs a program to which libraries are missing: a mount of its own puts an empty file over each. 77 if it may not."""


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("unshare") and shutil.which("apt-get")), reason="needs unshare, on Debian")
@pytest.mark.parametrize(
    "hidden",
    [
        pytest.param({"libEGL.so.1": "libegl1"}, id="drawing"),
        pytest.param({"libxcb-cursor.so.0": "libxcb-cursor0"}, id="a window"),
        pytest.param(OFFSCREEN | SCREEN, id="all of them"),
    ],
)
def test_without_the_libraries_of_qt_one_line_names_their_packages(hidden: dict[str, str]) -> None:
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", HIDE, "sh"]
    environment = {**os.environ, "HIDDEN": " ".join(hidden), "DISPLAY": ":99"}
    environment.pop("QT_QPA_PLATFORM", None)
    if subprocess.run([*command, "true"], check=False, env=environment, capture_output=True).returncode:
        pytest.skip("this user may not mount")
    words = [*command, sys.executable, "-m", "hpc_explorer"]
    done = subprocess.run(words, check=False, env=environment, capture_output=True, encoding="utf-8", timeout=240)
    (line,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (2, "")
    assert set(hidden.values()) <= set(line.partition("sudo apt-get install ")[2].split())
