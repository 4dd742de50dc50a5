"""Measures a workspace on the PROV-ML graph, beside the bare engine: load, reopen, memory, and what a click costs.

    python benchmarks/workspace.py [1/100] [1/10] [1/1] [3/1] [10/1] [--in FOLDER] [--figures FILE]

Without a scale 1/100 and 1/10. The results are written after each scale; with a file of figures, those of earlier runs
stand beside them, and a scale that it has is not measured again. A scale above 1/1 is loaded without the bare
engine beside it; with 100 bytes a triple for the file and 200 for the workspace it needs much disk, in the folder.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from provml_graph import EPOCHS, MORE, epoch_of, model_of, write_graph
from results import busy, write_section

SEARCHES = {
    "search": ("learning ra", "unet", "b17", "accuracy"),
    "search, mistyped": ("curatoin", "hyperparametr", "seizmic"),
    "search, inside a word": ("uratio", "yperpara"),
}

BARE = """
import sys, pyoxigraph
store = pyoxigraph.Store(sys.argv[2])
store.bulk_load(path=sys.argv[1], format=pyoxigraph.RdfFormat.N_TRIPLES, to_graph=pyoxigraph.NamedNode("urn:g"))
store.optimize()
"""


HEADING = "A workspace on the PROV-ML graph"


@dataclass(frozen=True)
class Cost:
    """What a process took: seconds by the clock and of the processor, and the most memory in MB."""

    clock: float
    processor: float
    memory: float


def cost(command: list[str]) -> Cost:
    """Run a process, with all processes that it starts."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def size(folder: Path) -> float:
    """The size of all files in a folder, in MB."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def ask(workspace: Path, scale: str) -> None:
    """In a fresh process: open a workspace, ask it, and print the figures as JSON."""
    began = time.perf_counter()
    from hpc_explorer.app.explore.classes import class_tree
    from hpc_explorer.app.explore.describing import describe_resource
    from hpc_explorer.app.explore.finding import search
    from hpc_explorer.app.lineage.tracing import trace_lineage
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.query.questions.asking import complete_text
    from hpc_explorer.query.questions.library import named_question, shipped_questions
    from hpc_explorer.rdf.namespaces import XSD
    from hpc_explorer.rdf.terms import Literal, NamedNode

    session = Session.new()
    open_sources(session, [str(workspace)])
    class_tree(session)
    figures = {"reopen s": time.perf_counter() - began}

    def ms(work: Callable[[], object]) -> float:
        start = time.perf_counter()
        work()
        return 1000 * (time.perf_counter() - start)

    step = max(1, EPOCHS[scale] // 30)
    nodes = [
        NamedNode(epoch_of(workflow, stage, epoch) + part)
        for workflow in range(8)
        for stage in range(3)
        for epoch in range(0, EPOCHS[scale], step)
        for part in ("", "/b7", "/accuracy")
    ]
    store = session.store
    works: dict[str, Callable[[NamedNode], object]] = {
        "neighbours": lambda node: (list(store.match(node)), list(store.match(None, None, node))),
        "inspector": lambda node: describe_resource(session, node),
    }
    for name, work in works.items():
        taken = sorted(ms(lambda node=node, work=work: work(node)) for node in nodes)
        figures[f"{name} p50 ms"] = taken[len(taken) // 2]
        figures[f"{name} p95 ms"] = taken[len(taken) * 95 // 100]
    model = NamedNode(model_of(scale))
    lineage = trace_lineage(session, model)
    figures["lineage: resources"] = len(lineage.nodes)
    figures["lineage: links"] = len(lineage.edges)
    figures["lineage ms"] = statistics.median(ms(lambda: trace_lineage(session, model)) for _ in range(5))
    search(session, "seismic")
    for name, texts in SEARCHES.items():
        figures[f"{name} ms"] = max(
            statistics.median(ms(lambda text=text: search(session, text)) for _ in range(5)) for text in texts
        )
    figures["class tree ms"] = ms(lambda: class_tree(session))
    columns = session.with_columns(store)
    slices = {name: Literal(text, datatype=XSD.integer) for name, text in (("firstSlice", "0"), ("lastSlice", "29"))}
    for name in ("Q5", "Q7"):
        question = named_question(shipped_questions(), f"prov-ml-{name.lower()}")
        text = complete_text(question, question.variants[0], slices)
        figures[f"{name} of one workflow, first ms"] = ms(lambda text=text: list(columns.select(text)))
        figures[f"{name} of one workflow ms"] = statistics.median(
            ms(lambda text=text: list(columns.select(text))) for _ in range(5)
        )
    resident = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    figures["resident MB"] = int(resident.split()[1]) / 1024
    session.close()
    print(json.dumps(figures))


def measure(scale: str, folder: Path) -> dict[str, float | None]:
    """All figures at one scale; None for the bare engine above 1/1."""
    graph, workspace = folder / "graph.nt", folder / "workspace"
    triples = write_graph(graph, scale)
    bare = None
    if scale not in MORE:
        bare = cost([sys.executable, "-c", BARE, str(graph), str(folder / "bare")])
        shutil.rmtree(folder / "bare")
    others = busy()
    load = cost([sys.executable, "-m", "hpc_explorer", "load", str(graph), "--into", str(workspace)])
    graph.unlink()
    asked = subprocess.run([sys.executable, __file__, "--ask", str(workspace), scale], check=True, capture_output=True)
    return {
        "triples": triples,
        "bare engine, clock s": bare and bare.clock,
        "bare engine, processor s": bare and bare.processor,
        "bare engine, most memory MB": bare and bare.memory,
        "others to run before the load": others,
        "load, clock s": load.clock,
        "load, processor s": load.processor,
        "load, most memory MB": load.memory,
        "load / bare, clock": bare and load.clock / bare.clock,
        "load / bare, processor": bare and load.processor / bare.processor,
        "disk MB": size(workspace),
        **json.loads(asked.stdout),
    }


def table(found: dict[str, dict[str, float | None]]) -> list[str]:
    """The figures as Markdown, a column for each scale, and the slope."""
    lines = [
        "The bare engine's load is its bulk load and optimise, in a process of its own; ours has the index of names,",
        "the counts and the columns in it. Neighbours are the statements about a node, from it and to it; the",
        "inspector adds all names and types. Lineage is that of a workflow's last model, back to the raw data.",
        "Search is the slowest of several texts. Times are medians of five. Resident is the most that the asking",
        "process had. The slope is that of the logarithms from the first scale to the last that has the figure: 1",
        "grows as the graph.",
        "",
        f"| | {' | '.join(found)} | slope |",
        f"|---|{'---|' * len(found)}---|",
    ]
    columns = list(found.values())
    for name in columns[0]:
        decimals = 0 if name == "triples" else 2
        values = [column[name] for column in columns]
        cells = ["–" if value is None else f"{value:,.{decimals}f}" for value in values]
        points = [(column["triples"], value) for column, value in zip(columns, values, strict=True) if value]
        (first, low), (last, high) = points[0], points[-1]
        slope = f"{math.log(high / low) / math.log(last / first):.2f}" if first and last and last != first else ""
        lines.append(f"| {name} | {' | '.join(cells)} | {slope} |")
    return lines


def main() -> None:
    """Measure the scales that are named, and keep the figures."""
    options = argparse.ArgumentParser()
    options.add_argument("scales", nargs="*", default=["1/100", "1/10"])
    options.add_argument(
        "--in", dest="folder", help="where the graphs and workspaces are made; without it among temporary files"
    )
    options.add_argument("--figures", type=Path, help="a JSON file of the figures of all scales")
    chosen = options.parse_args()
    before = busy()
    found: dict[str, dict[str, float | None]] = {}

    def read() -> None:
        if chosen.figures is not None and chosen.figures.exists():
            found.update(json.loads(chosen.figures.read_text(encoding="utf-8")))

    read()
    for scale in chosen.scales:
        if scale not in found:
            with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
                figures = measure(scale, Path(folder))
            read()
            found[scale] = figures
        if chosen.figures is not None:
            chosen.figures.write_text(json.dumps(found), encoding="utf-8")
        write_section(HEADING, table({scale: found[scale] for scale in EPOCHS if scale in found}), before)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ask"]:
        ask(Path(sys.argv[2]), sys.argv[3])
    else:
        main()
