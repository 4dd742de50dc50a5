"""Rules for the columns, rows and tables of workflows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from hpc_explorer.language.chart import Edge, Result
from hpc_explorer.language.clauses import Picked, file_leaf, is_data
from hpc_explorer.language.finding import ValueSet
from hpc_explorer.language.grammar import Grammar, RuleTable

RULES = RuleTable()

_MOST_CONCEPTS = 3


@RULES.add("cols", "cols")
def join(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if set(gap) & {"and", ","} and len(left.meaning) + len(right.meaning) <= 30:
        yield "cols", (*left.meaning, *right.meaning), 0.02


@RULES.add("do columns", "cols")
def word_first(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not gap or not set(gap) - {"the", "named", "called", "of", ",", ":"}:
        yield "cols", right.meaning, -0.1


@RULES.add("cols", "do columns")
def word_last(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not gap:
        yield "cols", left.meaning, -0.1


@RULES.add("thing", "do related")
def concept(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if left.meaning.is_bare and 0 < len(left.meaning.classes) <= _MOST_CONCEPTS and not gap:
        yield "concept", left.meaning.classes, 0.0


@RULES.add("concept", "do columns")
def concept_columns(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not gap:
        yield "cols", left.meaning, 0.0


@RULES.add("thing", "do columns")
def bare_columns(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if left.meaning.is_bare and 0 < len(left.meaning.classes) <= _MOST_CONCEPTS and not gap:
        yield "cols", left.meaning.classes, 0.4


@RULES.add("about", "thing")
@RULES.add("do columns", "thing")
def columns_about(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if right.meaning.is_bare and 0 < len(right.meaning.classes) <= _MOST_CONCEPTS:
        yield "cols", right.meaning.classes, 0.0 if left.kind == "about" else 0.5


@RULES.add("do columns", "do related")
def about(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not set(gap) - {"that", "is", "are", "which", "has", "have", "the"}:
        yield "about", None, 0.0


@RULES.add("cols", "thing")
@RULES.add("cols", "table")
@RULES.add("cols", "file")
def columns_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if set(gap) & {"of", "from", "in", "out", "within"}:
        table = _table(grammar, right)
        if table is not None and not table.columns:
            yield "table", replace(table, columns=left.meaning), 0.0


@RULES.add("thing", "cols")
@RULES.add("table", "cols")
@RULES.add("file", "cols")
def table_then_columns(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    table = _table(grammar, left)
    if table is not None and not table.columns and "," in gap and "by" not in gap:
        yield "table", replace(table, columns=right.meaning), 0.1


@RULES.add("except", "cols")
@RULES.add("not", "cols")
def but(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "but", right.meaning, 0.0


@RULES.add("thing", "but")
@RULES.add("table", "but")
@RULES.add("file", "but")
def table_but(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    table = _table(grammar, left)
    if table is not None and not table.columns:
        yield "table", replace(table, columns=right.meaning, without=True), 0.0


@RULES.add("but", "thing")
@RULES.add("but", "table")
@RULES.add("but", "file")
def but_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    table = _table(grammar, right)
    if table is not None and not table.columns and set(gap) & {"of", "from", "in"}:
        yield "table", replace(table, columns=left.meaning, without=True), 0.0


def _table(grammar: Grammar, edge: Edge) -> Picked | None:
    if edge.kind == "table":
        return edge.meaning  # type: ignore[no-any-return]  # the meaning of this kind is a Picked
    if edge.kind == "file":
        return Picked(file_leaf(edge.meaning))
    return Picked(edge.meaning) if is_data(edge.meaning, grammar.terms) else None


@RULES.add("cols", "amount")
def amount(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    # "The beds with more than 10 kg" compares what follows.
    if len(left.meaning) != 1 or right.meaning.unit is not None or right.meaning.is_time or "with" in gap:
        return
    column, number = left.meaning[0], _plain(right.meaning.number)
    if right.meaning.upper:
        yield "cond", ((column, ">=", number), (column, "<=", _plain(Decimal(right.meaning.upper)))), 0.0
    else:
        yield "cond", ((column, right.meaning.operator.value, number),), 0.0


@RULES.add("amount", "cols")
def amount_first(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield from ((kind, meaning, price + 0.1) for kind, meaning, price in amount(grammar, right, left, gap))


@RULES.add("cols", "number")
@RULES.add("cols", "value")
@RULES.add("cols", "text")
@RULES.add("cols", "thing")
@RULES.add("cols", "cols")
def equal(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    # "Bed 2", "country NL".
    is_beside = not gap and right.kind in ("number", "text")
    is_said = bool(set(gap) & {"is", "are", "equals", "=", "was", "of", "has", "have", "value"})
    if len(left.meaning) == 1 and (is_said or is_beside):
        value = _cell(right)
        if value is not None:
            yield "cond", ((left.meaning[0], "=", value),), 0.1 if is_said else 0.3


@RULES.add("do rows", "cond")
def rows_of(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not set(gap) - {"the", "of", "for", "with", "where", "whose", "that", "which", "have", "has", "in"}:
        yield "cond", right.meaning, 0.0


@RULES.add("not", "cond")
@RULES.add("except", "cond")
def unless(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "unless", right.meaning, 0.0


@RULES.add("compare", "number")
@RULES.add("compare", "value")
@RULES.add("compare", "text")
@RULES.add("compare", "thing")
@RULES.add("compare", "cols")
def compared(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    value = _cell(right)
    if left.meaning in ("=", "!=") and value is not None:
        yield "equalto", (left.meaning, value), 0.0


@RULES.add("cols", "equalto")
def column_equal(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if len(left.meaning) == 1:
        yield "cond", ((left.meaning[0], *right.meaning),), 0.0


@RULES.add("not", "number")
@RULES.add("not", "value")
@RULES.add("not", "text")
@RULES.add("not", "thing")
@RULES.add("not", "cols")
def negated_value(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    value = _cell(right)
    if value is not None:
        yield "equalto", ("!=", value), 0.1


@RULES.add("each", "cols")
def group(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    yield "group", right.meaning, 0.0


@RULES.add("format", "thing")
@RULES.add("format", "noun")
def file_type(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    if not gap and (right.kind == "noun" or right.meaning.is_bare):
        yield "format", left.meaning, 0.1


@RULES.add("most", "number")
@RULES.add("do limit", "number")
@RULES.add("number", "do rows")
def first_rows(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    number = right.meaning if left.kind != "number" else left.meaning
    if number == int(number) and 0 < number < 10**9:
        yield "limit", int(number), 0.0


@RULES.add("thing", "table")
@RULES.add("thing", "file")
def typed(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    """A table called a file or a dataset."""
    if left.meaning.is_bare and is_data(left.meaning, grammar.terms) and right.kind in ("table", "file"):
        yield "table", _table(grammar, right), 0.0


@RULES.add("thing", "cond")
@RULES.add("table", "cond")
@RULES.add("file", "cond")
def rows_where(grammar: Grammar, left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
    table = _table(grammar, left)
    if table is not None and not table.columns and not set(gap) & {"and"}:
        yield "table", replace(table, conditions=(*table.conditions, *right.meaning)), 0.1


def _plain(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral() else float(number)


def _cell(edge: Edge) -> str | int | float | None:
    """A value to compare cells with."""
    meaning = edge.meaning
    if edge.kind == "number":
        return _plain(meaning)
    if edge.kind == "text":
        return str(meaning)
    words = edge.lexemes[0].meaning if edge.lexemes else ""
    if edge.kind == "value" and isinstance(meaning, ValueSet):
        return words
    if edge.kind == "thing" and meaning.resources and not meaning.constraints and not meaning.classes:
        return words
    return None
