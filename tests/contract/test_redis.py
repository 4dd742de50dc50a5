"""Recording through a real Redis: nothing is lost when it stops, and its collectors share the work."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hpc_explorer.app.capture.collecting import Collector
from hpc_explorer.app.capture.following import FollowedRuns, Growth
from hpc_explorer.app.capture.progress import State
from hpc_explorer.app.capture.stream import Stream
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.source_files import source_files
from hpc_explorer.errors import EndpointUnreachable, SourceNotFound, Unsupported
from hpc_explorer.interchange.capture.streams import StreamAddress
from tests.helpers.program import run
from tests.helpers.recorded import of_kind, records_in, run_program, start_program
from tests.helpers.redis_server import RedisServer, redis_server
from tests.helpers.waiting import until

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
    assert run_program(TRAINING, tmp_path / "spool", {"BROKER": server.address}) == ""
    assert not (tmp_path / "spool").exists()
    done = run("collect", "--broker", server.address, "--into", tmp_path / "ws")
    assert done.code == 0, done.err
    assert metrics_in(tmp_path / "ws") == 3000
    again = run("collect", "--broker", server.address, "--into", tmp_path / "ws")
    assert again.code == 0
    assert metrics_in(tmp_path / "ws") == 3000


def test_the_spool_and_the_stream_give_the_same_statements(tmp_path: Path, server: RedisServer) -> None:
    run_program(TRAINING, tmp_path / "spool", {"BROKER": server.address, "DISK": "yes"})
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
    process = start_program(code, tmp_path / "spool", {"BROKER": server.address})
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


def test_a_server_with_a_password_and_another_database(tmp_path: Path, server: RedisServer) -> None:
    import redis

    with closing(redis.Redis.from_url(server.address)) as client:
        client.execute_command("ACL", "SETUSER", "ada", "on", ">a secret/word", "~*", "&*", "+@all")
        address = server.address.replace("redis://", "redis://ada:a%20secret%2Fword@").replace("/0", "/3")
        assert run_program(TRAINING, tmp_path / "spool", {"BROKER": address}) == ""
        assert not (tmp_path / "spool").exists()
        wrong = address.replace("secret", "guess")
        assert run_program(TRAINING, tmp_path / "spool", {"BROKER": wrong}) == ""
        assert len(of_kind(records_in(tmp_path / "spool"), "metric")) == 3000
    with closing(redis.Redis.from_url(address)) as client:
        assert client.xlen("hpc-explorer") > 0


def test_a_connection_that_the_server_closed_is_made_again(tmp_path: Path, server: RedisServer) -> None:
    import redis

    code = """
capture.configure(online=os.environ["BROKER"], disk=False)
with capture.workflow("w", run="1"):
    for number in range(3):
        capture.log_metric("loss", 0.5)
        print(capture.flush(), flush=True)
        sys.stdin.readline()
"""
    process = start_program(code, tmp_path / "spool", {"BROKER": server.address})
    assert process.stdin is not None
    assert process.stdout is not None
    with closing(redis.Redis.from_url(server.address)) as client:
        for _ in range(3):
            assert process.stdout.readline() == "True\n"
            client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
            process.stdin.write("\n")
            process.stdin.flush()
    assert process.communicate(timeout=60) == ("", "")
    assert not (tmp_path / "spool").exists()


def test_collectors_share_a_stream(tmp_path: Path, server: RedisServer) -> None:
    address = StreamAddress(server.address)
    for _ in range(3):
        run_program(TRAINING.replace('run="1"', "run=None"), tmp_path / "spool", {"BROKER": server.address})
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
    run_program(TRAINING, tmp_path / "spool", {"BROKER": server.address})
    killed = Stream(StreamAddress(server.address), "collector-1")
    assert next(killed.read())
    killed.close()
    assert run("collect", "--broker", server.address, "--into", tmp_path / "ws").code == 0
    assert metrics_in(tmp_path / "ws") == 3000


def test_collected_entries_are_deleted_if_asked(tmp_path: Path, server: RedisServer) -> None:
    import redis

    run_program(TRAINING, tmp_path / "spool", {"BROKER": server.address})
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


STREAM = "hpc-explorer"

STEPS = """
capture.configure(online=os.environ["BROKER"], disk=os.environ.get("DISK") == "yes")
with capture.workflow("fit", run="1"), capture.stage("training"):
    for number in capture.epochs(range(4)):
        capture.log_metric("loss", 1.0 / (number + 1))
        capture.flush()
        print(number, flush=True)
        sys.stdin.readline()
