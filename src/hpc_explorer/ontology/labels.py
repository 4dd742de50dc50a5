"""Labels of resources: from the graph, else a readable form of the IRI."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import unquote

from hpc_explorer.rdf.namespaces import DC, DCTERMS, FOAF, HPC, RDFS, SCHEMA, SCHEMAS, SKOS
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

LABEL_PREDICATES: tuple[NamedNode, ...] = (
    RDFS.label,
    SKOS.prefLabel,
    HPC.name,
    DCTERMS.term("title"),
    DC.term("title"),
    SCHEMA.name,
    SCHEMAS.name,
    FOAF.name,
)
"""The label predicates by precedence."""

COMMENT_PREDICATES: tuple[NamedNode, ...] = (
    RDFS.comment,
    SKOS.definition,
    HPC.description,
    DCTERMS.description,
    DC.description,
    SCHEMA.description,
    SCHEMAS.description,
)
"""The description predicates by precedence."""

_LABEL_RANK = {predicate: rank for rank, predicate in enumerate(LABEL_PREDICATES)}
_COMMENT_RANK = {predicate: rank for rank, predicate in enumerate(COMMENT_PREDICATES)}


def labels_of(store: Store, resources: Collection[Resource], *, limits: Limits = NO_LIMITS) -> dict[Resource, str]:
    """The labels of these resources in the graph; unlabelled ones are absent."""
    return _best_texts(store, resources, _LABEL_RANK, limits)


def comments_of(store: Store, resources: Collection[Resource], *, limits: Limits = NO_LIMITS) -> dict[Resource, str]:
    """The descriptions of these resources in the graph; others are absent."""
    return _best_texts(store, resources, _COMMENT_RANK, limits)


def _best_texts(
    store: Store, resources: Collection[Resource], ranks: Mapping[NamedNode, int], limits: Limits
) -> dict[Resource, str]:
    best: dict[Resource, tuple[int, int, str]] = {}
    for quad in store.match_many(subjects=resources, predicates=ranks.keys(), limits=limits):
        value = quad.object
        if isinstance(value, Literal) and value.value.strip():
            key = (ranks[quad.predicate], _language_rank(value.language), value.value)
            if quad.subject not in best or key < best[quad.subject]:  # type: ignore[index]  # subjects are resources
                best[quad.subject] = key  # type: ignore[index]  # likewise
    return {resource: " ".join(text.split()) for resource, (_, _, text) in best.items()}


def _language_rank(language: str | None) -> int:
    """English before no language before others."""
    if language is None:
        return 1
    return 0 if language.lower().split("-")[0] == "en" else 2


def preferred_text(literals: Iterable[Literal]) -> str | None:
    """The preferred literal for readers of English, if any."""
    ranked = sorted((_language_rank(literal.language), literal.value) for literal in literals)
    return ranked[0][1] if ranked else None


_VERSION = re.compile(r"v?[0-9]+(\.[0-9]+)+\Z")


def local_name(iri: str) -> str:
    """The decoded last part of an IRI: after `#`, else the last non-empty segment of its path.

    A version number keeps the segment before it: `by/4.0` for a licence.
    """
    trimmed = iri.rstrip("/#") or iri
    start = max(trimmed.rfind("#"), trimmed.rfind("/")) + 1
    tail = trimmed[start:]
    if tail[-1:].isdigit() and start > 1 and _VERSION.match(tail):
        tail = trimmed[max(trimmed.rfind("#", 0, start - 1), trimmed.rfind("/", 0, start - 1)) + 1 :]
    if ":" in tail and trimmed == tail:
        tail = tail.rsplit(":", 1)[-1]
    return (unquote(tail) if "%" in tail else tail) or iri


# Word boundaries: before a capital that begins a word ("GPUThread" -> GPU Thread) and between a lower-case letter and a
# capital ("wasUsed" -> was Used).
_WORD_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_IDENTIFIER = re.compile(r"[A-Z]+[-_]?\d+\Z")


def words(name: str) -> str:
    """Split a CamelCase, snake_case or hyphenated name; acronyms and identifiers keep their capitals.

    >>> words("AIModel"), words("wasDerivedFromDataset"), words("MO000001")
    ('AI model', 'was derived from dataset', 'MO000001')
    """
    if _IDENTIFIER.match(name) or "." in name or " " in name:
        return name
    parts = [part for piece in re.split(r"[_\-]+", name) for part in _WORD_BREAK.split(piece) if part]
    if not parts:
        return name
    return " ".join(part if _keeps_capitals(part) else part.lower() for part in parts)


def label_order(label: str) -> tuple[str | tuple[int, str], ...]:
    """A natural sort key: "epoch 9" before "epoch 10", ignoring case."""
    parts = re.split(r"([0-9]+)", label.casefold())
    return tuple(_number_order(part) if at % 2 else part for at, part in enumerate(parts))


def _number_order(digits: str) -> tuple[int, str]:
    """A sort key by size without conversion to int: there may be thousands of digits."""
    kept = digits.lstrip("0")
    return len(kept), kept


def search_words(text: str) -> str:
    """The search words of a name: `decisionTree.onnx` gives "decision", "tree" and "onnx" too."""
    return " ".join(part for piece in re.split(r"[\W_]+", text) for part in _WORD_BREAK.split(piece) if part)


def _keeps_capitals(part: str) -> bool:
    capitals = sum(letter.isupper() for letter in part)
    return capitals > 1 or (capitals == 1 and len(part) == 1)


def term_label(term: NamedNode) -> str:
    """The label of a class or property from its IRI: `hpc:AIModel` is "AI model"."""
    return words(local_name(term.value))


def class_label(term: NamedNode) -> str:
    """Like `term_label`, with an initial capital."""
    text = term_label(term)
    return text[:1].upper() + text[1:]


def fallback_label(resource: Resource) -> str:
    """The label of an unlabelled resource: its local name, or "(unnamed)"."""
    return "(unnamed)" if isinstance(resource, BlankNode) else local_name(resource.value)
