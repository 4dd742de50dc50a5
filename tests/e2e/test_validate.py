"""`validate`: what is not as the shapes want it, in text, JSON and Turtle, and exit codes that scripts go by."""

from __future__ import annotations

import json
from pathlib import Path

from hpc_explorer.rdf.namespaces import SH
from hpc_explorer.rdf.reading import read_bytes
from tests.helpers.program import run

RIGHT = """@prefix : <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
:a a hpc:Cluster ; hpc:name "A" ; hpc:computeNodeCount 12 .
"""
WRONG = RIGHT.replace("12", '"12"')
SHAPES = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix hpc: <https://hpc-fair.github.io/ontology#> .
:S a sh:NodeShape ; sh:targetClass hpc:Cluster ; sh:property [ sh:path hpc:country ; sh:minCount 1 ; sh:severity sh:Warning ] .
"""


def test_a_sound_graph_conforms(tmp_path: Path) -> None:
    (tmp_path / "right.ttl").write_text(RIGHT)
    done = run("validate", "right.ttl", cwd=tmp_path)
    assert (done.code, done.out, done.err) == (0, "1 resource checked: nothing found\n", "")


def test_what_is_wrong_is_told_by_resource_with_its_fix(tmp_path: Path) -> None:
    (tmp_path / "wrong.ttl").write_text(WRONG)
    done = run("validate", "wrong.ttl", cwd=tmp_path)
    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines() == [
        "A (:a)",
        "  violation  Compute nodes: “12” is written as a text, not as a whole number",
        "             can be mended: Write it as a whole number: “12”",
        "1 resource checked: 1 violation",
    ]


def test_json_is_as_documented(tmp_path: Path) -> None:
    (tmp_path / "wrong.ttl").write_text(WRONG)
    done = run("validate", "wrong.ttl", "--json", cwd=tmp_path)
    assert done.code == 1
    told = json.loads(done.out)
    assert told["counts"] == {"violation": 1, "warning": 0, "info": 0}
    assert (told["checked"], told["conforms"]) == (1, False)
    (finding,) = told["findings"]
    assert finding["resource"]["label"] == "A"
    assert finding["property"] == "https://hpc-fair.github.io/ontology#computeNodeCount"
    assert finding["severity"] == "violation"
    assert finding["constraint"] == SH.DatatypeConstraintComponent.value
    assert finding["fixes"] == ["Write it as a whole number: “12”"]


def test_the_report_of_shacl(tmp_path: Path) -> None:
    (tmp_path / "wrong.ttl").write_text(WRONG)
    done = run("validate", "wrong.ttl", "--format", "ttl", cwd=tmp_path)
    assert done.code == 1
    quads = list(read_bytes(done.out.encode(), name="report.ttl", base="http://x/").quads())
    assert sum(quad.predicate == SH.result for quad in quads) == 1


def test_own_shapes_beside_those_that_ship_or_alone(tmp_path: Path) -> None:
    (tmp_path / "wrong.ttl").write_text(WRONG)
    (tmp_path / "mine.ttl").write_text(SHAPES)
    done = run("validate", "wrong.ttl", "--shapes", "mine.ttl", cwd=tmp_path)
    assert done.code == 1
    assert "  warning    Country: missing: add at least one" in done.out.splitlines()
    assert done.out.splitlines()[-1] == "1 resource checked: 1 violation, 1 warning"
    alone = run("validate", "wrong.ttl", "--shapes", "mine.ttl", "--only-these", cwd=tmp_path)
    assert (alone.code, alone.out.splitlines()[-1]) == (0, "1 resource checked: 1 warning")
    assert run("validate", "wrong.ttl", "--shapes", "mine.ttl", "--only-these", "--strict", cwd=tmp_path).code == 1


def test_what_cannot_be_used_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "wrong.ttl").write_text(WRONG)
    (tmp_path / "bad.ttl").write_text(SHAPES.replace("minCount 1", "minCount 'one'"))
    (tmp_path / "cut.ttl").write_text(SHAPES[:-20])
    for words in (
        ("wrong.ttl", "--shapes", "bad.ttl"),
        ("wrong.ttl", "--shapes", "cut.ttl"),
        ("wrong.ttl", "--shapes", "none.ttl"),
        ("wrong.ttl", "--shapes", "wrong.ttl"),
        ("wrong.ttl", "--only-these"),
        ("none.ttl",),
    ):
        done = run("validate", *words, cwd=tmp_path)
        assert (done.code, done.out) == (2, ""), words
        assert len(done.err.splitlines()) == 1
        assert done.err.startswith("hpc-explorer: ")
    assert "bad.ttl:3 (shape S)" in run("validate", "wrong.ttl", "--shapes", "bad.ttl", cwd=tmp_path).err
