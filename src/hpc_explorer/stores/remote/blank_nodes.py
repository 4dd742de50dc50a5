"""A cache of the statements around blank nodes of an endpoint's results.

A blank node of a result cannot be named in a later query (SPARQL 1.1 Query, section 4.1.4), so only the statements
received with it are available.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

from hpc_explorer.rdf.terms import BlankNode, Quad

# Maximum number of statements; the newest are kept.
_MOST_BLANK_NODES = 100_000


class BlankNodeCache:
    """The statements around blank nodes of results. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._around: dict[BlankNode, dict[Quad, None]] = {}

    def note(self, quads: Iterable[Quad]) -> None:
        """Store statements by their blank nodes."""
        with self._lock:
            for quad in quads:
                for end in (quad.subject, quad.object):
                    if isinstance(end, BlankNode):
                        self._around.setdefault(end, {})[quad] = None
            while len(self._around) > _MOST_BLANK_NODES:
                del self._around[next(iter(self._around))]

    def around(self, *terms: object) -> tuple[Quad, ...]:
        """The stored statements around those of these terms that are blank nodes."""
        with self._lock:
            around = (self._around.get(term, {}) for term in terms if isinstance(term, BlankNode))
            return tuple({quad: None for quads in around for quad in quads})
