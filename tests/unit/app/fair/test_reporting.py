"""Reports written to files, of an assessment in a session."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hpc_explorer.app.fair.assessing import AssessmentView, assess_resource
from hpc_explorer.app.fair.reporting import ReportForm, report_bytes, write_report
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import OutputNotWritable, UsageError
from hpc_explorer.fair.document import assessment_of
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sessions import session_of

DATASET = NamedNode("http://example.org/dataset/DA000001")


@pytest.fixture
def session() -> Session:
    return session_of("sample:xplacer")


@pytest.fixture
def view(session: Session) -> AssessmentView:
    return assess_resource(session, DATASET)


@pytest.mark.parametrize("form", ReportForm)
def test_each_form_is_written_by_the_end_of_the_name(view: AssessmentView, form: ReportForm, tmp_path: Path) -> None:
    file = tmp_path / f"report{form.value.upper()}"
    write_report(view, file)
    assert file.read_bytes() == report_bytes(view, form)
    assert form.title


def test_the_document_holds_the_assessment_and_the_score(view: AssessmentView) -> None:
    told = json.loads(report_bytes(view, ReportForm.DOCUMENT))
    assert assessment_of(told["assessment"], "report") == view.assessment
    assert (told["score"]["low"], told["score"]["high"]) == (view.score.low, view.score.high)
    assert len(told["indicators"]) == 47


def test_results_opened_beside_the_graph_change_no_score(
    session: Session, view: AssessmentView, tmp_path: Path
) -> None:
    for name in ("report.ttl", "report.jsonld", "report.nq"):
        write_report(view, tmp_path / name)
        open_sources(session, [str(tmp_path / name)])
    again = assess_resource(session, DATASET)
    assert again.assessment.fingerprint == view.assessment.fingerprint
    assert again.decided == view.decided
    rows = session.store.select(
        "PREFIX ftr: <https://w3id.org/ftr#> PREFIX prov: <http://www.w3.org/ns/prov#>"
        "SELECT (COUNT(DISTINCT ?r) AS ?n) WHERE { ?r a ftr:TestResult ; prov:value 'pass' }"
    )
    assert [row["n"].value for row in rows] == [str(view.score.low)]  # type: ignore[union-attr]


def test_an_unknown_form_and_a_place_that_cannot_be_written_are_refused(view: AssessmentView, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.html"):
        write_report(view, tmp_path / "report.docx")
    with pytest.raises(OutputNotWritable):
        write_report(view, tmp_path / "missing" / "folder" / "report.html")
    assert not list(tmp_path.iterdir())
