"""Small files, and answers of servers, that unpack to more than there is memory: refused in a process with little."""

from __future__ import annotations

import bz2
import gzip
import lzma
import resource
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hpc_explorer.rdf.syntax.unpacking import most_unpacked
from tests.helpers.bad_server import BadServer, bad_server
from tests.helpers.program import Finished, installed_command

MEMORY = 1 << 30
"""Bytes of addresses that the program is given; it needs half of it to open a small graph."""

LINE = b"<http://example.org/s> <http://example.org/p> <http://example.org/o> .\n"
BLOCK = LINE * (16 * 2**20 // len(LINE))
UNPACKED = 2 * 2**30

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits addresses")


def run_installed(*words: str | Path) -> Finished:
    """Run the command in little memory."""
    done = subprocess.run(
        [installed_command(), *map(str, words)],
        capture_output=True,
        encoding="utf-8",
        timeout=240,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def bomb(pack: Callable[[bytes], bytes], size: int = UNPACKED) -> bytes:
    """Members of gzip one after the other, which unpack to so many bytes in all (RFC 1952, section 2.2)."""
    return pack(BLOCK) * (size // len(BLOCK))


def stream_of_zeros(packer: zlib._Compress | bz2.BZ2Compressor | lzma.LZMACompressor, size: int) -> bytes:
    """What packs to little, after the beginning of a pickle."""
    made = [packer.compress(b"\x80\x04")]
    made += [packer.compress(bytes(2**24)) for _ in range(size // 2**24)]
    return b"".join([*made, packer.flush()])


@pytest.fixture(scope="module")
def server() -> Iterator[BadServer]:
    packed = bomb(gzip.compress)
    twice = gzip.compress(gzip.compress(bytes(2**28)))
    with bad_server() as running:
        running.behaviours |= {
            "/a.nt": lambda e: e.answer("200 OK", packed, "application/n-triples", "Content-Encoding: gzip"),
            "/a.nt.gz": lambda e: e.answer("200 OK", packed, "application/gzip"),
            "/twice": lambda e: e.answer("200 OK", twice, "text/turtle", "Content-Encoding: gzip, gzip"),
        }
        yield running


@pytest.mark.slow
def test_a_graph(tmp_path: Path) -> None:
    harmless, hostile = tmp_path / "harmless.nt.gz", tmp_path / "hostile.nt.gz"
    harmless.write_bytes(gzip.compress(LINE * 1000))
    assert run_installed("info", harmless).code == 0, "the memory is enough for the program itself"
    hostile.write_bytes(bomb(gzip.compress))
    assert hostile.stat().st_size < UNPACKED / 100
    for words in (("info", hostile), ("load", hostile, "--into", tmp_path / "workspace")):
        refused = run_installed(*words)
        assert (refused.code, refused.out) == (2, ""), refused.err
        assert f"unpack to more than {most_unpacked(hostile.stat().st_size):,}" in refused.err.splitlines()[-1]
    assert not (tmp_path / "workspace").exists()


@pytest.mark.parametrize(
    "name",
    [*(pytest.param(name, marks=pytest.mark.slow) for name in ("m.pkl.gz", "m.joblib")), "m.pkl.bz2", "m.pkl.xz"],
)
def test_a_model(tmp_path: Path, name: str) -> None:
    packer = {
        "m.pkl.gz": zlib.compressobj(wbits=31),
        "m.joblib": zlib.compressobj(),
        "m.pkl.bz2": bz2.BZ2Compressor(),
        "m.pkl.xz": lzma.LZMACompressor(preset=0),
    }[name]
    model = tmp_path / name
    # The others pack too slowly to make more.
    size = UNPACKED if name in ("m.pkl.gz", "m.joblib") else 2**27
    model.write_bytes(stream_of_zeros(packer, size))
    refused = run_installed("describe", model)
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1), refused.err
    assert "unpack to more than" in refused.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "words"),
    [("/a.nt", "unpack to"), ("/a.nt.gz", "unpack to more than"), ("/twice", "the answer is packed as 'gzip, gzip'")],
)
def test_a_server(server: BadServer, path: str, words: str) -> None:
    refused = run_installed("info", f"http://127.0.0.1:{server.server_address[1]}{path}", "--refresh")
    assert (refused.code in (2, 3), refused.out, refused.err.count("\n")) == (True, "", 1), refused.err
    assert words in refused.err
