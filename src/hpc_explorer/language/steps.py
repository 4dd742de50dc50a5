"""Read workflows: clauses of operations on tables, as typed expressions.

A sentence is cut into clauses. Each clause is covered by phrases (tables, columns, conditions, operations), which fill
the arguments of its operations; "them", "it" and a missing table stand for the result of the clause before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.chart import Chart, Edge, Lexeme
from hpc_explorer.language.clause_writing import ClauseWriter, Names
from hpc_explorer.language.clauses import Picked, Slots, break_words, clauses, file_leaf, is_data
from hpc_explorer.language.expressions import (
    Call,
    ScriptOperation,
    Scripts,
    texts_of,
)
from hpc_explorer.language.grammar import Grammar
from hpc_explorer.language.meaning import Thing
from hpc_explorer.language.tags import Short
from hpc_explorer.language.words import SentenceToken, TokenKind, key_of
from hpc_explorer.rdf.namespaces import HPC

_KINDS = frozenset(
    ("table", "file", "thing", "cols", "cond", "group", "format", "savename", "limit", "number", "aggregate", "count",
     "most", "but", "unless", "script")
)  # fmt: skip
_ONCE = {"format": "format", "limit": "number", "aggregate": "aggregate", "most": "is_descending"}
"""Phrases of which a clause has one, with their slots."""

_REFERRING = {"do result": 1, "do results": 0, "do pair": 2, "do triple": 3}
"""Phrases for the results of the clauses before, with their number if they say it."""

_OF_TIME = frozenset(("last", "latest", "newest", "earliest", "oldest", "longest", "shortest"))
_EACH = 1.0
_MOST_PARTS = 6
_BY = 0.5


_State: TypeAlias = tuple[list[Call], float, tuple[str, ...], tuple[Lexeme, ...]]
"""The results of the clauses that were read, with the price, tags and words."""


@dataclass(frozen=True)
class Workflow:
    """A workflow that a sentence may mean."""

    expression: Call
    price: float
    tags: tuple[str, ...]
    lexemes: tuple[Lexeme, ...]


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
        spans = clauses(tokens, words, frozenset(edge.start for edge in edges if edge.kind == "script"))
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
        states: list[_State] = [([], 0.0, (), ())]
        own_skips = _own_skips(words, tokens, skips, edges)
        for start, end in spans:
            inside = [
                replace(edge, start=edge.start - start, end=edge.end - start)
                for edge in edges
                if start <= edge.start and edge.end <= end
            ]
            # "The last rows" and "the oldest beds" have no operation.
            inside = [edge for edge in inside if edge.kind != "most" or words[start + edge.start] not in _OF_TIME]
            inside += [replace(edge, kind="savename") for edge in inside if edge.kind == "text" and
                       _is_new_name(words[start : start + edge.start])]  # fmt: skip
            chart = Chart(words[start:end], own_skips[start:end], inside, self._grammar.rules)
            covers = chart.covers(self._stands_alone, _EACH)
            following: dict[tuple[Call, ...], _State] = {}
            best: list[float] = []
            for results, price, tags, lexemes in states:
                for more, sequence in covers:
                    # Covers come cheapest first, and nothing that follows makes one cheaper.
                    if len(best) == _MOST_PARTS and price + more - _EACH > best[-1]:
                        break
                    for calls, extra, new_tags in self._clause(sequence, results):
                        total = price + more + extra - _EACH
                        held = following.get(tuple(calls))
                        if held is None or total < held[1]:
                            own = tuple(one for edge in sequence for one in edge.lexemes)
                            following[tuple(calls)] = (calls, total, (*tags, *new_tags), (*lexemes, *own))
                            best = sorted(one[1] for one in following.values())[:_MOST_PARTS]
            states = sorted(following.values(), key=lambda one: one[1])[:_MOST_PARTS]
            if not states:
                return []
        return [
            Workflow(results[-1], price, tuple(dict.fromkeys(tags)), lexemes)
            for results, price, tags, lexemes in states
            if len(results) == 1
        ]

    def _stands_alone(self, edge: Edge) -> bool:
        """Whether a phrase may be an argument or an operation of a clause."""
        if edge.kind == "thing":
            thing = edge.meaning
            return is_data(thing, self._terms) or self._script_of(thing) is not None or self._is_script_word(thing)
        return edge.kind in _KINDS or edge.kind.startswith("do ")

    def _clause(
        self, sequence: Sequence[Edge], before: Sequence[Call]
    ) -> Iterator[tuple[list[Call], float, tuple[str, ...]]]:
        slots, price = Slots(), 0.0
        tags: list[str] = []
        place: int | None = None
        for edge in sequence:
            if edge.kind in _REFERRING and place is None:
                place = len(slots.tables)
            more = self._fill(slots, edge, before)
            if more is None:
                return
            price += more
        referred = [_REFERRING[edge.kind] for edge in sequence if edge.kind in _REFERRING]
        meant = self._meant(slots, referred, before)
        if meant is None:
            return
        if not slots.tables and before and not referred:
            price += 0.1
        used = [one for one in meant if one not in [table.source for table in slots.tables]]
        slots.tables[place or 0 : place or 0] = map(Picked, used)
        others = [one for one in before if one not in [table.source for table in slots.tables]]
        try:
            writer = ClauseWriter(self._terms, self._names, self._short, self._scripts, slots, tags)
            results = writer.results()
        except WrongParameter:
            return
        if results:
            yield [*others, *results], price + writer.price, tuple(tags)

    @staticmethod
    def _meant(slots: Slots, referred: Sequence[int], before: Sequence[Call]) -> Sequence[Call] | None:
        """The results before that a clause takes; None if it refers to others than there are.

        Args:
            referred: the numbers of results that its words say; 0: any number.
        """
        if not referred:
            joins_one = "merge" in slots.operations and len(slots.tables) == 1 and len(before) == 1
            return before if not slots.tables or joins_one else ()
        size = sum(len(list(texts_of(one))) if one.name == "datasetName" else 1 for one in before)
        if not before:
            # "Each of A and B" of the first clause refers to what follows.
            size = len(slots.tables) if len(slots.tables) > 1 else 0
        if size == 0 or any(number not in (0, 1, size) for number in referred):
            return None
        is_last = 1 in referred and not {"merge", "multiply"} & set(slots.operations)
        return before[-1:] if is_last else before

    def _fill(self, slots: Slots, edge: Edge, before: Sequence[Call]) -> float | None:
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
            slots.conditions += meaning
        elif kind == "group":
            slots.group = (*slots.group, *meaning)
        elif kind == "savename":
            slots.texts.append(meaning)
        elif kind in _ONCE:
            if getattr(slots, _ONCE[kind]) not in (None, ""):
                return None
            setattr(slots, _ONCE[kind], meaning)
        elif kind == "count":
            slots.operations.append("count")
        elif kind == "script":
            slots.scripts.append(meaning)
        elif kind == "number":
            if slots.amount is not None or meaning != int(meaning):
                return None
            slots.amount = int(meaning)
        elif kind in _REFERRING:
            return 0.0
        elif kind == "but":
            slots.columns.append(meaning)
            slots.operations.append("but")
        elif kind == "unless":
            slots.conditions += meaning
            slots.operations.append("unless")
        elif kind in ("do descending", "do ascending"):
            if slots.is_descending not in (None, kind == "do descending"):
                return None
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


def _own_skips(
    words: Sequence[str], tokens: Sequence[SentenceToken], skips: Sequence[float | None], edges: Sequence[Edge]
) -> list[float | None]:
    """The price of leaving out each word of a workflow: words that lead to the next clause are free."""
    breaks = break_words(words)
    own = [0.0 if at in breaks or word == "," else skips[at] for at, word in enumerate(words)]
    for edge in edges:
        # "By" and "per" before a column are an order or a group, "under 50" is a comparison.
        following = [token.kind for token in tokens[edge.end : edge.end + 1]]
        is_bound = edge.kind == "compare" and following == [TokenKind.NUMBER]
        for at in range(edge.start, edge.end):
            if edge.kind == "do distinct" or (edge.kind in _REFERRING and words[at] in ("it", "them")):
                own[at] = None
            elif is_bound or (edge.kind == "each" and edge.end == edge.start + 1):
                own[at] = _BY if own[at] == 0.0 else None
    return own


def _is_new_name(before: Sequence[str]) -> bool:
    """Whether the words before a text say that it is a new name."""
    last = [word for word in before[-4:] if word not in ("a", "the", "new", "dataset", "file", "table", "column")]
    return bool(last) and last[-1] in ("into", "as", "to", "under", "called", "named", "in")
