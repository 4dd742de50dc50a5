"""A real Virtuoso on this machine: an installed one, or the one that `packaging/server.sh virtuoso` puts into `.virtuoso/`."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from hpc_explorer.rdf.terms import NamedNode, Quad

UNPACKED = Path(__file__).resolve().parents[2] / ".virtuoso"
REQUIRED = "HPC_EXPLORER_TEST_VIRTUOSO"
"""The variable that `make test-endpoints` sets: a missing Virtuoso is a failure there, and a skip elsewhere."""

MOST_ROWS = 10_000
"""The rows an answer has at most, unless a test wants it otherwise: what Virtuoso's own configuration file says."""

_BUFFERS = 2_000
_PATIENCE = 240.0

# A free port may be somebody else's by the time the server takes it: then others are tried.
_MOST_PORTS = 3

_CONFIGURATION = """\
[Database]
DatabaseFile = virtuoso.db
TransactionFile = virtuoso.trx
ErrorLogFile = virtuoso.log
LockFile = virtuoso.lck
xa_persistent_file = virtuoso.pxa
TempStorage = TempDatabase

[TempDatabase]
DatabaseFile = virtuoso-temp.db
TransactionFile = virtuoso-temp.trx

[Parameters]
ServerPort = 127.0.0.1:{sql_port}
DisableUnixSocket = 1
NumberOfBuffers = {buffers}
MaxDirtyBuffers = {dirty_buffers}
CheckpointInterval = 0
ServerThreads = 10
CaseMode = 2
DirsAllowed = .

[HTTPServer]
ServerPort = 127.0.0.1:{http_port}
ServerThreads = 10
EnabledDavVSP = 0

[SPARQL]
ResultSetMaxRows = {most_rows}
"""

# The triples about itself that it starts with go; and everybody may update, as the store knows no digest
# authentication: nobody but this machine reaches the server.
_PREPARATION = 'DELETE FROM DB.DBA.RDF_QUAD; GRANT SPARQL_UPDATE TO "SPARQL";'


def virtuoso_program() -> Path | None:
    """The server's program, unpacked or on the path; None if there is none."""
    unpacked = UNPACKED / "usr" / "bin" / "virtuoso-t"
    if unpacked.exists():
        return unpacked
    found = shutil.which("virtuoso-t")
    return Path(found) if found else None


def load(address: str, quads: Iterable[Quad]) -> None:
    """Add quads of named graphs to the server at `address`, by SPARQL 1.1's Graph Store HTTP Protocol.

    Its INSERT DATA takes no blank nodes; its INSERT … WHERE takes them, but damages some literals. A blank node stays one
    within its graph.
    """
    documents: dict[str, list[str]] = {}
    for quad in quads:
        assert isinstance(quad.graph_name, NamedNode)
        documents.setdefault(quad.graph_name.value, []).append(f"{quad.triple} .")
    opener = build_opener(ProxyHandler({}))
    for graph, lines in documents.items():
        request = Request(
            f"{address}-graph-crud?{urlencode({'graph-uri': graph})}",
            "\n".join(lines).encode(),
            {"Content-Type": "application/n-triples"},
        )
        opener.open(request, timeout=_PATIENCE).close()


@dataclass(frozen=True)
class _Server:
    """A server that runs: the address of both queries and updates, what empties it, its process and its folder."""

    address: str
    emptying: tuple[str | Path, ...]
    process: subprocess.Popen[bytes]
    folder: TemporaryDirectory[str]

    def empty(self) -> None:
        subprocess.run(
            self.emptying,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=True,
            timeout=_PATIENCE,
        )

    def kill(self) -> None:
        # Nothing in it is worth the seconds of an orderly end.
        self.process.kill()
        self.process.wait(timeout=_PATIENCE)
        self.folder.cleanup()


_spare: list[_Server] = []


def kill_spare_servers() -> None:
    """Stop the servers that nobody uses any more."""
    while _spare:
        _spare.pop().kill()


