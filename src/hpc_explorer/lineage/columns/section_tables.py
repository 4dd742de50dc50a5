"""Temporary tables of sections and of the numbers they made, from the columns.

They exist for one question. Where all facts are in one table, as in most large graphs, each is made in one scan.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from hpc_explorer.lineage.columns.expressions import ColumnExpressions, Expression
from hpc_explorer.lineage.columns.section_moments import SectionsAsOf
from hpc_explorer.lineage.columns.walk import steps_up
from hpc_explorer.lineage.facts.facts import VALUES
from hpc_explorer.lineage.phases.section_facts import (
    SECTION_TO_PLAN,
    SECTION_TO_VALUE,
    SECTION_TO_WHOLE,
    VALUE_TO_PLAN,
    VALUE_TO_SECTION,
    WHOLE_TO_SECTION,
    SectionKind,
)
from hpc_explorer.lineage.time.as_of import Moment
from hpc_explorer.rdf.namespaces import PROV, RDF, XSD
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.layout import LITERAL
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.columns.work import Work

Kinds = dict[tuple[int | None, int | None], SectionKind]
"""The kinds of pairs of plan and class, given as ids."""

_DOWN = dict.fromkeys(SECTION_TO_WHOLE, False) | dict.fromkeys(WHOLE_TO_SECTION, True)
_MADE = dict.fromkeys(VALUE_TO_SECTION, False) | dict.fromkeys(SECTION_TO_VALUE, True)

# Datatypes whose text is read as a number, with the syntax of `xsd:double`.
_READ = (XSD.double, XSD.float, XSD.decimal, XSD.integer, XSD.string)
_NUMBER = r"""CASE
    WHEN {n} IS NOT NULL THEN {n}
    WHEN {d} NOT IN ({kinds}) THEN NULL
    WHEN regexp_matches(trim({t}), '^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$') THEN
        coalesce(TRY_CAST(trim({t}) AS DOUBLE), CASE WHEN trim({t})[1] = '-' THEN '-inf' ELSE 'inf' END::DOUBLE)
    WHEN trim({t}) = 'NaN' THEN 'nan'::DOUBLE
    WHEN trim({t}) IN ('INF', '+INF') THEN 'inf'::DOUBLE
    WHEN trim({t}) = '-INF' THEN '-inf'::DOUBLE END"""


_NO_STEPS = "SELECT CAST(NULL AS UINTEGER) AS effect, CAST(NULL AS UINTEGER) AS cause WHERE false"

# The order of siblings as in `section_facts.section_order`, with numbers of any length. Most names end with their
# number, and cutting it off is faster than searching.
_DIGITS = r"""ltrim(CASE WHEN name[-1] BETWEEN '0' AND '9' THEN name[length(rtrim(name, '0123456789')) + 1:]
    ELSE regexp_extract(name, '(\d+)\D*$', 1) END, '0')"""
_LAST_DIGITS = r"""CASE WHEN iri[-1] = '>' AND iri[-2] BETWEEN '0' AND '9' THEN regexp_extract(iri, '(\d+)>$', 1)
    ELSE regexp_extract(iri, '(\d+)\D*$', 1) END"""
_HAS_DIGITS = r"(name[-1] BETWEEN '0' AND '9' OR regexp_matches(name, '\d'))"
_NAMED = f"""SELECT id, name, {_DIGITS} AS digits, {_HAS_DIGITS} AS numbered FROM (
    SELECT id, CASE WHEN iri[1] = '<' THEN iri[2:-2] ELSE iri END AS name FROM term
    WHERE id IN (SELECT id FROM {{}}))"""
# After all dates, in microseconds.
_UNDATED = 2**62
_IN_ORDER = "began NULLS LAST, numbered, length(digits), digits, name"


class SectionTables:
    """Temporary tables that build on each other.

        sections(top, parent, id, plan, class, began, ended, position)
        number(section, v, x, of_plan, of_class)

    `sections` are those at a depth below some activities, `number` the distinct numbers that they generated. `top` is
    the activity, `parent` the whole just above. Plans and classes are ids of resources; of several, the one whose IRI
    comes first. The position orders sections by what is above them, then by start. Names are compared only where
    positions are equal, because that is slow.

    Args:
        general: classes too general to define a kind.
        kinds: known pairs; more are added.
    """

    def __init__(
        self,
        columns: Columns,
        work: Work,
        general: frozenset[NamedNode],
        kinds: Kinds,
        moment: Moment | None = None,
    ) -> None:
        self._columns, self._work, self._general, self._kinds = columns, work, general, kinds
        self._sql = ColumnExpressions(columns, work, general)
        ways = self._sql.known(_DOWN)
        # Whether each section has one parent, stated once.
        self.is_tree = len(ways) == 1 and ways[0].wide and NamedNode(ways[0].iri) in SECTION_TO_WHOLE
        # Each section once per activity. A section with several parents counts where it comes first.
        distinct = "(SELECT DISTINCT ON (top, id) * FROM sections ORDER BY position) AS sections"
        self.distinct_sections = "sections" if self.is_tree else distinct
        self._whole = f"node.{ways[0].column('o')}" if self.is_tree else ""
        self._as_of = None if moment is None else SectionsAsOf(columns, work, self._sql, moment, is_tree=self.is_tree)

    def create_sections(
        self, tops: Collection[int], depth: int, *, placed: bool = False, with_end: bool = False
    ) -> None:
        """Fill `sections` with those at a depth below some activities.

        Args:
            placed: with the position.
            with_end: with the end of each.
        """
        self._go_down(tops, depth - 1)
        above = self._places_above(depth) if placed else f"level{depth - 1}"
        level = f"level{depth}"
        # One scan is enough if everything is stated once and in one table.
        if self.is_tree and self._sql.in_rows(SECTION_TO_PLAN, {RDF.type}) and self._sql.dated_in_rows():
            head, source = (
                f"up.top, {self._whole} AS parent, node.id",
                f"node JOIN {above} AS up ON up.id = {self._whole}",
            )
        else:
            self._go_down_to(depth)
            head, source = "l.top, l.parent, l.id", f"node JOIN {level} AS l ON node.id = l.id"
            source += f" JOIN {above} AS up ON up.top = l.top AND up.id = l.parent" if placed else ""
        began = self._sql.moments(PROV.startedAtTime, "min", level, "begins")
        position = f"CAST(up.place AS HUGEINT) * {2 * _UNDATED} + coalesce({began.sql}, {_UNDATED})"
        parts = {
            "plan": self._sql.one_of(SECTION_TO_PLAN, level, "plans"),
            "class": self._sql.one_of({RDF.type}, level, "classes"),
            "began": began,
            "ended": self._sql.moments(PROV.endedAtTime, "max", level, "ends_at") if with_end else Expression("NULL"),
            "position": Expression(position if placed else "NULL"),
        }
        self._work.run(
            f"CREATE TEMP TABLE sections AS SELECT {head}, "
            f"{', '.join(f'{part.sql} AS {name}' for name, part in parts.items())} "
            f"FROM {source} {' '.join(part.join for part in parts.values())}"
        )
        if self._as_of is not None:
            self._as_of.leave_out("sections")
            self._as_of.leave_out_ends("sections")

    def _go_down(self, tops: Collection[int], depth: int) -> None:
        self._work.run(
            "CREATE TEMP TABLE level0 AS SELECT DISTINCT id AS top, CAST(NULL AS UINTEGER) AS parent, id "
            "FROM (SELECT CAST(unnest(?) AS UINTEGER) AS id)",
            [list(tops)],
        )
        for level in range(1, depth + 1):
            self._go_down_to(level)
            if self._as_of is not None:
                self._as_of.leave_out(f"level{level}")

    def _go_down_to(self, level: int) -> None:
        steps = steps_up(self._columns, _DOWN, f"level{level - 1}") or _NO_STEPS
        distinct = "" if self.is_tree else "DISTINCT"
        self._work.run(
            f"CREATE TEMP TABLE level{level} AS SELECT {distinct} l.top, effect AS parent, cause AS id "
            f"FROM ({steps}) JOIN (SELECT {distinct} top, id FROM level{level - 1}) AS l ON l.id = effect"
        )

    def create_numbers(self) -> None:
        """Fill `number` with the values generated by the rows of `sections`."""
        kinds = [number for one in _READ if (number := self._columns.kind_of(one.value)) is not None]
        in_text = _NUMBER.replace("{kinds}", ", ".join(map(str, kinds)) or "NULL")
        made, said = (
            self._sql.known(_MADE),
            [facts for facts in self._sql.known(VALUES) if facts.values],
        )
        is_row = len(made) == len(said) == 1 and made[0].wide and said[0].wide
        if is_row and NamedNode(made[0].iri) in VALUE_TO_SECTION and self._sql.in_rows(VALUE_TO_PLAN, {RDF.type}):
            section, literal = made[0].column("o"), {part: f"node.{said[0].column(part)}" for part in LITERAL}
            plan, cls = self._sql.one_of(VALUE_TO_PLAN, "", ""), self._sql.one_of({RDF.type}, "", "")
            self._work.run(
                "CREATE TEMP TABLE number AS SELECT section, v, x, of_plan, of_class FROM ("
                f"SELECT node.{section} AS section, node.id AS v, {in_text.format(**literal)} AS x, "
                f"{plan.sql} AS of_plan, {cls.sql} AS of_class FROM node "
                f"WHERE {literal['d']} IS NOT NULL AND node.{section} IN (SELECT id FROM sections)) WHERE x IS NOT NULL"
            )
            if self._as_of is not None:
                self._as_of.leave_out_numbers()
            return
        if self._as_of is not None:
            raise NotByColumns("values that several sections may have made")
        steps = steps_up(self._columns, _MADE, "sections") or _NO_STEPS
        self._work.run(
            f"CREATE TEMP TABLE made AS SELECT {self._sql.distinct(_MADE)} effect AS section, cause AS id "
            f"FROM ({steps})"
        )
        plan, cls = (
            self._sql.one_of(VALUE_TO_PLAN, "made", "of_plans"),
            self._sql.one_of({RDF.type}, "made", "of_classes"),
        )
        sources = [
            f"SELECT id, {', '.join(f'{facts.column(part)} AS {part}' for part in LITERAL)} FROM node "
            f"WHERE {facts.column('d')} IS NOT NULL AND id IN (SELECT id FROM made)"
            if facts.wide
            else f"SELECT s AS id, {', '.join(LITERAL)} FROM value WHERE p = {facts.id} AND s IN (SELECT id FROM made)"
            for facts in said
        ]
        if not sources:
            sources = ["SELECT CAST(NULL AS UINTEGER) AS id, NULL AS d, '' AS t, 0.0 AS n, NULL AS m WHERE false"]
        x = in_text.format(**{part: part for part in LITERAL})
        self._work.run(
            f"CREATE TEMP TABLE read AS SELECT {self._sql.distinct(VALUES)} id, x FROM "
            f"(SELECT id, {x} AS x FROM ({' UNION ALL '.join(sources)})) WHERE x IS NOT NULL"
        )
        self._work.run(
            f"CREATE TEMP TABLE number AS SELECT l.section, l.id AS v, read.x, {plan.sql} AS of_plan, "
            f"{cls.sql} AS of_class FROM node JOIN made AS l ON node.id = l.id JOIN read ON read.id = l.id "
            f"{plan.join} {cls.join}"
        )

    def in_order(self) -> str:
        """A SELECT of the rows of `sections` with their order, as `id` and `place`.

        Uses positions if they are distinct, else also the numbers in the names, and finally the names.
        """
        source = "SELECT id, position AS place FROM sections"
        if self._work.number("SELECT count(*) - count(DISTINCT position) FROM sections"):
            self._work.run(
                "CREATE TEMP TABLE numbered AS SELECT sections.id, position, "
                "CASE digits WHEN '' THEN -1 ELSE TRY_CAST(digits AS BIGINT) END AS number FROM sections "
                f"JOIN (SELECT id, {_LAST_DIGITS} AS digits FROM term WHERE id IN (SELECT id FROM sections)) AS n "
                "ON n.id = sections.id"
            )
            source = "SELECT id, row_number() OVER (ORDER BY position, number) AS place FROM numbered"
            # Numbers too long for the column are NULL.
            if self._work.number(
                "SELECT count(*) - count(DISTINCT (position, number)) + count(*) FILTER (number IS NULL) FROM numbered"
            ):
                source = (
                    f"SELECT sections.id, row_number() OVER (ORDER BY position, {_IN_ORDER}) AS place "
                    f"FROM sections JOIN ({_NAMED.format('sections')}) AS named ON named.id = sections.id"
                )
        return source if self.is_tree else f"SELECT id, min(place) AS place FROM ({source}) GROUP BY id"

    def ends(self) -> list[tuple[Any, ...]]:
        """The candidates for the first and last section of each kind below an activity, in order.

        Returns:
            Ids of the activity, plan, class and section; the sections are kept in the table `ends`.
        """
        sections = self.distinct_sections
        self._work.run(
            f"CREATE TEMP TABLE ends AS SELECT sections.* FROM {sections} JOIN (SELECT top, plan, class, "
            f"min(position) AS first, max(position) AS last FROM {sections} GROUP BY ALL) AS e ON e.top = sections.top "
            "AND e.plan IS NOT DISTINCT FROM sections.plan AND e.class IS NOT DISTINCT FROM sections.class "
            "WHERE position = first OR position = last"
        )
        return self._work.run(
            f"SELECT top, plan, class, ends.id FROM ends JOIN ({_NAMED.format('ends')}) AS named "
            f"ON named.id = ends.id ORDER BY position, {_IN_ORDER}"
        )

    def _places_above(self, depth: int) -> str:
        """A table with the order of the level above."""
        self._work.run("CREATE OR REPLACE TEMP TABLE above0 AS SELECT top, id, 0 AS place FROM level0")
        for level in range(1, depth):
            began = self._sql.moments(PROV.startedAtTime, "min", f"level{level}", f"begins{level}")
            self._work.run(
                f"CREATE OR REPLACE TEMP TABLE above{level} AS SELECT top, id, min(place) AS place FROM ("
                f"SELECT l.top, l.id, row_number() OVER (ORDER BY above.place, {_IN_ORDER}) AS place FROM ("
                f"SELECT l.*, {began.sql} AS began FROM node JOIN level{level} AS l ON node.id = l.id {began.join}"
                f") AS l JOIN ({_NAMED.format(f'level{level}')}) AS named ON named.id = l.id "
                f"JOIN above{level - 1} AS above ON above.top = l.top AND above.id = l.parent) AS l GROUP BY top, id"
            )
        return f"above{depth - 1}"

    def kinds(self, pairs: Iterable[Sequence[int | None]]) -> Kinds:
        """The kinds of pairs of plan and class."""
        new = {(plan, cls) for plan, cls in pairs} - self._kinds.keys()
        names = self._columns.resources({one for pair in new for one in pair if one is not None})

        def named(number: int | None, left_out: frozenset[NamedNode] = frozenset()) -> NamedNode | None:
            one = names.get(number) if number is not None else None
            return one if isinstance(one, NamedNode) and one not in left_out else None

        self._kinds.update({(plan, cls): SectionKind(named(plan), named(cls, self._general)) for plan, cls in new})
        return self._kinds

    def keep(self, table: str, columns: tuple[str, str], kind: SectionKind) -> None:
        """Remove rows of another kind."""
        plan, cls = columns
        pairs = self._work.run(f"SELECT DISTINCT {plan}, {cls} FROM {table}")
        kinds = self.kinds(pairs)
        for other in [pair for pair in pairs if kinds[pair[0], pair[1]] != kind]:
            values = [str(number) if number is not None else "NULL" for number in other]
            self._work.run(
                f"DELETE FROM {table} WHERE {plan} IS NOT DISTINCT FROM {values[0]} "
                f"AND {cls} IS NOT DISTINCT FROM {values[1]}"
            )
