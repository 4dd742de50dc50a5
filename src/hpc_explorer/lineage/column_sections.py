"""Sections from the facts by column: a whole level, and all its numbers, in one look at each table.

The answers are those of `store_sections.StoreSections`; what the columns cannot tell for certain, that one answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, overload

from hpc_explorer.lineage.as_of import moment_of
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
    SectionFacts,
    Sections,
    Series,
    ValueFacts,
)
from hpc_explorer.rdf.namespaces import PROV, RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.columns.columns import Columns, Work
from hpc_explorer.stores.columns.layout import LITERAL, QUOTED, PredicateFacts
from hpc_explorer.stores.columns.relation import NotByColumns

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[tuple[int], np.dtype[np.uint32]]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DOWN = dict.fromkeys(SECTION_TO_WHOLE, False) | dict.fromkeys(WHOLE_TO_SECTION, True)
_MADE = dict.fromkeys(VALUE_TO_SECTION, False) | dict.fromkeys(SECTION_TO_VALUE, True)
_ALL = frozenset(
    {*_DOWN, *_MADE, *SECTION_TO_PLAN, *VALUE_TO_PLAN, *VALUES, RDF.type, PROV.startedAtTime, PROV.endedAtTime}
)

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
_HAS_DIGITS = r"(name[-1] BETWEEN '0' AND '9' OR regexp_matches(name, '\d'))"
_NAMED = f"""SELECT id, name, {_DIGITS} AS digits, {_HAS_DIGITS} AS numbered FROM (
    SELECT id, CASE WHEN iri[1] = '<' THEN iri[2:-2] ELSE iri END AS name FROM term
    WHERE id IN (SELECT id FROM {{}}))"""
# Later than all that is dated, in microseconds.
_UNDATED = 2**62
_IN_ORDER = "began NULLS LAST, numbered, length(digits), digits, name"


class ColumnSections:
    """Answers about sections from the facts by column, see `section_facts.SectionFacts`.

    Args:
        general: classes that say less than another one of the graph does; no kind is told by them.
        otherwise: who answers what the columns cannot tell for certain.
    """

    def __init__(self, columns: Columns, general: Collection[NamedNode], otherwise: SectionFacts) -> None:
        self._columns = columns
        self._general = frozenset(general)
        self._otherwise = otherwise

    def sections(
        self, activities: Collection[NamedNode], depth: int = 1, *, limits: Limits = NO_LIMITS
    ) -> Mapping[NamedNode, tuple[Sections, ...]]:
        """The sections of each activity at a depth, by kind, the most first."""
        if self._knows_all:
            try:
                return self._sections(activities, depth, limits)
            except NotByColumns:
                pass
        return self._otherwise.sections(activities, depth, limits=limits)

    def values(
        self, sections: Collection[Sections], *, limits: Limits = NO_LIMITS
    ) -> Mapping[Sections, tuple[ValueFacts, ...]]:
        """What is to be said of the numbers that sections made, by kind, the most first."""
        if self._knows_all:
            try:
                found: dict[Sections, tuple[ValueFacts, ...]] = {}
                for depth in sorted({one.depth for one in sections}):
                    found |= self._values([one for one in sections if one.depth == depth], depth, limits)
                return found
            except NotByColumns:
                pass
        return self._otherwise.values(sections, limits=limits)

    def series(self, sections: Sections, value: Kind, *, limits: Limits = NO_LIMITS) -> Series:
        """The numbers of one kind, in the order of the sections."""
        if self._knows_all:
            try:
                return self._series(sections, value, limits)
            except NotByColumns:
                pass
        return self._otherwise.series(sections, value, limits=limits)

    def members(self, sections: Sections, *, limits: Limits = NO_LIMITS) -> tuple[NamedNode, ...]:
        """The sections themselves, in their order."""
        if self._knows_all:
            try:
                return self._members(sections, limits)
            except NotByColumns:
                pass
        return self._otherwise.members(sections, limits=limits)

    @property
    def _knows_all(self) -> bool:
        """Whether the columns tell each of these predicates wholly; an edit may change that."""
        known = (self._columns.predicate(term) for term in _ALL)
        return all(facts is None or QUOTED not in facts.kinds for facts in known)

    def _sections(
        self, activities: Collection[NamedNode], depth: int, limits: Limits
    ) -> dict[NamedNode, tuple[Sections, ...]]:
        tops = self._tops(activities)
        with self._columns.work(limits) as work:
            tables = _Tables(self._columns, work, self._general)
            tables.tell_sections(tops, depth, with_end=True)
            rows = work.run(
                "SELECT top, plan, class, count(*), min(began), max(ended) FROM "
                "(SELECT DISTINCT ON (top, id) * FROM told) GROUP BY ALL"
                if not tables.is_tree
                else "SELECT top, plan, class, count(*), min(began), max(ended) FROM told GROUP BY ALL"
            )
            kinds = tables.kinds((row[1], row[2]) for row in rows)
        groups: dict[tuple[int, Kind], list[tuple[Any, ...]]] = defaultdict(list)
        for top, plan, cls, *facts in rows:
            groups[top, kinds[plan, cls]].append(tuple(facts))
        found: dict[NamedNode, list[Sections]] = defaultdict(list)
        for (top, kind), some in groups.items():
            counts, begins, ends = zip(*some, strict=True)
            began = min((one for one in begins if one is not None), default=None)
            ended = max((one for one in ends if one is not None), default=None)
            found[tops[top]].append(Sections(tops[top], depth, kind, sum(counts), _moment(began), _moment(ended)))
        return {top: tuple(sorted(some, key=lambda one: (-one.count, str(one.kind)))) for top, some in found.items()}

    def _values(
        self, sections: Collection[Sections], depth: int, limits: Limits
    ) -> dict[Sections, tuple[ValueFacts, ...]]:
        tops = self._tops({one.parent for one in sections})
        level = {(one.parent, one.kind): one for one in sections}
        with self._columns.work(limits) as work:
            tables = _Tables(self._columns, work, self._general)
            tables.tell_sections(tops, depth)
            tables.tell_numbers()
            rows = work.run(
                "SELECT top, plan, class, of_plan, of_class, count(*) FILTER (isfinite(x)), "
                "count(*) FILTER (NOT isfinite(x)), min(x) FILTER (isfinite(x)), avg(x) FILTER (isfinite(x)), "
                "max(x) FILTER (isfinite(x)) FROM "
                + (
                    "number JOIN told ON told.id = number.section"
                    if tables.is_tree
                    else "number JOIN (SELECT DISTINCT ON (top, id) * FROM told) AS told ON told.id = number.section"
                )
                + " GROUP BY ALL"
            )
            ends = tables.ends(depth)
            firsts = {
                (section, of_plan, of_class): x
                for section, of_plan, of_class, x in work.run(
                    "SELECT section, of_plan, of_class, min(x) FROM number WHERE section IN (SELECT id FROM ends) "
                    "GROUP BY ALL"
                )
            }
            kinds = tables.kinds([*((row[1], row[2]) for row in rows), *((row[3], row[4]) for row in rows)])
            kinds |= tables.kinds(row[1:3] for row in ends)
            kinds |= tables.kinds(key[1:] for key in firsts)
        least: dict[tuple[int, Kind], float] = {}
        for (section, of_plan, of_class), x in firsts.items():
            key = section, kinds[of_plan, of_class]
            least[key] = min(least.get(key, x), x)
        first: dict[tuple[int, Kind], int] = {}
        last: dict[tuple[int, Kind], int] = {}
        for top, plan, cls, section in ends:  # in the order of the sections
            first.setdefault((top, kinds[plan, cls]), section)
            last[top, kinds[plan, cls]] = section
        groups: dict[tuple[int, Kind, Kind], list[_Sum]] = defaultdict(list)
        for top, plan, cls, of_plan, of_class, *sums in rows:
            groups[top, kinds[plan, cls], kinds[of_plan, of_class]].append(_Sum(*sums))
        found: dict[Sections, list[ValueFacts]] = defaultdict(list)
        for (top, kind, of), some in groups.items():
            one = level.get((tops[top], kind))
            if one is not None:
                begin, end = (least.get((which[top, kind], of)) for which in (first, last))
                found[one].append(_together(of, some, begin, end))
        return {
            one: tuple(sorted(kinds, key=lambda facts: (-facts.count, str(facts.kind)))) for one, kinds in found.items()
        }

    def _series(self, sections: Sections, value: Kind, limits: Limits) -> Series:
        tops = self._tops([sections.parent])
        with self._columns.work(limits) as work:
            tables = _Tables(self._columns, work, self._general)
            tables.tell_sections(tops, sections.depth)
            tables.keep("told", ("plan", "class"), sections.kind)
            tables.tell_numbers()
            tables.keep("number", ("of_plan", "of_class"), value)
            tables.put_in_order(sections.depth)
            ids, numbers = work.arrays(
                "SELECT section, x FROM number JOIN (SELECT id, min(place) AS place FROM ordered GROUP BY id) AS o "
                "ON o.id = number.section ORDER BY place, x, v"
            )
        return Series(_Names(self._columns, ids), numbers.tolist())

    def _members(self, sections: Sections, limits: Limits) -> tuple[NamedNode, ...]:
        tops = self._tops([sections.parent])
        with self._columns.work(limits) as work:
            tables = _Tables(self._columns, work, self._general)
            tables.tell_sections(tops, sections.depth)
            tables.keep("told", ("plan", "class"), sections.kind)
            tables.put_in_order(sections.depth)
            (ids,) = work.arrays("SELECT id FROM ordered GROUP BY id ORDER BY min(place)")
        return tuple(NamedNode(name) for name in _Names(self._columns, ids))

    def _tops(self, activities: Iterable[NamedNode]) -> dict[int, NamedNode]:
        """Their numbers, with what these stand for."""
        found = self._columns.ids_of(activities)
        return {number: top for top, number in found.items() if number is not None and isinstance(top, NamedNode)}


@dataclass(frozen=True)
class _Told:
    """Where a table has what is told of its resources: an expression, and what is to be joined to it on `l.id`."""

    sql: str
    join: str = ""


class _Tables:
    """Tables of sections and their numbers, made one from the other.

        level<k>(top, parent, id)                         what lies k levels below each activity, and just below what
        told(top, parent, id, plan, class, began, ended)  the last level, with its kinds and moments
        number(section, v, x, of_plan, of_class)          the numbers that they made, each once
        ordered(id, place)                                the sections of `told` in their order

    Plans and classes are numbers of resources, of several the one whose IRI comes first.
    """

    def __init__(self, columns: Columns, work: Work, general: frozenset[NamedNode]) -> None:
        self._columns, self._work, self._general = columns, work, general
        ways = self._known(_DOWN)
        # Whether nothing is a section of two things, nor told twice.
        self.is_tree = len(ways) == 1 and ways[0].wide and NamedNode(ways[0].iri) in SECTION_TO_WHOLE
        self._whole = f"node.{ways[0].column('o')}" if self.is_tree else ""

    # Sections

    def tell_sections(self, tops: Collection[int], depth: int, *, with_end: bool = False) -> None:
        """Make `told` of what lies so deep below some activities."""
        self._go_down(tops, depth - 1)
        level, source = f"level{depth}", f"node JOIN level{depth - 1} AS up ON up.id = {self._whole}"
        head = f"up.top, {self._whole} AS parent, node.id"
        # Where all is told once and in one table, one look at it will do.
        if not (self.is_tree and self._in_rows(SECTION_TO_PLAN, {RDF.type}) and self._dated_in_rows()):
            self._go_down_to(depth)
            head, source = "l.top, l.parent, l.id", f"node JOIN {level} AS l ON node.id = l.id"
        parts = {
            "plan": self._one_of(SECTION_TO_PLAN, level, "plans"),
            "class": self._one_of({RDF.type}, level, "classes"),
            "began": self._moments(PROV.startedAtTime, "min", level, "begins"),
            "ended": self._moments(PROV.endedAtTime, "max", level, "ends_at") if with_end else _Told("NULL"),
        }
        self._work.run(
            f"CREATE TEMP TABLE told AS SELECT {head}, "
            f"{', '.join(f'{part.sql} AS {name}' for name, part in parts.items())} "
            f"FROM {source} {' '.join(part.join for part in parts.values())}"
        )

    def _go_down(self, tops: Collection[int], depth: int) -> None:
        self._work.run(
            "CREATE TEMP TABLE level0 AS SELECT DISTINCT id AS top, CAST(NULL AS UINTEGER) AS parent, id "
            "FROM (SELECT CAST(unnest(?) AS UINTEGER) AS id)",
            [list(tops)],
        )
        for level in range(1, depth + 1):
            self._go_down_to(level)

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
        number = _NUMBER.replace("{kinds}", ", ".join(map(str, kinds)) or "NULL")
        made, said = self._known(_MADE), [facts for facts in self._known(VALUES) if facts.values]
        is_row = len(made) == len(said) == 1 and made[0].wide and said[0].wide
        if is_row and NamedNode(made[0].iri) in VALUE_TO_SECTION and self._in_rows(VALUE_TO_PLAN, {RDF.type}):
            section, literal = made[0].column("o"), {part: f"node.{said[0].column(part)}" for part in LITERAL}
            plan, cls = self._one_of(VALUE_TO_PLAN, "", ""), self._one_of({RDF.type}, "", "")
            self._work.run(
                "CREATE TEMP TABLE number AS SELECT section, v, x, of_plan, of_class FROM ("
                f"SELECT node.{section} AS section, node.id AS v, {number.format(**literal)} AS x, "
                f"{plan.sql} AS of_plan, {cls.sql} AS of_class FROM node "
                f"WHERE {literal['d']} IS NOT NULL AND node.{section} IN (SELECT id FROM told)) WHERE x IS NOT NULL"
            )
            return
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
        self._work.run(
            f"CREATE TEMP TABLE read AS SELECT {self._distinct(VALUES)} id, x FROM "
            f"(SELECT id, {number.format(**{part: part for part in LITERAL})} AS x FROM ({' UNION ALL '.join(sources)})) WHERE x IS NOT NULL"
        )
        self._work.run(
            f"CREATE TEMP TABLE number AS SELECT l.section, l.id AS v, read.x, {plan.sql} AS of_plan, "
            f"{cls.sql} AS of_class FROM node JOIN made AS l ON node.id = l.id JOIN read ON read.id = l.id "
            f"{plan.join} {cls.join}"
        )

    # Order

    def put_in_order(self, depth: int) -> None:
        """Make `ordered` of `told`."""
        self._place(depth)
        ((ties,),) = self._work.run("SELECT count(*) - count(DISTINCT spot) FROM placed")
        if not ties:
            self._work.run("CREATE TEMP TABLE ordered AS SELECT id, spot AS place FROM placed")
            return
        self._work.run(
            f"CREATE TEMP TABLE ordered AS SELECT placed.id, row_number() OVER (ORDER BY spot, {_IN_ORDER}) AS place "
            f"FROM placed JOIN ({_NAMED.format('placed')}) AS named ON named.id = placed.id"
        )

    def ends(self, depth: int) -> list[tuple[Any, ...]]:
        """Of each kind of sections below an activity the first and last ones, and all between that may be, in order.

        Returns:
            The number of the activity, plan and class, and the number of the section; the numbers are kept in `ends`.
        """
        self._place(depth)
        self._work.run(
            "CREATE TEMP TABLE ends AS SELECT placed.* FROM placed JOIN (SELECT top, plan, class, min(spot) AS first, "
            "max(spot) AS last FROM placed GROUP BY ALL) AS e ON e.top = placed.top "
            "AND e.plan IS NOT DISTINCT FROM placed.plan AND e.class IS NOT DISTINCT FROM placed.class "
            "WHERE spot = first OR spot = last"
        )
        return self._work.run(
            f"SELECT top, plan, class, ends.id FROM ends JOIN ({_NAMED.format('ends')}) AS named "
            f"ON named.id = ends.id ORDER BY spot, {_IN_ORDER}"
        )

    def _place(self, depth: int) -> None:
        """Make `placed`: `told` with the order as far as numbers tell it, by what lies above and by the start.

        Names are compared only of those that begin at once: there are few, and names are slow.
        """
        above = self._places_above(depth)
        self._work.run(
            f"CREATE TEMP TABLE placed AS SELECT s.*, "
            f"CAST(above.place AS HUGEINT) * {2 * _UNDATED} + coalesce(s.began, {_UNDATED}) AS spot "
            f"FROM told AS s JOIN {above} AS above ON above.top = s.top AND above.id = s.parent"
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

    def kinds(self, pairs: Iterable[Sequence[int | None]]) -> dict[tuple[int | None, int | None], Kind]:
        """What pairs of a plan and a class mean."""
        wanted = {(plan, cls) for plan, cls in pairs}
        names = self._columns.resources({one for pair in wanted for one in pair if one is not None})

        def named(number: int | None, left_out: frozenset[NamedNode] = frozenset()) -> NamedNode | None:
            one = names.get(number) if number is not None else None
            return one if isinstance(one, NamedNode) and one not in left_out else None

        return {(plan, cls): Kind(named(plan), named(cls, self._general)) for plan, cls in wanted}

    def keep(self, table: str, columns: tuple[str, str], kind: Kind) -> None:
        """Leave out of a table what is not of this kind."""
        plan, cls = columns
        kinds = self.kinds(self._work.run(f"SELECT DISTINCT {plan}, {cls} FROM {table}"))
        for other in [pair for pair, one in kinds.items() if one != kind]:
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
            [list(moments), [(moment - _EPOCH) // timedelta(microseconds=1) for moment in moments.values()]],
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


@dataclass(frozen=True)
class _Sum:
    finite: int
    others: int
    lowest: float | None
    mean: float | None
    highest: float | None


def _is_plain(facts: PredicateFacts) -> bool:
    """Whether the moments in the columns say all of these literals."""
    return facts.exact and facts.kinds == (XSD.dateTime.value,)


def _together(kind: Kind, sums: Collection[_Sum], first: float | None, last: float | None) -> ValueFacts:
    """Sums of one kind under several numbers: a blank plan or a general class tells no other kind than none does."""
    lows = [one.lowest for one in sums if one.lowest is not None]
    highs = [one.highest for one in sums if one.highest is not None]
    finite, others = sum(one.finite for one in sums), sum(one.others for one in sums)
    mean = sum(one.mean * (one.finite / finite) for one in sums if one.mean is not None) if finite else None
    return ValueFacts(
        kind, finite + others, min(lows, default=None), mean, max(highs, default=None), first, last, not_finite=others
    )


class _Names(Sequence[str]):
    """The names of many sections, looked up when they are asked for: a plot needs few of them."""

    def __init__(self, columns: Columns, ids: Numbers) -> None:
        self._columns, self._ids = columns, ids

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return self._names(self._ids[index].tolist())
        (name,) = self._names([int(self._ids[index])])
        return name

    def __iter__(self) -> Iterator[str]:
        return iter(self._names(self._ids.tolist()))

    def _names(self, ids: list[int]) -> list[str]:
        found = self._columns.resources(ids)
        texts = {number: str(one) if isinstance(one, BlankNode) else one.value for number, one in found.items()}
        return [texts[number] for number in ids]


def _moment(microseconds: int | None) -> datetime | None:
    return _EPOCH + timedelta(microseconds=microseconds) if microseconds is not None else None
