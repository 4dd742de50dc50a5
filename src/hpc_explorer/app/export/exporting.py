"""Export the graph, resources or a lineage as RDF, and verify the output by reading it back.

Triples in a source's own graph are written without a graph name; named graphs of a source keep their names. A source
written to its own file keeps that file's spelling of the HPC namespace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from hpc_explorer.app.views import ExportReport
from hpc_explorer.app.workspace.session import Session, Source
from hpc_explorer.errors import UnknownResource, Unsupported, UsageError
from hpc_explorer.interchange.needs import what_it_needs
from hpc_explorer.lineage.trace.description import lineage_quads
from hpc_explorer.lineage.trace.trace import Lineage
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.aliases import undo_aliases, undo_prefixes
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.syntax.formats import FORMATS, JSON_LD, TURTLE, Format
from hpc_explorer.rdf.syntax.jsonld_forms import Arrangement, Form, frame_of
from hpc_explorer.rdf.syntax.jsonld_writing import to_jsonld
from hpc_explorer.rdf.syntax.read_back import names_of_graphs
from hpc_explorer.rdf.syntax.writing import (
    STREAMABLE,
    format_of_output,
    text_read_back,
    write_and_read_back,
    write_quads,
)
from hpc_explorer.rdf.terms import DefaultGraph, NamedNode, Quad, Resource, Triple, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.description import descriptions
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.profile import count_profile
from hpc_explorer.stores.local.void import void_of
from hpc_explorer.stores.remote.remote import RemoteStore

_DEFAULT = DefaultGraph()


@dataclass(frozen=True)
class Extent:
    """What to export. Without resources and classes, everything.

    Args:
        classes: export the instances of these classes and their subclasses.
        depth: None for a resource's own statements; otherwise also resources up to this many links away, with the
            names and classes of those beyond.
        inferred: whether to include inferred statements, in a graph of their own if the format has graphs.
    """

    resources: tuple[Resource, ...] = ()
    classes: tuple[NamedNode, ...] = ()
    depth: int | None = None
    inferred: bool = False

    @property
    def is_everything(self) -> bool:
        """Whether the extent is the whole graph."""
        return not self.resources and not self.classes


EVERYTHING = Extent()

MOST_IN_ORDER = 500_000
"""The most statements sorted in memory; more are streamed in the order of the store."""


def export_graph(
    session: Session,
    path: Path,
    *,
    extent: Extent = EVERYTHING,
    format_name: str | None = None,
    arrangement: Arrangement | None = None,
    limits: Limits = NO_LIMITS,
) -> ExportReport:
    """Write an extent to a file. The output is read back and compared before it replaces an existing file.

    Args:
        path: ends in .jsonld, .ttl, .nt, .nq, .trig, .rdf or .n3, optionally with .gz.
        format_name: overrides the extension.
        arrangement: the form of JSON-LD; a missing frame is made from the extent.

    Raises:
        UsageError: an arrangement for another format than JSON-LD, or a frame for the whole graph.
        UnknownFormat: the extension is unknown.
        OutputNotWritable: the file cannot be written or reads back differently; an existing file is kept.
    """
    format = _format(path, format_name)
    _check_syntax(arrangement, format, str(path))
    if extent.is_everything and not extent.inferred and (source := _source_at(session, path)) is not None:
        quads: Iterable[Quad] = undo_aliases(_quads_of(session, source, limits), source.aliases)
        chosen = Chosen(quads, undo_prefixes(dict(session.prefixes), source.aliases), "")
    else:
        chosen = chosen_quads(session, extent, limits=limits)
    return _write(chosen, path, format, completed(arrangement, session, extent, limits), limits)


def graphs_without_names(session: Session, extent: Extent, format: Format, *, limits: Limits = NO_LIMITS) -> int:
    """The number of graph names that an export would lose; 0 if the format has named graphs."""
    if format.has_named_graphs:
        return 0
    if not extent.is_everything:
        return len({quad.graph_name for quad in chosen_quads(session, extent, limits=limits).quads} - {_DEFAULT})
    own = {source.summary.graph for source in session.opened}
    taken_out = {INFERRED} if session.inference is not None and not extent.inferred else set()
    return len(set(session.store.graphs(limits=limits)) - {_DEFAULT} - taken_out - own)


def loss_of_names(number: int, format: Format) -> str:
    """A warning about lost graph names; empty if there are none."""
    if not number:
        return ""
    return f"{format.name} has no named graphs: {names_of_graphs(number)} will be left out; TriG and N-Quads keep them"


def _write(chosen: Chosen, path: Path, format: Format, arrangement: Arrangement | None, limits: Limits) -> ExportReport:
    number = 0

    def counted() -> Iterator[Quad]:
        nonlocal number
        for quad in chosen.quads:
            number += 1
            yield quad

    found = write_and_read_back(
        counted(),
        path,
        format,
        chosen.prefixes,
        arrangement=arrangement,
        streamed=chosen.is_much and format in STREAMABLE,
        limits=lambda: limits.check("reading back the output"),
    )
    if found is None:
        return ExportReport(str(path), format.name, number, "not read back: not a regular file", chosen.sentence)
    return ExportReport(str(path), format.name, found.statements, found.sentence, chosen.sentence)


@dataclass(frozen=True)
class Chosen:
    """The statements to export.

    Args:
        sentence: describes what was included; may be empty.
        is_much: whether there are too many to sort; they have no duplicates.
    """

    quads: Iterable[Quad]
    prefixes: Mapping[str, str]
    sentence: str
    is_much: bool = False


def chosen_quads(session: Session, extent: Extent, *, most: int | None = None, limits: Limits = NO_LIMITS) -> Chosen:
    """The statements of an extent; those in sources' own graphs lose the graph name.

    Args:
        most: how many of the whole graph will be looked at; a server is asked for no more. None: all.
    """
    sentence = ""
    if extent.is_everything and most is not None and isinstance(session.store, RemoteStore):
        quads: Iterable[Quad] = session.store.first([(None, None, None)], most, limits=limits)
    elif extent.is_everything:
        quads = session.store.match(limits=limits)
    else:
        resources = chosen_resources(session, extent, limits=limits)
        if extent.depth is None:
            quads = descriptions(session.store, resources, limits=limits)
        else:
            needs = what_it_needs(session.store, resources, depth=extent.depth, limits=limits)
            quads, sentence = needs.quads, needs.sentence
    # Without inference, a graph with the name for inferred statements comes from a source.
    keep = extent.inferred or session.inference is None
    kept = quads if keep else (quad for quad in quads if quad.graph_name != INFERRED)
    is_much = extent.is_everything and _is_one_large_graph(session, limits)
    return Chosen(without_source_graphs(session, kept), session.prefixes, sentence, is_much)


def _is_one_large_graph(session: Session, limits: Limits) -> bool:
    """Whether the store is large and has one graph, so it can be streamed without duplicates."""
    store = session.store
    if not isinstance(store, LocalStore):
        return False
    return store.size(limits=limits).value > MOST_IN_ORDER and len(store.graphs(limits=limits)) == 1


def chosen_resources(session: Session, extent: Extent, *, limits: Limits = NO_LIMITS) -> tuple[Resource, ...]:
    """The resources of an extent, without duplicates.

    Raises:
        UnknownResource: a class has no instances.
    """
    return tuple(dict.fromkeys((*extent.resources, *_instances(session, extent.classes, limits))))


def _instances(session: Session, classes: Iterable[NamedNode], limits: Limits) -> list[Resource]:
    """The instances of classes and their subclasses."""
    schema = session.schema(limits=limits)
    found: dict[Resource, None] = {}
    for cls in classes:
        before = len(found)
        typings = session.store.match_many(objects=schema.at_or_below(cls), predicates=(RDF.type,), limits=limits)
        found.update((quad.subject, None) for quad in typings if is_resource(quad.subject))
        if len(found) == before:
            raise UnknownResource("this class has no instances", session.prefixes.short(cls.value), "see `classes`")
    return list(found)


def _check_syntax(arrangement: Arrangement | None, format: Format, where: str) -> None:
    if arrangement is not None and format != JSON_LD:
        raise UsageError(f"forms, frames and contexts shape JSON-LD, not {format.name}", where, "write JSON-LD")


def completed(arrangement: Arrangement | None, session: Session, extent: Extent, limits: Limits) -> Arrangement | None:
    """An arrangement with its missing frame made from the extent."""
    if arrangement is None or arrangement.form is not Form.FRAMED or arrangement.frame is not None:
        return arrangement
    named = [resource for resource in extent.resources if isinstance(resource, NamedNode)]
    if named:
        return replace(arrangement, frame=frame_of(resources=named))
    if extent.classes:
        below = [one for cls in extent.classes for one in session.schema(limits=limits).at_or_below(cls)]
        return replace(arrangement, frame=frame_of(classes=dict.fromkeys(below)))
    raise UsageError("a frame is made for resources or a class", "", "choose some, or give a frame")


def export_lineage(session: Session, lineage: Lineage, path: Path, *, limits: Limits = NO_LIMITS) -> ExportReport:
    """Write a lineage: the statements of its steps and about its resources."""
    return export_statements(session, lineage_quads(session.store, lineage, limits=limits), path, limits=limits)


def export_statements(
    session: Session, quads: Iterable[Quad], path: Path, *, limits: Limits = NO_LIMITS
) -> ExportReport:
    """Write statements; those in sources' own graphs lose the graph name."""
    chosen = Chosen(without_source_graphs(session, quads), session.prefixes, "")
    return _write(chosen, path, format_of_output(path), None, limits)


