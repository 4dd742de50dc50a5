"""The record of a copy of an endpoint."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hpc_explorer.rdf.terms import NamedNode


@dataclass(frozen=True)
class MirrorPart:
    """The part of an endpoint to copy; everything by default.

    Args:
        graph: only the statements of this graph.
        cls: only the instances of this class, with nested blank nodes.
        query: the result of this CONSTRUCT query; excludes the other arguments.
        resources: only the descriptions of these; new statements then go to `graph`.
    """

    graph: NamedNode | None = None
    cls: NamedNode | None = None
    query: str = ""
    resources: tuple[NamedNode, ...] = ()

    def __str__(self) -> str:
        """A description for people; empty for everything."""
        if self.query:
            return "the answer of a query"
        if self.resources:
            number = len(self.resources)
            return f"the description of {self.resources[0].value}" + (f" and {number - 1:,} more" if number > 1 else "")
        parts = [f"graph {self.graph.value}"] if self.graph else []
        parts += [f"class {self.cls.value}"] if self.cls else []
        return ", ".join(parts)


class MirrorCheck(Enum):
    """The result of comparing a copy with the endpoint's count."""

    EXACT = "exact"
    CHANGED = "changed while copying"
    DIFFERS = "not as many as the endpoint counts"
    UNCHECKED = "not checked"


@dataclass(frozen=True)
class MirrorRecord:
    """The origin and quality of a copy.

    Args:
        endpoint: the address, without credentials.
        copied: its start time in UTC, in ISO 8601.
        triples: how many statements were copied.
        check: the comparison with the endpoint's counts before and after.
        note: a remark for people; may be empty.
        update_address: the address for updates if known; else see `update_address_of`.
    """

    endpoint: str
    part: MirrorPart
    copied: str
    triples: int
    check: MirrorCheck
    note: str = ""
    update_address: str = ""

    def __str__(self) -> str:
        """A description in one line."""
        part = f" ({self.part})" if str(self.part) else ""
        note = f" ({self.note})" if self.note else ""
        return f"copied {self.copied}{part}: {self.check.value}{note}"
