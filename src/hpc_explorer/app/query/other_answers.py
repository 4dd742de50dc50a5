"""The answers of ASK, CONSTRUCT and DESCRIBE."""

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
"""The maximum number of triples shown."""


@dataclass(frozen=True)
class OtherAnswer:
    """The answer of an ASK, or of a CONSTRUCT or DESCRIBE.

    Args:
        truth: the answer of an ASK.
        triples: the first triples as a table.
        total: the number of triples.
    """

    truth: bool | None = None
    triples: AnswerTable | None = None
    total: int = 0


def other_answer(
    session: Session, text: str, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS
) -> OtherAnswer:
    """Run an ASK, CONSTRUCT or DESCRIBE, and look up the names in its first `MOST_TRIPLES`.

    Raises:
        ValueError: the query is a SELECT.
        QuerySyntaxError, MemoryExceeded, ReaderFailed: as in `run_query`.
    """
    start_queries(session)
    found = run_query(session, text, progress=progress, limits=limits)
    if isinstance(found, bool):
        return OtherAnswer(found)
    if isinstance(found, Table):
        raise ValueError("a SELECT has rows")
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
