"""Anomalies of measurements that are watched, and the program that is told of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from hpc_explorer.app.monitor import watched_events
from hpc_explorer.app.monitor.detecting import list_anomalies
from hpc_explorer.app.monitor.watched_events import EventNews, tell, words_of
from hpc_explorer.app.monitor.watching import Watch
from hpc_explorer.app.settings import Settings
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.monitor.events import Event
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.injection import normal_series
from tests.helpers.program import run

JOBS = """,execute_start,execute_end,runtime,stage_in_delay,kickstart_hostname
fit_1,1600004000,1600012000,8000,1,n1
fit_2,1600004000,1600012000,8000,1,n2
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "run.csv").write_text(JOBS)
    load_into(tmp_path / "ws", [str(tmp_path / "run.csv")])
    return tmp_path / "ws"


@pytest.fixture(scope="module")
def rows() -> list[str]:
    """Rows of measurements with an anomaly from the 2,000th on."""
    series = normal_series(np.random.default_rng(0), 0.2)
    series.values[2000:2100] += 60
    points = zip(series.times.tolist(), series.values.tolist(), strict=True)
    return [f"{time},n1,{value}\n" for time, value in points]


def opened(workspace: Path) -> Session:
    session = Session.new()
    open_sources(session, [str(workspace)], keep_workspace=True)
    return session


def look(watching: Watch) -> tuple[EventNews, ...]:
    return tuple(news for grown in watching.look() for news in grown.news)


def test_an_anomaly_is_told_of_once_when_it_begins_and_kept_when_it_has_ended(
    workspace: Path, tmp_path: Path, rows: list[str]
) -> None:
    file, session = tmp_path / "rates.csv", opened(workspace)
    file.write_text("time,host,rate\n" + "".join(rows[:500]))
    watching = Watch(session, [str(file)], detects=True)

    def grow(begin: int, end: int) -> tuple[EventNews, ...]:
        with file.open("a") as stream:
            stream.write("".join(rows[begin:end]))
        return look(watching)

    try:
        assert look(watching) == ()  # fewer points than are needed to know what is usual
        assert grow(500, 2000) == ()
        (begun,) = grow(2000, 2010)
        assert (begun.begins, begun.has_ended, begun.label) == (True, False, "rate of n1")
        assert [job.name for job in begun.jobs] == ["fit_1"]
        assert "major anomaly of rate of n1 began 2020-09-13T15:13:20Z: mean" in words_of(begun)
        assert grow(2010, 2090) == ()
        (ended,) = grow(2090, 2400)
        assert (ended.begins, ended.has_ended) == (False, True)
        (kept,) = list_anomalies(session)
        assert (kept.begin, kept.end, kept.host, kept.jobs) == (
            "2020-09-13T15:13:20Z", "2020-09-13T15:21:35Z", "n1", 1,
        )  # fmt: skip
        assert ended.step is not None
        ended.step.undo()
        assert list_anomalies(session) == ()
        ended.step.redo()
    finally:
        watching.close()
        session.close()
    # After a restart the same points give the same anomaly, which is known.
    again = opened(workspace)
    watching = Watch(again, [str(file)], detects=True)
    try:
        assert look(watching) == ()
        assert len(list_anomalies(again)) == 1
    finally:
        watching.close()
        again.close()


@pytest.mark.slow
def test_the_command_prints_anomalies_and_runs_the_program_of_the_settings(
    workspace: Path, tmp_path: Path, rows: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HPC_EXPLORER_CONFIG", str(tmp_path / "config"))
    copy = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_bytes(sys.stdin.buffer.read())"
    told = tmp_path / "it's $HOME; told"
    program = f"{sys.executable} -c '{copy}' \"{told}\""
    Settings(anomaly_program=program).save()
    file = tmp_path / "rates.csv"
    file.write_text("time,host,rate\n" + "".join(rows))
    done = run("monitor", "watch", workspace, file, "--notify", "--json", "--timeout", "10", "--every", "0.1")
    assert (done.code, done.err) == (0, "")
    (grown,) = [json.loads(line) for line in done.out.splitlines()]
    (event,) = grown["events"]
    assert (event["begin"], event["severity"], event["begins"]) == ("2020-09-13T15:13:20Z", "major", True)
    heard = json.loads(told.read_text())
    assert heard["label"] == "rate of n1"
    assert heard["text"].startswith("major anomaly of rate of n1 ended")


NEWS = EventNews(NamedNode("urn:s"), "rate", Event(0, 5, 2, 1.5, "minor", ("m",), 1, 2, "mean 1"), False, True, ())


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("'no end", "cannot be read (No closing quotation)"),
        ("/no/such/program", "cannot be started (No such file or directory): /no/such/program"),
        (f"{sys.executable} -c 'raise SystemExit(\"no screen\")'", "ended with 1"),
        (f"{sys.executable} -c 'import time; time.sleep(60)'", "took more than"),
    ],
)
def test_a_program_that_fails_is_told_and_nothing_stops(
    program: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched_events, "LONGEST_PROGRAM", 1.0 if "sleep" in program else 60.0)
    (problem,) = tell(NEWS, Settings(anomaly_program=program))
    assert said in problem


def test_a_queue_that_is_no_address_or_does_not_answer_is_told() -> None:
    pytest.importorskip("pika")
    (wrong,) = tell(NEWS, Settings(anomaly_queue="amqp://user:secret@"))
    assert "not the address of a server of measurements" in wrong
    (silent,) = tell(NEWS, Settings(anomaly_queue="amqp://user:secret@127.0.0.1:1/q"))
    assert "the broker does not answer" in silent
    assert "secret" not in wrong + silent
