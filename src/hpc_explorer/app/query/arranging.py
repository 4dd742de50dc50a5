"""Which of the rows that came are shown, and in which order."""

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
    """How the rows are to stand.

    Args:
        sought: what is in them; empty: anything.
        within: the column that it is in; None: any.
        by: the column that they are sorted by; below 0: as they came.
    """

    sought: str = ""
    within: int | None = None
    by: int = -1
    descending: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether all rows stand as they came."""
        return not self.sought and self.by < 0


def arranged_rows(
    session: Session, held: HeldRows, wanted: Arrangement, *, count: int, limits: Limits = NO_LIMITS
) -> Sequence[int]:
    """The numbers of the rows that are shown, in their order.

    Args:
        count: so many rows are looked at; more may come meanwhile.
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
    """Labels decide which rows are shown and in which order, so all of them are needed."""
    if wanted.sought or held.columns[wanted.by].kind in (CellKind.RESOURCE, CellKind.TEXT):
        for part in names_of(session, list(held.unnamed), limits=limits):
            held.name(part.refs, part.values)
