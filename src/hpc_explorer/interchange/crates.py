"""Read research objects: CWLProv folders, zipped RO-Crates, which files of a crate are missing, and which other crates
it refers to.

A crate's metadata is JSON-LD and is read as that. CWLProv states the same provenance in several syntaxes; one is read.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

from hpc_explorer.errors import SourceSyntaxError, SourceUnreadable
from hpc_explorer.interchange.json_values import text_of, up_to_last_record
from hpc_explorer.interchange.prov.prov_json import read_prov_json
from hpc_explorer.interchange.prov.prov_n import read_prov_n
from hpc_explorer.interchange.prov.prov_xml import read_prov_xml
from hpc_explorer.interchange.statements import Findings, Node
from hpc_explorer.rdf.aliases import AliasRecord
from hpc_explorer.rdf.namespaces import DCTERMS, RDF, SCHEMA, SCHEMAS
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.reading import SourceContent, read_bytes, read_source
from hpc_explorer.rdf.terms import NamedNode, Quad

METADATA = "ro-crate-metadata.json"
_PROVENANCE = Path("metadata") / "provenance"
_READERS = {".json": read_prov_json, ".provn": read_prov_n, ".xml": read_prov_xml}
_RDF = (".ttl", ".nt", ".jsonld")
_SHA1 = re.compile(r"urn:hash::sha1:([0-9a-f]{40})")
_FILE = frozenset({SCHEMA.MediaObject, SCHEMAS.MediaObject})
_AROUND_ENTITY = 2  # brackets: of the document, and of its graph
_CRATE = "https://w3id.org/ro/crate"
_DESCRIBED_BY = frozenset({SCHEMA.subjectOf, SCHEMAS.subjectOf})
_MOST_NAMED = 10
_LARGEST_METADATA = 64 * 1024 * 1024
_ZIP = b"PK\x03\x04"


# --- CWLProv


def is_cwlprov(folder: Path) -> bool:
    """Whether a folder is a CWLProv research object."""
    return any((folder / _PROVENANCE).glob("*.cwlprov.*"))


def read_cwlprov(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a CWLProv research object: each run in the first syntax found."""
    assert document.path is not None
    folder = document.path
    runs: dict[str, dict[str, Path]] = {}
    for path in sorted((folder / _PROVENANCE).glob("*.cwlprov.*")):
        runs.setdefault(path.name.partition(".cwlprov.")[0], {})[path.suffix] = path
    hashes: dict[NamedNode, str] = {}
    for found in runs.values():
        for quad in _run(found, base, findings):
            for term in (quad.subject, quad.object):
                if isinstance(term, NamedNode) and (digest := _SHA1.fullmatch(term.value)):
                    hashes[term] = digest[1]
            yield quad
    missing = []
    for term, text in hashes.items():
        yield from Node(term).checksum("sha1", text)
        if not (folder / "data" / text[:2] / text).is_file():
            missing.append(text)
    if missing:
        findings.lost(f"{len(missing):,} of {len(hashes):,} files of data are missing, such as {missing[0]}", folder)


def _run(found: dict[str, Path], base: str, findings: Findings) -> Iterator[Quad]:
    for ending, read in _READERS.items():
        if ending in found:
            yield from read(Document(str(found[ending]), path=found[ending]), base, findings)
            return
    for ending in _RDF:
        if ending in found:
            content = read_source(found[ending])
            yield from content.quads()
            findings.prefixes.update(content.prefixes)
            return


# --- RO-Crate


def is_zipped_crate(document: Document, head: bytes) -> bool:
    """Whether a file is a ZIP archive with the metadata of a crate."""
    if not head.startswith(_ZIP) or document.path is None:
        return False
    try:
        with zipfile.ZipFile(document.path) as archive:
            return _metadata_in(archive) is not None
    except (OSError, zipfile.BadZipFile, NotImplementedError):
        return False


def _metadata_in(archive: zipfile.ZipFile) -> str | None:
    """The metadata file that is nearest to the top."""
    names = [name for name in archive.namelist() if name.rsplit("/", 1)[-1] == METADATA]
    return min(names, key=lambda name: (name.count("/"), name), default=None)


