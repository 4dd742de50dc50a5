"""Namespaces the program knows by heart, and prefixed names (CURIEs) in both directions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from hpc_explorer.errors import InvalidIri, UnknownPrefix
from hpc_explorer.rdf.terms import NamedNode


class Namespace(str):
    """An IRI that terms begin with: `PROV.used`, `HPC["top500Rank"]`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NamedNode:
        if name.startswith("__"):
            raise AttributeError(name)
        return NamedNode(self + name)

    def term(self, name: str) -> NamedNode:
        """The term `name`, also where the name is a method of str (`title`, `format`, `index`)."""
        return NamedNode(self + name)


RDF = Namespace("http://www.w3.org/1999/02/22-rdf-syntax-ns#")
RDFS = Namespace("http://www.w3.org/2000/01/rdf-schema#")
OWL = Namespace("http://www.w3.org/2002/07/owl#")
XSD = Namespace("http://www.w3.org/2001/XMLSchema#")
SKOS = Namespace("http://www.w3.org/2004/02/skos/core#")
DC = Namespace("http://purl.org/dc/elements/1.1/")
DCTERMS = Namespace("http://purl.org/dc/terms/")
SCHEMA = Namespace("http://schema.org/")
SCHEMAS = Namespace("https://schema.org/")
FOAF = Namespace("http://xmlns.com/foaf/0.1/")
PROV = Namespace("http://www.w3.org/ns/prov#")
MLS = Namespace("http://www.w3.org/ns/mls#")
DCAT = Namespace("http://www.w3.org/ns/dcat#")
QUDT = Namespace("http://qudt.org/schema/qudt/")
UNIT = Namespace("http://qudt.org/vocab/unit/")
QUANTITYKIND = Namespace("http://qudt.org/vocab/quantitykind/")
VOID = Namespace("http://rdfs.org/ns/void#")
SH = Namespace("http://www.w3.org/ns/shacl#")
DBO = Namespace("http://dbpedia.org/ontology/")
WFDESC = Namespace("http://purl.org/wf4ever/wfdesc#")
WFPROV = Namespace("http://purl.org/wf4ever/wfprov#")
BIOSCHEMAS = Namespace("https://bioschemas.org/")

HPC = Namespace("https://hpc-fair.github.io/ontology#")
"""The HPC ontology's namespace (docs/decisions/0002-namespaces.md)."""

PROVML = Namespace("https://example.org/provml#")
"""PROV-ML. No public OWL file of it exists; the paper prints no namespace IRI."""

PROVLAKE = Namespace("https://example.org/provlake#")
"""PROVLake, the core that PROV-ML stands on; the same remark holds."""

WELL_KNOWN: Mapping[str, str] = {
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": OWL,
    "xsd": XSD,
    "skos": SKOS,
    "dc": DC,
    "dcterms": DCTERMS,
    "schema": SCHEMA,
    "schemas": SCHEMAS,
    "foaf": FOAF,
    "prov": PROV,
    "mls": MLS,
    "dcat": DCAT,
    "qudt": QUDT,
    "unit": UNIT,
    "quantitykind": QUANTITYKIND,
    "void": VOID,
    "sh": SH,
    "dbo": DBO,
    "wfdesc": WFDESC,
    "wfprov": WFPROV,
    "bioschemas": BIOSCHEMAS,
    "hpc": HPC,
    "provml": PROVML,
    "provlake": PROVLAKE,
}

# A local name that Turtle writes without escapes and a person reads as one word.
_PLAIN_LOCAL = re.compile(r"[A-Za-z0-9_](?:[\w.\-]*[\w\-])?\Z")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


class PrefixMap(Mapping[str, str]):
    """Prefixes and the namespaces they stand for; the well-known ones are always there.

    A source's own prefixes win over the well-known ones of the same name.

    Args:
        own: the prefixes that sources declare, prefix to namespace IRI.
    """

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        self._prefixes: dict[str, str] = {**WELL_KNOWN, **(own or {})}
        # Longest namespace first, so that the most specific prefix names a term; among prefixes of
        # one namespace a non-empty, shorter one.
        self._by_namespace: list[tuple[str, str]] = sorted(
            ((namespace, prefix) for prefix, namespace in self._prefixes.items() if namespace),
            key=lambda pair: (-len(pair[0]), not pair[1], len(pair[1]), pair[1]),
        )

    def __getitem__(self, prefix: str) -> str:
        return self._prefixes[prefix]

    def __iter__(self) -> Iterator[str]:
        return iter(self._prefixes)

    def __len__(self) -> int:
        return len(self._prefixes)

    def extended(self, own: Mapping[str, str]) -> PrefixMap:
        """This map with more prefixes; those given win."""
        return PrefixMap({**self._prefixes, **own})

    def curie(self, iri: str) -> str | None:
        """The prefixed name of an IRI, or None where no prefix makes a readable one."""
        # A readable local name has none of these signs, so a shorter namespace makes none.
        shortest = max(iri.rfind("/"), iri.rfind("#")) + 1
        for namespace, prefix in self._by_namespace:
            if len(namespace) < shortest:
                break
            if iri.startswith(namespace) and _PLAIN_LOCAL.match(iri[len(namespace) :]):
                return f"{prefix}:{iri[len(namespace) :]}"
        return None

    def short(self, iri: str) -> str:
        """The prefixed name of an IRI, or the IRI itself in angle brackets."""
        return self.curie(iri) or f"<{iri}>"

    def resolve(self, text: str) -> NamedNode:
        """The node that a person means by an IRI, `<IRI>` or prefixed name.

        Raises:
            UnknownPrefix: it reads as a prefixed name, and no such prefix is declared.
            InvalidIri: it is no absolute IRI.
        """
        text = text.strip()
        if text.startswith("<") and text.endswith(">"):
            return _named(text[1:-1])
        prefix, colon, local = text.partition(":")
        if colon and not local.startswith("//"):
            if prefix in self._prefixes:
                return _named(self._prefixes[prefix] + local)
            if prefix.lower() not in _SCHEMES_WITHOUT_SLASHES:
                raise UnknownPrefix(
                    f"unknown prefix {prefix!r}", text, "write the whole IRI, or a prefix that the source declares"
                )
        return _named(text)


_SCHEMES_WITHOUT_SLASHES = frozenset({"urn", "mailto", "tel", "doi", "data", "info", "tag", "file", "swh", "arcp"})


def _named(text: str) -> NamedNode:
    if not _ABSOLUTE.match(text):
        raise InvalidIri("not an absolute IRI", text or "(empty)", "write a whole IRI, or a prefixed name")
    try:
        return NamedNode(text)
    except ValueError as error:
        raise InvalidIri(f"not a valid IRI ({error})", text, "check it for spaces and brackets") from None


def merged_prefixes(maps: Iterable[Mapping[str, str]]) -> PrefixMap:
    """One map for several sources: the first source that declares a prefix keeps it."""
    own: dict[str, str] = {}
    for prefixes in maps:
        for prefix, namespace in prefixes.items():
            own.setdefault(prefix, namespace)
    return PrefixMap(own)
