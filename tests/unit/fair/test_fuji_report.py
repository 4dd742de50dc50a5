"""Reports of F-UJI: read as they are, refused where they are something else."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import DamagedReport
from hpc_explorer.fair.assessment import Assessed, Assessment
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.fuji_report import doubt_about, fuji_report_of, read_fuji_report, with_fuji
from hpc_explorer.fair.indicators import INDICATORS
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.graphs import store_of

METRICS = [each.fuji_id for each in INDICATORS if each.fuji_id]


def result(metric: str, earned: float, total: float, *debug: str) -> dict[str, Any]:
    return {
        "metric_identifier": metric,
        "metric_name": "…",
        "score": {"earned": earned, "total": total},
        "test_status": "pass" if earned else "fail",
        "test_debug": list(debug),
    }


def document(*results: dict[str, Any]) -> dict[str, Any]:
    return {
        "request": {"object_identifier": "https://doi.org/10.5281/zenodo.1"},
        "metric_version": "metrics_v0.4",
        "software_version": "1.4.9",
        "end_timestamp": "2026-11-20T10:00:00Z",
        "results": list(results),
    }


def own_assessment() -> Assessment:
    findings = tuple(Finding(each.id, Verdict.FAIL, Basis.DECLARED, "Nothing says so.") for each in INDICATORS)
    return Assessment("https://lab.example/d", "D", Assessed.DATASET, datetime.now(UTC), "1", "0", findings)


def test_all_seventeen_metrics_are_known() -> None:
    report = fuji_report_of(document(*(result(metric, 1, 1) for metric in METRICS)))
    assert len(METRICS) == len(report.results) == 17
    assert report.target == "https://doi.org/10.5281/zenodo.1"
    assert report.when == datetime(2026, 11, 20, 10, tzinfo=UTC)
    assert report.unknown == ()


def test_only_all_points_pass() -> None:
    some = fuji_report_of(document(result("FsF-F1-01D", 1, 2), result("FsF-F1-02D", 2, 2), result("FsF-F2-01M", 0, 2)))
    assert [one.verdict for one in some.results] == [Verdict.PASS, Verdict.PARTIAL, Verdict.FAIL]
    assert [one.metric for one in some.results] == ["FsF-F1-02D", "FsF-F1-01D", "FsF-F2-01M"]


def test_the_metric_renamed_in_0_5_is_the_same_and_those_of_0_8_are_told() -> None:
    report = fuji_report_of(document(result("FsF-I2-01M", 1, 1), result("FsF-A1.1-01MD", 1, 1)))
    assert [one.indicator.id for one in report.results] == ["FsF-I1-02M"]
    assert report.unknown == ("FsF-A1.1-01MD",)


def test_its_results_take_the_place_of_ours_and_say_where_the_graph_differs() -> None:
    debug = ("INFO: looking", "WARNING: no namespaces found.", "WARNING: more")
    report = fuji_report_of(document(result("FsF-R1.1-01M", 1, 1), result("FsF-I1-02M", 0, 1, *debug)))
    own = own_assessment()
    joined = with_fuji(own, report, in_doubt=False)
    licence, vocabularies = joined.finding("FsF-R1.1-01M"), joined.finding("FsF-I1-02M")
    assert licence.verdict is Verdict.PASS
    assert licence.basis is Basis.VERIFIED
    assert licence.online == report.when
    assert licence.sentence == "F-UJI 1.4.9 gave FsF-R1.1-01M 1 of 1; the graph says fail: Nothing says so."
    assert vocabularies.sentence == "F-UJI 1.4.9 gave FsF-I1-02M 0 of 1: no namespaces found"
    changed = {"RDA-R1.1-03M", "FsF-I1-02M"}
    assert {
        one.indicator for one, before in zip(joined.findings, own.findings, strict=True) if one != before
    } == changed


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([], "no results"),
        ({"results": []}, "no results"),
        ({"results": ["x"]}, "without metric_identifier"),
        (document({"metric_identifier": "FsF-F1-01D"}), "has no score"),
        (document(result("FsF-F1-01D", 3, 2)), "is 3 of 2"),
        (document(result("FsF-F1-01MD", 1, 1)), "none of the report's metrics"),
    ],
)
def test_what_is_no_report_is_refused(wrong: Any, words: str) -> None:
    with pytest.raises(DamagedReport, match=words):
        fuji_report_of(wrong, "r.json")


def test_a_file_that_is_no_json_is_refused_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    for content in (b"<html>", b"\xff\xfe", b"[" * 100_000):
        file.write_bytes(content)
        with pytest.raises(DamagedReport, match=r"r\.json"):
            read_fuji_report(file)
    with pytest.raises(DamagedReport):
        read_fuji_report(tmp_path / "missing.json")
    file.write_text(json.dumps(document(result("FsF-F1-01D", 1, 1))))
    assert len(read_fuji_report(file).results) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["results", "metric_identifier", "score", "earned", "total", "request", "test_debug"]),
            inner,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_read_or_refused_by_name(found: Any) -> None:
    try:
        fuji_report_of(found)
    except DamagedReport as refused:
        assert refused.remedy


def test_a_warning_on_the_way_to_all_points_is_no_reason() -> None:
    """F-UJI tries several ways in turn and warns of each that leads nowhere, also where another one earns the point."""
    debug = ("ERROR: Request failed, HTTP Error 406", "SUCCESS: found core elements")
    report = fuji_report_of(document(result("FsF-F2-01M", 2, 2, *debug), result("FsF-F4-01M", 1, 2, *debug)))
    found = with_fuji(own_assessment(), report, in_doubt=False)
    assert "406" not in found.finding("FsF-F2-01M").sentence
    assert "1 of 2: Request failed, HTTP Error 406" in found.finding("FsF-F4-01M").sentence


def test_reports_of_its_first_version_have_one_time_and_say_more_of_each_metric() -> None:
    old = document(result("FsF-A1-02M", 1, 1) | {"id": 16, "maturity": 3, "metric_tests": {}, "output": {}})
    del old["end_timestamp"]
    old |= {"timestamp": "2021-11-12T09:07:00Z", "software_version": "v1.3.8", "summary": {}, "total_metrics": 16}
    assert fuji_report_of(old).when == datetime(2021, 11, 12, 9, 7, tzinfo=UTC)


DATASET = NamedNode("https://lab.example/d/")
SUBJECT = subject_of(
    store_of("""
        <https://lab.example/d/> a dcat:Dataset ; dcterms:identifier "doi:10.5281/ZENODO.1" ;
            dcat:landingPage <http://www.lab.example/pages?d=1> .
        <https://lab.example/records/7> a dcat:CatalogRecord ; foaf:primaryTopic <https://lab.example/d/> .
        <https://lab.example/other> a dcat:Dataset ; dcterms:identifier "https://doi.org/10.5281/zenodo.2" .
    """),
    DATASET,
)


def report_about(target: str | None, resolved: str | None = None) -> dict[str, Any]:
    told = document(result("FsF-R1.1-01M", 1, 1))
    return told | {"request": {} if target is None else {"object_identifier": target}, "resolved_url": resolved}


@pytest.mark.parametrize(
    ("target", "resolved"),
    [
        ("http://lab.example/d", None),
        ("https://doi.org/10.5281/zenodo.1", None),
        ("10.5281/zenodo.1", "https://elsewhere.example/"),
        ("https://LAB.example/pages?d=1", None),
        ("https://lab.example/records/7", None),
        ("https://doi.org/10.5281/zenodo.99", "https://lab.example/pages/?d=1"),
        (None, "https://lab.example/d/"),
    ],
)
def test_a_report_that_names_the_resource_is_not_doubted(target: str | None, resolved: str | None) -> None:
    assert doubt_about(fuji_report_of(report_about(target, resolved)), SUBJECT) == ""


@pytest.mark.parametrize(
    ("target", "resolved", "words"),
    [
        ("https://doi.org/10.5281/zenodo.2", None, "is about https://doi.org/10.5281/zenodo.2: neither"),
        ("10.5281/zenodo.12", "https://zenodo.org/records/12", "10.5281/zenodo.12, which led it to https://zenodo.org"),
        ("https://lab.example/pages?d=2", None, "pages?d=2"),
        ("https://lab.example/D", None, "/D:"),
        ("https://lab.example/other", None, "/other"),
        ("http://[broken", None, "[broken"),
        (None, None, "does not say what it is about"),
        (" ", "", "does not say what it is about"),
    ],
)
def test_a_report_about_another_thing_is_doubted(target: str | None, resolved: str | None, words: str) -> None:
    assert words in doubt_about(fuji_report_of(report_about(target, resolved)), SUBJECT)


def test_where_there_is_doubt_each_sentence_says_about_what() -> None:
    for target, words in (
        ("https://doi.org/10.5281/zenodo.2", "F-UJI 1.4.9, asked about https://doi.org/10.5281/zenodo.2, gave"),
        (None, "F-UJI 1.4.9 gave"),
    ):
        found = with_fuji(own_assessment(), fuji_report_of(report_about(target)), in_doubt=True)
        assert found.finding("FsF-R1.1-01M").sentence.startswith(words)
