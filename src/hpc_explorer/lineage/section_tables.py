"""Tables of sections and of the numbers that they made, from the facts by column.

They are made for one question and gone when it is answered. Where all is told in one row, as in large graphs it mostly
is, each is made by one look at the rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from hpc_explorer.lineage.as_of import BEFORE, BORN, GONE, QUALIFIED, Moment, moment_of
from hpc_explorer.lineage.column_walk import steps_up
from hpc_explorer.lineage.facts import VALUES
from hpc_explorer.lineage.section_facts import (
    SECTION_TO_PLAN,
    SECTION_TO_VALUE,
    SECTION_TO_WHOLE,
    VALUE_TO_PLAN,
    VALUE_TO_SECTION,
    WHOLE_TO_SECTION,
    Kind,
)
from hpc_explorer.rdf.namespaces import PROV, RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.layout import LITERAL, PredicateFacts
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.columns.work import Work

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""From when on the columns count."""

Kinds = dict[tuple[int | None, int | None], Kind]
"""What pairs of a plan and a class, as numbers of resources, mean."""

_DOWN = dict.fromkeys(SECTION_TO_WHOLE, False) | dict.fromkeys(WHOLE_TO_SECTION, True)
_MADE = dict.fromkeys(VALUE_TO_SECTION, False) | dict.fromkeys(SECTION_TO_VALUE, True)

# What is read as a number where there is none beside it: `xsd:double` reads the text of these.
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

# The order of siblings, `section_facts.section_order`: digits are compared as numbers, of any length. Most names end
# with their number, which is cut off faster than found.
_DIGITS = r"""ltrim(CASE WHEN name[-1] BETWEEN '0' AND '9' THEN name[length(rtrim(name, '0123456789')) + 1:]
    ELSE regexp_extract(name, '(\d+)\D*$', 1) END, '0')"""
_LAST_DIGITS = r"""CASE WHEN iri[-1] = '>' AND iri[-2] BETWEEN '0' AND '9' THEN regexp_extract(iri, '(\d+)>$', 1)
    ELSE regexp_extract(iri, '(\d+)\D*$', 1) END"""
_HAS_DIGITS = r"(name[-1] BETWEEN '0' AND '9' OR regexp_matches(name, '\d'))"
_NAMED = f"""SELECT id, name, {_DIGITS} AS digits, {_HAS_DIGITS} AS numbered FROM (
    SELECT id, CASE WHEN iri[1] = '<' THEN iri[2:-2] ELSE iri END AS name FROM term
    WHERE id IN (SELECT id FROM {{}}))"""
# Later than all that is dated, in microseconds.
_UNDATED = 2**62
_IN_ORDER = "began NULLS LAST, numbered, length(digits), digits, name"


@dataclass(frozen=True)
class _Told:
    """Where a table has what is told of its resources: an expression, and what is to be joined to it on `l.id`."""

    sql: str
    join: str = ""


