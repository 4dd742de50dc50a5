"""Find the words of the graph in the tokens of a sentence, and with them those of English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from hpc_explorer.language.chart import Edge, word_edge
from hpc_explorer.language.english_words import EnglishWords
from hpc_explorer.language.indirect import Keyed
from hpc_explorer.language.meaning import TRUE, Has, Step, Thing, turned
from hpc_explorer.language.measures import measures, units_named
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.language.words import (
    SentenceToken,
    TokenKind,
    key_of,
    stem,
    stem_key,
)
from hpc_explorer.rdf.terms import Literal, NamedNode

_LONGEST = 9
_SHORT = 4
_IN_A_NAME = 0.6
_WHO_FOR_PEOPLE = 0.2
_NAMING = frozenset(["into", "as", "to", "under", "called", "named"])
_NOUNS = frozenset(["dataset", "file", "table", "csv"])
_PREPOSITIONS = frozenset(("to", "on", "in", "with", "by", "from", "for", "at", "of"))
_ASKED = frozenset(("which", "what", "whom", "whose"))
_ADVERBS = frozenset(("directly", "immediately", "straight", "also", "currently", "already", "actually"))
_SPEAKERS = frozenset(("i", "we", "you", "they", "he", "she"))
_RELATIVES = frozenset(("that", "which", "who", "whom"))
_MODALS = frozenset(("would", "could", "might", "may", "can"))
_OWN = frozenset(("my", "our"))
_PURPOSES = frozenset(
    ("thesis", "dissertation", "paper", "talk", "report", "presentation", "slides", "poster", "notes", "proposal",
     "supervisor", "reviewer", "boss")
)  # fmt: skip
_INNER = frozenset(("a", "an", "the", "of", "in", "for"))
_ARTICLES = frozenset(("a", "an", "the"))
_SECOND_QUESTIONS = frozenset(("what", "who", "whom", "when", "where", "why", "how"))
_FIRST_ASKED = frozenset(("who", "what", "which", "where", "when"))
_BEFORE_ASKED = frozenset(
    ("and", "or", "of", "to", "for", "from", "with", "by", "on", "in", "at", "about", "know", "me")
)
_LINKS = frozenset(map(stem, ("associated", "linked", "connected", "related")))
_EQUAL = frozenset(["is", "are", "=", "equals", "equal", "to", "not"])


Lookup = Callable[[str], tuple[Sequence[NamedNode], Mapping[NamedNode, Sequence[Literal | NamedNode]]]]
"""The resources with a name, and the literals by property, of a text, in graphs that were only sampled."""


@dataclass(frozen=True)
class ValueSet:
    """Values with the properties that have them."""

    by_property: tuple[tuple[NamedNode, tuple[Literal | NamedNode, ...]], ...]

    def of(self, property: NamedNode) -> tuple[Literal | NamedNode, ...]:
        """The values that a property has."""
        return dict(self.by_property).get(property, ())


class Finder:
    """Finds edges in the tokens of one sentence."""

    def __init__(self, tokens: tuple[SentenceToken, ...], terms: GraphTerms, lookup: Lookup | None) -> None:
        self.tokens = tokens
        self.terms = terms
        self.lookup = lookup
        self.lexicon = terms.lexicon
        self.keys = [token.key or token.text for token in tokens]
        self.stems = [token.text if token.kind is TokenKind.SIGN else stem_key(token.text) for token in tokens]
        self.english = EnglishWords(self.keys, self.stems, terms)
        self.protected = [token.kind in (TokenKind.QUOTED, TokenKind.NAME) for token in tokens]
        is_moved = self.keys[0:1] and self.keys[0] in _PREPOSITIONS and self.keys[1:2] and self.keys[1] in _ASKED
        self._idle: set[int] = set()
        for at in range(len(tokens)):
            is_begun = all(one in self._idle or self._begins(one) for one in range(at))
            for phrase in (*self.lexicon.idle, *(self.lexicon.wishes if is_begun else ())):
                if tuple(self.keys[at : at + len(phrase)]) == phrase:
                    self._idle.update(range(at, at + len(phrase)))
        self.purposes = {at for at in range(len(tokens)) if self._is_purpose(at)}
        self.moved = self.keys[0] if is_moved else None

    def _begins(self, at: int) -> bool:
        """Whether a token may stand before a wish."""
        return self.tokens[at].kind is TokenKind.SIGN or self.keys[at] in self.lexicon.skipped or (
            self.keys[at] in _PURPOSES
        )  # fmt: skip

    def uncovered(self, edges: Iterable[Edge]) -> list[int]:
        """The tokens that no edge covers and that cannot be skipped."""
        covered = {at for edge in edges for at in range(edge.start, edge.end)}
        return [at for at in range(len(self.tokens)) if at not in covered and self._skip(at) is None]

    def unknown(self, edges: Iterable[Edge]) -> list[int]:
        """The uncovered tokens that may not be left out; what the user wants the answer for may ("for my thesis")."""
        return [at for at in self.uncovered(edges) if at not in self.purposes]

    def _is_purpose(self, at: int) -> bool:
        """Whether a word ends a phrase such as "for my thesis" at the beginning or the end of a sentence."""
        if self.keys[at] not in _PURPOSES or at < 2 or self.keys[at - 2] != "for" or self.keys[at - 1] not in _OWN:
            return False
        around = (range(at - 2), range(at + 1, len(self.tokens)))
        return any(all(self._skip(other) == 0.0 for other in side) for side in around)

    def skips(self, unknown: Sequence[int], edges: Iterable[Edge]) -> tuple[float | None, ...]:
        """The price of leaving out each token; it is dearer where a phrase of the graph begins: "compute nodes"."""
        idle = self.purposes | {at - 1 for at in self.purposes}
        begun = {
            edge.start
            for edge in edges
            if edge.kind == "noun" and edge.end > edge.start + 1 and len(self.keys[edge.start]) > _SHORT
        }

        def price(at: int) -> float | None:
            skipped = None if at in unknown else 0.0 if at in idle else self._skip(at)
            return 0.4 if skipped == 0.0 and at in begun else skipped

        return tuple(map(price, range(len(self.tokens))))

    def _skip(self, at: int) -> float | None:
        token = self.tokens[at]
        if token.kind is TokenKind.SIGN:
            is_said = token.text in "<>=" or token.text in ("<=", ">=", "!=")
            return None if is_said or (token.text == "%" and at and self._is_number(at - 1)) else 0.0
        if token.kind is not TokenKind.WORD:
            return None
        if self.keys[at] == "or" or at in self._idle:
            return 0.0
        if self._asks_more(at):
            # "And when", "and who made them" ask for more.
            return None if self.keys[at].startswith("wh") and self.keys[at] not in ("when", "where") else 0.8
        if at == 0 and self.keys[at] in ("where", "when", "why"):
            return None
        if self.keys[at] == "do" and at and all(one.kind is TokenKind.SIGN for one in self.tokens[at + 1 :]):
            # "What they do".
            return None
        if self._is_letter(at) or self._is_second_asked(at):
            return None
        if self.keys[at] == "both" and "and" not in self.keys[at:]:
            # "Of both projects" says more than "of projects".
            return None
        if self.keys[at] in _SPEAKERS and at and self.keys[at - 1] in _RELATIVES:
            # "The models that we used" are not all that were used.
            return 0.7
        if any(self._is_imagined(first) for first in (at - 1, at)):
            return 0.7
        return self.lexicon.skipped.get(self.keys[at])

    def _asks_more(self, at: int) -> bool:
        """Whether a word begins a second question; after another clause it begins one more: "whose …, and who …"."""
        is_after = at > 0 and self.keys[at - 1] == "and" and self.keys[at] in _SECOND_QUESTIONS
        return is_after and _RELATIVES.isdisjoint(self.keys[1:at]) and "whose" not in self.keys[:at]

    def _is_second_asked(self, at: int) -> bool:
        """Whether a word asks for a second thing: "who ran what"."""
        is_asked = at > 1 and self.keys[at] in ("what", "whom") and self.keys[0] in _FIRST_ASKED
        before = self.tokens[at - 1]
        return is_asked and before.kind is TokenKind.WORD and self.keys[at - 1] not in _BEFORE_ASKED

    def _is_number(self, at: int) -> bool:
        return self.tokens[at].kind is TokenKind.NUMBER

    def _is_letter(self, at: int) -> bool:
        """Whether "A" is no article: "the station is A"."""
        return at > 0 and self.tokens[at].text == "A" and self.tokens[at - 1].text.islower()

    def _is_imagined(self, first: int) -> bool:
        """Whether two words say what did not happen ("would have failed"); "would have to" is a question."""
        return (
            first >= 0
            and self.keys[first] in _MODALS
            and self.keys[first + 1 : first + 2] == ["have"]
            and self.keys[first + 2 : first + 3] != ["to"]
        )

    # Edges
    # -----

    def edges(self) -> list[Edge]:
        """All edges of single words and phrases."""
        found: list[Edge] = []
        size = len(self.tokens)
        for start in range(size):
            found += measures(self.tokens, start)
            for end in range(start + 1, min(size, start + _LONGEST) + 1):
                if end > start + 1 and any(self.protected[start:end]):
                    found += self._whole_name(start, end)
                    continue
                if self.protected[start]:
                    found += self._protected(start)
                    continue
                if end == start + 1:
                    found += self._prefixed(start)
                    found += self._units(start)
                found += self._in_unit(start, end)
                found += self._without_articles(start, end)
                found += self._without_adverbs(start, end)
                found += self._graph_words(start, end)
                inner = [one for one in self.stems[start:end] if one not in _ARTICLES]
                if start + 1 < end and 1 < len(inner) < end - start and inner[0] == self.stems[start]:
                    found += self._booleans(start, end, " ".join(inner))
                found += self.english.edges(start, end)
        found = [edge for edge in self._outside_names(found) if self.purposes.isdisjoint(range(edge.start, edge.end))]
        found += [*self._parts_of_names(found), *self._parts_of_values(found)]
        return [*found, *self._new_texts(found)]

    def _outside_names(self, found: Sequence[Edge]) -> list[Edge]:
        """The edges, with a price for those that take apart a long name of the graph."""
        exact, labels, spans = self.terms.exact_names, self.terms.labels, set()
        for edge in found:
            if edge.kind == "thing" and edge.end - edge.start > 2:
                key = key_of(" ".join(token.text for token in self.tokens[edge.start : edge.end]))
                names = (labels.get(one, "") for one in edge.meaning.resources)
                if self.tokens[edge.start].text[:1].isupper() and any(
                    name in exact and key_of(name) == key for name in names
                ):
                    spans.add((edge.start, edge.end))

        def cuts(edge: Edge) -> bool:
            return any(
                start < edge.end and edge.start < end and not (edge.start <= start and end <= edge.end)
                for start, end in spans
            )

        return [replace(edge, price=edge.price + _IN_A_NAME) if cuts(edge) else edge for edge in found]

    def _new_texts(self, edges: Sequence[Edge]) -> Iterator[Edge]:
        """Unknown words where a new name or a cell's value may stand: "into dataset C", "where state is DONE"."""
        columns = {edge.end for edge in edges if edge.kind == "cols"}
        strange = set(self.uncovered(edges))
        tested = {edge.end for edge in edges if edge.kind == "texttest"}
        tested |= {at + 1 for at in tested if at < len(self.tokens) and self.keys[at] == "."}
        for at in range(len(self.tokens)):
            before = self.keys[max(at - 3, 0) : at]
            named = before[-1:] and (
                before[-1] in _NAMING or (before[-1] in _NOUNS and before[-2:-1] and before[-2] in _NAMING)
            )
            equal = before[-1:] and before[-1] in _EQUAL and not columns.isdisjoint(range(at - 3, at))
            is_new = before[-1:] and before[-1] in _NOUNS and len(self.tokens[at].text) == 1
            beside = at in columns and self.tokens[at].text[:1].isupper()
            if at in tested and self.tokens[at].kind in (TokenKind.WORD, TokenKind.NUMBER):
                yield word_edge(at, at + 1, "text", self.tokens[at].text, 0.1, "value", "a text")
            elif (
                self.tokens[at].kind is TokenKind.WORD
                and (named or equal or beside)
                and (at in strange or is_new or self._is_letter(at))
            ):
                yield word_edge(at, at + 1, "text", self.tokens[at].text, 0.5, "value", "a text")

    def _parts_of_names(self, edges: Sequence[Edge]) -> list[Edge]:
        """A word that means nothing else, but occurs in names: any of the resources that have it."""
        found = []
        for at in self.uncovered(edges):
            resources = () if self.protected[at] else self.terms.parts_of_names.get(self.keys[at], ())
            if len(self.keys[at]) < _SHORT and not self.tokens[at].text.isupper():
                continue
            for some in self._by_class(resources):
                name = self.tokens[at].text if len(some) > 1 else self.terms.labels.get(some[0], self.tokens[at].text)
                found.append(word_edge(at, at + 1, "thing", Thing((), some), 0.6, "name", name))
        return found

    def _parts_of_values(self, edges: Sequence[Edge]) -> Iterator[Edge]:
        """A word that means nothing else, but occurs in values: any of those that have it."""
        for at in self.uncovered(edges):
            held = {} if self.protected[at] else self.terms.parts_of_values.get(self.keys[at], {})
            if held:
                values = ValueSet(tuple((term, tuple(some)) for term, some in held.items()))
                yield word_edge(at, at + 1, "value", values, 0.6, "value", self.tokens[at].text)

    def _by_class(self, resources: Iterable[NamedNode]) -> list[tuple[NamedNode, ...]]:
        """Resources grouped by their classes."""
        groups: dict[frozenset[NamedNode], list[NamedNode]] = {}
        for one in resources:
            groups.setdefault(self.terms.types.get(one, frozenset()), []).append(one)
        return [tuple(some) for some in groups.values()]

    def _protected(self, at: int) -> Iterator[Edge]:
        token = self.tokens[at]
        found = [*self._named(at, at + 1, token.key, token.text)]
        yield from found
        yield from self._columns(at, at + 1, token.key, 0.05)
        if token.kind is TokenKind.NAME:
            # A name with an underscore may be one of several words of a label.
            yield from self._phrases(at, at + 1, stem_key(token.text))
        if token.text in self.terms.loose_files and not any(edge.kind == "thing" for edge in found):
            yield word_edge(at, at + 1, "file", token.text, 0.0, "name", "a file beside the graph")
        yield word_edge(at, at + 1, "text", token.text, 0.6, "value", "a text")

    def _in_unit(self, start: int, end: int) -> Iterator[Edge]:
        """In GB."""
        if self.keys[start] != "in" or not 1 < end - start < 4:
            return
        name = " ".join(token.text for token in self.tokens[start + 1 : end])
        for unit in units_named(name) if len(name) > 1 else ():
            yield word_edge(start, end, "inunit", unit.iri, 0.0, "value", unit.label)

    def _units(self, at: int) -> Iterator[Edge]:
        """How many kWh: what is measured in this unit."""
        if at == 0 or self.keys[at - 1] not in ("many", "much"):
            return
        units = units_named(self.tokens[at].text)
        named = {unit.iri for unit in units}
        for term, own in self.terms.indirect.items():
            if isinstance(own, Keyed) and own.unit in named:
                yield word_edge(at, at + 1, "noun", (Step(term),), 0.2, "property", own.label)
        for unit in units:
            for term in sorted((*self.terms.durations, *self.terms.quantities), key=str):
                if unit.iri is not None and self.terms.takes_unit(term, unit.iri):
                    label = self.terms.property_label(term)
                    yield word_edge(at, at + 1, "nounin", ((Step(term),), unit.iri), 0.2, "property", label)

    def _prefixed(self, at: int) -> Iterator[Edge]:
        """Unlicensed: without a licence; unused: not used by anything."""
        word = self.keys[at]
        if not word.startswith("un") or not word.endswith("ed") or len(word) < 6 or word in self.terms.spelled:
            return
        root = stem(word[2:])
        found = [(steps, price) for steps, price in self.terms.nouns.get(root, ())]
        found += [(turned(steps), price) for steps, price in self.terms.verbs.get(root, ())]
        for steps, price in found:
            label = self.terms.property_label(steps[0].predicate)
            yield word_edge(at, at + 1, "con", (Has(steps, None, negated=True),), price, "negation", f"no {label}")

    def _without_adverbs(self, start: int, end: int) -> Iterator[Edge]:
        """A phrase with an adverb between its words: "come directly after"."""
        inner = [one for at, one in enumerate(self.stems[start:end], start) if self.keys[at] not in _ADVERBS]
        if 1 < len(inner) < end - start and not {self.keys[start], self.keys[end - 1]} & _ADVERBS:
            yield from self._phrases(start, end, " ".join(inner))

    def _whole_name(self, start: int, end: int) -> Iterator[Edge]:
        """A name that has a file name or a quoted text in it: "r4/run.dcd"."""
        if TokenKind.SIGN in (self.tokens[start].kind, self.tokens[end - 1].kind):
            return
        key = " ".join(token.key for token in self.tokens[start:end] if token.key)
        if key in self.terms.names or key in self.terms.values:
            yield from self._named(start, end, key, " ".join(token.text for token in self.tokens[start:end]))

    def _without_articles(self, start: int, end: int) -> Iterator[Edge]:
        """A name with "of" or "the" between its words: "the air flow of the hall" for "air flow hall"."""
        inner = [token for token in self.tokens[start:end] if token.key not in _INNER]
        outer = (self.keys[start], self.keys[end - 1])
        if len(inner) in (0, 1, end - start) or not _INNER.isdisjoint(outer):
            return
        key = " ".join(token.key for token in inner)
        for several in self._by_class(self.terms.names.get(key, ())):
            written = self.terms.labels.get(several[0], key)
            yield word_edge(start, end, "thing", Thing((), several), 0.2, "name", written)

    def _graph_words(self, start: int, end: int) -> Iterator[Edge]:
        phrase = " ".join(self.stems[start:end])
        yield from self._phrases(start, end, phrase)
        if any(self.tokens[at].kind is TokenKind.SIGN for at in (start, end - 1)):
            return
        key = " ".join(token.key for token in self.tokens[start:end] if token.key)
        yield from self._named(start, end, key, " ".join(token.text for token in self.tokens[start:end]))
        if end == start + 1 or end == start + 2:
            yield from self._columns(start, end, key, 0.3)

    def _phrases(self, start: int, end: int, phrase: str) -> Iterator[Edge]:
        terms = self.terms
        short = terms.schema
        # "Ran" is no run; "and who made them" asks for more.
        is_no_class = self.keys[start] == "ran" or self._asks_more(start)
        named = () if is_no_class else terms.classes.get(phrase, ())
        for cls, price in self._grouped_classes(named):
            price -= _WHO_FOR_PEOPLE if phrase in ("who", "whom") else 0.0
            yield word_edge(start, end, "thing", Thing(cls), price, "class", short.class_label(cls[0]))
        heads = tuple(terms.heads.get(phrase, ()))
        if heads and phrase not in terms.classes:
            yield word_edge(start, end, "thing", Thing(heads), 0.3, "class", self.tokens[start].text)
        for steps, price in terms.nouns.get(phrase, ()):
            label = terms.property_label(steps[0].predicate)
            yield word_edge(start, end, "noun", steps, price, "property", label)
        # "Done" says when, "do" does not.
        is_asking = phrase == "do" and self.keys[start] != "done"
        for steps, price in () if is_asking else terms.relations.get(phrase, ()):
            label = terms.property_label(steps[0].predicate)
            yield word_edge(start, end, "rel", steps, price, "property", label)
            if self.stems[start] in _LINKS:
                yield word_edge(start, end, "linked", steps, price, "property", label)
        yield from self._verbs(start, end, phrase)
        if self.moved is not None and start > 1:
            # "To which project does X belong".
            for steps, price in terms.relations.get(f"{phrase} {self.moved}", ()):
                label = terms.property_label(steps[0].predicate)
                yield word_edge(start, end, "rel", steps, price + 0.1, "property", label)
        for number, (steps, is_greatest) in enumerate(terms.adjectives.get(phrase, ())):
            label = terms.property_label(steps[0].predicate)
            price = 0.2 + 0.4 * number
            # "Slow" alone says nothing; "most recent" and "first" do.
            kind = "extreme" if self.keys[end - 1].endswith(("est", "first", "last")) else "adjective"
            yield word_edge(start, end, kind, (steps, is_greatest), price, "comparison", f"by {label}")
        yield from self._booleans(start, end, phrase)

    def _booleans(self, start: int, end: int, phrase: str) -> Iterator[Edge]:
        """Properties that are true or false need no value: "tunable", "supports an accelerator"."""
        terms = self.terms
        for steps, price in (*terms.nouns.get(phrase, ()), *terms.relations.get(phrase, ())):
            if all(step.predicate in terms.booleans for step in steps):
                label = terms.property_label(steps[0].predicate)
                yield word_edge(start, end, "con", (Has(steps, TRUE),), price + 0.2, "property", label)

    def _grouped_classes(
        self, found: Iterable[tuple[NamedNode, float]]
    ) -> Iterator[tuple[tuple[NamedNode, ...], float]]:
        """Classes with the same phrase: each used one alone, then the others."""
        named = dict(found)
        above = self.terms.schema.superclasses
        # A phrase of a class and of its subclass means the wider one.
        found = [
            (cls, price)
            for cls, price in named.items()
            if not any(other != cls and other in above(cls) and named[other] <= price for other in named)
        ]
        best = min((price for _, price in found), default=0.0)
        for cls, price in found:
            is_used = not self.terms.at_or_below((cls,)).isdisjoint(self.terms.used_classes)
            wider = () if is_used else self.terms.schema.classes[cls].parents
            for one in wider:
                # "Host" where the graph only says that it is hardware.
                if one in self.terms.used_classes:
                    yield (one,), price + 0.6
            yield (cls,), price + (0.0 if is_used else 0.4) + (0.1 if price > best else 0.0)

    def _verbs(self, start: int, end: int, phrase: str) -> Iterator[Edge]:
        if phrase == "did" and self.keys[start + 1 : start + 2] in (["more"], ["most"], ["fewer"]):
            # Elsewhere "did" only asks.
            phrase = "do"
        found = self.terms.verbs.get(phrase)
        if not found or (phrase == "do" and start and self.keys[start - 1] == "they"):
            # "What do they do" asks for more than one verb tells.
            return
        steps = tuple(dict.fromkeys(step for one, _ in sorted(found, key=lambda entry: entry[1]) for step in one))
        label = phrase
        after = self.keys[end] if end < len(self.tokens) else ""
        word = self.keys[start]
        is_participle = word.endswith("ed") or word in (
            "made",
            "run",
            "built",
            "written",
            "led",
            "done",
            "held",
            "sent",
        )
        least = min(price for _, price in found)
        if after == "by":
            yield word_edge(start, end + 1, "rel", turned(steps), least, "property", label)
        elif is_participle and after in ("to", "in", "during", "on", "with", "for", "at", "from", "within"):
            yield word_edge(start, end + 1, "rel", turned(steps), least + 0.3, "property", label)
            yield word_edge(start, end, "rel", steps, least + 0.4, "property", label)
        else:
            if after in ("to", "for", "in", "on"):
                yield word_edge(start, end + 1, "rel", steps, least + 0.1, "property", label)
            yield word_edge(start, end, "rel", steps, least, "property", label)
        if is_participle and after != "by":
            yield word_edge(start, end, "done", turned(steps), least + 0.2, "property", label)

    def _named(self, start: int, end: int, key: str, written: str) -> Iterator[Edge]:
        terms = self.terms
        resources: Sequence[NamedNode] = terms.names.get(key, ())
        values: Mapping[NamedNode, Sequence[Literal | NamedNode]] = terms.values.get(key, {})
        if self.lookup is not None and (
            self.protected[start] or (not resources and not values and self._may_be_name(start, end))
        ):
            more, others = self.lookup(written)
            resources = tuple(dict.fromkeys((*resources, *more)))
            values = {**others, **values}
        if len(key) <= 2 and not self.protected[start] and written not in terms.exact_names:
            resources = ()
            values = {term: held for term, held in values.items() if any(one.value == written for one in held)}
        if key in terms.lexicon.skipped and not self.protected[start] and not written[:1].isupper():
            return
        price = 0.0 if self.protected[start] else 0.05
        if end - start > 1:
            price = 0.0
        for several in self._by_class(resources):
            if not self.protected[start] and stem_key(written) in terms.classes and written.islower():
                price = 0.5
            yield word_edge(start, end, "thing", Thing((), several), price, "name", written)
        if values:
            held = tuple((term, tuple(some)) for term, some in values.items())
            yield word_edge(start, end, "value", ValueSet(held), price, "value", written)

    def _may_be_name(self, start: int, end: int) -> bool:
        """Whether an unquoted phrase is worth looking up in a graph that was only sampled."""
        token = self.tokens[start]
        if end - start > 4 or token.kind not in (TokenKind.WORD, TokenKind.NUMBER):
            return False
        known = end == start + 1 and (
            self.keys[start] in self.lexicon.skipped or self.keys[start] in self.lexicon.words
        )
        return not known and (token.text[:1].isupper() or not token.text.isalpha() or end == start + 1)

    def _columns(self, start: int, end: int, key: str, price: float) -> Iterator[Edge]:
        names = self.column_names.get(key)
        if names is None and end == start + 1 and not self.protected[start]:
            names = self.column_stems.get(stem_key(key))
            price += 0.3
        if names:
            yield word_edge(start, end, "cols", (names[0],), price, "column", names[0])

    @cached_property
    def column_stems(self) -> Mapping[str, tuple[str, ...]]:
        """The names of columns that are one word, by stem."""
        return {stem_key(names[0]): names for key, names in self.column_names.items() if key.isalpha() and len(key) > 2}

    @cached_property
    def column_names(self) -> Mapping[str, tuple[str, ...]]:
        """The names of columns by key."""
        found: dict[str, tuple[str, ...]] = {}
        described = [column.name for columns in self.terms.columns.values() for column in columns]
        of_files = [name for names in self.terms.loose_files.values() for name in names]
        for name in (*described, *of_files):
            # "wait [s]" is called "wait" too.
            for key in dict.fromkeys((key_of(name), key_of(re.sub(r"\s*[\[(][^\])]*[\])]$", "", name)))):
                if key and name not in found.get(key, ()):
                    found[key] = (*found.get(key, ()), name)
        return found
