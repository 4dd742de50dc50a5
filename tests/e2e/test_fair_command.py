"""`fair`: one resource, a plan for a target, and exit codes that scripts go by; its options: tests/unit/cli/test_fair.py."""

from __future__ import annotations

import json
from pathlib import Path

from tests.helpers.program import run

AFTER = "https://doi.org/10.5072/xplacer.ibm"
BEFORE = "https://github.com/xyz/XPlacer/tree/master/data/ibm"


def test_the_golden_pair_as_text() -> None:
    done = run("fair", "sample:xplacer-after", AFTER)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == f"XPlacer training data, IBM machine (<{AFTER}>)"
    assert lines[2] == "39 of 47 points, 83.0 %, assessed as a dataset"
    assert [line.split()[0] for line in lines[4:8]] == ["Findable", "Accessible", "Interoperable", "Reusable"]
    assert [line.split()[2] for line in lines[4:8]] == ["8/8", "13/13", "11/14", "7/12"]
    assert "Answered against the test" in lines
    assert any(line.startswith("  FsF-R1-01MD  ") for line in lines)


def test_a_target_and_its_plan() -> None:
    planned = run("fair", "sample:xplacer-before", BEFORE, "--target", "83%", "--format", "json")
    assert planned.code == 1
    plan = json.loads(planned.out)["plan"]
    assert (plan["target"], plan["start"], plan["is_reached"]) == (39, {"low": 9, "high": 9}, True)
    assert plan["steps"][-1]["points"]["low"] >= 39


def test_a_damaged_file_of_answers_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text("<https://lab.example.org/a> a <http://www.w3.org/ns/dcat#Dataset> .")
    (tmp_path / "a.fair.toml").write_text("[[answer]]\nlevel = 9\n")
    done = run("fair", "a.ttl", "https://lab.example.org/a", cwd=tmp_path)
    assert done.code == 2
    assert "a.fair.toml:1" in done.err


def test_a_report_of_fuji_decides_its_metrics_and_goes_with_no_plan(tmp_path: Path) -> None:
    result = {"metric_identifier": "FsF-F2-01M", "score": {"earned": 1, "total": 2}}
    (tmp_path / "fuji.json").write_text(json.dumps({"software_version": "1.4.9", "results": [result]}))
    command = ("fair", "sample:xplacer-after", AFTER, "--fuji", "fuji.json")
    done = run(*command, "--format", "json", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert told["score"]["low"] == 38
    [one] = [each for each in told["indicators"] if each["id"] == "FsF-F2-01M"]
    assert one["verdict"] == "partial"
    assert one["sentence"].startswith("F-UJI 1.4.9 gave FsF-F2-01M 1 of 2; the graph says pass: ")
    assert "does not say what it is about" in told["doubt"]
    own = {"request": {"object_identifier": "https://doi.org/10.5555/another"}, "results": [result]}
    (tmp_path / "fuji.json").write_text(json.dumps(own))
    for form in ("text", "html", "ttl"):
        written = " ".join(run(*command, "--format", form, cwd=tmp_path).out.split())
        assert "is about https://doi.org/10.5555/another: neither the IRI nor an identifier" in written
    own["request"]["object_identifier"] = AFTER
    (tmp_path / "fuji.json").write_text(json.dumps(own))
    assert json.loads(run(*command, "--format", "json", cwd=tmp_path).out)["doubt"] is None
    refused = run(*command, "--target", "40", cwd=tmp_path)
    assert refused.code == 2
    assert "plan without the report" in refused.err
    damaged = run("fair", "sample:xplacer-after", AFTER, "--fuji", "missing.json", cwd=tmp_path)
    assert damaged.code == 2
    assert "missing.json" in damaged.err
