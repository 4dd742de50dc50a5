"""What the SPARQL editor asks of the session: in threads, and only the latest answer of its kind counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.query.checking import HowAnswered, QueryFault, how_answered, query_fault
from hpc_explorer.app.query.completion import class_facts, known_terms, values_of
from hpc_explorer.app.query.run_query import run_query, start_queries
from hpc_explorer.app.results.answer import AnswerColumn, AnswerTable, Kind
from hpc_explorer.app.views import QueryTable
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.completion.candidates import Offered
from hpc_explorer.query.completion.known_terms import KnownTerms
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.terms import Literal, is_resource
from hpc_explorer.ui.bridge.jobs import Channel, Failed, JobsBridge

MOST_TRIPLES = 5_000
"""So many triples of an answer are shown."""


@dataclass(frozen=True)
class OtherAnswer:
    """The answer of a query that has no rows: a truth, or triples.

    Args:
        truth: of ASK; None of the others.
        triples: the first of them as a table; None of ASK.
        total: how many there are.
    """

    truth: bool | None = None
    triples: AnswerTable | None = None
    total: int = 0


class SparqlQuestions:
    """Asks `app` for the editor.

    Args:
        jobs: runs the questions.
    """

    def __init__(self, session: Session, jobs: JobsBridge) -> None:
        self._session = session
        self._known, self._more, self._check, self._how, self._answer = (Channel(jobs) for _ in range(5))

    def drop(self) -> None:
        """Wait for no answer any more."""
        for channel in (self._known, self._more, self._check, self._how, self._answer):
            channel.drop()

    def drop_answer(self) -> None:
        """Stop the query that is being answered."""
        self._answer.drop()

    @property
    def generation(self) -> int:
        """Grows with each change of the graph."""
        return self._session.generation

    @property
    def is_empty(self) -> bool:
        """Whether nothing is open."""
        return not self._session.sources

    def ask_known(self, done: Callable[[KnownTerms], None], failed: Failed) -> None:
        """The classes and properties of the graph."""
        self._known.ask(
            "Look at classes and properties",
            lambda context: known_terms(self._session, limits=context.limits),
            done,
            failed,
        )

    def ask_more(
        self, known: KnownTerms, offered: Offered, with_values: bool, done: Callable[[KnownTerms], None], failed: Failed
    ) -> None:
        """What is known, and what could be found out for a place: how classes are used, and the values there."""

        def work(context: JobContext) -> KnownTerms:
            more = class_facts(self._session, known, offered.unknown_classes, limits=context.limits)
            if with_values and offered.values is not None:
                more = values_of(self._session, more, offered.values, limits=context.limits)
            return more

        self._more.ask("Look for completions", work, done, failed)

    def ask_fault(self, text: str, done: Callable[[QueryFault | None], None], failed: Failed) -> None:
        """The first thing that is wrong with a text."""
        self._check.ask("Check the query", lambda _: query_fault(text, self._session.prefixes), done, failed)

    def ask_how(self, text: str, done: Callable[[HowAnswered], None], failed: Failed) -> None:
        """What answers a query."""
        self._how.ask(
            "Look what answers",
            lambda context: how_answered(self._session, text, limits=context.limits),
            done,
            failed,
        )

    def ask_answer(self, text: str, done: Callable[[OtherAnswer], None], failed: Failed) -> None:
        """The answer of an ASK, CONSTRUCT or DESCRIBE."""

        def work(context: JobContext) -> OtherAnswer:
            start_queries(self._session)
            found = run_query(self._session, text, progress=context.progress, limits=context.limits)
            if isinstance(found, bool):
                return OtherAnswer(found)
            if isinstance(found, QueryTable):
                raise ValueError("rows are shown elsewhere")
            shown = found[:MOST_TRIPLES]
            terms = [term for triple in shown for term in (triple.subject, triple.predicate, triple.object)]
            refs = references(self._session, list(dict.fromkeys(filter(is_resource, terms))), limits=context.limits)
            rows = tuple(
                tuple(
                    refs[term] if is_resource(term) else literal_text(term) if isinstance(term, Literal) else str(term)
                    for term in (triple.subject, triple.predicate, triple.object)
                )
                for triple in shown
            )
            columns = tuple(AnswerColumn(name, Kind.RESOURCE) for name in ("Subject", "Predicate", "Object"))
            return OtherAnswer(triples=AnswerTable("", columns, rows, "No triples."), total=len(found))

        self._answer.ask("Answer the query", work, done, failed)
