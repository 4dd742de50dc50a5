"""Read a sentence: its readings, best first, or the words that are not understood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.back_references import with_back_references
from hpc_explorer.language.chart import Chart, Edge, Lexeme, skipped_price
from hpc_explorer.language.expressions import GETTERS, Call, Scripts, leaf
from hpc_explorer.language.finding import Lookup
from hpc_explorer.language.grammar import Grammar
from hpc_explorer.language.interpretation import Interpretation, Reading, Status, UnknownWord
from hpc_explorer.language.matching import Matched, corrections, matched, part_of, with_word
from hpc_explorer.language.meaning import Asked, Counted, Every, Extreme, Has, Meaning, Summary, Thing, Whether, turned
from hpc_explorer.language.patterns import Lookups
from hpc_explorer.language.questions import QuestionQuery, question_query
from hpc_explorer.language.scripts import GraphScript, script_edges
from hpc_explorer.language.step_telling import workflow_sentence
from hpc_explorer.language.steps import Workflow, WorkflowReader
from hpc_explorer.language.tags import Short, question_tags
from hpc_explorer.language.telling import Teller
from hpc_explorer.language.word_meanings import with_choices, word_meanings
from hpc_explorer.language.words import ASKING, TokenKind, near_spellings, stem_key, word_set
from hpc_explorer.query.model.query import AggregateFunction
from hpc_explorer.query.sentence.wording import listed
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import NamedNode

MOST_READINGS = 5
MARGIN = 0.35
"""Two readings whose prices differ by less are both plausible."""

_EACH_PART = 1.0
"""The price of each part of a sentence that is understood in parts only."""

_MISSING = 4.0
"""The price of a word that belongs to no such part."""

_STRAINED = 3.0
"""A question that is read at a higher price is asked back even if it has one reading."""
_FURTHEST = 1.5
"""How much more a reading may cost than the cheapest one, also where that has no answer."""
_TRIED = 10
_SECOND_SENTENCE = 3
_TRIED_WORDS = 5
_MOST_NEAR = 3
_PROTECTED = (TokenKind.QUOTED, TokenKind.NAME)
_AUXILIARIES = word_set("does do did has have")
_CONNECTING = word_set("then now here one ones")
_LEADS = word_set("i we my our as")
_BREAKS = frozenset(",:;.!–—")
_REASONS = (("because",), ("so", "that"), ("so", "i"), ("so", "we"), ("as", "i"), ("as", "we"), ("in", "order", "to"))
_ALL = word_set("all every each")
_SOMEBODY = word_set("anyone anybody someone somebody we i")
_INSIDE = word_set("in on at from within by under into inside behind below above with")
_BEING = word_set("is are was were")
_OPENERS = word_set("is are was were does do did has have can")


@dataclass(frozen=True)
class Answer:
    """The answer to a question, as far as it is needed to compare readings.

    Args:
        rows: the values of the answer's column in the graph, sorted.
        names: the names of resources among them.
        is_cut: whether there may be more rows.
    """

    rows: tuple[str, ...]
    names: tuple[str, ...]
    is_cut: bool = False


class GraphLookups(Lookups, Protocol):
    """What is asked of the graph while a sentence is read."""

    def answer(self, query: QuestionQuery) -> Answer | None:
        """The answer of a query; None if that takes too long."""
        ...

    def name_of(self, resource: NamedNode) -> str:
        """The name of a resource."""
        ...


@dataclass
class Reader:
    """Reads sentences about one graph.

    Args:
        short: the prefixed name of a term.
        lookup: finds names in a graph that was only sampled.
        scripts: those that the graph describes.
        preferred: sentences of readings that the user chose before, by the text asked.
    """

    grammar: Grammar
    lookups: GraphLookups
    short: Short
    lookup: Lookup | None = None
    scripts: tuple[GraphScript, ...] = ()
    preferred: Mapping[str, str] = field(default_factory=dict)

    @property
    def operations(self) -> Scripts:
        """The operations of the graph's scripts, by name."""
        return {one.operation.name: one.operation for one in self.scripts}

    def read(self, text: str, chosen: Sequence[Lexeme] = ()) -> Interpretation:
        """The readings of a sentence.

        Args:
            chosen: the meanings that the user chose for some of its words.
        """
        found = matched(text, self.grammar.terms, self.lookup)
        meanings = word_meanings(found.edges)
        if chosen:
            found = replace(found, edges=with_choices(found.edges, chosen))
        interpretation = self._interpreted(text, found)
        if interpretation.status is Status.REFUSED and found.tokens and not chosen:
            interpretation = self._without_asides(text, found) or interpretation
        if interpretation.corrected or interpretation.meanings:
            # A correction has other words.
            return interpretation
        return replace(interpretation, meanings=meanings)

    def _without_asides(self, text: str, found: Matched) -> Interpretation | None:
        """The sentence without what its speaker tells before or after the question: "I'm reviewing X: which …".

        What was left out is told. If it names something and the question does not, it may restrict the question, which
        is then asked back.
        """
        size = len(found.tokens)
        keys = [token.key or token.text for token in found.tokens]
        wishes = self.grammar.terms.lexicon.wishes
        begins = [0]
        if keys[0] in _LEADS:
            # The question itself is no aside.
            told = next((at for at in range(size) if keys[at] in ASKING), size - 1)
            begins += [at + 1 for at in range(1, told) if keys[at] in _BREAKS]
            begins += [at for at in range(2, told) if any(tuple(keys[at : at + len(one)]) == one for one in wishes)]
        ends = [size, *(at for at in range(2, size) if any(tuple(keys[at : at + len(one)]) == one for one in _REASONS))]
        for begin, end in ((begin, end) for end in ends for begin in begins if 0 < end - begin < size):
            one = part_of(found, begin, end, self.grammar.terms, self.lookup)
            interpretation = self._interpreted(text, one)
            if not interpretation.readings:
                continue
            sides = ((0, begin), (end, size))
            asides = [text[found.tokens[first].start : found.tokens[last - 1].end].rstrip(" ,:;.!?–—")
                      for first, last in sides if last > first]  # fmt: skip
            names = {at for edge in found.edges if edge.kind == "thing" and edge.meaning.resources
                     for at in range(edge.start, edge.end)}  # fmt: skip
            is_restricted = not names.isdisjoint((*range(begin), *range(end, size))) and names.isdisjoint(
                range(begin, end)
            )
            return replace(
                interpretation,
                status=Status.AMBIGUOUS if is_restricted else interpretation.status,
                readings=tuple(replace(each, left_out=(*asides, *each.left_out)) for each in interpretation.readings),
                meanings=word_meanings(one.edges),
            )
        return None

    def _interpreted(self, text: str, found: Matched) -> Interpretation:
        if not found.tokens:
            return Interpretation(text, (), Status.REFUSED, problem="There is no question yet.")
        found = self._with_descriptions(found)
        if found.unknown:
            better = self._corrected(found)
            if better is not None:
                return replace(better, text=text)
            unknown = tuple(self._unknown(found, at) for at in found.unknown)
            return Interpretation(
                text, found.tokens, Status.REFUSED, (), unknown, found.corrected, self._why_unknown(found)
            )
        interpretation = self._read(text, found)
        if interpretation.status is Status.REFUSED and any(token.kind in _PROTECTED for token in found.tokens):
            quoted = tuple(at for at, token in enumerate(found.tokens)
                           if token.kind in _PROTECTED and self._is_strange(found, at))  # fmt: skip
            better = self._corrected(replace(found, unknown=quoted)) if quoted else None
            if better is not None:
                return replace(better, text=text)
            if quoted:
                unknown = tuple(self._unknown(found, at) for at in quoted)
                problem = self._why_unknown(replace(found, unknown=quoted))
                return replace(interpretation, unknown=unknown, problem=problem)
        return interpretation

    def _with_descriptions(self, found: Matched) -> Matched:
        """Where a script is named, further words of its description may be left out."""
        if not found.unknown or not self.scripts:
            return found
        stems = [stem_key(token.text) or token.text for token in found.tokens]
        edges = list(script_edges(self.scripts, stems, [one is not None for one in found.skips]))
        named = {edge.meaning.name for edge in edges}
        described = {word for one in self.scripts if one.operation.name in named
                     for word in stem_key(one.description).split()}  # fmt: skip
        within = {at for edge in edges for at in range(edge.start, edge.end)}
        known = {at for at in found.unknown if at in within or stems[at] in described}
        skips = tuple(0.4 if at in known and at not in within else one for at, one in enumerate(found.skips))
        return replace(found, skips=skips, unknown=tuple(at for at in found.unknown if at not in known))

    @staticmethod
    def _is_strange(found: Matched, at: int) -> bool:
        """Whether a quoted text is no name, value, column or file of the graph."""
        return {edge.kind for edge in found.edges if edge.start <= at < edge.end} <= {"text"}

    def _corrected(self, found: Matched) -> Interpretation | None:
        """The best interpretation with similar words in place of unknown ones."""
        best: tuple[float, Interpretation] | None = None
        skipped = self.grammar.terms.lexicon.skipped
        for one in corrections(found, self.grammar.terms, self.lookup):
            interpretation = self._read("", one)
            if interpretation.readings:
                # A word that is read as one that says nothing may have been a condition.
                price = interpretation.readings[0].price + sum(word.read in skipped for word in one.corrected)
                if best is None or price < best[0]:
                    best = price, interpretation
        return None if best is None else best[1]

    def _read(self, text: str, found: Matched) -> Interpretation:
        words = [token.text if token.kind is TokenKind.SIGN else token.key for token in found.tokens]
        readings: list[Reading] = []
        emptied: list[Reading] = []
        why = ""
        for one in with_back_references(self.grammar, found, words):
            chart = Chart(words, one.skips, one.edges, self.grammar.rules)
            readings, emptied = self._questions(chart, one)
            if readings:
                break
            why = self._not_together(text, chart, one)
        readings += self._workflows(found)
        return self._chosen(text, found, readings, emptied, why)

    def _not_together(self, text: str, chart: Chart, found: Matched) -> str:
        """Which parts of a sentence are understood, and which words are not understood beside them; "" if none are."""
        ((_, parts),) = chart.covers(lambda edge: self._question(edge, found) is not None, _EACH_PART, 1, _MISSING)
        covered = {at for edge in parts for at in range(edge.start, edge.end)}
        rest = [at for at, skip in enumerate(found.skips) if skip is None and at not in covered]
        if not parts or (len(parts) == 1 and not rest):
            return ""

        def quoted(spans: Iterable[tuple[int, int]]) -> str:
            return listed(f"“{text[found.tokens[start].start : found.tokens[end - 1].end]}”" for start, end in spans)

        known = f"{quoted((edge.start, edge.end) for edge in parts)} {'is' if len(parts) == 1 else 'are'} understood"
        if rest:
            unused = quoted((at, at + 1) for at in rest)
            return f"{known}, but not {unused} beside {'it' if len(parts) == 1 else 'them'}."
        return f"{known}, but not how they belong together. Ask for one of them first."

    def _unknown(self, found: Matched, at: int) -> UnknownWord:
        """An unknown word with similar ones, of which each would give the sentence a reading."""
        terms, token = self.grammar.terms, found.tokens[at]
        known: Iterable[str] = terms.spelled
        if " " in token.key:
            known = (*terms.names, *terms.values)
        length = len(token.key)
        errors = 1 if length < 5 else 2 if length < 9 else 3
        near: list[str] = []
        for word in near_spellings(token.key, known, _TRIED_WORDS, errors=errors, uses=terms.uses):
            if word == token.key or len(near) == _MOST_NEAR:
                continue
            better = with_word(found, at, word, terms, self.lookup)
            if better is not None and self._read("", better).readings:
                near.append(word)
        return UnknownWord(token.text, token.start, token.end, tuple(near))

    def _why_unknown(self, found: Matched) -> str:
        tokens = [found.tokens[at] for at in found.unknown]
        words = " and ".join(f"“{token.text}”" for token in tokens)
        verb = "is" if len(tokens) == 1 else "are"
        terms = self.grammar.terms
        if all(token.key in terms.spelled for token in tokens):
            keys = {token.key for token in tokens}
            holding = [key for key in (*terms.names, *terms.values) if not keys.isdisjoint(key.split())]
            if not holding:
                return (
                    f"The vocabulary has {words}, but nothing in this graph uses {'it' if len(keys) == 1 else 'them'}."
                )
            such = listed(f"“{key}”" for key in holding[:_MOST_NEAR])
            return f"{words} {verb} only part of names or values in this graph, such as {such}. Write one in quotes."
        return f"{words} {verb} not known in this graph."

    def _chosen(
        self,
        text: str,
        found: Matched,
        readings: Sequence[Reading],
        emptied: Sequence[Reading],
        why: str,
    ) -> Interpretation:
        if not readings:
            is_about_tables = any(edge.kind in ("cols", "file") for edge in found.edges)
            what = "steps that lead to one table" if is_about_tables else "a question about this graph"
            problem = f"The words are known, but they do not fit together as {what}."
            if why and not is_about_tables:
                problem = why
            if emptied:
                problem = f"Nothing in this graph matches: {emptied[0].sentence}."
            return Interpretation(text, found.tokens, Status.REFUSED, (), (), found.corrected, problem)
        wanted = self.preferred.get(text)
        readings = sorted(readings, key=lambda one: (one.sentence != wanted, one.price))
        best = readings[0]
        is_strained = best.query is not None and best.price > _STRAINED
        close = [one for one in readings if one.price - best.price < MARGIN]
        if best.sentence == wanted or (len(close) == 1 and not is_strained):
            return Interpretation(
                text, found.tokens, Status.UNDERSTOOD, tuple(readings[:MOST_READINGS]), (), found.corrected
            )
        return Interpretation(
            text, found.tokens, Status.AMBIGUOUS, tuple(readings[:MOST_READINGS]), (), found.corrected
        )

    # Questions
    # ---------

    def _questions(self, chart: Chart, found: Matched) -> tuple[list[Reading], list[Reading]]:
        """The readings as questions with an answer, and those without one."""
        candidates: dict[Meaning, Edge] = {}
        asked = [cls for edge in found.edges if edge.start == 1 and edge.kind == "thing"
                 for cls in self.grammar.classes(edge.meaning)]  # fmt: skip
        begin = min((edge.start for edge in found.edges), default=0)
        # In a second sentence about the first, its own words ask.
        near = found.tokens[begin - 2 : begin + 2] if begin > _SECOND_SENTENCE else found.tokens[:2]
        asking = next((token.key for token in near if token.key in ASKING), "")
        for start, end in list(chart.spans()):
            price = skipped_price((*found.skips[:start], *found.skips[end:]))
            if price is None:
                continue
            for edge in chart.cell(start, end):
                meaning = self._question(edge, found)
                if meaning is None:
                    continue
                if asking in ("who", "whom", "whose") and isinstance(meaning, Thing):
                    meaning = self._of_people(meaning, whose=found.tokens[0].key == "whose")
                    if meaning is None:
                        continue
                edge = replace(edge, price=edge.price + self._mismatch(edge.kind, meaning, asking, asked))
                held = candidates.get(meaning)
                if held is None or edge.price + price < held.price:
                    candidates[meaning] = replace(edge, price=edge.price + price)
        if [token.key for token in found.tokens[:2]] in (["how", "much"], ["how", "many"]):
            for meaning, edge in list(candidates.items()):
                if isinstance(meaning, Asked) and edge.kind == "asked" and self._adds_up(meaning):
                    # Of several things, each amount or their sum.
                    candidates.setdefault(
                        Summary(AggregateFunction.SUM, meaning), replace(edge, price=edge.price + 0.1)
                    )
        order = sorted(candidates.items(), key=lambda one: one[1].price)[:_TRIED]
        teller = Teller(self.grammar.terms)
        readings: list[Reading] = []
        emptied: list[Reading] = []
        answers: dict[tuple[str, ...], Reading] = {}
        first = [token.key for token in found.tokens[:2]]
        is_there = len(first) > 1 and first[0] in _BEING and first[1] == "there"
        for meaning, edge in order:
            if len(readings) >= MOST_READINGS or edge.price - order[0][1].price > _FURTHEST:
                break
            try:
                query = question_query(meaning, self.grammar.terms, self.lookups)
            except WrongParameter:
                continue
            answer = self.lookups.answer(query)
            reading = Reading(
                teller.sentence(meaning),
                edge.price,
                edge.lexemes,
                question_tags(meaning, self.grammar.terms, self.short),
                query.query,
                query.answer,
                self._expression(meaning, answer),
                None if answer is None else len(answer.rows),
                answer is not None and answer.is_cut,
                _left_out(edge.lexemes, found),
            )
            is_number = isinstance(meaning, (Whether, Every)) or (isinstance(meaning, Counted) and meaning.per is None)
            if answer is not None and not answer.rows and not is_number:
                if is_there and isinstance(meaning, Thing) and not answers:
                    # Of "is there a", that there is none is an answer.
                    whether = Whether(meaning)
                    none = question_query(whether, self.grammar.terms, self.lookups)
                    reading = replace(
                        reading, sentence=teller.sentence(whether), query=none.query, variable=none.answer, rows=1
                    )
                    answers[("False",)] = reading
                    readings.append(reading)
                    continue
                emptied.append(reading)
            elif answer is None or answer.rows not in answers:
                if answer is not None:
                    answers[answer.rows] = reading
                readings.append(reading)
        untrue = answers.get(("False",))
        if untrue is not None and ("True",) in answers:
            # Something is so by one reading: that is the better one, as of readings with and without rows.
            readings = [replace(one, price=one.price + 0.4) if one is untrue else one for one in readings]
        return readings, emptied

    def _of_people(self, thing: Thing, *, whose: bool) -> Thing | None:
        """Who did something is somebody: only people and the like are meant. None if it is nobody.

        Args:
            whose: whether those are asked for who have the things.
        """
        terms = self.grammar.terms
        people = tuple(sorted(terms.people, key=str))
        if whose and people and thing.classes and terms.people.isdisjoint(self.grammar.classes(thing)):
            ways = self.grammar.between(people, thing.classes)
            return Thing(people, (), (Has(ways[0][0], thing),)) if ways else None
        if not people or thing.classes or thing.resources or whose:
            return thing
        return self.grammar.with_constraints(Thing(people), thing.constraints)

    def _adds_up(self, asked: Asked) -> bool:
        """Whether the amounts of some things may be meant as one sum."""
        terms = self.grammar.terms
        is_plain = not asked.also and asked.is_descending is None and not asked.host.resources
        first = any(isinstance(one, Extreme) for one in asked.host.constraints)
        return is_plain and not first and all(terms.adds_up(step.predicate) for step in asked.steps)

    def _mismatch(self, kind: str, meaning: Meaning, first: str, asked: Sequence[NamedNode]) -> float:
        """The price of an answer of another kind than the first word asks for.

        Args:
            asked: the classes that the second word may name.
        """
        if first == "which" and asked and isinstance(meaning, Thing):
            is_anything = not meaning.classes and not meaning.resources
            classes = self.grammar.classes(meaning)
            if is_anything or (classes and not self.grammar.are_alike(Thing(tuple(asked)), Thing(classes))):
                return 0.8
        if first == "which" and kind == "con":
            return 0.4
        if first in ("who", "whom") and isinstance(meaning, Thing):
            people = self.grammar.terms.people
            classes = self.grammar.classes(meaning)
            if people and classes and people.isdisjoint(classes):
                return 3.1
            return 0.7 if people and kind == "con" else 0.0
        return 0.0

    def _workflows(self, found: Matched) -> list[Reading]:
        """The readings as workflows."""
        if not any(
            edge.kind in ("cols", "script", "text", "format") or edge.kind.startswith("do ") for edge in found.edges
        ):
            return []
        stems = [stem_key(token.text) or token.text for token in found.tokens]
        edges = [*found.edges, *script_edges(self.scripts, stems, [one is not None for one in found.skips])]
        reader = WorkflowReader(self.grammar, self.operations, self._names, self.short)
        try:
            workflows = reader.workflows(found.tokens, found.skips, edges)
        except WrongParameter:
            return []
        return [self._workflow_reading(one, found) for one in workflows[:MOST_READINGS]]

    def _workflow_reading(self, workflow: Workflow, found: Matched) -> Reading:
        sentence = workflow_sentence(workflow.expression, self.operations)
        return Reading(
            sentence, workflow.price, workflow.lexemes, workflow.tags, expression=workflow.expression,
            left_out=_left_out(workflow.lexemes, found),
        )  # fmt: skip

    def _names(self, thing: Thing) -> Sequence[str]:
        answer = self.lookups.answer(question_query(thing, self.grammar.terms, self.lookups))
        return () if answer is None else answer.names

    def _question(self, edge: Edge, found: Matched) -> Meaning | None:
        meaning = edge.meaning
        if edge.kind == "thing":
            if not meaning.classes and not meaning.resources and not meaning.constraints:
                return None
            first = found.tokens[0].key
            if meaning.resources and not meaning.constraints and (
                first in ("where", "when", "how", "why") or (first in ASKING and _is_inside(edge.start, found))
            ):  # fmt: skip
                return None
            asked = self._asked_literal(meaning)
            if asked is not None:
                return asked
            is_quantified = first in _OPENERS and any(token.key in _ALL for token in found.tokens)
            if is_quantified and found.tokens[1].key in _ALL and meaning.classes and meaning.constraints:
                *among, last = meaning.constraints
                return Every(replace(meaning, constraints=tuple(among)), last)
            if is_quantified:
                return None
            if first in _OPENERS and (meaning.resources or first in _AUXILIARIES) and meaning.constraints:
                return Whether(meaning)
            return meaning  # type: ignore[no-any-return]  # the meaning of this kind is a Thing
        if edge.kind == "asked" and found.tokens[0].key in _OPENERS and found.tokens[1].key in _ALL:
            # "Are all datasets licensed".
            return Every(meaning.host, Has(meaning.steps))
        if edge.kind == "asked" and found.tokens[0].key in _BEING and meaning.host.resources:
            last = meaning.host.constraints[-1] if meaning.host.constraints else None
            if isinstance(last, Has) and last.target is not None and set(last.steps) <= set(meaning.steps):
                # "Is the licence of X MIT".
                return Whether(meaning.host)
        if edge.kind in ("asked", "askedper", "counted", "summary", "several", "shared"):
            return meaning  # type: ignore[no-any-return]  # likewise
        if edge.kind == "total":
            function, steps = meaning
            return Summary(function, Asked(Thing(), steps))
        if edge.kind == "con" and found.tokens[0].key in _AUXILIARIES and found.tokens[1].key in _SOMEBODY:
            # "Did anyone use X".
            return Whether(Thing((), (), meaning))
        if edge.kind == "con" and len(meaning) == 1:
            only = meaning[0]
            asks = found.tokens[0].key in ("what", "which", "who", "where")
            if not isinstance(only, Has) or (asks and isinstance(only.target, Thing) and not only.negated):
                return Thing((), (), meaning)
        return None

    def _asked_literal(self, thing: Thing) -> Asked | None:
        """What is only known as the value of a property is that value: "who funds X"."""
        if thing.classes or thing.resources or len(thing.constraints) != 1:
            return None
        only = thing.constraints[0]
        if not isinstance(only, Has) or only.negated or not isinstance(only.target, Thing):
            return None
        steps = turned(only.steps)
        return Asked(only.target, steps) if all(map(self.grammar.terms.leads_to_literal, steps)) else None

    def _expression(self, meaning: Meaning, answer: Answer | None) -> Call | None:
        """The question as an expression, with the names that answer it."""
        match meaning:
            case Thing():
                return None if answer is None else self._getter(meaning, answer.names)
            case Counted(what, None) if isinstance(what, Thing):
                things = question_query(what, self.grammar.terms, self.lookups)
                names = self.lookups.answer(things)
                inner = None if names is None else self._getter(what, names.names)
                return None if inner is None else Call("CountResults", (inner,))
            case Asked(host, steps):
                hosts = self.lookups.answer(question_query(host, self.grammar.terms, self.lookups))
                inner = None if hosts is None else self._getter(host, hosts.names)
                if inner is None:
                    return None
                name = self.short(steps[0].predicate).partition(":")[2]
                return Call("GetProperty", (leaf("propertyName", name), inner.arguments[0]))
        return None

    def _getter(self, thing: Thing, names: Sequence[str]) -> Call | None:
        terms = self.grammar.terms
        classes: Iterable[NamedNode] = self.grammar.classes(thing)
        if not names:
            return None
        above = {one for cls in classes for one in terms.schema.superclasses(cls)}
        for cls, getter in _GETTERS:
            if cls in above:
                return Call(getter, (leaf(GETTERS[getter], *names),))
        return None


