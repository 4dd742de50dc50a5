"""A real InfluxDB and a real RabbitMQ on this machine: installed ones, or those of `packaging/server.sh`."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.certificates import Certificate
from tests.helpers.waiting import until

ROOT = Path(__file__).resolve().parents[2]
REQUIRED = "HPC_EXPLORER_TEST_LIVE"
"""The variable that `make test-brokers` sets: a missing server is a failure there, and a skip elsewhere."""


def free_port() -> int:
    """A port that nothing listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class LiveServer:
    """A server that can be killed and started again with its data."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        self.words, self.environment, self.folder = words, environment, folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self.words,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until(self._is_up)

    def stop(self) -> None:
        """Kill it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(60)
            self._process = None

    def _is_up(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "log").read_text()[-2000:]
        return self.answers()

    def answers(self) -> bool:
        """Whether it takes requests."""
        raise NotImplementedError


class InfluxServer(LiveServer):
    """InfluxDB 1.x.

    Attributes:
        address: `influx://HOST:PORT`, without a database.
        login: `USER:PASSWORD@` if the server asks for them; empty otherwise.
    """

    def __init__(self, program: str, folder: Path, certificate: Certificate | None) -> None:
        self.port, backup = free_port(), free_port()
        end = "" if certificate is None else "s"
        self.address, self.login = f"influx{end}://127.0.0.1:{self.port}", ""
        self._http = f"http{end}://127.0.0.1:{self.port}"
        self._trusting = None if certificate is None else ssl.create_default_context(cafile=certificate.authority)
        environment = {
            "INFLUXDB_META_DIR": str(folder / "meta"),
            "INFLUXDB_DATA_DIR": str(folder / "data"),
            "INFLUXDB_DATA_WAL_DIR": str(folder / "wal"),
            "INFLUXDB_HTTP_BIND_ADDRESS": f"127.0.0.1:{self.port}",
            "INFLUXDB_BIND_ADDRESS": f"127.0.0.1:{backup}",
            "INFLUXDB_REPORTING_DISABLED": "true",
            "INFLUXDB_MONITOR_STORE_ENABLED": "false",
        }
        if certificate is not None:
            environment |= {
                "INFLUXDB_HTTP_HTTPS_ENABLED": "true",
                "INFLUXDB_HTTP_HTTPS_CERTIFICATE": str(certificate.certificate),
                "INFLUXDB_HTTP_HTTPS_PRIVATE_KEY": str(certificate.key),
            }
        super().__init__([program], environment, folder)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self._http}/ping", timeout=5, context=self._trusting) as answer:
                return bool(answer.status == 204)
        except OSError:
            return False

    def ask(self, query: str, database: str = "") -> Any:
        """The answer to an InfluxQL statement."""
        fields = {"q": query, "db": database}
        with self._request("query", urllib.parse.urlencode(fields).encode()) as answer:
            return json.load(answer)

    def write(self, database: str, lines: Sequence[str]) -> None:
        """Write points in the line protocol; they are on the disk afterwards."""
        with self._request(f"write?db={database}", "\n".join(lines).encode()):
            pass

    def _request(self, path: str, body: bytes) -> Any:
        headers = {}
        if self.login:
            from base64 import b64encode

            headers["Authorization"] = "Basic " + b64encode(self.login.rstrip("@").encode()).decode()
        request = urllib.request.Request(f"{self._http}/{path}", body, headers)
        return urllib.request.urlopen(request, timeout=30, context=self._trusting)


class RabbitServer(LiveServer):
    """RabbitMQ, with the user guest and the password guest.

    Attributes:
        address: `amqp://HOST:PORT`, without a queue.
        encrypted: `amqps://HOST:PORT`; nothing listens there without a certificate.
    """

    def __init__(self, folder: Path, unpacked: Path | None, certificate: Certificate | None) -> None:
        self.port, self._epmd_port, encrypted_port = free_port(), free_port(), free_port()
        self.address, self.encrypted = f"amqp://127.0.0.1:{self.port}", f"amqps://127.0.0.1:{encrypted_port}"
        if certificate is not None:
            (folder / "rabbitmq.conf").write_text(
                f"listeners.ssl.1 = 127.0.0.1:{encrypted_port}\n"
                f"ssl_options.cacertfile = {certificate.authority}\n"
                f"ssl_options.certfile = {certificate.certificate}\n"
                f"ssl_options.keyfile = {certificate.key}\n"
                "ssl_options.verify = verify_none\n"
            )
        root = Path("/") if unpacked is None else unpacked
        program = next(iter(sorted((root / "usr/lib/rabbitmq/lib").glob("rabbitmq_server-*/sbin/rabbitmq-server"))))
        erlang = root / "usr/lib/erlang"
        libraries = sorted({str(file.parent) for file in root.rglob("*.so.*")}) if unpacked is not None else []
        environment = {
            "PATH": f"{erlang / 'bin'}:{os.environ['PATH']}",
            "LD_LIBRARY_PATH": ":".join([*libraries, os.environ.get("LD_LIBRARY_PATH", "")]),
            "HOME": str(folder),
            "ERL_EPMD_PORT": str(self._epmd_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"test{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": str(folder / "data"),
            "RABBITMQ_LOG_BASE": str(folder / "logs"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq"),
            "RABBITMQ_CONF_ENV_FILE": str(folder / "none.sh"),
            "RABBITMQ_PID_FILE": str(folder / "pid"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
        }
        super().__init__([str(program)], environment, folder)
        epmd = next(iter(sorted(erlang.glob("erts-*/bin/epmd"))))
        self._epmd = subprocess.Popen(
            [str(epmd)], env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def stop(self) -> None:
        """Kill it, with what its start script started."""
        if self._process is not None:
            import signal

            os.killpg(self._process.pid, signal.SIGKILL)
        super().stop()

    def close(self) -> None:
        """Stop it and the name server of Erlang that belongs to it."""
        self.stop()
        self._epmd.kill()
        self._epmd.wait(60)

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
                connection.sendall(b"AMQP\0\0\x09\x01")
                return bool(connection.recv(1))
        except OSError:
            return False


@contextmanager
def influx_server(certificate: Certificate | None = None) -> Iterator[InfluxServer]:
    """A started server with data of its own, with a certificate over TLS. Skips the test by name where there is no InfluxDB."""
    unpacked = ROOT / ".influxdb/usr/bin/influxd"
    program = str(unpacked) if unpacked.exists() else shutil.which("influxd")
    if program is None:
        _lacking("InfluxDB")
    with tempfile.TemporaryDirectory(prefix="influx-", ignore_cleanup_errors=True) as folder:
        server = InfluxServer(str(program), Path(folder), certificate)
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextmanager
def rabbit_server(certificate: Certificate | None = None) -> Iterator[RabbitServer]:
    """A started server with data of its own, with a certificate also over TLS. Skips the test by name where there is no RabbitMQ."""
    unpacked = ROOT / ".rabbitmq"
    if not unpacked.exists() and shutil.which("rabbitmq-server") is None:
        _lacking("RabbitMQ")
    with tempfile.TemporaryDirectory(prefix="rabbit-", ignore_cleanup_errors=True) as folder:
        server = RabbitServer(Path(folder), unpacked if unpacked.exists() else None, certificate)
        try:
            server.start()
            yield server
        finally:
            server.close()


def _lacking(name: str) -> None:
    missing = f"{name} is missing: `make test-brokers` gets it"
    if os.environ.get(REQUIRED):
        pytest.fail(missing)
    pytest.skip(missing)
