"""Writing RDF/XML (RDF 1.1 XML Syntax). Content that XML cannot express is refused.

The engine's writer produces unreadable XML for predicates without a local name and for control characters, and loses
carriage returns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import BinaryIO

from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource, Term, Triple

_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_LOCAL_NAME = re.compile(f"[{_START}][{_START}\\-.0-9\u00b7\u0300-\u036f\u203f-\u2040]*\\Z")
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_TEXT = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_IN_ATTRIBUTE = {**_IN_TEXT, '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
_TEXT = str.maketrans(_IN_TEXT)
_ATTRIBUTE = str.maketrans(_IN_ATTRIBUTE)

# RDF 1.1 XML Syntax, section 5.1: reserved names, which cannot be predicates.
_SYNTAX_TERMS = frozenset(
    RDF.term(name)
    for name in (
        "RDF", "ID", "about", "parseType", "resource", "nodeID", "datatype", "Description", "li",
        "aboutEach", "aboutEachPrefix", "bagID",
    )
)  # fmt: skip

_OTHER_SYNTAX = "write Turtle or JSON-LD"

Properties = Mapping[NamedNode, Mapping[Term | Triple, None]]


def write_rdfxml(subjects: Mapping[Resource, Properties], output: BinaryIO, prefixes: Mapping[str, str]) -> None:
    """Write triples as RDF/XML.

    Args:
        subjects: the objects of each subject by predicate.
        output: a binary stream.
        prefixes: preferred prefixes of predicates' namespaces.

    Raises:
        OutputNotWritable: a predicate is not an XML name, a literal has a character that XML forbids, or there is
            a quoted triple or a text direction.
    """
    names = _Names(prefixes)
    for properties in subjects.values():
        for predicate in properties:
            names.learn(predicate)
    nodes = _NodeIds()
    output.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF')
    for namespace, prefix in names.prefixes.items():
        output.write(f'\n    xmlns:{prefix}="{namespace.translate(_ATTRIBUTE)}"'.encode())
    output.write(b">\n")
    for subject, properties in subjects.items():
        output.write(f"  <rdf:Description {_reference(subject, nodes, 'about')}>\n".encode())
        for predicate, objects in properties.items():
            for object_ in objects:
                output.write(f"    {_property(names.known[predicate], object_, nodes)}\n".encode())
        output.write(b"  </rdf:Description>\n")
    output.write(b"</rdf:RDF>\n")


class _Names:
    """XML names of predicates, and their namespaces."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._preferred = {namespace: prefix for prefix, namespace in prefixes.items() if _LOCAL_NAME.match(prefix)}
        self.prefixes: dict[str, str] = {str(RDF): "rdf"}
        self.known: dict[NamedNode, str] = {}

    def learn(self, predicate: NamedNode) -> None:
        """Split a predicate into a namespace and the longest local part that is an XML name."""
        if predicate in self.known:
            return
        iri = predicate.value
        if predicate in _SYNTAX_TERMS:
            raise OutputNotWritable("RDF/XML reserves the name of this predicate", iri, _OTHER_SYNTAX)
        split = self._split(iri)
        if split is None:
            raise OutputNotWritable("RDF/XML cannot write this predicate as an XML name", iri, _OTHER_SYNTAX)
        namespace, local = iri[:split], iri[split:]
        prefix = self.prefixes.get(namespace)
        if prefix is None:
            prefix = self.prefixes[namespace] = self._new_prefix(namespace)
        self.known[predicate] = f"{prefix}:{local}"

    def _split(self, iri: str) -> int | None:
        after_delimiter = max(iri.rfind(delimiter) for delimiter in "#/:") + 1
        if iri[:after_delimiter] in self._preferred and _LOCAL_NAME.match(iri, after_delimiter):
            return after_delimiter
        return next((start for start in range(1, len(iri)) if _LOCAL_NAME.match(iri, start)), None)

    def _new_prefix(self, namespace: str) -> str:
        wanted = self._preferred.get(namespace, "")
        taken = set(self.prefixes.values())
        if wanted and wanted not in taken and not wanted.lower().startswith("xml"):
            return wanted
        number = 1
        while f"ns{number}" in taken:
            number += 1
        return f"ns{number}"


class _NodeIds:
    """XML names of blank nodes."""

    def __init__(self) -> None:
        self._ids: dict[BlankNode, str] = {}

    def of(self, node: BlankNode) -> str:
        return self._ids.setdefault(node, f"b{len(self._ids)}")


def _reference(resource: Resource, nodes: _NodeIds, attribute: str) -> str:
    if isinstance(resource, BlankNode):
        return f'rdf:nodeID="{nodes.of(resource)}"'
    return f'rdf:{attribute}="{_checked(resource.value).translate(_ATTRIBUTE)}"'


def _property(name: str, object_: Term | Triple, nodes: _NodeIds) -> str:
    if isinstance(object_, Triple):
        raise OutputNotWritable("RDF/XML has no quoted triples", "", "write Turtle or N-Quads")
    if not isinstance(object_, Literal):
        return f"<{name} {_reference(object_, nodes, 'resource')}/>"
    if object_.direction is not None:
        raise OutputNotWritable("RDF/XML has no text direction", _beginning(object_), _OTHER_SYNTAX)
    attribute = ""
    if object_.language is not None:
        attribute = f' xml:lang="{object_.language}"'
    elif object_.datatype != XSD.string:
        attribute = f' rdf:datatype="{_checked(object_.datatype.value).translate(_ATTRIBUTE)}"'
    return f"<{name}{attribute}>{_checked(object_.value).translate(_TEXT)}</{name}>"


def _checked(text: str) -> str:
    found = _NOT_IN_XML.search(text)
    if found is None:
        return text
    raise OutputNotWritable(
        f"XML has no character U+{ord(found[0]):04X}, which is in this text", text[:40], _OTHER_SYNTAX
    )


def _beginning(literal: Literal) -> str:
    return literal.value[:40]
