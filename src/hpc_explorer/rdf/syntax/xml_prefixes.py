"""The prefixes declared on the root element of an RDF/XML document, which the engine's reader discards."""

from __future__ import annotations

from contextlib import suppress
from typing import BinaryIO
from xml.parsers.expat import ExpatError, ParserCreate

_CHUNK = 64 * 1024


def xml_prefixes(stream: BinaryIO) -> dict[str, str]:
    """The namespaces of an XML document by prefix; the default namespace has the empty prefix.

    Args:
        stream: the document; it is read up to the root element.
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
    # The RDF reader reports invalid XML.
    with suppress(ExpatError):
        while not is_open and (chunk := stream.read(_CHUNK)):
            parser.Parse(chunk)
    return found
