"""Processes as the system sees them (Linux): whether one is there still, how much it has computed, what it hears."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def gone(pid: int) -> bool:
    """Whether no such process runs; one that ended and was not yet asked about counts as gone."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def ticks(pid: int) -> int:
    """The processor time of a process, in hundredths of a second."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


@contextmanager
def interrupts_heard() -> Iterator[None]:
    """What is started in here hears of Ctrl+C, though in the background of a shell, where tests may run, nobody does."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
