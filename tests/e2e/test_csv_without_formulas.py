"""Every command that writes CSV writes a graph's texts so that a spreadsheet program runs none."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.helpers.program import run

FORMULA = "=cmd|'/c calc'!A0"
GRAPH = f"""
@prefix ex: <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
ex:model a hpc:AIModel ; hpc:name "{FORMULA} model" ; hpc:wasGeneratedBy ex:run ; hpc:project ex:project .
ex:other a hpc:AIModel ; hpc:name "{FORMULA} other" ; hpc:wasGeneratedBy ex:run2 .
ex:run a hpc:Experiment ; hpc:name "{FORMULA} run" ; hpc:used ex:data ; hpc:commandLine "{FORMULA}" .
ex:run2 a hpc:Experiment ; hpc:name "{FORMULA} run" ; hpc:used ex:data ; hpc:commandLine "{FORMULA} 2" .
ex:data a hpc:Dataset ; hpc:name "{FORMULA} data" ; hpc:license "{FORMULA}" .
"""


@pytest.mark.parametrize(
    "words",
    [
        ("query", "{}", "--text", "SELECT ?n { ?s <https://hpc-fair.github.io/ontology#name> ?n }", "--format", "csv"),
        ("impact", "{}", "ex:data", "--format", "csv"),
        ("compare", "{}", "ex:model", "ex:other", "--format", "csv"),
        ("fair", "{}", "ex:data", "--format", "csv"),
        ("fair", "{}", "--all", "--format", "csv"),
    ],
    ids=lambda words: f"{words[0]} {words[2]}",
)
def test_no_cell_is_a_formula(tmp_path: Path, words: tuple[str, ...]) -> None:
    graph = tmp_path / "graph.ttl"
    graph.write_text(GRAPH, encoding="utf-8")
    done = run(*(word.replace("{}", str(graph)) if word == "{}" else word for word in words))
    cells = [cell for row in csv.reader(io.StringIO(done.out)) for cell in row]
    assert any("cmd|" in cell for cell in cells), done.err
    assert [cell for cell in cells if cell.startswith("=")] == []


def test_exact_texts_are_had_as_tsv_and_json(tmp_path: Path) -> None:
    graph = tmp_path / "graph.ttl"
    graph.write_text(GRAPH, encoding="utf-8")
    for form in ("tsv", "json"):
        asked = run("query", graph, "--text", f'SELECT ?n {{ VALUES ?n {{ "{FORMULA}" }} }}', "--format", form)
        assert f'"{FORMULA}"' in asked.out
