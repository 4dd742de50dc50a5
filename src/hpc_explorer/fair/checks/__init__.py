"""The tests, one per indicator, by the name in the indicators' table.

A test is a pure function of a subject and its surroundings; it never queries a store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import Surroundings
from hpc_explorer.fair.values import Finding

Check = Callable[[Subject, Surroundings], Finding]


@cache
def checks() -> Mapping[str, Check]:
    """All tests by name."""
    from hpc_explorer.fair.checks import accessible, findable, interoperable, licence, linking, provenance, reuse

    modules = (findable, accessible, interoperable, linking, licence, provenance, reuse)
    return {name: check for module in modules for name, check in module.CHECKS.items()}
