"""Measures a click in the query builder on the PROV-ML graph: the first rows, their number, and all facets anew.

    python benchmarks/facets.py [1/100] [1/10] [1/1] [--server 1/10]...

Without a scale 1/10 in a workspace and 1/100 on a server. A journey of thirty clicks is gone through twice: the figures
are those of the second time, the first time stands beside them; on a server once. The server is Oxigraph's on this
machine, behind a proxy that counts the requests; answers are not kept from one click to the next.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent))

from provml_graph import write_graph
from results import busy, write_section

if TYPE_CHECKING:
    from hpc_explorer.query.building import FocusedQuery

ROOT = Path(__file__).resolve().parents[1]

HEADING = "A click in the query builder"

TARGETS = {"1/10": "150 ms", "1/1": "500 ms"}


def journey() -> Iterator[tuple[str, FocusedQuery]]:
    """What is asked after each click."""
    from hpc_explorer.query.building import Direction, new_query, with_class, with_property, with_range, with_values
    from hpc_explorer.query.building import Mode as PartMode
    from hpc_explorer.rdf.namespaces import PROV, RDFS, XSD
    from hpc_explorer.rdf.terms import Literal, NamedNode

    def ml(name: str) -> NamedNode:
        return NamedNode(f"https://example.org/provml#{name}")

    forward, backward = Direction.FORWARD, Direction.BACKWARD
    yield "anything", new_query(None)
    evaluations = new_query(ml("ModelEvaluation"), name="evaluation")
    yield "evaluations", evaluations
    value = with_property(evaluations, PROV.value, forward, name="value")
    yield "their values", value
    low = with_range(value, Literal("0.1", datatype=XSD.double), Literal("0.4", datatype=XSD.double))
    yield "values of a range", low
    yield "that range, evaluations", type(low)(low.query, evaluations.focus)
    epoch = with_property(type(low)(low.query, evaluations.focus), PROV.wasGeneratedBy, forward, name="batch")
    yield "batches that gave them", epoch
    began = with_property(epoch, PROV.startedAtTime, forward, name="began")
    yield "when these began", began
    used = with_property(type(low)(began.query, epoch.focus), PROV.used, forward, name="used")
    yield "what they used", used
    models = with_class(used, ml("Model"))
    yield "models that they used", models
    batches = new_query(ml("TrainingSectionExecution"), name="batch")
    yield "batches of training", batches
    informed = with_property(batches, PROV.wasInformedBy, forward, name="epoch")
    yield "their epochs", informed
    yield "batches again", type(low)(informed.query, batches.focus)
    results = with_property(type(low)(informed.query, batches.focus), PROV.wasGeneratedBy, backward, name="result")
    yield "their results", results
    numbers = with_property(results, PROV.value, forward, name="value")
    yield "the numbers of these", numbers
    people = with_property(informed, PROV.wasAssociatedWith, forward, mode=PartMode.OPTIONAL, name="who")
    yield "who, perhaps", people
    derived = with_property(evaluations, PROV.wasDerivedFrom, forward, name="source")
    yield "sources of evaluations", derived
    influenced = with_property(derived, PROV.wasInfluencedBy, forward, name="influence")
    yield "their influences", influenced
    labelled = with_property(new_query(None), RDFS.label, forward, name="label")
    yield "labels", labelled
    chosen = with_values(labelled, (Literal("learning rate"), Literal("loss")))
    yield "two labels", chosen
    yield "what is called so", type(low)(chosen.query, next(one for one in chosen.query.variables))
    hyper = new_query(ml("LearningHyperparameter"), name="parameter")
    yield "hyperparameters", hyper
    yield "their labels", with_property(hyper, RDFS.label, forward, name="label")
    setting = new_query(ml("LearningHyperparameterSetting"), name="setting")
    yield "settings", setting
    yield "values of settings", with_property(setting, PROV.value, forward, name="value")
    model = new_query(ml("Model"), name="model")
    yield "models", model
    made = with_property(model, PROV.wasGeneratedBy, forward, name="run")
    yield "runs that made them", made
    ended = with_property(made, PROV.endedAtTime, forward, name="ended")
    yield "when these ended", ended
    users = with_property(model, PROV.used, backward, name="user")
    yield "what used models", users
    yield "who that was", with_property(users, PROV.wasAssociatedWith, forward, name="who")
    yield "models that were derived", with_property(model, PROV.wasDerivedFrom, backward, name="derived")


def ask(source: str) -> None:
    """In a fresh process: the milliseconds of each click, the first time and the second, and its requests, as JSON."""
    from hpc_explorer.app.query.facets import facets_of
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.query.facets.click_plan import Facet
    from hpc_explorer.stores.base import CancelToken, Limits

    session = Session.new()
    open_sources(session, [source])
    session.schema()
    session.usage()
    clicks = []
    for turn in (1,) if session.store.capabilities.remote else (0, 1):
        for name, focused in journey():
            parts: dict[str, float] = {}
            began, used = time.perf_counter(), time.process_time()

            def tell(part: object, began: float = began, parts: dict[str, float] = parts) -> None:
                told = part.result  # type: ignore[attr-defined]  # a NamedFacet
                parts[told.facet.value] = 1000 * (time.perf_counter() - began)

            print(f"click {turn} {name}", file=sys.stderr, flush=True)
            facets_of(
                session, focused.query, focused.focus, tell, visible=tuple(Facet), limits=Limits(cancel=CancelToken())
            )
            taken, work = 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - used)
            clicks.append(
                {"turn": turn, "name": name, "ms": taken, "cpu": work, "rows": parts.get("rows", 0.0), "parts": parts}
            )
    print("done", file=sys.stderr, flush=True)
    session.close()
    print(json.dumps(clicks))


def asked(source: str) -> list[dict[str, object]]:
    """The figures of one source, asked in a fresh process."""
    command = [sys.executable, __file__, "--ask", source]
    environment = {**os.environ, "HPC_EXPLORER_CACHE": "off"}
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=environment, stderr=subprocess.DEVNULL
    )
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def of_server(graph: Path, folder: Path) -> tuple[list[dict[str, object]], list[int]]:
    """The figures of a server, and the requests of each click."""
    sys.path.insert(0, str(ROOT))
    from tests.helpers.limiting_proxy import limiting_proxy
    from tests.helpers.oxigraph_server import oxigraph_server, server_program

    place = folder / "server"
    load = [server_program(), "load", "--location", str(place), "--file", str(graph)]
    subprocess.run(load, check=True, capture_output=True)
    requests = 0

    def count(number: int) -> None:
        nonlocal requests
        requests = number

    with (
        oxigraph_server("--location", str(place)) as address,
        limiting_proxy(f"{address}/query", 10**9, at_query=count) as proxy,
    ):
        command = [sys.executable, __file__, "--ask", proxy]
        environment = {**os.environ, "HPC_EXPLORER_CACHE": "off"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        assert process.stderr is not None
        assert process.stdout is not None
        before: list[int] = []
        for line in process.stderr:
            if line.startswith(("click ", "done")):
                before.append(requests)
        found = json.loads(process.stdout.read())
        process.wait()
    return found, [later - earlier for earlier, later in pairwise(before)]


def percentile(numbers: list[float], share: float) -> float:
    """The number that this share of all is at most."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def row(name: str, clicks: list[dict[str, object]], requests: list[int] | None = None) -> str:
    """One line of the table."""
    again = [one for one in clicks if one["turn"] == 1]
    first = [float(one["ms"]) for one in clicks if one["turn"] == 0] or [0.0]  # type: ignore[arg-type]  # a number
    taken = [float(one["ms"]) for one in again]  # type: ignore[arg-type]  # likewise
    rows = [float(one["rows"]) for one in again]  # type: ignore[arg-type]  # likewise
    cells = [
        percentile(taken, 0.5),
        percentile(taken, 0.95),
        max(taken),
        percentile(first, 0.95),
        percentile(rows, 0.95),
        percentile([float(one["cpu"]) for one in again], 0.95),  # type: ignore[arg-type]  # likewise
    ]
    figures = [f"{cell:,.0f}" if cell else "–" for cell in cells]
    return f"| {name} | {' | '.join(figures)} | {max(requests) if requests else '–'} |"


