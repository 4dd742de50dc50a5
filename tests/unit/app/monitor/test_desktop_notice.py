"""Messages on the desktop: a bus of the test's own, with a service of notifications and without one."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hpc_explorer.app.monitor.desktop_notice import show_on_desktop

jeepney = pytest.importorskip("jeepney")
NAME = "org.freedesktop.Notifications"


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    program = shutil.which("dbus-daemon")
    if program is None:
        pytest.skip("dbus-daemon is missing")
    words = [program, "--session", "--nofork", f"--address=unix:path={tmp_path}/bus", "--print-address=1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        address = daemon.stdout.readline().strip()
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address
        daemon.terminate()


class Service:
    """A service of notifications that takes one message."""

    def __init__(self, address: str, *, refuses: bool) -> None:
        from jeepney.bus_messages import message_bus
        from jeepney.io.blocking import open_dbus_connection

        self._refuses = refuses
        self._connection = open_dbus_connection(address)
        self._connection.send_and_get_reply(message_bus.RequestName(NAME))
        self.heard: list[Any] = []
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            message = self._connection.receive()
            if message.header.message_type is jeepney.MessageType.method_call:
                break
        fields = message.header.fields
        self.heard = [fields[jeepney.HeaderFields.member], fields[jeepney.HeaderFields.signature], *message.body]
        answer = (
            jeepney.new_error(message, "org.example.Refused")
            if self._refuses
            else jeepney.new_method_return(message, "u", (1,))
        )
        self._connection.send(answer)

    def close(self) -> None:
        self._thread.join()
        self._connection.close()


@pytest.mark.parametrize("refuses", [False, True])
def test_a_service_of_notifications_gets_the_message(bus: str, refuses: bool) -> None:
    service = Service(bus, refuses=refuses)
    assert show_on_desktop("An anomaly began", "rate < 5 & more") is not refuses
    service.close()
    assert service.heard == [
        "Notify", "susssasa{sv}i", "HPC Explorer", 0, "hpc-explorer", "An anomaly began", "rate &lt; 5 &amp; more",
        [], {}, -1,
    ]  # fmt: skip


def test_a_bus_without_a_service_takes_no_message(bus: str) -> None:
    assert not show_on_desktop("An anomaly began", "rate")


@pytest.mark.parametrize("address", ["", "unix:path=/no/such/bus", "nonsense"])
def test_a_desktop_without_a_bus_takes_no_message(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    if address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    else:
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    assert not show_on_desktop("An anomaly began", "rate")
