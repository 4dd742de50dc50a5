"""What a form of handing over wants and the graph does not say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lack:
    """Something that a form of handing over wants, and the graph does not say.

    Args:
        what: the property, as that form calls it.
        is_required: whether what is written is not valid without it.
        sentence: what to say, for a person.
    """

    what: str
    is_required: bool
    sentence: str
