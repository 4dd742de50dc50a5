"""Somebody at the real window: the mouse and the keys of a screen, with each click and key counted."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.app.settings import CONFIG_VARIABLE

PATIENCE = 240.0
"""Seconds that something may take before it counts as never."""


@dataclass(frozen=True)
class Thing:
    """Something on the screen, as a screen reader is told of it; x and y are pixels of the screen, at its middle."""

    role: str
    name: str
    value: str
    x: int
    y: int
    disabled: bool


@dataclass(frozen=True)
class Effort:
    """What a person did: clicks of the mouse (a double click is two), keys of commands, and letters of words."""

    clicks: int = 0
    keys: int = 0
    letters: int = 0


class RealWindow:
    """The window of a program in its own process, operated through the screen only.

    Attributes:
        effort: what was done since the last `begin`.
    """

    def __init__(self, display: str, address: Path, process: subprocess.Popen[bytes]) -> None:
        self._environment = {**os.environ, "DISPLAY": display}
        self._address = address
        self.process = process
        self.effort = Effort()

    # What is seen

    def looks(self) -> tuple[bool, list[Thing]]:
        """Whether the window is busy, and what is on the screen."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(self._address))
            parts = []
            while part := connection.recv(1 << 16):
                parts.append(part)
        told = json.loads(b"".join(parts))
        return told["busy"], [Thing(**one) for one in told["things"]]

    def until(self, found: Callable[[list[Thing]], list[Thing]], what: str) -> list[Thing]:
        """Wait until the window is idle and something is in sight in the same place twice."""
        ends = time.monotonic() + PATIENCE
        before: list[Thing] = []
        things: list[Thing] = []
        while time.monotonic() < ends:
            try:
                busy, things = self.looks()
            except (ConnectionError, FileNotFoundError):
                busy, things = True, []
                if self.process.poll() is not None:
                    raise AssertionError(f"the window is gone while looking for {what}") from None
            now = found(things)
            if now and not busy and now == before:
                return now
            before = [] if busy else now
            threading.Event().wait(0.05)
        shown = sorted({f"{one.role} {one.name!r}" for one in things if one.name})
        raise AssertionError(f"{what} is not in sight; there are: {', '.join(shown)}")

    def find(self, name: str, role: str = "", *, part: bool = False, disabled: bool = False) -> list[Thing]:
        """Wait for things of a name; part: of which this is a part; disabled: that cannot be used now."""

        def match(things: list[Thing]) -> list[Thing]:
            return [
                one
                for one in things
                if (one.name == name or one.name.replace("&", "") == name or (part and name in one.name))
                and (not role or one.role == role)
                and one.disabled == disabled
                and one.x >= 0
            ]

        return self.until(match, f"{role or 'thing'} {name!r}")

    def sees(self, text: str) -> None:
        """Wait until a text is in sight."""
        self.until(lambda things: [one for one in things if text in one.name or text in one.value], repr(text))

    def waits_for_end(self) -> int:
        """Wait for the end of the program, and return its exit code."""
        return self.process.wait(PATIENCE)

    # What is done

    def begin(self) -> None:
        """Count from here."""
        self.effort = Effort()

    def click(
        self,
        name: str,
        role: str = "",
        *,
        part: bool = False,
        number: int = 0,
        button: int = 1,
        times: int = 1,
    ) -> None:
        """Click the middle of a thing; number: which of those found; times: 2 for a double click."""
        one = self.find(name, role, part=part)[number]
        self._tool("mousemove", str(one.x), str(one.y))
        self._tool("click", "--repeat", str(times), "--delay", "80", str(button))
        self._add(clicks=times)

    def press(self, *keys: str) -> None:
        """Press keys, as xdotool names them: `ctrl+l`, `Return`."""
        for key in keys:
            self.rest()
            self._tool("key", key)
            self._add(keys=1)

    def type(self, text: str) -> None:
        """Type a text where the keyboard is."""
        self.rest()
        self._tool("type", "--delay", "12", text)
        self._add(letters=len(text))

    def rest(self) -> None:
        """Wait until the window is idle and nothing moves."""
        self.until(lambda things: things, "the window")

    def _tool(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self._environment, check=True, stdout=subprocess.DEVNULL)

    def _add(self, clicks: int = 0, keys: int = 0, letters: int = 0) -> None:
        now = self.effort
        self.effort = Effort(now.clicks + clicks, now.keys + keys, now.letters + letters)


@contextmanager
def real_window(display: str, folder: Path, *sources: str) -> Iterator[RealWindow]:
    """Run the window on a screen with settings of its own, and end it.

    Args:
        display: the screen.
        folder: for settings, drafts and files; it is the working directory.
        sources: what is opened.
    """
    root = Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as place:
        address = Path(place) / "told"
        environment = {
            **os.environ,
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            CONFIG_VARIABLE: str(folder / "config"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_DATA_HOME": str(folder / "data"),
            "HOME": str(folder),
            "PYTHONPATH": os.pathsep.join((str(root / "src"), str(root))),
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.probed_window", str(address), *sources],
            cwd=folder,
            env=environment,
        )
        try:
            yield RealWindow(display, address, process)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait(PATIENCE)
