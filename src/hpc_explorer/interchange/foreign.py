"""Recognise what other programs recorded, by content, and read it as statements.

`recognise` looks at a file or folder. The content it gives has the same surface as `rdf.syntax.reading.SourceContent`,
so that a source opens and loads in the same way whatever it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hpc_explorer.errors import InputError
from hpc_explorer.interchange.capture.reading import is_spool, read_spool_source
from hpc_explorer.interchange.capture.streams import StreamAddress, read_stream
from hpc_explorer.interchange.crates import is_cwlprov, is_zipped_crate, read_cwlprov, read_zipped_crate
from hpc_explorer.interchange.event_logs import is_tensorboard, is_wandb, read_tensorboard, read_wandb
from hpc_explorer.interchange.job_tables import is_flowbench, is_sacct, read_flowbench, read_sacct
from hpc_explorer.interchange.json_values import read_json
from hpc_explorer.interchange.mlflow.reading import fits_mlflow, read_mlflow
from hpc_explorer.interchange.openlineage.reading import is_event, is_facet, is_folder_of_events, read_openlineage
from hpc_explorer.interchange.pegasus import is_kickstart, is_pegasus_folder, read_pegasus
from hpc_explorer.interchange.pipelines import DVC_FILES, SNAKEMAKE, is_dvc, is_snakemake, read_dvc, read_snakemake
from hpc_explorer.interchange.prov.prov_json import is_prov_json, read_prov_json, records_of_json
from hpc_explorer.interchange.prov.prov_n import is_prov_n, read_prov_n
from hpc_explorer.interchange.prov.prov_xml import is_prov_xml, read_prov_xml
from hpc_explorer.interchange.prov.records import statements_of
from hpc_explorer.interchange.stampede import is_stampede, read_stampede
from hpc_explorer.interchange.statements import Findings
from hpc_explorer.interchange.task_messages import is_flowcept, is_provlake, read_flowcept, read_provlake
from hpc_explorer.interchange.wfformat import read_wfformat
from hpc_explorer.rdf.aliases import NO_ALIASES, AliasRecord
from hpc_explorer.rdf.namespaces import HPC, PROV, PROVML, RDF
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad

_ROLES: Mapping[str, NamedNode] = {
    "provml:HyperParameter": PROVML.LearningHyperparameterValue,
    "provml:Metric": PROVML.ModelEvaluation,
    "provml:Dataset": PROVML.LearningDataset,
    "provml:Model": PROVML.Model,
    "provml:ModelVersion": PROVML.Model,
}


def is_yprov(keys: Mapping[str, frozenset[str]], text: str) -> bool:
    """Whether a document is PROV-JSON by yProv4ML."""
    return is_prov_json(keys) and "HPCI-Lab/yProv4ML" in text


def read_yprov(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a document of yProv4ML, with PROV-ML's classes beside PROV's.

    It is PROV-JSON whose types are texts, and whose names have no namespace.
    """
    for record in records_of_json(read_json(document, findings), base, document.where, findings):
        yield from statements_of(record)
        if record.id is None:
            continue
        if record.kind == "activity":
            yield Quad(record.id, RDF.type, HPC.Experiment, record.bundle)
        for name, term in record.attributes:
            if name == PROV.type and isinstance(term, Literal) and term.value in _ROLES:
                yield Quad(record.id, RDF.type, _ROLES[term.value], record.bundle)


_MOST_LISTED = 5


@dataclass(frozen=True)
class ForeignFormat:
    """A format that is read and not written back.

    Args:
        name: as its project calls it.
        fits: whether a document is in this format.
        read: the statements of a document, with the IRI that names are made from.
    """

    name: str
    fits: Callable[[Look], bool]
    read: Callable[[Document, str, Findings], Iterator[Quad]]

    def __str__(self) -> str:
        return self.name


