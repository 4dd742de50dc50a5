"""Reading a source: its format and its quads, in the standard spelling of the HPC ontology, with fresh blank nodes.

content = read_source(Path("machines.ttl.gz"))
for quad in content.quads():
    ...
content.prefixes, content.aliases, content.notes       complete after the last quad
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from xml.parsers.expat import ExpatError, ParserCreate

from pyoxigraph import QuadParser, parse

from hpc_explorer.errors import SourceSyntaxError, SourceUnreadable
from hpc_explorer.rdf.aliases import NEEDLES, NO_ALIASES, AliasRecord, Canonicaliser, canonical_prefixes
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.faults import named_fault
from hpc_explorer.rdf.syntax.formats import (
    DOTTED,
    JSON_LD,
    RDF_XML,
    Format,
    format_of_media_type,
    format_of_name,
)
from hpc_explorer.rdf.syntax.iri_repair import IriRepair
from hpc_explorer.rdf.syntax.long_literals import LongLiterals
from hpc_explorer.rdf.syntax.sniffing import encoding_of, sniff
from hpc_explorer.rdf.terms import Quad

if TYPE_CHECKING:
    from hpc_explorer.rdf.syntax.jsonld import EngineText

# The engine refuses a token longer than this.
_LONGEST_TOKEN = 16 * 1024 * 1024

# Limit of nested triple terms, and a pattern that finds them.
_MOST_NESTED_TRIPLES = 1_000

# The most damaged statements that are named with their places.
_MOST_NAMED = 20

_LARGEST_ENTITY = 1_000_000
_LARGEST_EXPANSION = 1_000_000_000


class SourceContent:
    """A recognised document and its quads.

    Attributes:
        where: its name in errors.
        format: its syntax, detected from the content.
        base: its base IRI.
        allows_remote_contexts: whether JSON-LD contexts may be fetched.
        prefixes: declared prefixes, with namespaces in the standard spelling.
        aliases: its spelling of HPC ontology terms.
        notes: remarks for the user, one sentence each.
        missing: the statements that were skipped because they are damaged, see `skip_damaged`.

    `prefixes`, `aliases`, `notes` and `missing` are complete after all quads have been read.

    Args:
        as_written: keep terms and blank node labels unchanged, to compare a file with what was written.
        skip_damaged: skip statements with syntax errors, in Turtle, TriG, N-Triples and N-Quads; other documents are
            read completely or refused.
    """

    def __init__(
        self,
        document: Document,
        format: Format,
        base: str,
        *,
        allow_remote_contexts: bool = False,
        as_written: bool = False,
        skip_damaged: bool = False,
    ) -> None:
        self.where = document.where
        self.format = format
        self.base = base
        self.prefixes: dict[str, str] = {}
        self.aliases: AliasRecord = NO_ALIASES
        self.notes: list[str] = []
        self.missing: tuple[str, ...] = ()
        self._document = document
        self.allows_remote_contexts = allow_remote_contexts
        self._json_ld: EngineText | None = None
        self._has_long_literal = False
        self._as_written = as_written
        self._skips_damaged = skip_damaged and format in DOTTED

    def quads(self) -> Iterator[Quad]:
        """The quads, streamed; default-graph triples are in the default graph.

        Each call makes new blank nodes, so those of two sources are never equal.

        Raises:
            SourceSyntaxError: the content has a syntax error; raised at its position.
            SourceUnreadable: the file cannot be read completely.
            RemoteContextRefused: a JSON-LD context is neither available offline nor allowed.
        """
        with self._errors_named():
            is_read_as_others = not self._as_written and self._document.contains(NEEDLES)
            canonicaliser = Canonicaliser() if is_read_as_others else None
            if canonicaliser is not None or self._may_have_long_literal():
                self._look_through(canonicaliser)
            parsed = self._parsed()
            yield from parsed if canonicaliser is None else canonicaliser.quads(parsed)
            if canonicaliser is not None:
                self.aliases = canonicaliser.record()
        self._json_ld = None

    @property
    def is_plain(self) -> bool:
        """Whether the engine can load the document directly: UTF-8 without aliases."""
        return (
            self.format in DOTTED
            and encoding_of(self._document.head()).startswith("utf-8")
            and not self._document.contains(NEEDLES)
        )

    def open_plain(self) -> BinaryIO:
        """The text of a plain document, as UTF-8.

        Raises:
            SourceUnreadable: its triple terms are nested too deeply.
        """
        self._refuse_deep_triples()
        return self._document.open_utf8()

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        """Turn errors of the engine and the file system into named errors."""
        try:
            with self._document.errors_named():
                yield
        except SyntaxError as error:
            raise named_fault(error, self._document, self.format, self._reparse) from None
        except UnicodeDecodeError as error:
            raise SourceUnreadable(
                f"not {error.encoding.upper()} at byte {error.start + 1:,}", self.where, "save it in UTF-8"
            ) from None
        except MemoryError:
            raise SourceUnreadable("it needs more memory than there is", self.where, "split the file") from None

    # First pass

    def _may_have_long_literal(self) -> bool:
        size = self._document.unpacked_size()
        return self.format != RDF_XML and (size is None or size > _LONGEST_TOKEN)

    def _look_through(self, canonicaliser: Canonicaliser | None) -> None:
        """Read the document once for its spellings and for literals that are too long for the engine."""
        try:
            self._exhaust(self._parsed(), canonicaliser)
        except MemoryError as error:
            if "buffer maximal size" not in str(error):
                raise
            self._has_long_literal = True
            if canonicaliser is not None:
                self._exhaust(self._parsed(), canonicaliser)

    @staticmethod
    def _exhaust(quads: Iterator[Quad], canonicaliser: Canonicaliser | None) -> None:
        if canonicaliser is None:
            deque(quads, maxlen=0)
        else:
            canonicaliser.survey(quads)

    # The engine

    def _parsed(self) -> Iterator[Quad]:
        """The quads with the document's spelling."""
        self._refuse_entity_bomb()
        self._refuse_deep_triples()
        repair = IriRepair() if self.format == JSON_LD else None
        long_literals = LongLiterals(self.format) if self._has_long_literal else None
        with self._engine_input() as stream:
            source = stream if long_literals is None else BytesIO(long_literals.taken_out(stream.read()))
            if self._skips_damaged:
                source = BytesIO(self._whole_statements(source.read()))
            parser = self._parser(source)
            undamaged = _undamaged(parser, []) if self._skips_damaged else parser
            quads: Iterator[Quad] = undamaged if long_literals is None else long_literals.put_back(undamaged)
            yield from quads if repair is None else repair.quads(quads)
            self.prefixes = canonical_prefixes(self._declared_prefixes() or parser.prefixes)
        if repair is not None:
            self.notes = [*self._for_engine().notes, *repair.notes()]

    def _whole_statements(self, text: bytes) -> bytes:
        """The text for the engine without a statement that breaks off at its end; sets `missing`.

        The engine goes on behind a syntax error, and where the text breaks off it takes half a value for a whole one.
        """
        faults: list[SyntaxError] = []
        deque(_undamaged(self._parser(BytesIO(text)), faults), maxlen=0)
        named = [named_fault(fault, self._document, self.format, self._reparse) for fault in faults[:_MOST_NAMED]]
        for fault in named:
            if not isinstance(fault, SourceSyntaxError):
                raise fault
        self.missing = tuple(f"{fault.what} at {fault.where.removeprefix(self.where + ':')}" for fault in named)
        if len(faults) > _MOST_NAMED:
            self.missing += (f"{len(faults) - _MOST_NAMED:,} more damaged statements",)
        return _without_broken_end(text, faults[-1]) if faults else text

    def _declared_prefixes(self) -> dict[str, str]:
        if self.format == JSON_LD:
            return self._for_engine().prefixes
        if self.format != RDF_XML:
            return {}
        with self._document.open_utf8() as stream:
            return xml_prefixes(stream)

    def _engine_input(self) -> BinaryIO:
        """The document for the engine, in UTF-8."""
        return BytesIO(self._for_engine().data) if self.format == JSON_LD else self._document.open_utf8()

    def _for_engine(self) -> EngineText:
        """JSON-LD prepared for the engine; kept while the quads are read."""
        if self._json_ld is None:
            from hpc_explorer.rdf.syntax.jsonld import engine_text
            from hpc_explorer.rdf.syntax.jsonld_contexts import ContextPolicy

            with self._document.open_utf8() as stream:
                data = stream.read()
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError as error:
                line = data.count(b"\n", 0, error.start) + 1
                raise SourceUnreadable(
                    f"not UTF-8 at byte {error.start + 1:,}, line {line:,}", self.where, "save it in UTF-8"
                ) from None
            del data
            policy = ContextPolicy(self.where, self.base, self.allows_remote_contexts)
            self._json_ld = engine_text(text, policy)
        return self._json_ld

    def _parser(self, stream: BinaryIO) -> QuadParser:
        # The strict JSON-LD reader silently drops IRIs with spaces: see IriRepair.
        lenient = self.format == JSON_LD
        base = self._for_engine().base if lenient else self.base
        rename = not self._as_written
        return parse(stream, self.format.engine, base_iri=base, rename_blank_nodes=rename, lenient=lenient)

    def _reparse(self, stream: BinaryIO) -> None:
        deque(self._parser(stream), maxlen=0)

    def _refuse_deep_triples(self) -> None:
        """Refuse deeply nested triple terms (RDF 1.2): the engine crashes at 10,000 to 20,000."""
        if self.format not in DOTTED or not self._document.contains((b"<<(",)):
            return
        depth = 0
        with self._document.open_utf8() as stream:
            for line in stream:
                for found in _TRIPLE_TERM.finditer(line):
                    depth = max(0, depth - 1) if found[0] == b")>>" else depth + 1
                    if depth > _MOST_NESTED_TRIPLES:
                        words = f"more than {_MOST_NESTED_TRIPLES:,} nested triple terms"
                        raise SourceUnreadable(words, self.where, "do not trust this file")

    def _refuse_entity_bomb(self) -> None:
        """Refuse XML whose entities expand too much."""
        if self.format != RDF_XML or not self._document.contains((b"<!ENTITY",)):
            return
        with self._document.open_utf8() as stream:
            largest, total = _entity_sizes(stream.read())
        if largest > _LARGEST_ENTITY:
            raise SourceUnreadable(
                f"one of its XML entities expands to {largest:,} characters", self.where, "do not trust this file"
            )
        if total > _LARGEST_EXPANSION:
            raise SourceUnreadable(
                f"its XML entities expand to {total:,} characters in all", self.where, "do not trust this file"
            )


