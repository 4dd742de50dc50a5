"""Running commands: as a user does, in a process of their own, or in this one, which takes a fifth of the time."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from hpc_explorer.cli.main import run_command


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
    """Run a command of `hpc-explorer` in this process, where what a process is does not matter.

    That both ways give the same: tests/e2e/test_each_command.py.
    """
    given, out, err = (io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8") for text in (stdin, "", ""))
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in (("stdin", given), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        for name, value in (env or {}).items():
            patch.setenv(name, value)
        if cwd is not None:
            patch.chdir(cwd)
        code = run_command([str(word) for word in words])
    out.seek(0)
    err.seek(0)
    return Finished(code, out.read(), err.read())


def run_installed(
    *words: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None, stdin: str = ""
) -> Finished:
    """Run `hpc-explorer` with these words in a process of its own and wait for it."""
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
