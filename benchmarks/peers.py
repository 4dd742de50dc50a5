"""Asks the same of this program and of its peers, on one graph: load, memory, neighbours, and questions 1, 5 and 7.

    python benchmarks/peers.py [1/100] [1/10] [1/1]

Each store works in a process of its own, which is stopped when it takes too long or too much memory; what it had not
answered by then is said to be so. Virtuoso takes part where the tests find one (`tests/helpers/virtuoso_server.py`).
"""

from __future__ import annotations

import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import islice
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

from provml_graph import EPOCHS, epoch_of, write_graph  # noqa: E402
from provml_queries import questions  # noqa: E402
from results import busy, write_section  # noqa: E402

OURS = "hpc-explorer"
PATIENCE = {"1/100": 60, "1/10": 240, "1/1": 900}
"""Seconds that a store has for everything at a scale."""

MEMORY = 8 * 2**30
"""Bytes of memory that it may have."""

_NODES = 300

Ask = Callable[[str], Iterable[Any]]
Neighbours = Callable[[str], Iterable[Any]]
Opened = AbstractContextManager[tuple[Ask, Neighbours]]


# The stores: each loads a file into a folder, and opens what it loaded as two functions.


def _load_ours(file: Path, folder: Path) -> Any:
    command = [sys.executable, "-m", "hpc_explorer", "load", str(file), "--into", str(folder / "workspace")]
    subprocess.run(command, check=True, capture_output=True)


@contextmanager
def _open_ours(folder: Path, loaded: Any) -> Iterator[tuple[Ask, Neighbours]]:
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.rdf.terms import NamedNode

    session = Session.new()
    open_sources(session, [str(folder / "workspace")])
    store = session.store

    def neighbours(iri: str) -> Iterable[Any]:
        return [*store.match(NamedNode(iri)), *store.match(None, None, NamedNode(iri))]

    # As a person's question is answered: what sums up goes to the facts by column.
    yield session.with_columns(store).select, neighbours
    session.close()


def _load_oxigraph(file: Path, folder: Path | None) -> Any:
    import pyoxigraph

    store = pyoxigraph.Store(None if folder is None else str(folder / "store"))
    store.bulk_load(path=str(file), format=pyoxigraph.RdfFormat.N_TRIPLES)
    store.optimize()
    return store if folder is None else None


def _open_oxigraph(folder: Path, loaded: Any) -> Opened:
    import pyoxigraph

    store = loaded or pyoxigraph.Store.read_only(str(folder / "store"))

    def neighbours(iri: str) -> Iterable[Any]:
        node = pyoxigraph.NamedNode(iri)
        return [*store.quads_for_pattern(node, None, None), *store.quads_for_pattern(None, None, node)]

    return nullcontext((store.query, neighbours))


def _load_rdflib(file: Path, folder: Path) -> Any:
    import rdflib

    return rdflib.Graph().parse(file, format="nt")


def _open_rdflib(folder: Path, loaded: Any) -> Opened:
    import rdflib

    def neighbours(iri: str) -> Iterable[Any]:
        node = rdflib.URIRef(iri)
        return [*loaded.triples((node, None, None)), *loaded.triples((None, None, node))]

    return nullcontext((loaded.query, neighbours))


def _load_virtuoso(file: Path, folder: Path) -> Any:
    from tests.helpers.virtuoso_server import virtuoso_server

    server = virtuoso_server(most_rows=1_000_000)
    address = server.__enter__()
    post(file, address)
    return server, address


def post(file: Path, address: str) -> None:
    """Load a file of N-Triples into a server, in pieces, by its Graph Store protocol."""
    import httpx

    with open(file, encoding="utf-8") as lines, httpx.Client(trust_env=False, timeout=None) as client:
        while piece := "".join(islice(lines, 50_000)):
            client.post(
                f"{address}-graph-crud",
                params={"graph-uri": "urn:benchmark"},
                content=piece,
                headers={"Content-Type": "application/n-triples"},
            ).raise_for_status()


@contextmanager
def _open_virtuoso(folder: Path, loaded: Any) -> Iterator[tuple[Ask, Neighbours]]:
    from hpc_explorer.stores.remote.remote import RemoteStore

    server, address = loaded
    store = RemoteStore(address)
    from hpc_explorer.rdf.terms import NamedNode

    def neighbours(iri: str) -> Iterable[Any]:
        return [*store.match(NamedNode(iri)), *store.match(None, None, NamedNode(iri))]

    yield store.select, neighbours
    store.close()
    server.__exit__(None, None, None)


STORES: dict[str, tuple[Callable[[Path, Path], Any], Callable[[Path, Any], Opened]]] = {
    OURS: (_load_ours, _open_ours),
    "pyoxigraph, disk": (_load_oxigraph, _open_oxigraph),
    "pyoxigraph, memory": (lambda file, folder: _load_oxigraph(file, None), _open_oxigraph),
    "rdflib, memory": (_load_rdflib, _open_rdflib),
    "Virtuoso": (_load_virtuoso, _open_virtuoso),
}


# In the process of one store


