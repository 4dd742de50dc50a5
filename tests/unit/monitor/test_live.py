"""Addresses of servers of measurements, their messages, and answers that are not those of an InfluxDB."""

from __future__ import annotations

import json
import time

import pytest

from hpc_explorer.errors import AnswerDamaged, EndpointFailed, EndpointUnreachable, UsageError
from hpc_explorer.monitor.influx import InfluxSource
from hpc_explorer.monitor.live import is_live_address, live_address
from hpc_explorer.monitor.series_files import series_of_messages
from hpc_explorer.stores.base import NO_LIMITS
from tests.helpers.bad_server import bad_server
from tests.helpers.live_servers import free_port


def no_login(address: str) -> None:
    """Find nothing."""


@pytest.mark.parametrize(
    ("given", "shown", "server", "path"),
    [
        ("influx://h/m", "influx://h:8086/m", "http://h:8086", ("m",)),
        ("INFLUXS://h:1/m/a%2Fb", "influxs://h:1/m/a%2Fb", "https://h:1", ("m", "a/b")),
        ("amqp://u:secret@h/q", "amqp://h:5672/%2F/q", "amqp://h:5672", ("/", "q")),
        ("amqps://[::1]/v/q?key=a.*&exchange=e", "amqps://[::1]:5671/v/q?exchange=e&key=a.%2A", "amqps://[::1]:5671", ("v", "q")),
    ],
)  # fmt: skip
def test_an_address_is_shown_without_its_password_and_reads_back(
    given: str, shown: str, server: str, path: tuple[str, ...]
) -> None:
    found = live_address(given)
    assert (found.shown, found.server, found.path) == (shown, server, path)
    assert live_address(found.shown) == found
    assert "secret" not in repr(found)
    assert is_live_address(given)


@pytest.mark.parametrize("given", ["influx://", "influx://h", "influx://h:0/m", "influx://h/m?key=1", "amqp://h/a/b/c", "amqp://h/q?key", "amqp:q"])  # fmt: skip
def test_a_wrong_address_is_named_with_its_form(given: str) -> None:
    with pytest.raises(UsageError, match=r"write (influx|amqp)://HOST"):
        live_address(given)


def test_messages_of_several_formats_make_one_series_and_bad_ones_are_located() -> None:
    found, lost = series_of_messages(
        [
            b"io,host=n1 rate=1 1600000001000000000",
            b'{"ts": 1600000002, "host": "n1", "io.rate": 2, "up": true, "none": null}\n{"host": "n1"}\n[1]\n{cut',
            b"\xff\xfe",
            b"# TYPE load gauge\nload 5 3",
            b"",
            b"no measurement at all",
        ],
        "here",
    )
    assert [(str(one), list(one.series.times), list(one.series.values)) for one in found] == [
        ("io.rate (host=n1)", [1600000001, 1600000002], [1, 2]),
        ("load", [3], [5]),
    ]
    assert lost == (
        "an object without a time: here, message 2:2",
        "not an object of JSON: here, message 2:3",
        "not JSON: here, message 2:4",
        "not text in UTF-8: here, message 3:1",
        "no column timestamp or time: here, message 5:1",
        "no column timestamp or time: here, message 6:1",
    )


def source_of(port: int) -> InfluxSource:
    """A database at a port of this machine, never read before."""
    return InfluxSource(live_address(f"influx://127.0.0.1:{port}/m"), None, lambda mark: None, no_login)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"<html>hello</html>", AnswerDamaged),
        (b'{"results": 5}', AnswerDamaged),
        (b'{"results": [{"series": [{"name": "io"}]}]}', AnswerDamaged),
        (b'{"results": [{"series": [{"name": "io", "columns": ["time", "a"], "values": [[1]]}]}]}', AnswerDamaged),
        (b'{"results": [{"error": "database not found: m"}]}', EndpointFailed),
    ],
)
def test_what_is_no_answer_of_an_influxdb_is_a_named_error(body: bytes, error: type[Exception]) -> None:
    with bad_server() as server:
        server.behaviours["/query"] = lambda exchange: exchange.answer("200 OK", body, "application/json")
        source = source_of(server.server_address[1])
        try:
            with pytest.raises(error):
                list(source.read(NO_LIMITS))
        finally:
            source.close()


def test_a_mark_is_kept_after_a_complete_reading_and_no_later_than_now() -> None:
    marks: list[float] = []
    rows = [[1_000_000_000, 1], [9_000_000_000_000_000_000, 2]]
    body = json.dumps({"results": [{"series": [{"name": "io", "columns": ["time", "a"], "values": rows}]}]}).encode()
    with bad_server() as server:
        server.behaviours["/query"] = lambda exchange: exchange.answer("200 OK", body, "application/json")
        source = InfluxSource(
            live_address(f"influx://127.0.0.1:{server.server_address[1]}/m"), None, marks.append, no_login
        )
        try:
            (((one,), lost),) = source.read(NO_LIMITS)
            assert (list(one.series.times), lost, marks) == ([1, 9e9], (), [])
            source.confirm()
        finally:
            source.close()
    assert marks[0] <= time.time()


def test_a_server_that_does_not_answer_is_a_named_error() -> None:
    source = source_of(free_port())
    try:
        with pytest.raises(EndpointUnreachable):
            list(source.read(NO_LIMITS))
    finally:
        source.close()
