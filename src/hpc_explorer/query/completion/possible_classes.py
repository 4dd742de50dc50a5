"""The possible classes of a term in an incomplete query, from the text and the graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hpc_explorer.query.completion.cursor_context import CursorContext
from hpc_explorer.query.completion.known_terms import KnownTerms
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.sparql_tokens import unescaped_local

_TYPE = RDF.type.value
_SUBCLASS = RDFS.subClassOf.value


def classes_of(subject: str, at: CursorContext, known: KnownTerms) -> frozenset[str] | None:
    """The possible classes of a subject by its types in the text; None if it has none."""
    stated: set[str] = set()
    for statement in at.statements:
        if statement.subject != subject:
            continue
        is_type, above = types_by(resolved(statement.path, at, known))
        cls = iri_of(statement.value, at.prefixes, known.prefixes) if is_type else None
        if cls is not None:
            stated |= {one for one in known.below.get(cls, {cls}) if one in known.classes} if above else {cls}
    return frozenset(stated) if stated else classes_that_fit(subject, at, known)


def classes_that_fit(subject: str, at: CursorContext, known: KnownTerms) -> frozenset[str] | None:
    """The classes whose instances have the properties stated in the text; None if there are none."""
    found: frozenset[str] | None = None
    if not subject or not known.is_counted:
        return None
    for statement in at.statements:
        path = resolved(statement.path, at, known)
        if len(path) != 1 or types_by(path)[0] or path[0] not in known.properties:
            continue
        if statement.subject == subject:
            fitting = frozenset(cls for cls, one in known.facts.items() if path[0] in one.outgoing)
        elif statement.value == subject:
            fitting = frozenset(cls for cls, one in known.facts.items() if path[0] in one.incoming)
        else:
            continue
        # Untyped resources have properties too: if no class fits, nothing is known.
        found = fitting if found is None else found & fitting
    return found or None


def resolved(path: Iterable[str], at: CursorContext, known: KnownTerms) -> list[str]:
    """Resolve the terms of a path to IRIs; operators and unknown terms are unchanged."""
    return [iri_of(part, at.prefixes, known.prefixes) or part for part in path]


def types_by(path: Sequence[str]) -> tuple[bool, bool]:
    """Whether a path leads to the classes of a resource, and whether to superclasses too."""
    if not path or path[0] != _TYPE:
        return False, False
    rest = [term for term in path[1:] if term not in ("/", "*", "+", "?")]
    return all(term == _SUBCLASS for term in rest), bool(rest)


def iri_of(text: str, declared: Mapping[str, str], known: Mapping[str, str]) -> str | None:
    """Resolve a term to an IRI; None if it is none or its prefix is unknown.

    Args:
        declared: the prefixes of the text, which take precedence.
        known: the prefixes of the sources and well-known ones.
    """
    if text == "a":
        return _TYPE
    if text.startswith("<"):
        return text[1:-1]
    prefix, colon, local = text.partition(":")
    if not colon or text[:1] in "?$_\"'([":
        return None
    namespace = declared.get(prefix, known.get(prefix))
    return None if namespace is None else namespace + unescaped_local(local)
