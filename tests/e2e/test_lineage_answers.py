"""`impact`, `compare`, `--as-of`, `--cost` and `--vocabulary` as a user types them."""

from __future__ import annotations

import csv
import io
import json
import os
from datetime import UTC, datetime
from pathlib import Path

from tests.helpers.program import run

RUNS = ("seis:run1", "seis:run2")


def test_impact_in_every_form() -> None:
    words = ("impact", "sample:xplacer", "cluster:lassen")
    text = run(*words)
    assert (text.code, text.err) == (0, "")
    assert "if this is retracted, 2 models rest on it" in text.out
    assert "Xplacer" in text.out
    said = json.loads(run(*words, "--format", "json").out)
    assert said["total"] == {"value": 2, "kind": "exact"}
    assert [project["count"]["value"] for project in said["projects"]] == [2]
    for model in said["models"]:
        assert len(model["path"]) == model["steps"]
        assert all(step["evidence"] for step in model["path"])
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").out)))
    assert {row["model"] for row in rows} == {model["iri"] for model in said["models"]}
    assert "decisionTree.onnx" in run(*words, "--format", "jsonld").out


def test_impact_on_something_else_than_models() -> None:
    found = run("impact", "sample:xplacer", "cluster:lassen", "--kind", "hpc:Experiment")
    assert found.code == 0
    assert "things rest on it" in found.out


def test_compare_in_every_form() -> None:
    text = run("compare", "sample:seismic", *RUNS)
    assert (text.code, text.err) == (1, "")
    assert "first divergent parameter: noise_filter_threshold: 0.05 | 0.10" in text.out
    said = json.loads(run("compare", "sample:seismic", *RUNS, "--format", "json").out)
    assert said["first_divergent_parameter"]
    whens = [one["when"] for one in said["differences"] if one["when"]]
    assert whens == sorted(whens)
    rows = list(csv.DictReader(io.StringIO(run("compare", "sample:seismic", *RUNS, "--format", "csv").out)))
    assert [row["name"] for row in rows] == [one["name"] for one in said["differences"]]
    same = run("compare", "sample:seismic", RUNS[0], RUNS[0])
    assert (same.code, "no difference found" in same.out) == (0, True)


def test_as_of() -> None:
    curated = ("sample:seismic", "Curated F3 survey")
    now = json.loads(run("lineage", *curated, "--format", "json").out)
    end = json.loads(run("lineage", *curated, "--format", "json", "--as-of", "2030-01-01").out)
    assert {node.pop("state") for node in end["nodes"]} <= {"there", "undated"}
    assert end == now
    early = run("lineage", *curated, "--as-of", "2021-02-01")
    assert (early.code, "did not exist yet at that moment" in early.out) == (1, True)
    late = run("lineage", *curated, "--as-of", "2021-02-25")
    assert "undated: " in late.out
    assert run("path", *curated, "f3.segy", "--as-of", "2021-02-25").code == 0
    assert run("path", *curated, "f3.segy", "--as-of", "2021-02-20").code == 1
    none = run("impact", "sample:seismic", "f3.segy", "--as-of", "2021-02-20", "--format", "json")
    assert json.loads(none.out)["total"]["value"] == 0
    wrong = run("lineage", *curated, "--as-of", "last March")
    assert (wrong.code, "not a moment: last March" in wrong.err) == (2, True)


def test_cost() -> None:
    found = run("lineage", "sample:seismic", "f3.segy", "--downstream", "--cost")
    assert found.code == 0
    assert "within 1; one more level brings" in found.out


def test_own_terms_and_what_is_not_understood(tmp_path: Path) -> None:
    graph = tmp_path / "graph.ttl"
    graph.write_text(
        "@prefix : <http://example.org/> . @prefix prov: <http://www.w3.org/ns/prov#> ."
        ":b prov:wasDerivedFrom :a ; :madeFrom :a , :z ."
    )
    bare = run("lineage", str(graph), "http://example.org/b")
    assert "not understood: :madeFrom (1)" in bare.out
    said = json.loads(run("lineage", str(graph), "http://example.org/b", "--format", "json").out)
    assert said["not_understood"] == [{"predicate": "http://example.org/madeFrom", "links": 1}]
    own = tmp_path / "own.toml"
    own.write_text('[[predicate]]\niri = "http://example.org/madeFrom"\nmeans = "derived"\n')
    found = run("lineage", str(graph), "http://example.org/b", "--vocabulary", str(own))
    assert "was derived from: z  :z" in found.out
    assert "not understood" not in found.out
    own.write_text('[[predicate]]\niri = "http://example.org/madeFrom"\nmeans = "eaten"\n')
    wrong = run("lineage", str(graph), "http://example.org/b", "--vocabulary", str(own))
    assert wrong.code == 2
    assert "means is 'eaten'" in wrong.err