_GETTERS: tuple[tuple[NamedNode, str], ...] = (
    (HPC.Dataset, "GetDataset"),
    (HPC.AIModel, "GetAIModel"),
    (HPC.Project, "GetProject"),
    (HPC.Person, "GetPerson"),
    (HPC.Workflow, "GetWorkflow"),
    (HPC.Software, "GetSoftware"),
    (HPC.Computer, "GetMachine"),
    (HPC.Hardware, "GetHardware"),
    (HPC.Experiment, "GetExperiment"),
)


def _left_out(lexemes: Sequence[Lexeme], found: Matched) -> tuple[str, ...]:
    """The words that a reading leaves out at a price, and what the answer is wanted for."""
    read = {at for one in lexemes for at in range(one.start, one.end)}
    read |= {at - 1 for at in found.purposes}
    words = [token.text for token in found.tokens]
    purposes = (" ".join(words[at - 2 : at + 1]) for at in found.purposes)
    priced = (at for at, price in enumerate(found.skips) if price and at not in read)
    return (*(words[at] for at in priced if found.tokens[at].key not in _CONNECTING), *purposes)


def _is_inside(start: int, found: Matched) -> bool:
    """Whether a preposition stands before a phrase: "what is on the first floor" does not ask for the floor."""
    before = [token.key for token in found.tokens[:start] if token.key not in ("the", "a", "an", "our", "this")]
    return before[-1:] != [] and before[-1] in _INSIDE
