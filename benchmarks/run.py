"""Measures what a user waits for, beside named peers in the same run, and writes benchmarks/RESULTS.md.

Run it with `make bench`; `make bench SCALES="1/100 1/10 1/1"` also takes the graph of ten million triples.
Figures are medians of whole processes; read the ratios, the seconds belong to the machine.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import labels
import peers
import workspace

RUNS = 7
ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "RESULTS.md"
PUBLISHED = ROOT.parent / "shared" / "data" / "ontologies" / "hpc-public"
PROGRAM = str(Path(sys.executable).with_name("hpc-explorer"))

RDFLIB_INFO = """
import sys, pathlib, collections, rdflib
graph = rdflib.Graph()
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.ttl")):
    graph.parse(file, format="turtle")
classes = collections.Counter(graph.objects(None, rdflib.RDF.type))
predicates = collections.Counter(predicate for _, predicate, _ in graph)
print(len(graph), len(classes), len(predicates))
"""

NOTHING = "pass"


@dataclass(frozen=True)
class Measured:
    """One line of the table: what was done, by whom, seconds (median, least, most)."""

    what: str
    who: str
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def measure(what: str, who: str, command: Sequence[str]) -> Measured:
    """Run a command `RUNS` times after one that is not counted."""
    seconds: list[float] = []
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    for number in range(RUNS + 1):
        began = time.perf_counter()
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{what} by {who} failed: {done.stderr.decode(errors='replace')[-500:]}")
        if number:
            seconds.append(time.perf_counter() - began)
    return Measured(what, who, tuple(seconds))


def main() -> None:
    """Measure everything that can be measured here, and write the table."""
    busy = os.getloadavg()[0]
    rows = [
        measure("start Python and stop", "python", [sys.executable, "-c", NOTHING]),
        measure("--help", "hpc-explorer", [PROGRAM, "--help"]),
        measure(
            "lineage of a model (xplacer)", "hpc-explorer", [PROGRAM, "lineage", "sample:xplacer", "decisionTree.onnx"]
        ),
        measure(
            "window, from process start to sample shown",
            "hpc-explorer",
            [sys.executable, str(ROOT / "benchmarks" / "window_start.py"), "sample:xplacer"],
        ),
    ]
    if PUBLISHED.is_dir():
        rows += [
            measure("info, published ontology", "hpc-explorer", [PROGRAM, "info", str(PUBLISHED)]),
            measure("classes, published ontology", "hpc-explorer", [PROGRAM, "classes", str(PUBLISHED)]),
        ]
        if subprocess.run([sys.executable, "-c", "import rdflib"], capture_output=True, check=False).returncode == 0:
            rows.append(
                measure("info, published ontology", "rdflib", [sys.executable, "-c", RDFLIB_INFO, str(PUBLISHED)])
            )
    scales = sys.argv[1:] or ["1/100", "1/10"]
    tables = (table(rows, busy), workspace.table(scales), labels.table(), peers.table(scales))
    RESULTS.write_text("\n".join(tables), encoding="utf-8")
    print(RESULTS.read_text(encoding="utf-8"))


def processor() -> str:
    """What the machine calls its processor."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def memory() -> float:
    """How much memory the machine has, in GiB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def table(rows: Sequence[Measured], busy: float) -> str:
    """The results as Markdown, each with its ratio to `hpc-explorer` doing the same.

    Args:
        busy: how many processes the machine had to run on average in the minute before.
    """
    ours = {row.what: row.median for row in rows if row.who == "hpc-explorer"}
    lines = [
        "# What a user waits for",
        "",
        f"Made by `make bench` on {datetime.now(UTC):%Y-%m-%d},"
        f" {os.cpu_count()} cores ({processor()}), {memory():.0f} GiB, Python {platform.python_version()}.",
        f"The machine is shared: while this began it had {busy:.1f} processes to run on average, without",
        "those of the benchmark. Read the ratios, the seconds belong to the machine and the hour.",
        "",
        f"Whole processes, median of {RUNS} (least to most), in seconds.",
        "",
        "| what | who | median | least to most | ratio to hpc-explorer |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        ratio = f"{row.median / ours[row.what]:.1f}" if row.what in ours and row.who != "hpc-explorer" else ""
        spread = f"{min(row.seconds):.2f} to {max(row.seconds):.2f}"
        lines.append(f"| {row.what} | {row.who} | {row.median:.2f} | {spread} | {ratio} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
