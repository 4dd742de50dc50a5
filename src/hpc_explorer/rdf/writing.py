"""Writing quads to a file or a stream, in any of the formats, packed with gzip if the file's name ends with `.gz`."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

from pyoxigraph import serialize

from hpc_explorer.errors import UnknownFormat
from hpc_explorer.rdf.files import atomic_output
from hpc_explorer.rdf.formats import FORMATS, JSON_LD, N3, RDF_XML, TRIG, TURTLE, Format, format_of_name, is_gzip_name
from hpc_explorer.rdf.jsonld_writing import to_jsonld
from hpc_explorer.rdf.namespaces import RDF, WELL_KNOWN
from hpc_explorer.rdf.prefixes_in_use import Shortener
from hpc_explorer.rdf.terms import DefaultGraph, GraphName, Literal, NamedNode, Quad, Resource, Term, Triple


def write_quads(
    quads: Iterable[Quad],
    target: Path | BinaryIO,
    format: Format | None = None,
    prefixes: Mapping[str, str] = WELL_KNOWN,
    *,
    frame: Mapping[str, Any] | None = None,
) -> int:
    """Write quads; a file is written whole or not at all.

    Literals are written as they are spelled. A format without named graphs gets the triples of all graphs, each once.
    N-Quads is streamed; the other formats are put in order in memory first.

    Args:
        quads: what to write.
        target: a file, or a binary stream that stays open.
        format: the syntax; None takes the one that the file's name promises.
        prefixes: what names may be shortened with; those in use are declared.
        frame: a JSON-LD frame; for JSON-LD only.

    Returns:
        How many statements were written.

    Raises:
        UnknownFormat: no format is given, and the name promises none.
        OutputNotWritable: the file cannot be written there, or the format cannot express a statement.
        InputError: the frame is not valid.
    """
    if isinstance(target, Path):
        chosen = format or format_of_output(target)
        with atomic_output(target) as stream:
            if not is_gzip_name(target):
                return _write(quads, stream, chosen, prefixes, frame)
            # No name and no time inside, so that equal graphs give equal files.
            with gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packed:
                return _write(quads, cast("BinaryIO", packed), chosen, prefixes, frame)
    return _write(quads, target, format or JSON_LD, prefixes, frame)


def format_of_output(path: Path) -> Format:
    """The format that a file's name asks for.

    Raises:
        UnknownFormat: it asks for none.
    """
    found = format_of_name(path)
    if found is None:
        endings = ", ".join(f".{format.extension}" for format in FORMATS)
        raise UnknownFormat("this name does not say which format to write", str(path), f"end it with one of {endings}")
    return found


def _write(
    quads: Iterable[Quad],
    output: BinaryIO,
    format: Format,
    prefixes: Mapping[str, str],
    frame: Mapping[str, Any] | None,
) -> int:
    counted = _Counted(quads if format.has_named_graphs else _merged(quads))
    if format == JSON_LD:
        output.write(to_jsonld(counted, prefixes, frame=frame).encode("utf-8"))
    elif format == RDF_XML:
        from hpc_explorer.rdf.rdfxml import write_rdfxml

        (subjects,) = _by_subject(counted).values() or ({},)
        write_rdfxml(subjects, output, prefixes)
    elif format in (TURTLE, TRIG, N3):
        graphs = _by_subject(counted)
        in_use = _prefixes_in_use(graphs, prefixes)
        ordered = _quads_of(graphs) if format == TRIG else (quad.triple for quad in _quads_of(graphs))
        serialize(ordered, output, format.engine, prefixes=in_use)
    elif format.has_named_graphs:
        serialize(counted, output, format.engine)
    else:
        serialize((quad.triple for quad in counted), output, format.engine)
    return counted.number


class _Counted:
    """Quads, counted while they go by."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self._quads = quads
        self.number = 0

    def __iter__(self) -> Iterator[Quad]:
        for quad in self._quads:
            self.number += 1
            yield quad


def _merged(quads: Iterable[Quad]) -> Iterator[Quad]:
    """The triples of all graphs in the default graph, each once (SPARQL 1.1 Query, section 13.1)."""
    seen: set[Triple] = set()
    for quad in quads:
        triple = quad.triple
        if triple not in seen:
            seen.add(triple)
            yield Quad(triple.subject, triple.predicate, triple.object)


_Grouped = dict[GraphName, dict[Resource, dict[NamedNode, dict[Term | Triple, None]]]]


def _by_subject(quads: Iterable[Quad]) -> _Grouped:
    """Quads with what belongs together side by side, graphs and subjects in the order they are first met."""
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
