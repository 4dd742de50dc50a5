"""The command `ask`: rows, saved workflows, and what a model suggests; the overview of commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import hpc_explorer as hx
from hpc_explorer.app.settings import CONFIG_VARIABLE, Settings
from hpc_explorer.app.workspace.source_files import sample_names
from hpc_explorer.cli.main import run_command
from tests.helpers.model_server import model_server, says
from tests.helpers.workflow_graph import workflow_graph


def test_the_command_line_saves_a_workflow_and_runs_it_on_another_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    graph = str(workflow_graph(tmp_path / "graph"))
    assert run_command(["ask", graph, "Sort runs.csv by node in ascending order", "--keep", "by node"]) == 0
    assert "saved as “by node”" in capsys.readouterr().out
    assert run_command(["ask", graph, "by node", "--saved", "--on", "runs.csv=nodes.csv", "--run"]) == 0
    said = capsys.readouterr().out
    assert "1. Sort dataset “nodes.csv” by the column “node” in ascending order" in said
    assert " node  cores\n    1     44\n    2     64" in said
    assert run_command(["ask", graph, "by day", "--saved"]) == 2
    assert "“by node”" in capsys.readouterr().err
    assert run_command(["ask", graph, "by node", "--saved", "--on", "x.csv=nodes.csv"]) == 2
    assert "its tables: runs.csv" in capsys.readouterr().err


def test_a_model_is_asked_only_with_suggest_and_its_readings_are_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    graph = str(workflow_graph(tmp_path / "graph"))
    asking = ["ask", graph, "all the frobnicate tables"]
    with model_server(says('["datasets"]')) as (address, asked):
        Settings(model_endpoint=address, model_name="tiny").save()
        assert run_command(asking) == 1
        assert asked == []
        capsys.readouterr()
        assert run_command([*asking, "--suggest"]) == 1
        assert "1  Datasets  (2 rows)\n     suggested by a model: datasets" in capsys.readouterr().out
        assert len(asked) == 1


def test_rows_have_labels_and_the_iri_beside_a_label_of_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    graph = tmp_path / "graph.ttl"
    graph.write_text(
        "@prefix hpc: <https://hpc-fair.github.io/ontology#> . @prefix : <http://example.org/> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':a a hpc:Dataset ; rdfs:label "Rain" . :b a hpc:Dataset ; rdfs:label "Rain" .\n'
        ':c a hpc:Dataset ; rdfs:label "Wind" . :d a hpc:Dataset .\n'
    )
    assert run_command(["ask", str(graph), "all datasets"]) == 0
    lines = {line.strip() for line in capsys.readouterr().out.splitlines()}
    assert {"Rain (:a)", "Rain (:b)", "Wind", "4 rows"} <= lines
    assert not any(line.startswith("Wind (") for line in lines)


def test_words_that_a_workflow_leaves_out_are_told_by_each_front_end_without_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "settings"))
    graph = str(workflow_graph(tmp_path / "graph"))
    text = "For my thesis: the average secnds per state in runs.csv"
    notes = ["“secnds” was read as “seconds”.", "“For my thesis” was left out."]
    assert run_command(["ask", graph, text]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == notes
    assert run_command(["ask", graph, text, "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert described["readings"][0]["left_out"] == ["For my thesis"]
    assert described["corrected"] == [{"written": "secnds", "read": "seconds"}]
    with hx.open(graph) as g:
        assert repr(g.ask(text)).splitlines()[:2] == notes


def test_the_overview_names_every_sample(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["--help"]) == 0
    words = set(re.findall(r"[\w-]+", capsys.readouterr().out))
    assert {name for name, _ in sample_names()} <= words
