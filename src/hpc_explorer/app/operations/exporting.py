"""Hand over: the graph, some resources or a lineage, as JSON-LD or another syntax that reads back the same.

A source's own triples are written without a graph name, as they came; graphs that a source names
keep their names. When a source is written back to the file it came from, its spellings of the HPC
namespace are written as that file had them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from io import BytesIO
from pathlib import Path

from hpc_explorer.app.session import Session, Source
from hpc_explorer.app.views import ExportReport
from hpc_explorer.errors import Unsupported, UsageError
from hpc_explorer.lineage.description import descriptions, lineage_quads
from hpc_explorer.lineage.trace import Lineage
from hpc_explorer.ontology.inference import INFERRED
from hpc_explorer.rdf.aliases import undo_aliases, undo_prefixes
from hpc_explorer.rdf.formats import FORMATS, JSON_LD, TURTLE, Format
from hpc_explorer.rdf.jsonld_writing import read_frame, to_jsonld
from hpc_explorer.rdf.reading import read_source
from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset, DefaultGraph, Quad, Resource, Triple
from hpc_explorer.rdf.writing import format_of_output, write_quads
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.local import LocalStore
from hpc_explorer.stores.profile import count_profile
from hpc_explorer.stores.void import void_of

_DEFAULT = DefaultGraph()


def export_graph(
    session: Session,
    path: Path,
    *,
    resources: Collection[Resource] = (),
    format_name: str | None = None,
    frame: Path | None = None,
    inferred: bool = False,
    limits: Limits = NO_LIMITS,
) -> ExportReport:
    """Write the whole graph, or the descriptions of some resources, to a file.

    Args:
        path: ends in .jsonld, .ttl, .nt, .nq, .trig, .rdf or .n3, each also .gz.
        resources: those to describe; none of them means everything.
        format_name: a format by its name, where the file's ending should not decide.
        frame: a JSON-LD frame that shapes JSON-LD output.
        inferred: write what was inferred too, in its own graph where the format has graphs.

    Raises:
        UsageError: a frame is given for a format that it does not shape.
        UnknownFormat: the ending names no format.
        OutputNotWritable: the file cannot be written; what was there before stays.
    """
    format = _format(path, format_name)
    if frame is not None and format != JSON_LD:
        raise UsageError(f"a frame shapes JSON-LD, not {format.name}", str(frame), "write to a .jsonld file")
    shape = None if frame is None else read_frame(frame)
    source = _source_at(session, path) if not resources and not inferred else None
    prefixes = dict(session.prefixes)
    if source is not None:
        quads: Iterable[Quad] = undo_aliases(_quads_of(session, source, limits), source.aliases)
        prefixes = undo_prefixes(prefixes, source.aliases)
    else:
        quads = _chosen(session, resources, inferred, limits)
    return ExportReport(str(path), format.name, write_quads(quads, path, format, prefixes, frame=shape))


def export_lineage(session: Session, lineage: Lineage, path: Path, *, limits: Limits = NO_LIMITS) -> ExportReport:
    """Write a lineage to a file: the statements behind each step, and what is said of each resource in it."""
    return export_statements(session, lineage_quads(session.store, lineage, limits=limits), path)


def export_statements(session: Session, quads: Iterable[Quad], path: Path) -> ExportReport:
    """Write statements to a file, those of the sources' own graphs without a graph."""
    format = format_of_output(path)
    return ExportReport(
        str(path), format.name, write_quads(without_source_graphs(session, quads), path, format, session.prefixes)
    )


def export_document(
    session: Session,
    *,
    resources: Collection[Resource] = (),
    frame: Path | None = None,
    inferred: bool = False,
    limits: Limits = NO_LIMITS,
) -> str:
    """The whole graph, or the descriptions of some resources, as a JSON-LD text."""
    shape = None if frame is None else read_frame(frame)
    return to_jsonld(_chosen(session, resources, inferred, limits), session.prefixes, frame=shape).removesuffix("\n")


