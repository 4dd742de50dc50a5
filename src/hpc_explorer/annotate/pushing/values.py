"""The values of a push: targets, changes, conflicts and results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, Resource, Term


class TargetKind(Enum):
    """The kind of a source."""

    FILE = "file"
    ENDPOINT = "endpoint"


class Choice(Enum):
    """The side chosen in a conflict."""

    MINE = "mine"
    THEIRS = "theirs"
    BOTH = "both"


class ConflictKind(Enum):
    """The kind of a conflict."""

    CHANGED = "changed differently on both sides"
    REMOVED_HERE = "removed here, changed there"
    REMOVED_THERE = "changed here, removed there"


@dataclass(frozen=True)
class Conflict:
    """A conflict: the values of one property of one resource that both sides changed.

    Args:
        graph: the graph of the workspace.
        base: the values when loaded or last pushed, in a fixed order.
        mine: the local values.
        theirs: the current values of the file or endpoint.
    """

    subject: Resource
    predicate: NamedNode
    graph: GraphName
    base: tuple[Term, ...]
    mine: tuple[Term, ...]
    theirs: tuple[Term, ...]
    kind: ConflictKind = ConflictKind.CHANGED


@dataclass(frozen=True)
class Target:
    """One source, and the push planned for it.

    Args:
        source: the name of the source.
        graph: the workspace graph of its default graph, which identifies the source.
        where: the file, or the address and graph of the endpoint.
        removed, added: the local changes since loading or the last push, as quads of the workspace.
        theirs_removed, theirs_added: the changes of the target that do not conflict with local ones.
        conflicts: the conflicts to resolve.
        rewritten: why the file must be rewritten as a whole, or None.
        refused: why nothing can be pushed, and what to do, or None.
        seen: the state of the file or endpoint, to detect later changes.
    """

    source: str
    graph: NamedNode
    kind: TargetKind
    where: str
    removed: tuple[Quad, ...] = ()
    added: tuple[Quad, ...] = ()
    theirs_removed: tuple[Quad, ...] = ()
    theirs_added: tuple[Quad, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    rewritten: str | None = None
    refused: str | None = None
    seen: str = ""


@dataclass(frozen=True)
class PushPlan:
    """The plan of a push: a target for each changed source.

    Args:
        targets: in the order of loading.
        left: changes in graphs without a source; they stay in the workspace until a source is chosen.
        takers: the graphs of sources that can be chosen for them, with their names.
        revision: the revision of the workspace.
        prepared: internal data for the push.
    """

    targets: tuple[Target, ...] = ()
    left: tuple[Quad, ...] = ()
    takers: tuple[tuple[NamedNode, str], ...] = ()
    revision: int = 0
    prepared: tuple[object, ...] = field(default=(), compare=False, repr=False)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """All conflicts."""
        return tuple(conflict for target in self.targets for conflict in target.conflicts)

    @property
    def refused(self) -> tuple[Target, ...]:
        """The targets that refuse the push."""
        return tuple(target for target in self.targets if target.refused is not None)


@dataclass(frozen=True)
class Pushed:
    """The result for one target.

    Args:
        removed, added: numbers of statements removed from and added to the file or endpoint.
        taken_removed, taken_added: numbers of statements removed from and added to the workspace by changes of others.
    """

    target: Target
    removed: int
    added: int
    taken_removed: int = 0
    taken_added: int = 0


@dataclass(frozen=True)
class PushReport:
    """The result of a push.

    Args:
        pushed: the results by target.
        revision: the revision of the workspace afterwards, up to which everything is pushed.
    """

    pushed: tuple[Pushed, ...]
    revision: int

    @property
    def removed(self) -> int:
        """The number of statements removed from files and endpoints."""
        return sum(one.removed for one in self.pushed)

    @property
    def added(self) -> int:
        """The number of statements added to files and endpoints."""
        return sum(one.added for one in self.pushed)


def in_order(terms: Sequence[Term] | frozenset[Term] | set[Term]) -> tuple[Term, ...]:
    """Terms in a fixed order."""
    return tuple(sorted(terms, key=str))
