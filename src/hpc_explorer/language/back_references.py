"""Read "them" in a second sentence as what the first one names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from hpc_explorer.language.chart import Chart, Edge, skipped_price
from hpc_explorer.language.grammar import Grammar
from hpc_explorer.language.matching import Matched
from hpc_explorer.language.meaning import Thing
from hpc_explorer.language.words import ASKING, word_set

_CLAUSE_ENDS = frozenset(".?!;")
_PRONOUNS = word_set("them they their it its those these")
_DETERMINERS = word_set("that this these those such")


def with_back_references(grammar: Grammar, found: Matched, words: Sequence[str]) -> Iterator[Matched]:
    """The sentence with "them" in its second clause read as what the first one names, then as it is."""
    for at in range(1, len(words) - 1):
        token = found.tokens[at]
        if not (token.text in _CLAUSE_ENDS or (words[at] in ("and", "then") and words[at + 1] in ASKING)):
            continue
        if any(edge.kind in ("cols", "file") and edge.end <= at for edge in found.edges):
            # Columns and files belong to workflows, whose steps refer back by themselves.
            break
        if words[at + 1 : at + 3] == ["how", "many"] and words[at + 3 : at + 4] == ["are"]:
            # "And how many are they" asks for a number of the first clause.
            continue
        places = range(at + 1, len(words))
        referring = [place for place in places if words[place] in (*_PRONOUNS, *_DETERMINERS)]
        first = _named_before(grammar, found, words, at) if referring else None
        pronouns = [] if first is None else list(_pronouns(grammar, found, words, referring, first.meaning))
        if first is not None and pronouns:
            edges = [edge for edge in found.edges if edge.start > at]
            edges += [replace(first, start=start, end=end) for start, end in pronouns]
            needed = {place for start, end in pronouns for place in range(start, end)}
            after = (None if place in needed else found.skips[place] for place in places)
            yield replace(found, skips=(*(0.0 for _ in range(at + 1)), *after), edges=tuple(edges))
    yield found


def _pronouns(
    grammar: Grammar, found: Matched, words: Sequence[str], places: Iterable[int], first: Thing
) -> Iterator[tuple[int, int]]:
    """Where "them" stands, or "that dataset" for a dataset."""
    for place in places:
        classes = {edge.end: edge.meaning for edge in found.edges if edge.start == place + 1
                   and edge.kind == "thing" and edge.meaning.is_bare and edge.meaning.classes}  # fmt: skip
        ends = [end for end, thing in classes.items() if grammar.are_alike(first, thing)]
        if words[place] in _DETERMINERS and ends:
            yield place, max(ends)
        elif words[place] in _PRONOUNS:
            yield place, place + 1


def _named_before(grammar: Grammar, found: Matched, words: Sequence[str], end: int) -> Edge | None:
    """What the words before a place name, if they name something."""
    edges = [edge for edge in found.edges if edge.end <= end]
    chart = Chart(words[:end], found.skips[:end], edges, grammar.rules)
    best: Edge | None = None
    for start, last in list(chart.spans()):
        price = skipped_price((*found.skips[:start], *found.skips[last:end]))
        for edge in chart.cell(start, last) if price is not None else ():
            is_said = edge.kind == "thing" and (edge.meaning.resources or edge.meaning.constraints)
            if is_said and price is not None and (best is None or edge.price + price < best.price):
                best = replace(edge, price=edge.price + price)
    return best