def read_source(
    path: Path, *, allow_remote_contexts: bool = False, base: str | None = None, skip_damaged: bool = False
) -> SourceContent:
    """Recognise a file by its content, compressed with gzip or not.

    Args:
        path: the file.
        allow_remote_contexts: whether JSON-LD contexts may be fetched.
        base: the base IRI; None for the file's address.
        skip_damaged: skip statements with syntax errors, see `SourceContent`.

    Raises:
        SourceNotFound: the file does not exist.
        SourceUnreadable: it cannot be read.
        UnknownFormat: its content is not a known RDF syntax.
        UnsupportedSyntax: its syntax is known but not supported.
    """
    document = Document.of_file(path)
    if base is None:
        base = base_of(path)
    return _recognised(document, format_of_name(path), base, allow_remote_contexts, skip_damaged)


def base_of(path: Path) -> str:
    """The base IRI of a file: its address without `..` (RFC 3986, section 5.2.4)."""
    return Path(os.path.abspath(path)).as_uri()


def read_bytes(
    data: bytes,
    *,
    name: str,
    base: str,
    media_type: str | None = None,
    allow_remote_contexts: bool = False,
    skip_damaged: bool = False,
) -> SourceContent:
    """Recognise a document in memory, for example one from HTTP.

    Args:
        data: the document, compressed with gzip or not.
        name: its name in errors; the extension decides if the content fits several syntaxes.
        base: the base IRI.
        media_type: its Content-Type, which takes precedence over the name.
        skip_damaged: skip statements with syntax errors, see `SourceContent`.

    Raises:
        UnknownFormat: its content is not a known RDF syntax.
        UnsupportedSyntax: its syntax is known but not supported.
    """
    promised = (format_of_media_type(media_type) if media_type else None) or format_of_name(name)
    return _recognised(Document(name, data=data), promised, base, allow_remote_contexts, skip_damaged)


