"""The content of a report: findings, answers and the resulting score."""

from __future__ import annotations

from dataclasses import dataclass

from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.assessment import Assessment
from hpc_explorer.fair.ladder import Rung, ladder
from hpc_explorer.fair.readings import HYBRID, Reading
from hpc_explorer.fair.scoring import Decided, Score, decided, score_of
from hpc_explorer.rdf.terms import Quad


@dataclass(frozen=True)
class Report:
    """An assessment with its score.

    Args:
        decided: the result of each indicator, in the list's order.
        rungs: the RDA level of each area.
        doubt: a warning about the whole report; may be empty.
    """

    assessment: Assessment
    decided: tuple[Decided, ...]
    score: Score
    rungs: tuple[Rung, ...]
    reading: Reading
    doubt: str = ""

    @property
    def overrides(self) -> tuple[Decided, ...]:
        """Whether an answer with a reason overrides the test."""
        return tuple(one for one in self.decided if one.is_override)


def report_of(assessment: Assessment, answers: Answers | None = None, reading: Reading = HYBRID) -> Report:
    """The report of an assessment and the answers about its resource."""
    outcome = decided(assessment, answers, reading)
    return Report(assessment, outcome, score_of(outcome), ladder(outcome), reading)


SHOWN_STATEMENTS = 50
"""The most statements of evidence per indicator, except in the JSON document, which has all."""


def evidence_texts(one: Decided) -> list[str]:
    """The evidence as N-Triples, then the number of omitted statements."""
    evidence = one.finding.evidence
    told = [statement_text(quad) for quad in evidence[:SHOWN_STATEMENTS]]
    more = len(evidence) - len(told)
    return [*told, f"… and {more:,} more"] if more else told


def statement_text(quad: Quad) -> str:
    """A statement as N-Triples, without its graph."""
    return f"{quad.subject} {quad.predicate} {quad.object}"


def points_words(one: Decided) -> str:
    """The result of an indicator: `reached`, `not reached`, `open`."""
    if one.points.is_open:
        return "open"
    return "reached" if one.points.low else "not reached"
