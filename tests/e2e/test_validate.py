"""`validate`: what is not as the shapes want it, in text, JSON and Turtle, and exit codes that scripts go by."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from hpc_explorer.rdf.namespaces import SH
from hpc_explorer.rdf.syntax.reading import read_bytes
from tests.helpers.program import run, run_installed

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
        "             fix: Write it as a whole number: “12”",
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
    # What follows from the wrong datatype is told as one in the text; SHACL wants it too.
    assert {quad.object for quad in quads if quad.predicate == SH.sourceConstraintComponent} == {
        SH.DatatypeConstraintComponent,
        SH.MinInclusiveConstraintComponent,
    }
    assert sum(quad.predicate == SH.result for quad in quads) == 2


def test_values_that_shapes_are_for_are_counted_and_told(tmp_path: Path) -> None:
    (tmp_path / "right.ttl").write_text(RIGHT)
    (tmp_path / "mine.ttl").write_text(
        SHAPES.replace("sh:targetClass hpc:Cluster", "sh:targetObjectsOf hpc:name , hpc:computeNodeCount")
        .replace("; sh:property", "; sh:maxLength 1 ; sh:property")
        .replace("sh:targetObjectsOf", 'sh:targetNode "lost" ; sh:targetObjectsOf')
    )
    done = run("validate", "right.ttl", "--shapes", "mine.ttl", "--only-these", cwd=tmp_path)
    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines()[0] == "“lost”"
    assert done.out.splitlines()[-1] == "0 resources and 3 values checked: 2 violations, 3 warnings"
    told = json.loads(run("validate", "right.ttl", "--shapes", "mine.ttl", "--only-these", "--json", cwd=tmp_path).out)
    assert told["checked"] == 3
    lost = [one for one in told["findings"] if one["resource"] is None]
    assert {one["focus"]["value"] for one in lost} == {"lost"}


def test_shapes_that_are_for_nothing_are_not_kept_to(tmp_path: Path) -> None:
    (tmp_path / "right.ttl").write_text(RIGHT)
    (tmp_path / "mine.ttl").write_text(SHAPES.replace("hpc:Cluster", "hpc:Dataset"))
    done = run("validate", "right.ttl", "--shapes", "mine.ttl", "--only-these", cwd=tmp_path)
    assert (done.code, done.out) == (0, "0 resources checked: no shape applies to it\n")


BADLY_TYPED = """@prefix : <http://example.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:a a :C ; :p "abc"^^xsd:integer , "maybe"^^xsd:boolean , "2021-02-30"^^xsd:date .
"""
OF_BADLY_TYPED = """@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:S a sh:NodeShape ; sh:targetClass :C ; sh:property [
    sh:path ( [ sh:inversePath [ sh:inversePath :p ] ] [ sh:zeroOrMorePath :q ] ) ;
    sh:or ( [ sh:datatype xsd:integer ] [ sh:in ( "perhaps"^^xsd:boolean "many"^^xsd:integer ) ] ) ] .
"""
IN_A_PROCESS = """
import hpc_explorer.rdf.terms
from rdflib import Literal, URIRef, XSD
assert Literal("abc", datatype=XSD.integer).value is None
assert Literal("maybe", datatype=XSD.boolean).value is False
URIRef("not an address")
"""


def test_no_warning_of_a_library_reaches_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "data.ttl").write_text(BADLY_TYPED)
    (tmp_path / "mine.ttl").write_text(OF_BADLY_TYPED)
    done = run_installed("validate", "data.ttl", "--shapes", "mine.ttl", "--only-these", cwd=tmp_path)
    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines()[-1] == "1 resource checked: 3 violations"
    python = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS], capture_output=True, encoding="utf-8", timeout=120, check=True
    )
    assert python.stderr == ""


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
