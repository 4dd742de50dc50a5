"""What a push is made of: where something goes, what, what stands against it, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, Resource, Term


class TargetKind(Enum):
    """Where a source came from."""

    FILE = "file"
    ENDPOINT = "endpoint"


class Choice(Enum):
    """Which side of a conflict holds."""

    MINE = "mine"
    THEIRS = "theirs"
    BOTH = "both"


class ConflictKind(Enum):
    """How two changes stand against each other."""

    CHANGED = "both changed it, each in another way"
    REMOVED_HERE = "removed here, changed there"
    REMOVED_THERE = "changed here, removed there"


@dataclass(frozen=True)
class Conflict:
    """The values of one property of one resource, which were changed here and there since they were the same.

    Args:
        graph: the graph of the workspace in which that is stated.
        base: the values as they were loaded or last pushed, in a fixed order.
        mine: the values here.
        theirs: the values that the file or endpoint has now.
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
    """One source, and what a push would do with it.

    Args:
        source: the name of the source, as it was loaded.
        graph: the graph of the workspace that its default graph is in; it tells sources apart.
        where: the file, or the address and graph of the endpoint.
        removed, added: what was changed here since it was loaded or last pushed: quads of the workspace.
        theirs_removed, theirs_added: what was changed there meanwhile and goes with nothing that was changed here.
        conflicts: what was changed here and there; each is to be chosen about.
        rewritten: why the file cannot be changed in places only, and is written anew as a whole; None where it can.
        refused: why nothing can be pushed there, and what to do; None where it can.
        seen: what the file or endpoint was when this was found out, for the push to see whether it still is.
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
    """What a push would do: a target for each source that was changed here.

    Args:
        targets: in the order in which their sources were loaded.
        left: changes in graphs that belong to no source; they stay in the workspace until one is given them.
        takers: the graphs of the sources that what was added there can be given to, with the names of those.
        revision: that of the workspace when it was made.
        prepared: what the push goes by; nothing for others to read.
    """

    targets: tuple[Target, ...] = ()
    left: tuple[Quad, ...] = ()
    takers: tuple[tuple[NamedNode, str], ...] = ()
    revision: int = 0
    prepared: tuple[object, ...] = field(default=(), compare=False, repr=False)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """All that is to be chosen about."""
        return tuple(conflict for target in self.targets for conflict in target.conflicts)

    @property
    def refused(self) -> tuple[Target, ...]:
        """The targets that take nothing."""
        return tuple(target for target in self.targets if target.refused is not None)


@dataclass(frozen=True)
class Pushed:
    """What was done with one target.

    Args:
        removed, added: how many statements went out of the file or endpoint, and into it.
        taken_removed, taken_added: how many statements went out of the workspace, and into it: changes of others.
    """

    target: Target
    removed: int
    added: int
    taken_removed: int = 0
    taken_added: int = 0


@dataclass(frozen=True)
class PushReport:
    """What a push did.

    Args:
        pushed: target by target, in their order.
        revision: that of the workspace afterwards; what was changed up to it is where it belongs.
    """

    pushed: tuple[Pushed, ...]
    revision: int

    @property
    def removed(self) -> int:
        """How many statements went out of files and endpoints."""
        return sum(one.removed for one in self.pushed)

    @property
    def added(self) -> int:
        """How many statements went into files and endpoints."""
        return sum(one.added for one in self.pushed)


def in_order(terms: Sequence[Term] | frozenset[Term] | set[Term]) -> tuple[Term, ...]:
    """Terms in an order that does not depend on how they were found."""
    return tuple(sorted(terms, key=str))
