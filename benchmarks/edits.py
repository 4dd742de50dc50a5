"""Measures edits of a workspace on the PROV-ML graph: what one costs at first and after thousands.

    python benchmarks/edits.py [1/100] [1/10] [1/1]

Without a scale 1/10. Each edit is journalled durably, and triples, counts and names follow it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from provml_graph import BASE, EPOCHS, write_graph
from results import busy, write_section

EDITS = 5_000
PART = 1_000


def edit(workspace: Path, scale: str, told: multiprocessing.Queue[list[float]], *, close: bool) -> None:
    """Make edits and tell how long each took, in ms; then close the workspace, or be killed."""
    from hpc_explorer.app.operations import open_sources
    from hpc_explorer.app.session import Session
    from hpc_explorer.rdf.namespaces import RDF, RDFS
    from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
    from hpc_explorer.stores.changes import ChangeSet

    session = Session.new()
    open_sources(session, [str(workspace)], keep_workspace=True)
    graph, kind = NamedNode("urn:edits"), NamedNode(f"https://hpc-fair.github.io/prov-ml#Kind{close:d}")
    taken = []
    for number in range(EDITS):
        # A batch of the graph is named, renamed, and made an instance of one more class.
        third = number // 3
        batch = NamedNode(f"{BASE}w{third % 8}/s0/e{third // 8 % EPOCHS[scale]}/b{third % 234}")
        texts = [f"batch {number - number % 3} of run {close:d}", f"batch {number} of run {close:d}"]
        named, renamed = (Quad(batch, RDFS.label, Literal(text), graph) for text in texts)
        changes = [
            ChangeSet((), (named,), "name"),
            ChangeSet((named,), (renamed,), "rename"),
            ChangeSet((), (Quad(batch, RDF.type, kind, graph),), "classify"),
        ]
        began = time.perf_counter()
        session.edit(changes[number % 3])
        taken.append(1000 * (time.perf_counter() - began))
    if close:
        began = time.perf_counter()
        session.close()
        taken.append(1000 * (time.perf_counter() - began))
    told.put(taken)
    told.close()
    told.join_thread()
    if not close:
        os.kill(os.getpid(), signal.SIGKILL)


def reopen(workspace: Path, told: multiprocessing.Queue[list[float]]) -> None:
    """How long it takes from nothing to the first class tree."""
    began = time.perf_counter()
    from hpc_explorer.app.operations import class_tree, open_sources
    from hpc_explorer.app.session import Session

    session = Session.new()
    open_sources(session, [str(workspace)])
    class_tree(session)
    told.put([time.perf_counter() - began])
    session.close()


def in_a_process(work, *arguments, **options) -> list[float]:  # type: ignore[no-untyped-def]
    """What a function tells that runs in a process of its own."""
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    process = context.Process(target=work, args=(*arguments, told), kwargs=options)
    process.start()
    result: list[float] = told.get()
    process.join()
    return result


def measure(scale: str) -> dict[str, float]:
    """All figures at one scale."""
    from hpc_explorer.app.operations import load_into

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        triples = write_graph(folder / "graph.nt", scale)
        workspace = folder / "workspace"
        load_into(workspace, [str(folder / "graph.nt")])
        figures = {"triples": float(triples), "reopen s": in_a_process(reopen, workspace)[0]}
        for close in (True, False):
            taken = in_a_process(edit, workspace, scale, close=close)
            run = "first run" if close else "second run"
            figures[f"{run}: first edit ms"] = taken[0]
            for part, some in (("first", taken[1:PART]), ("last", taken[EDITS - PART : EDITS])):
                ordered = sorted(some)
                figures[f"{run}: {part} thousand p50 ms"] = ordered[len(ordered) // 2]
                figures[f"{run}: {part} thousand p95 ms"] = ordered[len(ordered) * 95 // 100]
            if close:
                figures["close ms"] = taken[-1]
                figures["reopen after it was closed s"] = in_a_process(reopen, workspace)[0]
        figures["reopen after it was killed s"] = in_a_process(reopen, workspace)[0]
        return figures


def table(scales: list[str]) -> list[str]:
    """The figures as Markdown, a column for each scale."""
    columns = [measure(scale) for scale in scales]
    lines = [f"{EDITS:,} edits, twice.", "", f"| | {' | '.join(scales)} |", f"|---|{'---|' * len(scales)}"]
    for name in columns[0]:
        decimals = 0 if name == "triples" else 2
        lines.append(f"| {name} | {' | '.join(f'{column[name]:,.{decimals}f}' for column in columns)} |")
    return lines


if __name__ == "__main__":
    before = busy()
    write_section("Edits of a workspace", table(sys.argv[1:] or ["1/10"]), before)
