"""How far a load has come: as a value, in words, and told while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class LoadProgress:
    """How far a load has come.

    Args:
        step: what is being done, in words.
        bytes_done: how many bytes of all files have been read.
        bytes_total: how many there are.
        triples: how many statements have been read.
        triples_total: how many there are, where an endpoint is being copied and says so.
    """

    step: str
    bytes_done: int
    bytes_total: int
    triples: int
    triples_total: int | None = None


def progress_text(progress: LoadProgress, seconds: float) -> str:
    """How far a load has come after so many seconds, in words."""
    parts = [progress.step]
    if 0 < progress.bytes_done < progress.bytes_total:
        parts.append(f"{_bytes(progress.bytes_done)} of {_bytes(progress.bytes_total)}")
    if progress.triples and seconds > 0:
        of_all = "" if progress.triples_total is None else f" of {progress.triples_total:,}"
        parts.append(f"{progress.triples:,}{of_all} triples, {progress.triples / seconds:,.0f}/s")
    if 0 < progress.bytes_done < progress.bytes_total and seconds >= 1:
        left = seconds * (progress.bytes_total - progress.bytes_done) / progress.bytes_done
        parts.append(f"about {_duration(left)} of reading left")
    return " · ".join(parts)


def _bytes(number: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number} bytes"


def _duration(seconds: float) -> str:
    whole = max(1, round(seconds))
    return f"{whole} s" if whole < 100 else f"{round(whole / 60)} min"


Report = Callable[[LoadProgress], None]


class LoadSteps:
    """Tells the one who waits how far a load has come.

    Args:
        files: what is read, one after the other.

    Attributes:
        done: how many bytes have been read of those that are done.
        triples: how many statements they held.
    """

    def __init__(self, files: Iterable[Path], report: Report) -> None:
        self._total = sum(file.stat().st_size for file in files)
        self._report = report
        self.done = 0
        self.triples = 0

    def say(self, step: str, more_bytes: int = 0, more_triples: int = 0) -> None:
        """Say what is being done, and what has been done of the file that is being read."""
        self._report(LoadProgress(step, self.done + more_bytes, self._total, self.triples + more_triples))
