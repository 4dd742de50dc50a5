"""Each command as an installed program: it gives what it gives within the process of the tests, where most of them run it."""

from __future__ import annotations

import pickle
import re
import shutil
from pathlib import Path

import pytest

from hpc_explorer.capture.spool import frames, header
from hpc_explorer.cli.commands import COMMANDS
from tests.helpers.program import run, run_installed
from tests.unit.annotate.models.estimators import trained

GRAPH = '<http://example.org/a> <http://example.org/p> "new" .\n'
MODEL = "http://example.org/AIModel/MO000001"
WORDS: dict[str, tuple[str, ...]] = {
    "info": ("sample:xplacer", "--json"),
    "classes": ("sample:xplacer",),
    "show": ("sample:xplacer", "decisionTree.onnx"),
    "lineage": ("sample:xplacer", MODEL),
    "path": ("sample:xplacer", MODEL, "hotspot.nvprof.log"),
    "impact": ("sample:xplacer", "cluster:lassen"),
    "compare": ("sample:seismic", "seis:run1", "seis:run2"),
    "reproduce": ("sample:xplacer", MODEL),
    "why": ("sample:xplacer", MODEL, "a", "prov:Entity"),
    "questions": ("sample:seismic",),
    "teach": ("campaign run", "hpc:Experiment"),
    "ask": ("sample:campaign", "models licensed under MIT"),
    "query": ("w", "--file", "-", "--format", "csv"),
    "facets": ("sample:xplacer", "--text", "SELECT * { ?m a hpc:AIModel }"),
    "export": ("sample:seismic", "--as", "nq", "-o", "out.nq"),
    "load": ("g.nt", "--into", "v"),
    "collect": ("spool", "--into", "v"),
    "share": ("sample:xplacer", "decisionTree.onnx", "-o", "page.html"),
    "render": ("sample:xplacer", "--view", "classes", "-o", "out.svg"),
    "validate": ("sample:xplacer",),
    "fair": ("sample:xplacer-after", "https://doi.org/10.5072/xplacer.ibm"),
    "table": ("convert", "t.csv", "--suggest"),
    "describe": ("m.pkl", "--iri", "https://example.org/m"),
    "monitor": ("events", "sample:xplacer"),
    "edit": ("w", "--remove", "g.nt"),
    "journal": ("diff", "w"),
    "login": ("http://127.0.0.1:9/graph.ttl",),
    "logout": ("http://127.0.0.1:9/graph.ttl",),
    "tour": ("-o", "g.nt"),
}


def without_chance(text: str) -> str:
    """A text without the names of blank nodes and how fast something went: they differ from run to run."""
    return re.sub(r"_:\w+|[\d,]+/s", "", text)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_it_gives_the_same_in_a_process_of_its_own(tmp_path: Path, command: str) -> None:
    given = []
    folder = tmp_path / "there"
    for ran in (run_installed, run):
        folder.mkdir()
        (folder / "g.nt").write_text(GRAPH)
        (folder / "t.csv").write_text("ID,Name\n1,Fugaku\n")
        (folder / "spool").mkdir()
        (folder / "spool" / "p.spool").write_bytes(header("p") + frames([("end", "w.1", 1, None)])[0])
        (folder / "m.pkl").write_bytes(pickle.dumps(trained("linear")))
        assert run("load", "g.nt", "--into", "w", cwd=folder).code == 0
        done = ran(command, *WORDS[command], cwd=folder, stdin="SELECT * { ?s ?p ?o }")
        written = [path.read_text() for path in folder.glob("out.*")]
        assert done.out or done.err or written
        given.append((done.code, *map(without_chance, (done.out, done.err, *written))))
        assert "defect" not in done.err
        shutil.rmtree(folder)
    assert given[0] == given[1]
