"""A file as the target of a push: what it says now, and the same file with some statements out and others in.

Where the text can be changed in places it is; the result is read again and compared with what was meant before it takes
the place of the file. What cannot be changed in places is written anew as a whole, which the plan says beforehand.
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
    """A file as it is now.

    Args:
        data: its bytes.
        format: its syntax.
        base: what its relative IRIs are relative to.
        quads: what it says, as it is read (HPC terms in their one spelling); its own triples in the default graph.
        spelled: how it spells the quads that it spells otherwise.
        aliases: how it spells the terms of the HPC ontology.
        prefixes: those it declares, with namespaces as it spells them.
        located: where its statements stand; None where it is written anew as a whole.
        rewritten: why; None where it need not be.
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
        """The SHA-256 of its bytes, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()


def why_not(path: Path | None) -> str | None:
    """Why a file cannot be pushed to, and what to do; None if it can."""
    if path is None:
        return "it is in no file yet: export it to one"
    if not path.is_file():
        return "the file is not there any more: bring it back, or export the workspace to a new one"
    target = Path(os.path.realpath(path))
    if not os.access(target, os.W_OK) or not os.access(target.parent, os.W_OK):
        return "the file may only be read: change its permissions, or export the workspace to a new one"
    with open(path, "rb") as stream:
        if stream.read(len(_GZIP)) == _GZIP:
            return "the file is packed with gzip: unpack it, and load the unpacked file in its place"
    return None


def file_now(path: Path) -> FileNow:
    """What a file says now.

    Raises:
        InputError: it cannot be read, or breaks its syntax.
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
            raise NotInPlaces("its statements are not understood one by one")
    except NotInPlaces as reason:
        # The file's own spelling of what was read otherwise is in the record of the reading.
        located, rewritten, quads, spelled, aliases = None, str(reason), read, {}, content.aliases
    prefixes = undo_prefixes(content.prefixes, aliases)
    return FileNow(path, data, content.format, base, quads, spelled, aliases, prefixes, located, rewritten)


def changed_data(now: FileNow, removed: Collection[Quad], added: Collection[Quad], *, rewrite: bool) -> bytes:
    """The bytes of a file with some statements out and others in, checked by reading them.

    Args:
        removed, added: in the terms of `now.quads`; new blank nodes may be among them.
        rewrite: whether it may be written anew as a whole.

    Raises:
        NotInPlaces: it can only be written anew as a whole, and may not.
        StoreError: what came out does not say what was meant; a defect, by which nothing is written.
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
            reason = "the change could not be made in places"
        except NotInPlaces as problem:
            reason = str(problem)
    if not rewrite:
        raise NotInPlaces(reason or "")
    output = BytesIO()
    write_quads(undo_aliases(wanted, now.aliases), output, now.format, now.prefixes)
    if not _says(output.getvalue(), now, wanted):
        raise StoreError("what would be written does not say what was meant", str(now.path), "please report it")
    return output.getvalue()


def replace_file(now: FileNow, data: bytes) -> None:
    """Have a file hold new bytes, whole or not at all, if it is still what it was.

    A link is followed, and permissions are kept.

    Raises:
        StoreLocked: another program pushes to it just now.
        StoreError: it was changed meanwhile; nothing is written.
        OutputNotWritable: it cannot be written.
    """
    with _alone(now.path), atomic_output(now.path) as stream:
        stream.write(data)
        # Between this look and the file's replacing there is no more than the renaming.
        if not is_still(now):
            raise StoreError(
                "the file was changed while it was pushed to", str(now.path), "nothing was written: push again"
            )


def is_still(now: FileNow) -> bool:
    """Whether a file is what it was when it was looked at."""
    try:
        return now.path.read_bytes() == now.data
    except OSError:
        return False


def same_statements(one: Iterable[Quad], other: Iterable[Quad]) -> bool:
    """Whether two readings state the same, blank nodes renamed or not (RDF 1.1 Concepts, section 4.1)."""
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
    # Anything that is neither a name nor a literal may hold a blank node.
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
    raise NotInPlaces(f"{content.format.name} is not changed in places")


def _encoded(now: FileNow, text: str) -> bytes:
    mark = codecs.BOM_UTF8 if now.data.startswith(codecs.BOM_UTF8) else b""
    return mark + text.encode("utf-8")


def _says(data: bytes, now: FileNow, wanted: Collection[Quad]) -> bool:
    """Whether bytes say just that, to whoever reads them."""
    # An empty document is no format, and says nothing.
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
    """Keep other programs of this user's from pushing to a file; editors know nothing of it."""
    name = hashlib.sha256(str(Path(os.path.realpath(path))).encode()).hexdigest()[:32]
    folder = Path(tempfile.gettempdir()) / f"hpc-explorer-{getattr(os, 'getuid', lambda: 0)()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise OutputNotWritable("no lock can be taken", f"{folder} ({error.strerror})", "check TMPDIR") from None
    lock = FolderLock.exclusive(folder / f"push-{name}")
    if lock is None:
        raise StoreLocked("another program pushes to this file just now", str(path), "try again")
    try:
        yield
    finally:
        lock.release()