def main(arguments: list[str]) -> None:
    """Measure the scales that are named, and keep the figures."""
    if arguments[:1] == ["--ask"]:
        ask(arguments[1])
        return
    before = busy()
    at_server = [arguments[at + 1] for at, word in enumerate(arguments) if word == "--server"]
    here = [word for at, word in enumerate(arguments) if word != "--server" and arguments[at - 1 : at] != ["--server"]]
    if not arguments:
        here, at_server = ["1/10"], ["1/100"]
    lines = [
        "From the click to all lists, the histogram, the first rows and their number, over a journey of thirty clicks.",
        "",
        "| ms | p50 | p95 | longest | p95, first time | p95, first rows | p95, processor | most requests |",
        "|---|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for scale in dict.fromkeys([*here, *at_server]):
            graph = folder / "graph.nt"
            triples = write_graph(graph, scale)
            if scale in here:
                workspace = folder / "workspace"
                load = [sys.executable, "-m", "hpc_explorer", "load", str(graph), "--into", str(workspace)]
                subprocess.run(load, check=True, capture_output=True)
                target = f" (to be at most {TARGETS[scale]})" if scale in TARGETS else ""
                lines.append(row(f"workspace, {triples:,} triples{target}", asked(str(workspace))))
            if scale in at_server:
                lines.append(row(f"Oxigraph's server, {triples:,} triples", *of_server(graph, folder)))
    write_section(HEADING, lines, before)


if __name__ == "__main__":
    main(sys.argv[1:])
