"""Watching a real InfluxDB and a real RabbitMQ: servers that are killed, and a program that is killed."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hpc_explorer.app.monitor.series import SeriesReader, stated_series
from hpc_explorer.app.monitor.watched_events import EventNews, tell
from hpc_explorer.app.monitor.watching import Growth, Watch
from hpc_explorer.app.settings import Settings
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import LoginRequired
from hpc_explorer.monitor.amqp import publish
from hpc_explorer.monitor.events import Event
from hpc_explorer.monitor.live import live_address
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.certificates import Certificate, certificate_in
from tests.helpers.live_servers import InfluxServer, RabbitServer, influx_server, rabbit_server
from tests.helpers.program import installed_command, run
from tests.helpers.waiting import until

BEGIN = 1_700_000_000


@pytest.fixture
def influx() -> Iterator[InfluxServer]:
    """A real server with the database m."""
    with influx_server() as started:
        started.ask("CREATE DATABASE m")
        yield started


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """A certificate for 127.0.0.1 that only its own authority vouches for."""
    return certificate_in(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module")
def rabbit(certificate: Certificate) -> Iterator[RabbitServer]:
    """A real server; its start takes half a minute, so the tests share it."""
    with rabbit_server(certificate) as started:
        yield started


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace."""
    (tmp_path / "run.csv").write_text(
        ",execute_start,execute_end,runtime,stage_in_delay,kickstart_hostname\nfit_1,1,9,8,1,n1\n"
    )
    load_into(tmp_path / "ws", [str(tmp_path / "run.csv")])
    return tmp_path / "ws"


@pytest.fixture
def session(workspace: Path) -> Iterator[Session]:
    """The workspace, open."""
    opened = Session.new()
    open_sources(opened, [str(workspace)], keep_workspace=True)
    yield opened
    opened.close()


def lines(first: int, last: int, host: str = "n1") -> list[str]:
    """Points of one host, a second apart."""
    return [f'io,host={host} rate={step},state="on",up=true {(BEGIN + step) * 10**9}' for step in range(first, last)]


def values(session: Session) -> dict[str, list[float]]:
    """The values of each series by its name."""
    reader = SeriesReader(session)
    return {one.label: list(reader.points(one).values) for one in stated_series(session)}


def look(watching: Watch) -> Growth:
    """One look at one place."""
    (grown,) = watching.look()
    return grown


def test_points_of_influxdb_arrive_once_also_late_ones(session: Session, influx: InfluxServer) -> None:
    influx.write("m", lines(0, 3))
    watching = Watch(session, [influx.address + "/m"])
    try:
        grown = look(watching)
        assert (grown.new_points, grown.newest, grown.problem) == (3, BEGIN + 2, "")
        assert list(watching.look()) == []
        influx.write("m", lines(3, 5) + lines(1, 2, host="n2"))
        assert look(watching).new_points == 3
    finally:
        watching.close()
    assert values(session) == {"io.rate of n1": [0, 1, 2, 3, 4], "io.rate of n2": [1]}
    # What arrives late while nothing watches is found too, and a measurement can be watched alone.
    influx.write("m", [*lines(0, 1, host="n2"), f"cpu,host=n1 idle=5i {BEGIN * 10**9}"])
    again = Watch(session, [influx.address + "/m"])
    try:
        assert look(again).new_points == 2
    finally:
        again.close()
    assert values(session)["io.rate of n2"] == [0, 1]


def test_influxdb_is_read_on_after_a_restart(session: Session, influx: InfluxServer) -> None:
    influx.write("m", lines(0, 3))
    watching = Watch(session, [influx.address + "/m/io"])
    try:
        assert look(watching).new_points == 3
        influx.stop()
        lost = look(watching)
        assert (lost.new_points, lost.newest) == (0, BEGIN + 2)
        assert "no connection" in lost.problem
        assert list(watching.look()) == []
        influx.start()
        influx.write("m", lines(3, 6))
        until(lambda: any(grown.new_points == 3 for grown in watching.look()))
    finally:
        watching.close()
    assert values(session) == {"io.rate of n1": [0, 1, 2, 3, 4, 5]}


def test_a_database_that_is_missing_is_told_and_awaited(session: Session, influx: InfluxServer) -> None:
    watching = Watch(session, [influx.address + "/other"])
    try:
        assert "database not found" in look(watching).problem
        influx.ask("CREATE DATABASE other")
        influx.write("other", lines(0, 2))
        assert look(watching).new_points == 2
    finally:
        watching.close()


