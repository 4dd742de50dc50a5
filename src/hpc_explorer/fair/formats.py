"""File formats that are open, archival, or used by a science, identified by any common name.

The table in this folder is our own compilation from IANA's media types, EDAM, the preferred formats of archives and the
practice of HPC and machine learning. Containers (ZIP, tar, gzip) are not in it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import unquote


@dataclass(frozen=True)
class StandardFormat:
    """A format of the list.

    Args:
        media_types: all in use, lower case; the first is the one to write.
        kinds: of "open", "longterm", "scientific".
    """

    name: str
    media_types: tuple[str, ...]
    kinds: frozenset[str]


@cache
def _table() -> tuple[tuple[StandardFormat, tuple[str, ...]], ...]:
    text = files("hpc_explorer.fair").joinpath("lists/formats.csv").read_text(encoding="utf-8")
    return tuple(
        (
            StandardFormat(row["name"], tuple(row["media_types"].split()), frozenset(row["kinds"].split())),
            (*row["endings"].split(), *row["codes"].split()),
        )
        for row in csv.DictReader(text.splitlines())
    )


def formats() -> tuple[StandardFormat, ...]:
    """All formats of the list."""
    return tuple(found for found, _ in _table())


@cache
def _by_name() -> Mapping[str, StandardFormat]:
    names: dict[str, StandardFormat] = {}
    for found, others in _table():
        for name in (*found.media_types, found.name, *others):
            names.setdefault(_plain(name), found)
    return names


_TEXT = StandardFormat("plain text", (), frozenset({"open"}))
_MEDIA_TYPE = re.compile(r"[a-z0-9][\w.+-]*/[\w.+-]+")
_ADDRESSES = (
    "www.iana.org/assignments/media-types/",
    "iana.org/assignments/media-types/",
    "purl.org/net/mediatypes/",
    "publications.europa.eu/resource/authority/file-type/",
    "edamontology.org/",
    "www.nationalarchives.gov.uk/pronom/",
    "www.w3.org/ns/formats/",
    "www.ebi.ac.uk/ols/ontologies/edam/terms?iri=http://edamontology.org/",
)


def format_of(text: str) -> StandardFormat | None:
    """The listed format of a media type, a format IRI, an extension or a name; all of text/ are listed.

    Args:
        text: "text/csv; charset=utf-8", "CSV", ".csv", "https://www.iana.org/assignments/media-types/text/csv",
            "http://publications.europa.eu/resource/authority/file-type/CSV", "http://edamontology.org/format_3752",
            "https://www.nationalarchives.gov.uk/PRONOM/x-fmt/18", "http://www.w3.org/ns/formats/Turtle".
    """
    plain = _plain(text)
    if (found := _by_name().get(plain)) is not None:
        return found
    return _TEXT if plain.startswith("text/") and _MEDIA_TYPE.fullmatch(plain) else None


def format_of_file(name: str) -> StandardFormat | None:
    """The listed format by the extension of a file name or address, ignoring a compression extension."""
    name = unquote(name.split("?")[0].split("#")[0]).rpartition("/")[2].lower()
    for packed in (".gz", ".bz2", ".xz", ".zst"):
        name = name.removesuffix(packed)
    _, dot, ending = name.rpartition(".")
    return _by_name().get(ending) if dot else None


def media_type_of(text: str) -> str | None:
    """The media type in a text or an IRI, in lower case; None if there is none."""
    plain = _plain(text)
    return plain if _MEDIA_TYPE.fullmatch(plain) else None


def _plain(text: str) -> str:
    text = text.strip().lower()
    address = text.partition("://")[2] or text
    for each in _ADDRESSES:
        if address.startswith(each):
            return address.removeprefix(each)
    return text.partition(";")[0].strip().removeprefix(".")