def export_document(
    session: Session,
    *,
    extent: Extent = EVERYTHING,
    format: Format = JSON_LD,
    arrangement: Arrangement | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[str, ExportReport]:
    """An extent as text that was verified by reading it back."""
    _check_syntax(arrangement, format, "")
    chosen = chosen_quads(session, extent, limits=limits)
    whole = completed(arrangement, session, extent, limits)
    text, found = text_read_back(chosen.quads, format, chosen.prefixes, arrangement=whole)
    report = ExportReport("", format.name, found.statements, found.sentence, chosen.sentence)
    return text.removesuffix("\n"), report


def lineage_document(session: Session, lineage: Lineage, *, limits: Limits = NO_LIMITS) -> str:
    """A lineage as JSON-LD; see `export_lineage`."""
    return to_jsonld(
        without_source_graphs(session, lineage_quads(session.store, lineage, limits=limits)), session.prefixes
    ).removesuffix("\n")


def statements_document(session: Session, quads: Iterable[Quad]) -> str:
    """Statements as JSON-LD; those in sources' own graphs lose the graph name."""
    return to_jsonld(without_source_graphs(session, quads), session.prefixes).removesuffix("\n")


def triples_document(session: Session, triples: Iterable[Triple]) -> str:
    """Triples as JSON-LD."""
    quads = (Quad(triple.subject, triple.predicate, triple.object, _DEFAULT) for triple in triples)
    return to_jsonld(quads, session.prefixes).removesuffix("\n")


def void_document(session: Session, *, limits: Limits = NO_LIMITS) -> str:
    """A VoID description of the graph in Turtle.

    Raises:
        Unsupported: the session is on an endpoint, which may not have exact counts.
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


def without_source_graphs(session: Session, quads: Iterable[Quad]) -> Iterator[Quad]:
    """The quads with those in sources' own graphs moved to the default graph, without duplicates."""
    own = {source.summary.graph for source in session.opened}
    # Only several sources can have the same triple.
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
    """The only open source, if this is its file."""
    if len(session.opened) != 1 or not path.exists():
        return None
    source = session.opened[0]
    return source if source.path is not None and source.path.resolve() == path.resolve() else None


def format_by_name(name: str) -> Format:
    """The format with this name.

    Raises:
        UsageError: there is none.
    """
    for format in FORMATS:
        if format.name == name:
            return format
    raise UsageError("no such format", name, f"choose one of {', '.join(str(format) for format in FORMATS)}")


def _format(path: Path, name: str | None) -> Format:
    return format_of_output(path) if name is None else format_by_name(name)
