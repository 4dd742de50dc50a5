"""Find the files that a name refers to: a sample graph, a file, or all graphs in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.errors import InvalidIri, SourceNotFound, SourceUnreadable, Unsupported, UnsupportedSyntax
from hpc_explorer.rdf.syntax.formats import format_of_name
from hpc_explorer.rdf.syntax.reading import SourceContent, read_bytes, read_source
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import SAMPLE, shipped_folder
from hpc_explorer.stores.remote.web import WebDocument, is_web_address


@dataclass(frozen=True)
class SourceFile:
    """A document to load: its displayed name, its path, and the graph for its default graph."""

    name: str
    path: Path | None
    graph: NamedNode
    web: WebDocument | None = None

    @property
    def on_disk(self) -> Path:
        """Its path.

        Raises:
            Unsupported: it is a document on the web.
        """
        if self.path is None:
            raise Unsupported("this document is on the web", self.name, "download it, and give the file")
        return self.path

    def content(self, allow_remote_contexts: bool) -> SourceContent:
        """Its content, with the recognised format."""
        if self.web is not None:
            return read_bytes(
                self.web.data,
                name=self.web.address,
                base=self.web.base,
                media_type=self.web.media_type or None,
                allow_remote_contexts=allow_remote_contexts,
            )
        return read_source(self.on_disk, allow_remote_contexts=allow_remote_contexts)


def graph_of_address(address: str) -> NamedNode:
    try:
        return NamedNode(address)
    except ValueError:
        raise InvalidIri("not a valid web address", address, "write special characters as %XX") from None


def source_files(name: str) -> Iterator[SourceFile]:
    """The files on disk that a name refers to.

    Raises:
        SourceNotFound: there is no such file or folder, or no graph in it.
        SourceUnreadable: the folder cannot be read.
        Unsupported, UnsupportedSyntax: it is an address.
    """
    if name.startswith(SAMPLE):
        yield _sample(name)
        return
    if is_web_address(name):
        raise Unsupported("only files are loaded into a workspace", name, "download the document, and load the file")
    if "://" in name:
        raise UnsupportedSyntax("only http and https addresses can be opened", name, "download it and open the file")
    path = Path(name)
    if path.is_dir():
        yield from _files_in(path)
        return
    if not path.exists():
        raise SourceNotFound("no such file or folder", name, "check the path")
    yield SourceFile(name, path, NamedNode(path.resolve().as_uri()))


def _files_in(folder: Path) -> Iterator[SourceFile]:
    """The graphs in a folder and its subfolders, without hidden ones."""
    try:
        inside = sorted(
            path
            for path in folder.rglob("*")
            if path.is_file()
            and _holds_a_graph(path)
            and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        )
    except OSError as error:
        raise SourceUnreadable(
            "the folder cannot be read", f"{folder} ({error.strerror})", "check its permissions"
        ) from None
    if not inside:
        raise SourceNotFound(
            "no graph in this folder", str(folder), "it needs files such as .ttl, .nt, .nq, .trig, .rdf, .owl, .jsonld"
        )
    for path in inside:
        yield SourceFile(str(path), path, NamedNode(path.resolve().as_uri()))


def _holds_a_graph(path: Path) -> bool:
    """Whether a file is a graph, by its name; `.json` and `.xml` usually are not, except a crate's metadata file."""
    if path.name == "ro-crate-metadata.json":
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
        ("fugaku", "The supercomputer Fugaku and its quantities, as in the Top500 list"),
        ("xplacer-before", "A dataset in a public repository, before it was made FAIR: 9 of 47 points"),
        ("xplacer-after", "The same dataset after it: a DOI, a record, a licence, linked data: 39 of 47 points"),
        ("campaign-fair", "How FAIR two datasets of the campaign were found to be: results, to be asked about"),
    )
