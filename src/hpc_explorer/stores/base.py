"""The interface of every store: in memory, on disk or behind HTTP.

Calls read the union of the graphs unless they name one; the quads returned still carry their graph.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Protocol

from hpc_explorer.errors import Cancelled, DeadlineExceeded
from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, Resource, Term, Triple


class CountKind(Enum):
    """How precise a count is. An unknown count is never shown as zero; a stated one comes from the endpoint's own
    description.
    """

    EXACT = "exact"
    AT_LEAST = "at least"
    STATED = "stated"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Count:
    """A number of things that is exact, a lower bound, stated by the endpoint, or unknown.

    Args:
        value: the number; 0 and meaningless for `UNKNOWN`.
    """

    value: int
    kind: CountKind = CountKind.EXACT

    def __str__(self) -> str:
        """As shown to a person: `1,204`, `1,204+`, `~1,204` (stated) or `?`."""
        if self.kind is CountKind.UNKNOWN:
            return "?"
        if self.kind is CountKind.STATED:
            return f"~{self.value:,}"
        return f"{self.value:,}" + ("+" if self.kind is CountKind.AT_LEAST else "")


UNKNOWN_COUNT = Count(0, CountKind.UNKNOWN)


class CountOrigin(Enum):
    """How a store obtained its counts."""

    COUNTED = "counted"
    STATED = "stated by the endpoint"
    SAMPLED = "sampled"


@dataclass
class CancelToken:
    """A flag that any thread can set to cancel an operation."""

    _event: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Request cancellation; the operation stops at its next check."""
        self._event.set()

    def at_step(self) -> None:
        """Hook called before each check for cancellation; does nothing by default."""

    @property
    def cancelled(self) -> bool:
        """Whether cancellation was requested."""
        return self._event.is_set()


@dataclass(frozen=True)
class Limits:
    """The deadline of a call, its cancel token, and the other servers it may query.

    Args:
        deadline: in `time.monotonic()` seconds; None: no limit.
        cancel: stops the call when it is set.
        servers: the hosts allowed in SERVICE, named as by `stores.protocol.federation.host_of`.
    """

    deadline: float | None = None
    cancel: CancelToken | None = None
    servers: frozenset[str] = frozenset()

    @classmethod
    def seconds(cls, seconds: float, cancel: CancelToken | None = None) -> Limits:
        """Limits that end `seconds` from now."""
        return cls(time.monotonic() + seconds, cancel)

    def within(self, seconds: float) -> Limits:
        """The same, but they end `seconds` from now at the latest."""
        own = time.monotonic() + seconds
        return replace(self, deadline=own if self.deadline is None else min(own, self.deadline))

    def check(self, what: str = "the query") -> None:
        """Raise if the time is up or the operation was cancelled; long operations call it at each step.

        Raises:
            Cancelled: the operation was cancelled.
            DeadlineExceeded: the time is up.
        """
        if self.cancel is not None:
            self.cancel.at_step()
            if self.cancel.cancelled:
                raise Cancelled(f"{what} was cancelled")
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise DeadlineExceeded(f"{what} took too long", "", "narrow it, or allow more time")


NO_LIMITS = Limits()

Progress = Callable[[str, float | None], None]
"""Told what is being done, and how much of it (0 to 1; None where nobody can say)."""


def no_progress(text: str, fraction: float | None) -> None:
    """A progress callback that does nothing."""


Row = Mapping[str, Term | Triple]
"""One solution of a query: variable name to term; an unbound variable is absent."""


class Rows(Protocol):
    """The solutions of a SELECT, streamed: iterate once."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the columns, in the order the query gives them."""
        ...

    @property
    def limited(self) -> bool:
        """Whether the store truncated the result; valid after the last row."""
        ...

    def __iter__(self) -> Iterator[Row]: ...


@dataclass(frozen=True)
class Capabilities:
    """What a store supports. Other calls raise `Unsupported`.

    Args:
        remote: whether each call is a network request; counting and searching are then sent as queries.
    """

    writable: bool
    remote: bool = False


class Store(Protocol):
    """Triples in named graphs, queried by pattern or by SPARQL 1.1."""

    @property
    def capabilities(self) -> Capabilities:
        """What this store can do."""
        ...

    def size(self, *, limits: Limits = NO_LIMITS) -> Count:
        """How many quads there are."""
        ...

    def graphs(self, *, limits: Limits = NO_LIMITS) -> tuple[GraphName, ...]:
        """The graphs that hold at least one triple, the default graph among them."""
        ...

    def match(
        self,
        subject: Resource | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: GraphName | None = None,
        *,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The matching quads; None matches anything (for `graph`: any graph)."""
        ...

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The quads whose terms are among those given; None matches anything.

        `subjects` or `objects` must be given. A remote store groups the terms into few requests, so a breadth-first
        traversal needs requests per level, not per node.
        """
        ...

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> Rows:
        """The solutions of a SELECT query.

        Raises:
            QuerySyntaxError: the text is no SPARQL 1.1 SELECT.
        """
        ...

    def ask(self, query: str, *, limits: Limits = NO_LIMITS) -> bool:
        """The answer of an ASK query."""
        ...

    def construct(self, query: str, *, limits: Limits = NO_LIMITS) -> Iterator[Triple]:
        """The triples of a CONSTRUCT or DESCRIBE query."""
        ...

    def update(self, text: str, *, limits: Limits = NO_LIMITS) -> None:
        """Execute a SPARQL 1.1 Update atomically.

        Raises:
            QuerySyntaxError: the text is not SPARQL 1.1 Update.
            Unsupported: the store is read-only.
        """
        ...

    def close(self) -> None:
        """Release all resources; the store cannot be used afterwards."""
        ...
