"""A real Redis on this machine: an installed one, or the one that `packaging/server.sh redis` puts into `.redis/`."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.helpers.waiting import until

UNPACKED = Path(__file__).resolve().parents[2] / ".redis"
REQUIRED = "HPC_EXPLORER_TEST_REDIS"
"""The variable that `make test-brokers` sets: a missing Redis is a failure there, and a skip elsewhere."""


class RedisServer:
    """A server that can be stopped and started again with its data.

    Attributes:
        address: such as `redis://127.0.0.1:41234/0`.
    """

    def __init__(self, program: Path, folder: Path) -> None:
        self._program, self._folder = program, folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"redis://127.0.0.1:{self._port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it has read its data. What it confirms is on disk."""
        words = ("--port", str(self._port), "--bind", "127.0.0.1", "--dir", str(self._folder), "--save", "")
        libraries = sorted({str(file.parent) for file in UNPACKED.rglob("*.so.*")})
        self._process = subprocess.Popen(
            [str(self._program), *words, "--appendonly", "yes", "--appendfsync", "always"],
            env={**os.environ, "LD_LIBRARY_PATH": ":".join([*libraries, os.environ.get("LD_LIBRARY_PATH", "")])},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self._answers)

    def stop(self) -> None:
        """Kill it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(60)
            self._process = None

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, "the server has ended"
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=5) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(64) == b"+PONG\r\n"
        except OSError:
            return False


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """A started server with data of its own. Skips the test by name where there is no Redis."""
    unpacked = UNPACKED / "usr" / "bin" / "redis-server"
    program = str(unpacked) if unpacked.exists() else shutil.which("redis-server")
    if program is None:
        missing = "Redis is missing: `make test-brokers` gets it"
        if os.environ.get(REQUIRED):
            pytest.fail(missing)
        pytest.skip(missing)
    with tempfile.TemporaryDirectory(prefix="redis-", ignore_cleanup_errors=True) as folder:
        server = RedisServer(Path(program), Path(folder))
        try:
            server.start()
            yield server
        finally:
            server.stop()
