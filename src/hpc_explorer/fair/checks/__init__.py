"""The tests, one per indicator, by the name in the indicators' table.

A test is a pure function of a subject and its surroundings; it never queries a store.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hpc_explorer.fair.checks.finding import Check


@cache
def checks() -> Mapping[str, Check]:
    """All tests by name."""
    from hpc_explorer.fair.checks import accessible, findable, interoperable, licence, linking, provenance, reuse

    modules = (findable, accessible, interoperable, linking, licence, provenance, reuse)
    return {name: check for module in modules for name, check in module.CHECKS.items()}
