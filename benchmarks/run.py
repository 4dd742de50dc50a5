"""Measures what a user waits for, beside named peers in the same run; then runs the other benchmarks.

Run it with `make bench`; `make bench SCALES="1/100 1/10 1/1"` also takes the graph of ten million triples.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from results import busy, write_section

RUNS = 7
ROOT = Path(__file__).resolve().parents[1]
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

SCALED = ("workspace.py", "peers.py", "edits.py")
OTHERS = ("labels.py", "stopping.py", "inference.py", "layout.py", "canvas.py", "tables.py", "forms.py")


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


def table(rows: Sequence[Measured]) -> list[str]:
    """The results as Markdown, each with its ratio to `hpc-explorer` doing the same."""
    ours = {row.what: row.median for row in rows if row.who == "hpc-explorer"}
    lines = [
        f"Whole processes, median of {RUNS} (least to most), in seconds.",
        "",
        "| what | who | median | least to most | ratio to hpc-explorer |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        ratio = f"{row.median / ours[row.what]:.1f}" if row.what in ours and row.who != "hpc-explorer" else ""
        spread = f"{min(row.seconds):.2f} to {max(row.seconds):.2f}"
        lines.append(f"| {row.what} | {row.who} | {row.median:.2f} | {spread} | {ratio} |")
    return lines


def main() -> None:
    """Measure everything that can be measured here."""
    busy_before = busy()
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
    write_section("What a user waits for", table(rows), busy_before)
    folder = Path(__file__).resolve().parent
    environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
    for script in SCALED:
        subprocess.run([sys.executable, str(folder / script), *sys.argv[1:]], env=environment, check=True)
    for script in OTHERS:
        subprocess.run([sys.executable, str(folder / script)], env=environment, check=True)


if __name__ == "__main__":
    main()
