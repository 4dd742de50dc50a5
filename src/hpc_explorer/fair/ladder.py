"""The RDA's FAIRness levels: 0 to 5 for each area, by priority.

Source: RDA FAIR Data Maturity Model, "Specification and Guidelines" (doi:10.15497/rda00050), the evaluation method
"pass-or-fail" with its FAIRness levels, as computed by its workbook (FAIR_evaluation_levels
v0.02, Zenodo record 3909563, sheet "calc", cells C13 to F13):

0   not all essential indicators
1   all essential, and less than half of the important ones
2   all essential, and at least half of the important ones
3   all essential and important ones, and less than half of the useful ones
4   all essential and important ones, and at least half of the useful ones
5   all

An area without indicators of a priority has reached that priority: F has only essential ones, so its level is 0 or 5;
I has none, so its level is 1 at least. Indicators of F-UJI only have no priority and are ignored. "Not applicable"
counts as not reached, as in the score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hpc_explorer.fair.scoring import Decided, Interval
from hpc_explorer.fair.values import Principle, Priority

_PRIORITIES = (Priority.ESSENTIAL, Priority.IMPORTANT, Priority.USEFUL)


@dataclass(frozen=True)
class Rung:
    """The level of one area.

    Args:
        level: 0 to 5, an interval while indicators are open.
        next: the ids of the indicators missing for the next level, open ones included.
    """

    principle: Principle
    level: Interval
    next: tuple[str, ...]


def ladder(decided: Sequence[Decided]) -> tuple[Rung, ...]:
    """Compute the level of each area, F, A, I, R."""
    return tuple(_rung(principle, decided) for principle in Principle)


def _rung(principle: Principle, decided: Sequence[Decided]) -> Rung:
    area = [one for one in decided if one.indicator.principle is principle]
    level = Interval(_level(area, lambda points: points.low), _level(area, lambda points: points.high))
    for priority in _PRIORITIES:
        missing = [one.indicator.id for one in area if one.indicator.priority is priority and not one.points.low]
        if missing:
            return Rung(principle, level, tuple(missing))
    return Rung(principle, level, ())


def _level(area: Sequence[Decided], reached: Callable[[Interval], int]) -> int:
    essential, important, useful = (
        [reached(one.points) for one in area if one.indicator.priority is priority] for priority in _PRIORITIES
    )
    if not all(essential):
        return 0
    if not all(important):
        return 2 if 2 * sum(important) >= len(important) else 1
    if not all(useful):
        return 4 if 2 * sum(useful) >= len(useful) else 3
    return 5
