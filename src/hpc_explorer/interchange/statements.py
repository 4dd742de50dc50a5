"""Statements about one resource at a time, as the readers of other formats make them.

A `Node` collects the statements of a resource in the default graph. Values that a reader does not understand are kept
as the source's own JSON (`hpc:notUnderstood`) and counted in `Findings`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, PROV, PROVLAKE, QUDT, RDF, RDFS, UNIT, XSD, Namespace
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, Literal, NamedNode, Quad, Resource, Term

WORKFLOW_RUN = Namespace("https://w3id.org/ro/terms/workflow-run#")
"""The terms of Workflow Run RO-Crate, which has the checksums by algorithm."""

LONGEST_VALUE = 1024 * 1024
"""A longer value, in characters, is not read: it is reported as missing."""

_DEFAULT = DefaultGraph()
_RDF_JSON = RDF.JSON


@dataclass
class Findings:
    """The remarks of a reader.

    Attributes:
        not_understood: how often each kind of value was not understood; the values are kept in the graph.
        skipped: how often each kind of record was not read, because it is no provenance.
        missing: what could not be read, one line each: what and where.
        notes: remarks for the user, one sentence each.
        prefixes: prefixes that the source declares.
        ends: where reading ended, in bytes, of each file that may still grow.
    """

    not_understood: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    missing: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    prefixes: dict[str, str] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)

    def lost(self, what: str, where: object) -> None:
        """Report something that could not be read."""
        self.missing.append(f"{what}: {where}")

    def duration(self, name: str, seconds: Any, where: object) -> Any:
        """The seconds that a job took; None, and a report, if they are negative, as a clock that was set back makes."""
        if isinstance(seconds, (int, float)) and seconds < 0:
            self.lost(f"{name} took {seconds:,.6g} s, which cannot be", where)
            return None
        return seconds


class Node:
    """The statements about one resource; iterating gives them as quads."""

    def __init__(self, resource: NamedNode, *classes: NamedNode, graph: GraphName = _DEFAULT) -> None:
        self.resource = resource
        self._graph = graph
        self._quads: dict[Quad, None] = {}
        for cls in classes:
            self.link(RDF.type, cls)

    def __iter__(self) -> Iterator[Quad]:
        return iter(self._quads)

    def add(self, predicate: NamedNode, value: Term) -> Node:
        """Add a statement."""
        self._quads[Quad(self.resource, predicate, value, self._graph)] = None
        return self

    def link(self, predicate: NamedNode, *targets: Resource | None) -> Node:
        """Add links; None is skipped."""
        for target in targets:
            if target is not None:
                self.add(predicate, target)
        return self

    def text(self, predicate: NamedNode, *texts: object) -> Node:
        """Add plain texts; None and empty ones are skipped."""
        for text in texts:
            if text not in (None, ""):
                self.add(predicate, Literal(str(text)))
        return self

    def label(self, text: object) -> Node:
        """Add a label."""
        return self.text(RDFS.label, text)

    def value(self, value: Any, predicate: NamedNode = PROV.value) -> Node:
        """Add a JSON value with the datatype that fits it."""
        if value is not None:
            self.add(predicate, literal_of(value))
        return self

    def time(self, predicate: NamedNode, moment: datetime | None) -> Node:
        """Add a time; None is skipped."""
        if moment is not None:
            self.add(predicate, Literal(xsd_time(moment), datatype=XSD.dateTime))
        return self

    def seconds(self, predicate: NamedNode, amount: Any) -> Node:
        """Add a duration in seconds as a quantity (QUDT)."""
        if isinstance(amount, (int, float)) and not isinstance(amount, bool) and math.isfinite(amount):
            node = BlankNode()
            self.add(predicate, node)
            for inner, term in (
                (RDF.type, QUDT.QuantityValue),
                (QUDT.numericValue, literal_of(amount)),
                (QUDT.unit, UNIT.SEC),
            ):
                self._quads[Quad(node, inner, term, self._graph)] = None
        return self

    def bytes(self, size: Any) -> Node:
        """Add a size in bytes."""
        if isinstance(size, (int, str)) and not isinstance(size, bool) and str(size).isdecimal():
            self.add(DCAT.byteSize, Literal(str(size), datatype=XSD.nonNegativeInteger))
        return self

    def checksum(self, algorithm: str, digest: Any) -> Node:
        """Add a checksum in hexadecimal (md5, sha1, sha256, sha512)."""
        name = algorithm.lower().replace("-", "")
        if name in ("md5", "sha1", "sha256", "sha512") and isinstance(digest, str) and digest:
            self.add(WORKFLOW_RUN.term(name), Literal(digest.lower()))
        return self

    def keep(self, kind: str, rest: Mapping[str, Any], findings: Findings) -> Node:
        """Keep fields that were not understood as JSON, and count them.

        Fields that are too long together are kept in several objects; one that is too long by itself is reported.

        Args:
            kind: what the fields belong to, for the count.
        """
        kept: dict[str, Any] = {}
        size = 0
        for key in sorted(rest):
            value = rest[key]
            if value in (None, "", [], {}):
                continue
            length = len(_json({key: value}))
            if length > LONGEST_VALUE:
                findings.lost(too_long(f"{kind}, {key}", length), self.resource.value)
                continue
            if size + length > LONGEST_VALUE:
                self.add(HPC.notUnderstood, Literal(_json(kept), datatype=_RDF_JSON))
                kept, size = {}, 0
            kept[key] = value
            size += length
            findings.not_understood[f"{kind}: {key}"] += 1
        if kept:
            self.add(HPC.notUnderstood, Literal(_json(kept), datatype=_RDF_JSON))
        return self


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def too_long(what: str, size: int) -> str:
    """The report of a value that is too long."""
    return f"{what} has {size:,} characters, and at most {LONGEST_VALUE:,} are read"


def attribute(owner: Resource, iri: NamedNode, key: str, value: Any, cls: NamedNode = PROVLAKE.AttributeValue) -> Node:
    """A named value of something: a parameter, a metric, a tag. Its identity is its owner and key, not its value."""
    return Node(iri, cls).label(key).value(value).link(PROVLAKE.isCharacteristicOf, owner)


def local_file(iri: NamedNode, name: str, size: Any = None) -> Node:
    """A file that a job used or generated."""
    return Node(iri, PROV.Entity, HPC.File).label(name).bytes(size)


def part(base: str, *words: object) -> NamedNode:
    """The IRI of something below another: `part("urn:run:1", "metric", "loss")` is `urn:run:1/metric/loss`.

    A base that ends in `#`, `/` or `:` is used as it is.
    """
    start = base if base.endswith(("#", "/", ":")) else f"{base}/"
    return NamedNode(start + "/".join(quote(str(word), safe="~:@!$'()*,;=") for word in words))


def file_iri(place: str, folder: Path | None = None) -> NamedNode:
    """The IRI of a file named by a path or an address; a relative path is below `folder`."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.\-]+:", place):
        return NamedNode(quote(place, safe="%/:?#[]@!$&'()*+,;=~"))
    path = Path(place)
    if not path.is_absolute() and folder is not None:
        path = folder / path
    return NamedNode("file://" + quote(path.as_posix(), safe="/~:@!$&'()*+,;="))


