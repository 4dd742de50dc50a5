"""The graph as a whole, as the window shows it."""

from __future__ import annotations

from dataclasses import dataclass

from hpc_explorer.app.explore.describing import class_tree, stated_triples
from hpc_explorer.app.views import ClassNode, SourceSummary
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits


@dataclass(frozen=True)
class Overview:
    """What the window shows of the graph as a whole.

    Args:
        triples: how many there are, those that were inferred not among them.
        inferred: how many of those there are besides.
    """

    sources: tuple[SourceSummary, ...]
    triples: Count
    inferred: int
    classes: tuple[ClassNode, ...]


def overview(session: Session, *, with_inferred: bool = True, limits: Limits = NO_LIMITS) -> Overview:
    """The sources, the size and the classes of the graph.

    Args:
        with_inferred: whether classes stand below those too that they only follow to be below of.
    """
    classes = class_tree(session, with_inferred=with_inferred, limits=limits)
    inferred = session.inference.triples if session.inference else 0
    return Overview(session.sources, stated_triples(session, limits), inferred, classes)
