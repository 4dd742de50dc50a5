"""Check whether an IRI is a term of its vocabulary, and suggest the term that was meant.

All terms are known of the vocabularies in the list in this folder (`packaging/make_vocabulary_terms.py` generates it)
and of the shipped ontologies, so an unknown name such as `dcterms:titel` is a typo. Of the other listed vocabularies
only the namespace is known; their terms are accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import files

from hpc_explorer.fair.surroundings import NO_SURROUNDINGS, Surroundings, shipped_terms
from hpc_explorer.fair.vocabularies import namespace_of, vocabulary_of
from hpc_explorer.rdf.namespaces import DC, DCAT, DCTERMS, PROV, PROVLAKE, PROVML, RDF
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.names.similar_words import distances


class TermStatus(Enum):
    """What is known of a term."""

    DEFINED = "an ontology that is loaded or listed defines it"
    UNCHECKED = "its namespace is listed, its vocabulary's terms are not known here"
    NO_TERM = "its vocabulary is known whole, and it is not among the terms"
    UNKNOWN = "nothing that is loaded or listed defines it"

    @property
    def counts(self) -> bool:
        """Whether the term is accepted as one of a known vocabulary."""
        return self in (TermStatus.DEFINED, TermStatus.UNCHECKED)


def standing(term: NamedNode, surroundings: Surroundings) -> TermStatus:
    """Look a term up in the list, the shipped ontologies and the loaded graph."""
    if _is_listed(term) or surroundings.knows(term) is not None:
        return TermStatus.DEFINED
    if is_no_term(term, surroundings):
        return TermStatus.NO_TERM
    return TermStatus.UNKNOWN if vocabulary_of(term.value) is None else TermStatus.UNCHECKED


def is_no_term(term: NamedNode, surroundings: Surroundings = NO_SURROUNDINGS) -> bool:
    """Whether a fully known vocabulary lacks the term."""
    # The loaded graph is checked last because it may have to be read first.
    return not _is_listed(term) and is_known_whole(namespace_of(term)) and surroundings.knows(term) is None


def is_known_whole(namespace: str) -> bool:
    """Whether all terms of a namespace are known."""
    return namespace in _listed_terms() or namespace in _SHIPPED


def vocabulary_name(term: NamedNode) -> str:
    """The name of a term's vocabulary; its namespace if it has no name."""
    if (vocabulary := vocabulary_of(term.value)) is not None:
        return vocabulary.name
    namespace = namespace_of(term)
    return _SHIPPED.get(namespace, namespace)


@lru_cache(maxsize=4096)
def meant_by(term: NamedNode, *, is_class: bool) -> tuple[NamedNode, ...]:
    """Suggest terms with a similar spelling; mostly one or none.

    Similar names differ only in case, hyphens and underscores, else by one edit, or two edits from eight letters on
    (added, removed, changed or swapped letters). If the vocabulary has none, the same name in a companion vocabulary is
    suggested: `dcat:title` gives `dcterms:title`.

    Args:
        is_class: whether it is used as a class, not as a property.
    """
    namespace = namespace_of(term)
    name = term.value.removeprefix(namespace)
    near: list[str] = []
    best = 0 if len(name) < 4 else 1 if len(name) < 8 else 2
    for other in sorted(_names(namespace)):
        # All of these name classes with an initial capital and properties without.
        if other[:1].isupper() is not is_class or abs(len(other) - len(name)) > best:
            continue
        distance, _ = distances(_plain(name), _plain(other), best)
        if distance < best:
            near, best = [], distance
        if distance <= best:
            near.append(other)
    if near:
        return tuple(NamedNode(namespace + other) for other in near)
    return tuple(NamedNode(each + name) for each in _BESIDE.get(namespace, ()) if name in _names(each))


# Vocabularies that are designed to be used together, so their terms are easily confused.
_BESIDE: Mapping[str, tuple[str, ...]] = {DCAT: (DCTERMS,), DCTERMS: (DCAT,), DC: (DCTERMS,)}

_SHIPPED: Mapping[str, str] = {PROVML: "PROV-ML", PROVLAKE: "PROV-ML"}
"""Ontologies that are not in the list and ship in full."""

_MEMBER = re.compile(r"_[1-9][0-9]*\Z")


def _is_listed(term: NamedNode) -> bool:
    namespace = namespace_of(term)
    name = term.value.removeprefix(namespace)
    # RDF 1.1 Schema, section 5.1.6: rdf:_1, rdf:_2, ... are unlimited.
    return name in _names(namespace) or (namespace == RDF and bool(_MEMBER.match(name)))


@cache
def _names(namespace: str) -> frozenset[str]:
    """The known names of a namespace."""
    names = _listed_terms().get(namespace, frozenset()) | _shipped_names().get(namespace, frozenset())
    if namespace in _SHIPPED:
        # The paper prints no namespace, and some write PROV-O's properties with PROV-ML's prefix.
        names |= {name for name in _listed_terms()[PROV] if name[:1].islower()}
    return names


@cache
def _shipped_names() -> Mapping[str, frozenset[str]]:
    names: dict[str, set[str]] = {}
    for term in shipped_terms():
        namespace = namespace_of(term)
        names.setdefault(namespace, set()).add(term.value.removeprefix(namespace))
    return {namespace: frozenset(each) for namespace, each in names.items()}


@cache
def _listed_terms() -> Mapping[str, frozenset[str]]:
    """The names of the list by namespace; a name with two spellings has both."""
    text = files("hpc_explorer.fair").joinpath("lists/vocabulary_terms.txt").read_text(encoding="utf-8")
    return dict(_blocks(text.splitlines()))


def _blocks(lines: list[str]) -> Iterator[tuple[str, frozenset[str]]]:
    heads = [place for place, line in enumerate(lines) if line.startswith(">")]
    for place, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        names = frozenset(" ".join(lines[place + 1 : end]).split())
        for namespace in lines[place][1:].split():
            yield namespace, names


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")
