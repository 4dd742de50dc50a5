"""Reading a source: what it is, and its quads, in the one spelling of the HPC ontology and with blank nodes of its own.

content = read_source(Path("machines.ttl.gz"))
for quad in content.quads():
    ...
content.prefixes, content.aliases, content.notes       known when the quads are at their end
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from pyoxigraph import QuadParser, parse

from hpc_explorer.errors import SourceUnreadable
from hpc_explorer.rdf.aliases import NEEDLES, NO_ALIASES, AliasRecord, Canonicaliser, canonical_prefixes
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.faults import named_fault
from hpc_explorer.rdf.syntax.formats import (
    JSON_LD,
    N_QUADS,
    N_TRIPLES,
    RDF_XML,
    TRIG,
    TURTLE,
    Format,
    format_of_media_type,
    format_of_name,
)
from hpc_explorer.rdf.syntax.iri_repair import IriRepair
from hpc_explorer.rdf.syntax.jsonld import EngineText, engine_text
from hpc_explorer.rdf.syntax.jsonld_contexts import ContextPolicy
from hpc_explorer.rdf.syntax.long_literals import LongLiterals
from hpc_explorer.rdf.syntax.sniffing import encoding_of, sniff
from hpc_explorer.rdf.syntax.xml_prefixes import xml_prefixes
from hpc_explorer.rdf.terms import Quad

# The engine refuses a token longer than this.
_LONGEST_TOKEN = 16 * 1024 * 1024

# How many triple terms may stand in one another, and where there are any.
_MOST_NESTED_TRIPLES = 1_000
_WITH_TRIPLE_TERMS = (N_TRIPLES, N_QUADS, TURTLE, TRIG)

_LARGEST_ENTITY = 1_000_000
_LARGEST_EXPANSION = 1_000_000_000


class SourceContent:
    """A document that was recognised, and its quads.

    Attributes:
        where: what it is called in errors.
        format: its syntax, told by its content.
        base: what its relative IRIs are relative to.
        prefixes: those it declares, with namespaces as they are read.
        aliases: how it spells the terms of the HPC ontology.
        notes: what a person should know about how it was read, one sentence each.
        missing: what could not be read; an RDF document is read whole or not at all, so nothing.

    The last three are complete when the quads have been read to their end.

    Args:
        as_written: give terms and labels of blank nodes as they stand there, to compare them with what was written.
    """

    missing: tuple[str, ...] = ()

    def __init__(
        self,
        document: Document,
        format: Format,
        base: str,
        *,
        allow_remote_contexts: bool = False,
        as_written: bool = False,
    ) -> None:
        self.where = document.where
        self.format = format
        self.base = base
        self.prefixes: dict[str, str] = {}
        self.aliases: AliasRecord = NO_ALIASES
        self.notes: list[str] = []
        self._document = document
        self._policy = ContextPolicy(document.where, base, allow_remote_contexts)
        self._json_ld: EngineText | None = None
        self._has_long_literal = False
        self._as_written = as_written

    def quads(self) -> Iterator[Quad]:
        """The quads, streamed; default-graph triples are in the default graph.

        Blank nodes are new ones at each call, so those of two sources never meet.

        Raises:
            SourceSyntaxError: the content breaks its syntax; raised when the reading comes to that place.
            SourceUnreadable: the file cannot be read to its end.
            RemoteContextRefused: a JSON-LD context is neither known offline nor allowed.
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
        """Whether the engine can load the document itself: in UTF-8 with no term to be read as another."""
        return (
            self.format in (N_TRIPLES, TURTLE, N_QUADS, TRIG)
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
        """What the engine and the file system raise while this content is read, as named errors."""
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

    # A look before the quads are given

    def _may_have_long_literal(self) -> bool:
        size = self._document.unpacked_size()
        return self.format != RDF_XML and (size is None or size > _LONGEST_TOKEN)

    def _look_through(self, canonicaliser: Canonicaliser | None) -> None:
        """Read all of it once: to learn its spellings, and whether a literal is too long for the engine."""
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
        """The quads as the document spells them."""
        self._refuse_entity_bomb()
        self._refuse_deep_triples()
        repair = IriRepair() if self.format == JSON_LD else None
        long_literals = LongLiterals(self.format) if self._has_long_literal else None
        with self._engine_input() as stream:
            source = stream if long_literals is None else BytesIO(long_literals.taken_out(stream.read()))
            parser = self._parser(source)
            quads: Iterator[Quad] = parser if long_literals is None else long_literals.put_back(parser)
            yield from quads if repair is None else repair.quads(quads)
            self.prefixes = canonical_prefixes(self._declared_prefixes() or parser.prefixes)
        if repair is not None:
            self.notes = [*self._for_engine().notes, *repair.notes()]

    def _declared_prefixes(self) -> dict[str, str]:
        if self.format == JSON_LD:
            return self._for_engine().prefixes
        if self.format != RDF_XML:
            return {}
        with self._document.open_utf8() as stream:
            return xml_prefixes(stream)

    def _engine_input(self) -> BinaryIO:
        """The document as the engine takes it, in UTF-8."""
        return BytesIO(self._for_engine().data) if self.format == JSON_LD else self._document.open_utf8()

    def _for_engine(self) -> EngineText:
        """JSON-LD as the engine reads it; kept while the quads are read."""
        if self._json_ld is None:
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
            self._json_ld = engine_text(text, self._policy)
        return self._json_ld

    def _parser(self, stream: BinaryIO) -> QuadParser:
        # The strict reader of JSON-LD drops what has an IRI with a space in it, without a word: see IriRepair.
        lenient = self.format == JSON_LD
        base = self._for_engine().base if lenient else self.base
        rename = not self._as_written
        return parse(stream, self.format.engine, base_iri=base, rename_blank_nodes=rename, lenient=lenient)

    def _reparse(self, stream: BinaryIO) -> None:
        deque(self._parser(stream), maxlen=0)

    def _refuse_deep_triples(self) -> None:
        """Refuse triple terms (RDF 1.2) in one another: the engine ends the process at 10,000 to 20,000."""
        if self.format not in _WITH_TRIPLE_TERMS or not self._document.contains((b"<<(",)):
            return
        depth = 0
        with self._document.open_utf8() as stream:
            for line in stream:
                for found in _TRIPLE_TERM.finditer(line):
                    depth = max(0, depth - 1) if found[0] == b")>>" else depth + 1
                    if depth > _MOST_NESTED_TRIPLES:
                        words = f"more than {_MOST_NESTED_TRIPLES:,} triple terms in one another"
                        raise SourceUnreadable(words, self.where, "do not trust this file")

    def _refuse_entity_bomb(self) -> None:
        """Refuse XML whose entities, put into one another, or used over and over, grow beyond all measure."""
        if self.format != RDF_XML or not self._document.contains((b"<!ENTITY",)):
            return
        with self._document.open_utf8() as stream:
            largest, total = _entity_sizes(stream.read())
        if largest > _LARGEST_ENTITY:
            raise SourceUnreadable(
                f"one of its XML entities stands for {largest:,} characters", self.where, "do not trust this file"
            )
        if total > _LARGEST_EXPANSION:
            raise SourceUnreadable(
                f"its XML entities stand for {total:,} characters in all", self.where, "do not trust this file"
            )


def read_source(path: Path, *, allow_remote_contexts: bool = False, base: str | None = None) -> SourceContent:
    """Recognise a file, packed with gzip or not, by its content.

    Args:
        path: the file.
        allow_remote_contexts: whether JSON-LD contexts that are not known offline may be fetched.
        base: what relative IRIs are relative to; the file's own address if None.

    Raises:
        SourceNotFound: there is no such file.
        SourceUnreadable: it may not or cannot be read.
        UnknownFormat: its content is no RDF syntax that is known here.
        UnsupportedSyntax: its syntax is known, and known not to be read.
    """
    document = Document.of_file(path)
    if base is None:
        base = base_of(path)
    return _recognised(document, format_of_name(path), base, allow_remote_contexts)


def base_of(path: Path) -> str:
    """What relative IRIs in a file are relative to: its address, without `..` in it (RFC 3986, section 5.2.4)."""
    return Path(os.path.abspath(path)).as_uri()


def read_bytes(
    data: bytes, *, name: str, base: str, media_type: str | None = None, allow_remote_contexts: bool = False
) -> SourceContent:
    """Recognise a document that is in memory, such as one that came over HTTP.

    Args:
        data: the document, packed with gzip or not.
        name: what it is called in errors; its ending counts where its content fits several syntaxes.
        base: what relative IRIs are relative to.
        media_type: its Content-Type; goes before the name.

    Raises:
        UnknownFormat: its content is no RDF syntax that is known here.
        UnsupportedSyntax: its syntax is known, and known not to be read.
    """
    promised = (format_of_media_type(media_type) if media_type else None) or format_of_name(name)
    return _recognised(Document(name, data=data), promised, base, allow_remote_contexts)


def read_as_written(source: Path | bytes, format: Format) -> Iterator[Quad]:
    """The quads of what this program wrote itself, each term as it was written.

    Raises:
        SourceSyntaxError, SourceUnreadable: it cannot be read.
    """
    document = Document("what was written", data=source) if isinstance(source, bytes) else Document.of_file(source)
    return SourceContent(document, format, "http://example.org/", as_written=True).quads()


def _recognised(document: Document, promised: Format | None, base: str, allow_remote_contexts: bool) -> SourceContent:
    with document.errors_named():
        head = document.head()
    format = sniff(head, document.where, promised)
    return SourceContent(document, format, base, allow_remote_contexts=allow_remote_contexts)


_TRIPLE_TERM = re.compile(rb"<<\(|\)>>")

# A declaration may stand anywhere before the root element, however far that is.
_ENTITY = re.compile(rb"""<!ENTITY\s+([^\s%"'&;<>]+)\s+(?:"([^"]*)"|'([^']*)')""")
_ENTITY_USE = re.compile(rb"&([^\s#&;<>]+);")


def _entity_sizes(data: bytes) -> tuple[int, int]:
    """How many bytes the largest XML entity stands for, and all that are used together (XML 1.0, section 4.4)."""
    sizes: dict[bytes, int] = {}
    end = 0
    for found in _ENTITY.finditer(data):
        name, double, single = found.groups()
        value = double or single or b""
        # An entity can use those declared before it only; others are an error that the reader finds.
        used = _ENTITY_USE.findall(value)
        own = len(_ENTITY_USE.sub(b"", value))
        sizes.setdefault(name, own + sum(sizes.get(inner, 0) for inner in used))
        end = found.end()
    total = sum(sizes.get(used[1], 0) for used in _ENTITY_USE.finditer(data, end))
    return max(sizes.values(), default=0), total