class SectionTables:
    """Tables made one from the other.

        told(top, parent, id, plan, class, began, ended, spot)  the sections so deep below some activities
        number(section, v, x, of_plan, of_class)                the numbers that they made, each once

    `top` is the activity, `parent` what lies just above. Plans and classes are numbers of resources, of several the one
    whose IRI comes first. The spot is the order as far as numbers tell it: by what lies above, then by the start. Names
    are compared only where spots are equal; they are slow.

    Args:
        general: classes that tell no kind.
        kinds: pairs that are known already; more are added.
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
        self._moment = moment
        ways = self._known(_DOWN)
        # Whether nothing is a section of two things, nor told twice.
        self.is_tree = len(ways) == 1 and ways[0].wide and NamedNode(ways[0].iri) in SECTION_TO_WHOLE
        self._whole = f"node.{ways[0].column('o')}" if self.is_tree else ""

    # Sections

    def tell_sections(self, tops: Collection[int], depth: int, *, placed: bool = False, with_end: bool = False) -> None:
        """Make `told` of what lies so deep below some activities.

        Args:
            placed: with its spot.
            with_end: with when each ended.
        """
        self._go_down(tops, depth - 1)
        above = self._places_above(depth) if placed else f"level{depth - 1}"
        level = f"level{depth}"
        # Where all is told once and in one table, one look at it will do.
        if self.is_tree and self._in_rows(SECTION_TO_PLAN, {RDF.type}) and self._dated_in_rows():
            head, source = (
                f"up.top, {self._whole} AS parent, node.id",
                f"node JOIN {above} AS up ON up.id = {self._whole}",
            )
        else:
            self._go_down_to(depth)
            head, source = "l.top, l.parent, l.id", f"node JOIN {level} AS l ON node.id = l.id"
            source += f" JOIN {above} AS up ON up.top = l.top AND up.id = l.parent" if placed else ""
        began = self._moments(PROV.startedAtTime, "min", level, "begins")
        spot = f"CAST(up.place AS HUGEINT) * {2 * _UNDATED} + coalesce({began.sql}, {_UNDATED})"
        parts = {
            "plan": self._one_of(SECTION_TO_PLAN, level, "plans"),
            "class": self._one_of({RDF.type}, level, "classes"),
            "began": began,
            "ended": self._moments(PROV.endedAtTime, "max", level, "ends_at") if with_end else _Told("NULL"),
            "spot": _Told(spot if placed else "NULL"),
        }
        self._work.run(
            f"CREATE TEMP TABLE told AS SELECT {head}, "
            f"{', '.join(f'{part.sql} AS {name}' for name, part in parts.items())} "
            f"FROM {source} {' '.join(part.join for part in parts.values())}"
        )
        if self._moment is not None:
            self._leave_out_later("told")
            self._work.run(f"UPDATE told SET ended = NULL WHERE ended > {_microseconds(self._moment.at)}")

    def _go_down(self, tops: Collection[int], depth: int) -> None:
        self._work.run(
            "CREATE TEMP TABLE level0 AS SELECT DISTINCT id AS top, CAST(NULL AS UINTEGER) AS parent, id "
            "FROM (SELECT CAST(unnest(?) AS UINTEGER) AS id)",
            [list(tops)],
        )
        for level in range(1, depth + 1):
            self._go_down_to(level)
            if self._moment is not None:
                self._leave_out_later(f"level{level}")

    def _go_down_to(self, level: int) -> None:
        steps = steps_up(self._columns, _DOWN, f"level{level - 1}") or _NO_STEPS
        distinct = "" if self.is_tree else "DISTINCT"
        self._work.run(
            f"CREATE TEMP TABLE level{level} AS SELECT {distinct} l.top, effect AS parent, cause AS id "
            f"FROM ({steps}) JOIN (SELECT {distinct} top, id FROM level{level - 1}) AS l ON l.id = effect"
        )

    # Numbers

    def tell_numbers(self) -> None:
        """Make `number` of what the sections in `told` made."""
        kinds = [number for one in _READ if (number := self._columns.kind_of(one.value)) is not None]
        in_text = _NUMBER.replace("{kinds}", ", ".join(map(str, kinds)) or "NULL")
        made, said = self._known(_MADE), [facts for facts in self._known(VALUES) if facts.values]
        is_row = len(made) == len(said) == 1 and made[0].wide and said[0].wide
        if is_row and NamedNode(made[0].iri) in VALUE_TO_SECTION and self._in_rows(VALUE_TO_PLAN, {RDF.type}):
            section, literal = made[0].column("o"), {part: f"node.{said[0].column(part)}" for part in LITERAL}
            plan, cls = self._one_of(VALUE_TO_PLAN, "", ""), self._one_of({RDF.type}, "", "")
            self._work.run(
                "CREATE TEMP TABLE number AS SELECT section, v, x, of_plan, of_class FROM ("
                f"SELECT node.{section} AS section, node.id AS v, {in_text.format(**literal)} AS x, "
                f"{plan.sql} AS of_plan, {cls.sql} AS of_class FROM node "
                f"WHERE {literal['d']} IS NOT NULL AND node.{section} IN (SELECT id FROM told)) WHERE x IS NOT NULL"
            )
            if self._moment is not None:
                self._leave_out_later_numbers()
            return
        if self._moment is not None:
            raise NotByColumns("values that several sections may have made")
        steps = steps_up(self._columns, _MADE, "told") or _NO_STEPS
        self._work.run(
            f"CREATE TEMP TABLE made AS SELECT {self._distinct(_MADE)} effect AS section, cause AS id FROM ({steps})"
        )
        plan, cls = self._one_of(VALUE_TO_PLAN, "made", "of_plans"), self._one_of({RDF.type}, "made", "of_classes")
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
            f"CREATE TEMP TABLE read AS SELECT {self._distinct(VALUES)} id, x FROM "
            f"(SELECT id, {x} AS x FROM ({' UNION ALL '.join(sources)})) WHERE x IS NOT NULL"
        )
        self._work.run(
            f"CREATE TEMP TABLE number AS SELECT l.section, l.id AS v, read.x, {plan.sql} AS of_plan, "
            f"{cls.sql} AS of_class FROM node JOIN made AS l ON node.id = l.id JOIN read ON read.id = l.id "
            f"{plan.join} {cls.join}"
        )

    # As of a moment

    def _leave_out_later(self, table: str) -> None:
        """Leave out of a table of sections those that began after the moment.

        Raises:
            NotByColumns: of some of them more has to be known than the one time at which each began.
        """
        assert self._moment is not None
        self._refuse(BORN - {PROV.startedAtTime} | GONE | QUALIFIED.keys(), table, "id")
        began = self._columns.predicate(PROV.startedAtTime)
        if began is None or not self._dated_in_rows():
            raise NotByColumns("when sections began")
        m, which = began.column("m"), f"id IN (SELECT id FROM {table})"
        undated = self._work.run(
            f"SELECT DISTINCT top FROM {table} WHERE id IN (SELECT id FROM node WHERE {which} AND {m} IS NULL)"
        )
        if undated:
            self._undated_came_of_the_whole(table, [top for (top,) in undated])
        self._work.run(
            f"DELETE FROM {table} WHERE id IN "
            f"(SELECT id FROM node WHERE {which} AND {m} > {_microseconds(self._moment.at)})"
        )

    def _undated_came_of_the_whole(self, table: str, tops: Collection[int]) -> None:
        """See that undated sections came of nothing but what they are sections of: then they were there with it.

        Raises:
            NotByColumns: they may have come of something else, or that was not there itself.
        """
        assert self._moment is not None
        self._refuse_other_ways()
        self._refuse({PROV.wasGeneratedBy, PROV.wasDerivedFrom}, table, "id")
        wholes = set(self._columns.resources(tops).values())
        if not self.is_tree or self._moment.there(wholes) != wholes:
            raise NotByColumns("undated sections")

    def _refuse_other_ways(self) -> None:
        """Leave graphs to others in which things come of things in more ways than PROV-ML tells of.

        Raises:
            NotByColumns: this is one.
        """
        assert self._moment is not None
        vocabulary = self._moment.vocabulary.of(BEFORE)
        others = vocabulary.direct.keys() - {PROV.wasGeneratedBy, PROV.wasDerivedFrom, PROV.wasInformedBy}
        for facts in self._known((*others, *vocabulary.outer)):
            raise NotByColumns(facts.iri)

    def _leave_out_later_numbers(self) -> None:
        """Leave the numbers out that were generated after the moment; undated ones came with their section.

        Raises:
            NotByColumns: of some of them more has to be known than that.
        """
        assert self._moment is not None
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
            if not generated.wide or not _is_plain(generated):
                raise NotByColumns("when values were generated")
            self._work.run(
                "DELETE FROM number WHERE v IN (SELECT id FROM node WHERE "
                f"id IN (SELECT v FROM number) AND {generated.column('m')} > {_microseconds(self._moment.at)})"
            )

    def _refuse(self, predicates: Iterable[NamedNode], table: str, column: str) -> None:
        """Leave to others what some predicates say more of.

        Raises:
            NotByColumns: they do of something in that column of the table.
        """
        for facts in self._known(predicates):
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

    # Order

    def in_order(self) -> str:
        """A SELECT of the sections in `told` with their order, as `id` and `place`.

        The spots tell it if no two are equal, else they and the numbers in the names do, and at last the whole names.
        """
        source = "SELECT id, spot AS place FROM told"
        if self._work.number("SELECT count(*) - count(DISTINCT spot) FROM told"):
            self._work.run(
                "CREATE TEMP TABLE numbered AS SELECT told.id, spot, "
                "CASE digits WHEN '' THEN -1 ELSE TRY_CAST(digits AS BIGINT) END AS number FROM told "
                f"JOIN (SELECT id, {_LAST_DIGITS} AS digits FROM term WHERE id IN (SELECT id FROM told)) AS n "
                "ON n.id = told.id"
            )
            source = "SELECT id, row_number() OVER (ORDER BY spot, number) AS place FROM numbered"
            # Numbers that are too long for the column are none there.
            if self._work.number(
                "SELECT count(*) - count(DISTINCT (spot, number)) + count(*) FILTER (number IS NULL) FROM numbered"
            ):
                source = (
                    f"SELECT told.id, row_number() OVER (ORDER BY spot, {_IN_ORDER}) AS place "
                    f"FROM told JOIN ({_NAMED.format('told')}) AS named ON named.id = told.id"
                )
        return source if self.is_tree else f"SELECT id, min(place) AS place FROM ({source}) GROUP BY id"

    def ends(self) -> list[tuple[Any, ...]]:
        """Of each kind of sections below an activity the first and last ones, and all between that may be, in order.

        Returns:
            The number of the activity, plan and class, and the number of the section; the numbers are kept in `ends`.
        """
        # What is a section of several things stands where it comes first.
        told = "told" if self.is_tree else "(SELECT DISTINCT ON (top, id) * FROM told ORDER BY spot) AS told"
        self._work.run(
            f"CREATE TEMP TABLE ends AS SELECT told.* FROM {told} JOIN (SELECT top, plan, class, min(spot) AS first, "
            f"max(spot) AS last FROM {told} GROUP BY ALL) AS e ON e.top = told.top "
            "AND e.plan IS NOT DISTINCT FROM told.plan AND e.class IS NOT DISTINCT FROM told.class "
            "WHERE spot = first OR spot = last"
        )
        return self._work.run(
            f"SELECT top, plan, class, ends.id FROM ends JOIN ({_NAMED.format('ends')}) AS named "
            f"ON named.id = ends.id ORDER BY spot, {_IN_ORDER}"
        )

    def _places_above(self, depth: int) -> str:
        """A table with the place of what the last level lies below."""
        self._work.run("CREATE OR REPLACE TEMP TABLE above0 AS SELECT top, id, 0 AS place FROM level0")
        for level in range(1, depth):
            began = self._moments(PROV.startedAtTime, "min", f"level{level}", f"begins{level}")
            self._work.run(
                f"CREATE OR REPLACE TEMP TABLE above{level} AS SELECT top, id, min(place) AS place FROM ("
                f"SELECT l.top, l.id, row_number() OVER (ORDER BY above.place, {_IN_ORDER}) AS place FROM ("
                f"SELECT l.*, {began.sql} AS began FROM node JOIN level{level} AS l ON node.id = l.id {began.join}"
                f") AS l JOIN ({_NAMED.format(f'level{level}')}) AS named ON named.id = l.id "
                f"JOIN above{level - 1} AS above ON above.top = l.top AND above.id = l.parent) AS l GROUP BY top, id"
            )
        return f"above{depth - 1}"

    # Kinds

    def kinds(self, pairs: Iterable[Sequence[int | None]]) -> Kinds:
        """What pairs of a plan and a class mean."""
        new = {(plan, cls) for plan, cls in pairs} - self._kinds.keys()
        names = self._columns.resources({one for pair in new for one in pair if one is not None})

        def named(number: int | None, left_out: frozenset[NamedNode] = frozenset()) -> NamedNode | None:
            one = names.get(number) if number is not None else None
            return one if isinstance(one, NamedNode) and one not in left_out else None

        self._kinds.update({(plan, cls): Kind(named(plan), named(cls, self._general)) for plan, cls in new})
        return self._kinds

    def keep(self, table: str, columns: tuple[str, str], kind: Kind) -> None:
        """Leave out of a table what is not of this kind."""
        plan, cls = columns
        pairs = self._work.run(f"SELECT DISTINCT {plan}, {cls} FROM {table}")
        kinds = self.kinds(pairs)
        for other in [pair for pair in pairs if kinds[pair[0], pair[1]] != kind]:
            values = [str(number) if number is not None else "NULL" for number in other]
            self._work.run(
                f"DELETE FROM {table} WHERE {plan} IS NOT DISTINCT FROM {values[0]} "
                f"AND {cls} IS NOT DISTINCT FROM {values[1]}"
            )

    def _one_of(self, predicates: Collection[NamedNode], table: str, name: str) -> _Told:
        """What resources in a table lead to; of several IRIs the first one that is no general class."""
        known = [facts for facts in self._known(predicates) if facts.links]
        if not known:
            return _Told("CAST(NULL AS UINTEGER)")
        if len(known) == 1 and known[0].wide:
            return _Told(f"node.{known[0].column('o')}")
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
        return _Told(f"{name}.what", f"LEFT JOIN {name} ON {name}.id = l.id")

    def _moments(self, predicate: NamedNode, extreme: str, table: str, name: str) -> _Told:
        """The first or last moment that resources in a table name, in microseconds since 1970."""
        facts = self._columns.predicate(predicate)
        if facts is None or not facts.values:
            return _Told("CAST(NULL AS BIGINT)")
        if facts.wide and _is_plain(facts):
            return _Told(f"node.{facts.column('m')}")
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
        return _Told(f"{name}.what", f"LEFT JOIN {name} ON {name}.id = l.id")

    def _in_rows(self, *several: Collection[NamedNode]) -> bool:
        """Whether what some predicates lead to, if anything, stands in a column of `node`, for each of several sets."""
        every = [[facts for facts in self._known(predicates) if facts.links] for predicates in several]
        return all(not known or (len(known) == 1 and known[0].wide) for known in every)

    def _dated_in_rows(self) -> bool:
        known = [facts for facts in self._known((PROV.startedAtTime, PROV.endedAtTime)) if facts.values]
        return all(facts.wide and _is_plain(facts) for facts in known)

    def _known(self, predicates: Iterable[NamedNode]) -> list[PredicateFacts]:
        known = (self._columns.predicate(term) for term in sorted(predicates, key=str))
        return [facts for facts in known if facts is not None]

    def _distinct(self, predicates: Iterable[NamedNode]) -> str:
        return "" if len(self._known(predicates)) < 2 else "DISTINCT"


def _microseconds(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)


def _is_plain(facts: PredicateFacts) -> bool:
    """Whether the moments in the columns say all of these literals."""
    return facts.exact and facts.kinds == (XSD.dateTime.value,)