def literal_of(value: Any) -> Literal:
    """A JSON value as a literal: numbers and booleans keep their type, objects and arrays stay JSON."""
    if isinstance(value, bool):
        return Literal("true" if value else "false", datatype=XSD.boolean)
    if isinstance(value, int):
        return Literal(str(value), datatype=XSD.integer)
    if isinstance(value, float):
        if math.isfinite(value):
            return Literal(repr(value), datatype=XSD.double)
        return Literal("NaN" if math.isnan(value) else "INF" if value > 0 else "-INF", datatype=XSD.double)
    if isinstance(value, (dict, list)):
        return Literal(json.dumps(value, sort_keys=True, ensure_ascii=False, default=str), datatype=_RDF_JSON)
    return Literal(str(value))


def number_of(text: str) -> int | float | str:
    """The number that a text spells; the text itself if it spells none, or spells it in another way than usual."""
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,17})", text):
        return int(text)
    if re.fullmatch(r"-?\d+\.\d+(?:[eE][+-]?\d+)?|-?\d+[eE][+-]?\d+", text):
        return float(text)
    return text


def moment_of(value: Any) -> datetime | None:
    """A time given in ISO 8601, or as seconds, milliseconds or nanoseconds since 1970; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        # Seconds reach 10^11 in the year 5138, milliseconds had it in 1973.
        seconds = float(value)
        while abs(seconds) >= 1e11:
            seconds /= 1000
        try:
            return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        except (OverflowError, ValueError):
            return None
    text = str(value).strip()
    text = re.sub(r"(\.\d{6})\d+", r"\1", text)
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def xsd_time(moment: datetime) -> str:
    """A time as xsd:dateTime."""
    return moment.isoformat().replace("+00:00", "Z")


def job(iri: NamedNode, label: object, started: datetime | None = None, ended: datetime | None = None) -> Node:
    """A job, task or run: an activity and an experiment."""
    node = Node(iri, PROV.Activity, HPC.Experiment).label(label)
    return node.time(PROV.startedAtTime, started).time(PROV.endedAtTime, ended)


def identified(node: Node, identifier: object) -> Node:
    """Add the identifier that the source uses."""
    return node.text(DCTERMS.identifier, identifier)
