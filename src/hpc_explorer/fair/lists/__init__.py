"""The lists that tests use: protocols, and terms for access levels.

Sources: the registrations of URI schemes at IANA with the documents that define them; the vocabularies of access
rights of COAR, ePrints, the EU's Publications Office and OpenAIRE. Whether a protocol is open and supports
authentication is our own judgement of those documents.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Protocol:
    """A network protocol.

    Args:
        is_open: whether anyone may implement it, without a fee.
        authenticates: whether it supports authentication.
    """

    scheme: str
    name: str
    is_open: bool
    authenticates: bool


class AccessLevel(Enum):
    """Who may access the data."""

    PUBLIC = "public"
    EMBARGOED = "embargoed"
    RESTRICTED = "restricted"
    CLOSED = "closed"


@dataclass(frozen=True)
class AccessTerm:
    """A term of a vocabulary for access levels."""

    iri: str
    level: AccessLevel
    words: str
    vocabulary: str


def protocol_of(scheme: str) -> Protocol | None:
    """The standard protocol of an address's scheme, if any."""
    return _protocols().get(scheme.lower())


def access_term(text: str) -> AccessTerm | None:
    """The term for an IRI, its last part or its label, if any."""
    key = text.strip().rstrip("/").replace("https://", "http://").lower()
    return _access_terms().get(key.replace(_COAR_PAGES, "http://purl.org/coar/access_right/"))


_COAR_PAGES = "http://vocabularies.coar-repositories.org/access_rights/"
"""The redirect target of COAR's terms, which people copy from the browser."""


@cache
def _protocols() -> Mapping[str, Protocol]:
    return {
        row["scheme"]: Protocol(row["scheme"], row["name"], row["open"] == "yes", row["authenticates"] == "yes")
        for row in _rows("protocols")
    }


@cache
def _access_terms() -> Mapping[str, AccessTerm]:
    terms = [
        AccessTerm(row["term"], AccessLevel(row["level"]), row["words"], row["vocabulary"])
        for row in _rows("access_terms")
    ]
    found: dict[str, AccessTerm] = {}
    for each in terms:
        last = each.iri.rpartition("/")[2]
        for key in (each.iri, last, each.words, each.words.removesuffix(" access")):
            found.setdefault(key.lower(), each)
    return found


def _rows(name: str) -> list[dict[str, str]]:
    table = files("hpc_explorer.fair.lists").joinpath(f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(table.splitlines()))
