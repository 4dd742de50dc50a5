"""A chart parser: edges over a sentence, combined two by two by typed rules, the cheapest kept.

An edge covers the tokens `start` to `end` and has a kind, a meaning and a price. Between two edges may lie tokens that
can be skipped. Each cell keeps the `BEAM` cheapest edges (bottom-up chart parsing; M. Kay, 1980).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

BEAM = 14


@dataclass(frozen=True)
class Lexeme:
    """A part of the sentence with its role.

    Args:
        start, end: the tokens.
        role: such as `class`, `property`, `value`, `name`, `comparison` or `operation`.
        meaning: what it was read as, for people.
    """

    start: int
    end: int
    role: str
    meaning: str = ""


@dataclass(frozen=True)
class Edge:
    """A part of the sentence with a meaning."""

    start: int
    end: int
    kind: str
    meaning: Any
    price: float
    lexemes: tuple[Lexeme, ...] = field(default=(), compare=False)


def word_edge(start: int, end: int, kind: str, meaning: object, price: float, role: str, words: str) -> Edge:
    """An edge of words that are found in the sentence.

    Args:
        role: what the words are in the sentence.
        words: what they mean, for the user.
    """
    return Edge(start, end, kind, meaning, price, (Lexeme(start, end, role, words),))


Result = tuple[str, Any, float]
"""The kind, meaning and price of a combination."""

Combine = Callable[[Edge, Edge, Sequence[str]], Iterable[Result]]
"""Combines two edges; the words that were skipped between them come last."""


@dataclass(frozen=True)
class Rule:
    """A way to combine two edges.

    Args:
        joins: whether it gives "or" a meaning; no other rule may skip that word.
    """

    combine: Combine
    joins: bool = False


Rules = Mapping[tuple[str, str], Sequence[Rule]]
"""The rules by the kinds of the left and the right edge."""


class Chart:
    """The edges of one sentence.

    Args:
        words: the keys of the tokens.
        skips: the price of leaving out each token; None: it must be covered.
    """

    def __init__(
        self,
        words: Sequence[str],
        skips: Sequence[float | None],
        edges: Iterable[Edge],
        rules: Rules,
    ) -> None:
        self.words = words
        self.skips = skips
        self._cells: dict[tuple[int, int], list[Edge]] = {}
        waiting: dict[tuple[int, int], list[Edge]] = defaultdict(list)
        for edge in edges:
            waiting[edge.start, edge.end].append(edge)
        size = len(words)
        ends: list[list[int]] = [[] for _ in range(size + 1)]
        for length in range(1, size + 1):
            for start in range(size - length + 1):
                end = start + length
                found = waiting.get((start, end), [])
                for middle in ends[start]:
                    price = 0.0
                    for right in range(middle, end):
                        if right > middle:
                            skipped = skips[right - 1]
                            if skipped is None:
                                break
                            price += skipped
                        cell = self._cells.get((right, end))
                        if cell:
                            gap = words[middle:right]
                            found += self._combined(self._cells[start, middle], cell, gap, price, rules)
                if found:
                    self._cells[start, end] = _cheapest(found)
                    ends[start].append(end)

    @staticmethod
    def _combined(
        left: list[Edge], right: list[Edge], gap: Sequence[str], price: float, rules: Rules
    ) -> Iterator[Edge]:
        is_choice = "or" in gap
        for one in left:
            for other in right:
                for rule in rules.get((one.kind, other.kind), ()):
                    if is_choice and not rule.joins:
                        continue
                    for kind, meaning, more in rule.combine(one, other, gap):
                        yield Edge(
                            one.start,
                            other.end,
                            kind,
                            meaning,
                            one.price + other.price + price + more,
                            one.lexemes + other.lexemes,
                        )

    def cell(self, start: int, end: int) -> list[Edge]:
        """The edges over exactly these tokens, cheapest first."""
        return self._cells.get((start, end), [])

    def spans(self) -> Iterator[tuple[int, int]]:
        """The spans with edges."""
        return iter(self._cells)

    def covers(
        self, fits: Callable[[Edge], bool], each: float, most: int = 60, missing: float | None = None
    ) -> list[tuple[float, tuple[Edge, ...]]]:
        """The cheapest sequences of edges that cover every token that cannot be skipped.

        Args:
            fits: whether an edge may stand alone.
            each: the price of each edge of the sequence.
            missing: the price of leaving out a token that cannot be skipped; None: all are covered.
        """
        size = len(self.words)
        by_end: dict[int, list[tuple[int, Edge]]] = defaultdict(list)
        for (start, end), cell in self._cells.items():
            for edge in cell:
                if fits(edge):
                    by_end[end].append((start, edge))
        best: list[list[tuple[float, tuple[Edge, ...]]]] = [[] for _ in range(size + 1)]
        best[0] = [(0.0, ())]
        for end in range(1, size + 1):
            found = []
            skip = missing if self.skips[end - 1] is None else self.skips[end - 1]
            if skip is not None:
                found += [(price + skip, sequence) for price, sequence in best[end - 1]]
            for start, edge in by_end[end]:
                found += [(price + edge.price + each, (*sequence, edge)) for price, sequence in best[start]]
            found.sort(key=lambda one: one[0])
            best[end] = _distinct(found, most)
        return best[size]


def _distinct(found: list[tuple[float, tuple[Edge, ...]]], most: int) -> list[tuple[float, tuple[Edge, ...]]]:
    kept: dict[tuple[tuple[str, Any], ...], tuple[float, tuple[Edge, ...]]] = {}
    for price, sequence in found:
        kept.setdefault(tuple((edge.kind, edge.meaning) for edge in sequence), (price, sequence))
        if len(kept) == most:
            break
    return list(kept.values())


def _cheapest(found: Iterable[Edge]) -> list[Edge]:
    kept: dict[tuple[str, Any], Edge] = {}
    for edge in sorted(found, key=lambda one: one.price):
        kept.setdefault((edge.kind, edge.meaning), edge)
        if len(kept) == BEAM:
            break
    return list(kept.values())


def skipped_price(skips: Sequence[float | None]) -> float | None:
    """The price of leaving out some tokens; None if one of them cannot be."""
    total = 0.0
    for one in skips:
        if one is None:
            return None
        total += one
    return total
