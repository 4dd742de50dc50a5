"""A heavy query in a terminal: Ctrl+C and `--timeout` end it in one line, and nothing of it goes on."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.helpers.processes import interrupts_heard
from tests.helpers.program import installed_command, run

HEAVY = "SELECT * { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f } ORDER BY ?f ?d ?b LIMIT 5"
"""Sorts a thousand million solutions: it does not end by itself. How soon it stops is measured in `benchmarks/`."""

PATIENCE = 200.0

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


@pytest.fixture(scope="module", params=["in memory", "workspace"])
def source(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    if request.param == "in memory":
        return "sample:xplacer"
    folder = tmp_path_factory.mktemp("loaded") / "workspace"
    assert run("load", "sample:xplacer", "--into", folder).code == 0
    return str(folder)


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
    assert run("query", source, "--text", "ASK {}").code == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def until_it_computes(group: int, seconds: float) -> None:
    """Wait for more processor time than the start of the program takes."""
    ends = time.monotonic() + PATIENCE
    while seconds_of_group(group) < 2 * seconds:
        assert time.monotonic() < ends, "it never began"
        subprocess.run([sys.executable, "-c", "pass"], check=True)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a terminal")
def test_ctrl_c(source: str) -> None:
    start = seconds_to_begin(source)
    with interrupts_heard():
        running = subprocess.Popen(
            [installed_command(), "query", source, "--text", HEAVY],
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


def test_timeout(source: str) -> None:
    for seconds in ("4", "16", "64"):
        done = run("query", source, "--text", HEAVY, "--timeout", seconds)
        assert (done.code, done.out) == (3, "")
        if "the query" in done.err:
            break  # and not what comes before it, for which a slow machine may need all the time
    assert done.err == "hpc-explorer: the query took too long: narrow it, or allow more time\n"


def test_time_enough_changes_nothing(source: str) -> None:
    words = ("query", source, "--text", "SELECT ?name { ?m a hpc:AIModel ; hpc:name ?name } ORDER BY ?name")
    assert run(*words, "--timeout", "60") == run(*words)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon"])
def test_no_number_of_seconds(seconds: str) -> None:
    done = run("query", "sample:npb", "--text", "ASK {}", f"--timeout={seconds}")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "no number of seconds" in done.err
