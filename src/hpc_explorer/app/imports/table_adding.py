"""Add what a table says to what is open: one edit in a draft or workspace, which can be taken back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from hpc_explorer.annotate.tables.conversion import KEPT, Conversion
from hpc_explorer.annotate.tables.mapping import TableMapping
from hpc_explorer.annotate.tables.reading import open_table
from hpc_explorer.app.imports.converting import ConversionReport, report_of, told
from hpc_explorer.app.journal.edit_steps import EditStep, journal_steps
from hpc_explorer.app.journal.editing import start_editing, why_not_to_start
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Unsupported
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet

MOST_ADDED = 300_000
"""How many statements one edit may have, which is held in memory."""


@dataclass(frozen=True)
class TableAdded:
    """A table that was added to what is open.

    Args:
        report: what became of its rows; its path is that of the table.
        step: takes it back; None where nothing was new.
        resumed: the steps that can be taken back and done again, where a draft was begun for it; None otherwise.
    """

    report: ConversionReport
    step: EditStep | None
    resumed: tuple[tuple[EditStep, ...], tuple[EditStep, ...]] | None


def why_not_to_add(session: Session) -> str | None:
    """Why no table can be added to what is open, as a sentence; None where one can."""
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
    """Add what a table says, in a graph named after its file, as one edit; a draft is begun where none is open.

    Args:
        kept: how many rejects are in the report.
        progress: told how far it has come.

    Raises:
        InputError: the table cannot be used.
        Unsupported: what is open cannot be edited, or the table makes too many statements for an edit.
        Cancelled, DeadlineExceeded: by the limits; nothing was changed.
    """
    graph = graph_of(table, mapping)
    nodes = hashlib.sha256(graph.value.encode("utf-8")).hexdigest()[:12]
    with open_table(table, mapping.table) as opened:
        conversion = Conversion(mapping, opened, kept=kept, nodes=f"t{nodes}")
        made: list[Quad] = []
        for quad in told(conversion, limits, progress):
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
    """The graph that a table's statements are added to: the address of its file, with the sheet where one is named."""
    sheet = f"#{quote(mapping.table.sheet, safe='')}" if mapping.table.sheet else ""
    return NamedNode(table.absolute().as_uri() + sheet)
