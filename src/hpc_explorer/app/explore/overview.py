"""An overview of the graph for the window."""

from __future__ import annotations

from dataclasses import dataclass

from hpc_explorer.app.explore.classes import class_tree
from hpc_explorer.app.explore.describing import stated_triples
from hpc_explorer.app.views import ClassNode, SourceSummary
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits


@dataclass(frozen=True)
class Overview:
    """The sources, size and classes of the graph.

    Args:
        triples: stated triples.
        inferred: inferred triples.
    """

    sources: tuple[SourceSummary, ...]
    triples: Count
    inferred: int
    classes: tuple[ClassNode, ...]


def overview(session: Session, *, with_inferred: bool = True, limits: Limits = NO_LIMITS) -> Overview:
    """The sources, size and classes of the graph.

    Args:
        with_inferred: include inferred superclasses in the class tree.
    """
    classes = class_tree(session, with_inferred=with_inferred, limits=limits)
    inferred = session.inference.triples if session.inference else 0
    return Overview(session.sources, stated_triples(session, limits), inferred, classes)
