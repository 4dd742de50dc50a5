"""Find the words of the graph and of English in a sentence, and correct typing errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, product

from hpc_explorer.language.chart import Edge
from hpc_explorer.language.finding import Finder, Lookup
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.language.words import (
    SentenceToken,
    Spelling,
    TokenKind,
    key_of,
    near_spellings,
    sentence_tokens,
)

_MOST_MISTYPED = 3
_MOST_CORRECTIONS = 6
_EACH = 4


@dataclass(frozen=True)
class Matched:
    """A sentence with the words found in it.

    Args:
        skips: the price of leaving out each token; None: it must be covered.
        unknown: tokens that mean nothing here.
        corrected: words that were read as others.
        purposes: tokens that say what the user wants the answer for.
    """

    tokens: tuple[SentenceToken, ...]
    skips: tuple[float | None, ...]
    edges: tuple[Edge, ...]
    unknown: tuple[int, ...]
    corrected: tuple[Spelling, ...]
    purposes: tuple[int, ...] = ()


def matched(text: str, terms: GraphTerms, lookup: Lookup | None = None) -> Matched:
    """Find the known words of a sentence.

    Args:
        lookup: finds names and values that `terms` does not hold.
    """
    return _found(sentence_tokens(text), terms, lookup, ())


def _found(
    tokens: tuple[SentenceToken, ...], terms: GraphTerms, lookup: Lookup | None, corrected: tuple[Spelling, ...]
) -> Matched:
    finder = Finder(tokens, terms, lookup)
    edges = finder.edges()
    unknown = finder.unknown(edges)
    skips = finder.skips(unknown, edges)
    return Matched(tokens, skips, tuple(edges), tuple(unknown), corrected, tuple(sorted(finder.purposes)))


def corrections(found: Matched, terms: GraphTerms, lookup: Lookup | None = None) -> Iterator[Matched]:
    """The sentence with its unknown words read as similar ones, the most similar first."""
    if len(found.unknown) > _MOST_MISTYPED:
        return
    choices = [_similar(found.tokens[at], terms) for at in found.unknown]
    for chosen in islice(product(*choices), _MOST_CORRECTIONS):
        tokens, spellings = list(found.tokens), []
        for at, better in zip(found.unknown, chosen, strict=True):
            if better == tokens[at].text:
                continue
            spellings.append(Spelling(tokens[at].text, better))
            tokens[at] = replace(tokens[at], text=better)
        if not spellings:
            continue
        better_one = _found(tuple(tokens), terms, lookup, tuple(spellings))
        if not better_one.unknown:
            yield better_one


def part_of(found: Matched, start: int, end: int, terms: GraphTerms, lookup: Lookup | None = None) -> Matched:
    """A part of a sentence, from one token to before another, as a sentence of its own."""
    return _found(found.tokens[start:end], terms, lookup, ())


def with_word(found: Matched, at: int, word: str, terms: GraphTerms, lookup: Lookup | None = None) -> Matched | None:
    """The sentence with a known word in place of an unknown one, and without its other unknown words.

    Returns:
        None if the word means nothing there.
    """
    tokens = list(found.tokens)
    tokens[at] = replace(tokens[at], text=word)
    better = _found(tuple(tokens), terms, lookup, ())
    if at in better.unknown:
        return None
    skips = tuple(0.4 if place in better.unknown else skip for place, skip in enumerate(better.skips))
    return replace(better, skips=skips, unknown=())


def _similar(token: SentenceToken, terms: GraphTerms) -> list[str]:
    """The words that were probably meant."""
    key = token.key
    if token.kind in (TokenKind.QUOTED, TokenKind.NAME):
        columns = {key_of(one.name): one.name for several in terms.columns.values() for one in several}
        files = {key_of(name): name for name in terms.loose_files}
        known: Iterable[str] = {*terms.names, *terms.values, *columns, *files}
        near = near_spellings(key, known, errors=1 if len(key) < 8 else 2) if len(key) > 2 else []
        return [*(columns.get(one) or files.get(one) or one for one in near[:_EACH]), token.text]
    if key in terms.spelled:
        return [token.text]
    if token.text.isupper() and len(key) < 5:
        # An abbreviation is no mistyped word.
        return []
    if token.kind is not TokenKind.WORD or len(key) < 3 or not any(map(str.isalpha, key)):
        return []
    near = near_spellings(key, terms.spelled, errors=1 if len(key) < 8 else 2)
    return [one for one in near if _is_mistyped(key, one, one in terms.lexicon.skipped)][:_EACH]


def _is_mistyped(written: str, known: str, says_nothing: bool) -> bool:
    """Whether a word that is like a known one was meant as it.

    "Coldest" is no "oldest", as people seldom mistype the first letter, and "left" is no "let": a short word that says
    nothing is hardly mistyped as a longer one.
    """
    if sorted(written) == sorted(known):
        return True
    return written[0] == known[0] and (len(known) > 3 or not says_nothing)
