"""Find words of English in a sentence: comparisons, negation, counting, superlatives, orders and operations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hpc_explorer.language.chart import Edge, word_edge
from hpc_explorer.language.meaning import Step, Steps, Thing, turned
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.language.words import stem, stem_key

_WHERE, _WHEN = "where", "when"
_OVER_STEPS = frozenset(("ultimately", "indirectly", "transitively", "eventually"))
_COUNTING = {
    "number": "count", "amount": "much", "share": "share", "ratio": "ratio", "percent": "percent", "times": "times",
    "difference": "difference",
}  # fmt: skip
_USES = frozenset(map(stem, ("use", "need", "require", "necessary")))
_PLACES = tuple(
    map(
        stem_key,
        (
            "was associated with hardware",
            "site",
            "location",
            "country",
            "place",
            "is in store",
            "is located in",
            "is part of",
        ),
    )
)

_FAR_PLACES = frozenset(map(stem_key, ("country",)))


@dataclass(frozen=True)
class EnglishWords:
    """Finds edges of English words in one sentence.

    Args:
        keys: the words of the sentence, in lower case.
        stems: their stems.
        terms: the graph, whose properties have adjectives ("faster") and places ("where").
    """

    keys: Sequence[str]
    stems: Sequence[str]
    terms: GraphTerms

    def edges(self, start: int, end: int) -> Iterator[Edge]:
        """The edges of a phrase, from the token `start` to the one before `end`."""
        phrase = " ".join(self.stems[start:end])
        groups = self.terms.lexicon.groups
        for meaning in groups["comparisons"].get(phrase, ()):
            yield word_edge(start, end, "compare", meaning, 0.0, "comparison", meaning)
        for meaning in groups["negation"].get(phrase, ()):
            # Nobody is no thing of any kind.
            kind, what = ("notthing", Thing()) if meaning == "nobody" else (meaning, None)
            yield word_edge(start, end, kind, what, 0.0, "negation", "not")
        for meaning in groups["counting"].get(phrase, ()):
            kind = _COUNTING.get(meaning, "each")
            yield word_edge(start, end, kind, None, 0.0, "operation", meaning)
        for meaning in groups["superlatives"].get(phrase, ()):
            if meaning in ("most", "least") and not (start and self.keys[start - 1] == "at"):
                yield word_edge(
                    start, end, "most", meaning == "most", 0.0, "comparison", " ".join(self.keys[start:end])
                )
            elif meaning in ("best", "worst"):
                yield word_edge(start, end, "best", meaning == "best", 0.0, "comparison", meaning)
        any_steps = self.keys[start] in _OVER_STEPS and end > start + 1
        for meaning in groups["lineage"].get(" ".join(self.stems[start + any_steps : end]), ()):
            # "Ultimately derived from" is no single step.
            yield word_edge(start, end, meaning, None, -0.2 if any_steps else 0.1, "lineage", meaning)
        for meaning in groups["linking"].get(phrase, ()):
            yield word_edge(start, end, meaning, None, 0.0, "", meaning)
        for meaning in groups["texts"].get(phrase, ()):
            yield word_edge(start, end, "texttest", meaning, 0.0, "comparison", meaning)
        for meaning in groups["calendar"].get(phrase, ()):
            yield from self._calendar(start, end, meaning)
        for meaning in groups["aggregates"].get(phrase, ()):
            yield word_edge(start, end, "aggregate", meaning, 0.0, "operation", meaning)
        for meaning in groups["operations"].get(phrase, ()):
            price = -0.4 if meaning == "column_names" and end > start + 1 else 0.0
            yield word_edge(start, end, "do " + meaning, None, price, "operation", meaning)
        if end == start + 2:
            yield from self._two_words(start)
        yield from self._used_to(start, end)
        if end == start + 1:
            yield from self._wh_words(start)
            if self.keys[start] in ("better", "worse"):
                is_better = self.keys[start] == "better"
                yield word_edge(start, end, "better", is_better, 0.0, "comparison", self.keys[start])
                for number, (steps, is_greatest) in enumerate(self.terms.adjectives.get(stem("good"), ())):
                    label = self.terms.property_label(steps[0].predicate)
                    price = 0.3 + 0.1 * number
                    meaning_of = (steps, is_greatest == is_better)
                    yield word_edge(start, end, "betterby", meaning_of, price, "comparison", f"by {label}")
            yield from self._comparatives(start, start, re.sub(r"er$", "", self.keys[start]), is_more=True)
            if self.keys[start] in ("csv", "json"):
                yield word_edge(start, end, "format", self.keys[start], 0.0, "operation", "a file type")
            word = self.stems[start]
            superlative = re.sub(r"i?est$", "", self.keys[start])
            if self.keys[start].endswith("est") and len(superlative) > 2:
                for form in {superlative, superlative + "e", superlative + "y", superlative[:-1]}:
                    for steps, is_greatest, more in self._adjectives(form):
                        label = self.terms.property_label(steps[0].predicate)
                        price = 0.1 + more
                        yield word_edge(
                            start, end, "extreme", (steps, is_greatest), price, "comparison", f"by {label} ({word})"
                        )

    def _calendar(self, start: int, end: int, meaning: str) -> Iterator[Edge]:
        """Words of orders in time, and parts of times."""
        if meaning in ("chronological", "backwards"):
            yield word_edge(start, end, "chronological", meaning == "backwards", 0.0, "operation", "by time")
        elif meaning in ("first", "last"):
            yield word_edge(start, end, "comingfirst", meaning == "first", 0.0, "operation", meaning)
        else:
            yield word_edge(start, end, "timepart", meaning, 0.0, "operation", meaning)

    def _adjectives(self, word: str) -> Iterator[tuple[Steps, bool, float]]:
        """The properties of an adjective with their prices; a time that is computed is no better than one stated."""
        price = 0.0
        for steps, is_greatest in self.terms.adjectives.get(stem(word), ()):
            yield steps, is_greatest, price
            price += 0.3 if steps[0].predicate in self.terms.durations else 0.4

    def _two_words(self, start: int) -> Iterator[Edge]:
        """How and an adjective asks for the property; more or less and an adjective compares."""
        first, second = self.keys[start : start + 2]
        if first == "how":
            for steps, _, more in self._adjectives(second):
                label = self.terms.property_label(steps[0].predicate)
                yield word_edge(start, start + 2, "noun", steps, 0.1 + more, "property", label)
        elif first in ("more", "less") and (second.endswith("ful") or stem(second) not in self.terms.nouns):
            # "More power" is no "more powerful".
            yield from self._comparatives(start, start + 1, second, is_more=first == "more")

    def _comparatives(self, start: int, at: int, root: str, *, is_more: bool) -> Iterator[Edge]:
        """An adjective that compares with another thing: "faster", "less accurate"."""
        if at == start and (root == self.keys[at] or len(root) < 3):
            return
        forms = {root} if at > start else {root, root + "e", re.sub(r"i$", "y", root), root[:-1]}
        for form in sorted(forms):
            for steps, is_greatest, more in self._adjectives(form):
                label = self.terms.property_label(steps[0].predicate)
                meaning = (steps, is_greatest == is_more)
                yield word_edge(start, at + 1, "comparative", meaning, 0.1 + more, "comparison", f"by {label}")

    def _used_to(self, start: int, end: int) -> Iterator[Edge]:
        """ "Used to train X": something is used by what makes X."""
        if end != start + 3 or self.stems[start] not in _USES or self.keys[start + 1] not in ("to", "for", "in"):
            return
        verb = self.stems[start + 2]
        makes = tuple(dict.fromkeys(step for steps, _ in self.terms.verbs.get(verb, ()) for step in steps))
        uses = tuple(dict.fromkeys(step for steps, _ in self.terms.verbs.get(stem("use"), ()) for step in steps))
        if makes and uses:
            yield word_edge(start, end, "usedto", (turned(uses), makes), 0.1, "property", self.keys[start + 2])

    def _wh_words(self, at: int) -> Iterator[Edge]:
        word = self.keys[at]
        terms = self.terms
        if word in ("what", "who", "whom", "everything", "anything", "something"):
            yield word_edge(at, at + 1, "thing", Thing(), 0.6, "", "anything")
        if word == "both":
            yield word_edge(at, at + 1, "both", None, 0.0, "", "both")
        if word == _WHERE:
            for noun in _PLACES:
                for steps, price in terms.nouns.get(noun, ()):
                    if price <= 0.3:
                        # The nearest place first.
                        far = 0.6 if noun in _FAR_PLACES else 0.2
                        label = terms.property_label(steps[0].predicate)
                        yield word_edge(at, at + 1, "noun", steps, far, "property", label)
        if word == _WHEN or (
            word in ("time", "day", "date", "month", "year") and at and self.keys[at - 1] in ("what", "which")
        ):
            for term in sorted(terms.times, key=lambda one: ("start" not in one.value.lower(), one.value)):
                price = 0.4 if "start" in term.value.lower() else 0.8
                yield word_edge(at, at + 1, "noun", (Step(term),), price, "property",
                                 terms.property_label(term))  # fmt: skip
