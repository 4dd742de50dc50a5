"""The JSON output of `fair`, documented in docs/guide/fair.md."""

from __future__ import annotations

from collections.abc import Sequence

from hpc_explorer.app.fair.assessing import AssessmentView
from hpc_explorer.app.fair.assessing_many import FirstToFix
from hpc_explorer.app.fair.reporting import report_of_view
from hpc_explorer.cli.as_json import Json, dump, named
from hpc_explorer.fair.document import document_of
from hpc_explorer.fair.planning import Plan
from hpc_explorer.fair.repairing import Repair
from hpc_explorer.fair.reports.outcome import interval_document, outcome_document
from hpc_explorer.rdf.terms import iri_text


def assessment(view: AssessmentView, repairs: Sequence[Repair], plan: Plan | None) -> str:
    """Encode an assessment with its evidence, repairs, and optionally a plan."""
    told = {
        "repairs": [_repair(repair) for repair in repairs],
        "plan": None if plan is None else _plan(plan),
        "assessment": document_of(view.assessment),
    }
    return dump(_outcome(view) | told)


def many(rows: Sequence[AssessmentView], fixes: Sequence[FirstToFix]) -> str:
    """Encode many assessments, the best first, and the most useful fixes."""
    short = ("indicators", "subprinciples")
    return dump(
        {
            "assessed": len(rows),
            "resources": [{key: value for key, value in _outcome(view).items() if key not in short} for view in rows],
            "first_to_fix": [
                {
                    "id": one.indicator.id,
                    "text": one.indicator.text,
                    "action": one.action.value,
                    "missing": [iri_text(resource) for resource in one.missing],
                    "open": [iri_text(resource) for resource in one.open],
                }
                for one in fixes
            ],
        }
    )


def _outcome(view: AssessmentView) -> Json:
    return outcome_document(report_of_view(view)) | {"resource": named(view.ref)}


def _repair(repair: Repair) -> Json:
    return {
        "name": repair.name,
        "indicators": list(repair.indicators),
        "action": repair.action.value,
        "words": repair.words,
        "explanation": repair.explanation,
        "asks": [
            {"name": ask.name, "question": ask.question, "kind": ask.kind.value, "examples": list(ask.examples)}
            for ask in repair.asks
        ],
        "can_be_made_at_once": repair.change is not None,
    }


def _plan(plan: Plan) -> Json:
    return {
        "target": plan.target,
        "start": interval_document(plan.start),
        "reaches": interval_document(plan.reaches),
        "is_reached": plan.is_reached,
        "exact": plan.exact,
        "steps": [
            {
                "kind": step.kind.value,
                "words": step.words,
                "repair": None if step.repair is None else step.repair.name,
                "confirms": step.confirms or None,
                "gains": list(step.gains),
                "to_confirm": list(step.to_confirm),
                "points": interval_document(step.points),
            }
            for step in plan.steps
        ],
        "assumes": {ask.name: text for ask, text in plan.assumes.items()},
    }
