"""Export as RO-Crate, MLCommons Croissant or schema.org.

`prepare` builds the document and lists missing data; `write` writes it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import Enum
from pathlib import Path
from typing import Any

from hpc_explorer.annotate.tables.mapping import TableMapping
from hpc_explorer.app.export.crate_files import add_to_store, write_crate_files
from hpc_explorer.app.export.exporting import Extent, chosen_quads, chosen_resources
from hpc_explorer.app.export.provenance import provenance_document
from hpc_explorer.app.workspace.local_files import LocalFolders, folders_of
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import OutputNotWritable, UsageError
from hpc_explorer.interchange.crate import (
    GRAPH_NAME,
    METADATA_NAME,
    PREVIEW_NAME,
    VERSIONS,
    crate_metadata,
    preview_page,
    safe_place,
)
from hpc_explorer.interchange.croissant import croissant
from hpc_explorer.interchange.schema_org import html_snippet, schema_org
from hpc_explorer.interchange.thing_reading import read_things
from hpc_explorer.interchange.things import Column, DataFile, Lack, LocalCopy, Thing
from hpc_explorer.rdf.quantities import unit_of
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.syntax.formats import JSON_LD, TURTLE
from hpc_explorer.rdf.syntax.reading import read_bytes
from hpc_explorer.rdf.syntax.writing import text_read_back
from hpc_explorer.rdf.terms import Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.wording import counted

_CHUNK = 1 << 20
_MOST_THINGS = 2_000


class Target(Enum):
    """A form of export; the value is its name on the command line."""

    RO_CRATE = "ro-crate"
    CROISSANT = "croissant"
    SCHEMA_ORG = "schema-org"
    PROV_JSON = "prov-json"
    PROV_N = "prov-n"
    RUN_CRATE = "run-crate"
    OPENLINEAGE = "openlineage"
    MLFLOW = "mlflow"

    @property
    def title(self) -> str:
        """The name for people."""
        return _TITLES[self.value]

    @property
    def is_provenance(self) -> bool:
        """Whether it exports the runs of any statements instead of chosen resources."""
        return self not in (Target.RO_CRATE, Target.CROISSANT, Target.SCHEMA_ORG)

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of files."""
        return self in (Target.RO_CRATE, Target.RUN_CRATE, Target.MLFLOW)


_TITLES = {
    "ro-crate": "RO-Crate",
    "croissant": "Croissant",
    "schema-org": "schema.org",
    "prov-json": "PROV-JSON",
    "prov-n": "PROV-N",
    "run-crate": "Run Crate",
    "openlineage": "OpenLineage",
    "mlflow": "MLflow",
}