def read_zipped_crate(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a zipped crate; its files are named below the archive's address.

    Raises:
        SourceUnreadable: the metadata cannot be unpacked, or is too large.
    """
    assert document.path is not None
    try:
        with zipfile.ZipFile(document.path) as archive:
            name = _metadata_in(archive) or METADATA
            with archive.open(name) as stream:
                data = stream.read(_LARGEST_METADATA + 1)
            inside = set(archive.namelist())
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise SourceUnreadable(f"the archive cannot be unpacked ({error})", document.where, "get it again") from None
    if len(data) > _LARGEST_METADATA:
        raise SourceUnreadable(f"more than {_LARGEST_METADATA:,} bytes of metadata", document.where, "unpack it")
    root = f"{base}/{name.removesuffix(METADATA)}"
    content = read_bytes(data, name=f"{document.where}/{name}.jsonld", base=root + METADATA)
    files = CrateFiles(root)
    for quad in content.quads():
        files.look(quad)
        yield quad
    findings.prefixes.update(content.prefixes)
    findings.notes += [*content.notes, *files.referenced()]
    folder = name.removesuffix(METADATA)
    findings.missing += files.missing(lambda place: f"{folder}{place}" in inside, document.where)


class CrateFiles:
    """The files that a crate's metadata names below its folder, and the other crates that it refers to.

    Args:
        root: the address of the folder, with a `/` at its end.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._named: dict[str, None] = {}
        self._crates: dict[str, None] = {}
        self._descriptions: dict[str, str] = {}

    def look(self, quad: Quad) -> None:
        """Note the file or the other crate that a statement declares, if it is one."""
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
            subject, value = quad.subject.value, quad.object.value
            if quad.predicate in _DESCRIBED_BY:
                self._descriptions[subject] = value
            elif quad.predicate == DCTERMS.conformsTo and f"{value}/".startswith(f"{_CRATE}/"):
                self._crates[subject] = None
        if quad.predicate == RDF.type and quad.object in _FILE and isinstance(quad.subject, NamedNode):
            text = quad.subject.value
            if text.startswith(self._root) and "#" not in text:
                self._named[unquote(text[len(self._root) :])] = None

    def referenced(self) -> list[str]:
        """A line about each crate that this one refers to by its address, and how to open it. None is fetched.

        A referenced crate conforms to RO-Crate; `subjectOf` has the address of its metadata (RO-Crate 1.2, Referenced
        RO-Crates).
        """
        described = {self._descriptions[crate] for crate in self._crates if crate in self._descriptions}
        crates = [
            crate
            for crate in self._crates
            if crate.startswith(("http://", "https://")) and not crate.startswith(self._root) and crate not in described
        ]
        lines = [
            f"refers to the crate {crate}, which is not fetched: to read it too, open the address "
            f"{self._descriptions.get(crate, crate)}"
            for crate in crates[:_MOST_NAMED]
        ]
        more = len(crates) - _MOST_NAMED
        return [*lines, f"refers to {more:,} more crates"] if more > 0 else lines

    def missing(self, exists: Callable[[str], bool], where: object) -> list[str]:
        """One line about the files that do not exist; none if all do."""
        gone = [place for place in self._named if not exists(place)]
        if not gone:
            return []
        return [f"{len(gone):,} of {len(self._named):,} files of the crate are missing, such as {gone[0]}: {where}"]


class CrateContent:
    """The metadata of a crate in a folder, which also says which of its files are missing, and names referenced crates.

    Its attributes are those of `SourceContent`.
    """

    is_plain = False

    def __init__(self, metadata: SourceContent, folder: Path) -> None:
        self.format = metadata.format
        self.where = metadata.where
        self.missing: tuple[str, ...] = ()
        self._metadata = metadata
        self._folder = folder
        self._referenced: list[str] = []

    @property
    def prefixes(self) -> dict[str, str]:
        """See `SourceContent`."""
        return self._metadata.prefixes

    @property
    def aliases(self) -> AliasRecord:
        """See `SourceContent`."""
        return self._metadata.aliases

    @property
    def notes(self) -> list[str]:
        """See `SourceContent`."""
        return [*self._metadata.notes, *self._referenced]

    def quads(self) -> Iterator[Quad]:
        """See `SourceContent`."""
        files = CrateFiles(f"{self._folder.absolute().as_uri()}/")
        try:
            for quad in self._metadata.quads():  # JSON is read as a whole, so a syntax error comes before the first
                files.look(quad)
                yield quad
            cut = []
        except SourceSyntaxError as error:
            whole = None if "end of file" not in error.what else self._up_to_cut()
            if whole is None:
                raise
            self._metadata = whole
            for quad in whole.quads():
                files.look(quad)
                yield quad
            cut = [f"cut short, read up to the last whole record: {error.where}"]
        self._referenced = files.referenced()
        self.missing = (*cut, *files.missing(lambda place: (self._folder / place).exists(), self._folder))

    def _up_to_cut(self) -> SourceContent | None:
        """The metadata up to its last whole entity; None without a context or an entity."""
        document = Document(self.where, path=self._folder / METADATA)
        text = up_to_last_record(text_of(document), _AROUND_ENTITY)
        try:
            names = set(json.loads(text or "null") or ())
        except (ValueError, RecursionError, TypeError):
            return None
        if text is None or not {"@context", "@graph"} <= names:
            return None
        return read_bytes(
            text.encode(),
            name=self.where,
            base=self._metadata.base,
            allow_remote_contexts=self._metadata.allows_remote_contexts,
        )
