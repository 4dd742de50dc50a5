"""Facets from the column store: the set of things in focus is intersected with the sets of predicates and classes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hpc_explorer.query.building import Direction
from hpc_explorer.query.facets.options import ClassOption, PropertyOption, ValueOption
from hpc_explorer.query.facets.texts import Above, Bindings
from hpc_explorer.query.model.query import Duplicates, Form, QueryModel
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.layout import QUOTED
from hpc_explorer.stores.columns.literals import literal_text
from hpc_explorer.stores.columns.members import Members
from hpc_explorer.stores.columns.relation import DOUBLE, Column, ColumnType, NotByColumns, text
from hpc_explorer.stores.columns.translation import translate
from hpc_explorer.stores.columns.work import Work

# The maximum number of subclass statements followed.
_MOST_ABOVE = 200_000


@dataclass(frozen=True)
class InFocus:
    """The bindings of a query's variables, in a table of `work`.

    Args:
        table: its name; empty: the query has no patterns, so anything is in focus.
        column: the type of the last variable; its SQL columns are `f` and its parts.
        main: the type of the first one, in `m` and its parts; None: the same variable.
        members: the resources in focus; None: anything, or literals.
        rows: the number of rows with repetitions.
        different: the number of different rows.
    """

    work: Work
    columns: Columns
    limits: Limits
    table: str
    column: Column
    main: Column | None
    members: Members | None
    rows: int = 0
    different: int = 0

    @property
    def is_literal(self) -> bool:
        """Whether the focus has literals, which have no properties and classes."""
        return self.column.kind is not ColumnType.RESOURCE

    def rows_of(self, query: QueryModel) -> int | None:
        """The number of rows of a query with these bindings; None if they do not determine it."""
        plain = not query.is_grouped and not query.having and query.limit is None and not query.offset
        if not self.table or not self.column.certain or not plain or query.form is not Form.SELECT:
            return None
        if query.duplicates is Duplicates.KEPT:
            return self.rows
        if query.duplicates is not Duplicates.DISTINCT:
            return None
        # If no two rows agree in these variables, none agree in all.
        return self.rows if self.rows == self.different and not query.columns else None

    def number(self) -> int:
        """The number of different bindings of the last variable."""
        if self.members is not None:
            return len(self.members)
        return self.work.number(f"SELECT count(*) FROM (SELECT DISTINCT {self.keys} FROM {self.table})")

    @property
    def keys(self) -> str:
        """The SQL columns that identify a value."""
        return ", ".join(f"f{part}" for part in self.column.parts)

    # Classes and properties

    def classes(self, above: Above | None = None) -> list[ClassOption]:
        """The classes of things in focus, most frequent first.

        Args:
            above: each class in use with all classes above it; None: as the graph states them.

        Raises:
            NotByColumns: the columns cannot answer exactly.
        """
        if self.is_literal:
            return []
        known = self.columns.memberships(self.limits)
        stated = self._above(known.classes) if above is None else {}
        named = self.columns.resources({*known.classes, *(high for some in stated.values() for high in some)})
        below: dict[Resource, list[int]] = {}
        for cls in known.classes:
            higher = (named[high] for high in stated.get(cls, ())) if above is None else above.get(named[cls], ())  # type: ignore[arg-type]  # a blank node is not in it
            for high in {named[cls], *higher}:
                below.setdefault(high, []).append(cls)
        counts = {}
        for term, its in below.items():
            members = (
                known.classes[its[0]]
                if len(its) == 1
                else Members.of_any((known.classes[one] for one in its), known.size)
            )
            counts[term] = self._met(members)
        found = [
            ClassOption(term, Count(number))
            for term, number in counts.items()
            if number and isinstance(term, NamedNode)
        ]
        return sorted(found, key=lambda option: (-option.count.value, option.class_.value))

    def _met(self, members: Members) -> int:
        return len(members) if self.members is None else members.number_in(self.members)

    def _above(self, classes: Iterable[int]) -> dict[int, set[int]]:
        """Each class with itself and its superclasses; empty if there is no hierarchy."""
        facts = self.columns.predicate(RDFS.subClassOf)
        if facts is None or not facts.links:
            return {}
        if facts.links > _MOST_ABOVE or QUOTED in facts.kinds:
            raise NotByColumns("too many subclass statements")
        parents: dict[int, list[int]] = {}
        for low, high in self.work.run(self.columns.links_sql(facts)):
            parents.setdefault(low, []).append(high)
        found: dict[int, set[int]] = {}
        for one in classes:
            reached, left = {one}, [one]
            while left:
                new = [high for high in parents.get(left.pop(), ()) if high not in reached]
                reached.update(new)
                left += new
            found[one] = reached
        return found

    def properties(self, direction: Direction) -> list[PropertyOption]:
        """The properties of things in focus, or those that lead to them, as `classes`."""
        if self.is_literal:
            return []
        known = self.columns.memberships(self.limits)
        iris = {facts.id: facts.iri for facts in self.columns.predicates}
        sets = known.subjects if direction is Direction.FORWARD else known.objects
        counts = {number: self._met(members) for number, members in sets.items()}
        found = [
            PropertyOption(NamedNode(iris[number]), direction, Count(count))
            for number, count in counts.items()
            if count
        ]
        return sorted(found, key=lambda option: (-option.count.value, option.property.value))

    # Values

    def values(
        self, *, text_in: str = "", named: Sequence[NamedNode] = (), offset: int = 0, limit: int
    ) -> tuple[list[ValueOption], int]:
        """The values of the last variable in the order of `counted_values`, and their total number.

        Args:
            text_in: only literals that contain this, ignoring case, and the resources of `named`.

        Raises:
            NotByColumns: the columns cannot answer exactly.
        """
        if self.is_literal:
            return self._literals(text_in.lower(), offset, limit)
        return self._resources(named if text_in else None, offset, limit)

    def _literals(self, folded: str, offset: int, limit: int) -> tuple[list[ValueOption], int]:
        where = f"WHERE {self._contains(folded)}" if folded else ""
        # Literals with the same text are sorted by datatype and language.
        kinds = sorted(
            self.column.datatypes, key=lambda kind: (f"{RDF.langString.value} " if kind[0] == "@" else "") + kind
        )
        place = f"list_position([{', '.join(str(self.columns.kind_of(kind)) for kind in kinds)}], fd)"
        values = f"SELECT {self.keys}, {self._number} AS n FROM {self.table} {where} GROUP BY {self.keys}"
        rows = self.work.run(
            f"WITH counted AS MATERIALIZED ({values}) SELECT *, (SELECT count(*) FROM counted) FROM counted "
            f"ORDER BY n DESC, {self._text}, {place} LIMIT {limit} OFFSET {offset}"
        )
        total = rows[0][-1] if rows else self.work.number(f"SELECT count(*) FROM ({values})")
        return [ValueOption(self.columns.literal(parts), Count(number)) for *parts, number, _ in rows], total

    def literals_at(self, place: str, wanted: Collection[Any]) -> dict[Any, Literal]:
        """A literal as it occurs in the graph for each number or time in the SQL column `place`."""
        rows = self.work.run(
            f"SELECT DISTINCT {place}, {self.keys} FROM {self.table} WHERE {place} IN (SELECT unnest(?))",
            [sorted(wanted)],
        )
        return {row[0]: self.columns.literal(row[1:]) for row in rows}

    @property
    def _number(self) -> str:
        """The number of main values for each value, as SQL."""
        if self.main is None:
            return "1"
        return "count(m)" if self.main.kind is ColumnType.RESOURCE else "count(md)"

    @property
    def _text(self) -> str:
        """The text of a literal, as SQL."""
        return literal_text("f", self.columns.kind_of(DOUBLE))

    def _contains(self, folded: str) -> str:
        if DOUBLE in self.column.datatypes:
            raise NotByColumns("digits that DuckDB may write differently")
        if not folded.isascii():
            raise NotByColumns("capital letters that DuckDB may fold differently")
        # DuckDB folds this capital letter to one letter, SPARQL and Unicode to two.
        return f"contains(lower(replace({self._text}, chr(304), 'i' || chr(775))), {text(folded)})"

    def _resources(self, named: Sequence[NamedNode] | None, offset: int, limit: int) -> tuple[list[ValueOption], int]:
        import numpy as np

        if self.members is None:
            raise NotByColumns("the values of anything")
        known = self.columns.memberships(self.limits)
        if named is None:
            where = ""
            # A blank node cannot be named in a query.
            total = len(self.members) - known.blanks.number_in(self.members)
        else:
            wanted = [number for number in self.columns.ids_of(named).values() if number is not None]
            where = f"WHERE f IN ({', '.join(map(str, wanted)) or 'NULL'})"
            total = Members.of(np.array(wanted, dtype=np.uint32), known.size).number_in(self.members)
        # The engine hashes the right side of a join: there the smaller one.
        values = f"SELECT f, {self._number} AS n FROM {self.table} {where} GROUP BY f"
        rows = self.work.run(
            f"SELECT f, n FROM term JOIN ({values}) ON id = f WHERE iri[1] = '<' "
            f"ORDER BY n DESC, iri[2:-2] LIMIT {limit} OFFSET {offset}"
        )
        terms = self.columns.resources(number for number, _ in rows)
        found = [ValueOption(term, Count(n)) for f, n in rows if isinstance(term := terms[f], NamedNode)]
        return found, total


@contextmanager
def in_focus(columns: Columns, bindings: Bindings, limits: Limits = NO_LIMITS) -> Iterator[InFocus]:
    """The bindings of a query's variables as a temporary table.

    Raises:
        NotByColumns: the columns cannot answer the query exactly; also within the block.
    """
    if bindings.is_anything:
        with columns.work(limits) as work:
            yield InFocus(work, columns, limits, "", Column(ColumnType.RESOURCE), None, None)
        return
    translated = translate(bindings.whole(), columns)
    *others, (_, column) = translated.variables
    main = others[0][1] if others else None
    if column.kind is ColumnType.NUMBER or (main is not None and main.kind is ColumnType.NUMBER):
        raise NotByColumns("a computed number")
    own = [f"f{part}" for part in column.parts]
    names = [*([] if main is None else [f"m{part}" for part in main.parts]), *own]
    bound = f"({translated.sql}) AS bound({', '.join(names)})"
    with columns.work(limits) as work:
        work.run(f"CREATE TEMP TABLE in_focus AS SELECT * FROM {bound} WHERE {own[0]} IS NOT NULL")
        size = columns.memberships(limits).size
        table = "in_focus"
        rows = different = work.number("SELECT count(*) FROM in_focus")
        if main is not None and not _is_each_once(work, main, size):
            table = "each_once"
            work.run(f"CREATE TEMP TABLE {table} AS SELECT DISTINCT * FROM in_focus")
            different = work.number(f"SELECT count(*) FROM {table}")
        members = None
        if column.kind is ColumnType.RESOURCE:
            (ids,) = work.arrays("SELECT f FROM in_focus")
            if len(ids) and int(ids.max()) >= size:
                raise NotByColumns("a resource that only the query mentions")
            members = Members.of(ids, size)
            different = len(members) if main is None else different
        elif main is None:
            different = -1
        yield InFocus(work, columns, limits, table, column, main, members, rows, different)


def _is_each_once(work: Work, main: Column, size: int) -> bool:
    """Whether the values of the main variable, and therefore the pairs, are unique."""
    if main.kind is not ColumnType.RESOURCE or not main.certain:
        return False
    (ids,) = work.arrays("SELECT m FROM in_focus")
    return len(Members.of(ids, size)) == len(ids)
