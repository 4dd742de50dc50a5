"""Qualified names of PROV documents: prefixes in, prefixes out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from hpc_explorer.interchange.statements import Findings, part
from hpc_explorer.rdf.namespaces import PROV, WELL_KNOWN, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:\S")


class Names:
    """Resolves the qualified names of a document or bundle.

    Args:
        base: what a name with an unknown prefix is made from.
        where: what the document is called in errors.
    """

    def __init__(self, base: str, where: str, findings: Findings, outer: Names | None = None) -> None:
        self._base = base
        self._where = where
        self._findings = findings
        self._prefixes: dict[str, str] = dict(outer._prefixes) if outer else {"prov": PROV, "xsd": XSD}
        self._unknown: set[str] = set() if outer is None else outer._unknown
        self._blank: dict[str, BlankNode] = {} if outer is None else outer._blank

    def declare(self, prefix: str, namespace: object) -> None:
        """Add a prefix; `default` is that of names without one."""
        if isinstance(namespace, str):
            if not _SCHEME.match(namespace):
                namespace = f"{self._base}#{namespace}/"  # yProv4ML has such
            self._prefixes["" if prefix == "default" else prefix] = namespace
            if prefix not in ("default", "prov", "xsd"):
                self._findings.prefixes.setdefault(prefix, namespace)

    def iri(self, name: str) -> NamedNode:
        """The IRI of a qualified name."""
        prefix, colon, local = name.partition(":")
        if not colon:
            prefix, local = "", name
        namespace = self._prefixes.get(prefix)
        if namespace is None and _ABSOLUTE.match(name) and (local.startswith("//") or prefix in ("urn", "file", "doi")):
            return self._checked(name)
        if namespace is None:
            namespace = WELL_KNOWN.get(prefix)
        if namespace is None:
            if colon and prefix not in self._unknown:
                self._unknown.add(prefix)
                self._findings.lost(f"the prefix {prefix} is not declared", self._where)
            return part(f"{self._base}#", name)
        return self._checked(namespace + local)

    def resource(self, name: str) -> Resource:
        """The node of an identifier, which may be a blank node (`_:x`)."""
        if name.startswith("_:"):
            return self._blank.setdefault(name, BlankNode())
        return self.iri(name)

    def literal(self, text: str, datatype: str | None, language: str | None) -> Literal | NamedNode:
        """A typed value; a qualified name becomes the IRI that it names."""
        if language:
            try:
                return Literal(text, language=language)
            except ValueError:
                return Literal(text)
        if datatype in (None, "", "xsd:string", "prov:InternationalizedString"):
            return Literal(text)
        if datatype in ("prov:QUALIFIED_NAME", "xsd:QName", "prov:QualifiedName"):
            return self.iri(text)
        return Literal(text, datatype=self.iri(str(datatype)))

    def _checked(self, text: str) -> NamedNode:
        try:
            return NamedNode(text)
        except ValueError:
            return NamedNode("".join(f"%{ord(sign):02X}" if sign in ' <>"{}|\\^`' else sign for sign in text))


class Shortener:
    """Makes qualified names, and the prefixes that they need.

    Args:
        known: prefixes to use where they fit.
    """

    def __init__(self, known: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        given = {prefix: namespace for prefix, namespace in dict(known).items() if _PREFIX.fullmatch(prefix)}
        self._known = {namespace: prefix for prefix, namespace in {**WELL_KNOWN, **given}.items() if namespace}
        self._known |= {PROV: "prov", XSD: "xsd"}
        taken = set(self._known.values())
        self._free = (name for number in range(1_000_000_000) if (name := f"ns{number}") not in taken)
        self.prefixes: dict[str, str] = {}

    def name(self, iri: str) -> str:
        """The qualified name of an IRI."""
        cut = max(iri.rfind("/"), iri.rfind("#"), iri.rfind(":")) + 1
        namespace, local = iri[:cut], iri[cut:]
        prefix = self._known.get(namespace)
        if prefix is None:
            prefix = self._known[namespace] = next(self._free)
        if prefix not in ("prov", "xsd"):
            self.prefixes[prefix] = str(namespace)
        return f"{prefix}:{local}"


_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*")
