"""Where a series of numbers goes wrong first.

Two things count, the one that comes first:

- *not finite*: a number is NaN or infinite;
- *rises*: of what should fall, such as a loss. The finite numbers are taken in `BLOCKS` blocks of equal length. Of the
  blocks' means the lowest is found. The series rises if the last mean lies a tenth or more above the lowest one, and
  more than three standard errors of the difference; then it rises from the first number after the lowest block on.

So neither the noise between batches counts, nor a curve that has become flat.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[tuple[int], np.dtype[np.float64]]

BLOCKS = 20
RISE = 0.1
"""Share of the lowest mean that the last one must lie above it."""
ERRORS = 3.0
"""Standard errors that it must lie above it."""


@dataclass(frozen=True)
class Divergence:
    """Where a series goes wrong.

    Args:
        position: of the number, from 0.
        what: "not finite" or "rises".
    """

    position: int
    what: str


def first_divergence(numbers: Sequence[float], *, should_fall: bool) -> Divergence | None:
    """Where a series goes wrong first; None if nowhere.

    Args:
        should_fall: whether rising is wrong, as it is for a loss and is not for an accuracy.
    """
    import numpy as np

    every = np.asarray(numbers, dtype=np.float64)
    broken = np.flatnonzero(~np.isfinite(every))[:1]
    rising = _rises_from(every[: broken[0]] if len(broken) else every) if should_fall else None
    if rising is not None:
        return Divergence(rising, "rises")
    return Divergence(int(broken[0]), "not finite") if len(broken) else None


def should_fall(name: str) -> bool:
    """Whether what is called so is meant to fall: a loss or an error."""
    words = name.casefold()
    return "loss" in words or "error" in words or words in ("mse", "rmse", "mae", "perplexity")


def _rises_from(numbers: Numbers) -> int | None:
    import numpy as np

    length = max(1, len(numbers) // BLOCKS)
    blocks = numbers[: len(numbers) // length * length].reshape(-1, length)
    if len(blocks) < 2:
        return None
    with np.errstate(over="ignore", invalid="ignore"):  # of the largest doubles the sum is infinite: no rise is certain
        means = blocks.mean(axis=1)
        lowest = int(means.argmin())
        above = float(means[-1] - means[lowest])
        spread = float(((blocks - means[:, None]) ** 2).sum()) / max(1, blocks.size - len(blocks))
    error = math.sqrt(2 * spread / length) if length > 1 else 0.0
    rises = above > 0 and above >= RISE * abs(float(means[lowest])) and above > ERRORS * error
    return (lowest + 1) * length if rises else None
