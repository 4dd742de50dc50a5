"""Recording through a real Redis: nothing is lost when it stops, and its collectors share the work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hpc_explorer.app.capture.collecting import Collector
from hpc_explorer.app.capture.stream import Stream, StreamAddress
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import EndpointUnreachable
from tests.helpers.program import run
from tests.helpers.recorded import of_kind, records_in, run_program, start_program
from tests.helpers.redis_server import RedisServer, redis_server

TRAINING = """
capture.configure(online=os.environ["BROKER"], disk=os.environ.get("DISK") == "yes", exit_wait=20.0)
with capture.workflow("w", run="1"), capture.stage("training"):
    for number in range(3000):
        capture.log_metric("loss", 0.5)
"""


@pytest.fixture
def server() -> Iterator[RedisServer]:
    """A real server."""
    with redis_server() as started:
        yield started


def metrics_in(workspace: Path) -> int:
    session = Session.new()
    open_sources(session, [str(workspace)])
    with closing(session):
        (row,) = session.store.select(
            "SELECT (COUNT(DISTINCT ?m) AS ?n) { ?m a <https://example.org/provml#ModelEvaluation> }"
        )
        return int(str(row["n"].value))  # type: ignore[union-attr]


def test_records_go_to_the_stream_alone(tmp_path: Path, server: RedisServer) -> None:
    assert run_program(TRAINING, tmp_path / "spool", {"BROKER": server.address}, libraries=True) == ""
    assert not (tmp_path / "spool").exists()
    done = run("collect", "--broker", server.address, "--into", tmp_path / "ws")
    assert done.code == 0, done.err
    assert metrics_in(tmp_path / "ws") == 3000
    again = run("collect", "--broker", server.address, "--into", tmp_path / "ws")
    assert again.code == 0
    assert metrics_in(tmp_path / "ws") == 3000


def test_the_spool_and_the_stream_give_the_same_statements(tmp_path: Path, server: RedisServer) -> None:
    run_program(TRAINING, tmp_path / "spool", {"BROKER": server.address, "DISK": "yes"}, libraries=True)
    assert run("collect", tmp_path / "spool", "--broker", server.address, "--into", tmp_path / "ws").code == 0
    assert metrics_in(tmp_path / "ws") == 3000
    files = sorted((tmp_path / "ws" / "collected").glob("*.nt"))
    first, second = (set(file.read_text().splitlines()) for file in files)
    assert first == second


def test_a_server_that_stops_in_the_middle_costs_nothing(tmp_path: Path, server: RedisServer) -> None:
    code = """
capture.configure(online=os.environ["BROKER"], disk=False)
with capture.workflow("w", run="1"), capture.stage("training"):
    for part in range(4):
        for number in range(500):
            capture.log_metric("loss", 0.5)
        print(capture.flush(), flush=True)
        sys.stdin.readline()
"""
    process = start_program(code, tmp_path / "spool", {"BROKER": server.address}, libraries=True)
    assert process.stdin is not None
    assert process.stdout is not None
    for part in range(4):
        assert process.stdout.readline() == "True\n", part
        if part == 1:
            server.stop()
        if part == 2:
            server.start()
        process.stdin.write("\n")
        process.stdin.flush()
    _, said = process.communicate(timeout=240)
    assert (process.returncode, said) == (0, "")
    in_spool = len(of_kind(records_in(tmp_path / "spool"), "metric"))
    assert in_spool >= 500
    assert run("collect", tmp_path / "spool", "--broker", server.address, "--into", tmp_path / "ws").code == 0
    assert metrics_in(tmp_path / "ws") == 2000


def test_collectors_share_a_stream(tmp_path: Path, server: RedisServer) -> None:
    address = StreamAddress(server.address)
    for _ in range(3):
        run_program(
            TRAINING.replace('run="1"', "run=None"), tmp_path / "spool", {"BROKER": server.address}, libraries=True
        )
    with Collector(tmp_path / "ws", [], address) as first, Collector(tmp_path / "ws", [], address) as second:
        one, two = first._sources[0], second._sources[0]
        numbers = [0, 0]
        parts = [one._stream.read(), two._stream.read()]  # type: ignore[attr-defined]
        for _ in range(20):
            for place, (source, part) in enumerate(zip((one, two), parts, strict=True)):
                entries = next(part, None)
                if entries:
                    source.gathered.add("stream", [record for entry in entries for record in entry.records], 0)
                    source._stream.confirm(entries)  # type: ignore[attr-defined]
                    numbers[place] += len(entries)
        first.load()
        second.load()
    assert metrics_in(tmp_path / "ws") == 9000


def test_entries_that_were_not_confirmed_come_again(tmp_path: Path, server: RedisServer) -> None:
    run_program(TRAINING, tmp_path / "spool", {"BROKER": server.address}, libraries=True)
    killed = Stream(StreamAddress(server.address), "collector-1")
    assert next(killed.read())
    killed.close()
    assert run("collect", "--broker", server.address, "--into", tmp_path / "ws").code == 0
    assert metrics_in(tmp_path / "ws") == 3000


def test_collected_entries_are_deleted_if_asked(tmp_path: Path, server: RedisServer) -> None:
    import redis

    run_program(TRAINING, tmp_path / "spool", {"BROKER": server.address}, libraries=True)
    assert run("collect", "--broker", server.address, "--delete", "--into", tmp_path / "ws").code == 0
    with redis.Redis.from_url(server.address) as client:
        assert client.xlen("hpc-explorer") == 0
    assert metrics_in(tmp_path / "ws") == 3000


def test_a_server_that_does_not_answer_is_one_line(tmp_path: Path, server: RedisServer) -> None:
    server.stop()
    with Collector(tmp_path / "ws", [], StreamAddress(server.address)) as collector, pytest.raises(EndpointUnreachable):
        collector.gather()
    done = run("collect", "--broker", server.address, "--into", tmp_path / "ws")
    assert done.code == 3
    assert len(done.err.splitlines()) == 1
