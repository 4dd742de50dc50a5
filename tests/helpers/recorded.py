"""Programs that record provenance, and what they left in the spool."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from hpc_explorer.capture.spool import Damage, Record, read_spool, spool_files
from hpc_explorer.interchange.capture.statements import ProvMlStatements

SRC = Path(__file__).resolve().parents[2] / "src"

_HEAD = "import os, sys, time\nfrom hpc_explorer import capture\n"


def start_program(
    code: str, spool: Path, env: Mapping[str, str] | None = None, *, libraries: bool = False
) -> subprocess.Popen[str]:
    """Start a Python program that records into `spool`, with the standard library and this project alone.

    Args:
        libraries: whether it may import installed libraries too.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "HPC_EXPLORER_"))}
    program = spool.parent / f"program-{spool.name}.py"
    program.write_text(_HEAD + code, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, *(() if libraries else ("-S",)), str(program)],
        env={**clean, "PYTHONPATH": str(SRC), "HPC_EXPLORER_SPOOL": str(spool), **(env or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_program(code: str, spool: Path, env: Mapping[str, str] | None = None, *, libraries: bool = False) -> str:
    """Run such a program to its end. Returns what it wrote to standard error."""
    process = start_program(code, spool, env, libraries=libraries)
    _, said = process.communicate(timeout=240)
    assert process.returncode == 0, said
    return said


def records_in(spool: Path) -> list[Record]:
    """The records of all files of a spool."""
    return [record for file in spool_files(spool) for record in read_spool(file).records]


def damages_in(spool: Path) -> list[Damage]:
    """What cannot be read in a spool."""
    return [damage for file in spool_files(spool) for damage in read_spool(file).damages]


def of_kind(records: Iterable[Record], kind: str) -> list[Record]:
    """The records of one kind."""
    return [record for record in records if record[0] == kind]


def statements_of(records: Iterable[Record]) -> set[str]:
    """The statements of records, as lines of N-Triples."""
    return {line for text in ProvMlStatements().lines(records) for line in text.split("\n") if line}
