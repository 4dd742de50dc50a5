"""What a form of handing over wants and the graph does not say."""

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
"""What the properties of schema.org and Croissant mean, where their names are no plain words."""


@dataclass(frozen=True)
class Lack:
    """Something that a form of handing over wants, and the graph does not say.

    Args:
        what: the property, as that form calls it.
        is_required: whether what is written is not valid without it.
        sentence: what to say, for a person.
    """

    what: str
    is_required: bool
    sentence: str


def in_words(key: str) -> str:
    """What a property is, for a person, such as "licence (license)": the name it has in the file is looked for there.

    Args:
        key: the property, as the form of handing over calls it.
    """
    return f"{_WORDS[key]} ({key})" if key in _WORDS else key
