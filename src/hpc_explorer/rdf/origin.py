"""Where a link comes from. Every link that is shown says so."""

from __future__ import annotations

from enum import Enum


class Origin(Enum):
    """Stated in a source, concluded by a rule, or guessed from equal values."""

    ASSERTED = "asserted"
    INFERRED = "inferred"
    MATCHED = "matched"
