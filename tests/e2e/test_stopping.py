"""A heavy query in a terminal: Ctrl+C and `--timeout` end it in one line, and nothing of it goes on."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.helpers.processes import interrupts_heard
from tests.helpers.program import installed_command, run_installed

SORTING = "SELECT * { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f } ORDER BY ?f ?d ?b LIMIT 5"
COUNTING = "SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f FILTER(CONCAT(STR(?b), STR(?d)) != STR(?f)) }"
"""A thousand million solutions: such a query does not end by itself. `benchmarks/` measures how soon it stops."""

PATIENCE = 200.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc"),
]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("loaded") / "workspace"
    assert run_installed("load", "sample:xplacer", "--into", folder).code == 0
    return str(folder)


@pytest.fixture(params=["in memory", "workspace"])
def source(request: pytest.FixtureRequest, workspace: str) -> str:
    return workspace if request.param == "workspace" else "sample:xplacer"


@pytest.fixture(params=[SORTING, COUNTING], ids=["sorting", "counting"])
def query(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def seconds_of_group(group: int) -> float:
    """Processor time of the processes of a group that have not ended."""
    ticks = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] not in "ZX":
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def seconds_to_begin(source: str) -> float:
    """Processor time that a query takes which is answered at once: that of the program's start."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run_installed("query", source, "--text", "ASK {}").code == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def until_it_computes(group: int, seconds: float) -> None:
    """Wait for more processor time than the start of the program takes."""
    ends = time.monotonic() + PATIENCE
    while seconds_of_group(group) < 2 * seconds:
        assert time.monotonic() < ends, "it never began"
        subprocess.run([sys.executable, "-c", "pass"], check=True)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a terminal")
def test_ctrl_c(source: str, query: str) -> None:
    start = seconds_to_begin(source)
    with interrupts_heard():
        running = subprocess.Popen(
            [installed_command(), "query", source, "--text", query],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    try:
        until_it_computes(running.pid, start)
        # As a terminal does: to every process of the group.
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)
        assert (running.returncode, out, err) == (130, "", "hpc-explorer: stopped\n")
        ends = time.monotonic() + PATIENCE
        while seconds_of_group(running.pid):
            assert time.monotonic() < ends, "something still runs"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)


def test_timeout(source: str, query: str) -> None:
    for seconds in ("4", "16", "64"):
        done = run_installed("query", source, "--text", query, "--timeout", seconds)
        assert (done.code, done.out) == (3, "")
        if "the query" in done.err:
            break  # and not what comes before it, for which a slow machine may need all the time
    assert done.err == "hpc-explorer: the query took too long: narrow it, or allow more time\n"


def test_time_enough_changes_nothing(source: str) -> None:
    words = ("query", source, "--text", "SELECT ?name { ?m a hpc:AIModel ; hpc:name ?name } ORDER BY ?name")
    assert run_installed(*words, "--timeout", "60") == run_installed(*words)


def test_a_sort_that_ends_the_engine(tmp_path: Path) -> None:
    drawn = random.Random(1)
    values = [f'"{drawn.randrange(1000)}"' for _ in range(200)]
    values[:100] = [f"{text}^^<http://www.w3.org/2001/XMLSchema#integer>" for text in values[:100]]
    drawn.shuffle(values)
    graph = tmp_path / "mixed.nt"
    lines = [f"<http://e/{number}> <http://e/v> {value} .\n" for number, value in enumerate(values)]
    graph.write_text("".join(lines), encoding="utf-8")
    workspace = tmp_path / "workspace"
    assert run_installed("load", graph, "--into", workspace).code == 0
    for source in (graph, workspace):
        done = run_installed("query", source, "--text", "SELECT ?v { ?s ?p ?v } ORDER BY ?v")
        assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
        assert "STR()" in done.err
        assert run_installed("query", source, "--text", "SELECT ?v { ?s ?p ?v } ORDER BY STR(?v)").code == 0


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon"])
def test_no_number_of_seconds(seconds: str) -> None:
    done = run_installed("query", "sample:npb", "--text", "ASK {}", f"--timeout={seconds}")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "not a number of seconds" in done.err
