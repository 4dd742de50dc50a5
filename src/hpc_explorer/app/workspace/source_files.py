"""Find the files that a name refers to: a sample graph, a file, or all graphs and recorded runs in a folder."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from hpc_explorer.errors import (
    InvalidIri,
    SourceNotFound,
    SourceUnreadable,
    UnknownFormat,
    Unsupported,
    UnsupportedSyntax,
)
from hpc_explorer.interchange.capture.streams import StreamAddress, is_stream_address, stream_address
from hpc_explorer.interchange.crates import METADATA, CrateContent
from hpc_explorer.interchange.foreign import ForeignContent, places_in, recognise, stream_content
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.rdf.syntax.formats import N_TRIPLES, format_of_name
from hpc_explorer.rdf.syntax.reading import SourceContent, base_of, read_bytes, read_source
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import SAMPLE, shipped_folder
from hpc_explorer.stores.changes.manifest import LoadedSource
from hpc_explorer.stores.remote.web import WebDocument, is_web_address

Content: TypeAlias = SourceContent | ForeignContent | CrateContent
"""A recognised source."""

_MOST_NAMED = 3


@dataclass(frozen=True)
class SourceFile:
    """A source to load: its displayed name, its file or folder, and the graph for its default graph.

    Args:
        web: a document that was downloaded.
        stream: a stream of a broker, which programs record into.
    """

    name: str
    path: Path | None
    graph: NamedNode
    web: WebDocument | None = None
    stream: StreamAddress | None = None

    @property
    def on_disk(self) -> Path:
        """Its path.

        Raises:
            Unsupported: it is a document on the web, or a stream.
        """
        if self.stream is not None:
            raise Unsupported(
                "a stream is collected into a workspace",
                self.name,
                "hpc-explorer collect --broker SERVER --stream NAME",
            )
        if self.path is None:
            raise Unsupported("this document is on the web", self.name, "download it, and give the file")
        return self.path

    def content(self, allow_remote_contexts: bool, *, skip_damaged: bool = False) -> Content:
        """Its content, with the recognised format; RDF without its damaged statements if `skip_damaged`."""
        if self.stream is not None:
            return stream_content(self.stream)
        if self.web is not None:
            document = Document(self.web.address, data=self.web.data)
            if (foreign := recognise(document)) is not None:
                return ForeignContent(foreign, document, self.web.base)
            return read_bytes(
                self.web.data,
                name=self.web.address,
                base=self.web.base,
                media_type=self.web.media_type or None,
                allow_remote_contexts=allow_remote_contexts,
                skip_damaged=skip_damaged,
            )
        path = self.on_disk
        document = Document(str(path), path=path)
        if (foreign := recognise(document)) is not None:
            return ForeignContent(foreign, document, base_of(path))
        content = read_source(path, allow_remote_contexts=allow_remote_contexts, skip_damaged=skip_damaged)
        return CrateContent(content, path.parent) if path.name == METADATA else content


def without_triples(content: Content, where: str) -> UnknownFormat:
    """The error for a source without a single triple, and why it has none."""
    why = "; ".join(content.missing[:_MOST_NAMED])
    return UnknownFormat(
        f"a {content.format.name} file without a single triple{f' ({why})' if why else ''}", where, "choose another"
    )


@dataclass(frozen=True)
class FileState:
    """The size of a file or folder in bytes, and when it was last modified, in nanoseconds since 1970."""

    size: int
    mtime_ns: int


def state_of(path: Path) -> FileState:
    """The state of a file, or of all files in a folder together.

    Raises:
        SourceNotFound, SourceUnreadable: it cannot be read.
    """
    try:
        if not path.is_dir():
            found = path.stat()
            return FileState(found.st_size, found.st_mtime_ns)
        states = [file.stat() for file in _all_files(path)]
        newest = max((state.st_mtime_ns for state in states), default=path.stat().st_mtime_ns)
        return FileState(sum(state.st_size for state in states), newest)
    except OSError as error:
        raise input_error(error, path) from None


def checksum_of(path: Path) -> str:
    """The SHA-256 of a file; of a folder, that of the names, sizes and times of its files.

    Raises:
        OSError: it cannot be read to its end.
    """
    if not path.is_dir():
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    digest = hashlib.sha256()
    for file in _all_files(path):
        state = file.stat()
        digest.update(f"{file.relative_to(path)}\0{state.st_size}\0{state.st_mtime_ns}\n".encode(errors="replace"))
    return digest.hexdigest()


def unchanged_lines(source: LoadedSource) -> Path | None:
    """The N-Triples file of a source, if unchanged; without blank nodes it states what the store has, read faster."""
    if source.format != N_TRIPLES.name or source.path is None:
        return None
    try:
        now = source.path.stat()
    except OSError:
        return None
    return source.path if (now.st_size, now.st_mtime_ns) == (source.size, source.mtime_ns) else None


def _all_files(folder: Path) -> list[Path]:
    return sorted(Path(parent) / name for parent, _, names in os.walk(folder) for name in names)


def is_address(name: str) -> bool:
    """Whether the name of a source is an address, and not a path or a sample."""
    return is_web_address(name) or is_stream_address(name)


def graph_of_address(address: str) -> NamedNode:
    try:
        return NamedNode(address)
    except ValueError:
        raise InvalidIri("not a valid web address", address, "write special characters as %XX") from None


def source_files(name: str) -> Iterator[SourceFile]:
    """The files on disk, or the stream, that a name refers to.

    Raises:
        SourceNotFound: there is no such file or folder, or no graph in it.
        SourceUnreadable: the folder cannot be read.
        Unsupported, UnsupportedSyntax: it is another address.
        UsageError: it is not the address of a stream.
    """
    if is_stream_address(name):
        stream = stream_address(name)
        yield SourceFile(stream.iri, None, graph_of_address(stream.iri), stream=stream)
        return
    if name.startswith(SAMPLE):
        yield _sample(name)
        return
    if is_web_address(name):
        raise Unsupported("only files are loaded into a workspace", name, "download the document, and load the file")
    if "://" in name:
        raise UnsupportedSyntax(
            "only http, https and redis addresses can be opened", name, "download it and open the file"
        )
    path = Path(name)
    if path.is_dir():
        if recognise(Document(str(path), path=path)) is not None:
            yield SourceFile(name, path, NamedNode(path.resolve().as_uri()))
            return
        yield from _files_in(path)
        return
    if not path.exists():
        raise SourceNotFound("no such file or folder", name, "check the path")
    yield SourceFile(name, path, NamedNode(path.resolve().as_uri()))


def _files_in(folder: Path) -> Iterator[SourceFile]:
    """The graphs and recorded runs in a folder and its subfolders, without hidden ones."""
    inside: list[Path] = []

    def failed(error: OSError) -> None:
        where = f"{folder} ({error.strerror})"
        raise SourceUnreadable("the folder cannot be read", where, "check its permissions") from None

    for parent, folders, names in os.walk(folder, onerror=failed):
        here = Path(parent)
        places = places_in(here)
        inside += places
        # What was recorded in a folder as a whole is one source.
        folders[:] = sorted(name for name in folders if not name.startswith(".") and here / name not in places)
        visible = (here / name for name in sorted(names) if not name.startswith("."))
        inside += (path for path in visible if path not in places and path.is_file() and _holds_a_graph(path))
    if not inside:
        raise SourceNotFound(
            "no graph in this folder",
            str(folder),
            "it needs files such as .ttl, .nt, .nq, .trig, .rdf, .owl, .jsonld, or recorded runs such as mlruns",
        )
    for path in sorted(inside):
        yield SourceFile(str(path), path, NamedNode(path.resolve().as_uri()))


def _holds_a_graph(path: Path) -> bool:
    """Whether a file is a graph, by its name; `.json` and `.xml` usually are not, except a crate's metadata file."""
    if path.name == METADATA:
        return True
    names = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    return bool(names) and names[-1] not in (".json", ".xml") and format_of_name(path) is not None