def test_a_password_for_influxdb_is_not_shown(
    workspace: Path, influx: InfluxServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    influx.ask("CREATE USER admin WITH PASSWORD 'sesame' WITH ALL PRIVILEGES")
    influx.write("m", lines(0, 2))
    influx.stop()
    influx.environment = {**influx.environment, "INFLUXDB_HTTP_AUTH_ENABLED": "true"}
    influx.start()
    told = influx.address.replace("//", "//admin:wrong@") + "/m"
    refused = run("monitor", "watch", workspace, told, "--timeout", "5")
    assert refused.code == 3
    assert "login" in refused.err
    assert "wrong" not in refused.err + refused.out
    right = influx.address.replace("//", "//admin:sesame@") + "/m"
    done = run("monitor", "watch", workspace, right, "--timeout", "3", "--json")
    assert json.loads(done.out.splitlines()[0])["new_points"] == 2, done.err
    monkeypatch.setenv("HPC_EXPLORER_LOGIN", influx.address.replace("influx", "http") + " admin:sesame")
    kept = run("monitor", "watch", workspace, influx.address + "/m", "--timeout", "3", "--json")
    assert json.loads(kept.out.splitlines()[0])["problem"] == "", kept.err
    secret = b"sesame"
    files = [file for file in workspace.rglob("*") if file.is_file()]
    assert [file for file in files if secret in file.read_bytes()] == []
    assert "sesame" not in done.out + done.err + kept.out + kept.err


def send(server: RabbitServer, queue: str, bodies: Sequence[str]) -> None:
    """Publish messages; the broker has them on its disk afterwards."""
    for body in bodies:
        publish(live_address(f"{server.address}/{queue}"), body.encode(), lambda address: None)


@pytest.mark.slow
def test_messages_arrive_once_and_bad_ones_are_told(session: Session, rabbit: RabbitServer) -> None:
    watching = Watch(session, [rabbit.address + "/plain"])
    try:
        assert look(watching).new_points == 0
        assert list(watching.look()) == []
        send(rabbit, "plain", ["\n".join(lines(0, 2)), '{"ts": 1700000002, "host": "n1", "io.rate": 2}', "{broken"])
        grown: list[Growth] = []
        until(lambda: grown.extend(watching.look()) or sum(one.new_points for one in grown) == 3)
        until(lambda: grown.extend(watching.look()) or any(one.lost for one in grown))
        assert ["not JSON" in line for one in grown for line in one.lost] == [True]
    finally:
        watching.close()
    assert values(session) == {"io.rate of n1": [0, 1, 2]}


@pytest.mark.slow
def test_a_queue_is_bound_to_an_exchange_by_a_pattern(session: Session, rabbit: RabbitServer) -> None:
    watching = Watch(session, [rabbit.address + "/bound?exchange=amq.topic&key=io.*"])
    try:
        assert look(watching).problem == ""
        for key in ("io.n1", "cpu.n1"):
            target = live_address(f"{rabbit.address}/bound?exchange=amq.topic&key={key}")
            publish(target, "\n".join(lines(0, 2, host=key.replace(".", "-"))).encode(), lambda address: None)
        until(lambda: any(grown.new_points for grown in watching.look()))
    finally:
        watching.close()
    assert values(session) == {"io.rate of io-n1": [0, 1]}


@pytest.mark.slow
def test_a_wrong_password_for_the_broker_is_a_named_error(session: Session, rabbit: RabbitServer) -> None:
    watching = Watch(session, [rabbit.address.replace("//", "//guest:wrong@") + "/plain"])
    try:
        with pytest.raises(LoginRequired) as caught:
            list(watching.look())
    finally:
        watching.close()
    assert "wrong" not in str(caught.value)


@pytest.mark.slow
def test_a_broker_that_is_killed_in_the_middle_costs_nothing(session: Session, rabbit: RabbitServer) -> None:
    send(rabbit, "killed", lines(0, 20))
    watching = Watch(session, [rabbit.address + "/killed"])
    try:
        until(lambda: any(grown.new_points for grown in watching.look()))
        send(rabbit, "killed", lines(20, 40))
        watching.rest(0.3)
        rabbit.stop()
        problems = [grown.problem for grown in watching.look() if grown.problem]
        assert problems == ["the broker does not answer"]
        rabbit.start()
        send(rabbit, "killed", lines(40, 60))
        until(lambda: list(watching.look()) is not None and len(values(session)["io.rate of n1"]) == 60)
    finally:
        watching.close()
    assert values(session) == {"io.rate of n1": list(range(60))}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["influx", "amqp"])
def test_a_program_that_is_killed_loses_and_doubles_nothing(
    workspace: Path, influx: InfluxServer, rabbit: RabbitServer, kind: str
) -> None:
    address = influx.address + "/m" if kind == "influx" else rabbit.address + "/program"
    # Where an earlier one has read all that is written, it ends by itself.
    words = [installed_command(), "monitor", "watch", str(workspace), address, "--every", "0.05", "--timeout", "20"]
    written = threading.Event()

    def write() -> None:
        for first in range(0, 600, 5):
            if kind == "influx":
                influx.write("m", lines(first, first + 5))
            else:
                send(rabbit, "program", ["\n".join(lines(first, first + 5))])
        written.set()

    writing = threading.Thread(target=write)
    writing.start()
    try:
        while not written.is_set():
            with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ}) as watching:
                assert watching.stdout is not None
                for line in watching.stdout:
                    if " 0 new points" not in line:
                        break
                watching.kill()
    finally:
        writing.join()
    opened = Session.new()
    open_sources(opened, [str(workspace)], keep_workspace=True)
    last = Watch(opened, [address])
    try:
        until(lambda: list(last.look()) is not None and len(values(opened).get("io.rate of n1", ())) >= 600)
        assert values(opened) == {"io.rate of n1": list(range(600))}
    finally:
        last.close()
        opened.close()


