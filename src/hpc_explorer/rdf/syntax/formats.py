"""The supported RDF syntaxes: names, file name extensions, media types."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from pyoxigraph import RdfFormat

GZIP_SUFFIX = ".gz"


@dataclass(frozen=True)
class Format:
    """One RDF syntax.

    Args:
        name: the name in its specification.
        engine: the engine's format.
        extensions: file name extensions without the dot, the usual one first.
        media_types: media types, the registered one first.
        has_named_graphs: whether it supports named graphs.
    """

    name: str
    engine: RdfFormat
    extensions: tuple[str, ...]
    media_types: tuple[str, ...]
    has_named_graphs: bool

    @property
    def extension(self) -> str:
        """The usual extension, without the dot."""
        return self.extensions[0]

    def __str__(self) -> str:
        return self.name


TURTLE = Format("Turtle", RdfFormat.TURTLE, ("ttl", "turtle"), ("text/turtle", "application/x-turtle"), False)
N_TRIPLES = Format("N-Triples", RdfFormat.N_TRIPLES, ("nt", "ntriples"), ("application/n-triples",), False)
N_QUADS = Format("N-Quads", RdfFormat.N_QUADS, ("nq", "nquads"), ("application/n-quads", "text/x-nquads"), True)
TRIG = Format("TriG", RdfFormat.TRIG, ("trig",), ("application/trig", "application/x-trig"), True)
N3 = Format("N3", RdfFormat.N3, ("n3",), ("text/n3", "text/rdf+n3"), False)
RDF_XML = Format(
    "RDF/XML", RdfFormat.RDF_XML, ("rdf", "owl", "xml", "rdfxml"), ("application/rdf+xml", "application/xml"), False
)
JSON_LD = Format(
    "JSON-LD", RdfFormat.JSON_LD, ("jsonld", "json", "json-ld"), ("application/ld+json", "application/json"), True
)

DOTTED = (TURTLE, N_TRIPLES, N_QUADS, TRIG)
"""The formats whose statements end with a dot; the engine reads on after a damaged one."""

MAY_BE_EMPTY = (*DOTTED, N3)
"""The formats in which an empty file is an empty graph."""

FORMATS: tuple[Format, ...] = (TURTLE, N_TRIPLES, N_QUADS, TRIG, N3, RDF_XML, JSON_LD)

_BY_EXTENSION = {extension: format for format in FORMATS for extension in format.extensions}
_BY_MEDIA_TYPE = {media_type: format for format in FORMATS for media_type in format.media_types}


def format_of_name(path: PurePath | str) -> Format | None:
    """The format for a file name (`x.ttl`, `x.nq.gz`), or None."""
    suffixes = [suffix.lower() for suffix in PurePath(path).suffixes]
    if suffixes and suffixes[-1] == GZIP_SUFFIX:
        suffixes.pop()
    return _BY_EXTENSION.get(suffixes[-1][1:]) if suffixes else None


def format_of_media_type(media_type: str) -> Format | None:
    """The format for an HTTP Content-Type, ignoring parameters, or None."""
    return _BY_MEDIA_TYPE.get(media_type.partition(";")[0].strip().lower())


def is_gzip_name(path: PurePath | str) -> bool:
    """Whether a file of this name is written compressed."""
    return PurePath(path).suffix.lower() == GZIP_SUFFIX
