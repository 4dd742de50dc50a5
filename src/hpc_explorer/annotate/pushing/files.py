"""Push to a file: its current statements, and its text with some statements removed and others added.

The text is edited in place where possible. The result is read back and compared before it replaces the file. Other
files are rewritten as a whole, which the plan states beforehand.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from hpc_explorer.annotate.pushing.lines import Lines
from hpc_explorer.annotate.pushing.located import LocatedStatements, NotInPlaces
from hpc_explorer.annotate.pushing.turtle import TurtleText
from hpc_explorer.errors import InputError, OutputNotWritable, SourceUnreadable, StoreError, StoreLocked
from hpc_explorer.rdf.aliases import NEEDLES, NO_ALIASES, AliasRecord, Canonicaliser, undo_aliases, undo_prefixes
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.syntax.formats import N_QUADS, N_TRIPLES, TRIG, TURTLE, Format
from hpc_explorer.rdf.syntax.reading import SourceContent, base_of, read_bytes
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset, DefaultGraph, Literal, NamedNode, Quad
from hpc_explorer.stores.local.folder_lock import FolderLock

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class FileNow:
    """The current state of a file.

    Args:
        data: its bytes.
        format: its syntax.
        base: its base IRI.
        quads: its statements in the standard spelling of HPC terms; its triples are in the default graph.
        spelled: the file's own spelling of quads that differ.
        aliases: its spelling of HPC ontology terms.
        prefixes: declared prefixes, with namespaces as spelled.
        located: the positions of its statements; None if the file must be rewritten.
        rewritten: why it must be rewritten, or None.
    """

    path: Path
    data: bytes
    format: Format
    base: str
    quads: Sequence[Quad]
    spelled: dict[Quad, tuple[Quad, ...]]
    aliases: AliasRecord
    prefixes: dict[str, str]
    located: LocatedStatements | None
    rewritten: str | None

    @property
    def checksum(self) -> str:
        """The SHA-256 of the bytes in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()


def why_not(path: Path | None) -> str | None:
    """Why a file cannot be pushed to, and what to do; None if it can."""
    if path is None:
        return "it is not in a file yet: save it as a file"
    if not path.is_file():
        return "the file no longer exists: restore it, or export the workspace to a new file"
    target = Path(os.path.realpath(path))
    if not os.access(target, os.W_OK) or not os.access(target.parent, os.W_OK):
        return "the file is read-only: change its permissions, or export the workspace to a new file"
    with open(path, "rb") as stream:
        if stream.read(len(_GZIP)) == _GZIP:
            return "the file is compressed: decompress it and load the result instead"
    return None


