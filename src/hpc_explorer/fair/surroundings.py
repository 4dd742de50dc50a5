"""What a test may ask beside the graph: whether a term is known, shapes, files of this machine, and the web if allowed.

The program gives these as one value of its session; the tests themselves open nothing.
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
    """How a description stands to the shapes of a profile.

    Args:
        profile: its name for a person.
        shapes: the shapes, by IRI.
        conforms: whether nothing breaks them.
        violations: each a message, and the statement it is about where there is one.
    """

    profile: str
    shapes: NamedNode
    conforms: bool
    violations: tuple[tuple[str, Quad | None], ...] = ()


@dataclass(frozen=True)
class LocalFile:
    """A file of this machine that a distribution names.

    Args:
        name: without its folders.
        size: in bytes.
        media_type: told by its content; None where that says nothing.
        checksums: hex digits by algorithm, both lower case: "sha256", "md5".
        columns: the names in its header, of a table; None for anything else.
    """

    path: Path
    name: str
    size: int
    media_type: str | None = None
    checksums: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None


@dataclass(frozen=True)
class TableCheck:
    """A local table against the columns that its description promises.

    Args:
        file: its name.
        faults: what is wrong, each in a few words; empty: nothing.
    """

    file: str
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Seen:
    """What answered at an address.

    Args:
        status: the HTTP status; 0 where nothing answered.
        final_url: after redirects.
        when: with time zone.
    """

    status: int
    final_url: str
    media_type: str | None
    when: datetime


class Surroundings(Protocol):
    """What the tests may ask. None always means: not known here, and is never taken for a no."""

    def knows(self, term: NamedNode) -> str | None:
        """The ontology that defines a term, by name."""
        ...

    def conforms(self, subject: Subject) -> Conformance | None:
        """Whether the description fits the shapes of its profile; None where no profile is for it."""
        ...

    def local_file(self, address: str) -> LocalFile | None:
        """The file of this machine that an address or a path means."""
        ...

    def table_faults(self, subject: Subject) -> TableCheck | None:
        """The local table of a distribution against its csvw:tableSchema; None where either is missing."""
        ...

    def online(self, url: str) -> Seen | None:
        """What answers at an address; None where nobody allowed to ask."""
        ...


@dataclass(frozen=True)
class NoSurroundings:
    """Nothing but what ships with the program."""

    def knows(self, term: NamedNode) -> str | None:
        """The shipped ontology that defines the term."""
        return shipped_terms().get(term)

    def conforms(self, subject: Subject) -> Conformance | None:
        """None: no shapes are at hand."""
        return None

    def local_file(self, address: str) -> LocalFile | None:
        """None: no files are at hand."""
        return None

    def table_faults(self, subject: Subject) -> TableCheck | None:
        """None: no files are at hand."""
        return None

    def online(self, url: str) -> Seen | None:
        """None: nobody asked for it."""
        return None


NO_SURROUNDINGS: Surroundings = NoSurroundings()


@cache
def shipped_terms() -> Mapping[NamedNode, str]:
    """The terms that the shipped ontologies define, each with the ontology's name."""
    from hpc_explorer.ontology.shipped import shipped_ontology

    return {
        quad.subject: str(quad.graph_name.value).rpartition(":")[2]
        for quad in shipped_ontology().match(predicate=RDF.type)
        if isinstance(quad.subject, NamedNode) and isinstance(quad.graph_name, NamedNode)
    }
