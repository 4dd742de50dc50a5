"""`questions` and `query --question` as a user types them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from hpc_explorer.app.settings import CONFIG_VARIABLE
from tests.helpers.program import run

Q5 = ("query", "sample:seismic", "--question", "prov-ml-q5")


def test_the_list_is_what_goes_with_the_graph() -> None:
    found = run("questions", "sample:seismic")
    assert (found.code, found.err) == (0, "")
    assert "prov-ml-q4  Batch times of a training, epoch by epoch" in found.out
    assert "--set firstSlice=<first slice> (may be left open)" in found.out
    assert "hpc-q1" not in found.out
    assert "8 questions; 39 more with --all" in found.out
    said = json.loads(run("questions", "sample:seismic", "--all", "--json").out)["questions"]
    assert len(said) == 47
    fitting = {one["name"] for one in said if any(variant["fits"] for variant in one["variants"])}
    assert fitting == {"learning-curve", *(f"prov-ml-q{number}" for number in range(1, 8))}


def test_one_question_lists_its_choices() -> None:
    found = run("questions", "sample:seismic", "--question", "prov-ml-q1")
    assert found.code == 0
    assert "Model after epoch 2, run 2  [Model]" in found.out
    assert "without PROV-ML terms: does not apply to this graph" in found.out
    (said,) = json.loads(run("questions", "sample:seismic", "--question", "prov-ml-q5", "--json").out)["questions"]
    assert [[choice["label"] for choice in one["choices"]] for one in said["parameters"]] == [
        ["100", "400"],
        ["299", "599"],
    ]


def test_a_graph_without_questions(tmp_path: Path) -> None:
    (tmp_path / "plain.ttl").write_text("<urn:example:a> <urn:example:b> 1 .", encoding="utf-8")
    found = run("questions", str(tmp_path / "plain.ttl"))
    assert found.code == 1
    assert "0 questions; 47 more with --all" in found.out


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
        ((*Q5, "--set", "firstSlice"), "--set requires NAME=VALUE"),
        ((*Q5, "--set", "firstSlice=100", "--set", "firstSlice=400"), "a parameter is set twice: firstSlice"),
        ((*Q5, "--set", "slice=1"), "no parameter of this name: slice"),
        ((*Q5, "--variant", "none"), "no such variant: none: there are: with PROV-ML terms"),
        (("query", "sample:seismic", "--question", "q9"), "no such question: q9: there are: affected-jobs"),
        (("query", "sample:seismic", "--question", "hpc-q1"), "does not use the vocabulary of the question: hpc-q1"),
        (("query", "sample:seismic", "--text", "ASK {}", "--set", "a=b"), "--set requires --question"),
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


QUERY = """SELECT ?model ?accuracy WHERE {
  ?model a hpc:AIModel ; hpc:targetMachine <http://example.org/cluster/lassen> ; hpc:accuracy ?accuracy
  FILTER(?accuracy > 0.9) }"""


def test_a_query_is_saved_checked_shared_and_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    query, shared = tmp_path / "q.rq", tmp_path / "shared.ttl"
    query.write_text(QUERY, encoding="utf-8")
    words = ("--file", str(query), "--title", "Accurate models", "--blank", "lassen=machine", "--blank", "0.9=least")
    saved = run("questions", "sample:xplacer", "--save", "accurate", *words, "--keep-rows")
    assert (saved.code, saved.err) == (0, "")
    assert "--set targetMachine=<machine>" in saved.out
    assert "2 rows of sample:xplacer kept" in saved.out
    again = run("questions", "sample:xplacer", "--save", "accurate", *words)
    assert (again.code, "there is a question of this name: accurate" in again.err) == (2, True)
    asked = run("query", "sample:xplacer", "--question", "accurate", "--set", "accuracy2=0.94", "--format", "csv")
    assert asked.out.split()[1:] == ["http://example.org/AIModel/MO000002,0.957"]
    checked = run("questions", "--check", "--question", "accurate")
    assert (checked.code, "1 example; none differs" in checked.out) == (0, True)
    assert run("questions", "--export", "accurate", "-o", str(shared)).code == 0
    assert run("questions", "--delete", "accurate").out == "deleted accurate  Accurate models\n"
    assert run("questions", "--delete", "accurate").code == 2
    shared.write_text(shared.read_text(encoding="utf-8").replace("0.957", "0.958"), encoding="utf-8")
    assert run("questions", "--import", str(shared)).out == "accurate  Accurate models\n"
    wrong = run("questions", "--check", "--question", "accurate")
    assert wrong.code == 1
    assert "1 example; 1 differs" in wrong.out
    assert 'row 1, accuracy: "0.957"' in wrong.out
    said = json.loads(run("questions", "--check", "--question", "accurate", "--json").out)["examples"]
    assert [(one["question"], one["same"], one["rows"]) for one in said] == [("accurate", False, 2)]


def test_the_examples_of_a_graph_can_be_asked_of_a_copy(tmp_path: Path) -> None:
    folder = str(tmp_path / "w.hpcx")
    assert run("load", "sample:campaign", "--into", folder).code == 0
    found = run("questions", folder, "--check", "sample:campaign", "--json")
    said = json.loads(found.out)["examples"]
    assert found.code == 0
    assert len(said) > 20
    assert all(one["same"] for one in said)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no graph is named"),
        (("sample:xplacer", "--check"), "--check with a SOURCE"),
        (
            ("--check", "sample:nowhere"),
            "no example was kept of this graph: sample:nowhere: there are examples of: sample",
        ),
        (("--save", "mine"), "no query to save: mine"),
        (("sample:xplacer", "--title", "T"), "--title requires --save"),
        (("sample:xplacer", "--replace"), "--replace requires --save or --import"),
        (("sample:xplacer", "-o", "x.ttl"), "-o requires --export"),
        (("sample:xplacer", "--delete", "x"), "no SOURCE is needed for this"),
        (("--delete", "hpc-q1"), "none of your own questions has this name: hpc-q1"),
        (("--import", "nowhere.ttl"), "nowhere.ttl"),
        (("--export", "q9"), "no such question: q9"),
        (
            ("--save", "m", "--file", "Q", "--blank", "zebra"),
            "no such place for a blank: zebra: there are: class (hpc:A",
        ),
        (("--save", "m", "--file", "Q", "--keep-rows"), "--keep-rows requires one SOURCE"),
        (("--save", "hpc-q1", "--file", "Q"), "a question that ships has this name"),
    ],
)
def test_mistakes_in_keeping_are_named(
    words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    query = tmp_path / "q.rq"
    query.write_text(QUERY, encoding="utf-8")
    found = run("questions", *(str(query) if word == "Q" else word for word in words))
    assert (found.code, found.out) == (2, "")
    assert message in found.err
    assert not (tmp_path / "settings" / "questions").exists()
