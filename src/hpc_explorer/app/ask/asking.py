"""Read a question in English about the open graph."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.app.ask.taught import chosen_readings, read_taught
from hpc_explorer.errors import DeadlineExceeded
from hpc_explorer.language.chart import Lexeme
from hpc_explorer.language.grammar import Grammar
from hpc_explorer.language.interpretation import Interpretation, Reading
from hpc_explorer.language.lexicon import english
from hpc_explorer.language.questions import QuestionQuery
from hpc_explorer.language.reading import Answer, Reader
from hpc_explorer.language.rules import RULES
from hpc_explorer.language.scripts import GraphScript, graph_scripts
from hpc_explorer.language.step_telling import workflow_steps
from hpc_explorer.language.term_reading import read_terms
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.language.word_meanings import WordMeaning
from hpc_explorer.lineage.trace.trace import Direction, trace
from hpc_explorer.ontology.labels import LABEL_PREDICATES, labels_of, local_name
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.query.model.patterns import element_variables
from hpc_explorer.query.model.query import Form, QueryModel
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.quantities import VALUE_PREDICATES
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Row, Store
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.names.label_index import LabelIndex, MatchQuality

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

# A reading is compared with others by its rows, up to this many.
_MOST_ROWS = 10_000
# Seconds for the rows of one reading; of a graph that was only sampled, for those of all readings of a question.
_SECONDS = 2.0
_SECONDS_OF_LARGE = 0.15
_MOST_NAMED = 20
# More things than this are not listed in an expression.
_MOST_IN_EXPRESSION = 1_000
# Further characters of a question are not read.
_LONGEST = 2_000


def interpret(
    session: Session, text: str, chosen: Sequence[Lexeme] = (), *, limits: Limits = NO_LIMITS
) -> Interpretation:
    """The readings of a sentence about the open graph.

    Args:
        chosen: the meanings that the user chose for some of its words.
    """
    # Invalid bytes from a terminal arrive as lone surrogates, which no store or file name takes.
    text = text.encode(errors="replace").decode()[:_LONGEST]
    return reader_of(session, limits=limits).read(text, chosen)


MOST_PHRASES = 20_000
"""At most this many phrases are offered as completions."""


def known_phrases(session: Session, *, limits: Limits = NO_LIMITS) -> tuple[str, ...]:
    """Words that complete a question: labels of classes and properties in use, then names and values."""
    terms = reader_of(session, limits=limits).grammar.terms
    used = terms.used_classes
    found = [info.label for cls, info in terms.schema.classes.items() if not terms.at_or_below((cls,)).isdisjoint(used)]
    found += [info.label for term, info in terms.schema.properties.items() if terms.is_used(term)]
    found += sorted(terms.exact_names)
    found += [one.value for held in terms.values.values() for several in held.values() for one in several
              if isinstance(one, Literal)]  # fmt: skip
    return tuple(dict.fromkeys(found))[:MOST_PHRASES]


def steps_of(session: Session, reading: Reading, *, limits: Limits = NO_LIMITS) -> tuple[str, ...]:
    """The steps of a workflow in English; none for a question."""
    if reading.expression is None or reading.query is not None:
        return ()
    return workflow_steps(reading.expression, reader_of(session, limits=limits).operations)


_MOST_DRAWN = 60


def matched_resources(
    session: Session, reading: Reading, meanings: Sequence[WordMeaning], *, limits: Limits = NO_LIMITS
) -> tuple[Resource, ...]:
    """The part of the graph that a question matches: the resources that it names, and those of its first rows."""
    used = set(reading.lexemes)
    named = [one for one in meanings if one.lexeme in used and one.lexeme.role == "name"]
    found: dict[Resource, None] = {term: None for one in named for term in one.terms}
    if reading.query is not None and reading.query.form is Form.SELECT:
        query = reading.query if reading.query.is_grouped else replace(reading.query, columns=())
        limited = replace(query, limit=min(query.limit or _MOST_DRAWN, _MOST_DRAWN))
        for row in session.store.select(sparql_text(limited), limits=limits):
            found.update(dict.fromkeys(one for one in row.values() if isinstance(one, (NamedNode, BlankNode))))
    return tuple(found)[:_MOST_DRAWN]


def reader_of(session: Session, *, limits: Limits = NO_LIMITS) -> Reader:
    """The reader of the open graph; it is made anew after a change of the graph."""

    def build() -> GraphTerms:
        schema, predicates = session.schema(limits=limits), session.usage(limits=limits).predicates
        beside = files_beside(session)
        return read_terms(session.store, schema, predicates, english(), taught, beside, limits=limits)

    taught = read_taught()

    def make() -> tuple[Grammar, tuple[GraphScript, ...]]:
        grammar = Grammar(build(), RULES)
        if session.columns is not None:
            # The first count opens them, which would take the time of the first question.
            cls = next(iter(grammar.terms.used_classes), RDF.type)
            first = f"SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ ?x a {cls} }}"
            next(iter(session.columns.select(first, limits=limits)), None)
        return grammar, graph_scripts(session.store, limits=limits)

    grammar, scripts = session.derived.get(f"language {hash(taught)}", make, limits)
    lookups = SessionLookups(session, grammar, limits)
    prefixes = session.prefixes
    lookup = None if grammar.terms.complete else lookups.named
    return Reader(grammar, lookups, lambda term: prefixes.short(term.value), lookup, scripts, chosen_readings())


_DATA_ENDINGS = (".csv", ".json", ".log", ".txt", ".tsv")
_MOST_FILES = 2_000


def files_beside(session: Session) -> Mapping[str, Path]:
    """The data files in the folders of the sources, by name."""
    found: dict[str, Path] = {}
    for folder in dict.fromkeys(source.path.parent for source in session.opened if source.path is not None):
        try:
            for file in sorted(folder.iterdir()):
                if file.suffix.lower() in _DATA_ENDINGS and len(found) < _MOST_FILES:
                    found.setdefault(file.name, file)
        except OSError:
            continue
    return found


class SessionLookups:
    """What is asked of a session while a sentence is read."""

    def __init__(self, session: Session, grammar: Grammar, limits: Limits) -> None:
        self._session = session
        self._grammar = grammar
        self._limits = limits
        self._answers: dict[str, Answer | None] = {}
        self._left = _SECONDS_OF_LARGE

    def _rows(self, query: QueryModel, most: int | None = None, seconds: float = _SECONDS) -> list[Row]:
        limited = query if most is None else replace(query, limit=min(query.limit or most, most))
        text, limits = sparql_text(limited), self._limits.within(seconds)
        if self._session.columns is not None:
            # They compare all values of a class at once, and stop at the deadline.
            try:
                return list(self._session.columns.select(text, limits=limits))
            except NotByColumns:
                pass
        return list(self._store.select(text, limits=limits))

    @property
    def _store(self) -> Store:
        """The store that is asked; of a large workspace, one whose queries end at the deadline."""
        is_large = self._session.workspace is not None and not self._grammar.terms.complete
        return self._session.stoppable_store if is_large else self._session.store

    def resources(self, query: QueryModel) -> tuple[NamedNode, ...]:
        """The resources in the first column of a query."""
        found = (next(iter(row.values()), None) for row in self._rows(query, _MOST_ROWS))
        return tuple(dict.fromkeys(one for one in found if isinstance(one, NamedNode)))

    def lineage(self, resources: Sequence[NamedNode], *, downstream: bool) -> tuple[NamedNode, ...]:
        """What was made from any of the resources, or what they were made from."""
        vocabulary = self._session.lineage_vocabulary(limits=self._limits)
        direction = Direction.DOWNSTREAM if downstream else Direction.UPSTREAM
        found: dict[NamedNode, None] = {}
        for one in resources:
            lineage = trace(
                self._session.store, one, vocabulary, direction=direction,
                inferred_graphs=frozenset({INFERRED}), limits=self._limits.within(_SECONDS * 2),
            )  # fmt: skip
            found.update(dict.fromkeys(node for node in lineage.nodes if isinstance(node, NamedNode) and node != one))
        return tuple(found)

    def with_ties(self, query: QueryModel, number: int) -> int:
        """How many rows share the first places of a sorted query."""
        keys = [str(list(row.values())[-1]) for row in self._rows(query, _MOST_ROWS)]
        if len(keys) <= number:
            return number
        last = number
        while last < len(keys) and keys[last] == keys[number - 1]:
            last += 1
        return last

    def answer(self, query: QuestionQuery) -> Answer | None:
        """The answer of a query; None if that takes too long."""
        text = sparql_text(query.query)
        if text not in self._answers:
            begun = time.monotonic()
            seconds = _SECONDS if self._grammar.terms.complete else self._left
            try:
                self._answers[text] = self._answer(query, text, seconds) if seconds > 0 else None
            except DeadlineExceeded:
                self._answers[text] = None
            self._left -= time.monotonic() - begun
        return self._answers[text]

    def _answer(self, query: QuestionQuery, text: str, seconds: float) -> Answer:
        if query.query.form is Form.ASK:
            if any(query.answer in element_variables(one) for one in query.query.where.elements):
                first = replace(query.query, form=Form.SELECT, columns=(query.answer,))
                return Answer((str(bool(self._rows(first, 1, seconds))),), ())
            return Answer((str(self._store.ask(text, limits=self._limits.within(seconds))),), ())
        rows = self._rows(query.query, _MOST_ROWS, seconds)
        is_cut = len(rows) == _MOST_ROWS
        if query.query.is_grouped and query.answer not in query.query.group_by:
            return Answer(tuple(" ".join(map(str, row.values())) for row in rows), (), is_cut)
        values = [row[query.answer.value] for row in rows if query.answer.value in row]
        shown = sorted({str(one) for one in values})
        return Answer(tuple(shown), self._names([one for one in values if isinstance(one, NamedNode)]), is_cut)

    def _names(self, resources: Sequence[NamedNode]) -> tuple[str, ...]:
        """The names of resources, sorted; none if they are too many to be listed."""
        if len(resources) > _MOST_IN_EXPRESSION:
            return ()
        known = self._grammar.terms.labels
        others = [one for one in resources if one not in known]
        read = labels_of(self._session.store, others, limits=self._limits) if others else {}
        return tuple(sorted({known.get(one) or read.get(one) or local_name(one.value) for one in resources}))

    def name_of(self, resource: NamedNode) -> str:
        """The name of a resource."""
        return self._grammar.terms.labels.get(resource) or labels_of(
            self._session.store, [resource], limits=self._limits
        ).get(resource, local_name(resource.value))

    def named(self, text: str) -> tuple[Sequence[NamedNode], Mapping[NamedNode, Sequence[Literal]]]:
        """The resources with a name, and the literals of a text, in a graph that was only sampled."""
        store = self._session.store
        resources: dict[NamedNode, None] = {}
        values: dict[NamedNode, list[Literal]] = {}
        for form in dict.fromkeys((text, text.lower(), text.capitalize(), text.title(), text.upper())):
            for quad in store.match(None, None, Literal(form), limits=self._limits):
                if quad.predicate in LABEL_PREDICATES and isinstance(quad.subject, NamedNode):
                    resources[quad.subject] = None
                elif quad.predicate not in VALUE_PREDICATES:
                    held = values.setdefault(quad.predicate, [])
                    if quad.object not in held and isinstance(quad.object, Literal):
                        held.append(quad.object)
                if len(resources) >= _MOST_NAMED:
                    break
        if not resources:
            index = self._session.label_index(limits=self._limits)
            if isinstance(index, LabelIndex):
                found_names: Iterable[str] = index.named(text, _MOST_NAMED, limits=self._limits)
            else:
                matches, _ = index.search(text, _MOST_NAMED, limits=self._limits)
                found_names = (match.iri for match in matches if match.fit is MatchQuality.EXACT)
            resources = dict.fromkeys(NamedNode(iri) for iri in found_names if not iri.startswith("_:"))
        types = self._grammar.terms.types
        unknown = [one for one in resources if one not in types]
        if unknown:
            found: dict[NamedNode, set[NamedNode]] = {one: set() for one in unknown}
            for quad in store.match_many(subjects=unknown, predicates=[RDF.type], limits=self._limits):
                if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
                    found[quad.subject].add(quad.object)
            types.update({one: frozenset(classes) for one, classes in found.items()})
        return tuple(resources), values
