"""Back and forward: the places a person has been, as a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

P = TypeVar("P")

LONGEST = 500
"""How many places behind the current one are remembered."""


@dataclass(frozen=True)
class History(Generic[P]):
    """The place one is at, those before it (oldest first) and those one went back from (next first)."""

    past: tuple[P, ...] = ()
    current: P | None = None
    future: tuple[P, ...] = ()

    @property
    def can_go_back(self) -> bool:
        """Whether there is a place before this one."""
        return bool(self.past)

    @property
    def can_go_forward(self) -> bool:
        """Whether one came back from somewhere."""
        return bool(self.future)

    def visit(self, place: P) -> History[P]:
        """Go to a new place; what lay ahead is forgotten. Going where one is changes nothing."""
        if place == self.current:
            return self
        past = self.past if self.current is None else (*self.past, self.current)
        return History(past[-LONGEST:], place)

    def replace(self, place: P) -> History[P]:
        """The same way, with another place where one is now."""
        return History(self.past, place, self.future)

    def back(self) -> History[P]:
        """At the place before; unchanged at the first."""
        if not self.past:
            return self
        ahead = self.future if self.current is None else (self.current, *self.future)
        return History(self.past[:-1], self.past[-1], ahead)

    def forward(self) -> History[P]:
        """At the place one came back from; unchanged at the last."""
        if not self.future:
            return self
        behind = self.past if self.current is None else (*self.past, self.current)
        return History(behind, self.future[0], self.future[1:])

    def keep(self, still_there: Callable[[P], bool]) -> History[P]:
        """Without the places that are gone; two equal neighbours become one."""
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
