"""Triple patterns as SQL.

Patterns of one subject are read from its row in `node` where possible. The joins are ordered by the known numbers of
statements, subjects and objects of each predicate, because the engine's own estimates ignore which predicates occur
together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource
from hpc_explorer.stores.columns.layout import LITERAL, QUOTED, PredicateFacts
from hpc_explorer.stores.columns.relation import Column, ColumnType, Names, NotByColumns, Relation, literal_column, text


@dataclass(frozen=True)
class Variable:
    """A variable of a pattern, by its SQL name."""

    name: str


PatternTerm = Variable | NamedNode | BlankNode | Literal


@dataclass(frozen=True)
class Pattern:
    """A triple pattern with a known predicate."""

    subject: PatternTerm
    predicate: NamedNode
    object: PatternTerm


class Facts(Protocol):
    """The information about a graph that the translation needs."""

    def predicate(self, predicate: NamedNode) -> PredicateFacts | None:
        """The statistics of a predicate; None if the graph does not use it."""
        ...

    def id_of(self, resource: Resource) -> int | None:
        """The number of a resource; None if the graph does not mention it."""
        ...

    def number_for(self, resource: Resource) -> int:
        """The number of a resource, or a temporary one if the graph does not mention it."""
        ...

    def kind_of(self, kind: str) -> int | None:
        """The number of a kind of literal; None if the graph has none."""
        ...

    def count(self, facts: PredicateFacts, value: int) -> int:
        """The number of statements with this predicate and this resource as object."""
        ...

    def reaching(self, predicate: NamedNode, target: Resource, *, inverse: bool) -> tuple[int, ...]:
        """The numbers of all resources from which any number of steps of a predicate lead to a resource."""
        ...


@dataclass
class _Piece:
    """A table to be joined.

    Args:
        source: the table with its name.
        places: the SQL columns of each variable.
        conditions: the conditions on its rows.
        rows: the estimated number of rows, at least one.
        different: the estimated number of distinct values of each variable.
    """

    source: str
    places: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    conditions: list[str] = field(default_factory=list)
    rows: float = 1.0
    different: dict[str, float] = field(default_factory=dict)

    def bind(self, name: str, place: str, different: float) -> None:
        self.places[name].append(place)
        self.different[name] = min(self.different.get(name, different), different)


def patterns_relation(
    patterns: Sequence[Pattern],
    facts: Facts,
    names: Names,
    also: Sequence[Relation],
    wanted: Callable[[str], bool],
) -> Relation:
    """Join patterns with each other and with the given relations.

    Args:
        wanted: whether the value of a variable is used.

    Raises:
        NotByColumns: a variable may be a resource or a literal, or the columns do not store what is requested.
    """
    columns: dict[str, Column] = {}
    pieces = _pieces(patterns, facts, names, columns)
    if pieces is None:
        return _nothing(patterns, columns, also)
    for relation in also:
        pieces.append(_of_relation(relation, names, columns))
    if not pieces:
        return Relation("SELECT 1 AS one", {}, 1.0)
    return _joined(pieces, {name: column for name, column in columns.items() if wanted(name)})


def _pieces(patterns: Sequence[Pattern], facts: Facts, names: Names, columns: dict[str, Column]) -> list[_Piece] | None:
    """The tables to join; None if there can be no solution."""
    resources = {pattern.subject for pattern in patterns}
    stars: dict[PatternTerm, list[tuple[Pattern, PredicateFacts]]] = defaultdict(list)
    pieces: list[_Piece] = []
    for pattern in dict.fromkeys(patterns):
        if isinstance(pattern.subject, Literal):
            return None
        known = facts.predicate(pattern.predicate)
        if known is None:
            return None
        if QUOTED in known.kinds:
            raise NotByColumns("objects that are triples")
        if isinstance(pattern.object, Variable) and known.links and known.values and pattern.object not in resources:
            raise NotByColumns("a variable that may be a resource or a literal")
        if known.wide:
            stars[pattern.subject].append((pattern, known))
        else:
            pieces.append(_Piece(""))
            if not _fill_long(pieces[-1], pattern, known, facts, names, columns, pattern.object in resources):
                return None
    for subject, asked in stars.items():
        piece = _Piece("")
        if not _fill_star(piece, subject, asked, facts, names, columns):
            return None
        pieces.append(piece)
    return pieces


def _subject(
    piece: _Piece, subject: PatternTerm, place: str, rows: float, facts: Facts, columns: dict[str, Column]
) -> bool:
    if isinstance(subject, Variable):
        _see(columns, subject.name, Column(ColumnType.RESOURCE))
        piece.bind(subject.name, place, rows)
        return True
    assert isinstance(subject, (NamedNode, BlankNode))
    number = facts.id_of(subject)
    if number is None:
        return False
    piece.conditions.append(f"{place} = {number}")
    return True


def _fill_long(
    piece: _Piece,
    pattern: Pattern,
    known: PredicateFacts,
    facts: Facts,
    names: Names,
    columns: dict[str, Column],
    object_is_resource: bool,
) -> bool:
    table = names.table()
    value = pattern.object
    of_links = isinstance(value, (NamedNode, BlankNode)) or (
        isinstance(value, Variable) and (object_is_resource or not known.values)
    )
    piece.source = f"{'link' if of_links else 'value'} {table}"
    piece.conditions.append(f"{table}.p = {known.id}")
    piece.rows = max(1.0, known.links if of_links else known.values)
    if not _subject(piece, pattern.subject, f"{table}.s", min(piece.rows, known.subjects), facts, columns):
        return False
    if not isinstance(pattern.subject, Variable):
        piece.rows = max(1.0, piece.rows / known.subjects)
    return _object(piece, value, table, "", known, facts, columns)


def _fill_star(
    piece: _Piece,
    subject: PatternTerm,
    asked: Sequence[tuple[Pattern, PredicateFacts]],
    facts: Facts,
    names: Names,
    columns: dict[str, Column],
) -> bool:
    table = names.table()
    piece.source = f"node {table}"
    piece.rows = float(min(known.subjects for _, known in asked))
    for pattern, known in asked:
        if not _object(piece, pattern.object, table, str(known.id), known, facts, columns):
            return False
    if not _subject(piece, subject, f"{table}.id", piece.rows, facts, columns):
        return False
    if not isinstance(subject, Variable):
        piece.rows = 1.0
    return True


def _object(
    piece: _Piece,
    value: PatternTerm,
    table: str,
    ending: str,
    known: PredicateFacts,
    facts: Facts,
    columns: dict[str, Column],
) -> bool:
    """Add the object of a pattern to a piece; returns whether it can match."""
    if isinstance(value, (NamedNode, BlankNode)):
        number = facts.id_of(value) if known.links else None
        if number is None:
            return False
        piece.conditions.append(f"{table}.o{ending} = {number}")
        piece.rows = min(piece.rows, max(1.0, facts.count(known, number)))
        return True
    if isinstance(value, Literal):
        condition = literal_condition(value, f"{table}.", ending, facts)
        if condition is None or not known.values:
            return False
        piece.conditions.append(condition)
        piece.rows = 1.0
        return True
    if known.links and not (known.wide and known.values):
        _see(columns, value.name, Column(ColumnType.RESOURCE))
        piece.bind(value.name, f"{table}.o{ending}", max(1.0, known.objects))
        if ending:
            piece.conditions.append(f"{table}.o{ending} IS NOT NULL")
    else:
        _see(columns, value.name, literal_column(known))
        for part in LITERAL:
            piece.places[f"{value.name}{part}"].append(f"{table}.{part}{ending}")
        if ending:
            piece.conditions.append(f"{table}.d{ending} IS NOT NULL")
    return True


def literal_condition(value: Literal, table: str, ending: str, facts: Facts) -> str | None:
    """The SQL condition that a literal equals this one; None if it does not exist."""
    from hpc_explorer.stores.columns.literals import parts_of

    parts = parts_of(value)
    kind = facts.kind_of(parts.kind)
    if kind is None:
        return None
    same = f"{table}d{ending} = {kind}"
    # The text alone identifies a literal if present; otherwise the number or the moment does.
    if parts.t is not None:
        return f"{same} AND {table}t{ending} = {text(parts.t)}"
    if parts.n is not None:
        return f"{same} AND {table}n{ending} = {parts.n}"
    return f"{same} AND {table}m{ending} = {parts.m} AND {table}t{ending} IS NULL"


def _see(columns: dict[str, Column], name: str, column: Column) -> None:
    known = columns.get(name)
    if known is None:
        columns[name] = column
    elif known.kind is not column.kind:
        raise NotByColumns("a variable that is a resource in one place and a literal in another")
    elif column.kind is ColumnType.LITERAL:
        raise NotByColumns("two literals that must be equal")


def _of_relation(relation: Relation, names: Names, columns: dict[str, Column]) -> _Piece:
    table = names.table()
    piece = _Piece(f"({relation.sql}) {table}", rows=relation.rows)
    for name, column in relation.columns.items():
        known = columns.get(name)
        if known is not None and (not known.certain or not column.certain or known.kind is not column.kind):
            raise NotByColumns("a variable that is unbound in one place")
        if known is not None and column.kind is not ColumnType.RESOURCE:
            raise NotByColumns("two literals that must be equal")
        columns.setdefault(name, column)
        for part in column.parts:
            piece.places[f"{name}{part}"].append(f"{table}.{name}{part}")
        piece.different[name] = relation.rows
    return piece


def _nothing(patterns: Sequence[Pattern], columns: dict[str, Column], also: Sequence[Relation]) -> Relation:
    """An empty relation with all variables."""
    for relation in also:
        for name, column in relation.columns.items():
            columns.setdefault(name, column)
    for pattern in patterns:
        for term in (pattern.subject, pattern.object):
            if isinstance(term, Variable):
                columns.setdefault(term.name, Column(ColumnType.RESOURCE))
    nulls = [f"{_null(part)} AS {name}{part}" for name, column in columns.items() for part in column.parts]
    return Relation(f"SELECT {', '.join(nulls) or '1 AS one'} WHERE false", columns, 1.0)


def _null(part: str) -> str:
    sql_type = {"": "UINTEGER", "d": "USMALLINT", "t": "VARCHAR", "n": "DOUBLE", "m": "BIGINT"}[part]
    return f"CAST(NULL AS {sql_type})"


def _joined(pieces: list[_Piece], columns: dict[str, Column]) -> Relation:
    """Join the pieces greedily: next the one that leaves the fewest rows."""
    left = list(pieces)
    first = min(left, key=lambda piece: piece.rows)
    left.remove(first)
    rows = first.rows
    different = dict(first.different)
    places = {name: where[0] for name, where in first.places.items()}
    sql = first.source
    conditions = [*first.conditions, *_within(first)]
    while left:
        best = min(left, key=lambda piece: (not _shared(piece, different), _after(piece, rows, different)))
        left.remove(best)
        on = [f"{places[name]} = {where[0]}" for name, where in best.places.items() if name in places]
        on += [*best.conditions, *_within(best)]
        # The engine builds a hash table of the right side, so the smaller side goes there.
        sides = (best.source, sql) if rows <= best.rows else (sql, best.source)
        sql = f"({sides[0]} JOIN {sides[1]} ON {' AND '.join(on) or 'true'})"
        rows = _after(best, rows, different)
        for name, where in best.places.items():
            places.setdefault(name, where[0])
        for name, number in best.different.items():
            different[name] = min(different.get(name, number), number)
    where_all = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    chosen = [f"{places[f'{n}{part}']} AS {n}{part}" for n, column in columns.items() for part in column.parts]
    return Relation(f"SELECT {', '.join(chosen) or '1 AS one'} FROM {sql}{where_all}", columns, rows)


def _shared(piece: _Piece, different: dict[str, float]) -> bool:
    return any(name in different for name in piece.different)


def _after(piece: _Piece, rows: float, different: dict[str, float]) -> float:
    """Estimate the number of rows after joining a piece."""
    result = rows * piece.rows
    for name, number in piece.different.items():
        if name in different:
            result /= max(min(different[name], rows), min(number, piece.rows))
    return max(result, 1.0)


def _within(piece: _Piece) -> list[str]:
    """Conditions for a variable that occurs twice in a piece."""
    return [f"{where[0]} = {other}" for where in piece.places.values() for other in where[1:]]
