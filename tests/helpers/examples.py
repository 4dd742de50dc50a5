"""How many examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings

USUAL = 100
"""The examples of a property that names no number, in `make test`."""


def examples(count: int) -> settings:
    """A decorator: `count` examples in `make test`, and as many times more or fewer as the profile tries elsewhere."""
    return settings(max_examples=max(1, count * settings.default.max_examples // USUAL))
