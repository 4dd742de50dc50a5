"""Encode the outcome of an assessment as JSON: scores, levels, indicators (docs/guide/fair.md)."""

from __future__ import annotations

from typing import Any

from hpc_explorer.fair.document import answer_document
from hpc_explorer.fair.reports.report import Report
from hpc_explorer.fair.scoring import Decided, Interval, Part, percent_text


def outcome_document(report: Report) -> dict[str, Any]:
    """The document, without the evidence, which `fair.document` encodes."""
    score = report.score
    return {
        "resource": {"iri": report.assessment.subject, "label": report.assessment.label},
        "assessed_as": report.assessment.assessed.value,
        "reading": {"name": report.reading.name, "note": report.reading.note},
        "doubt": report.doubt or None,
        "score": {
            **interval_document(score.points),
            "of": score.of,
            "percent_low": percent_text(score.percent_low),
            "percent_high": percent_text(score.percent_high),
        },
        "principles": [_part(part) for part in score.by_principle],
        "subprinciples": [_part(part) for part in score.by_subprinciple],
        "ladder": [
            {"area": rung.principle.value, **interval_document(rung.level), "next": list(rung.next)}
            for rung in report.rungs
        ],
        "open": list(score.open),
        "overrides": list(score.overrides),
        "indicators": [_decided(one) for one in report.decided],
    }


def _decided(one: Decided) -> dict[str, Any]:
    indicator, answer = one.indicator, one.answer
    return {
        "id": indicator.id,
        "rda_id": indicator.rda_id or None,
        "fuji_id": indicator.fuji_id or None,
        "principle": indicator.principle.value,
        "subprinciple": indicator.subprinciple,
        "priority": indicator.priority.value or None,
        "text": indicator.text,
        "decided_by": indicator.decider.value,
        "action": indicator.action.value,
        "verdict": one.finding.verdict.value,
        "points": interval_document(one.points),
        "basis": one.basis.value,
        "sentence": one.sentence,
        "override": one.is_override,
        "answer": None if answer is None else answer_document(answer),
    }


def _part(part: Part) -> dict[str, Any]:
    return {"name": part.name, **interval_document(part.points), "of": part.of}


def interval_document(points: Interval) -> dict[str, int]:
    """The certain and the possible points."""
    return {"low": points.low, "high": points.high}
