"""`login` and `logout` at a server that wants to know who asks, with a keyring in a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.bad_server import bad_server, guarded
from tests.helpers.keyrings import FILE_VARIABLE
from tests.helpers.program import run_installed

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def address() -> Iterator[str]:
    with bad_server() as server:
        server.behaviours["/a.ttl"] = guarded("Basic YW5uOnBAc3M=", b"<#a> <#p> <#b> .", "text/turtle")
        server.behaviours["/b.ttl"] = guarded("Bearer t0ken", b"<#a> <#p> <#b> .", "text/turtle")
        yield f"http://127.0.0.1:{server.server_address[1]}/a.ttl"


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "secrets.json"
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.helpers.keyrings.FileKeyring")
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=":")
    monkeypatch.setenv(FILE_VARIABLE, str(file))
    return file


def test_login_and_logout(address: str, ring: Path) -> None:
    refused = run_installed("info", address, "--json")
    assert (refused.code, refused.out) == (3, "")
    assert refused.err.count("\n") == 1
    assert refused.err.endswith(f"hpc-explorer login {address} --user NAME\n")
    kept = run_installed("login", address, "--user", "ann", stdin="p@ss\n")
    assert kept.code == 0, kept.err
    server = address.removesuffix("/a.ttl")
    assert kept.out == f"the system's keyring remembers the password for {server}\n"
    assert kept.err == f"{server} is not encrypted: what is sent there can be read on the way\n"
    opened = run_installed("info", address, "--json")
    assert (opened.code, opened.err) == (0, "")
    assert json.loads(opened.out)["triples"]["value"] == 1
    assert "p@ss" not in kept.out + kept.err + opened.out
    assert run_installed("logout", address).code == 0
    assert run_installed("logout", address).code == 1
    assert run_installed("info", address).code == 3


def test_a_token(address: str, ring: Path) -> None:
    assert run_installed("login", address, "--bearer", stdin="t0ken").code == 0
    assert run_installed("info", address.replace("/a.ttl", "/b.ttl")).code == 0


def test_no_secret_no_keyring_no_kind(address: str, ring: Path) -> None:
    nothing = run_installed("login", address, "--user", "ann")
    assert (nothing.code, nothing.err.count("\n")) == (2, 1)
    assert not ring.exists()
    assert run_installed("login", address).code == 2
    headless = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    refused = run_installed("login", address, "--user", "ann", stdin="p@ss", env=headless)
    assert (refused.code, refused.err.count("\n")) == (3, 1)
    assert "no keyring" in refused.err
    told = {**headless, "HPC_EXPLORER_LOGIN": f"{address} ann:p@ss"}
    assert run_installed("info", address, env=told).code == 0
