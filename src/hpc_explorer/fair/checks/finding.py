"""Create findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from hpc_explorer.fair.indicators import indicator
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import Surroundings
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.rdf.terms import NamedNode, Quad

Check = Callable[[Subject, Surroundings], Finding]
"""A test of one indicator."""


def found(
    test: str,
    verdict: Verdict,
    sentence: str,
    evidence: Iterable[Quad] = (),
    *,
    basis: Basis = Basis.DECLARED,
    missing: Iterable[NamedNode] = (),
    online: datetime | None = None,
) -> Finding:
    """The finding of a test, by its name in the table.

    Args:
        evidence: in the order of the subject's statements; duplicates are removed.
    """
    return Finding(
        indicator(test).id,
        verdict,
        basis,
        sentence,
        tuple(dict.fromkeys(evidence)),
        tuple(dict.fromkeys(missing)),
        online,
    )
