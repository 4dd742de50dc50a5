"""The curated English words of `ontology/english.toml`, and those that a user taught."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from hpc_explorer.language.words import key_of, stem, stem_key
from hpc_explorer.shipped import shipped_folder

FILE = "english.toml"
_GROUPS = (
    "lineage",
    "superlatives",
    "comparisons",
    "negation",
    "counting",
    "aggregates",
    "operations",
    "linking",
    "texts",
    "calendar",
)


@dataclass(frozen=True)
class VerbWords:
    """Verbs with the properties that they express.

    Args:
        stems: of the verbs.
        from_doer: labels of properties from the doer to what is done, as stems.
        to_doer: labels of properties from what is done to the doer, as stems.
    """

    stems: tuple[str, ...]
    from_doer: tuple[str, ...]
    to_doer: tuple[str, ...]


@dataclass(frozen=True)
class AdjectiveWords:
    """An adjective that compares: the properties to sort by, each with whether the greatest comes first."""

    stems: tuple[str, ...]
    properties: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Lexicon:
    """English words by what they mean. All phrases are stems, see `stem_key`.

    Args:
        skipped: words that a reading may leave out, with the price.
        idle: phrases that say nothing: "on record".
        wishes: phrases that say nothing at the beginning of a sentence: "I need".
        classes, properties, relations: further phrases of a label.
        wider: phrases of a class where no class has them as its own.
        values: further phrases of a value, as keys.
        groups: phrases of a group such as `operations`, each with its meanings.
    """

    skipped: Mapping[str, float]
    idle: tuple[tuple[str, ...], ...]
    wishes: tuple[tuple[str, ...], ...]
    classes: Mapping[str, tuple[str, ...]]
    wider: Mapping[str, tuple[str, ...]]
    properties: Mapping[str, tuple[str, ...]]
    relations: Mapping[str, tuple[str, ...]]
    verbs: tuple[VerbWords, ...]
    adjectives: tuple[AdjectiveWords, ...]
    groups: Mapping[str, Mapping[str, tuple[str, ...]]]
    values: Mapping[str, tuple[str, ...]]
    words: frozenset[str]
    verb_words: frozenset[str]


@lru_cache(maxsize=1)
def english() -> Lexicon:
    """The shipped lexicon."""
    with (shipped_folder("ontology") / FILE).open("rb") as file:
        return read_lexicon(tomllib.load(file))


def is_called(label: str, typed: str) -> bool:
    """Whether people call a property by a typed word or its beginning: "hash" for the label "MD5 checksum"."""
    begun, whole = key_of(typed), stem_key(typed)
    names = english().properties.get(stem_key(label), ())
    return bool(begun) and any(name.startswith((begun, whole)) for name in names)


def read_lexicon(document: Mapping[str, Mapping[str, str]]) -> Lexicon:
    """The lexicon of a document in the form of the shipped file."""
    skipped = dict.fromkeys(key_of(document["skipped"]["always"]).split(), 0.0)
    skipped |= {word: 0.7 for word in key_of(document["skipped"]["seldom"]).split() if word not in skipped}
    groups = {group: _inverted(document[group]) for group in _GROUPS}
    verbs = []
    for words, meaning in document["verbs"].items():
        doer, _, done = meaning.partition("|")
        verbs.append(VerbWords(tuple(_phrases(words)), tuple(_phrases(doer)), tuple(_phrases(done))))
    adjectives = [
        AdjectiveWords(tuple(_phrases(words)), tuple(_sortings(meaning)))
        for words, meaning in document["adjectives"].items()
    ]
    spelled = {
        word for table in document.values() for text in (*table, *table.values()) for word in key_of(text).split()
    }
    return Lexicon(
        skipped,
        _word_tuples(document["skipped"]["phrases"]),
        _word_tuples(document["skipped"]["wishes"]),
        _by_label(document["classes"]),
        _by_label(document["wider"]),
        _by_label(document["properties"]),
        _by_label(document["relations"]),
        tuple(verbs),
        tuple(adjectives),
        groups,
        {key_of(value): tuple(map(key_of, text.split(","))) for value, text in document["values"].items()},
        frozenset(word for word in spelled if word.isalpha()),
        frozenset(
            word
            for text in (*document["verbs"], *document["relations"].values())
            for word in key_of(text).split()
            if word.isalpha() and len(word) > 3 and word not in skipped and not word.endswith(("ed", "ing"))
        ),
    )


def _word_tuples(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(key_of(phrase).split()) for phrase in text.split(","))


def _phrases(text: str) -> list[str]:
    return [found for part in text.split(",") if (found := _sign_or_stems(part))]


def _sign_or_stems(part: str) -> str:
    part = part.strip()
    return part if part and not any(map(str.isalnum, part)) else stem_key(part)


def _by_label(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for label, text in table.items():
        key = stem_key(label)
        found[key] = (*found.get(key, ()), *_phrases(text))
    return found


def _inverted(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for meaning, text in table.items():
        for phrase in dict.fromkeys(_phrases(text)):
            found[phrase] = (*found.get(phrase, ()), meaning)
    return found


def _sortings(text: str) -> Iterable[tuple[str, bool]]:
    for part in text.split("|"):
        sign, _, labels = part.strip().partition(" ")
        yield from ((stem_key(label), sign == ">") for label in labels.split(","))


@lru_cache(maxsize=1)
def number_words() -> Mapping[str, int]:
    """Numbers that are written as words."""
    names = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    return {**{name: number for number, name in enumerate(names)}, "dozen": 12, "twenty": 20, stem("twice"): 2}
