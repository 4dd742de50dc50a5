"""`--timeout SECONDS` ends a command in time, whatever keeps it: one line, exit code 3."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.helpers.bad_server import bad_server
from tests.helpers.program import run_installed

PATIENCE = 60.0


@pytest.mark.parametrize("path", ["/slow-first-byte", "/slow-body", "/dripping", "/busy-always"])
@pytest.mark.parametrize("words", [("info",), pytest.param(("query", "--text", "ASK {}"), marks=pytest.mark.slow)])
def test_a_server_that_takes_its_time(words: tuple[str, ...], path: str) -> None:
    with bad_server() as server:
        address = f"http://127.0.0.1:{server.server_address[1]}{path}"
        done = run_installed(words[0], address, *words[1:], "--timeout", "0.5")
        # That it did not wait for the server, which has a minute's patience, shows there.
        ends = time.monotonic() + PATIENCE
        while path != "/busy-always" and len(server.abandoned) < len(server.requests):
            assert time.monotonic() < ends, "it waited for the server"
            server.stopping.wait(0.01)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1), done.err
    assert address in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("info", "sample:xplacer"),
        ("classes", "sample:xplacer"),
        ("show", "sample:xplacer", "hpc:AIModel"),
        ("lineage", "sample:xplacer", "decisionTree.onnx"),
        ("path", "sample:xplacer", "decisionTree.onnx", "decisionTree.onnx"),
        ("why", "sample:xplacer", "hpc:AIModel", "a", "owl:Class"),
        ("query", "sample:xplacer", "--text", "SELECT * { ?s ?p ?o }"),
        ("export", "sample:xplacer"),
        ("load", "sample:xplacer", "--into", "workspace"),
        ("render", "sample:xplacer", "--view", "classes", "-o", "picture.svg"),
    ],
    ids=lambda words: words[0],
)
def test_every_command_that_takes_a_source(words: tuple[str, ...], tmp_path: Path) -> None:
    done = run_installed(*words, "--timeout", "0.000001", cwd=tmp_path)
    assert (done.code, done.out) == (3, ""), done.err
    assert len([line for line in done.err.splitlines() if line.startswith("hpc-explorer: ")]) == 1
    assert "took too long" in done.err
    if words[0] != "load":
        assert list(tmp_path.iterdir()) == [], "nothing is written"


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_no_number_of_seconds(seconds: str) -> None:
    done = run_installed("info", "sample:xplacer", f"--timeout={seconds}")
    assert (done.code, done.err.count("\n")) == (2, 1)


def test_time_enough_changes_nothing() -> None:
    assert run_installed("classes", "sample:npb", "--timeout", "60") == run_installed("classes", "sample:npb")
