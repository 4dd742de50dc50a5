"""A real SPARQL server on this machine: Oxigraph's, from the package `oxigraph` of the test group."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

import pytest

_PATIENCE = 60.0

# A free port may be somebody else's by the time the server takes it: then another is tried.
_MOST_PORTS = 5


def server_program() -> str:
    """The server's program, beside the Python that runs the tests or on the path."""
    beside = Path(sys.executable).with_name("oxigraph")
    found = str(beside) if beside.exists() else shutil.which("oxigraph")
    if found is None:
        pytest.fail("the Oxigraph server is missing: install the test group (package `oxigraph`)")
    return found


@contextmanager
def oxigraph_server(*options: str) -> Iterator[str]:
    """Run an empty server; gives its address, such as `http://127.0.0.1:41234`, and stops it at the end."""
    for _ in range(_MOST_PORTS):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{probe.getsockname()[1]}"
        process = subprocess.Popen(
            [server_program(), "serve", "--bind", address, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            if _answers(f"http://{address}/", process):
                yield f"http://{address}"
                return
        finally:
            process.terminate()
            process.wait(timeout=_PATIENCE)
    pytest.fail("the Oxigraph server does not start")


def _answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    """Wait until the server answers; whether it does, and has not ended."""
    opener = build_opener(ProxyHandler({}))
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            opener.open(address, timeout=_PATIENCE).close()
            return process.poll() is None
        except (URLError, ConnectionError):
            if process.poll() is not None or time.monotonic() > end:
                return False
            time.sleep(0.01)
