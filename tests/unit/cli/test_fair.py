"""The options and formats of `fair`, run in this process; as a user runs it: tests/e2e/test_fair_command.py."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hpc_explorer.cli.main import run_command
from tests.helpers.program import Finished

AFTER = "https://doi.org/10.5072/xplacer.ibm"
GRAPH = """@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dcterms: <http://purl.org/dc/terms/> .
@prefix : <https://lab.example.org/> .
:a a dcat:Dataset ; dcterms:title "A" ; dcterms:license <https://creativecommons.org/licenses/by/4.0/> .
:b a dcat:Dataset ; dcterms:title "B" .
"""

Run = Callable[..., Finished]


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    (tmp_path / "a.ttl").write_text(GRAPH)
    return tmp_path / "a.ttl"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*words: object) -> Finished:
        capsys.readouterr()
        code = run_command([str(word) for word in words])
        told = capsys.readouterr()
        return Finished(code, told.out, told.err)

    return ran


def test_plans_as_text(run: Run) -> None:
    reached = run("fair", "sample:xplacer-after", AFTER, "--target", "83.0")
    assert reached.code == 0
    assert "The target of 39 points is reached." in reached.out
    planned = run("fair", "sample:xplacer-after", AFTER, "--target", "41")
    assert planned.code == 1
    assert "To reach 41 points, the smallest plan:" in planned.out


def test_json_answers_readings_and_history(run: Run, graph: Path) -> None:
    (graph.parent / "mine.toml").write_text(
        '[[answer]]\nresource = "https://lab.example.org/a"\nindicator = "RDA-A1-02M"\nlevel = 4\nwhen = 2026-11-22\n'
    )
    plain = json.loads(run("fair", graph, ":a", "--format", "json").out)
    told = run("fair", graph, ":a", "--format", "json", "--answers", graph.parent / "mine.toml", "--keep")
    answered = json.loads(told.out)
    assert answered["score"]["low"] == plain["score"]["low"] + 1
    assert answered["score"]["high"] == plain["score"]["high"]
    assert len(answered["indicators"]) == len(answered["assessment"]["findings"]) == 47
    (answer,) = [one["answer"] for one in answered["indicators"] if one["answer"]]
    assert (answer["level"], answer["who"]) == (4, "")
    assert len((graph.parent / "a.fair-history.jsonl").read_text().splitlines()) == 1
    literal = json.loads(run("fair", "sample:xplacer-after", AFTER, "--reading", "literal", "--format", "json").out)
    assert (literal["reading"]["name"], literal["score"]["low"]) == ("literal", 38)


@pytest.mark.parametrize(
    ("name", "begins"),
    [("r.html", "<!DOCTYPE html>"), ("r.csv", "indicator,"), ("r.ttl", "@prefix"), ("r.svg", "<svg"), ("r.json", "{")],
)
def test_a_report_in_a_file(run: Run, graph: Path, name: str, begins: str) -> None:
    file = graph.parent / name
    done = run("fair", graph, ":a", "-o", file)
    assert (done.code, done.out) == (0, "")
    assert file.read_text(encoding="utf-8").startswith(begins)


def test_results_are_queried_beside_the_graph(run: Run, graph: Path) -> None:
    file = graph.parent / "results.nq"
    before = json.loads(run("fair", graph, ":a", "--format", "json").out)
    assert run("fair", graph, ":a", "-o", file).code == 0
    query = "SELECT (COUNT(?r) AS ?n) { ?r a <https://w3id.org/ftr#TestResult> }"
    done = run("query", graph, file, "--text", query, "--format", "csv")
    assert done.out.split() == ["n", "47"]
    again = json.loads(run("fair", graph, file, "https://lab.example.org/a", "--format", "json").out)
    assert again["score"] == before["score"]
    assert again["assessment"]["fingerprint"] == before["assessment"]["fingerprint"]


def test_all_of_a_source(run: Run, graph: Path) -> None:
    done = run("fair", graph, "--all")
    assert done.code == 0
    assert done.out.startswith("2 assessed, of 47 points each")
    assert "Most useful fixes" in done.out
    rows = list(csv.DictReader(io.StringIO(run("fair", graph, "--all", "--format", "csv").out)))
    assert [row["label"] for row in rows] == ["A", "B"]
    told = json.loads(run("fair", graph, "--all", "--class", "dcat:Dataset", "--format", "json").out)
    assert told["assessed"] == 2
    lacking = {one["id"]: one["missing"] for one in told["first_to_fix"]}
    assert lacking["RDA-R1.1-01M"] == ["https://lab.example.org/b"]


def test_a_source_with_one_dataset_needs_no_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.jsonld").write_text('{"@context": "http://schema.org/", "@type": "Dataset", "name": "One"}')
    told = json.loads(run("fair", tmp_path / "one.jsonld", "--format", "json").out)
    assert (told["resource"]["label"], told["resource"]["iri"][:2]) == ("One", "_:")
    assert run("fair", tmp_path / "one.jsonld", "--format", "nq").out.count("assessmentTarget> _:") > 1
    everything = json.loads(run("fair", tmp_path / "one.jsonld", "--all", "--format", "json").out)
    assert everything["first_to_fix"][0]["missing"] == [everything["resources"][0]["resource"]["iri"]]


def test_of_several_datasets_one_is_to_be_named(run: Run, graph: Path) -> None:
    told = run("fair", graph)
    assert told.code == 2
    assert "which of its 2 datasets and models should be assessed?" in told.err
    assert ":a, :b" in told.err
    (graph.parent / "none.ttl").write_text("<https://lab.example.org/x> a <https://lab.example.org/Thing> .")
    assert "it has no dataset or model" in run("fair", graph.parent / "none.ttl").err


@pytest.mark.parametrize(
    "words",
    [
        (),
        (":nothing",),
        (":a", "--target", "48"),
        (":a", "--target", "many"),
        (":a", "--answers", "none.toml"),
        (":a", "--class", "dcat:Dataset"),
        ("--all", "--target", "3"),
        ("--all", "--format", "html"),
        ("--all", "--class", "dcat:Catalog"),
    ],
)
def test_bad_usage(run: Run, graph: Path, words: tuple[str, ...]) -> None:
    done = run("fair", graph, *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(("hpc-explorer", "usage"))
    assert "Traceback" not in done.err
