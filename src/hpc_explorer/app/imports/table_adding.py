"""Add the statements of a table to the open graph, as one edit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from hpc_explorer.annotate.tables.conversion import KEPT, Conversion
from hpc_explorer.annotate.tables.mapping import TableMapping
from hpc_explorer.annotate.tables.reading import open_table
from hpc_explorer.app.imports.converting import ConversionReport, report_of, with_progress
from hpc_explorer.app.journal.edit_steps import EditStep, journal_steps
from hpc_explorer.app.journal.editing import start_editing, why_not_to_start
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Unsupported
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet

MOST_ADDED = 300_000
"""The most statements of one edit, because an edit is held in memory."""


@dataclass(frozen=True)
class TableAdded:
    """The result of adding a table.

    Args:
        report: its `path` is the table.
        step: the undo step; None if no statement was new.
        resumed: the undo and redo steps of the draft, if one was started.
    """

    report: ConversionReport
    step: EditStep | None
    resumed: tuple[tuple[EditStep, ...], tuple[EditStep, ...]] | None


def why_not_to_add(session: Session) -> str | None:
    """Why no table can be added to the open graph; None if one can."""
    return why_not_to_start(session)


def add_table(
    session: Session,
    table: Path,
    mapping: TableMapping,
    *,
    kept: int = KEPT,
    progress: Callable[[str], None] = lambda _: None,
    limits: Limits = NO_LIMITS,
) -> TableAdded:
    """Add the statements of a table in a graph named after its file. Starts a draft if no workspace is open.

    Args:
        kept: the most rejects in the report.
        progress: receives progress messages.

    Raises:
        InputError: the table cannot be read.
        Unsupported: the open graph cannot be edited, or the table makes too many statements.
        Cancelled, DeadlineExceeded: nothing was changed.
    """
    graph = graph_of(table, mapping)
    nodes = hashlib.sha256(graph.value.encode("utf-8")).hexdigest()[:12]
    with open_table(table, mapping.table) as opened:
        conversion = Conversion(mapping, opened, kept=kept, nodes=f"t{nodes}")
        made: list[Quad] = []
        for quad in with_progress(conversion, limits, progress):
            if len(made) == MOST_ADDED:
                raise Unsupported(
                    f"the table makes more than {MOST_ADDED:,} statements", str(table), "write a file, and open that"
                )
            made.append(Quad(quad.subject, quad.predicate, quad.object, graph))
        made = list(dict.fromkeys(made))
        report = replace(report_of(conversion, opened, table, len(made), streamed=False), may_repeat=False)
    begun = session.workspace is None
    if begun:
        start_editing(session, limits=limits)
    progress("writing the edit")
    step = EditStep.made(session, ChangeSet((), tuple(made), f"Table {table.name}"))
    return TableAdded(report, step, journal_steps(session) if begun else None)


def graph_of(table: Path, mapping: TableMapping) -> NamedNode:
    """The graph for a table: the URI of its file, with the sheet as fragment."""
    sheet = f"#{quote(mapping.table.sheet, safe='')}" if mapping.table.sheet else ""
    return NamedNode(table.absolute().as_uri() + sheet)
