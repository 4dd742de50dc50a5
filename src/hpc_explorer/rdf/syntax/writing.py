"""Writing quads to a file or a stream in any format, compressed with gzip if the name ends with `.gz`."""

from __future__ import annotations

import gzip
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, cast

from pyoxigraph import serialize

from hpc_explorer.errors import OutputNotWritable, SourceSyntaxError, SourceUnreadable, UnknownFormat
from hpc_explorer.rdf.namespaces import RDF, WELL_KNOWN
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.syntax.formats import (
    FORMATS,
    JSON_LD,
    N3,
    N_QUADS,
    N_TRIPLES,
    RDF_XML,
    TRIG,
    TURTLE,
    Format,
    format_of_name,
    is_gzip_name,
)
from hpc_explorer.rdf.syntax.jsonld_forms import Arrangement, Form
from hpc_explorer.rdf.syntax.jsonld_writing import to_jsonld
from hpc_explorer.rdf.syntax.prefixes_in_use import Shortener
from hpc_explorer.rdf.syntax.read_back import Fingerprint, ReadBack, keeps_labels
from hpc_explorer.rdf.syntax.reading import read_as_written
from hpc_explorer.rdf.terms import DefaultGraph, GraphName, Literal, NamedNode, Quad, Resource, Term, Triple

STREAMABLE: frozenset[Format] = frozenset({N_TRIPLES, N_QUADS, TURTLE, TRIG, N3})
"""The formats that can be streamed."""


def write_quads(
    quads: Iterable[Quad],
    target: Path | BinaryIO,
    format: Format | None = None,
    prefixes: Mapping[str, str] = WELL_KNOWN,
    *,
    arrangement: Arrangement | None = None,
    streamed: bool = False,
) -> int:
    """Write quads. A file is replaced only when writing succeeds.

    The spelling of literals is kept. Formats without named graphs get the triples of all graphs, each once. N-Quads is
    streamed; other formats are sorted in memory first, unless `streamed` is set.

    Args:
        quads: the quads.
        target: a file, or a binary stream that stays open.
        format: the syntax; None for the one of the file name.
        prefixes: available prefixes; the used ones are declared.
        arrangement: the layout of JSON-LD.
        streamed: keep the order and use constant memory; for `STREAMABLE` formats. Repeated statements are repeated,
            and all prefixes are declared.

    Returns:
        The number of statements written.

    Raises:
        UnknownFormat: neither the format nor the name tells the syntax.
        OutputNotWritable: the file cannot be written, or the format cannot express a statement.
        InputError: the frame is not valid.
    """
    chosen = format or (format_of_output(target) if isinstance(target, Path) else JSON_LD)
    work = _Writing(chosen, prefixes, arrangement, None, streamed=streamed)
    if isinstance(target, Path):
        with atomic_output(target) as stream:
            work.pack(quads, stream, is_gzip_name(target))
    else:
        work.write(quads, target)
    return work.number


def write_and_read_back(
    quads: Iterable[Quad],
    path: Path,
    format: Format | None = None,
    prefixes: Mapping[str, str] = WELL_KNOWN,
    *,
    arrangement: Arrangement | None = None,
    streamed: bool = False,
    limits: Callable[[], None] = lambda: None,
) -> ReadBack | None:
    """Write quads as `write_quads` does, and read the file back before it replaces the old one.

    Args:
        streamed: as for `write_quads`; statements must not be repeated.
        limits: checked regularly; raises at the deadline.

    Returns:
        The result of reading back; None if the target is not a regular file.

    Raises:
        OutputNotWritable: as `write_quads`, or the file does not read back the same; the old file is kept.
        UnknownFormat, InputError: as `write_quads`.
    """
    chosen = format or format_of_output(path)
    is_framed = arrangement is not None and arrangement.form is Form.FRAMED
    meant = Fingerprint(by_label=keeps_labels(chosen), itemised=is_framed)
    work = _Writing(chosen, prefixes, arrangement, meant, streamed=streamed)
    found: list[ReadBack] = []

    def check(written: Path) -> None:
        read = compared(meant, read_as_written(written, chosen), str(path), is_framed, limits)
        found.append(replace(read, graphs=len(work.unnamed), merged=work.merged))

    with atomic_output(path, check) as stream:
        work.pack(quads, stream, is_gzip_name(path))
    return found[0] if found else None


