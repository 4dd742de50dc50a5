"""Measures edits of a workspace on the PROV-ML graph: what one costs at first, after thousands, after minutes of them.

    python benchmarks/edits.py [--seconds N] [1/100] [1/10] [1/1]

Without a scale 1/10. Each edit is journalled durably, and triples, counts and names follow it. With --seconds, edits
are made for so long without a pause, many more than anybody would make, and each minute is told.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from provml_graph import BASE, BATCHES, EPOCHS, WORKFLOWS, write_graph
from results import busy, write_section

if TYPE_CHECKING:
    from hpc_explorer.stores.changes.changes import ChangeSet

EDITS = 5_000
PART = 1_000
MINUTE = 60.0

COLUMNS = ("minute", "edits", "p50 ms", "p95 ms", "slowest ms", "journal MB", "states MB", "resident MB", "load")


def changes(scale: str, run: str) -> Iterator[ChangeSet]:
    """Edits without end: a batch of the graph is named, renamed and classified, then the next; then all anew."""
    from hpc_explorer.rdf.namespaces import RDF, RDFS
    from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
    from hpc_explorer.stores.changes.changes import ChangeSet

    graph, epochs = NamedNode("urn:edits"), EPOCHS[scale]
    batches = WORKFLOWS * epochs * BATCHES

    def said(which: int, turn: int) -> tuple[Quad, Quad]:
        rest, workflow = divmod(which, WORKFLOWS)
        number, epoch = divmod(rest, epochs)
        batch = NamedNode(f"{BASE}w{workflow}/training/e{epoch}/b{number}")
        name = Literal(f"batch {which} of run {run}, turn {turn}")
        kind = NamedNode(f"https://hpc-fair.github.io/prov-ml#Kind{run}{turn % 5}")
        return Quad(batch, RDFS.label, name, graph), Quad(batch, RDF.type, kind, graph)

    for number in itertools.count():
        turn, which = divmod(number, batches)
        old_name, old_kind = said(which, turn - 1)
        name, kind = said(which, turn)
        first = Quad(name.subject, RDFS.label, Literal(f"batch {number}"), graph)
        yield ChangeSet((old_name,), (first,), "name")
        yield ChangeSet((first,), (name,), "rename")
        yield ChangeSet((old_kind,), (kind,), "classify")


def edit(workspace: Path, scale: str, told: multiprocessing.Queue[list[float]], *, close: bool) -> None:
    """Make edits and tell how long each took, in ms; then close the workspace, or be killed."""
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session

    session = Session.new()
    open_sources(session, [str(workspace)], keep_workspace=True)
    taken = []
    for change in itertools.islice(changes(scale, f"{close:d}"), EDITS):
        began = time.perf_counter()
        session.edit(change)
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


def edit_for(workspace: Path, scale: str, seconds: float, told: multiprocessing.Queue[list[Any]]) -> None:
    """Make edits for so long; tell how long closing took, in ms, and a line of `COLUMNS` for each minute."""
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session

    session = Session.new()
    open_sources(session, [str(workspace)], keep_workspace=True)
    stream = changes(scale, "")
    rows = []
    began = time.perf_counter()
    for minute in itertools.count(1):
        taken = []
        end = began + min(minute * MINUTE, seconds)
        while (now := time.perf_counter()) < end:
            session.edit(next(stream))
            taken.append(1000 * (time.perf_counter() - now))
        taken.sort()
        row = f"| {minute} | {len(taken):,} | {taken[len(taken) // 2]:.2f} | {taken[len(taken) * 95 // 100]:.2f} "
        row += f"| {taken[-1]:.0f} | {megabytes(workspace / 'journal'):.1f} | {megabytes(workspace / 'states'):.0f} "
        rows.append(row + f"| {resident():.0f} | {os.getloadavg()[0]:.1f} |")
        if minute * MINUTE >= seconds:
            break
    now = time.perf_counter()
    session.close()
    told.put([1000 * (time.perf_counter() - now), *rows])


def megabytes(folder: Path) -> float:
    """What the files in a folder take; one that is linked several times counts once."""
    sizes = {}
    for path in folder.rglob("*"):
        try:
            found = path.stat()
        except FileNotFoundError:
            continue
        sizes[found.st_ino] = found.st_size
    return sum(sizes.values()) / 1e6


def resident() -> float:
    """The megabytes of memory that this process has now."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def reopen(workspace: Path, told: multiprocessing.Queue[list[float]]) -> None:
    """How long it takes from nothing to the first class tree."""
    began = time.perf_counter()
    from hpc_explorer.app.explore.classes import class_tree
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session

    session = Session.new()
    open_sources(session, [str(workspace)])
    class_tree(session)
    told.put([time.perf_counter() - began])
    session.close()


def in_a_process(work, *arguments, **options) -> list[Any]:  # type: ignore[no-untyped-def]
    """What a function tells that runs in a process of its own."""
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    process = context.Process(target=work, args=(*arguments, told), kwargs=options)
    process.start()
    result: list[Any] = told.get()
    process.join()
    return result


def loaded(folder: Path, scale: str) -> tuple[Path, int]:
    """A workspace with the graph in it, and how many triples that has."""
    from hpc_explorer.app.workspace.loading import load_into

    triples = write_graph(folder / "graph.nt", scale)
    load_into(folder / "workspace", [str(folder / "graph.nt")])
    return folder / "workspace", triples


def measure(scale: str) -> dict[str, float]:
    """All figures at one scale."""
    with tempfile.TemporaryDirectory() as name:
        workspace, triples = loaded(Path(name), scale)
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


def minutes(scale: str, seconds: float) -> list[str]:
    """How editing for so many seconds went, as Markdown, a line a minute."""
    with tempfile.TemporaryDirectory() as name:
        workspace, triples = loaded(Path(name), scale)
        before = in_a_process(reopen, workspace)[0]
        closing, *rows = in_a_process(edit_for, workspace, scale, seconds)
        after = in_a_process(reopen, workspace)[0]
        return [
            f"{triples:,} triples; closed in {closing:,.0f} ms; opened to the first class tree in {before:.2f} s",
            f"before and {after:.2f} s after; then the states took {megabytes(workspace / 'states'):,.0f} MB.",
            "",
            f"| {' | '.join(COLUMNS)} |",
            f"|{'---|' * len(COLUMNS)}",
            *rows,
        ]


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scales", nargs="*", default=["1/10"], metavar="SCALE")
    parser.add_argument("--seconds", type=float, help="edit without a pause for so long, at the first scale")
    chosen = parser.parse_args()
    before = busy()
    if chosen.seconds:
        write_section("Edits without a pause", minutes(chosen.scales[0], chosen.seconds), before)
    else:
        write_section("Edits of a workspace", table(chosen.scales), before)


if __name__ == "__main__":
    main()