"""


def go_on(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def step(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_a_stream_is_a_source_with_the_statements_of_the_spool(tmp_path: Path, server: RedisServer) -> None:
    run_program(TRAINING, tmp_path / "spool", {"BROKER": server.address, "DISK": "yes"})
    with closing(Session.new()) as streamed, closing(Session.new()) as spooled:
        (summary,) = open_sources(streamed, [server.address])
        open_sources(spooled, [str(tmp_path / "spool")])
        assert {quad.triple for quad in streamed.store.match()} == {quad.triple for quad in spooled.store.match()}
        assert (summary.format, summary.name) == ("capture stream", f"{server.address.removesuffix('/0')}/{STREAM}")
        assert summary.missing == ()
    told = run("info", f"{server.address}/{STREAM}")
    assert told.code == 0, told.err
    assert "capture stream" in told.out
    # Reading leaves the entries to the collectors.
    assert run("collect", "--broker", server.address, "--into", tmp_path / "ws").code == 0
    assert metrics_in(tmp_path / "ws") == 3000


def test_an_open_stream_is_followed_through_a_stop_of_its_server(tmp_path: Path, server: RedisServer) -> None:
    process = start_program(STEPS, tmp_path / "spool", {"BROKER": server.address})
    assert step(process) == "0\n"
    runs = FollowedRuns()
    told: list[None] = []
    with closing(Session.new()) as session:
        open_sources(session, [f"{server.address}/{STREAM}"])
        growth = Growth(session.opened, lambda: told.append(None))
        growth.start()
        try:
            until(lambda: bool(told))
            assert [list(line.ys) for line in runs.follow(session).plot.series] == [[1.0]]  # type: ignore[union-attr]
            growth.again()
            server.stop()
            until(lambda: len(told) == 2)
            (problem,) = runs.follow(session).problems
            assert "does not answer" in problem
            server.start()
            growth.again()
            until(lambda: len(told) == 3)
            growth.again()
            for number in range(1, 4):
                go_on(process)
                assert step(process) == f"{number}\n"
            go_on(process)
            process.communicate(timeout=60)
            until(lambda: [row.state for row in runs.follow(session).rows] == [State.DONE, State.DONE])
        finally:
            growth.stop()
        view = runs.follow(session)
        assert view.problems == ()
        assert view.plot is not None
        assert list(view.plot.series[0].ys) == [1.0, 1 / 2, 1 / 3, 1 / 4]
        grown = {quad.triple for quad in session.store.match()}
        with closing(Session.new()) as whole:
            open_sources(whole, [f"{server.address}/{STREAM}"])
            assert {quad.triple for quad in whole.store.match()} == grown


def test_a_stream_that_cannot_be_opened_is_one_line(tmp_path: Path, server: RedisServer) -> None:
    with closing(Session.new()) as session:
        with pytest.raises(SourceNotFound, match="no records"):
            open_sources(session, [f"{server.address}/other"])
        server.stop()
        with pytest.raises(EndpointUnreachable):
            open_sources(session, [f"{server.address}/{STREAM}"])
    done = run("info", server.address)
    assert (done.code, len(done.err.splitlines())) == (3, 1)
    loaded = run("load", server.address, "--into", tmp_path / "ws")
    assert loaded.code != 0
    assert len(loaded.err.splitlines()) == 1
    assert "collect" in loaded.err
    with pytest.raises(Unsupported):
        next(source_files(server.address)).on_disk  # noqa: B018
