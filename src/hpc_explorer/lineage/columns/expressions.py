"""SQL expressions over the columns for the objects, starts and ends of resources.

Predicates with one value per resource are columns of `node`; others need a joined table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hpc_explorer.lineage.time.as_of import moment_of
from hpc_explorer.rdf.namespaces import PROV, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.layout import PredicateFacts
from hpc_explorer.stores.columns.work import Work

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""The zero of the moment columns."""


@dataclass(frozen=True)
class Expression:
    """An SQL expression about the resources `l.id`, with the joins it needs."""

    sql: str
    join: str = ""


class ColumnExpressions:
    """Expressions for one question; their tables are dropped with its work.

    Args:
        general: classes too general to define a kind.
    """

    def __init__(self, columns: Columns, work: Work, general: frozenset[NamedNode]) -> None:
        self._columns, self._work, self._general = columns, work, general

    def one_of(self, predicates: Collection[NamedNode], table: str, name: str) -> Expression:
        """The object of each resource in a table; of several IRIs the first that is not a general class."""
        known = [facts for facts in self.known(predicates) if facts.links]
        if not known:
            return Expression("CAST(NULL AS UINTEGER)")
        if len(known) == 1 and known[0].wide:
            return Expression(f"node.{known[0].column('o')}")
        pairs = " UNION ALL ".join(
            f"SELECT id, {facts.column('o')} AS what FROM node "
            f"WHERE {facts.column('o')} IS NOT NULL AND id IN (SELECT id FROM {table})"
            if facts.wide
            else f"SELECT s AS id, o AS what FROM link WHERE p = {facts.id} AND s IN (SELECT id FROM {table})"
            for facts in known
        )
        self._work.run(f"CREATE TEMP TABLE {name}_all AS {pairs}")
        found = self._columns.resources(what for (what,) in self._work.run(f"SELECT DISTINCT what FROM {name}_all"))
        said = sorted(
            (one.value, number)
            for number, one in found.items()
            if isinstance(one, NamedNode) and one not in self._general
        )
        self._work.run(
            f"CREATE TEMP TABLE {name} AS SELECT id, arg_min(what, place) AS what FROM {name}_all JOIN "
            "(SELECT CAST(unnest(?) AS UINTEGER) AS one, unnest(range(?)) AS place) ON one = what GROUP BY id",
            [[number for _, number in said], len(said)],
        )
        return Expression(f"{name}.what", f"LEFT JOIN {name} ON {name}.id = l.id")

    def moments(self, predicate: NamedNode, extreme: str, table: str, name: str) -> Expression:
        """The first or last moment of resources in a table, in microseconds since 1970."""
        facts = self._columns.predicate(predicate)
        if facts is None or not facts.values:
            return Expression("CAST(NULL AS BIGINT)")
        if facts.wide and is_plain(facts):
            return Expression(f"node.{facts.column('m')}")
        t, m, d = (facts.column(part) if facts.wide else part for part in ("t", "m", "d"))
        source = (
            f"SELECT id, {t} AS t, {m} AS m FROM node WHERE {d} IS NOT NULL AND id IN (SELECT id FROM {table})"
            if facts.wide
            else f"SELECT s AS id, t, m FROM value WHERE p = {facts.id} AND s IN (SELECT id FROM {table})"
        )
        self._work.run(f"CREATE OR REPLACE TEMP TABLE {name}_all AS {source}")
        texts = self._work.run(f"SELECT DISTINCT t FROM {name}_all WHERE m IS NULL AND t IS NOT NULL")
        moments = {text: moment for (text,) in texts if (moment := moment_of(Literal(text))) is not None}
        self._work.run(
            f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT id, {extreme}(coalesce(m, said)) AS what FROM {name}_all "
            "LEFT JOIN (SELECT unnest(CAST(? AS VARCHAR[])) AS text, unnest(CAST(? AS BIGINT[])) AS said) ON text = t "
            "GROUP BY id",
            [list(moments), [(moment - EPOCH) // timedelta(microseconds=1) for moment in moments.values()]],
        )
        return Expression(f"{name}.what", f"LEFT JOIN {name} ON {name}.id = l.id")

    def in_rows(self, *several: Collection[NamedNode]) -> bool:
        """For several sets of predicates, whether each is in columns of `node`."""
        every = [[facts for facts in self.known(predicates) if facts.links] for predicates in several]
        return all(not known or (len(known) == 1 and known[0].wide) for known in every)

    def dated_in_rows(self) -> bool:
        """Whether all starts and ends of activities are moments in columns of `node`."""
        known = [facts for facts in self.known((PROV.startedAtTime, PROV.endedAtTime)) if facts.values]
        return all(facts.wide and is_plain(facts) for facts in known)

    def known(self, predicates: Iterable[NamedNode]) -> list[PredicateFacts]:
        """The statistics of predicates; unused ones are left out."""
        known = (self._columns.predicate(term) for term in sorted(predicates, key=str))
        return [facts for facts in known if facts is not None]

    def distinct(self, predicates: Iterable[NamedNode]) -> str:
        """ "DISTINCT" if rows over these predicates may repeat, else ""."""
        return "" if len(self.known(predicates)) < 2 else "DISTINCT"


def microseconds(at: datetime) -> int:
    """A moment in microseconds, as in the columns."""
    return (at - EPOCH) // timedelta(microseconds=1)


def is_plain(facts: PredicateFacts) -> bool:
    """Whether the moment column represents all these literals exactly."""
    return facts.exact and facts.kinds == (XSD.dateTime.value,)
