"""Properties that an export format needs and the graph lacks."""

from __future__ import annotations

from dataclasses import dataclass

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