def ask(who: str, file: Path, folder: Path, scale: str, *, with_provml: bool) -> None:
    """Load a graph into a store, ask it, and print each figure as a line of JSON as soon as it is there."""

    def tell(name: str, value: float) -> None:
        print(json.dumps([name, value]), flush=True)

    load, opened = STORES[who]
    began = time.perf_counter()
    loaded = load(file, folder)
    if with_provml:
        tell("load s", time.perf_counter() - began)
    with opened(folder, loaded) as (select, neighbours):
        if with_provml:
            taken = sorted(_ms(lambda iri=iri: neighbours(iri)) for iri in _nodes(scale))
            tell("neighbours p50 ms", taken[len(taken) // 2])
            tell("neighbours p95 ms", taken[len(taken) * 95 // 100])
        if with_provml and who != "Virtuoso":
            tell("resident MB", _resident())
        for name, text in questions(scale, with_provml=with_provml).items():
            rows: list[Any] = []
            times = [_ms(lambda text=text, rows=rows: rows.extend(select(text)))]
            if len(rows) != (1 if name == "Q1" else EPOCHS[scale]):
                raise SystemExit(f"{who} answers {name} with {len(rows)} rows")
            if times[0] < 1_000:
                times += [_ms(lambda text=text: list(select(text))) for _ in range(4)]
            tell(f"{name} {'with' if with_provml else 'without'} PROV-ML ms", statistics.median(times))


def _nodes(scale: str) -> list[str]:
    step = max(1, 8 * 3 * EPOCHS[scale] * 3 // _NODES)
    nodes = [
        epoch_of(workflow, stage, epoch) + part
        for workflow in range(8)
        for stage in range(3)
        for epoch in range(EPOCHS[scale])
        for part in ("", "/b7", "/accuracy")
    ]
    return nodes[::step]


def _ms(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def _resident() -> float:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


# In the process that compares them


def measured(who: str, file: Path, scale: str, *, with_provml: bool) -> tuple[dict[str, float], str]:
    """The figures of one store, and why it gave no more; empty if it gave all."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, __file__, "--ask", who, str(file), folder, scale, "with" if with_provml else "without"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)),
        )
        try:
            out, err = process.communicate(timeout=PATIENCE[scale])
            last = err.decode(errors="replace").strip().rsplit("\n", 1)[-1]
            why = "" if process.returncode == 0 else f"failed: {last.partition(': ')[2] or last}"[:60].rstrip(": ")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, _ = process.communicate()
            why = f"not in {PATIENCE[scale]} s"
        finally:
            # A server that it started ends with it.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return dict(json.loads(line) for line in out.decode().splitlines()), why


def present() -> list[str]:
    """The stores that there are on this machine."""
    import importlib.util

    names = [name for name in STORES if name != "Virtuoso"]
    if importlib.util.find_spec("rdflib") is None:
        names.remove("rdflib, memory")
    helper = Path(__file__).resolve().parents[1] / "tests" / "helpers" / "virtuoso_server.py"
    if helper.exists():
        from tests.helpers.virtuoso_server import virtuoso_program

        if virtuoso_program() is not None:
            names.append("Virtuoso")
    return names


def table(scales: list[str]) -> list[str]:
    """The figures as Markdown, a table for each scale; behind a peer's figure its ratio to ours."""
    names = present()
    given_up: set[str] = set()
    lines = [
        "Neighbours are the statements about a node, from it and to it. Q1, Q5 and Q7 are the questions of seed 004,",
        "on the graph with PROV-ML and on the same graph without it (its section 5.4). In brackets: how many times our",
        f"figure. A store has {MEMORY / 2**30:.0f} GiB, and for everything on one of the graphs",
        f"{', '.join(f'{PATIENCE[scale]} s at {scale}' for scale in scales)}.",
        *([] if "Virtuoso" in names else ["Virtuoso is not installed on this machine."]),
    ]
    for scale in scales:
        found: dict[str, dict[str, float]] = {}
        reasons: dict[str, list[str]] = {}
        with tempfile.TemporaryDirectory() as folder:
            for with_provml in (True, False):
                file = Path(folder, "graph.nt")
                triples = write_graph(file, scale, with_provml=with_provml)
                for name in names:
                    if name in given_up or name in reasons:
                        continue
                    print(f"{scale} {name} {'with' if with_provml else 'without'}", file=sys.stderr, flush=True)
                    figures, why = measured(name, file, scale, with_provml=with_provml)
                    found.setdefault(name, {}).update(figures)
                    if why:
                        reasons.setdefault(name, []).append(why)
        rows = list(dict.fromkeys(row for figures in found.values() for row in figures))
        lines += [
            "",
            f"### {scale}: {triples:,} triples",
            "",
            f"| | {' | '.join(names)} |",
            f"|---|{'---|' * len(names)}",
        ]
        for row in rows:
            cells = [_cell(found, reasons, given_up, name, row) for name in names]
            lines.append(f"| {row} | {' | '.join(cells)} |")
        # Who does not end at one scale is not tried at ten times as much.
        given_up |= {name for name, said in reasons.items() if said[0].startswith("not in")}
    return lines


def _cell(
    found: dict[str, dict[str, float]], reasons: dict[str, list[str]], given_up: set[str], name: str, row: str
) -> str:
    if name in given_up:
        return "not tried"
    value = found[name].get(row)
    if value is None:
        # The memory of a server is not that of the process that asks it.
        return "–" if row == "resident MB" and name == "Virtuoso" else reasons.get(name, ["–"])[0]
    ours = found[OURS].get(row)
    if not ours or name == OURS:
        return f"{value:,.2f}"
    times = value / ours
    return f"{value:,.2f} ({times:,.0f}×)" if times >= 10 else f"{value:,.2f} ({times:.2g}×)"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ask"]:
        ask(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]), sys.argv[5], with_provml=sys.argv[6] == "with")
    else:
        before = busy()
        write_section("The same asked of others", table(sys.argv[1:] or ["1/100", "1/10"]), before)
