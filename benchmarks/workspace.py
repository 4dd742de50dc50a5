"""Measures a workspace on the PROV-ML graph, beside the bare engine: load, reopen, memory, and what a click costs.

    python benchmarks/workspace.py [1/100] [1/10] [1/1]

Without a scale 1/100 and 1/10.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from provml_graph import EPOCHS, epoch_of, model_of, write_graph
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


def seconds(command: list[str]) -> float:
    """How long a process takes."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def ask(workspace: Path, scale: str) -> None:
    """In a fresh process: open a workspace, ask it, and print the figures as JSON."""
    began = time.perf_counter()
    from hpc_explorer.app.explore.describing import class_tree, describe_resource
    from hpc_explorer.app.explore.finding import search
    from hpc_explorer.app.lineage.tracing import trace_lineage
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.rdf.terms import NamedNode

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
    resident = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    figures["resident MB"] = int(resident.split()[1]) / 1024
    session.close()
    print(json.dumps(figures))


def measure(scale: str, folder: Path) -> dict[str, float]:
    """All figures at one scale."""
    graph = folder / "graph.nt"
    triples = write_graph(graph, scale)
    bare = seconds([sys.executable, "-c", BARE, str(graph), str(folder / "bare")])
    shutil.rmtree(folder / "bare")
    load = seconds([sys.executable, "-m", "hpc_explorer", "load", str(graph), "--into", str(folder / "workspace")])
    asked = subprocess.run(
        [sys.executable, __file__, "--ask", str(folder / "workspace"), scale], check=True, capture_output=True
    )
    return {
        "triples": triples,
        "bare engine s": bare,
        "load s": load,
        "load / bare": load / bare,
        **json.loads(asked.stdout),
    }


def table(scales: list[str]) -> list[str]:
    """The figures as Markdown, a column for each scale."""
    columns = []
    for scale in scales:
        with tempfile.TemporaryDirectory() as folder:
            columns.append(measure(scale, Path(folder)))
    lines = [
        "The bare engine's load is its bulk load and optimise, in a process of its own; ours has the index of names",
        "and the counts in it. Neighbours are the statements about a node, from it and to it; the inspector adds all",
        "names and types. Lineage is that of a workflow's last model, back to the raw data. Search is the slowest of",
        "several texts. Times are medians of five. Resident is the most that the asking process had.",
        "",
        f"| | {' | '.join(scales)} |",
        f"|---|{'---|' * len(scales)}",
    ]
    for name in columns[0]:
        decimals = 0 if name == "triples" else 2
        lines.append(f"| {name} | {' | '.join(f'{column[name]:,.{decimals}f}' for column in columns)} |")
    return lines


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ask"]:
        ask(Path(sys.argv[2]), sys.argv[3])
    else:
        before = busy()
        write_section("A workspace on the PROV-ML graph", table(sys.argv[1:] or ["1/100", "1/10"]), before)
