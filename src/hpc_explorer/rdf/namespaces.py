"""Well-known namespaces, and conversion between IRIs and prefixed names (CURIEs)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from hpc_explorer.errors import InvalidIri, UnknownPrefix
from hpc_explorer.rdf.terms import NamedNode


class Namespace(str):
    """A namespace that makes terms: `PROV.used`, `HPC["top500Rank"]`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NamedNode:
        if name.startswith("__"):
            raise AttributeError(name)
        return NamedNode(self + name)

    def term(self, name: str) -> NamedNode:
        """The term `name`; works for names that are methods of str (`title`, `format`, `index`)."""
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
SOSA = Namespace("http://www.w3.org/ns/sosa/")
TIME = Namespace("http://www.w3.org/2006/time#")
VOID = Namespace("http://rdfs.org/ns/void#")
SH = Namespace("http://www.w3.org/ns/shacl#")
DBO = Namespace("http://dbpedia.org/ontology/")
WFDESC = Namespace("http://purl.org/wf4ever/wfdesc#")
WFPROV = Namespace("http://purl.org/wf4ever/wfprov#")
BIOSCHEMAS = Namespace("https://bioschemas.org/")

HPC = Namespace("https://hpc-fair.github.io/ontology#")
"""The HPC ontology's namespace (docs/decisions/0002-namespaces.md)."""

PROVML = Namespace("https://example.org/provml#")
"""PROV-ML. It has no public OWL file, and the paper gives no namespace IRI."""

PROVLAKE = Namespace("https://example.org/provlake#")
"""PROVLake, the core of PROV-ML; it has no public OWL file either."""

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
    "sosa": SOSA,
    "time": TIME,
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

# Local names that need no escapes in Turtle.
_PLAIN_LOCAL = re.compile(r"[A-Za-z0-9_](?:[\w.\-]*[\w\-])?\Z")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


class PrefixMap(Mapping[str, str]):
    """Prefixes and their namespaces, including the well-known ones.

    A source's own prefixes override well-known prefixes of the same name.

    Args:
        own: prefixes declared by sources, prefix to namespace IRI.
    """

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        self._prefixes: dict[str, str] = {**WELL_KNOWN, **(own or {})}
        # The longest namespace first, so that the most specific prefix is used; among equal namespaces the
        # shortest non-empty prefix.
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
        """This map with more prefixes, which override existing ones."""
        return PrefixMap({**self._prefixes, **own})

    def curie(self, iri: str) -> str | None:
        """The prefixed name of an IRI, or None if no prefix fits."""
        # A local name cannot contain these characters, so shorter namespaces cannot match either.
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
        """The node for typed text: an IRI, `<IRI>` or prefixed name.

        Raises:
            UnknownPrefix: the prefix is not declared.
            InvalidIri: the text is not an absolute IRI.
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
    """One map for several sources; the first declaration of a prefix is used."""
    own: dict[str, str] = {}
    for prefixes in maps:
        for prefix, namespace in prefixes.items():
            own.setdefault(prefix, namespace)
    return PrefixMap(own)
