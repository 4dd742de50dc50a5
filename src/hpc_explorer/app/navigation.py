"""The history of visited places for Back and Forward, as a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

P = TypeVar("P")

LONGEST = 500
"""How many places behind the current one are remembered."""


@dataclass(frozen=True)
class History(Generic[P]):
    """The current place, those before it (oldest first) and those after it (next first)."""

    past: tuple[P, ...] = ()
    current: P | None = None
    future: tuple[P, ...] = ()

    @property
    def can_go_back(self) -> bool:
        """Whether there is a place before this one."""
        return bool(self.past)

    @property
    def can_go_forward(self) -> bool:
        """Whether there is a place after this one."""
        return bool(self.future)

    def visit(self, place: P) -> History[P]:
        """Go to a new place and drop those after it; no change for the current place."""
        if place == self.current:
            return self
        past = self.past if self.current is None else (*self.past, self.current)
        return History(past[-LONGEST:], place)

    def replace(self, place: P) -> History[P]:
        """Replace the current place."""
        return History(self.past, place, self.future)

    def back(self) -> History[P]:
        """Go to the previous place; unchanged at the first."""
        if not self.past:
            return self
        ahead = self.future if self.current is None else (self.current, *self.future)
        return History(self.past[:-1], self.past[-1], ahead)

    def forward(self) -> History[P]:
        """Go to the next place; unchanged at the last."""
        if not self.future:
            return self
        behind = self.past if self.current is None else (*self.past, self.current)
        return History(behind, self.future[0], self.future[1:])

    def keep(self, still_there: Callable[[P], bool]) -> History[P]:
        """Drop places that no longer exist, and merge equal neighbours."""
        current = self.current if self.current is not None and still_there(self.current) else None
        past = _kept(self.past, still_there)
        future = _kept(self.future, still_there)
        if current is not None and past and past[-1] == current:
            past = past[:-1]
        if current is not None and future and future[0] == current:
            future = future[1:]
        return History(past, current, future)


def _kept(places: tuple[P, ...], still_there: Callable[[P], bool]) -> tuple[P, ...]:
    kept: list[P] = []
    for place in places:
        if still_there(place) and (not kept or kept[-1] != place):
            kept.append(place)
    return tuple(kept)
