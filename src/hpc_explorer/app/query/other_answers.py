"""The answers of the queries that have no rows: ASK, CONSTRUCT and DESCRIBE."""

from __future__ import annotations

from dataclasses import dataclass

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.query.run_query import run_query, start_queries
from hpc_explorer.app.results.answer import AnswerTable
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.table import CellKind, Column, Table
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.terms import Literal, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress

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


def other_answer(
    session: Session, text: str, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS
) -> OtherAnswer:
    """The answer of an ASK, CONSTRUCT or DESCRIBE, with the names of the resources in its first `MOST_TRIPLES`.

    Raises:
        ValueError: the query has rows.
        QuerySyntaxError, MemoryExceeded, ReaderFailed: as `run_query` does.
    """
    start_queries(session)
    found = run_query(session, text, progress=progress, limits=limits)
    if isinstance(found, bool):
        return OtherAnswer(found)
    if isinstance(found, Table):
        raise ValueError("rows are shown elsewhere")
    shown = found[:MOST_TRIPLES]
    terms = [term for triple in shown for term in (triple.subject, triple.predicate, triple.object)]
    refs = references(session, list(dict.fromkeys(filter(is_resource, terms))), limits=limits)
    rows = tuple(
        tuple(
            refs[term] if is_resource(term) else literal_text(term) if isinstance(term, Literal) else str(term)
            for term in (triple.subject, triple.predicate, triple.object)
        )
        for triple in shown
    )
    columns = tuple(Column(name, CellKind.RESOURCE) for name in ("Subject", "Predicate", "Object"))
    return OtherAnswer(triples=Table(columns, rows, empty_text="No triples."), total=len(found))
