"""Which nodes of a picture are selected, and which of them was chosen last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Selection:
    """Some nodes of a picture.

    Args:
        keys: of all selected nodes.
        current: the one that was chosen by itself last, from where the keys walk on; None: none was, as when an area
            was selected.
    """

    keys: frozenset[str] = frozenset()
    current: str | None = None

    def toggled(self, key: str) -> Selection:
        """With a node that was not selected, as the current one; without one that was."""
        if key in self.keys:
            return Selection(self.keys - {key}, None if key == self.current else self.current)
        return Selection(self.keys | {key}, key)

    def added(self, keys: Iterable[str]) -> Selection:
        """With more nodes; one alone becomes the current one."""
        more = frozenset(keys)
        return Selection(self.keys | more, next(iter(more)) if len(more) == 1 else self.current)

    def among(self, keys: Iterable[str]) -> Selection:
        """Without what is not one of these nodes."""
        kept = self.keys.intersection(keys)
        return Selection(kept, self.current if self.current in kept else None)


NOTHING = Selection()


def only(key: str | None) -> Selection:
    """One node, or none."""
    return Selection(frozenset((key,)), key) if key is not None else NOTHING


def area(keys: Iterable[str]) -> Selection:
    """The nodes of an area; one alone is the current one."""
    return NOTHING.added(keys)
