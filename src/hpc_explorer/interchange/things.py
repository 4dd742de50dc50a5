"""A thing of the graph as those want to know it who take it over: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from hpc_explorer.ontology.common_terms import Fact, Kind
from hpc_explorer.ontology.licences import Named, is_spdx_identifier, licence_of, spdx_address
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import NamedNode, Resource


@dataclass(frozen=True)
class Link:
    """A resource that a thing names, as far as it is told with it."""

    resource: Resource
    name: str
    kind: Kind = Kind.OTHER

    @property
    def iri(self) -> str | None:
        """Its IRI; None for a blank node."""
        return self.resource.value if isinstance(self.resource, NamedNode) else None


@dataclass(frozen=True)
class LocalCopy:
    """A file of this machine: its size in bytes, and the digest of its content."""

    size: int
    sha256: str


@dataclass(frozen=True)
class DataFile:
    """A file that holds a thing or a part of it.

    Args:
        urls: where it can be had; the first is the one to take.
        size: in bytes; None where the record does not say it exactly.
        size_text: as the record says it: "41.7 kB".
        media_type: empty where it is neither stated nor told by its name.
        local: what was found on this machine.
        includes, excludes: the patterns of the files that a set of files has; none for one file.
        contained_in: the archives that its files are in.
    """

    resource: Resource
    name: str
    urls: tuple[str, ...] = ()
    size: int | None = None
    size_text: str = ""
    media_type: str = ""
    sha256: str = ""
    md5: str = ""
    description: str = ""
    local: LocalCopy | None = None
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    contained_in: tuple[Resource, ...] = ()

    @property
    def is_set(self) -> bool:
        """Whether it stands for many files: a cr:FileSet of Croissant."""
        return bool(self.includes)


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Args:
        property: what it says of the thing that a row is about; None where nothing tells.
        unit: as a person reads it; empty for none.
    """

    name: str
    datatype: NamedNode = XSD.string
    property: NamedNode | None = None
    description: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Detail:
    """Whatever else is said: the property, its name, the value, and its unit where it has one."""

    property: NamedNode
    name: str
    value: str | int | float | bool
    unit: str = ""


@dataclass(frozen=True)
class Thing:
    """A thing as it is handed over.

    Args:
        facts: texts by what they say, in the order of the graph's terms; values that are links are their IRIs.
        links: resources by what they are to it.
        details: literals of all other properties.
        record_sets: how many cr:recordSet of Croissant the graph has of it.
    """

    resource: Resource
    kind: Kind
    classes: tuple[NamedNode, ...]
    name: str
    facts: Mapping[Fact, tuple[str, ...]] = field(default_factory=dict)
    links: Mapping[Fact, tuple[Link, ...]] = field(default_factory=dict)
    files: tuple[DataFile, ...] = ()
    columns: tuple[Column, ...] = ()
    details: tuple[Detail, ...] = ()
    is_named: bool = True
    record_sets: int = 0

    @property
    def iri(self) -> str | None:
        """Its IRI; None for a blank node."""
        return self.resource.value if isinstance(self.resource, NamedNode) else None

    def first(self, fact: Fact) -> str:
        """The first text of a fact; empty where there is none."""
        found = self.facts.get(fact, ())
        return found[0] if found else ""

    @property
    def licence(self) -> str:
        """Its licence: an address, or the words of the record; empty where it has none."""
        return licence_address(self.first(Fact.LICENCE))


def licence_address(text: str) -> str:
    """The address of a licence that is named by its identifier in the SPDX License List; any other text as it is.

    Hubs write identifiers in small letters: "apache-2.0".
    """
    known = licence_of(text)
    is_one = known is not None and known.named is Named.BY_IDENTIFIER and is_spdx_identifier(known.id)
    return spdx_address(known.id) if known is not None and is_one else text.strip()


def is_address(text: str) -> bool:
    """Whether a text is an address on the web."""
    parts = urlsplit(text) if text.startswith(("http://", "https://")) else None
    return parts is not None and bool(parts.netloc) and not any(sign.isspace() for sign in text)