def read_as_written(source: Path | bytes, format: Format) -> Iterator[Quad]:
    """The quads of a file written by this program, unchanged.

    Raises:
        SourceSyntaxError, SourceUnreadable: it cannot be read.
    """
    document = Document("what was written", data=source) if isinstance(source, bytes) else Document.of_file(source)
    return SourceContent(document, format, "http://example.org/", as_written=True).quads()


def _recognised(
    document: Document, promised: Format | None, base: str, allow_remote_contexts: bool, skip_damaged: bool
) -> SourceContent:
    with document.errors_named():
        head = document.head()
    format = sniff(head, document.where, promised)
    return SourceContent(document, format, base, allow_remote_contexts=allow_remote_contexts, skip_damaged=skip_damaged)


def _undamaged(parser: QuadParser, faults: list[SyntaxError]) -> Iterator[Quad]:
    """The quads of the statements without a syntax error; the errors are added to `faults`."""
    while True:
        try:
            yield from parser
        except SyntaxError as error:
            faults.append(error)
        else:
            return


def _without_broken_end(text: bytes, fault: SyntaxError) -> bytes:
    """The text up to its last line that ends a statement, if nothing follows its last fault."""
    lines = text.split(b"\n")
    if fault.lineno is None or fault.offset is None or fault.lineno > len(lines):
        at_end = True
    else:
        rest = lines[fault.lineno - 1].decode("utf-8", "replace")[fault.offset - 1 :]
        at_end = not rest.strip() and not any(line.split(b"#")[0].strip() for line in lines[fault.lineno :])
    if not at_end:
        return text
    ends = (number for number, line in enumerate(lines, 1) if line.rstrip().endswith((b".", b"}")))
    return b"\n".join(lines[: max(ends, default=0)])


