"""A spool as a source: its records become statements when it is opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from hpc_explorer.capture.spool import MAGIC, NotASpool, Record, read_spool, spool_files
from hpc_explorer.interchange.capture.statements import ProvMlStatements, UnknownRecord
from hpc_explorer.interchange.statements import Findings
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.formats import N_TRIPLES
from hpc_explorer.rdf.syntax.reading import read_as_written
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.wording import counted

INCOMPLETE = "the last record is incomplete"
"""Why the end of a spool file was not read: the process was killed, or is still writing."""

_PART = 4 << 20


def is_spool(path: Path | None, head: bytes) -> bool:
    """Whether a path is a spool folder or a spool file.

    Args:
        head: the first bytes of a file; empty for a folder.
    """
    if path is None:
        return False
    if path.is_dir():
        try:
            return bool(spool_files(path))
        except OSError:
            return False
    return head.startswith(MAGIC)


def read_spool_source(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a spool folder or file."""
    assert document.path is not None
    path = document.path
    statements = ProvMlStatements()
    for file in spool_files(path) if path.is_dir() else [path]:
        try:
            yield from _read_file(file, statements, findings)
        except NotASpool as error:
            findings.lost(str(error), file)
        except OSError as error:
            findings.lost(f"cannot be read ({error.strerror})", file)
    for why, number in statements.lost.items():
        findings.lost(f"{counted(number, 'record')} not written by the recorder", why)


def spool_quads(
    statements: ProvMlStatements, records: Iterable[Record], unknown: Counter[str] | None = None
) -> Iterator[Quad]:
    """The statements of records, in the default graph.

    Args:
        unknown: counts the records that are not understood.
    """
    texts: list[str] = []
    for record in records:
        try:
            texts.append(statements.of(record))
        except UnknownRecord as error:
            if unknown is not None:
                unknown[str(error)] += 1
    if data := "".join(texts):
        yield from read_as_written(data.encode(), N_TRIPLES)


def _read_file(file: Path, statements: ProvMlStatements, findings: Findings) -> Iterator[Quad]:
    start = 0
    unknown: Counter[str] = Counter()
    while True:
        part = read_spool(file, start, _PART)
        yield from spool_quads(statements, part.records, unknown)
        for damage in part.damages:
            if not damage.is_last:
                findings.lost(f"a damaged record at byte {damage.offset:,}", file)
        if part.end == start or not part.records:
            if any(damage.is_last for damage in part.damages):
                findings.lost(INCOMPLETE, file)
            break
        start = part.end
    findings.ends[file.name] = start
    for what, number in unknown.items():
        findings.lost(f"{counted(number, 'record')} not understood ({what})", file)
