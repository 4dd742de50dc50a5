"""Measures converting a table of a million rows beside a bare `pandas.read_csv` of the same file.

The rows are made, in the manner of a table of measurements: a key, texts, whole numbers, numbers with units, a link and
a date. Each run is a process of its own, whose greatest memory the system tells.

python benchmarks/tables.py [ROWS]
"""

from __future__ import annotations

import csv
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from results import busy, write_section

HEADING = "Converting a table"
MAPPING = """
subject: https://example.org/run/{Run}
class: hpc:TableRow
columns:
  Run: {property: hpc:name, required: true}
  Kernel: hpc:kernelName
  Array: {property: hpc:arrayName, link: "https://example.org/array/{Array}"}
  Variant: {property: hpc:codeVariant, datatype: xsd:integer}
  Duration: {property: hpc:executionTime, unit: unit:NanoSEC}
  Size: {property: hpc:allocatedDataSize, unit: unit:BYTE}
  Day: {property: hpc:dateCreated, datatype: xsd:date}
"""

CONVERT = """
import resource, sys, time
from pathlib import Path
from hpc_explorer.app.imports.converting import convert_table
table, mapping, output = map(Path, sys.argv[1:])
began = time.perf_counter()
report = convert_table(table, str(mapping), output)
assert report.converted == report.rows and not report.found_wrong
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, report.statements)
"""

PANDAS = """
import resource, sys, time
import pandas
began = time.perf_counter()
frame = pandas.read_csv(sys.argv[1])
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(frame))
"""


@dataclass(frozen=True)
class Run:
    """One line: what was done; seconds, megabytes at most, and statements or rows."""

    what: str
    seconds: float
    megabytes: float
    number: int


def write_table(path: Path, rows: int) -> None:
    """Make a table of so many rows, the same one each time."""
    chance = random.Random(6)
    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["Run", "Kernel", "Array", "Variant", "Duration", "Size", "Day"])
        for number in range(rows):
            duration = f"{chance.randrange(10**4, 10**9):,}.{chance.randrange(100):02}"
            writer.writerow(
                (
                    f"run-{number}",
                    f"kernel {chance.randrange(60)}",
                    f"array_{chance.randrange(400)}",
                    chance.randrange(8),
                    duration,
                    chance.randrange(10**9),
                    f"2021-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}",
                )
            )


def run(what: str, program: str, *arguments: Path) -> Run:
    """Run a program that prints seconds, megabytes and a number."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{what} failed: {done.stderr[-500:]}")
    seconds, megabytes, number = done.stdout.split()
    return Run(what, float(seconds), float(megabytes), int(number))


def main() -> None:
    """Measure a tenth of the rows and all of them, so that it is seen whether memory grows."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    before = busy()
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "m.yaml").write_text(MAPPING, encoding="utf-8")
        for number in (rows // 10, rows):
            table = folder / f"{number}.csv"
            write_table(table, number)
            runs = [
                run(f"convert to .{ending}", CONVERT, table, folder / "m.yaml", folder / f"out.{ending}")
                for ending in ("nt", "nq", "ttl")
            ]
            pandas = run("pandas.read_csv", PANDAS, table)
            lines += [
                f"{number:,} rows of seven columns, {table.stat().st_size / 1e6:,.0f} MB:",
                "",
                "| what | seconds | rows/s | statements | greatest memory, MB | ratio to pandas.read_csv |",
                "|---|---|---|---|---|---|",
            ]
            for one in (*runs, pandas):
                statements = f"{one.number:,}" if one is not pandas else ""
                ratio = f"{one.seconds / pandas.seconds:.1f}" if one is not pandas else ""
                lines.append(
                    f"| {one.what} | {one.seconds:.2f} | {number / one.seconds:,.0f} | {statements}"
                    f" | {one.megabytes:,.0f} | {ratio} |"
                )
            lines.append("")
    lines.append("pandas reads the table into columns of numbers and texts; a conversion checks each cell, writes each")
    lines.append("statement out, and looks for rows with one IRI.")
    write_section(HEADING, lines, before)


if __name__ == "__main__":
    main()
