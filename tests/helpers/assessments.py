"""Assessments of nothing in particular, with the verdicts that a test wants."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.assessment import Assessed, Assessment
from hpc_explorer.fair.indicators import INDICATORS
from hpc_explorer.fair.values import Answer, Basis, Finding, Level, Verdict
from hpc_explorer.rdf.terms import NamedNode, Quad

XPLACER = NamedNode("https://lab.example/xplacer")
MORNING = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)

_LETTERS = {"p": Verdict.PASS, "-": Verdict.PARTIAL, "f": Verdict.FAIL, "?": Verdict.UNKNOWN}


def assessment(
    verdicts: Mapping[str, str] | None = None,
    *,
    rest: str = "f",
    evidence: Mapping[str, tuple[Quad, ...]] | None = None,
) -> Assessment:
    """An assessment with these verdicts: p pass, - partial, f fail, ? unknown; `rest` is that of all others."""
    told = verdicts or {}
    assert set(told) <= {indicator.id for indicator in INDICATORS}
    return Assessment(
        subject=XPLACER.value,
        label="XPlacer",
        when=MORNING,
        program="1.0",
        fingerprint="abc",
        assessed=Assessed.DATASET,
        findings=tuple(
            Finding(
                indicator.id,
                _LETTERS[told.get(indicator.id, rest)],
                Basis.VERIFIED,
                f"Found for {indicator.id}.",
                (evidence or {}).get(indicator.id, ()),
            )
            for indicator in INDICATORS
        ),
    )


def answers(given: Mapping[str, int], note: str = "") -> Answers:
    """Answers of these levels, all with the same note."""
    return Answers(XPLACER, tuple(Answer(id, Level(level), note, "Ada", MORNING) for id, level in given.items()))
