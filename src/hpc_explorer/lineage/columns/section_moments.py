"""Restrict tables of sections to a moment.

If more than one start time per section is needed, `NotByColumns` is raised.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from hpc_explorer.lineage.columns.expressions import ColumnExpressions, is_plain, microseconds
from hpc_explorer.lineage.time.as_of import BEFORE, BORN, GONE, QUALIFIED, Moment
from hpc_explorer.rdf.namespaces import PROV
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.columns.work import Work


class SectionsAsOf:
    """Removes from tables what did not exist at a moment.

    Args:
        is_tree: whether every section has one parent and is stated once.
    """

    def __init__(
        self, columns: Columns, work: Work, expressions: ColumnExpressions, moment: Moment, *, is_tree: bool
    ) -> None:
        self._columns, self._work, self._sql = columns, work, expressions
        self._moment, self._is_tree = moment, is_tree

    def leave_out(self, table: str) -> None:
        """Remove sections that began after the moment.

        Raises:
            NotByColumns: more than one time per section or number is needed.
        """
        self._refuse(BORN - {PROV.startedAtTime} | GONE | QUALIFIED.keys(), table, "id")
        began = self._columns.predicate(PROV.startedAtTime)
        if began is None or not self._sql.dated_in_rows():
            raise NotByColumns("when sections began")
        m, which = began.column("m"), f"id IN (SELECT id FROM {table})"
        undated = self._work.run(
            f"SELECT DISTINCT top FROM {table} WHERE id IN (SELECT id FROM node WHERE {which} AND {m} IS NULL)"
        )
        if undated:
            self._undated_came_of_the_whole(table, [top for (top,) in undated])
        self._work.run(
            f"DELETE FROM {table} WHERE id IN "
            f"(SELECT id FROM node WHERE {which} AND {m} > {microseconds(self._moment.at)})"
        )

    def leave_out_ends(self, table: str) -> None:
        """Remove the ends of sections that had not ended."""
        self._work.run(f"UPDATE {table} SET ended = NULL WHERE ended > {microseconds(self._moment.at)}")

    def _undated_came_of_the_whole(self, table: str, tops: Collection[int]) -> None:
        """Check that undated sections depend only on their parent, so that they exist whenever it does.

        Raises:
            NotByColumns: they may depend on something else or on something that did not exist.
        """
        self._refuse_other_ways()
        self._refuse({PROV.wasGeneratedBy, PROV.wasDerivedFrom}, table, "id")
        wholes = set(self._columns.resources(tops).values())
        if not self._is_tree or self._moment.there(wholes) != wholes:
            raise NotByColumns("undated sections")

    def _refuse_other_ways(self) -> None:
        """Reject graphs with other derivations than those of PROV-ML.

        Raises:
            NotByColumns: the graph has other derivations.
        """
        vocabulary = self._moment.vocabulary.of(BEFORE)
        others = vocabulary.direct.keys() - {PROV.wasGeneratedBy, PROV.wasDerivedFrom, PROV.wasInformedBy}
        for facts in self._sql.known((*others, *vocabulary.outer)):
            raise NotByColumns(facts.iri)

    def leave_out_numbers(self) -> None:
        """Remove numbers generated after the moment; undated ones belong to their section.

        Raises:
            NotByColumns: more than one time per section or number is needed.
        """
        self._refuse(BORN - {PROV.generatedAtTime} | GONE | QUALIFIED.keys(), "number", "v")
        self._refuse_other_ways()
        derived = self._columns.predicate(PROV.wasDerivedFrom)
        if derived is not None and not derived.wide:
            raise NotByColumns("what values came from")
        if derived is not None:
            o = derived.column("o")
            rows = self._work.run(
                f"SELECT DISTINCT {o} FROM node WHERE {o} IS NOT NULL AND id IN (SELECT v FROM number)"
            )
            causes = set(self._columns.resources(one for (one,) in rows).values())
            if self._moment.there(causes) != causes:
                raise NotByColumns("values of what was not there yet")
        generated = self._columns.predicate(PROV.generatedAtTime)
        if generated is not None and generated.values:
            if not generated.wide or not is_plain(generated):
                raise NotByColumns("when values were generated")
            self._work.run(
                "DELETE FROM number WHERE v IN (SELECT id FROM node WHERE "
                f"id IN (SELECT v FROM number) AND {generated.column('m')} > {microseconds(self._moment.at)})"
            )

    def _refuse(self, predicates: Iterable[NamedNode], table: str, column: str) -> None:
        """Reject statements with some predicates about rows of a table.

        Raises:
            NotByColumns: there are such statements.
        """
        for facts in self._sql.known(predicates):
            of = f"IN (SELECT {column} FROM {table})"
            if facts.wide:
                says = " OR ".join(
                    f"{facts.column(part)} IS NOT NULL"
                    for part, there in (("d", facts.values), ("o", facts.links))
                    if there
                )
                asked = [f"SELECT count(*) FROM node WHERE id {of} AND ({says or 'false'})"]
            else:
                asked = [f"SELECT count(*) FROM {long} WHERE p = {facts.id} AND s {of}" for long in ("value", "link")]
            if any(map(self._work.number, asked)):
                raise NotByColumns(facts.iri)
