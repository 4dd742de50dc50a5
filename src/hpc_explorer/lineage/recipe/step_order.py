"""Order steps by their dependencies."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def in_order(preferred: Sequence[T], needs: Mapping[T, set[T]], wholes: Mapping[T, T]) -> list[T]:
    """All steps, each after its dependencies; the preferred order decides between possible ones.

    A parent comes before its parts. Cycles are broken at the preferred step.

    Args:
        preferred: all steps in the order without dependencies.
        needs: the dependencies of each step.
        wholes: the parent of each part.
    """
    place = {step: number for number, step in enumerate(preferred)}
    left = {step: {one for one in needs.get(step, ()) if one in place and one != step} for step in preferred}
    for part in wholes:
        for whole in _above(part, wholes):
            if part in left and whole in left:
                left[part].add(whole)
                left[whole].discard(part)
    waited_for: dict[T, list[T]] = defaultdict(list)
    for step, before in left.items():
        for one in before:
            waited_for[one].append(step)
    ready = [place[step] for step, before in left.items() if not before]
    heapq.heapify(ready)
    order: list[T] = []
    done: set[T] = set()
    in_circles = iter(preferred)
    while len(order) < len(preferred):
        if ready:
            step = preferred[heapq.heappop(ready)]
        else:
            step = next(one for one in in_circles if one not in done)
        if step in done:
            continue
        done.add(step)
        order.append(step)
        for later in waited_for[step]:
            left[later].discard(step)
            if not left[later] and later not in done:
                heapq.heappush(ready, place[later])
    return order


def _above(part: T, wholes: Mapping[T, T]) -> Iterator[T]:
    """The parents of a step."""
    seen = {part}
    above = wholes.get(part)
    while above is not None and above not in seen:
        seen.add(above)
        yield above
        above = wholes.get(above)
