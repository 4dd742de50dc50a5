"""`questions` and `query --question` as a user types them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.helpers.program import run

Q5 = ("query", "sample:seismic", "--question", "prov-ml-q5")


def test_the_list_is_what_goes_with_the_graph() -> None:
    found = run("questions", "sample:seismic")
    assert (found.code, found.err) == (0, "")
    assert "prov-ml-q4  Batch times of a training, epoch by epoch" in found.out
    assert "--set firstSlice=<first slice> (may be left open)" in found.out
    assert "hpc-q1" not in found.out
    assert "8 questions; 24 more with --all" in found.out
    said = json.loads(run("questions", "sample:seismic", "--all", "--json").out)["questions"]
    assert len(said) == 32
    fitting = {one["name"] for one in said if any(variant["fits"] for variant in one["variants"])}
    assert fitting == {"learning-curve", *(f"prov-ml-q{number}" for number in range(1, 8))}


def test_one_question_lists_its_choices() -> None:
    found = run("questions", "sample:seismic", "--question", "prov-ml-q1")
    assert found.code == 0
    assert "Model after epoch 2, run 2  [Model]" in found.out
    assert "without PROV-ML terms: does not go with this graph" in found.out
    (said,) = json.loads(run("questions", "sample:seismic", "--question", "prov-ml-q5", "--json").out)["questions"]
    assert [[choice["label"] for choice in one["choices"]] for one in said["parameters"]] == [
        ["100", "400"],
        ["299", "599"],
    ]


def test_a_graph_without_questions(tmp_path: Path) -> None:
    (tmp_path / "plain.ttl").write_text("<urn:example:a> <urn:example:b> 1 .", encoding="utf-8")
    found = run("questions", str(tmp_path / "plain.ttl"))
    assert found.code == 1
    assert "0 questions; 32 more with --all" in found.out


def test_an_answer_in_every_form() -> None:
    text = run(*Q5, "--set", "firstSlice=400")
    assert (text.code, text.err) == (0, "")
    assert "mean batch time (s)" in text.out
    assert "Training epoch 2, run 2" in text.out
    assert "2 rows" in text.out
    rows = list(csv.DictReader(io.StringIO(run(*Q5, "--set", "firstSlice=400", "--format", "csv").out)))
    assert [row["average"] for row in rows] == ["0.22", "0.218"]
    said = json.loads(run(*Q5, "--format", "json").out)
    assert said["head"]["vars"] == ["training", "epoch", "model", "measure", "value", "average"]
    assert len(said["results"]["bindings"]) == 5


def test_both_ways_over_inferred_statements() -> None:
    words = ("query", "sample:seismic", "--infer", "--question", "prov-ml-q7", "--format", "csv")
    assert run(*words, "--variant", "without PROV-ML terms").out == run(*words).out != ""


def test_over_a_workspace_and_in_time(tmp_path: Path) -> None:
    folder = str(tmp_path / "w.hpcx")
    assert run("load", "sample:seismic", "--into", folder).code == 0
    words = ("--question", "prov-ml-q4", "--set", "dataset=Training set 1", "--format", "csv")
    found = run("query", folder, *words, "--timeout", "60")
    assert (found.code, found.out) == (0, run("query", "sample:seismic", *words).out)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*Q5, "--set", "firstSlice=7"), "no such first slice: firstSlice=7: there are: 100, 400"),
        ((*Q5, "--set", "firstSlice"), "--set wants NAME=VALUE"),
        ((*Q5, "--set", "firstSlice=100", "--set", "firstSlice=400"), "a blank is set twice: firstSlice"),
        ((*Q5, "--set", "slice=1"), "no parameter of this name: slice"),
        ((*Q5, "--variant", "none"), "no such variant: none: there are: with PROV-ML terms"),
        (("query", "sample:seismic", "--question", "q9"), "no such question: q9: there are: best-settings"),
        (("query", "sample:seismic", "--question", "hpc-q1"), "not written in the terms of the question: hpc-q1"),
        (("query", "sample:seismic", "--text", "ASK {}", "--set", "a=b"), "--set goes with --question"),
        (("questions", "sample:seismic", "--questions", "nowhere.ttl"), "nowhere.ttl"),
    ],
)
def test_mistakes_are_named(words: tuple[str, ...], message: str) -> None:
    found = run(*words)
    assert (found.code, found.out) == (2, "")
    assert message in found.err
    assert found.err.count("\n") == 1


def test_a_question_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.ttl"
    file.write_text(
        """@prefix dcterms: <http://purl.org/dc/terms/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix sh: <http://www.w3.org/ns/shacl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        <urn:mine> a sh:SPARQLSelectExecutable ; dcterms:identifier "named" ; rdfs:label "What is called so" ;
            sh:parameter [ sh:path <urn:p:label> ; sh:datatype xsd:string ] ;
            sh:prefixes [ sh:declare [ sh:prefix "rdfs" ;
                sh:namespace "http://www.w3.org/2000/01/rdf-schema#"^^xsd:anyURI ] ] ;
            sh:select "SELECT ?thing { ?thing rdfs:label $label }" .""",
        encoding="utf-8",
    )
    words = ("query", "sample:seismic", "--questions", str(file), "--question", "named", "--format", "csv")
    assert run(*words, "--set", "label=F3 block").out.split() == ["thing", "http://example.org/seismic/field-f3"]
    assert run(*words, "--set", 'label=" } #').out.split() == ["thing"]
    file.write_text("@prefix sh: <http://www.w3.org/ns/shacl#> . sh:a sh:b sh:c .", encoding="utf-8")
    damaged = run(*words, "--set", "label=F3 block")
    assert (damaged.code, "no questions in this file" in damaged.err) == (2, True)