def text_read_back(
    quads: Iterable[Quad],
    format: Format,
    prefixes: Mapping[str, str] = WELL_KNOWN,
    *,
    arrangement: Arrangement | None = None,
) -> tuple[str, ReadBack]:
    """Quads as text, and the result of reading it back.

    Raises:
        OutputNotWritable: as `write_and_read_back`.
    """
    is_framed = arrangement is not None and arrangement.form is Form.FRAMED
    meant = Fingerprint(by_label=keeps_labels(format), itemised=is_framed)
    written = BytesIO()
    work = _Writing(format, prefixes, arrangement, meant)
    work.write(quads, written)
    data = written.getvalue()
    found = compared(meant, read_as_written(data, format), "the text", is_framed, lambda: None)
    return data.decode(), replace(found, graphs=len(work.unnamed), merged=work.merged)


def compared(
    meant: Fingerprint, written: Iterator[Quad], where: str, may_differ: bool, limits: Callable[[], None]
) -> ReadBack:
    """Compare the written text with the intended quads.

    Args:
        may_differ: whether statements may be left out, as by a frame.

    Raises:
        OutputNotWritable: it differs or cannot be read.
    """
    read = meant.fresh()
    try:
        for quad in written:
            read.add(quad)
            if read.number % 10_000 == 0:
                limits()
    except (SourceSyntaxError, SourceUnreadable) as error:
        raise OutputNotWritable(f"the result cannot be read back ({error.what})", where, _OTHERWISE) from None
    found = meant.compared_with(read)
    if not found.is_same and not may_differ:
        raise OutputNotWritable(f"the result does not read back the same ({found.sentence})", where, _OTHERWISE)
    return found


_OTHERWISE = "write N-Quads, and please report this"


def format_of_output(path: Path) -> Format:
    """The format for a file name.

    Raises:
        UnknownFormat: the extension is unknown.
    """
    found = format_of_name(path)
    if found is None:
        endings = ", ".join(f".{format.extension}" for format in FORMATS)
        raise UnknownFormat("the file name has no known extension", str(path), f"end it with one of {endings}")
    return found