class Look:
    """A first look at a file or folder."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.path = document.path
        self.is_folder = document.path is not None and document.path.is_dir()

    @property
    def folder(self) -> Path:
        """The path of a folder."""
        assert self.path is not None
        return self.path

    @cached_property
    def head(self) -> bytes:
        """The first bytes of a file, unpacked; empty for a folder."""
        if self.is_folder:
            return b""
        with self.document.errors_named():
            return self.document.head()

    @cached_property
    def text(self) -> str:
        """The first characters of a file."""
        return self.head.decode("utf-8", errors="replace").lstrip("\ufeff \t\r\n")

    @cached_property
    def keys(self) -> dict[str, frozenset[str]]:
        """The keys of a JSON object, or of the first object in an array or line, each with the keys of its object.

        Empty for JSON-LD and for anything else.
        """
        if not self.text.startswith(("{", "[")) or _JSON_LD.search(self.text):
            return {}
        return _keys(self.text)

    def has(self, *names: str) -> bool:
        """Whether the JSON object has all these keys."""
        return all(name in self.keys for name in names)


_JSON_LD = re.compile(r'"@(?:context|graph|id|type|value)"\s*:')
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[\[\]{}]', re.DOTALL)


def _keys(text: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    depth, offset, last = 0, 0, ""
    for token in _WORD.finditer(text):
        sign = token[0][0]
        if sign == "[" and depth == 0:
            offset = 1
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
            if depth <= offset and (depth < offset or offset):
                break  # the first object of the array is over
        elif token[2]:
            if depth == offset + 1:
                last = _unescaped(token[1])
                found.setdefault(last, set())
            elif depth == offset + 2:
                found[last].add(_unescaped(token[1])) if last in found else None
    return {key: frozenset(inner) for key, inner in found.items()}


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


class ForeignContent:
    """A recognised document, and its statements.

    Attributes:
        where: its name in errors.
        format: its format.
        notes: remarks for the user, one sentence each.
        missing: what could not be read, one line each.
        ends: where reading ended, in bytes, by the name of each file that may still grow.

    The last three are complete when the quads have been read to their end.
    """

    is_plain = False

    def __init__(self, format: ForeignFormat, document: Document, base: str) -> None:
        self.format = format
        self.where = document.where
        self.base = base
        self.prefixes: dict[str, str] = {}
        self.aliases: AliasRecord = NO_ALIASES
        self.notes: list[str] = []
        self.missing: tuple[str, ...] = ()
        self.ends: dict[str, int] = {}
        self._document = document

    def quads(self) -> Iterator[Quad]:
        """The quads, streamed; those in the default graph belong to the source's own graph.

        Raises:
            InputError: the document cannot be read.
        """
        findings = Findings()
        yield from self.format.read(self._document, self.base, findings)
        self.prefixes = findings.prefixes
        self.missing = tuple(findings.missing)
        self.ends = findings.ends
        self.notes = [*findings.notes, *_not_understood(findings)]


def _not_understood(findings: Findings) -> Iterator[str]:
    for counts, words in (
        (findings.not_understood, "not understood and kept as JSON"),
        (findings.skipped, "of another kind not read"),
    ):
        if counts:
            listed = ", ".join(f"{kind} ({number:,})" for kind, number in counts.most_common(_MOST_LISTED))
            more = f" and {len(counts) - _MOST_LISTED} more kinds" if len(counts) > _MOST_LISTED else ""
            values = "value" if counts.total() == 1 else "values"
            yield f"{counts.total():,} {values} {words}: {listed}{more}"


def _fits_openlineage(look: Look) -> bool:
    if look.is_folder:
        # A folder of events is one source; one file of events is a source by itself.
        if not is_folder_of_events(look.folder):
            return False
        first = min(path for path in look.folder.iterdir() if path.is_file() and not path.name.startswith("."))
        return _fits_openlineage(Look(Document(str(first), path=first)))
    return is_event(look.keys, look.text) or is_facet(look.keys, look.text)


FOREIGN_FORMATS: tuple[ForeignFormat, ...] = (
    ForeignFormat("capture spool", lambda look: is_spool(look.path, look.head), read_spool_source),
    ForeignFormat("CWLProv", lambda look: look.is_folder and is_cwlprov(look.folder), read_cwlprov),
    ForeignFormat("RO-Crate", lambda look: is_zipped_crate(look.document, look.head), read_zipped_crate),
    ForeignFormat("yProv4ML", lambda look: is_yprov(look.keys, look.text), read_yprov),
    ForeignFormat("PROV-JSON", lambda look: is_prov_json(look.keys), read_prov_json),
    ForeignFormat("PROV-N", lambda look: is_prov_n(look.text), read_prov_n),
    ForeignFormat("PROV-XML", lambda look: is_prov_xml(look.text), read_prov_xml),
    ForeignFormat("MLflow", lambda look: fits_mlflow(look.path, look.head), read_mlflow),
    ForeignFormat(
        "WfFormat",
        lambda look: (
            look.has("workflow", "schemaVersion")
            and not look.keys["workflow"].isdisjoint({"specification", "execution", "tasks"})
        ),
        read_wfformat,
    ),
    ForeignFormat("Flowcept", lambda look: is_flowcept(look.keys), read_flowcept),
    ForeignFormat("ProvLake", lambda look: is_provlake(look.keys), read_provlake),
    ForeignFormat("DVC", lambda look: is_dvc(look.path, look.text), read_dvc),
    ForeignFormat("Snakemake", lambda look: look.is_folder and is_snakemake(look.folder), read_snakemake),
    ForeignFormat("Weights & Biases", lambda look: is_wandb(look.head), read_wandb),
    ForeignFormat("TensorBoard", lambda look: is_tensorboard(look.document.where, look.head), read_tensorboard),
    ForeignFormat(
        "Pegasus",
        lambda look: is_pegasus_folder(look.folder) if look.is_folder else is_kickstart(look.text),
        read_pegasus,
    ),
    ForeignFormat("STAMPEDE", lambda look: is_stampede(look.path, look.head), read_stampede),
    ForeignFormat("Flow-Bench", lambda look: is_flowbench(look.text), read_flowbench),
    ForeignFormat("sacct", lambda look: is_sacct(look.text), read_sacct),
    ForeignFormat("OpenLineage", _fits_openlineage, read_openlineage),
)
"""The formats, in the order in which they are tried."""


def stream_content(address: StreamAddress) -> ForeignContent:
    """The records of a stream, which is no document and so is not among `FOREIGN_FORMATS`."""
    stream = ForeignFormat(
        "capture stream", lambda look: False, lambda document, base, findings: read_stream(address, findings)
    )
    return ForeignContent(stream, Document(address.iri, data=b""), address.iri)


def recognise(document: Document) -> ForeignFormat | None:
    """The format of a document, file or folder; None if it is none of these.

    Raises:
        SourceUnreadable: a file cannot be read.
    """
    path = document.path
    if path is not None and not path.is_file() and not path.is_dir():
        return None
    look = Look(document)
    return next((format for format in FOREIGN_FORMATS if format.fits(look)), None)


def places_in(folder: Path) -> tuple[Path, ...]:
    """The files and folders directly in a folder that another program recorded something in."""
    found = [path for path in sorted(folder.iterdir()) if _is_candidate(path) and _is_recognised(path)]
    # DVC's lock file is read with its pipeline; what Snakemake remembers is in a hidden folder.
    if folder / DVC_FILES[0] in found and folder / DVC_FILES[1] in found:
        found.remove(folder / DVC_FILES[1])
    if (folder / SNAKEMAKE).is_dir() and any((folder / SNAKEMAKE).iterdir()):
        found.append(folder / SNAKEMAKE)
    return tuple(found)


def _is_recognised(path: Path) -> bool:
    try:
        return recognise(Document(str(path), path=path)) is not None
    except InputError:
        return False  # a file that may not be read is not a source


def _is_candidate(path: Path) -> bool:
    if path.name.startswith("."):
        return False
    if path.is_dir():
        return True
    name = path.name.lower().removesuffix(".gz")
    return path.is_file() and (name.endswith(_ENDINGS) or name in DVC_FILES or "tfevents" in name)


_ENDINGS = (
    ".csv",
    ".json",
    ".jsonl",
    ".ndjson",
    ".db",
    ".sqlite",
    ".sqlite3",
    ".xml",
    ".provx",
    ".provn",
    ".spool",
    ".zip",
    ".wandb",
)
"""The endings of names of files that are looked at in a folder; a file that is named by itself is always looked at."""


def format_named(name: str) -> ForeignFormat | None:
    """The format with this name."""
    return next((format for format in FOREIGN_FORMATS if format.name == name), None)