_TRIPLE_TERM = re.compile(rb"<<\(|\)>>")

# Declarations may be anywhere before the root element.
_ENTITY = re.compile(rb"""<!ENTITY\s+([^\s%"'&;<>]+)\s+(?:"([^"]*)"|'([^']*)')""")
_ENTITY_USE = re.compile(rb"&([^\s#&;<>]+);")


def _entity_sizes(data: bytes) -> tuple[int, int]:
    """Expanded sizes in bytes: of the largest XML entity, and of all uses together (XML 1.0, section 4.4)."""
    sizes: dict[bytes, int] = {}
    end = 0
    for found in _ENTITY.finditer(data):
        name, double, single = found.groups()
        value = double or single or b""
        # An entity can use earlier entities only; the reader reports others as errors.
        used = _ENTITY_USE.findall(value)
        own = len(_ENTITY_USE.sub(b"", value))
        sizes.setdefault(name, own + sum(sizes.get(inner, 0) for inner in used))
        end = found.end()
    total = sum(sizes.get(used[1], 0) for used in _ENTITY_USE.finditer(data, end))
    return max(sizes.values(), default=0), total


_CHUNK = 64 * 1024


def xml_prefixes(stream: BinaryIO) -> dict[str, str]:
    """The namespaces of an XML document by prefix; the default namespace has the empty prefix.

    Args:
        stream: the document; it is read up to the root element.
    """
    found: dict[str, str] = {}
    is_open = False

    def begin(_: str, attributes: dict[str, str]) -> None:
        nonlocal is_open
        if not is_open:
            for name, value in attributes.items():
                if value and (name == "xmlns" or name.startswith("xmlns:")):
                    found[name.partition(":")[2]] = value
        is_open = True

    parser = ParserCreate("utf-8")
    parser.StartElementHandler = begin
    # The RDF reader reports invalid XML.
    with suppress(ExpatError):
        while not is_open and (chunk := stream.read(_CHUNK)):
            parser.Parse(chunk)
    return found