def _sample(name: str) -> SourceFile:
    story = name.removeprefix(SAMPLE)
    known = [known for known, _ in sample_names()]
    if story not in known:
        raise SourceNotFound("no such sample", name, f"the samples are {', '.join(known)}")
    path = shipped_folder("sample_graphs") / f"{story}.ttl"
    return SourceFile(name, path, NamedNode(f"urn:hpc-explorer:sample:{story}"))


def sample_names() -> tuple[tuple[str, str], ...]:
    """The shipped sample graphs: name and description."""
    return (
        ("xplacer", "Two models that place data on GPUs, back to the profiler logs they were trained on"),
        ("seismic", "A salt-body classifier through curation, data preparation and training (PROV-ML)"),
        ("npb", "A workflow that maps OpenCL kernels of the NAS benchmarks to AMD GPUs"),
        ("nsf", "Datasets of NSF projects for predicting performance"),
        ("campaign", "A season of training runs: what they cost, which failed, and what may be reused"),
        ("sns", "Four runs of a molecular dynamics workflow, one with a slow disk, and its measurements"),
        ("fugaku", "The supercomputer Fugaku and its quantities, as in the Top500 list"),
        ("xplacer-before", "A dataset in a public repository, before it was made FAIR: 9 of 47 points"),
        ("xplacer-after", "The same dataset after it: a DOI, a record, a licence, linked data: 39 of 47 points"),
        ("campaign-fair", "How FAIR two datasets of the campaign were found to be: results, to be asked about"),
    )
