"""Find where a series of numbers diverges.

The first of these counts:

- *not finite*: a number is NaN or infinite;
- *rises*: for numbers that should fall, such as a loss. The finite numbers are split into `BLOCKS` blocks of equal
  length. The series rises if the last block's mean exceeds the lowest mean by a tenth or more and by more than three
  standard errors of the difference. It rises from the first number after the lowest block.

Noise between batches and flat curves do not count.
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
"""Minimum rise, as a share of the lowest mean."""
ERRORS = 3.0
"""Minimum rise in standard errors."""


@dataclass(frozen=True)
class Divergence:
    """The point where a series diverges.

    Args:
        position: the index of the number, from 0.
        what: "not finite" or "rises".
    """

    position: int
    what: str


def first_divergence(numbers: Sequence[float], *, should_fall: bool) -> Divergence | None:
    """The first divergence of a series; None if there is none.

    Args:
        should_fall: whether rising is wrong, as for a loss but not for an accuracy.
    """
    import numpy as np

    every = np.asarray(numbers, dtype=np.float64)
    broken = np.flatnonzero(~np.isfinite(every))[:1]
    rising = _rises_from(every[: broken[0]] if len(broken) else every) if should_fall else None
    if rising is not None:
        return Divergence(rising, "rises")
    return Divergence(int(broken[0]), "not finite") if len(broken) else None


def should_fall(name: str) -> bool:
    """Whether a quantity of this name should fall: a loss or an error."""
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