def file_now(path: Path) -> FileNow:
    """Read the current state of a file.

    Raises:
        InputError: it cannot be read or has a syntax error.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceUnreadable(f"the file cannot be read ({error.strerror})", str(path), "try again") from None
    base = base_of(path)
    content = read_bytes(data, name=str(path), base=base)
    read = list(content.quads())
    located: LocatedStatements | None = None
    rewritten: str | None = None
    quads, aliases = read, NO_ALIASES
    spelled: dict[Quad, tuple[Quad, ...]] = {}
    try:
        located = _located(data, content)
        quads = raw = list(located.quads)
        if any(needle in data for needle in NEEDLES):
            canonicaliser = Canonicaliser()
            canonicaliser.survey(raw)
            quads = list(canonicaliser.quads(raw))
            aliases = canonicaliser.record()
            for quad, own in zip(quads, raw, strict=True):
                if quad != own:
                    spelled[quad] = tuple(dict.fromkeys((*spelled.get(quad, ()), own)))
        if not same_statements(quads, read):
            raise NotInPlaces("its statements could not be located")
    except NotInPlaces as reason:
        # The reader records the file's own spelling.
        located, rewritten, quads, spelled, aliases = None, str(reason), read, {}, content.aliases
    prefixes = undo_prefixes(content.prefixes, aliases)
    return FileNow(path, data, content.format, base, quads, spelled, aliases, prefixes, located, rewritten)


def changed_data(now: FileNow, removed: Collection[Quad], added: Collection[Quad], *, rewrite: bool) -> bytes:
    """The bytes of a changed file, verified by reading them back.

    Args:
        removed, added: in the terms of `now.quads`; may contain new blank nodes.
        rewrite: whether the file may be rewritten as a whole.

    Raises:
        NotInPlaces: the file must be rewritten, and `rewrite` is false.
        StoreError: the result differs from the intended statements; nothing is written.
    """
    wanted = [*(quad for quad in dict.fromkeys(now.quads) if quad not in removed), *added]
    reason = now.rewritten
    if now.located is not None:
        own_removed = [own for quad in removed for own in _spellings(now, quad)]
        own_added = list(undo_aliases(_in_order(added), now.aliases))
        try:
            data = _encoded(now, now.located.changed(own_removed, own_added))
            if _says(data, now, wanted):
                return data
            reason = "the change could not be made in place"
        except NotInPlaces as problem:
            reason = str(problem)
    if not rewrite:
        raise NotInPlaces(reason or "")
    output = BytesIO()
    write_quads(undo_aliases(wanted, now.aliases), output, now.format, now.prefixes)
    if not _says(output.getvalue(), now, wanted):
        raise StoreError("the result differs from the intended statements", str(now.path), "please report it")
    return output.getvalue()


def replace_file(now: FileNow, data: bytes) -> None:
    """Replace the bytes of a file atomically, if it has not changed meanwhile.

    Links are followed, and permissions are kept.

    Raises:
        StoreLocked: another program is pushing to the file.
        StoreError: the file changed meanwhile; nothing is written.
        OutputNotWritable: the file cannot be written.
    """
    with _alone(now.path), atomic_output(now.path) as stream:
        stream.write(data)
        # Only the renaming happens between this check and the replacement.
        if not is_still(now):
            raise StoreError("the file changed during the push", str(now.path), "nothing was written: push again")


def is_still(now: FileNow) -> bool:
    """Whether a file is unchanged."""
    try:
        return now.path.read_bytes() == now.data
    except OSError:
        return False


def same_statements(one: Iterable[Quad], other: Iterable[Quad]) -> bool:
    """Whether two sets of statements are isomorphic (RDF 1.1 Concepts, section 4.1)."""
    first, second = set(one), set(other)
    if len(first) != len(second):
        return False
    plain = {quad for quad in first if not _has_blank(quad)}
    if plain != {quad for quad in second if not _has_blank(quad)}:
        return False
    if len(plain) == len(first):
        return True
    return _canonical(first - plain) == _canonical(second - plain)


def _canonical(quads: Iterable[Quad]) -> Dataset:
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset


def _has_blank(quad: Quad) -> bool:
    # Terms other than IRIs and literals may contain blank nodes.
    return not all(isinstance(term, (NamedNode, Literal, DefaultGraph)) for term in quad)


def _located(data: bytes, content: SourceContent) -> LocatedStatements:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotInPlaces("it is not in UTF-8") from None
    if content.format in (N_TRIPLES, N_QUADS):
        return Lines(text)
    if content.format in (TURTLE, TRIG):
        return TurtleText(text, content.base, has_graphs=content.format == TRIG)
    raise NotInPlaces(f"{content.format.name} cannot be edited in place")


def _encoded(now: FileNow, text: str) -> bytes:
    mark = codecs.BOM_UTF8 if now.data.startswith(codecs.BOM_UTF8) else b""
    return mark + text.encode("utf-8")


def _says(data: bytes, now: FileNow, wanted: Collection[Quad]) -> bool:
    """Whether bytes contain exactly these statements."""
    # An empty document has no format and no statements.
    if not wanted or not data.strip():
        return not wanted and now.located is not None
    try:
        return same_statements(read_bytes(data, name=str(now.path), base=now.base).quads(), wanted)
    except InputError:
        return False


def _spellings(now: FileNow, quad: Quad) -> tuple[Quad, ...]:
    return (*now.spelled.get(quad, ()), quad)


def _in_order(quads: Collection[Quad]) -> list[Quad]:
    return sorted(dict.fromkeys(quads), key=lambda quad: (str(quad.graph_name), str(quad.subject)))


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Lock a file against pushes by other processes of this user; editors ignore the lock."""
    name = hashlib.sha256(str(Path(os.path.realpath(path))).encode()).hexdigest()[:32]
    folder = Path(tempfile.gettempdir()) / f"hpc-explorer-{getattr(os, 'getuid', lambda: 0)()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise OutputNotWritable("no lock can be taken", f"{folder} ({error.strerror})", "check TMPDIR") from None
    lock = FolderLock.exclusive(folder / f"push-{name}")
    if lock is None:
        raise StoreLocked("another program is pushing to this file", str(path), "try again")
    try:
        yield
    finally:
        lock.release()
