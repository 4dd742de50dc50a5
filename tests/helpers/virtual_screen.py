"""A screen of any size with a window manager, without a monitor: Xvfb and openbox."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

NEEDED = ("Xvfb", "openbox", "xdotool")
"""The programs of Debian's packages xvfb, openbox and xdotool."""
PATIENCE = 60
"""Seconds that a server may take to start or to stop."""


def missing_programs() -> tuple[str, ...]:
    """The needed programs that this machine does not have."""
    return tuple(name for name in NEEDED if shutil.which(name) is None)


@contextmanager
def virtual_screen(width: int, height: int) -> Iterator[str]:
    """Run a screen of this many pixels with a window manager, and stop both at the end.

    Yields:
        Its name, for the variable DISPLAY.
    """
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            number = told.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        display = f":{number}"
        manager = subprocess.Popen(
            ["openbox", "--sm-disable"],
            env={**os.environ, "DISPLAY": display},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield display
        finally:
            _stop(manager)
    finally:
        _stop(server)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait(PATIENCE)
