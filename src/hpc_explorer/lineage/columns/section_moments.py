"""Tables of sections as of a moment: what began or was generated later is left out of them.

Where more has to be known for that than the one time at which each began, the columns do not answer.
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
    """Leaves out of tables what was not there at a moment.

    Args:
        is_tree: whether nothing is a section of two things, nor told twice.
    """

    def __init__(
        self, columns: Columns, work: Work, expressions: ColumnExpressions, moment: Moment, *, is_tree: bool
    ) -> None:
        self._columns, self._work, self._sql = columns, work, expressions
        self._moment, self._is_tree = moment, is_tree

    def leave_out(self, table: str) -> None:
        """Leave out of a table of sections those that began after the moment.

        Raises:
            NotByColumns: of some of them more has to be known than the one time at which each began.
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
        """Leave out of a table of sections when they ended, of those that had not ended yet."""
        self._work.run(f"UPDATE {table} SET ended = NULL WHERE ended > {microseconds(self._moment.at)}")

    def _undated_came_of_the_whole(self, table: str, tops: Collection[int]) -> None:
        """See that undated sections came of nothing but what they are sections of: then they were there with it.

        Raises:
            NotByColumns: they may have come of something else, or that was not there itself.
        """
        self._refuse_other_ways()
        self._refuse({PROV.wasGeneratedBy, PROV.wasDerivedFrom}, table, "id")
        wholes = set(self._columns.resources(tops).values())
        if not self._is_tree or self._moment.there(wholes) != wholes:
            raise NotByColumns("undated sections")

    def _refuse_other_ways(self) -> None:
        """Leave graphs to others in which things come of things in more ways than PROV-ML tells of.

        Raises:
            NotByColumns: this is one.
        """
        vocabulary = self._moment.vocabulary.of(BEFORE)
        others = vocabulary.direct.keys() - {PROV.wasGeneratedBy, PROV.wasDerivedFrom, PROV.wasInformedBy}
        for facts in self._sql.known((*others, *vocabulary.outer)):
            raise NotByColumns(facts.iri)

    def leave_out_numbers(self) -> None:
        """Leave the numbers out that were generated after the moment; undated ones came with their section.

        Raises:
            NotByColumns: of some of them more has to be known than that.
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
        """Leave to others what some predicates say more of.

        Raises:
            NotByColumns: they do of something in that column of the table.
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
