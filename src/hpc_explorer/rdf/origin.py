"""The origin of a link, which is shown with every link."""

from __future__ import annotations

from enum import Enum


class Origin(Enum):
    """Stated in a source, inferred by a rule, or matched by equal values."""

    ASSERTED = "asserted"
    INFERRED = "inferred"
    MATCHED = "matched"
