"""Read workflows: clauses of operations on tables, as typed expressions.

A sentence is cut into clauses. Each clause is covered by phrases (tables, columns, conditions, operations), which fill
the arguments of its operations; "them", "it" and a missing table stand for the result of the clause before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.chart import Chart, Edge, Lexeme, Result
from hpc_explorer.language.expressions import (
    AGGREGATES,
    CSV,
    JSON,
    Argument,
    Call,
    ScriptOperation,
    Scripts,
    leaf,
    strings,
    texts_of,
    type_of,
)
from hpc_explorer.language.grammar import Grammar
from hpc_explorer.language.matching import ValueSet
from hpc_explorer.language.meaning import Has, Thing
from hpc_explorer.language.tags import Short, concept_tag, thing_tags
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.language.words import SentenceToken, key_of, stem, word_set
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode

Item: TypeAlias = "str | NamedNode"
"""A column by its name, or the columns about a concept."""

Items = tuple[Item, ...]
Names = Callable[[Thing], Sequence[str]]
"""The names of things."""

_KINDS = frozenset(
    ("table", "file", "thing", "cols", "cond", "group", "format", "savename", "limit", "number", "aggregate", "count",
     "most")
)  # fmt: skip
_LATER = frozenset(
    map(
        stem,
        word_set(
            "merge combine join append concatenate convert turn change normalize normalise encode multiply "
            "sort order arrange rank filter keep drop remove delete rename save store write run apply count "
            "average sum aggregate take pull select extract get show fetch limit put return list"
        ),
    )
)
_BREAKS = frozenset(("then", "afterwards", "subsequently", "finally", "next", ";"))
_EACH = 1.0
_MOST_PARTS = 6
_MOST_CONCEPTS = 3
_DATA = (HPC.Dataset, HPC.File, HPC.Data)
_NO_TABLES = (HPC.Software, HPC.AIModel, HPC.Workflow)


@dataclass(frozen=True)
class Picked:
    """A table, or columns of one.

    Args:
        source: a dataset described in words, or an expression.
        columns: the columns that are kept; empty: all.
        without: whether the columns are those that are left out.
        conditions: of the rows.
    """

    source: Thing | Call
    columns: Items = ()
    without: bool = False
    conditions: tuple[tuple[Item, str, str | float | int], ...] = ()


@dataclass(frozen=True)
class Workflow:
    """A workflow that a sentence may mean."""

    expression: Call
    price: float
    tags: tuple[str, ...]
    lexemes: tuple[Lexeme, ...]


@dataclass
class _Slots:
    """The arguments of one clause."""

    tables: list[Picked] = field(default_factory=list)
    columns: list[Items] = field(default_factory=list)
    conditions: list[tuple[Item, str, str | float | int]] = field(default_factory=list)
    group: Items = ()
    format: str = ""
    texts: list[str] = field(default_factory=list)
    number: int | None = None
    aggregate: str = ""
    operations: list[str] = field(default_factory=list)
    scripts: list[ScriptOperation] = field(default_factory=list)
    is_descending: bool | None = None


def add_workflow_rules(grammar: Grammar) -> None:
    """Add the rules for columns and tables to those of questions."""
    rules = grammar.rules
    terms = grammar.terms

    def join(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if set(gap) & {"and", ","} and len(left.meaning) + len(right.meaning) <= 30:
            yield "cols", (*left.meaning, *right.meaning), 0.02

    def word_first(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if not gap or not set(gap) - {"the", "named", "called", "of", ",", ":"}:
            yield "cols", right.meaning, -0.1

    def word_last(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if not gap:
            yield "cols", left.meaning, -0.1

    def concept(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if left.meaning.is_bare and 0 < len(left.meaning.classes) <= _MOST_CONCEPTS and not gap:
            yield "concept", left.meaning.classes, 0.0

    def concept_columns(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if not gap:
            yield "cols", left.meaning, 0.0

    def bare_columns(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if left.meaning.is_bare and 0 < len(left.meaning.classes) <= _MOST_CONCEPTS and not gap:
            yield "cols", left.meaning.classes, 0.4

    def columns_about(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if right.meaning.is_bare and 0 < len(right.meaning.classes) <= _MOST_CONCEPTS:
            yield "cols", right.meaning.classes, 0.0 if left.kind == "about" else 0.5

    def about(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if not set(gap) - {"that", "is", "are", "which", "has", "have", "the"}:
            yield "about", None, 0.0

    def columns_of(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if set(gap) & {"of", "from", "in", "out", "within"}:
            table = _table(right)
            if table is not None and not table.columns:
                yield "table", replace(table, columns=left.meaning), 0.0

    def table_then_columns(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        table = _table(left)
        if table is not None and not table.columns and "," in gap:
            yield "table", replace(table, columns=right.meaning), 0.1

    def but(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        yield "but", right.meaning, 0.0

    def table_but(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        table = _table(left)
        if table is not None and not table.columns:
            yield "table", replace(table, columns=right.meaning, without=True), 0.0

    def but_of(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        table = _table(right)
        if table is not None and not table.columns and set(gap) & {"of", "from", "in"}:
            yield "table", replace(table, columns=left.meaning, without=True), 0.0

    def _table(edge: Edge) -> Picked | None:
        if edge.kind == "table":
            return edge.meaning  # type: ignore[no-any-return]  # the meaning of this kind is a Picked
        if edge.kind == "file":
            return Picked(file_leaf(edge.meaning))
        return Picked(edge.meaning) if is_data(edge.meaning, terms) else None

    def amount(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if (
            len(left.meaning) == 1
            and right.meaning.unit is None
            and not right.meaning.is_time
            and not right.meaning.upper
        ):
            yield "cond", (left.meaning[0], right.meaning.operator.value, _plain(right.meaning.number)), 0.0

    def amount_first(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        yield from ((kind, meaning, price + 0.1) for kind, meaning, price in amount(right, left, gap))

    def equal(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if len(left.meaning) == 1 and set(gap) & {"is", "are", "equals", "=", "was", "of", "has", "have", "value"}:
            value = _cell(right)
            if value is not None:
                yield "cond", (left.meaning[0], "=", value), 0.1

    def not_equal(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        yield "unequal", right.meaning, 0.0

    def compared(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        value = _cell(right)
        if left.meaning in ("=", "!=") and value is not None:
            yield "equalto", (left.meaning, value), 0.0

    def column_equal(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if len(left.meaning) == 1:
            yield "cond", (left.meaning[0], *right.meaning), 0.0

    def negated_value(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        value = _cell(right)
        if value is not None:
            yield "equalto", ("!=", value), 0.1

    def group(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        yield "group", right.meaning, 0.0

    def file_type(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        if not gap and (right.kind == "noun" or right.meaning.is_bare):
            yield "format", left.meaning, 0.1

    def first_rows(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        number = right.meaning if left.kind != "number" else left.meaning
        if number == int(number) and 0 < number < 10**9:
            yield "limit", int(number), 0.0

    def typed(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        """A table called a file or a dataset."""
        if left.meaning.is_bare and is_data(left.meaning, terms) and right.kind in ("table", "file"):
            yield "table", _table(right), 0.0

    def rows_where(left: Edge, right: Edge, gap: Sequence[str]) -> Iterable[Result]:
        table = _table(left)
        if table is not None and not table.columns and not set(gap) & {"and"}:
            yield "table", replace(table, conditions=(*table.conditions, right.meaning)), 0.1

    def add(left: str, right: str, rule: Callable[[Edge, Edge, Sequence[str]], Iterable[Result]]) -> None:
        rules[left, right].append(rule)

    add("cols", "cols", join)
    add("do columns", "cols", word_first)
    add("cols", "do columns", word_last)
    add("thing", "do related", concept)
    add("concept", "do columns", concept_columns)
    add("thing", "do columns", bare_columns)
    add("do columns", "do related", about)
    add("about", "thing", columns_about)
    add("do columns", "thing", columns_about)
    for kind in ("thing", "table", "file"):
        add("cols", kind, columns_of)
        add(kind, "cols", table_then_columns)
        add(kind, "but", table_but)
        add("but", kind, but_of)
        add(kind, "cond", rows_where)
    add("except", "cols", but)
    add("not", "cols", but)
    add("cols", "amount", amount)
    add("amount", "cols", amount_first)
    for kind in ("number", "value", "text", "thing", "cols"):
        add("cols", kind, equal)
        add("compare", kind, compared)
        add("not", kind, negated_value)
    add("cols", "equalto", column_equal)
    add("each", "cols", group)
    add("format", "thing", file_type)
    add("format", "noun", file_type)
    add("most", "number", first_rows)
    add("do limit", "number", first_rows)
    add("number", "do rows", first_rows)
    add("thing", "table", typed)
    add("thing", "file", typed)


def is_data(thing: Thing, terms: GraphTerms) -> bool:
    """Whether a thing is a dataset or a file, which may hold a table."""
    if any(isinstance(one, Has) and one.steps[0].predicate == HPC.column for one in thing.constraints):
        # "… and the columns a and b" picks columns; it does not describe the dataset.
        return False
    classes = thing.classes or tuple(terms.classes_of(thing.resources))
    data = terms.at_or_below(_DATA) - terms.at_or_below(_NO_TABLES)
    return any(cls in data for cls in classes)


def file_leaf(name: str) -> Call:
    """The leaf of a file by its ending."""
    ending = name.rpartition(".")[2].lower()
    return leaf({"csv": "csvFile", "json": "jsonFile"}.get(ending, "logFile"), name)


def _is_new_name(before: Sequence[str]) -> bool:
    """Whether the words before a text say that it is a new name."""
    last = [word for word in before[-4:] if word not in ("a", "the", "new", "dataset", "file", "table", "column")]
    return bool(last) and last[-1] in ("into", "as", "to", "under", "called", "named", "in")


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


# Clauses
# -------


def clauses(tokens: Sequence[SentenceToken], start_words: Sequence[str]) -> list[tuple[int, int]]:
    """The clauses of a sentence: the spans between "then", a semicolon, or "and" before a verb."""
    cuts = [0]
    for at, token in enumerate(tokens):
        word = start_words[at]
        following = stem(start_words[at + 1]) if at + 1 < len(tokens) else ""
        joins = word in ("and", ",") and following in _LATER
        # "The X, Y and Z" is a list; a full stop within a sentence begins a new one.
        if at and (word in _BREAKS or joins or (token.text == "." and at + 1 < len(tokens))):
            cuts.append(at + 1)
    cuts.append(len(tokens))
    spans = [(start, end) for start, end in pairwise(cuts) if end > start]
    return [span for span in spans if any(tokens[at].text not in ",.;" for at in range(*span))]


class WorkflowReader:
    """Reads workflows about one graph.

    Args:
        scripts: the operations made from the graph's scripts.
        names: the names of things.
    """

    def __init__(self, grammar: Grammar, scripts: Scripts, names: Names, short: Short) -> None:
        self._grammar = grammar
        self._terms = grammar.terms
        self._scripts = scripts
        self._names = names
        self._short = short

    def workflows(
        self,
        tokens: Sequence[SentenceToken],
        skips: Sequence[float | None],
        edges: Sequence[Edge],
    ) -> list[Workflow]:
        """The workflows that a sentence may mean, cheapest first."""
        words = [token.key or token.text for token in tokens]
        spans = clauses(tokens, words)
        found = self._read(spans, words, tokens, skips, edges)
        if len(spans) > 1:
            found += [replace(one, price=one.price + 0.3) for one in
                      self._read([(0, len(tokens))], words, tokens, skips, edges)]  # fmt: skip
        kept: dict[Call, Workflow] = {}
        for one in sorted(found, key=lambda each: each.price):
            kept.setdefault(one.expression, one)
        return list(kept.values())

    def _read(
        self,
        spans: Sequence[tuple[int, int]],
        words: Sequence[str],
        tokens: Sequence[SentenceToken],
        skips: Sequence[float | None],
        edges: Sequence[Edge],
    ) -> list[Workflow]:
        states: list[tuple[list[Call], float, tuple[str, ...], tuple[Lexeme, ...]]] = [([], 0.0, (), ())]
        for number, (start, end) in enumerate(spans):
            inside = [
                replace(edge, start=edge.start - start, end=edge.end - start)
                for edge in edges
                if start <= edge.start and edge.end <= end
            ]
            inside += [replace(edge, kind="savename") for edge in inside if edge.kind == "text" and
                       _is_new_name(words[start : start + edge.start])]  # fmt: skip
            own_skips = [
                0.0 if words[at] in _BREAKS or tokens[at].text == "," else skips[at] for at in range(start, end)
            ]
            chart = Chart(words[start:end], own_skips, inside, self._grammar.rules)
            covers = chart.covers(_KINDS | {edge.kind for edge in inside if edge.kind.startswith("do ")} |
                                  {"but", "script"}, _EACH)  # fmt: skip
            following = []
            for results, price, tags, lexemes in states:
                for more, sequence in covers:
                    for calls, extra, new_tags in self._clause(sequence, results, number == len(spans) - 1):
                        total = price + more + extra - _EACH
                        own = tuple(one for edge in sequence for one in edge.lexemes)
                        following.append((calls, total, (*tags, *new_tags), (*lexemes, *own)))
            following.sort(key=lambda one: one[1])
            states = following[:_MOST_PARTS]
            if not states:
                return []
        return [
            Workflow(results[-1], price, tuple(dict.fromkeys(tags)), lexemes)
            for results, price, tags, lexemes in states
            if len(results) == 1
        ]

    def _clause(
        self, sequence: Sequence[Edge], before: Sequence[Call], is_last: bool
    ) -> Iterator[tuple[list[Call], float, tuple[str, ...]]]:
        slots, price = _Slots(), 0.0
        tags: list[str] = []
        for edge in sequence:
            more = self._fill(slots, edge, before)
            if more is None:
                return
            price += more
        if not slots.tables and before:
            slots.tables = [Picked(one) for one in before]
            if not any(edge.kind == "do result" for edge in sequence):
                price += 0.1
        try:
            writer = _ClauseWriter(self._terms, self._names, self._short, self._scripts, slots, tags)
            results = writer.results()
        except WrongParameter:
            return
        if results:
            yield results, price + writer.price, tuple(tags)

    def _fill(self, slots: _Slots, edge: Edge, before: Sequence[Call]) -> float | None:
        """Put a phrase into its slot; None if there is none."""
        kind, meaning = edge.kind, edge.meaning
        if kind == "table":
            slots.tables.append(meaning)
        elif kind == "file":
            slots.tables.append(Picked(file_leaf(meaning)))
        elif kind == "thing":
            script = self._script_of(meaning)
            if script is not None:
                slots.scripts.append(script)
            elif meaning.is_bare and self._is_script_word(meaning):
                slots.operations.append("script")
            elif is_data(meaning, self._terms) and not meaning.is_bare:
                slots.tables.append(Picked(meaning))
            elif meaning.is_bare and is_data(meaning, self._terms):
                return 0.5 if slots.tables or before else None
            else:
                return None
        elif kind == "cols":
            slots.columns.append(meaning)
        elif kind == "cond":
            slots.conditions.append(meaning)
        elif kind == "group":
            slots.group = meaning
        elif kind == "format":
            slots.format = meaning
        elif kind == "savename":
            slots.texts.append(meaning)
        elif kind == "limit":
            slots.number = meaning
        elif kind == "aggregate":
            slots.aggregate = meaning
        elif kind == "count":
            slots.operations.append("count")
        elif kind == "most":
            slots.is_descending = bool(meaning)
        elif kind == "script":
            slots.scripts.append(meaning)
        elif kind == "number":
            slots.number = int(meaning) if meaning == int(meaning) else None
        elif kind == "do result":
            if not before:
                return None
            if not any(one.source in before for one in slots.tables if isinstance(one.source, Call)):
                slots.tables += [Picked(one) for one in before]
        elif kind == "but":
            slots.columns.append(meaning)
            slots.operations.append("drop")
        elif kind in ("do descending", "do ascending"):
            slots.is_descending = kind == "do descending"
        elif kind.startswith("do "):
            slots.operations.append(kind[3:])
        else:
            return None
        return 0.0

    def _is_script_word(self, thing: Thing) -> bool:
        return bool(self._scripts) and HPC.Script in thing.classes

    def _script_of(self, thing: Thing) -> ScriptOperation | None:
        named = {one.script: one for one in self._scripts.values()}
        for resource in thing.resources:
            if resource.value in named:
                return named[resource.value]
        if thing.classes == (HPC.Script,) and thing.constraints:
            found = [one for name in self._names(thing) for key in self._terms.names.get(key_of(name), ())
                     if (one := named.get(key.value)) is not None]  # fmt: skip
            return found[0] if len(set(found)) == 1 else None
        return None


def _without_picking(table: Call) -> Call:
    inner = table.arguments[-1]
    return inner if table.name == "RemoveColumn" and isinstance(inner, Call) else table


_QUIET = frozenset(
    ("columns", "related", "rows", "all", "order", "into", "then", "script", "label", "one_hot", "sides",
     "between_columns")
)  # fmt: skip


class _ClauseWriter:
    """Writes the expression of one clause from its slots."""

    def __init__(
        self, terms: GraphTerms, names: Names, short: Short, scripts: Scripts, slots: _Slots, tags: list[str]
    ) -> None:
        self._terms = terms
        self._names = names
        self._short = short
        self._scripts = scripts
        self._slots = slots
        self._tags = tags
        self.price = 0.0

    def results(self) -> list[Call]:
        """The tables or values that the clause makes; several if a later one joins them."""
        slots = self._slots
        names = [one for one in dict.fromkeys(slots.operations) if one not in _QUIET]
        if "script" in slots.operations and not slots.scripts:
            return []
        if "between_columns" in slots.operations and "merge" not in slots.operations:
            return []
        if slots.scripts:
            names = [one for one in names if one not in ("run", "convert", "script", "count", "save", "filter")]
            return [self._script()] if not [one for one in names if one not in ("limit",)] else []
        if slots.aggregate and "count" not in names:
            names.append("aggregate")
        if "save" in names and not slots.texts:
            names.remove("save")
            self.price += 0.2
        is_saved = "save" in names or bool(
            slots.texts and not ("rename" in names or ("filter" in names and slots.conditions))
        )
        names = [one for one in names if one != "save"]
        if "filter" in names and (not slots.conditions):
            names.remove("filter")
            if not slots.number and not any(one.conditions for one in slots.tables):
                self.price += 0.2
        results = self._operated(names)
        if is_saved and results:
            if len(results) != 1 or not slots.texts:
                return []
            results = [Call("SaveDataset", (results[0], leaf("fileName", slots.texts[-1])))]
        for one in results:
            type_of(one, self._scripts)
        return results

    def _operated(self, names: list[str]) -> list[Call]:
        slots = self._slots
        names = [one for one in names if one not in ("filter", "limit", "run", "result")]
        core = [one for one in names if one != "sort"]
        if len(core) > 1:
            return []
        operation = core[0] if core else ""
        sorting = "sort" in names or (slots.number is not None and bool(slots.group) and not operation)
        sorted_by: Items = ()
        if sorting:
            if slots.group:
                sorted_by, slots.group = slots.group, ()
            elif slots.columns:
                sorted_by = slots.columns.pop()
            else:
                return []
        tables = self._tables(operation)
        if not tables:
            return []
        results = self._core(operation, tables)
        if not results:
            return []
        if sorting:
            if len(results) != 1:
                return []
            columns = self._leaf(self._expanded(sorted_by, results[0]))
            is_descending = slots.is_descending if slots.is_descending is not None else slots.number is not None
            results = [Call("SortRows", (columns, strings("desc" if is_descending else "asc"), results[0]))]
        elif slots.is_descending is not None and slots.number is None and operation != "aggregate":
            return []
        if slots.number is not None:
            if len(results) != 1:
                return []
            results = [Call("Limit", (Call("number", (slots.number,)), results[0]))]
        return results

    # Tables
    # ------

    def _tables(self, operation: str) -> list[Call]:
        """The tables of the clause; one dataset phrase may stand for several."""
        slots = self._slots
        wanted = slots.tables
        takes_columns = operation in (
            "normalize",
            "encode",
            "count",
            "aggregate",
            "multiply",
            "drop",
            "rename",
            "merge",
        )
        if takes_columns and len(wanted) == 1 and wanted[0].columns and not wanted[0].without:
            is_merge_of_tables = operation == "merge" and not self._is_merge_of_columns(wanted[0])
            if not is_merge_of_tables and isinstance(wanted[0].source, Thing):
                slots.columns.append(wanted[0].columns)
                wanted = [replace(wanted[0], columns=())]
        tables = []
        for one in wanted:
            is_part = bool(one.columns or one.conditions or slots.columns)
            source = one.source if isinstance(one.source, Call) else self._source(one.source, operation, is_part)
            conditions = (*one.conditions, *(slots.conditions if one is wanted[-1] else ()))
            if conditions:
                source = Call("FilterRows", (*(self._condition(each, source) for each in conditions), source))
            if one.columns:
                columns = self._leaf(self._expanded(one.columns, source))
                source = Call("RemoveColumn" if one.without else "GetColumn", (columns, source))
            tables.append(source)
        return tables

    def _source(self, thing: Thing, operation: str, is_part: bool) -> Call:
        names = list(dict.fromkeys(self._dataset_of.get(name, name) for name in self._named(thing)))
        if not names or (len(names) > 1 and (operation != "merge" or is_part)):
            raise WrongParameter("not one dataset", ", ".join(names), "describe one dataset")
        for name in names:
            if not self._has_file(name):
                raise WrongParameter("the dataset has no file", name, "choose another dataset")
        self._tags += thing_tags(thing, self._terms, self._short)
        return leaf("datasetName", *names)

    def _named(self, thing: Thing) -> Sequence[str]:
        """The names of datasets, in the order of the sentence if it names them."""
        labels = self._terms.labels
        if thing.resources and not thing.constraints and all(one in labels for one in thing.resources):
            return [labels[one] for one in thing.resources]
        return self._names(thing)

    @cached_property
    def _dataset_of(self) -> dict[str, str]:
        """The names of datasets by the names of their files."""
        return {file: self._terms.labels[one] for one, file in self._terms.files.items() if one in self._terms.labels}

    def _has_file(self, name: str) -> bool:
        terms = self._terms
        if not terms.files:
            return True
        of_graph = any(one in terms.files for one in terms.names.get(key_of(name), ()))
        return of_graph or not {name, f"{name}.csv", f"{name}.json"}.isdisjoint(terms.loose_files)

    def _condition(self, condition: tuple[Item, str, str | float | int], source: Call) -> Call:
        item, sign, value = condition
        columns = self._expanded((item,), source)
        written = Call("number", (value,)) if not isinstance(value, str) else strings(value)
        return Call("condition", (self._leaf(columns), strings(sign), written))

    # Columns
    # -------

    def _leaf(self, names: Sequence[str]) -> Call:
        return leaf("columnName", *names)

    def _expanded(self, items: Items, table: Call) -> list[str]:
        """The names of columns in a table.

        Raises:
            WrongParameter: it has no such column.
        """
        known = self._columns_of(table)
        names: list[str] = []
        for item in items:
            if isinstance(item, NamedNode):
                found = self._about(item, table)
                if not found:
                    raise WrongParameter("no column is about it", item.value, "choose another concept")
                self._tags.append(concept_tag(item, self._short))
                names += found
            elif known is None:
                names.append(item)
            else:
                fitting = [one for one in known if one == item] or [one for one in known if key_of(one) == key_of(item)]
                if not fitting:
                    raise WrongParameter("the table has no such column", item, "choose another column")
                names.append(fitting[0])
        return list(dict.fromkeys(names))

    def _about(self, concept: NamedNode, table: Call) -> list[str]:
        known = self._columns_of(table)
        concepts: dict[str, bool] = {}
        for dataset in self._datasets(table):
            for column in self._terms.columns.get(dataset, ()):
                concepts[column.name] = concepts.get(column.name, False) or concept in column.concepts
        return [name for name, fits in concepts.items() if fits and (known is None or name in known)]

    def _datasets(self, table: Argument) -> Iterator[NamedNode]:
        if isinstance(table, Call):
            if table.name in ("datasetName", "csvFile", "jsonFile", "file"):
                for text in texts_of(table):
                    yield from (one for one in self._terms.names.get(key_of(text), ()) if one in self._terms.columns)
            else:
                for one in table.arguments:
                    yield from self._datasets(one)

    def _columns_of(self, table: Argument) -> list[str] | None:
        """The columns of a table; None if they are not known."""
        if not isinstance(table, Call):
            return None
        name, arguments = table.name, table.arguments
        if name in ("datasetName", "csvFile", "jsonFile", "file"):
            found = [column.name for dataset in self._datasets(table) for column in self._terms.columns[dataset]]
            return found or None
        if name in ("GetColumn", "Normalize"):
            return list(texts_of(arguments[0]))
        if name in ("FilterRows", "SortRows", "Limit", "json2csv", "csv2json", "GetAllColumns"):
            return self._columns_of(arguments[-1])
        if name == "RemoveColumn":
            gone, all_columns = set(texts_of(arguments[0])), self._columns_of(arguments[1])
            return None if all_columns is None else [one for one in all_columns if one not in gone]
        if name == "MergeDataset":
            each = [self._columns_of(one) for one in arguments]
            return None if None in each else list(dict.fromkeys(one for some in each for one in some or ()))
        if name == "RenameColumn":
            old, new, all_columns = (
                next(texts_of(arguments[0])),
                next(texts_of(arguments[1])),
                self._columns_of(arguments[2]),
            )
            return None if all_columns is None else [new if one == old else one for one in all_columns]
        if name == "CountInstances" and len(arguments) == 3:
            return [*texts_of(arguments[2]), "count"]
        if name == "Aggregate":
            return [*(texts_of(arguments[3]) if len(arguments) == 4 else ()), *texts_of(arguments[1])]
        return None

    # Operations
    # ----------

    def _core(self, operation: str, tables: list[Call]) -> list[Call]:
        slots = self._slots
        first = tables[0]
        if operation == "merge":
            return self._merged(tables)
        if operation == "multiply":
            return self._multiplied(tables)
        if len(tables) != 1:
            if operation or slots.columns or slots.group:
                return []
            return tables
        if operation == "" and not slots.group:
            if slots.format:
                return []
            if len(slots.columns) == 1:
                return [Call("GetColumn", (self._leaf(self._expanded(slots.columns[0], first)), first))]
            if slots.columns:
                return []
            if first.name == "datasetName":
                if slots.number is not None or "sort" in slots.operations:
                    return [first]
                if "columns" in slots.operations or "all" in slots.operations:
                    return [Call("GetAllColumns", (first,))]
                return [first] if slots.texts else []
            return [first]
        if operation == "column_names":
            return [Call("GetColumnNames", (first,))] if not slots.columns else []
        if operation == "convert":
            return self._converted(first)
        if operation == "rename":
            return self._renamed(first)
        if len(slots.columns) != 1:
            known = self._columns_of(first)
            if operation in ("normalize", "encode") and not slots.columns and known and self._is_whole(first):
                slots.columns.append(tuple(known))
                return self._core(operation, [_without_picking(first)])
            if operation == "count" and not slots.columns and slots.group:
                slots.columns.append(slots.group)
            elif operation == "count" and not slots.columns and "rows" in slots.operations and known:
                slots.columns.append((known[0],))
            else:
                return []
        columns = self._leaf(self._expanded(slots.columns[0], first))
        group: tuple[Call, ...] = ()
        if slots.group:
            group = (Call("groupBy", (self._leaf(self._expanded(slots.group, first)),)),)
        match operation:
            case "normalize":
                return [Call("Normalize", (columns, first))] if not group else []
            case "drop":
                return [Call("RemoveColumn", (columns, first))] if not group else []
            case "encode":
                kind = (Call("type", (strings("one-hot"),)),) if "one_hot" in slots.operations else ()
                return [Call("EncodeData", (columns, first, *kind))] if not group else []
            case "count":
                return [Call("CountInstances", (columns, first, *group))]
            case "aggregate" if slots.aggregate in AGGREGATES:
                return [Call("Aggregate", (strings(slots.aggregate), columns, first, *group))]
        return []

    def _is_whole(self, table: Call) -> bool:
        """Whether every column of a table is meant."""
        return table.name == "RemoveColumn" or bool({"all", "columns"} & set(self._slots.operations))

    def _is_merge_of_columns(self, table: Picked) -> bool:
        slots = self._slots
        return len(table.columns) > 1 and len(slots.tables) == 1 and (
            "columns" in slots.operations or "between_columns" in slots.operations or not slots.texts
        )  # fmt: skip

    def _merged(self, tables: list[Call]) -> list[Call]:
        slots = self._slots
        if slots.columns:
            items = tuple(item for some in slots.columns for item in some)
            if len(tables) != 1 or len(items) < 2:
                return []
            return [Call("MergeColumns", (self._leaf(self._expanded(items, tables[0])), tables[0]))]
        if len(tables) == 1 and (tables[0].name != "datasetName" or len(list(texts_of(tables[0]))) < 2):
            return []
        if any(isinstance(one.source, Thing) and not one.source.constraints for one in slots.tables):
            # Datasets that the sentence names are told apart; a description stands for all that it finds.
            tables = [leaf("datasetName", name) if one.name == "datasetName" else one for one in tables
                      for name in (texts_of(one) if one.name == "datasetName" else ("",))]  # fmt: skip
        return [Call("MergeDataset", tuple(tables))]

    def _multiplied(self, tables: list[Call]) -> list[Call]:
        slots = self._slots
        if len(tables) == 2 and not slots.columns:
            return [Call("DotProduct", tuple(tables))]
        items = [item for some in slots.columns for item in some]
        if len(tables) == 1 and tables[0].name == "GetColumn" and len(items) == 1:
            columns = list(texts_of(tables[0].arguments[0]))
            source = tables[0].arguments[1]
            if len(columns) == 1 and isinstance(source, Call):
                items, tables = [items[0], columns[0]], [source]
        if len(items) != 2 or len(tables) not in (1, 2):
            return []
        names = [self._expanded((item,), tables[min(at, len(tables) - 1)]) for at, item in enumerate(items)]
        if any(len(one) != 1 for one in names):
            return []
        sources = [tables[min(at, len(tables) - 1)] for at in range(2)]
        picked = (Call("GetColumn", (self._leaf(one), source)) for one, source in zip(names, sources, strict=True))
        return [Call("DotProduct", tuple(picked))]

    def _converted(self, table: Call) -> list[Call]:
        slots = self._slots
        if slots.columns or slots.group or slots.format not in ("csv", "json"):
            return []
        is_json = self._is_json(table)
        if slots.format == "csv":
            return [Call("json2csv", (table,))] if is_json is not False else []
        return [Call("csv2json", (table,))] if is_json is not True else []

    def _is_json(self, table: Call) -> bool | None:
        """Whether a table is a JSON file; None if that is not known."""
        if table.name == "datasetName":
            for text in texts_of(table):
                for resource in self._terms.names.get(key_of(text), ()):
                    file = self._terms.files.get(resource, text)
                    if file.lower().endswith((".json", ".csv")):
                        return file.lower().endswith(".json")
            return None
        try:
            return type_of(table, self._scripts) == JSON
        except WrongParameter:
            return None

    def _renamed(self, table: Call) -> list[Call]:
        slots = self._slots
        items = [item for some in slots.columns for item in some if isinstance(item, str)]
        if len(items) == 2:
            new = items.pop()
        elif len(items) == 1 and slots.texts:
            new = slots.texts.pop()
        else:
            return []
        return [Call("RenameColumn", (self._leaf(self._expanded((items[0],), table)), strings(new), table))]

    def _script(self) -> Call:
        slots = self._slots
        script = slots.scripts[0]
        if len(set(slots.scripts)) != 1 or slots.columns or slots.group or slots.conditions:
            raise WrongParameter("a script takes one file", script.name, "name one file")
        tables = self._tables("")
        if len(tables) != 1:
            raise WrongParameter("a script takes one file", script.name, "name one file")
        table = tables[0]
        if script.input == CSV and self._is_json(table) is True:
            table = Call("json2csv", (table,))
        found = Call(script.name, (table,))
        type_of(found, self._scripts)
        if slots.texts:
            return Call("SaveDataset", (found, leaf("fileName", slots.texts[-1])))
        return found
