"""Filter and sort the delivered rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hpc_explorer.app.query.streaming import names_of
from hpc_explorer.app.results.rows import HeldRows, rows_with, sorted_rows
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.table import CellKind
from hpc_explorer.stores.base import NO_LIMITS, Limits


@dataclass(frozen=True)
class Arrangement:
    """A filter and a sort order.

    Args:
        sought: the text to find; empty: all rows.
        within: the column to search; None: all.
        by: the column to sort by; negative: unsorted.
    """

    sought: str = ""
    within: int | None = None
    by: int = -1
    descending: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether all rows are in their original order."""
        return not self.sought and self.by < 0


def arranged_rows(
    session: Session, held: HeldRows, wanted: Arrangement, *, count: int, limits: Limits = NO_LIMITS
) -> Sequence[int]:
    """The indexes of the rows to show, in order.

    Args:
        count: the number of rows to consider; more may arrive meanwhile.
    """
    if session.store.capabilities.remote:
        _look_up_all(session, held, wanted, limits)
    shown: Sequence[int] = range(count)
    if wanted.sought:
        shown = rows_with(held, wanted.sought, wanted.within, count=count, limits=limits)
    if wanted.by >= 0:
        shown = sorted_rows(held, wanted.by, descending=wanted.descending, among=shown, limits=limits)
    return shown


def _look_up_all(session: Session, held: HeldRows, wanted: Arrangement, limits: Limits) -> None:
    """Look up all labels, because they decide which rows match and how they sort."""
    if wanted.sought or held.columns[wanted.by].kind in (CellKind.RESOURCE, CellKind.TEXT):
        for part in names_of(session, list(held.unnamed), limits=limits):
            held.name(part.refs, part.values)
