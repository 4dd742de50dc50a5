"""What a word of a sentence may mean, and which meaning the user chose for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hpc_explorer.language.chart import Edge, Lexeme
from hpc_explorer.language.meaning import Step, Thing
from hpc_explorer.rdf.terms import NamedNode

_MOST_TERMS = 10


@dataclass(frozen=True)
class WordMeaning:
    """A meaning of a part of a sentence.

    Args:
        lexeme: the part, its role and its meaning for people.
        terms: the classes, properties or resources that it stands for, at most ten.
    """

    lexeme: Lexeme
    terms: tuple[NamedNode, ...] = ()


def word_meanings(edges: Iterable[Edge]) -> tuple[WordMeaning, ...]:
    """The meanings of all parts of a sentence, the likely ones first."""
    found: dict[Lexeme, WordMeaning] = {}
    for edge in sorted(edges, key=lambda one: one.price):
        for lexeme in edge.lexemes[:1]:
            if lexeme.role:
                found.setdefault(lexeme, WordMeaning(lexeme, _terms(edge.meaning)))
    return tuple(found.values())


def with_choices(edges: Sequence[Edge], chosen: Iterable[Lexeme]) -> tuple[Edge, ...]:
    """The edges that agree with the meanings that the user chose."""
    kept = tuple(edges)
    for one in chosen:
        kept = tuple(edge for edge in kept if not _overlap(edge, one) or one in edge.lexemes)
    return kept


def _overlap(edge: Edge, lexeme: Lexeme) -> bool:
    return edge.start < lexeme.end and lexeme.start < edge.end


def _terms(meaning: object) -> tuple[NamedNode, ...]:
    if isinstance(meaning, Thing):
        return (*meaning.classes, *meaning.resources)[:_MOST_TERMS]
    if isinstance(meaning, tuple):
        steps = [one for part in meaning for one in (part if isinstance(part, tuple) else (part,))]
        return tuple(dict.fromkeys(one.predicate for one in steps if isinstance(one, Step)))[:_MOST_TERMS]
    return ()
