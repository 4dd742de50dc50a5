"""The selected nodes of a picture, and the current one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Selection:
    """Selected nodes.

    Args:
        keys: of all selected nodes.
        current: the node selected last by itself, where the arrow keys start; None after selecting an area.
    """

    keys: frozenset[str] = frozenset()
    current: str | None = None

    def toggled(self, key: str) -> Selection:
        """With a node added as the current one, or removed."""
        if key in self.keys:
            return Selection(self.keys - {key}, None if key == self.current else self.current)
        return Selection(self.keys | {key}, key)

    def added(self, keys: Iterable[str]) -> Selection:
        """With more nodes; a single one becomes the current one."""
        more = frozenset(keys)
        return Selection(self.keys | more, next(iter(more)) if len(more) == 1 else self.current)

    def among(self, keys: Iterable[str]) -> Selection:
        """Restricted to these nodes."""
        kept = self.keys.intersection(keys)
        return Selection(kept, self.current if self.current in kept else None)


NOTHING = Selection()


def only(key: str | None) -> Selection:
    """A single node, or none."""
    return Selection(frozenset((key,)), key) if key is not None else NOTHING


def area(keys: Iterable[str]) -> Selection:
    """The nodes of an area; a single one is the current one."""
    return NOTHING.added(keys)
