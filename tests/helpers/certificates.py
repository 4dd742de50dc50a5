"""Certificates for servers on this machine, made by the program openssl."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

_REQUEST: tuple[str | Path, ...] = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2")


@dataclass(frozen=True)
class Certificate:
    """The certificate of a server for 127.0.0.1, its key, and the authority that signed it: three PEM files."""

    certificate: Path
    key: Path
    authority: Path


def certificate_in(folder: Path) -> Certificate:
    """Make an authority and a certificate in a folder. Skips the test by name where openssl is missing."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("openssl is missing: no certificate can be made")
    found = Certificate(folder / "server.pem", folder / "server.key", folder / "authority.pem")
    own = [*_REQUEST, "-subj", "/CN=Authority of a test", "-keyout", "authority.key", "-out", found.authority]
    for_server = [*_REQUEST, "-subj", "/CN=127.0.0.1", "-keyout", found.key, "-out", found.certificate]
    for_server += ["-CA", found.authority, "-CAkey", "authority.key"]
    for_server += ["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"]
    for words in (own, for_server):
        subprocess.run([program, *words], check=True, capture_output=True, cwd=folder)
    return found
