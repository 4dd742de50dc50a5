"""Kills programs of `killed_programs.py` at a moment of one's choice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path


class Programs:
    """Starts programs that edit or load, and kills them."""

    def __init__(self) -> None:
        self._starter = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.killed_programs"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            cwd=Path(__file__).resolve().parents[2],
        )

    def _ask(self, *words: object) -> int:
        assert self._starter.stdin is not None
        assert self._starter.stdout is not None
        print(*words, file=self._starter.stdin, flush=True)
        return int(self._starter.stdout.readline())

    def run_until(self, moment: Callable[[], None], *words: object) -> None:
        """Start one, and kill it at a moment."""
        process = self._ask(*words)
        try:
            moment()
        finally:
            os.kill(process, signal.SIGKILL)
        assert self._ask("wait", process) == signal.SIGKILL, "it was still at it"

    def close(self) -> None:
        assert self._starter.stdin is not None
        assert self._starter.stdout is not None
        self._starter.stdin.close()
        self._starter.stdout.close()
        self._starter.wait(60)
