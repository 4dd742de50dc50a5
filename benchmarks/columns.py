"""Measures what the facts by column answer on the PROV-ML graph, beside the bare engine on the same triples.

    python benchmarks/columns.py [1/100] [1/10] [1/1]

Without a scale 1/10. The bare engine is Oxigraph on the same folder, asked the same SPARQL; it has no impact and no
comparing of its own, so there the program over the triples alone stands beside it.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from provml_graph import BASE, model_of, write_graph
from results import busy, write_section

HEADING = "Sums and ways from the facts by column"

TIMES = 5


def ask(workspace: Path, scale: str, without: str) -> None:
    """In a fresh process: the figures of one side, as JSON."""
    from hpc_explorer.app.lineage.comparing import compare_resources
    from hpc_explorer.app.lineage.impact import find_impact
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.query.questions.asking import complete_text
    from hpc_explorer.query.questions.library import named_question, shipped_questions
    from hpc_explorer.query.questions.question import Value
    from hpc_explorer.rdf.namespaces import XSD
    from hpc_explorer.rdf.terms import Literal, NamedNode

    session = Session.new()
    open_sources(session, [str(workspace)])
    session.schema()
    store = session.store if without else session.with_columns(session.store)
    figures: dict[str, float] = {}

    def measure(name: str, work: Callable[[], object]) -> None:
        taken = []
        for number in range(TIMES if not without or scale != "1/1" else 1):
            began = time.perf_counter()
            work()
            taken.append(1000 * (time.perf_counter() - began))
            if number == 0:
                figures[f"{name}, first"] = taken[0]
        figures[name] = statistics.median(taken)

    slices: dict[str, Value] = {
        "firstSlice": Literal("0", datatype=XSD.integer),
        "lastSlice": Literal("29", datatype=XSD.integer),
    }
    dataset: dict[str, Value] = {"dataset": NamedNode(f"{BASE}w0/dataset0")}
    asked: dict[str, dict[str, Value]] = {
        "Q1": {"model": NamedNode(model_of(scale))},
        "Q3": dataset,
        "Q4": dataset,
        "Q5": slices,
        "Q5, all eight": {},
        "Q7": slices,
        "Q7, all eight": {},
    }
    for name, values in asked.items():
        question = named_question(shipped_questions(), f"prov-ml-{name[:2].lower()}")
        text = complete_text(question, question.variants[0], values)
        measure(name, lambda text=text: list(store.select(text)))  # type: ignore[misc]
    if not without:
        raw = NamedNode(f"{BASE}raw")
        measure("impact of the raw file on all models", lambda: find_impact(session, raw))
        runs = NamedNode(f"{BASE}w0"), NamedNode(f"{BASE}w1")
        measure("two runs compared", lambda: compare_resources(session, *runs))
    session.close()
    print(json.dumps(figures))


def measured(scale: str, folder: Path) -> dict[str, dict[str, float]]:
    """The figures of both sides at one scale."""
    write_graph(folder / "graph.nt", scale)
    workspace = folder / "workspace"
    load = [sys.executable, "-m", "hpc_explorer", "load", str(folder / "graph.nt"), "--into", str(workspace)]
    subprocess.run(load, check=True, capture_output=True)
    (folder / "graph.nt").unlink()
    return figures_of(workspace, scale)


def figures_of(workspace: Path, scale: str) -> dict[str, dict[str, float]]:
    """The figures of both sides over a workspace that is there."""
    found = {}
    for side in ("", "without"):
        command = [sys.executable, __file__, "--ask", str(workspace), scale, side]
        found[side] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def table(found: dict[str, dict[str, dict[str, float]]]) -> list[str]:
    """The figures as Markdown: for each scale ours, the engine's, and how many times longer that took."""
    names = [name for name in next(iter(found.values()))[""] if not name.endswith(", first")]
    lines = ["| ms |" + "".join(f" {scale} | first time | bare engine | times longer |" for scale in found)]
    lines.append("|---|" + "---|---|---|---|" * len(found))
    for name in names:
        cells = []
        for sides in found.values():
            ours, engine = sides[""][name], sides["without"].get(name)
            first = sides[""][f"{name}, first"]
            cells.append(f" {ours:,.1f} | {first:,.1f} |")
            cells.append(" – | – |" if engine is None else f" {engine:,.1f} | {engine / ours:,.1f} |")
        lines.append(f"| {name} |" + "".join(cells))
    return lines


def main(arguments: list[str]) -> None:
    """Measure the scales that are named, and keep the figures."""
    if arguments[:1] == ["--ask"]:
        ask(Path(arguments[1]), arguments[2], arguments[3])
        return
    before = busy()
    found = {}
    for scale in arguments or ["1/10"]:
        with tempfile.TemporaryDirectory() as folder:
            found[scale] = measured(scale, Path(folder))
    write_section(HEADING, table(found), before)


if __name__ == "__main__":
    main(sys.argv[1:])
