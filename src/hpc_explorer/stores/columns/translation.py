"""Translate a SPARQL query to SQL over the columns, if the result is exact.

Supported: triple patterns with constant predicates, sequences, alternatives and inverses of paths, `a/p*` to a constant
resource, OPTIONAL, UNION, VALUES, subqueries, conditions on numbers, moments and texts, groups with COUNT, SUM, AVG,
MIN and MAX, ORDER BY and LIMIT. Anything else raises `NotByColumns`, and the triple store answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.columns.aggregates import aggregate_column, check_distinguishable, sort_keys, sorted_resource
from hpc_explorer.stores.columns.algebra import is_true, joined_variables, operands_of, operation_of, own_term, parsed
from hpc_explorer.stores.columns.expressions import Expressions
from hpc_explorer.stores.columns.patterns import (
    Facts,
    Pattern,
    PatternTerm,
    Variable,
    literal_condition,
    patterns_relation,
)
from hpc_explorer.stores.columns.relation import REFUSED, Column, ColumnType, Names, NotByColumns, Relation, snake_case
from hpc_explorer.stores.local.spellings import stored_form


@dataclass(frozen=True)
class SqlQuery:
    """A query as SQL.

    Args:
        sql: its SELECT; the columns of each variable are adjacent.
        variables: the query's variable names with their columns.
    """

    sql: str
    variables: tuple[tuple[str, Column], ...]


def translate(query: str, facts: Facts) -> SqlQuery:
    """A SELECT query as SQL.

    Raises:
        NotByColumns: the columns cannot answer it exactly.
    """
    algebra = parsed(query)
    names = Names()
    translation = _Translation(facts, names, joined_variables(algebra))
    ordered = translation.of(algebra.p)
    if not algebra.PV:
        raise NotByColumns("a query for nothing")
    variables: list[tuple[str, Column]] = []
    chosen: list[str] = []
    for variable in algebra.PV:
        name = names.of(str(variable))
        column = ordered.columns.get(name)
        if column is None:
            raise NotByColumns("a variable without values")
        variables.append((str(variable), column))
        chosen += [f"{name}{part}" for part in column.parts]
    return SqlQuery(f"SELECT {', '.join(chosen)} FROM ({ordered.sql})", tuple(variables))


class _Translation:
    """Translates algebra to relations; methods are named by the operation."""

    def __init__(self, facts: Facts, names: Names, joined_variables: frozenset[str]) -> None:
        self._facts, self._names = facts, names
        self._asked_for = {names.of(name) for name in joined_variables}
        self._hidden = 0

    def of(self, node: Any) -> Relation:
        """Translate a piece of algebra."""
        operation = operation_of(node)
        translate: Callable[[Any], Relation] | None = getattr(self, f"_{snake_case(operation)}", None)
        if translate is None:
            raise NotByColumns(f"the operation {operation}")
        return translate(node)

    # Patterns

    def _bgp(self, node: Any) -> Relation:
        return self._joined([node])

    def _join(self, node: Any) -> Relation:
        return self._joined(operands_of(node))

    def _joined(self, operands: Sequence[Any]) -> Relation:
        """Join patterns and other operands, so that all can be ordered together."""
        patterns: list[Pattern] = []
        others: list[Relation] = []
        told: list[tuple[str, tuple[Literal, ...]]] = []
        for operand in operands:
            literals = self._told_literals(operand) if len(operands) > 1 else None
            if literals is not None:
                told.append(literals)
            elif operand.name == "BGP":
                for subject, path, value in operand.triples:
                    self._add(patterns, others, self._term(subject), path, self._term(value))
            else:
                others.append(self.of(operand))
        joined = patterns_relation(patterns, self._facts, self._names, others, self._is_wanted)
        for name, values in told:
            joined = self._among(joined, name, values)
        return joined

    def _told_literals(self, node: Any) -> tuple[str, tuple[Literal, ...]] | None:
        """The variable and the distinct values of VALUES, if these are literals."""
        if operation_of(node) != "ToMultiSet" or operation_of(node.p) != "values":
            return None
        rows = node.p.res
        variables = {variable for row in rows for variable in row}
        if len(variables) != 1 or any(len(row) != 1 for row in rows):
            return None
        (variable,) = variables
        terms = [None if row[variable] == "UNDEF" else own_term(row[variable]) for row in rows]
        literals = tuple(stored_form(term) for term in terms if isinstance(term, Literal))
        if len(literals) < len(terms) or len(set(literals)) < len(literals):
            return None
        return self._names.of(str(variable)), literals

    def _among(self, relation: Relation, name: str, values: Sequence[Literal]) -> Relation:
        """Restrict the solutions to these literals."""
        column = relation.columns.get(name)
        if column is None or column.kind is not ColumnType.LITERAL or not column.certain:
            raise NotByColumns("values that are not resources")
        conditions = [literal_condition(value, name, "", self._facts) for value in values]
        known = " OR ".join(f"({one})" for one in conditions if one is not None)
        return replace(relation, sql=f"SELECT * FROM ({relation.sql}) WHERE {known or 'false'}")

    def _term(self, term: Any) -> PatternTerm:
        from rdflib import BNode
        from rdflib import Variable as RdflibVariable

        if isinstance(term, RdflibVariable):
            return Variable(self._names.of(str(term)))
        if isinstance(term, BNode):
            return Variable(self._names.of(f" {term}"))
        return own_term(term)

    def _add(
        self, patterns: list[Pattern], others: list[Relation], subject: PatternTerm, path: Any, value: PatternTerm
    ) -> None:
        from rdflib import URIRef
        from rdflib.paths import AlternativePath, InvPath, SequencePath

        if isinstance(path, URIRef):
            patterns.append(Pattern(subject, NamedNode(str(path)), value))
        elif isinstance(path, InvPath):
            if isinstance(path.arg, SequencePath):
                raise NotByColumns("an inverse sequence")
            self._add(patterns, others, value, path.arg, subject)
        elif isinstance(path, SequencePath):
            steps = list(path.args)
            places = [subject, *(self._hidden_variable() for _ in steps[1:]), value]
            ends = self._ends(steps[-1], value)
            if ends is not None:
                # A resource on the path is the end of an earlier statement, so the graph mentions it.
                steps.pop()
                places.pop()
                if len(ends) == 1:
                    # Only the end itself leads there, such as a class without subclasses.
                    places[-1] = value
                else:
                    others.append(_one_of(places[-1], ends))
            for number, step in enumerate(steps):
                self._add(patterns, others, places[number], step, places[number + 1])
        elif isinstance(path, AlternativePath):
            both = {place.name for place in (subject, value) if isinstance(place, Variable)}
            each = []
            for step in path.args:
                own: list[Pattern] = []
                beside: list[Relation] = []
                self._add(own, beside, subject, step, value)
                each.append(patterns_relation(own, self._facts, self._names, beside, both.__contains__))
            # Two paths to one end are one solution for the engine (decision 0059).
            united = _united(each)
            others.append(replace(united, sql=f"SELECT DISTINCT * FROM ({united.sql})"))
        else:
            raise NotByColumns("a path of any length, or a variable as predicate")

    def _ends(self, path: Any, value: PatternTerm) -> tuple[int, ...] | None:
        """The numbers of all resources from which `p*` or `(^p)*` leads to a constant; None for other paths."""
        from rdflib import URIRef
        from rdflib.paths import InvPath, MulPath

        if not isinstance(path, MulPath) or path.mod != "*" or not isinstance(value, NamedNode):
            return None
        inner = path.path
        is_inverse = isinstance(inner, InvPath)
        step = inner.arg if isinstance(inner, InvPath) else inner
        if not isinstance(step, URIRef):
            return None
        return self._facts.reaching(NamedNode(str(step)), value, inverse=is_inverse)

    def _is_wanted(self, name: str) -> bool:
        return name in self._asked_for

    def _hidden_variable(self) -> Variable:
        """A hidden variable between two steps of a path."""
        self._hidden += 1
        name = self._names.of(f" {self._hidden}")
        self._asked_for.add(name)
        return Variable(name)

    def _left_join(self, node: Any) -> Relation:
        first, second = self.of(node.p1), self.of(node.p2)
        one, other = self._names.table(), self._names.table()
        on: list[str] = []
        columns = dict(first.columns)
        for name, column in second.columns.items():
            known = first.columns.get(name)
            if known is None:
                columns[name] = column.maybe()
            elif known.kind is not ColumnType.RESOURCE or column.kind is not ColumnType.RESOURCE:
                raise NotByColumns("two literals that must be equal")
            elif not known.certain or not column.certain:
                raise NotByColumns("a variable that is unbound in one place")
            else:
                on.append(f"{name} = again_{name}")
        new = [f"{name}{part}" for name in second.columns if name not in first.columns for part in columns[name].parts]
        renamed = [f"{name} AS again_{name}" for name in second.columns if name in first.columns] + new
        chosen = [*first.sql_columns(), *new]
        if node.expr is not None and not is_true(node.expr):
            on.append(f"({Expressions(columns, self._facts, self._names).truth(node.expr)})")
        sql = (
            f"SELECT {', '.join(chosen) or '1 AS one'} FROM ({first.sql}) {one} "
            f"LEFT JOIN (SELECT {', '.join(renamed) or '1 AS other'} FROM ({second.sql})) {other} "
            f"ON {' AND '.join(on) or 'true'}"
        )
        return Relation(sql, columns, first.rows)

    def _union(self, node: Any) -> Relation:
        return _united([self.of(node.p1), self.of(node.p2)])

    def _filter(self, node: Any) -> Relation:
        inner = self.of(node.p)
        condition = Expressions(inner.columns, self._facts, self._names).truth(node.expr)
        return replace(inner, sql=f"SELECT * FROM ({inner.sql}) WHERE {condition}")

    def _to_multi_set(self, node: Any) -> Relation:
        if operation_of(node.p) != "values":
            return self.of(node.p)
        rows = node.p.res
        variables = list(dict.fromkeys(variable for row in rows for variable in row))
        if not variables:
            raise NotByColumns("values of nothing")
        told: list[str] = []
        for row in rows:
            terms = [own_term(row[variable]) for variable in variables if row.get(variable) != "UNDEF"]
            if len(terms) != len(variables) or any(isinstance(term, Literal) for term in terms):
                raise NotByColumns("values that are not resources")
            numbers = [self._facts.number_for(term) for term in terms if not isinstance(term, Literal)]
            told.append(f"({', '.join(f'CAST({number} AS UINTEGER)' for number in numbers)})")
        names = [self._names.of(str(variable)) for variable in variables]
        columns = {name: Column(ColumnType.RESOURCE) for name in names}
        if not told:
            raise NotByColumns("values of nothing")
        sql = f"SELECT {', '.join(names)} FROM (VALUES {', '.join(told)}) AS told({', '.join(names)})"
        return Relation(sql, columns, float(len(told)))

    # Values

    def _extend(self, node: Any) -> Relation:
        from rdflib import Variable as RdflibVariable

        inner = self.of(node.p)
        name = self._names.of(str(node.var))
        expressions = Expressions(inner.columns, self._facts, self._names)
        if isinstance(node.expr, RdflibVariable):
            found = expressions.column(node.expr)
            if found is None:
                raise NotByColumns("a variable without values")
            source, column = found
            copied = ", ".join(f"{source}{part} AS {name}{part}" for part in column.parts)
        else:
            number = expressions.number(node.expr)
            if not number.is_certain:
                raise NotByColumns("a value with several possible datatypes")
            column = Column(ColumnType.NUMBER, False, (number.datatype,), scale=number.scale)
            copied = f"{number.sql} AS {name}"
        return Relation(f"SELECT *, {copied} FROM ({inner.sql})", {**inner.columns, name: column}, inner.rows)

    def _aggregate_join(self, node: Any) -> Relation:
        group = node.p
        inner = self.of(group.p)
        expressions = Expressions(inner.columns, self._facts, self._names)
        keys: list[str] = []
        key_names: list[str] = []
        for key in group.expr or ():
            found = expressions.column(key)
            if found is None:
                raise NotByColumns("a group by an expression")
            check_distinguishable(found[1])
            key_names.append(found[0])
            keys += [f"{found[0]}{part}" for part in found[1].parts]
        columns: dict[str, Column] = {}
        chosen: list[str] = []
        for aggregate in node.A:
            name = self._names.of(str(aggregate.res))
            sql, column = aggregate_column(aggregate, name, expressions, None if group.expr is None else key_names)
            columns[name] = column
            chosen += sql
        grouping = f" GROUP BY {', '.join(dict.fromkeys(keys))}" if keys else ""
        rows = min(inner.rows, 1000.0) if keys else 1.0
        return Relation(f"SELECT {', '.join(chosen)} FROM ({inner.sql}){grouping}", columns, rows)

    # The rows

    def _project(self, node: Any) -> Relation:
        return self._projected(self.of(node.p), node.PV)

    def _projected(self, inner: Relation, variables: Sequence[Any]) -> Relation:
        columns = {}
        for variable in variables:
            name = self._names.of(str(variable))
            if name not in inner.columns:
                raise NotByColumns("a variable without values")
            columns[name] = inner.columns[name]
        chosen = [f"{name}{part}" for name, column in columns.items() for part in column.parts]
        return Relation(f"SELECT {', '.join(chosen)} FROM ({inner.sql})", columns, inner.rows)

    def _distinct(self, node: Any) -> Relation:
        # DISTINCT keeps the order of solutions in SPARQL, but not in SQL.
        ordered = node.p.p if node.p.name == "Project" and node.p.p.name == "OrderBy" else None
        inner = self.of(node.p) if ordered is None else self._projected(self.of(ordered.p), node.p.PV)
        for column in inner.columns.values():
            check_distinguishable(column)
        distinct = replace(inner, sql=f"SELECT DISTINCT * FROM ({inner.sql})")
        return distinct if ordered is None else self._ordered(distinct, ordered.expr)

    def _order_by(self, node: Any) -> Relation:
        return self._ordered(self.of(node.p), node.expr)

    def _ordered(self, inner: Relation, conditions: Sequence[Any]) -> Relation:
        expressions = Expressions(inner.columns, self._facts, self._names)
        table = self._names.table()
        joined: list[str] = []
        keys: list[str] = []
        order: list[str] = []
        for condition in conditions:
            direction = "DESC NULLS LAST" if condition.order == "DESC" else "ASC NULLS FIRST"
            resource = sorted_resource(condition.expr, expressions)
            if resource is None:
                new, certain = sort_keys(condition.expr, expressions, keys)
            else:
                # Names are only looked up for results; resources that only the query mentions have none.
                named = self._names.table()
                joined.append(
                    f"LEFT JOIN (SELECT id, iri FROM term WHERE id IN (SELECT {resource} FROM {table})) {named} "
                    f"ON {named}.id = {resource}"
                )
                # Blank nodes are sorted before IRIs, whose angle brackets are ignored.
                name = f"CASE WHEN {named}.iri[1] = '_' THEN ' ' || {named}.iri ELSE {named}.iri[2:-2] END"
                new, certain = [name], f"{resource} IS NULL OR {named}.iri IS NOT NULL"
            keys += new
            first, *more = new
            checked = first if certain == "true" else f"CASE WHEN {certain} THEN {first} ELSE {REFUSED} END"
            order += [f"{key} {direction}" for key in (checked, *more)]
        sql = (
            f"WITH {table} AS MATERIALIZED ({inner.sql}) "
            f"SELECT {table}.* FROM {table} {' '.join(joined)} ORDER BY {', '.join(order)}"
        )
        return replace(inner, sql=sql)

    def _slice(self, node: Any) -> Relation:
        inner = self.of(node.p)
        limit = "" if node.length is None else f" LIMIT {int(node.length)}"
        return replace(inner, sql=f"SELECT * FROM ({inner.sql}){limit} OFFSET {int(node.start or 0)}")


def _one_of(place: PatternTerm, numbers: Sequence[int]) -> Relation:
    """Restrict a variable to these resources."""
    assert isinstance(place, Variable)
    rows = ", ".join(f"(CAST({number} AS UINTEGER))" for number in numbers)
    sql = f"SELECT {place.name} FROM (VALUES {rows}) AS told({place.name})"
    return Relation(sql, {place.name: Column(ColumnType.RESOURCE)}, float(len(numbers)))


def _united(relations: Sequence[Relation]) -> Relation:
    """The union of relations; missing variables are unbound."""
    columns: dict[str, Column] = {}
    for relation in relations:
        for name, column in relation.columns.items():
            known = columns.get(name, column)
            computed = (known.datatypes, known.scale) != (column.datatypes, column.scale)
            if known.kind is not column.kind or (known.kind is ColumnType.NUMBER and computed):
                raise NotByColumns("a variable with values of different kinds")
            columns[name] = Column(
                column.kind,
                known.certain and column.certain and all(name in one.columns for one in relations),
                tuple(dict.fromkeys((*known.datatypes, *column.datatypes))),
                known.exact and column.exact,
                known.clock if known.clock == column.clock else "mixed",
                max(known.scale, column.scale),
            )
    each = []
    for relation in relations:
        chosen = [
            f"{name}{part}" if name in relation.columns else f"NULL AS {name}{part}"
            for name, column in columns.items()
            for part in column.parts
        ]
        each.append(f"SELECT {', '.join(chosen) or '1 AS one'} FROM ({relation.sql})")
    return Relation(" UNION ALL ".join(each), columns, sum(relation.rows for relation in relations))
