"""Export runs and their provenance in the formats of other programs, and read the result back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from hpc_explorer.errors import ExplorerError, OutputNotWritable, UsageError
from hpc_explorer.interchange.crate import METADATA_NAME
from hpc_explorer.interchange.mlflow.writing import mlflow_files
from hpc_explorer.interchange.openlineage.reading import read_openlineage
from hpc_explorer.interchange.openlineage.writing import openlineage_events
from hpc_explorer.interchange.prov.from_statements import records_of
from hpc_explorer.interchange.prov.prov_json import prov_json, read_prov_json
from hpc_explorer.interchange.prov.prov_n import prov_n, read_prov_n
from hpc_explorer.interchange.run_crate import run_crate
from hpc_explorer.interchange.statements import Findings
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.reading import read_bytes
from hpc_explorer.rdf.terms import BlankNode, Quad
from hpc_explorer.wording import counted

_MOST_STATEMENTS = 2_000_000
"""The most statements of one export: they are sorted in memory."""


@dataclass(frozen=True)
class ProvenanceDocument:
    """A document that is ready to be written.

    Args:
        text: its text; of several files, the most important one.
        files: several files by their paths; empty if it is one.
        told: its contents and what is missing, one sentence each.
        read_back: a sentence about reading it back.
    """

    text: str
    files: Mapping[str, str] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    read_back: str = ""


def provenance_document(
    kind: str, quads: Iterable[Quad], prefixes: PrefixMap, now: datetime | None = None
) -> ProvenanceDocument:
    """Statements in the format of another program.

    Args:
        kind: as `export --as` calls it.
        now: the time of the export; None for the clock.

    Raises:
        UsageError: there are too many statements, or none that the format can express.
        OutputNotWritable: the result cannot be read back.
    """
    some: list[Quad] = []
    for quad in quads:
        some.append(quad)
        if len(some) > _MOST_STATEMENTS:
            words = f"more than {_MOST_STATEMENTS:,} statements"
            raise UsageError(words, f"--as {kind}", "export a part: some resources, a class or a lineage")
    moment = datetime.now(UTC) if now is None else now
    made = _MAKERS[kind](some, prefixes, moment)
    if not made.text.strip():
        raise UsageError("nothing here is a run", f"--as {kind}", "export it as RDF")
    return made


def _prov(
    write: Callable[..., str], read: Callable[..., Iterable[Quad]]
) -> Callable[[list[Quad], PrefixMap, datetime], ProvenanceDocument]:
    def make(quads: list[Quad], prefixes: PrefixMap, now: datetime) -> ProvenanceDocument:
        found = records_of(quads)
        text = write(found.records, {prefix: namespace for prefix, namespace in prefixes.items() if prefix})
        told = []
        if found.left_out:
            listed = ", ".join(prefixes.short(one.value) for one, _ in found.left_out.most_common(5))
            told.append(f"{counted(found.left_out.total(), 'statement')} left out, which PROV cannot express: {listed}")
        if found.typed:
            told.append(f"{counted(found.typed, 'resource')} without a class of PROV: written as entities")
        if found.implied:
            told.append(f"{counted(found.implied, 'direct relation')} added, which a qualified one implies")
        again = _read_back(read, text)
        kept = len([quad for quad in quads if not _has_blank(quad) and quad in again])
        plain = len([quad for quad in quads if not _has_blank(quad)])
        missing = plain - kept
        lost = sum(number for _, number in found.left_out.items())
        if missing > lost:
            raise OutputNotWritable("the result reads back differently", "", "report this, please")
        sentence = f"read back: {counted(len(again), 'statement')}"
        return ProvenanceDocument(text if found.records else "", told=tuple(told), read_back=sentence)

    return make


def _read_back(read: Callable[..., Iterable[Quad]], text: str) -> set[Quad]:
    findings = Findings()
    try:
        again = set(read(Document("what was made", data=text.encode()), "http://example.org/", findings))
    except ExplorerError as error:
        raise OutputNotWritable(f"the result cannot be read ({error.what})", "", "report this, please") from None
    if findings.missing:
        raise OutputNotWritable(f"the result is incomplete ({findings.missing[0]})", "", "report this, please")
    return again


def _has_blank(quad: Quad) -> bool:
    return isinstance(quad.subject, BlankNode) or isinstance(quad.object, BlankNode)


def _openlineage(quads: list[Quad], prefixes: PrefixMap, now: datetime) -> ProvenanceDocument:
    events, told = openlineage_events(quads, now)
    text = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
    again = _read_back(read_openlineage, text) if events else set()
    sentence = f"read back: {counted(len(events), 'event')}, {counted(len(again), 'statement')}"
    return ProvenanceDocument(text, told=told, read_back=sentence)


def _mlflow(quads: list[Quad], prefixes: PrefixMap, now: datetime) -> ProvenanceDocument:
    files, told = mlflow_files(quads)
    listed = "".join(f"{path}\n" for path in sorted(files))
    return ProvenanceDocument(listed, files, told, f"{counted(len(files), 'file')} written")


def _run_crate(quads: list[Quad], prefixes: PrefixMap, now: datetime) -> ProvenanceDocument:
    document, told = run_crate(quads, now)
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if not any(entity.get("@type") == "CreateAction" for entity in _entities(document)):
        return ProvenanceDocument("")
    content = read_bytes(text.encode(), name="what was made.jsonld", base="http://example.org/")
    number = sum(1 for _ in content.quads())
    return ProvenanceDocument(text, {METADATA_NAME: text}, told, f"read back: {number:,} statements of JSON-LD")


def _entities(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    return list(document["@graph"])


_MAKERS: Mapping[str, Callable[[list[Quad], PrefixMap, datetime], ProvenanceDocument]] = {
    "prov-json": _prov(prov_json, read_prov_json),
    "prov-n": _prov(prov_n, read_prov_n),
    "openlineage": _openlineage,
    "mlflow": _mlflow,
    "run-crate": _run_crate,
}