@contextmanager
def virtuoso_server(*, most_rows: int = MOST_ROWS, buffers: int = _BUFFERS, settings: str = "") -> Iterator[str]:
    """An empty server with a folder of its own; there may be several.

    Its default graph is the union of all. Gives the address of both queries and updates, such as
    `http://127.0.0.1:41234/sparql`. Skips the test by name where there is no Virtuoso. Starting one takes three seconds
    of processor time: one of the usual configuration is emptied and kept for whoever wants the next one, until
    `kill_spare_servers`.

    Args:
        most_rows: after so many rows (or triples) it cuts an answer off.
        buffers: the pages of 8 KiB that it keeps in memory.
        settings: more lines for the section [SPARQL] of its configuration file.
    """
    is_usual = (most_rows, buffers, settings) == (MOST_ROWS, _BUFFERS, "")
    server = _spare.pop() if is_usual and _spare else _start(most_rows, buffers, settings)
    may_serve_again = False
    try:
        yield server.address
        if is_usual:
            server.empty()
            may_serve_again = True
    finally:
        if may_serve_again:
            _spare.append(server)
        else:
            server.kill()


def _start(most_rows: int, buffers: int, settings: str) -> _Server:
    program = virtuoso_program()
    if program is None:
        missing = "Virtuoso is missing: `make test-endpoints` gets it"
        if os.environ.get(REQUIRED):
            pytest.fail(missing)
        pytest.skip(missing)
    for left in reversed(range(_MOST_PORTS)):
        sql_port, http_port = _free_ports()
        folder = TemporaryDirectory(prefix="virtuoso-", ignore_cleanup_errors=True)
        text = _CONFIGURATION.format(
            sql_port=sql_port,
            http_port=http_port,
            most_rows=most_rows,
            buffers=buffers,
            dirty_buffers=buffers * 3 // 5,
        )
        text += settings
        Path(folder.name, "virtuoso.ini").write_text(text, encoding="utf-8")
        process = subprocess.Popen(
            [program, "-f", "-c", "virtuoso.ini"],
            cwd=folder.name,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        emptying = (_sql_program(program), f"127.0.0.1:{sql_port}", "dba", "dba", f"exec={_PREPARATION}")
        server = _Server(f"http://127.0.0.1:{http_port}/sparql", emptying, process, folder)
        if _answers(server.address, process):
            server.empty()
            return server
        log = Path(folder.name, "virtuoso.log")
        said = log.read_text(encoding="utf-8", errors="replace")[-500:] if log.exists() else "(no log)"
        server.kill()
        if not left:
            pytest.fail(f"Virtuoso does not start; it says: {said}")
    raise AssertionError("there is a last try")


def _free_ports() -> tuple[int, int]:
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        return first.getsockname()[1], second.getsockname()[1]


def _environment() -> dict[str, str]:
    """The environment in which the unpacked program finds the libraries that were unpacked beside it."""
    folders = sorted({str(library.parent) for library in UNPACKED.rglob("*.so.*")})
    known = os.environ.get("LD_LIBRARY_PATH")
    return {**os.environ, "LD_LIBRARY_PATH": ":".join([*folders, *([known] if known else [])])}


def _sql_program(server: Path) -> Path:
    """The program for SQL beside the server, which Debian calls otherwise than Virtuoso's makers."""
    for name in ("isql-vt", "isql-v", "isql"):
        if server.with_name(name).exists():
            return server.with_name(name)
    pytest.fail(f"no isql lies beside {server}")


def _answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    """Wait until the server answers; whether it does, and has not ended."""
    opener = build_opener(ProxyHandler({}))
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            opener.open(f"{address}?query=ASK%7B%7D", timeout=_PATIENCE).close()
            return process.poll() is None
        except (URLError, ConnectionError):
            if process.poll() is not None or time.monotonic() > end:
                return False
            time.sleep(0.01)
