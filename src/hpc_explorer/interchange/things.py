"""Things of the graph as plain values for export, and the properties that they lack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from hpc_explorer.ontology.common_terms import Fact, ThingKind
from hpc_explorer.ontology.licences import Named, is_spdx_identifier, licence_of, spdx_address
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import NamedNode, Resource


@dataclass(frozen=True)
class Link:
    """A resource that a thing links to."""

    resource: Resource
    name: str
    kind: ThingKind = ThingKind.OTHER

    @property
    def iri(self) -> str | None:
        """Its IRI; None for a blank node."""
        return self.resource.value if isinstance(self.resource, NamedNode) else None


@dataclass(frozen=True)
class LocalCopy:
    """A local file: its size in bytes and its digest."""

    size: int
    sha256: str


@dataclass(frozen=True)
class DataFile:
    """A file of a thing.

    Args:
        urls: its addresses, the preferred first.
        size: in bytes; None if not stated exactly.
        size_text: as stated: "41.7 kB".
        media_type: stated, or by the file extension; may be empty.
        local: the file on this machine.
        includes, excludes: the patterns of a file set.
        contained_in: the archives with its files.
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
        """Whether it is a set of files: Croissant's cr:FileSet."""
        return bool(self.includes)


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Args:
        property: the property of its values, if known.
        unit: a unit's symbol or name; may be empty.
    """

    name: str
    datatype: NamedNode = XSD.string
    property: NamedNode | None = None
    description: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Detail:
    """Another statement: the property, its name, the value, and its unit if any."""

    property: NamedNode
    name: str
    value: str | int | float | bool
    unit: str = ""


@dataclass(frozen=True)
class Thing:
    """A thing for export.

    Args:
        facts: texts by fact, in the order of `TERMS`; links are IRIs.
        links: link targets by kind.
        details: the literals of all other properties.
        record_sets: the number of Croissant's cr:recordSet.
    """

    resource: Resource
    kind: ThingKind
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
        """The first text of a fact; may be empty."""
        found = self.facts.get(fact, ())
        return found[0] if found else ""

    @property
    def licence(self) -> str:
        """Its licence: an address or text; may be empty."""
        return licence_address(self.first(Fact.LICENCE))


def licence_address(text: str) -> str:
    """Expand an SPDX identifier of a licence to its address; other texts are unchanged.

    Hubs write identifiers in lower case: "apache-2.0".
    """
    known = licence_of(text)
    is_one = known is not None and known.named is Named.BY_IDENTIFIER and is_spdx_identifier(known.id)
    return spdx_address(known.id) if known is not None and is_one else text.strip()


def is_address(text: str) -> bool:
    """Whether a text is a web address."""
    parts = urlsplit(text) if text.startswith(("http://", "https://")) else None
    return parts is not None and bool(parts.netloc) and not any(sign.isspace() for sign in text)


_WORDS = {
    "citeAs": "publication to cite",
    "citation": "publication to cite",
    "contentUrl": "address",
    "datePublished": "date of publication",
    "distribution": "list of files",
    "encodingFormat": "media type",
    "isAccessibleForFree": "word on whether it is free",
    "license": "licence",
    "recordSet": "description of the columns",
    "sha256": "checksum",
    "url": "address of its page",
}
"""Descriptions of properties of schema.org and Croissant with unclear names."""


@dataclass(frozen=True)
class Lack:
    """A property that an export format needs and the graph lacks.

    Args:
        what: the property in the format.
        is_required: whether the document is invalid without it.
        sentence: a message for the user.
    """

    what: str
    is_required: bool
    sentence: str


def in_words(key: str) -> str:
    """Describe a property with its name in the file: "licence (license)"."""
    return f"{_WORDS[key]} ({key})" if key in _WORDS else key
