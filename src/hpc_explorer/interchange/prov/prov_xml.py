"""PROV-XML (W3C note, 2013), read with the package `prov`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

from hpc_explorer.errors import SourceSyntaxError, SourceUnreadable
from hpc_explorer.interchange.json_values import LARGEST
from hpc_explorer.interchange.prov.records import ELEMENTS, RELATIONS, Record, statements_of
from hpc_explorer.interchange.statements import Findings, literal_of, xsd_time
from hpc_explorer.rdf.namespaces import PROV, XSD
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, Literal, NamedNode, Quad, Term

_NAMES = {
    "Generation": "wasGeneratedBy", "Usage": "used", "Communication": "wasInformedBy", "Start": "wasStartedBy",
    "End": "wasEndedBy", "Invalidation": "wasInvalidatedBy", "Derivation": "wasDerivedFrom",
    "Attribution": "wasAttributedTo", "Association": "wasAssociatedWith", "Delegation": "actedOnBehalfOf",
    "Influence": "wasInfluencedBy", "Alternate": "alternateOf", "Specialization": "specializationOf",
    "Membership": "hadMember", "Mention": "mentionOf", "Entity": "entity", "Activity": "activity", "Agent": "agent",
}  # fmt: skip

_DRAFT = re.compile(rb"<\w+:bundle\s[^>]*[^/]>\s*<\w+:(?:entity|activity|agent|used|was\w+)\s")


def is_prov_xml(text: str) -> bool:
    """Whether the first characters of an XML document declare PROV and begin a PROV document."""
    start = text[:20_000]
    return start.startswith("<") and PROV in start and ("<prov:document" in start or "<document" in start)


def read_prov_xml(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a PROV-XML document; each bundle is a named graph.

    Raises:
        SourceSyntaxError: not well-formed XML, or not PROV-XML.
        SourceUnreadable: it is too large, or declares entities.
    """
    import prov
    from prov.model import ProvDocument

    with document.errors_named(), document.open() as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise SourceUnreadable(f"more than {LARGEST:,} bytes of PROV-XML", document.where, "split the file")
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise SourceUnreadable("PROV-XML with its own entities", document.where, "do not trust this file")
    # Drafts of PROV-XML call the content of a bundle what the note calls a bundle's entity.
    if _DRAFT.search(data):
        data = re.sub(rb"(</?\w+:bundle)(?=[\s>])", rb"\1Content", data)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            content = ProvDocument.deserialize(content=data, format="xml")
    except SyntaxError as error:  # of lxml
        line, column = error.lineno or 1, error.offset or 1
        where = f"{document.where}:{line}:{column}"
        raise SourceSyntaxError(
            str(error.msg or "not well-formed XML").split(",")[0], where, "correct it there"
        ) from None
    except (prov.Error, ValueError, KeyError, AttributeError, TypeError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise SourceSyntaxError(f"not PROV-XML ({reason})", document.where, "correct it there") from None
    for text in dict.fromkeys(" ".join(str(one.message).split()) for one in caught):
        findings.lost(text[:200], document.where)
    for namespace in content.namespaces:
        findings.prefixes[namespace.prefix] = namespace.uri
    yield from _statements(content, DefaultGraph())
    for bundle in content.bundles:
        if bundle.identifier is not None:
            yield from _statements(bundle, NamedNode(bundle.identifier.uri))


def _statements(bundle: Any, graph: GraphName) -> Iterator[Quad]:
    for record in bundle.records:
        kind = _NAMES.get(record.get_type().localpart)
        if kind is None:
            continue
        names = RELATIONS[kind].arguments if kind in RELATIONS else ("startTime", "endTime")
        found = Record(kind, NamedNode(record.identifier.uri) if record.identifier else None, bundle=graph)
        if kind in ELEMENTS and found.id is None:
            found.id = BlankNode()
        for name, value in record.formal_attributes:
            if value is not None and name.localpart in names:
                found.arguments[name.localpart] = _term(value)
        found.attributes = [(NamedNode(name.uri), _term(value)) for name, value in record.extra_attributes]
        yield from statements_of(found)


def _term(value: Any) -> Term:
    from datetime import datetime

    from prov.identifier import Identifier, QualifiedName
    from prov.model import Literal as ProvLiteral

    if isinstance(value, QualifiedName):
        return NamedNode(value.uri)
    if isinstance(value, Identifier):
        return Literal(value.uri, datatype=XSD.anyURI)
    if isinstance(value, ProvLiteral):
        if value.langtag:
            return Literal(value.value, language=value.langtag)
        datatype = value.datatype
        return Literal(str(value.value), datatype=NamedNode(datatype.uri)) if datatype else Literal(str(value.value))
    if isinstance(value, datetime):
        return Literal(xsd_time(value), datatype=XSD.dateTime)
    if isinstance(value, int) and not isinstance(value, bool):
        return Literal(str(value), datatype=XSD.int)  # the package writes integers so
    return literal_of(value)