def test_two_records_of_one_file(tmp_path: Path) -> None:
    declared = "@prefix prov: <http://www.w3.org/ns/prov#> . @prefix ex: <http://example.org/> . "
    digest = "ab" * 32
    told = f'<https://schema.org/sha256> "{digest}"'
    (tmp_path / "first.ttl").write_text(f"{declared} ex:copy {told} ; prov:wasDerivedFrom ex:raw .")
    (tmp_path / "second.ttl").write_text(
        f"{declared} ex:model a prov:Entity ; prov:wasDerivedFrom ex:input . ex:input {told} ."
    )
    both = (str(tmp_path / "first.ttl"), str(tmp_path / "second.ttl"))
    model, raw = "http://example.org/model", "http://example.org/raw"
    assert "raw" not in run("lineage", *both, model).out
    tree = run("lineage", *both, model, "--match-content").out
    assert "has the same content as: copy" in tree
    assert "[matched by value: same sha256 in " in tree
    said = json.loads(run("lineage", *both, model, "--match-content", "--format", "json").out)
    (edge,) = [edge for edge in said["edges"] if edge["origin"] == "matched"]
    assert edge["relation"] == "has the same content as"
    assert [one["object"]["value"] for one in edge["evidence"]] == [digest, digest]
    # Exported are statements that are there, and none that joins the two.
    exported = run("lineage", *both, model, "--match-content", "--format", "jsonld").out
    assert exported.count(digest) == 2
    assert "same content" not in exported
    assert run("path", *both, model, raw).code == 1
    path = run("path", *both, model, raw, "--match-content")
    assert (path.code, "matched by value" in path.out) == (0, True)
    words = ("impact", *both, raw, "--kind", "prov:Entity")
    assert "0 things" in run(*words).out
    assert "[matched by value]" in run(*words, "--match-content").out
    refused = run("lineage", *both, model, "--match-content", "--cost")
    assert (refused.code, "--cost with --match-content" in refused.err) == (2, True)


def test_as_it_was_recorded(tmp_path: Path) -> None:
    file, workspace = tmp_path / "runs.ttl", str(tmp_path / "w")
    terms = "@prefix ex: <http://example.org/> . @prefix prov: <http://www.w3.org/ns/prov#> .\n"
    for number, raw in ((1, "raw"), (8, "cleaned")):
        file.write_text(f"{terms}ex:model prov:wasDerivedFrom ex:{raw} .\n", encoding="utf-8")
        then = datetime(2026, 3, number, 12, tzinfo=UTC).timestamp()
        os.utime(file, (then, then))
        assert run("load", str(file), "--into", workspace).code == 0
    listed = run("info", workspace).out
    assert "version 1, recorded 2026-03-01 12:00:00 UTC, 1 triple: the next one removed 1 statement " in listed
    model = "http://example.org/model"
    then_it_was = run("lineage", workspace, model, "--recorded-by", "2026-03-05")
    assert (then_it_was.code, then_it_was.err) == (0, "")
    assert "raw" in then_it_was.out
    assert "cleaned" not in then_it_was.out
    assert "runs.ttl version 1 of 2026-03-01; 1 link no longer recorded now" in then_it_was.out
    assert "cleaned" in run("lineage", workspace, model, "--recorded-by", "2026-03-08").out
    early = run("lineage", workspace, model, "--recorded-by", "2026-02-01")
    assert (early.code, "nothing about it was recorded by then" in early.out) == (1, True)
    gone = run("lineage", workspace, "http://example.org/raw", "--downstream", "--recorded-by", "2026-03-05")
    assert (gone.code, "model" in gone.out) == (0, True)
    path = ("path", workspace, model, "http://example.org/raw")
    assert run(*path).code == 2
    assert run(*path, "--recorded-by", "2026-03-05").code == 0
    refused = run("lineage", workspace, model, "--phases", "--recorded-by", "2026-03-05")
    assert (refused.code, "leave one out" in refused.err) == (2, True)