@dataclass(frozen=True)
class Prepared:
    """A document that is ready to be written.

    Args:
        document: the JSON-LD.
        lacks: missing data, required first.
        told: notes, one sentence each.
        texts, files: the other contents of a crate, by path.
        here: local files that can be put into a crate.
        refused: local paths in the graph that must not be read.
        body: the text of a document that is not JSON-LD; None for JSON-LD.
        read_back: for such a text, a sentence about reading it back.
    """

    target: Target
    document: Mapping[str, Any]
    lacks: tuple[Lack, ...]
    told: tuple[str, ...] = ()
    texts: Mapping[str, str] | None = None
    files: Mapping[str, Path] | None = None
    here: tuple[Path, ...] = ()
    refused: tuple[str, ...] = ()
    body: str | None = None
    read_back: str = ""

    @property
    def is_valid(self) -> bool:
        """Whether no required data is missing."""
        return not any(lack.is_required for lack in self.lacks)

    @property
    def text(self) -> str:
        """The text of the document."""
        if self.body is not None:
            return self.body
        return json.dumps(self.document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def prepare(
    session: Session,
    target: Target,
    extent: Extent,
    *,
    mapping: TableMapping | None = None,
    crate_version: str = VERSIONS[0],
    copy_files: bool | frozenset[Path] = False,
    now: date | None = None,
    quads: Iterable[Quad] | None = None,
    limits: Limits = NO_LIMITS,
) -> Prepared:
    """Build the document of an extent, and find missing data.

    Args:
        quads: for a format of provenance, the statements in place of those of the extent.
        mapping: describes the columns of the dataset's table.
        crate_version: of RO-Crate.
        copy_files: the local files for the crate: True for all that may be read, False for none.
        now: the publication date; None for today.

    Raises:
        UsageError: the extent is everything, or too large for the target.
        UnknownResource: a class has no instances.
        OutputNotWritable: the graph of the crate reads back differently.
    """
    if target.is_provenance:
        chosen = chosen_quads(session, extent, limits=limits).quads if quads is None else quads
        made = provenance_document(target.value, chosen, session.prefixes)
        return Prepared(target, {}, (), made.told, texts=made.files, body=made.text, read_back=made.read_back)
    if extent.is_everything:
        raise UsageError(f"{target.title} describes chosen resources", "", "choose a resource or a class")
    resources = chosen_resources(session, extent, limits=limits)
    if target is Target.CROISSANT and len(resources) > 1:
        raise UsageError(
            "Croissant describes one dataset", f"{len(resources):,} resources are chosen", "choose one of them"
        )
    if len(resources) > _MOST_THINGS:
        raise UsageError(
            f"{len(resources):,} resources are too many for {target.title}", "", "choose fewer, or write RDF"
        )
    files = _Files(folders_of(session), limits)
    things = read_things(
        session.store,
        session.schema(limits=limits),
        resources,
        local=files.look,
        columns=[] if mapping is None else columns_of(mapping),
        limits=limits,
    )
    if target is Target.RO_CRATE:
        prepared = _crate(session, things, extent, files, crate_version, copy_files, now, limits)
    elif target is Target.CROISSANT:
        prepared = Prepared(target, *croissant(things[0]))
    else:
        prepared = _schema_org(things)
    lacks = sorted((*prepared.lacks, *files.lacks), key=lambda lack: not lack.is_required)
    return replace(prepared, lacks=tuple(dict.fromkeys(lacks)))


def columns_of(mapping: TableMapping) -> list[Column]:
    """The columns that a mapping describes."""
    found = []
    for name, rules in mapping.columns.items():
        for rule in rules[:1]:
            unit = "" if rule.unit is None else unit_of(rule.unit).symbol
            found.append(Column(name, rule.datatype, rule.property, "", unit))
    return found


def _schema_org(things: tuple[Thing, ...]) -> Prepared:
    made = [schema_org(thing) for thing in things]
    lacks: list[Lack] = []
    for thing, (_, missing) in zip(things, made, strict=True):
        of = f"{thing.name}: " if len(things) > 1 else ""
        lacks += [replace(lack, sentence=of + lack.sentence) for lack in missing]
    if len(made) == 1:
        return Prepared(Target.SCHEMA_ORG, made[0][0], tuple(lacks))
    nodes = [{word: value for word, value in node.items() if word != "@context"} for node, _ in made]
    document = {"@context": made[0][0]["@context"], "@graph": nodes}
    return Prepared(Target.SCHEMA_ORG, document, tuple(lacks))


def _crate(
    session: Session,
    things: tuple[Thing, ...],
    extent: Extent,
    files: _Files,
    version: str,
    copy_files: bool | frozenset[Path],
    now: date | None,
    limits: Limits,
) -> Prepared:
    taken: set[str] = set()
    places = {
        resource: safe_place(path.name, taken)
        for resource, path in files.found.items()
        if copy_files is True or (copy_files is not False and path in copy_files)
    }
    chosen = chosen_quads(session, replace(extent, depth=extent.depth or 0), limits=limits)
    graph, found = text_read_back(chosen.quads, TURTLE, chosen.prefixes)
    document, lacks = crate_metadata(
        things,
        version=version,
        now=now or datetime.now(UTC).date(),
        statements=found.statements,
        copied=places,
    )
    told = [f"{GRAPH_NAME}: {chosen.sentence}", f"{GRAPH_NAME}: {found.sentence}"]
    told += [f"on this computer, and not included: {path}" for key, path in files.found.items() if key not in places]
    return Prepared(
        Target.RO_CRATE,
        document,
        lacks,
        tuple(told),
        texts={GRAPH_NAME: graph, PREVIEW_NAME: preview_page(document)},
        files={place: files.found[resource] for resource, place in places.items()},
        here=tuple(dict.fromkeys(files.found.values())),
        refused=tuple(dict.fromkeys(files.refused)),
    )


def write(prepared: Prepared, path: Path, *, limits: Limits = NO_LIMITS) -> str:
    """Write a document: a crate as folder or .zip, others as JSON-LD; schema.org also as .html.

    Returns:
        A sentence about reading the JSON-LD back.

    Raises:
        OutputNotWritable: the file cannot be written, or the document is invalid; an existing file is kept.
        UsageError: .html is only for schema.org.
    """
    if prepared.target.is_provenance:
        return _write_provenance(prepared, path, limits)
    found = read_again(prepared)
    is_page = path.suffix.lower() in (".html", ".htm")
    if prepared.target is Target.RO_CRATE:
        texts = {METADATA_NAME: prepared.text, **(prepared.texts or {})}
        write_crate_files(path, texts, prepared.files or {}, lambda: limits.check("writing the crate"))
        return found
    if is_page and prepared.target is not Target.SCHEMA_ORG:
        raise UsageError(f"{prepared.target.title} is JSON", str(path), "end the name in .json or .jsonld")
    with atomic_output(path) as stream:
        stream.write((html_snippet(dict(prepared.document)) if is_page else prepared.text).encode())
    return found


def _write_provenance(prepared: Prepared, path: Path, limits: Limits) -> str:
    if prepared.target is Target.RUN_CRATE:
        write_crate_files(path, prepared.texts or {}, {}, lambda: limits.check("writing the crate"))
    elif prepared.target is Target.MLFLOW:
        added, known = add_to_store(path, prepared.texts or {}, lambda: limits.check("writing the store"))
        here = f"; {counted(known, 'run')} already there" if known else ""
        return f"{counted(added, 'run')} added{here}"
    else:
        with atomic_output(path) as stream:
            stream.write(prepared.text.encode())
    return prepared.read_back


def read_again(prepared: Prepared) -> str:
    """Parse the document as JSON-LD and describe the result in a sentence.

    Raises:
        OutputNotWritable: the document is invalid or has no statements.
    """
    from hpc_explorer.errors import InputError

    if prepared.target.is_provenance:
        return prepared.read_back
    content = read_bytes(prepared.text.encode(), name="what was made.jsonld", base="http://example.org/")
    try:
        number = sum(1 for _ in content.quads())
    except InputError as error:
        raise OutputNotWritable(f"the result is not valid JSON-LD ({error.what})", "", "report this, please") from None
    if not number or content.format != JSON_LD:
        raise OutputNotWritable("the result has no statements as JSON-LD", "", "report this, please")
    return f"read back: {number:,} statements of JSON-LD"


class _Files:
    """The local files of the described resources.

    Attributes:
        found: paths by resource.
        refused: local paths that must not be read.
        lacks: problems with files.
    """

    def __init__(self, folders: LocalFolders, limits: Limits) -> None:
        self._folders = folders
        self.found: dict[Resource, Path] = {}
        self.refused: list[str] = []
        self.lacks: list[Lack] = []
        self._limits = limits

    def look(self, file: DataFile) -> LocalCopy | None:
        """The size and digest of a local file; None if there is none, or its checksum differs."""
        places = (*file.urls, getattr(file.resource, "value", ""))
        for place in places:
            path = self._folders.file(place)
            if path is None:
                self.refused += [place] if self._folders.refuses(place) else []
                continue
            try:
                sha256, md5, size = self._digests(path)
            except (OSError, ValueError):
                continue  # an unreadable file counts as missing
            if (file.sha256 and file.sha256 != sha256) or (file.md5 and file.md5 != md5):
                said = f"{path} differs from the recorded file: the checksums do not match"
                self.lacks.append(Lack("contentUrl", False, said))
                return None
            self.found[file.resource] = path
            return LocalCopy(size, sha256)
        return None

    def _digests(self, path: Path) -> tuple[str, str, int]:
        sha256, md5 = hashlib.sha256(), hashlib.md5(usedforsecurity=False)
        size = 0
        with open(path, "rb") as stream:
            while chunk := stream.read(_CHUNK):
                self._limits.check("the checksum")
                size += len(chunk)
                sha256.update(chunk)
                md5.update(chunk)
        return sha256.hexdigest(), md5.hexdigest(), size
