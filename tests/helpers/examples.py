"""How many examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings

USUAL = 100
"""The examples of a property that names no number, where a profile does not say otherwise."""


def examples(count: int) -> settings:
    """A decorator: `count` examples, and as many times more or fewer as the profile tries."""
    return settings(max_examples=max(1, count * settings.default.max_examples // USUAL))
