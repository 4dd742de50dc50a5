"""The contract every store satisfies, whether its triples lie in memory, on disk or behind HTTP.

A store answers about the union of its graphs unless a call names one; each answer's quads still
say which graph asserted them.
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
    """How much a count knows. Unknown is never shown as zero; stated is what an endpoint said of itself once."""

    EXACT = "exact"
    AT_LEAST = "at least"
    STATED = "stated"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Count:
    """A number of things, and whether it is exact, a lower bound, stated by somebody else, or not known.

    Args:
        value: the number; for `UNKNOWN` it is 0 and means nothing.
        kind: what is known about it.
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


@dataclass
class CancelToken:
    """Told once, from any thread, that nobody waits for the answer any more."""

    _event: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Ask the work to stop at its next step."""
        self._event.set()

    def at_step(self) -> None:
        """What work does at each of its steps, before it looks whether it is to stop: nothing, here."""

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked."""
        return self._event.is_set()


@dataclass(frozen=True)
class Limits:
    """How long a call may take, who can stop it, and which other servers it may ask.

    Args:
        deadline: the `time.monotonic()` second after which the answer is of no use; None: no limit.
        cancel: the token of whoever may stop it.
        servers: the hosts that a query may ask with SERVICE, as `stores.federation.host_of` names them.
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
        """Stop here if the time is up or somebody cancelled; long work calls it at each of its steps.

        Raises:
            Cancelled: somebody did.
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
    """Nobody wants to know."""


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
        """After the last row: whether the store cut the answer off there."""
        ...

    def __iter__(self) -> Iterator[Row]: ...


@dataclass(frozen=True)
class Capabilities:
    """What a store can do. What it can't, it says here and refuses with `Unsupported`.

    Args:
        writable: whether it takes updates.
        remote: whether each call is a request over a network: counting and searching are then asked
            of the store as queries, and not done here triple by triple.
    """

    writable: bool
    remote: bool = False


class Store(Protocol):
    """Triples in named graphs, asked by pattern or by SPARQL 1.1."""

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
        """The quads that fit; None stands for anything (for `graph`: any graph)."""
        ...

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The quads whose terms are among those given; None stands for anything.

        One of `subjects` and `objects` is given. A remote store answers with as few requests as it
        can, so a breadth-first walk costs requests by level and not by node.
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
        """Carry out a SPARQL 1.1 Update, whole or not at all.

        Raises:
            QuerySyntaxError: the text is no SPARQL 1.1 Update.
            Unsupported: the store is only read.
        """
        ...

    def close(self) -> None:
        """Give back what the store holds; it answers no more."""
        ...
