"""Other namespaces in use for the HPC ontology, and how each source spells its terms.

All sources are read with one spelling, `https://hpc-fair.github.io/ontology#`. A source that is written back keeps its
own spelling, quad by quad.

`http://www.co-ode.org/ontologies/ont.owl#` is not an alias, although some files use it for HPC terms: an ontology
editor gives this namespace to every unnamed ontology, so it means something else in each file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Triple

CANONICAL = str(HPC)

ALIASES: tuple[str, ...] = (
    "https://example.org/HPC-Ontology#",  # the paper (seed 000, Listing 6)
    "https://github.com/HPC-FAIR/HPC-Ontology/blob/main/hpc-ontology.ttl#",  # the published conversions
    "https://github.com/HPC-FAIR/HPC-Ontology/blob/main/hpc-ontology.owl#",  # their rules for Tarql
    "https://github.com/HPC-FAIR/HPC-Ontology#",  # the published example of a call graph
    "https://hpc-fair.github.io/ontology/#",  # tools that used the documentation's address
)
"""The other spellings of the namespace."""

NEEDLES: tuple[bytes, ...] = (b"HPC-Ontology", b"hpc-fair.github.io/ontology/")
"""Bytes that occur in every document with an alias."""

AnyTerm = TypeVar("AnyTerm")


@dataclass(frozen=True)
class AliasRecord:
    """How one source spells the terms of the HPC ontology.

    Args:
        terms: maps the IRI as read to the source's spelling (the first, if there are several).
        exceptions: maps quads as read to the source's quads, where the source spells one term in two ways.
    """

    terms: Mapping[str, str] = field(default_factory=dict)
    exceptions: Mapping[Quad, tuple[Quad, ...]] = field(default_factory=dict)

    @property
    def namespaces(self) -> tuple[tuple[str, str], ...]:
        """The replaced namespaces as pairs (as spelled, as read), in the order of `ALIASES`."""
        spelled = {_namespace(original) for original in self.terms.values()}
        spelled |= {
            _namespace(iri)
            for originals in self.exceptions.values()
            for quad in originals
            for iri in _iris(quad)
            if _in_family(iri)
        }
        return tuple((alias, CANONICAL) for alias in ALIASES if alias in spelled)

    def spelling(self, iri: str) -> str:
        """An IRI as the source spells it.

        A term that is new to the source gets the source's HPC namespace, if it has only one.
        """
        original = self.terms.get(iri)
        if original is not None:
            return original
        if iri.startswith(CANONICAL):
            namespaces = {_namespace(spelled) for spelled in self.terms.values()}
            if len(namespaces) == 1:
                return namespaces.pop() + iri[len(CANONICAL) :]
        return iri


NO_ALIASES = AliasRecord()


def canonical_iri(iri: str) -> str:
    """The IRI in the standard spelling."""
    if iri.startswith("https://"):
        for alias in ALIASES:
            if iri.startswith(alias):
                return CANONICAL + iri[len(alias) :]
    return iri


def canonical_prefixes(prefixes: Mapping[str, str]) -> dict[str, str]:
    """Prefixes with their namespaces in the standard spelling."""
    return {prefix: canonical_iri(namespace) for prefix, namespace in prefixes.items()}


class Canonicaliser:
    """Reads a source's quads in the standard spelling, in two passes over the same quads.

    The first pass (`survey`) records how each term is spelled. The second pass (`quads`) stores only quads that contain
    a term with two spellings. `record` is complete after the second pass.
    """

    def __init__(self) -> None:
        self._terms: dict[str, str] = {}
        self._mixed: set[str] = set()
        self._spelled: dict[str, NamedNode] = {}
        self._exceptions: dict[Quad, dict[Quad, None]] = {}

    def survey(self, quads: Iterable[Quad]) -> None:
        """Record the spellings."""
        for quad in quads:
            for iri in _iris(quad):
                if iri not in self._spelled and _in_family(iri):
                    canonical = canonical_iri(iri)
                    self._spelled[iri] = NamedNode(canonical)
                    if self._terms.setdefault(canonical, iri) != iri:
                        self._mixed.add(canonical)

    def quads(self, quads: Iterable[Quad]) -> Iterator[Quad]:
        """The quads in the standard spelling."""
        for quad in quads:
            canonical = _rewritten(quad, self._canonical_node)
            if self._mixed and any(iri in self._mixed for iri in _iris(canonical)):
                self._exceptions.setdefault(canonical, {})[quad] = None
            yield canonical

    def record(self) -> AliasRecord:
        """How the source spells its terms; empty if it uses the standard spelling throughout."""
        if all(canonical == original for canonical, original in self._terms.items()) and not self._mixed:
            return NO_ALIASES
        plain = AliasRecord(self._terms)
        exceptions = {
            canonical: tuple(originals)
            for canonical, originals in self._exceptions.items()
            if tuple(originals) != (_respelled(canonical, plain),)
        }
        return AliasRecord(self._terms, exceptions)

    def _canonical_node(self, node: NamedNode) -> NamedNode:
        return self._spelled.get(node.value, node)


def undo_aliases(quads: Iterable[Quad], record: AliasRecord) -> Iterator[Quad]:
    """The quads in the source's spelling: those read by a `Canonicaliser`, and those added since."""
    for quad in quads:
        originals = record.exceptions.get(quad)
        if originals is not None:
            yield from originals
        else:
            yield _respelled(quad, record) if record.terms else quad


def undo_prefixes(prefixes: Mapping[str, str], record: AliasRecord) -> dict[str, str]:
    """Prefixes for writing a source back, with the HPC namespace that most of its terms use."""
    spelled = [_namespace(original) for original in record.terms.values()]
    own = max(set(spelled), key=spelled.count) if spelled else CANONICAL
    return {prefix: own if namespace == CANONICAL else namespace for prefix, namespace in prefixes.items()}


def _respelled(quad: Quad, record: AliasRecord) -> Quad:
    def node(term: NamedNode) -> NamedNode:
        spelled = record.spelling(term.value) if term.value.startswith(CANONICAL) else term.value
        return term if spelled == term.value else NamedNode(spelled)

    return _rewritten(quad, node)


# --- the IRIs of a quad: its four terms, datatypes of literals, and quoted triples


def _in_family(iri: str) -> bool:
    return iri.startswith("https://") and (iri.startswith(CANONICAL) or iri.startswith(ALIASES))


def _namespace(iri: str) -> str:
    return next((namespace for namespace in (CANONICAL, *ALIASES) if iri.startswith(namespace)), "")


def _iris(quad: Quad | Triple) -> Iterator[str]:
    for term in quad:
        if isinstance(term, NamedNode):
            yield term.value
        elif isinstance(term, Literal):
            yield term.datatype.value
        elif isinstance(term, Triple):
            yield from _iris(term)


NodeChange = Callable[[NamedNode], NamedNode]


def _rewritten(quad: Quad, change: NodeChange) -> Quad:
    subject, predicate, object_, graph = quad
    return Quad(_changed(subject, change), change(predicate), _changed(object_, change), _changed(graph, change))


def _changed(term: AnyTerm, change: NodeChange) -> AnyTerm:
    if isinstance(term, NamedNode):
        return change(term)  # type: ignore[return-value]  # a named node stays one
    if isinstance(term, Literal):
        datatype = term.datatype
        changed = change(datatype)
        return term if changed == datatype else Literal(term.value, datatype=changed)  # type: ignore[return-value]  # a literal
    if isinstance(term, Triple):
        subject, predicate, object_ = term
        return Triple(_changed(subject, change), change(predicate), _changed(object_, change))  # type: ignore[return-value]
    return term
