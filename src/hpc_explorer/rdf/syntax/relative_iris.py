"""Resolution of relative IRIs (RFC 3986, section 5.2)."""

from __future__ import annotations

import re

from hpc_explorer.rdf.terms import NamedNode

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_REFERENCE = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*:)?(?P<authority>//[^/?#]*)?(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?P<fragment>#.*)?",
    re.DOTALL,
)


def has_scheme(reference: str) -> bool:
    """Whether a text starts with a scheme."""
    return _SCHEME.match(reference) is not None


def joined(reference: str, base: str) -> str:
    """Resolve a reference as text, without checking its characters.

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
    """Remove dot segments from a path (section 5.2.4)."""
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
    """Resolve a reference as the engine does for Turtle, which keeps `.` and `..` of the base.

    Args:
        reference: an IRI, absolute or relative.
        base: the base IRI, or empty.

    Raises:
        ValueError: there is no base, or the result is not an IRI.
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
