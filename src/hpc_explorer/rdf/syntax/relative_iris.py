"""Relative IRIs, made whole (RFC 3986, section 5.2)."""

from __future__ import annotations

import re

from hpc_explorer.rdf.terms import NamedNode

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_REFERENCE = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*:)?(?P<authority>//[^/?#]*)?(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?P<fragment>#.*)?",
    re.DOTALL,
)


def has_scheme(reference: str) -> bool:
    """Whether a text is an absolute IRI by its beginning."""
    return _SCHEME.match(reference) is not None


def joined(reference: str, base: str) -> str:
    """What a reference means, as a text, whatever characters it has.

    Args:
        reference: an IRI, absolute or relative.
        base: an absolute IRI.
    """
    scheme, authority, path, query, fragment = _parts(reference)
    if scheme:
        return reference
    base_scheme, base_authority, base_path, base_query, _ = _parts(base)
    if authority:
        path = _without_dots(path)
    else:
        authority = base_authority
        if not path:
            path, query = base_path, query or base_query
        elif path.startswith("/"):
            path = _without_dots(path)
        elif authority and not base_path:
            path = _without_dots(f"/{path}")
        else:
            path = _without_dots(base_path[: base_path.rfind("/") + 1] + path)
    return f"{base_scheme}{authority}{path}{query}{fragment}"


def _parts(reference: str) -> tuple[str, ...]:
    found = _REFERENCE.fullmatch(reference)
    assert found is not None
    return tuple(part or "" for part in found.groups())


def _without_dots(path: str) -> str:
    """A path without `.` and `..` (section 5.2.4)."""
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment not in (".", ".."):
            kept.append(segment)
        elif segment == ".." and kept and kept != [""]:
            kept.pop()
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)


def resolved(reference: str, base: str) -> NamedNode:
    """The IRI that a reference means to the engine, which reads Turtle: it keeps `.` and `..` that the base has.

    Args:
        reference: an IRI, absolute or relative.
        base: what a relative one is relative to; empty: nothing is.

    Raises:
        ValueError: it is relative and there is no base, or what comes out is no IRI.
    """
    if not base:
        return NamedNode(reference)
    from pyoxigraph import RdfFormat, parse

    try:
        (quad,) = parse(f"<x:s> <x:p> <{reference}> .", format=RdfFormat.TURTLE, base_iri=base)
    except SyntaxError as error:
        raise ValueError(str(error)) from None
    assert isinstance(quad.object, NamedNode)
    return quad.object