@pytest.mark.parametrize(
    "address",
    [
        "influx://",
        "influx://host",
        "influx://user:secret@host:x/m",
        "amqp://h/a/b/c",
        "amqp://h/q?x=1",
        "influx://h/m?key=1",
    ],
)
def test_a_wrong_address_is_one_line_without_its_password(workspace: Path, address: str) -> None:
    done = run("monitor", "watch", workspace, address, "--timeout", "1")
    assert done.code == 2
    assert "not the address of a server of measurements" in done.err
    assert "secret" not in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.slow
def test_an_anomaly_that_begins_is_published_as_a_message(session: Session, rabbit: RabbitServer) -> None:
    event = Event(BEGIN, BEGIN + 5, 2, 1.5, "minor", ("m",), 1, 2, "mean 1")
    news = EventNews(NamedNode("urn:s"), "rate", event, False, True, ())
    assert tell(news, Settings(anomaly_queue=f"{rabbit.address}/anomalies")) == ()
    import pika

    with pika.BlockingConnection(pika.ConnectionParameters("127.0.0.1", rabbit.port)) as connection:
        _, _, body = connection.channel().basic_get("anomalies", auto_ack=True)
    assert json.loads(body)["text"] == "minor anomaly of rate began 2023-11-14T22:13:20Z: mean 1"


def read_trusting(session: Session, address: str, authority: str, monkeypatch: pytest.MonkeyPatch) -> Growth:
    """One look at a server over TLS, where SSL_CERT_FILE names this file."""
    monkeypatch.setenv("SSL_CERT_FILE", authority)
    watching = Watch(session, [address])
    try:
        return look(watching)
    finally:
        watching.close()


@pytest.mark.slow
def test_influxdb_over_tls_needs_a_certificate_that_is_trusted(
    session: Session, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with influx_server(certificate) as server:
        server.ask("CREATE DATABASE m")
        server.write("m", lines(0, 3))
        address, authority = server.address + "/m", str(certificate.authority)
        unknown = read_trusting(session, address, str(certificate.key), monkeypatch)
        assert "no trusted TLS connection" in unknown.problem
        assert "certificate" in unknown.problem
        elsewhere = read_trusting(session, address.replace("127.0.0.1", "localhost"), authority, monkeypatch)
        assert "hostname mismatch" in elsewhere.problem
        plain = read_trusting(session, address.replace("influxs", "influx"), authority, monkeypatch)
        assert "https" in plain.problem.lower()
        assert read_trusting(session, address, authority, monkeypatch).new_points == 3
    assert values(session) == {"io.rate of n1": [0, 1, 2]}


@pytest.mark.slow
def test_influxdb_without_tls_is_told_when_it_is_asked_over_tls(
    session: Session, influx: InfluxServer, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = influx.address.replace("influx", "influxs") + "/m"
    assert "TLS" in read_trusting(session, address, str(certificate.authority), monkeypatch).problem


@pytest.mark.slow
def test_a_broker_over_tls_needs_a_certificate_that_is_trusted(
    session: Session, rabbit: RabbitServer, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(rabbit, "tls", ["\n".join(lines(0, 2))])
    address, authority = rabbit.encrypted + "/tls", str(certificate.authority)
    unknown = read_trusting(session, address, str(certificate.key), monkeypatch)
    assert "no trusted TLS connection" in unknown.problem
    assert "certificate" in unknown.problem
    elsewhere = read_trusting(session, address.replace("127.0.0.1", "localhost"), authority, monkeypatch)
    assert "hostname mismatch" in elsewhere.problem
    without = read_trusting(session, rabbit.address.replace("amqp", "amqps") + "/tls", authority, monkeypatch)
    assert "TLS" in without.problem
    monkeypatch.setenv("SSL_CERT_FILE", authority)
    publish(live_address(address), "\n".join(lines(2, 3)).encode(), lambda address: None)
    watching = Watch(session, [address])
    try:
        until(lambda: list(watching.look()) is not None and values(session) == {"io.rate of n1": [0, 1, 2]})
    finally:
        watching.close()


@pytest.mark.slow
def test_a_certificate_that_is_not_trusted_is_one_line(workspace: Path, certificate: Certificate) -> None:
    with influx_server(certificate) as server:
        done = run("monitor", "watch", workspace, server.address + "/m", "--timeout", "1")
    assert "no trusted TLS connection" in done.out + done.err
    assert "Traceback" not in done.err
