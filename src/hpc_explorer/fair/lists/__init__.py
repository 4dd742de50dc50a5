"""The lists that tests look things up in: protocols, and terms for the level of access.

Sources: the registrations of URI schemes at IANA with the documents that define them; the vocabularies of access
rights of COAR, ePrints, the EU's Publications Office and OpenAIRE. Whether a protocol is open and whether it can ask
who wants the data is our own judgement of those documents.
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
    """A way to get something over a network.

    Args:
        scheme: what its addresses begin with.
        is_open: whether anyone may build it, without a fee.
        authenticates: whether it can ask who wants something.
    """

    scheme: str
    name: str
    is_open: bool
    authenticates: bool


class AccessLevel(Enum):
    """Who may have the data."""

    PUBLIC = "public"
    EMBARGOED = "embargoed"
    RESTRICTED = "restricted"
    CLOSED = "closed"


@dataclass(frozen=True)
class AccessTerm:
    """A term of a vocabulary for the level of access."""

    iri: str
    level: AccessLevel
    words: str
    vocabulary: str


def protocol_of(scheme: str) -> Protocol | None:
    """The standard protocol of an address's scheme; None where it is none."""
    return _protocols().get(scheme.lower())


def access_term(text: str) -> AccessTerm | None:
    """The term that an IRI, its last part or its words are; None where they are none."""
    key = text.strip().rstrip("/").replace("https://", "http://").lower()
    return _access_terms().get(key.replace(_COAR_PAGES, "http://purl.org/coar/access_right/"))


_COAR_PAGES = "http://vocabularies.coar-repositories.org/access_rights/"
"""Where the terms of COAR lead, which people copy from the browser."""


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
