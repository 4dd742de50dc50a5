"""The progress of a load: as a value, as text, and as a reporter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class LoadProgress:
    """The progress of a load.

    Args:
        step: the current step, for display.
        bytes_done: the bytes read of all files.
        bytes_total: the size of all files.
        triples: the statements read.
        triples_total: their total number, if an endpoint being copied reports it.
    """

    step: str
    bytes_done: int
    bytes_total: int
    triples: int
    triples_total: int | None = None


def progress_text(progress: LoadProgress, seconds: float) -> str:
    """The progress after a number of seconds as text."""
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
    """Reports the progress of a load.

    Args:
        total: the bytes to read.

    Attributes:
        done: the bytes of the finished files.
        triples: their statements.
    """

    def __init__(self, total: int, report: Report) -> None:
        self._total = total
        self._report = report
        self.done = 0
        self.triples = 0

    def say(self, step: str, more_bytes: int = 0, more_triples: int = 0) -> None:
        """Report the current step, and how much of the current file is read."""
        self._report(LoadProgress(step, self.done + more_bytes, self._total, self.triples + more_triples))