class _Writing:
    """One document being written.

    Attributes:
        number: number of distinct statements.
        unnamed: graphs whose names were left out because the format has none.
        merged: number of duplicates removed for that reason.
    """

    def __init__(
        self,
        format: Format,
        prefixes: Mapping[str, str],
        arrangement: Arrangement | None,
        meant: Fingerprint | None,
        *,
        streamed: bool = False,
    ) -> None:
        if streamed and format not in STREAMABLE:
            raise ValueError(f"{format.name} cannot be streamed")
        self.number = 0
        self.unnamed: set[GraphName] = set()
        self.merged = 0
        self._format = format
        self._prefixes = prefixes
        self._arrangement = arrangement
        self._meant = meant
        self._streamed = streamed

    def pack(self, quads: Iterable[Quad], output: BinaryIO, packed: bool) -> None:
        """Write the document, compressed with gzip or not."""
        if not packed:
            self.write(quads, output)
            return
        # No name and no time, so that equal graphs give equal files.
        with gzip.GzipFile("", "wb", fileobj=output, mtime=0) as stream:
            self.write(quads, cast("BinaryIO", stream))

    def write(self, quads: Iterable[Quad], output: BinaryIO) -> None:
        """Write to a stream."""
        format, prefixes = self._format, self._prefixes
        if self._streamed:
            plain = quads if format.has_named_graphs else map(self._without_graph, quads)
            self._stream(self._counted(plain), output)
            return
        if not format.has_named_graphs:
            quads = self._merged(quads)
        if format == JSON_LD:
            counted = self._counted(dict.fromkeys(quads))
            output.write(to_jsonld(counted, prefixes, arrangement=self._arrangement).encode("utf-8"))
        elif format == RDF_XML:
            from hpc_explorer.rdf.syntax.rdfxml import write_rdfxml

            graphs = _by_subject(quads)
            (subjects,) = graphs.values()
            write_rdfxml(subjects, output, prefixes)
            deque(self._counted(_quads_of(graphs)), maxlen=0)
        elif format in (TURTLE, TRIG, N3):
            graphs = _by_subject(quads)
            in_use = _prefixes_in_use(graphs, prefixes)
            ordered = self._counted(_quads_of(graphs))
            serialize(
                ordered if format == TRIG else (quad.triple for quad in ordered),
                output,
                format.engine,
                prefixes=in_use,
            )
        elif format.has_named_graphs:
            serialize(self._counted(quads), output, format.engine)
        else:
            serialize((quad.triple for quad in self._counted(quads)), output, format.engine)

    def _stream(self, quads: Iterator[Quad], output: BinaryIO) -> None:
        statements = quads if self._format.has_named_graphs else (quad.triple for quad in quads)
        if self._format in (TURTLE, TRIG, N3):
            serialize(statements, output, self._format.engine, prefixes=dict(self._prefixes))
        else:
            serialize(statements, output, self._format.engine)

    def _counted(self, quads: Iterable[Quad]) -> Iterator[Quad]:
        for quad in quads:
            self.number += 1
            if self._meant is not None:
                self._meant.add(quad)
            yield quad

    def _without_graph(self, quad: Quad) -> Quad:
        if not isinstance(quad.graph_name, DefaultGraph):
            self.unnamed.add(quad.graph_name)
        return Quad(quad.subject, quad.predicate, quad.object)

    def _merged(self, quads: Iterable[Quad]) -> Iterator[Quad]:
        """The triples of all graphs in the default graph, each once (SPARQL 1.1 Query, section 13.1)."""
        seen: dict[Quad, GraphName] = {}
        for quad in quads:
            plain = self._without_graph(quad)
            if plain not in seen:
                seen[plain] = quad.graph_name
                yield plain
            elif seen[plain] != quad.graph_name:
                self.merged += 1


_Grouped = dict[GraphName, dict[Resource, dict[NamedNode, dict[Term | Triple, None]]]]


def _by_subject(quads: Iterable[Quad]) -> _Grouped:
    """Quads grouped by graph and subject, in order of first appearance."""
    grouped: _Grouped = {DefaultGraph(): {}}
    for quad in quads:
        subject, predicate, object_, graph = quad
        properties = grouped.setdefault(graph, {}).setdefault(cast("Resource", subject), {})
        properties.setdefault(predicate, {})[object_] = None
    return grouped


def _quads_of(graphs: _Grouped) -> Iterator[Quad]:
    for graph, subjects in graphs.items():
        for subject, properties in subjects.items():
            for predicate in sorted(properties, key=_types_first):
                for object_ in properties[predicate]:
                    yield Quad(subject, predicate, object_, graph)


def _types_first(predicate: NamedNode) -> tuple[bool, str]:
    return predicate != RDF.type, predicate.value


def _prefixes_in_use(graphs: _Grouped, prefixes: Mapping[str, str]) -> dict[str, str]:
    shortener = Shortener(prefixes)
    for term in _terms_of(graphs):
        if isinstance(term, NamedNode):
            shortener.short(term.value)
        elif isinstance(term, Literal):
            shortener.short(term.datatype.value)
    return shortener.used


def _terms_of(graphs: _Grouped) -> Iterator[GraphName | Term | Triple]:
    for graph, subjects in graphs.items():
        yield graph
        for subject, properties in subjects.items():
            yield subject
            yield from properties
            for objects in properties.values():
                yield from objects
