"""Join resources with the same checksum, where a trace asks for it.

Two records may name one file by two IRIs. Equal digests show that it is one file; equal names, labels or numbers do
not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from hpc_explorer.lineage.facts.facts import CHECKSUMS
from hpc_explorer.lineage.trace.trace import LineageEdge
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

_HEX_DIGITS = {"md5": 32, "sha1": 40, "sha256": 64, "sha512": 128}


def _algorithm(predicate: NamedNode) -> str:
    return predicate.value.rstrip("/#").replace("#", "/").rsplit("/", 1)[1].lower()


ALGORITHMS = {predicate: name for predicate in CHECKSUMS if (name := _algorithm(predicate)) in _HEX_DIGITS}
"""The predicates that name an algorithm. SPDX's does not, and its subject is a checksum, not a file."""

_OF_NOTHING = frozenset(
    {
        "d41d8cd98f00b204e9800998ecf8427e",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
    }
)
"""Digests of the empty file. Empty files are equal without being related."""


@dataclass(frozen=True)
class SameContent:
    """Finds the resources of a graph that have the same content as others, by their checksums."""

    store: Store
    _mixed: dict[NamedNode, tuple[Quad, ...]] = field(default_factory=dict, repr=False, compare=False)

    def of(
        self, resources: Collection[Resource], *, limits: Limits = NO_LIMITS
    ) -> dict[tuple[Resource, Resource], list[Quad]]:
        """Pairs of one of the resources and another one with its content, with the two statements of each checksum.

        Makes two batched requests, or one if no resource has a checksum. Finds other digests spelled the same, in lower
        case or in upper case. Digests in mixed case are searched once in a local store, and not at an endpoint, where
        that would read every checksum.
        """
        own: dict[tuple[str, str], list[Quad]] = defaultdict(list)
        for quad in self.store.match_many(subjects=resources, predicates=ALGORITHMS.keys(), limits=limits):
            if (known := digest(quad)) is not None:
                own[known].append(quad)
        if not own:
            return {}
        spelled = {text for quads in own.values() for quad in quads for text in _spellings(quad)}
        wanted = [Literal(text, datatype=datatype) for text in sorted(spelled) for datatype in _DATATYPES]
        algorithms = {algorithm for algorithm, _ in own}
        predicates = [predicate for predicate, algorithm in ALGORITHMS.items() if algorithm in algorithms]
        found: dict[tuple[Resource, Resource], list[Quad]] = defaultdict(list)
        as_spelled = self.store.match_many(objects=wanted, predicates=predicates, limits=limits)
        mixed = (quad for predicate in predicates for quad in self._in_mixed_letters(predicate, limits))
        for other in dict.fromkeys((*as_spelled, *mixed)):
            known = digest(other)
            for quad in own.get(known, ()) if known is not None else ():
                if quad.subject != other.subject:
                    found[quad.subject, other.subject].extend((quad, other))  # type: ignore[index]  # see digest
        return {pair: found[pair] for pair in sorted(found, key=lambda pair: (str(pair[0]), str(pair[1])))}

    def _in_mixed_letters(self, predicate: NamedNode, limits: Limits) -> tuple[Quad, ...]:
        """The checksums of one predicate in mixed case."""
        if self.store.capabilities.remote:
            return ()
        if predicate not in self._mixed:
            quads = self.store.match(None, predicate, limits=limits)
            self._mixed[predicate] = tuple(quad for quad in quads if _is_mixed(quad))
        return self._mixed[predicate]


_DATATYPES = (XSD.string, XSD.hexBinary)


def digest(quad: Quad) -> tuple[str, str] | None:
    """The algorithm and digest in a statement; None if it has no comparable digest."""
    algorithm, value = ALGORITHMS.get(quad.predicate), quad.object
    if algorithm is None or not isinstance(value, Literal) or not isinstance(quad.subject, (NamedNode, BlankNode)):
        return None
    text = value.value.strip().lower()
    if len(text) != _HEX_DIGITS[algorithm] or not set(text) <= set("0123456789abcdef") or text in _OF_NOTHING:
        return None
    return algorithm, text


def algorithms_of(edge: LineageEdge) -> tuple[str, ...]:
    """The algorithms of the checksums that are evidence for an edge."""
    return tuple(dict.fromkeys(ALGORITHMS[quad.predicate] for quad in edge.evidence if quad.predicate in ALGORITHMS))


def _is_mixed(quad: Quad) -> bool:
    """Whether a digest is neither all lower case nor all upper case, or is surrounded by spaces."""
    if not isinstance(quad.object, Literal) or quad.object.datatype not in _DATATYPES:
        return False
    text = quad.object.value
    return text not in (text.strip().lower(), text.strip().upper())


def _spellings(quad: Quad) -> Iterator[str]:
    text = quad.object.value if isinstance(quad.object, Literal) else ""
    yield from (text, text.strip().lower(), text.strip().upper())
