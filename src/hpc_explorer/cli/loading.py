"""`hpc-explorer load`: sources into a workspace, with a line that says how far it has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from hpc_explorer.app.operations.loading import LoadProgress, load_into, progress_text
from hpc_explorer.stores.base import Limits

# How often the line is written anew, in seconds; a file or pipe gets a line of its own less often.
_TERMINAL = 0.2
_ELSEWHERE = 5.0


class ProgressLine:
    """One line on a stream that tells bytes done, triples a second and the time left.

    Args:
        stream: a terminal, where the line is written over, or anything else, which gets a line now and then.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._over = stream.isatty()
        self._began = time.monotonic()
        self._told = float("-inf")
        self._step = ""

    def __call__(self, progress: LoadProgress) -> None:
        """Say it, unless something was said a moment ago."""
        now = time.monotonic()
        if progress.step == self._step and now - self._told < (_TERMINAL if self._over else _ELSEWHERE):
            return
        self._told, self._step = now, progress.step
        text = progress_text(progress, now - self._began)
        self._stream.write(f"\r\x1b[K{text}" if self._over else f"{text}\n")
        self._stream.flush()

    def end(self) -> None:
        """Leave the terminal's line."""
        if self._over:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def load(
    folder: Path, names: Sequence[str], remove: Sequence[str], *, allow_remote_contexts: bool, limits: Limits
) -> None:
    """Load sources into a workspace and say what was done."""
    line = ProgressLine(sys.stderr)
    try:
        done = load_into(
            folder, names, remove=remove, allow_remote_contexts=allow_remote_contexts, report=line, limits=limits
        )
    finally:
        line.end()
    for name in done.removed:
        print(f"removed {name}")
    for source in done.loaded:
        print(f"loaded {source.triples:,} triples from {source.name}")
    print(f"{folder} has {done.triples:,} triples")