def lineage_document(session: Session, lineage: Lineage, *, limits: Limits = NO_LIMITS) -> str:
    """A lineage as a JSON-LD text; see `export_lineage`."""
    return to_jsonld(
        without_source_graphs(session, lineage_quads(session.store, lineage, limits=limits)), session.prefixes
    ).removesuffix("\n")


def statements_document(session: Session, quads: Iterable[Quad]) -> str:
    """Statements as a JSON-LD text, those of the sources' own graphs without a graph."""
    return to_jsonld(without_source_graphs(session, quads), session.prefixes).removesuffix("\n")


def triples_document(session: Session, triples: Iterable[Triple]) -> str:
    """Triples, such as those of a CONSTRUCT, as a JSON-LD text."""
    quads = (Quad(triple.subject, triple.predicate, triple.object, _DEFAULT) for triple in triples)
    return to_jsonld(quads, session.prefixes).removesuffix("\n")


def void_document(session: Session, *, limits: Limits = NO_LIMITS) -> str:
    """What the graph uses and how often, as a VoID description in Turtle.

    Raises:
        Unsupported: the session is on an endpoint, whose numbers are not all exact.
    """
    if session.workspace is not None:
        profile = session.workspace.profile
    elif isinstance(session.store, LocalStore):
        profile = count_profile(session.store, limits=limits)
    else:
        raise Unsupported("an endpoint is not described in VoID", session.sources[0].name, "see `info` without --void")
    text = BytesIO()
    quads = (Quad(triple.subject, triple.predicate, triple.object, _DEFAULT) for triple in void_of(profile))
    write_quads(quads, text, TURTLE, session.prefixes)
    return text.getvalue().decode().removesuffix("\n")


def reads_back_the_same(session: Session, lineage: Lineage, path: Path) -> bool:
    """Whether a file holds just the statements of a lineage, blank nodes renamed or not."""
    written = _canonical(read_source(path).quads())
    return written == _canonical(without_source_graphs(session, lineage_quads(session.store, lineage)))


def _canonical(quads: Iterable[Quad]) -> Dataset:
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset


def _chosen(session: Session, resources: Collection[Resource], inferred: bool, limits: Limits) -> Iterator[Quad]:
    if resources:
        quads = descriptions(session.store, resources, limits=limits)
    else:
        quads = session.store.match(limits=limits)
    # Which graphs a source names itself, it gets back, that of inferences among them.
    keep = inferred or session.inference is None
    return without_source_graphs(session, quads if keep else (quad for quad in quads if quad.graph_name != INFERRED))


def without_source_graphs(session: Session, quads: Iterable[Quad]) -> Iterator[Quad]:
    """The quads with those of the sources' own graphs in the default graph, each once."""
    own = {source.summary.graph for source in session.opened}
    # Only where several sources state a triple can it come twice.
    seen: set[Quad] | None = set() if len(own) > 1 else None
    for quad in quads:
        if quad.graph_name in own:
            quad = Quad(quad.subject, quad.predicate, quad.object, _DEFAULT)
        if seen is not None:
            if quad in seen:
                continue
            seen.add(quad)
        yield quad


def _quads_of(session: Session, source: Source, limits: Limits) -> Iterator[Quad]:
    for graph in source.graphs:
        yield from without_source_graphs(session, session.store.match(graph=graph, limits=limits))


def _source_at(session: Session, path: Path) -> Source | None:
    """The one open source, if this is the file it was read from."""
    if len(session.opened) != 1 or not path.exists():
        return None
    source = session.opened[0]
    return source if source.path is not None and source.path.resolve() == path.resolve() else None


def _format(path: Path, name: str | None) -> Format:
    if name is None:
        return format_of_output(path)
    for format in FORMATS:
        if format.name == name:
            return format
    raise UsageError("no such format", name, f"choose one of {', '.join(str(format) for format in FORMATS)}")
