"""A store that answers queries from columns if they can do so exactly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hpc_explorer.stores.base import NO_LIMITS, Limits, Rows, Store
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.wrapper import StoreWrapper

if TYPE_CHECKING:
    from hpc_explorer.stores.columns.columns import Columns

# Keywords of aggregate queries; the triple store is faster for other queries.
_SUMS = re.compile(r"\b(COUNT|SUM|AVG|MIN|MAX|GROUP\s+BY)\b", re.IGNORECASE)


def is_for_columns(query: str) -> bool:
    """Whether to try the columns for a query."""
    return _SUMS.search(query) is not None


class ColumnStore(StoreWrapper):
    """A store of triples that uses its columns for `select`.

    The triple store answers the rest. Results are the same except for the order of unordered rows, the last digits of
    averages, and the datatype of sums over mixed datatypes.
    """

    def __init__(self, store: Store, columns: Columns) -> None:
        super().__init__(store)
        self.columns = columns

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> Rows:
        """The solutions of a SELECT query; aggregates are computed by the columns if possible."""
        if is_for_columns(query):
            try:
                return self.columns.select(query, limits=limits)
            except NotByColumns:
                pass
        return self._store.select(query, limits=limits)

    def close(self) -> None:
        self.columns.close()
        super().close()
