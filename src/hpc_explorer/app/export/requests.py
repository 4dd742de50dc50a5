"""Export requests of all kinds: carry them out, or preview them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from hpc_explorer.app.export.exporting import (
    EVERYTHING,
    Extent,
    chosen_quads,
    completed,
    export_graph,
    export_lineage,
    graphs_without_names,
    loss_of_names,
    without_source_graphs,
)
from hpc_explorer.app.export.packages import Prepared, Target, prepare, write
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.interchange.crate import METADATA_NAME, VERSIONS
from hpc_explorer.interchange.croissant import CONTEXT
from hpc_explorer.interchange.schema_org import html_snippet
from hpc_explorer.interchange.things import Lack
from hpc_explorer.lineage.trace.description import lineage_quads
from hpc_explorer.lineage.trace.trace import Lineage
from hpc_explorer.rdf.syntax.formats import JSON_LD, Format
from hpc_explorer.rdf.syntax.jsonld_forms import Arrangement
from hpc_explorer.rdf.syntax.writing import text_read_back
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits

_PREVIEWED = 400
"""The most statements in a preview."""

_CROISSANT_CONTEXT = json.dumps({"@context": CONTEXT}, indent=2, ensure_ascii=False).partition(": ")[2][:-2]
_LINES = 200
_LONGEST_LINE = 300


@dataclass(frozen=True)
class ExportOrder:
    """A request.

    Args:
        extent: ignored if there is a lineage.
        format: an RDF syntax; ignored if there is a target.
        target: a form other than RDF syntax.
        arrangement: the form of JSON-LD.
        crate_version: of RO-Crate.
        copy_files: local files to put into an RO-Crate.
        as_page: whether to wrap schema.org in an HTML element.
    """

    extent: Extent = EVERYTHING
    lineage: Lineage | None = None
    format: Format | None = JSON_LD
    target: Target | None = None
    arrangement: Arrangement | None = None
    crate_version: str = VERSIONS[0]
    copy_files: frozenset[Path] = frozenset()
    as_page: bool = False


@dataclass(frozen=True)
class ExportPreview:
    """A preview.

    Args:
        text: the beginning.
        heading: says whether the text is complete, or names the file of a crate.
        lacks: missing data, required first.
        told: notes, one sentence each.
        here: local files that can be put into a crate.
    """

    text: str
    heading: str
    lacks: tuple[Lack, ...] = ()
    told: tuple[str, ...] = ()
    here: tuple[Path, ...] = ()


@dataclass(frozen=True)
class ExportDone:
    """The result: a sentence about the export, and one about reading it back."""

    path: Path
    sentence: str
    read_back: str


def preview_export(session: Session, order: ExportOrder, *, limits: Limits = NO_LIMITS) -> ExportPreview:
    """Preview a request; for a large graph, from some of its statements.

    Raises:
        ExplorerError: as `carry_out`.
    """
    if order.target is not None:
        prepared = _prepared(session, order, order.target, limits)
        text = html_snippet(dict(prepared.document)) if order.as_page else prepared.text
        if order.target is Target.CROISSANT:
            # The context is always the same, and long.
            text = text.replace(_CROISSANT_CONTEXT, "{ … }", 1)
        of = METADATA_NAME if order.target in (Target.RO_CRATE, Target.RUN_CRATE) else ""
        refused = (f"not read: {place}: outside the folders of the sources, or hidden" for place in prepared.refused)
        shown = _preview(text, of, whole=True, lacks=prepared.lacks, told=(*refused, *prepared.told))
        return replace(shown, here=prepared.here)
    assert order.format is not None
    quads, told = _statements(session, order, limits, most=_PREVIEWED + 1)
    some = list(islice(quads, _PREVIEWED + 1))
    whole = len(some) <= _PREVIEWED
    arrangement = completed(order.arrangement, session, order.extent, limits)
    text, _ = text_read_back(some[:_PREVIEWED], order.format, session.prefixes, arrangement=arrangement)
    if order.lineage is None:
        said = loss_of_names(graphs_without_names(session, order.extent, order.format, limits=limits), order.format)
        told = (*told, said) if said else told
    return _preview(text, "", whole=whole, told=told)


def _prepared(session: Session, order: ExportOrder, target: Target, limits: Limits) -> Prepared:
    return prepare(
        session,
        target,
        order.extent,
        crate_version=order.crate_version,
        copy_files=order.copy_files,
        quads=None if order.lineage is None else _statements(session, order, limits)[0],
        limits=limits,
    )


def _statements(
    session: Session, order: ExportOrder, limits: Limits, *, most: int | None = None
) -> tuple[Iterable[Quad], tuple[str, ...]]:
    if order.lineage is not None:
        return without_source_graphs(session, lineage_quads(session.store, order.lineage, limits=limits)), ()
    chosen = chosen_quads(session, order.extent, most=most, limits=limits)
    return chosen.quads, (chosen.sentence,) if chosen.sentence else ()


def _preview(
    text: str, of: str, *, whole: bool, lacks: tuple[Lack, ...] = (), told: tuple[str, ...] = ()
) -> ExportPreview:
    lines = text.splitlines()
    shown = [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…" for line in lines[:_LINES]]
    is_all = whole and len(lines) <= _LINES
    heading = of or ("Preview" if is_all else "Preview of the beginning")
    return ExportPreview("\n".join(shown), heading, lacks, told)


def carry_out(session: Session, order: ExportOrder, path: Path, *, limits: Limits = NO_LIMITS) -> ExportDone:
    """Carry out a request.

    Raises:
        ExplorerError: as `export_graph`, `export_lineage`, `prepare` and `write`.
    """
    if order.target is not None:
        prepared = _prepared(session, order, order.target, limits)
        found = write(prepared, path, limits=limits)
        missing = sum(lack.is_required for lack in prepared.lacks)
        wanting = f", {missing} required missing" if missing else ""
        return ExportDone(path.absolute(), f"Exported {order.target.title}{wanting}", found)
    if order.lineage is not None:
        report = export_lineage(session, order.lineage, path, limits=limits)
    else:
        name = None if order.format is None else order.format.name
        report = export_graph(
            session, path, extent=order.extent, format_name=name, arrangement=order.arrangement, limits=limits
        )
    number = f"{report.triples:,} triple" + ("" if report.triples == 1 else "s")
    return ExportDone(Path(report.path).absolute(), f"Exported {number} as {report.format}", report.read_back)
