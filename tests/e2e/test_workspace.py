"""`load` and workspaces as a user meets them; above all: killed at any moment, the old state or the new."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.helpers.processes import interrupts_heard
from tests.helpers.program import installed_command, run, run_installed

MODEL = "http://example.org/AIModel/MO000001"


def test_loaded_once_and_answered_from_then_on(tmp_path: Path) -> None:
    done = run("load", "sample:xplacer", "--into", tmp_path / "w")
    assert done.code == 0, done.err
    assert "has 1,0" in done.out
    for words in (
        ("info", "SOURCE", "--json"),
        ("classes", "SOURCE", "--json"),
        ("query", "SOURCE", "--text", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"),
        ("path", "SOURCE", MODEL, "http://example.org/nothing"),
    ):
        answers = [
            run(*(source if word == "SOURCE" else word for word in words))
            for source in ("sample:xplacer", tmp_path / "w")
        ]
        assert answers[0] == answers[1]
    lineages = [
        json.loads(run("lineage", source, MODEL, "--format", "json").out)
        for source in ("sample:xplacer", tmp_path / "w")
    ]
    assert len(lineages[0]["nodes"]) == len(lineages[1]["nodes"])
    removed = run("load", "--remove", "sample:xplacer", "--into", tmp_path / "w")
    assert (removed.code, removed.out.splitlines()[0]) == (0, "removed sample:xplacer")


def test_wrong_use_is_told_in_one_line(tmp_path: Path) -> None:
    for words in (("load", "sample:xplacer"), ("load", "--into", tmp_path / "w"), ("load", "no.ttl", "--into", "w")):
        done = run(*words, cwd=tmp_path)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("hpc-explorer: ")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that takes a moment to load."""
    path = tmp_path_factory.mktemp("large") / "large.nt"
    with open(path, "w", encoding="utf-8") as stream:
        for number in range(150_000):
            stream.write(f'<http://example.org/r/{number // 3}> <http://example.org/p{number % 3}> "{number}" .\n')
    return path


def loading(source: Path, workspace: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [installed_command(), "load", str(source), "--into", str(workspace)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def triples(workspace: Path) -> int:
    done = run_installed("info", workspace, "--json")
    assert done.code == 0, done.err
    described = json.loads(done.out)
    counted = run_installed("query", workspace, "--text", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", "--format", "csv")
    assert counted.out.split()[1] == str(described["triples"]["value"]), "the counts are those of the triples"
    return int(described["triples"]["value"])


@pytest.mark.slow
def test_killed_at_any_moment_it_is_the_old_state_or_the_new(tmp_path: Path, large: Path) -> None:
    workspace = tmp_path / "w"
    run_installed("load", "sample:xplacer", "--into", workspace)
    old = triples(workspace)
    began = time.monotonic()
    assert loading(large, tmp_path / "whole").wait() == 0
    takes = time.monotonic() - began
    moments = random.Random(3)
    for _ in range(int(os.environ.get("HPC_EXPLORER_KILLS", "6"))):
        load = loading(large, workspace)
        try:
            load.wait(moments.uniform(0.05, 1.1 * takes))
        except subprocess.TimeoutExpired:
            os.killpg(load.pid, signal.SIGKILL)
            load.wait()
        assert triples(workspace) in (old, old + 150_000)
        # The next load cleans up and goes through.
        assert run_installed("load", "sample:xplacer", "--remove", large, "--into", workspace).code in (0, 2)
        assert run_installed("load", "sample:xplacer", "--into", workspace).code == 0
    states = list((workspace / "states").iterdir())
    assert len(states) == 1


def test_interrupted_it_leaves_nothing(tmp_path: Path, large: Path) -> None:
    workspace = tmp_path / "w"
    with interrupts_heard():
        load = subprocess.Popen(
            [installed_command(), "load", str(large), "--into", str(workspace)],
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
    assert load.stderr is not None
    assert load.stderr.readline().startswith("reading")
    load.send_signal(signal.SIGINT)
    _, rest = load.communicate()
    assert load.returncode == 130
    assert rest.splitlines()[-1] == "hpc-explorer: stopped"
    assert not workspace.exists()


def test_a_workspace_that_is_open_is_not_changed(tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    run("load", "sample:xplacer", "--into", workspace)
    holding = (
        "import sys, pathlib; from hpc_explorer.app.workspace.workspace import OpenWorkspace\n"
        "held = OpenWorkspace.open(pathlib.Path(sys.argv[1]), alone=True); print(held.alone, flush=True); input()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", holding, str(workspace)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "True\n"
    refused = run("load", "sample:npb", "--into", workspace)
    assert (refused.code, refused.out) == (3, "")
    assert "another program has this workspace open" in refused.err
    assert run("info", workspace).code == 0, "reading goes on"
    holder.communicate("\n")
    assert run("load", "sample:npb", "--into", workspace).code == 0


def test_a_command_beside_an_editing_program_says_so(tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    run("load", "sample:xplacer", "--into", workspace)
    editing = (
        "import sys, pathlib; from hpc_explorer.app.workspace.workspace import OpenWorkspace\n"
        "from hpc_explorer.stores.changes.changes import ChangeSet\n"
        "from hpc_explorer.rdf.terms import Literal, NamedNode, Quad\n"
        "held = OpenWorkspace.open(pathlib.Path(sys.argv[1]), alone=True)\n"
        "quad = Quad(NamedNode('urn:a'), NamedNode('urn:p'), Literal('sieve'), NamedNode('urn:g'))\n"
        "print(held.edit(ChangeSet((), (quad,))).revision, flush=True); input(); held.close()"
    )
    editor = subprocess.Popen(
        [sys.executable, "-c", editing, str(workspace)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert editor.stdout is not None
    assert editor.stdout.readline() == "1\n"
    beside = run("query", workspace, "--text", "SELECT ?o { <urn:a> ?p ?o }", "--format", "csv")
    assert beside.out.split() == ["o", "sieve"]
    assert beside.err == "another program is editing this workspace; read as of its edit 1\n"
    editor.communicate("\n")
    after = run("query", workspace, "--text", "SELECT ?o { <urn:a> ?p ?o }", "--format", "csv")
    assert (after.out, after.err) == (beside.out, "")
    void = run("info", workspace, "--void")
    assert "void:classPartition" in void.out
