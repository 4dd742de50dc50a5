"""The prefixes that an RDF/XML document declares on its outermost element; the engine's reader keeps none."""

from __future__ import annotations

from contextlib import suppress
from typing import BinaryIO
from xml.parsers.expat import ExpatError, ParserCreate

_CHUNK = 64 * 1024


def xml_prefixes(stream: BinaryIO) -> dict[str, str]:
    """The namespaces of an XML document by their prefixes; the default namespace has the empty one.

    Args:
        stream: the document from its beginning; it is read as far as its outermost element's tag.
    """
    found: dict[str, str] = {}
    is_open = False

    def begin(_: str, attributes: dict[str, str]) -> None:
        nonlocal is_open
        if not is_open:
            for name, value in attributes.items():
                if value and (name == "xmlns" or name.startswith("xmlns:")):
                    found[name.partition(":")[2]] = value
        is_open = True

    parser = ParserCreate("utf-8")
    parser.StartElementHandler = begin
    # What is no XML is told by who reads the statements.
    with suppress(ExpatError):
        while not is_open and (chunk := stream.read(_CHUNK)):
            parser.Parse(chunk)
    return found
