"""What a test may use besides the graph: known terms, shapes, local files, and the web if allowed.

The session provides these as one value; the tests themselves perform no I/O.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Quad

if TYPE_CHECKING:
    from hpc_explorer.fair.subject import Subject


@dataclass(frozen=True)
class Conformance:
    """The result of validating a description against a profile.

    Args:
        violations: messages, each with its statement if there is one.
    """

    profile: str
    shapes: NamedNode
    conforms: bool
    violations: tuple[tuple[str, Quad | None], ...] = ()


@dataclass(frozen=True)
class LocalFile:
    """A local file of a distribution.

    Args:
        name: without folders.
        media_type: detected from its content.
        checksums: lower-case hex digits by algorithm: "sha256", "md5".
        columns: the header of a table; else None.
    """

    path: Path
    name: str
    size: int
    media_type: str | None = None
    checksums: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None


@dataclass(frozen=True)
class TableCheck:
    """A local table compared with its described columns.

    Args:
        faults: short descriptions; empty if it matches.
    """

    file: str
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Seen:
    """The response of an address.

    Args:
        status: the HTTP status; 0 without a response.
        when: with time zone.
    """

    status: int
    final_url: str
    media_type: str | None
    when: datetime


class Surroundings(Protocol):
    """What the tests may request. None always means unknown, never no."""

    def knows(self, term: NamedNode) -> str | None:
        """The name of the ontology that defines a term."""
        ...

    def conforms(self, subject: Subject) -> Conformance | None:
        """Validate the description against its profile; None if there is no profile."""
        ...

    def local_file(self, address: str) -> LocalFile | None:
        """The local file of an address or a path."""
        ...

    def table_faults(self, subject: Subject) -> TableCheck | None:
        """Compare the local table of a distribution with its csvw:tableSchema; None if either is missing."""
        ...

    def online(self, url: str) -> Seen | None:
        """The response of an address; None if requests are not allowed."""
        ...


@dataclass(frozen=True)
class NoSurroundings:
    """The surroundings without files, shapes and network: only the shipped ontologies."""

    def knows(self, term: NamedNode) -> str | None:
        """The name of the shipped ontology that defines the term."""
        return shipped_terms().get(term)

    def conforms(self, subject: Subject) -> Conformance | None:
        """Always None."""
        return None

    def local_file(self, address: str) -> LocalFile | None:
        """Always None."""
        return None

    def table_faults(self, subject: Subject) -> TableCheck | None:
        """Always None."""
        return None

    def online(self, url: str) -> Seen | None:
        """Always None."""
        return None


NO_SURROUNDINGS: Surroundings = NoSurroundings()


@cache
def shipped_terms() -> Mapping[NamedNode, str]:
    """The terms that the shipped ontologies define, with the ontology's name."""
    from hpc_explorer.ontology.shipped import shipped_ontology

    return {
        quad.subject: str(quad.graph_name.value).rpartition(":")[2]
        for quad in shipped_ontology().match(predicate=RDF.type)
        if isinstance(quad.subject, NamedNode) and isinstance(quad.graph_name, NamedNode)
    }
