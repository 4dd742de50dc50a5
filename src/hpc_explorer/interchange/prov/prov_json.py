"""PROV-JSON (W3C member submission, 2013): its records, and a document of records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hpc_explorer.errors import SourceSyntaxError
from hpc_explorer.interchange.json_values import read_json
from hpc_explorer.interchange.prov.records import ELEMENTS, RELATIONS, TIMES, Names, Record, Shortener, statements_of
from hpc_explorer.interchange.statements import Findings, literal_of
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, Literal, NamedNode, Quad, Term

SECTIONS = frozenset({*ELEMENTS, *RELATIONS, "bundle"})
"""The members of a document that hold records."""


def is_prov_json(keys: Mapping[str, frozenset[str]]) -> bool:
    """Whether the keys of an object are those of a PROV-JSON document."""
    return bool(keys) and not SECTIONS.isdisjoint(keys) and set(keys) <= {*SECTIONS, "prefix"}


def read_prov_json(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a PROV-JSON document; each bundle is a named graph."""
    for record in records_of_json(read_json(document, findings), base, document.where, findings):
        yield from statements_of(record)


def records_of_json(content: Any, base: str, where: str, findings: Findings) -> Iterator[Record]:
    """The records of a parsed PROV-JSON document.

    Raises:
        SourceSyntaxError: it is not an object.
    """
    if not isinstance(content, dict):
        raise SourceSyntaxError("a PROV-JSON document is an object", where, "get it again")
    yield from _records(content, Names(base, where, findings), DefaultGraph(), where, findings)


def _records(
    content: Mapping[str, Any], names: Names, graph: GraphName, where: str, findings: Findings
) -> Iterator[Record]:
    prefixes = content.get("prefix")
    for prefix, namespace in prefixes.items() if isinstance(prefixes, dict) else ():
        names.declare(prefix, namespace)
    for kind, members in content.items():
        if kind == "prefix":
            continue
        if not isinstance(members, dict):
            findings.lost(f"{kind} is not an object", where)
            continue
        if kind == "bundle":
            for name, inner in members.items():
                if isinstance(inner, dict):
                    own = Names("", where, findings, outer=names)
                    iri = names.iri(name)
                    yield from _records(inner, own, iri, where, findings)
        elif kind in ELEMENTS or kind in RELATIONS:
            for name, fields in members.items():
                for one in fields if isinstance(fields, list) else [fields]:
                    if isinstance(one, dict):
                        yield from _record(kind, name, one, names, graph)
                    else:
                        findings.lost("a record that is not an object", f"{where}: {kind} {name}")
        else:
            findings.not_understood[f"document: {kind}"] += 1
            findings.lost(f"unknown kind of record {kind}", where)


def _record(kind: str, name: str, fields: Mapping[str, Any], names: Names, graph: GraphName) -> Iterator[Record]:
    record = Record(kind, names.resource(name), bundle=graph)
    formal = (
        {"startTime", "endTime"}
        if kind == "activity"
        else set(RELATIONS[kind].arguments)
        if kind in RELATIONS
        else set()
    )
    members: list[Term] = []
    for key, value in fields.items():
        word = key.removeprefix("prov:")
        # Some writers use PROV-O's names of the times.
        word = {"startedAtTime": "startTime", "endedAtTime": "endTime"}.get(word, word)
        if key.startswith("prov:") and word in formal:
            for one in value if isinstance(value, list) else [value]:
                term = _time(one) if word in TIMES else names.resource(_text(one))
                if word in record.arguments:
                    members.append(term)
                else:
                    record.arguments[word] = term
        else:
            for one in value if isinstance(value, list) else [value]:
                if one is not None:
                    record.attributes.append((names.iri(key), _value(one, names)))
    yield record
    # A membership may name several members (PROV-JSON, section 3.4.3).
    for member in members:
        effect, cause = RELATIONS[kind].arguments[:2]
        if effect in record.arguments:
            yield Record(kind, None, {effect: record.arguments[effect], cause: member}, bundle=graph)


def _text(value: Any) -> str:
    return str(value.get("$", "")) if isinstance(value, dict) else str(value)


def _time(value: Any) -> Literal:
    return Literal(_text(value), datatype=XSD.dateTime)


def _value(value: Any, names: Names) -> Term:
    if isinstance(value, dict) and "$" in value:
        inner = value["$"]
        text = inner if isinstance(inner, str) else json.dumps(inner)
        return names.literal(text, value.get("type"), value.get("lang"))
    return literal_of(value)


# --- writing


def prov_json(records: Iterable[Record], prefixes: Mapping[str, str]) -> str:
    """A PROV-JSON document of records."""
    short = Shortener(prefixes)
    document: dict[str, Any] = {}
    blanks: dict[BlankNode, str] = {}
    number = 0
    for record in records:
        section = document
        if isinstance(record.bundle, NamedNode):
            section = document.setdefault("bundle", {}).setdefault(short.name(record.bundle.value), {})
        if isinstance(record.id, NamedNode):
            name = short.name(record.id.value)
        elif record.id is not None:
            name = blanks.setdefault(record.id, f"_:b{len(blanks)}")
        else:
            number += 1
            name = f"_:r{number}"
        fields: dict[str, Any] = {}
        for word, term in record.arguments.items():
            fields[f"prov:{word}"] = term.value if isinstance(term, Literal) else _name(term, short, blanks)
        for attribute, term in record.attributes:
            fields.setdefault(short.name(attribute.value), []).append(_written(term, short, blanks))
        for key, values in fields.items():
            if isinstance(values, list) and len(values) == 1:
                fields[key] = values[0]
        own = section.setdefault(record.kind, {})
        if name in own:
            own[name] = [*(own[name] if isinstance(own[name], list) else [own[name]]), fields]
        else:
            own[name] = fields
    whole = {"prefix": short.prefixes, **document}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _name(term: Term, short: Shortener, blanks: dict[BlankNode, str]) -> str:
    if isinstance(term, BlankNode):
        return blanks.setdefault(term, f"_:b{len(blanks)}")
    return short.name(str(term.value))


def _written(term: Term, short: Shortener, blanks: dict[BlankNode, str]) -> Any:
    if not isinstance(term, Literal):
        return {"$": _name(term, short, blanks), "type": "prov:QUALIFIED_NAME"}
    if term.language:
        return {"$": term.value, "type": "prov:InternationalizedString", "lang": term.language}
    if term.datatype == XSD.string:
        return term.value
    return {"$": term.value, "type": short.name(term.datatype.value)}
