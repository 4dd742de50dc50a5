"""A clock that goes only when it is told to."""

from __future__ import annotations


class Clock:
    """Gives seconds since 1970, the next one a millisecond later than the last."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        """The time."""
        self.now += 0.001
        return self.now

    def pass_by(self, **times: float) -> None:
        """Let `hours=2` or `seconds=1` pass."""
        self.now += times.get("hours", 0.0) * 3600 + times.get("seconds", 0.0)
