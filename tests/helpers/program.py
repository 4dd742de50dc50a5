"""Running the installed command as a user does: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Finished:
    """What a finished command left."""

    code: int
    out: str
    err: str


def installed_command() -> str:
    """The `hpc-explorer` that is installed beside the Python that runs the tests."""
    command = Path(sys.executable).with_name("hpc-explorer")
    if not command.exists():
        raise AssertionError(f"{command} is missing: install the project into the environment of the tests")
    return str(command)


def run(*words: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None, stdin: str = "") -> Finished:
    """Run `hpc-explorer` with these words and wait for it."""
    done = subprocess.run(
        [installed_command(), *map(str, words)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=240,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)
