"""Does what the window does over real servers that hold the PROV-ML graph, and counts what each operation asks of them.

    python benchmarks/servers.py [1/100] [1/10] [1/1]

The servers are Oxigraph's and Virtuoso on this machine, each behind a relay that counts requests and bytes. Every
operation of the window is called as the window calls it, in one session, in the order in which a person would. Answers
are not kept between operations (HPC_EXPLORER_CACHE=off). An operation that takes longer than `SOON` is done once more
and cancelled after a second; the time until it has ended is told. None may take longer than `PATIENCE`.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT)]

from facets import journey  # noqa: E402
from peers import post  # noqa: E402
from provml_graph import BASE, model_of, write_graph  # noqa: E402
from provml_queries import questions  # noqa: E402
from results import busy, write_section  # noqa: E402

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.stores.base import Limits

HEADING = "The window over a server"
SERVERS = ("Oxigraph", "Virtuoso")

SOON = 2.0
"""Seconds in which an operation answers, or shows that it waits and can be stopped."""

PATIENCE = 90.0
"""Seconds after which an operation is ended by its deadline."""

STOPPED_AFTER = 1.0
"""Seconds after which a slow operation is cancelled when it is done once more."""

VIRTUOSO_BUFFERS = 100_000
"""Pages of 8 KiB that Virtuoso keeps in memory."""

SUM = """SELECT ?class (COUNT(?s) AS ?n) (AVG(?value) AS ?mean) WHERE {
  ?s a ?class ; <http://www.w3.org/ns/prov#value> ?value FILTER(isNumeric(?value)) } GROUP BY ?class"""


@dataclass
class Places:
    """Resources of the graph, and what operations hand to those after them.

    Attributes:
        model: the model that was trained last.
        hub: what all losses are derived from.
        many: the class with most instances.
    """

    scale: str
    folder: Path
    held: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        from hpc_explorer.rdf.terms import NamedNode

        self.model = NamedNode(model_of(self.scale))
        self.hub = NamedNode(f"{BASE}batchloss")
        self.many = NamedNode("https://example.org/provml#ModelEvaluation")
        self.models = NamedNode("https://example.org/provml#Model")
        self.raw, self.run, self.other_run = (NamedNode(f"{BASE}{name}") for name in ("raw", "w0", "w1"))
        self.dataset = NamedNode(f"{BASE}w0/dataset0")


Operation = Callable[["Session", Places, "Limits"], str]
"""Does what the window does; returns what it shows."""


def operations() -> Iterator[tuple[str, Operation]]:
    """The operations of the window with their names, in order."""
    from itertools import islice

    from hpc_explorer.app.ask.asking import interpret, known_phrases
    from hpc_explorer.app.checks.validating import check_graph, check_resource
    from hpc_explorer.app.explore.class_picture import ClassChoice, class_picture, every_class
    from hpc_explorer.app.explore.classes import instances_of
    from hpc_explorer.app.explore.described import described
    from hpc_explorer.app.explore.describing import describe_graph
    from hpc_explorer.app.explore.drawing import neighbourhood_scene
    from hpc_explorer.app.explore.finding import search
    from hpc_explorer.app.explore.inference import infer
    from hpc_explorer.app.explore.overview import overview
    from hpc_explorer.app.export.exporting import Extent, export_graph
    from hpc_explorer.app.export.requests import ExportOrder, preview_export
    from hpc_explorer.app.fair.assessing import assess_resource, plan_for, repairs_for
    from hpc_explorer.app.fair.assessing_many import resources_to_assess
    from hpc_explorer.app.forms.loading import loaded_form
    from hpc_explorer.app.graph.expanding import classes_in, expand, neighbour_sets, show_path, show_resources
    from hpc_explorer.app.home.class_table import class_table
    from hpc_explorer.app.home.property_groups import property_groups, property_table
    from hpc_explorer.app.lineage.answering import comparison_answer, impact_answer
    from hpc_explorer.app.lineage.comparing import alike
    from hpc_explorer.app.lineage.recipe_answer import recipe_answer
    from hpc_explorer.app.lineage.traced import traced
    from hpc_explorer.app.monitor.run_view import run_view
    from hpc_explorer.app.query.completion import known_terms, more_terms
    from hpc_explorer.app.query.facets import facets_of
    from hpc_explorer.app.query.questions import fitting_questions
    from hpc_explorer.app.query.streaming import RowBatch, RowsCounted, rows_of
    from hpc_explorer.app.share.sharing import write_shared_page
    from hpc_explorer.canvas.view.state import GraphView
    from hpc_explorer.query.completion.candidates import offered
    from hpc_explorer.query.facets.click_plan import Facet

    def home(session: Session, at: Places, limits: Limits) -> str:
        at.held["classes"] = overview(session, limits=limits).classes
        return f"{len(every_class(at.held['classes']))} classes"

    def fitting(session: Session, at: Places, limits: Limits) -> str:
        return f"{len(fitting_questions(session, limits=limits).questions)} questions"

    def table(session: Session, at: Places, limits: Limits) -> str:
        found = class_table(session, at.many, limits=limits)
        return f"{len(found.rows):,} of {found.total} rows"

    def by_property(session: Session, at: Places, limits: Limits) -> str:
        at.held["groups"] = property_groups(session, limits=limits)
        return f"{len(at.held['groups'])} properties"

    def of_property(session: Session, at: Places, limits: Limits) -> str:
        found = property_table(session, at.held["groups"][0], limits=limits)
        return f"{len(found.rows):,} of {found.total} rows"

    def instances(session: Session, at: Places, limits: Limits) -> str:
        page = instances_of(session, at.many, limits=limits)
        return f"{len(page.items):,} of {page.total} instances"

    def further(session: Session, at: Places, limits: Limits) -> str:
        page = instances_of(session, at.many, offset=20_000, limits=limits)
        return f"{len(page.items):,} of {page.total} instances"

    def classes(session: Session, at: Places, limits: Limits) -> str:
        iris = frozenset(every_class(at.held["classes"]))
        drawn = class_picture(session, at.held["classes"], ClassChoice(iris, True, frozenset({at.many.value})),
                              limits=limits)  # fmt: skip
        return f"{drawn.drawn} classes, {drawn.links} links"

    def info(session: Session, at: Places, limits: Limits) -> str:
        found = describe_graph(session, limits=limits)
        return f"{len(found.predicates)} properties"

    def searched(text: str, session: Session, at: Places, limits: Limits) -> str:
        found = search(session, text, limits=limits)
        return f"{len(found.hits)} of {found.total} hits"

    def inspected(which: str, session: Session, at: Places, limits: Limits) -> str:
        view = described(session, getattr(at, which), limits=limits).view
        groups = (*view.outgoing, *view.incoming)
        return f"{sum(len(one.values) for one in groups):,} values of {sum(one.total.value for one in groups):,}"

    def pictured(which: str, session: Session, at: Places, limits: Limits) -> str:
        return f"{len(neighbourhood_scene(session, getattr(at, which), limits=limits).nodes)} cards"

    def sets(session: Session, at: Places, limits: Limits) -> str:
        at.held["sets"] = neighbour_sets(session, at.hub, limits=limits)
        return f"{len(at.held['sets'])} sets, {sum(one.count.value for one in at.held['sets']):,} neighbours"

    def set_classes(session: Session, at: Places, limits: Limits) -> str:
        largest = max(at.held["sets"], key=lambda one: one.count.value)
        return ", ".join(str(one.count) for one in classes_in(session, largest.of, limits=limits))

    def expanded(session: Session, at: Places, limits: Limits) -> str:
        largest = max(at.held["sets"], key=lambda one: one.count.value)
        view = show_resources(session, GraphView(), [at.hub], limits=limits)
        return f"{len(expand(session, view, largest.of, limits=limits).nodes)} nodes"

    def path(session: Session, at: Places, limits: Limits) -> str:
        view = show_resources(session, GraphView(), [at.model, at.raw], limits=limits)
        found = show_path(session, view, at.model, at.raw, limits=limits)
        return "none" if found is None else f"{len(found.nodes)} nodes"

    def lineage(which: str, downstream: bool, session: Session, at: Places, limits: Limits) -> str:
        found = traced(session, getattr(at, which), downstream=downstream, limits=limits)
        at.held.setdefault("lineage", found.lineage)
        return f"{len(found.lineage.nodes):,} resources"

    def impact(session: Session, at: Places, limits: Limits) -> str:
        return impact_answer(session, at.raw, limits=limits).summary[0]

    def compared(session: Session, at: Places, limits: Limits) -> str:
        return f"{len(comparison_answer(session, at.run, at.other_run, limits=limits).sections)} sections"

    def similar(session: Session, at: Places, limits: Limits) -> str:
        return f"{len(alike(session, at.model, limits=limits).others):,} others"

    def recipe(session: Session, at: Places, limits: Limits) -> str:
        return f"{len(recipe_answer(session, at.model, limits=limits).sections)} sections"

    def clicked(session: Session, at: Places, limits: Limits) -> str:
        """The thirty clicks of `facets.py`."""
        taken = []
        for _, focused in journey():
            began = time.perf_counter()
            facets_of(session, focused.query, focused.focus, lambda part: None, visible=tuple(Facet), limits=limits)
            taken.append(time.perf_counter() - began)
        return f"{len(taken)} clicks, the slowest {max(taken):.1f} s"

    def completed(session: Session, at: Places, limits: Limits) -> str:
        known = known_terms(session, limits=limits)
        text = f"SELECT * {{ ?s a {at.models} ; "
        known = more_terms(session, known, offered(text, len(text), known), True, limits=limits)
        return f"{len(offered(text, len(text), known).completions)} completions"

    def asked(text: str, session: Session, at: Places, limits: Limits) -> str:
        number, total = 0, ""
        for part in rows_of(session, text, limits=limits):
            if isinstance(part, RowBatch):
                number += len(part.columns[0]) if part.columns else 0
            if isinstance(part, RowsCounted):
                total = str(part.total)
        return f"{number:,} of {total or '?'} rows"

    def first_rows(session: Session, at: Places, limits: Limits) -> str:
        parts = rows_of(session, "SELECT * { ?s ?p ?o }", limits=limits)
        for part in islice(parts, 3):
            if isinstance(part, RowBatch):
                parts.close()  # type: ignore[attr-defined]  # a generator
                return f"{len(part.columns[0])} rows"
        return "none"

    def question(name: str, session: Session, at: Places, limits: Limits) -> str:
        return asked(questions(at.scale, with_provml=True)[name], session, at, limits)

    def english(session: Session, at: Places, limits: Limits) -> str:
        known_phrases(session, limits=limits)
        found = interpret(session, "How many models are there?", limits=limits)
        return f"{len(found.readings)} readings"

    def fair(session: Session, at: Places, limits: Limits) -> str:
        at.held["fair"] = assess_resource(session, at.dataset, limits=limits)
        return f"{len(at.held['fair'].assessment.findings)} indicators"

    def fair_plan(session: Session, at: Places, limits: Limits) -> str:
        repairs = repairs_for(session, at.held["fair"], limits=limits)
        plan = plan_for(session, at.held["fair"], 60.0, limits=limits)
        return f"{len(repairs)} repairs, {len(plan.steps)} steps"

    def assessable(session: Session, at: Places, limits: Limits) -> str:
        return f"{len(resources_to_assess(session, limits=limits)):,} resources"

    def checked(session: Session, at: Places, limits: Limits) -> str:
        return f"{len(check_resource(session, at.model, limits=limits))} findings"

    def checked_all(session: Session, at: Places, limits: Limits) -> str:
        return f"{sum(1 for _ in islice(check_graph(session, limits=limits), 100)):,} findings"

    def form(session: Session, at: Places, limits: Limits) -> str:
        found = loaded_form(session, at.model, (), (), (), (), limits=limits)
        return f"{len(found.view.form.fields)} fields"

    def preview(session: Session, at: Places, limits: Limits) -> str:
        return f"{len(preview_export(session, ExportOrder(), limits=limits).text):,} characters"

    def exported(which: str, session: Session, at: Places, limits: Limits) -> str:
        extent = Extent() if not which else Extent(resources=(getattr(at, which),))
        report = export_graph(session, at.folder / "export.nq", extent=extent, limits=limits)
        return f"{report.triples:,} triples"

    def shared(session: Session, at: Places, limits: Limits) -> str:
        write_shared_page(session, at.model, at.folder / "page.html", limits=limits)
        return f"{(at.folder / 'page.html').stat().st_size // 1024:,} KiB page"

    def monitored(session: Session, at: Places, limits: Limits) -> str:
        return f"{len(run_view(session, at.run, limits=limits).jobs)} jobs"

    def inferred(session: Session, at: Places, limits: Limits) -> str:
        return f"{infer(session, limits=limits).triples:,} triples"

    yield "home: classes and their counts", home
    yield "home: questions that fit", fitting
    yield "home: table of the largest class", table
    yield "home without classes: properties", by_property
    yield "home without classes: table", of_property
    yield "class tree: first instances", instances
    yield "class tree: instances after 20,000", further
    yield "class diagram, with all links", classes
    yield "facts about the graph", info
    yield "search for a word", partial(searched, "unet")
    yield "search for two words", partial(searched, "batch execution")
    yield "search for nothing there", partial(searched, "qwertz")
    yield "inspector of a model", partial(inspected, "model")
    yield "inspector of a hub", partial(inspected, "hub")
    yield "neighbours of a model", partial(pictured, "model")
    yield "neighbours of a hub", partial(pictured, "hub")
    yield "Expand: sets of a hub", sets
    yield "Expand: classes of the largest", set_classes
    yield "Expand: 50 of them", expanded
    yield "shortest path", path
    yield "lineage of a model", partial(lineage, "model", False)
    yield "lineage from the raw data on", partial(lineage, "raw", True)
    yield "impact of the raw data", impact
    yield "two runs compared", compared
    yield "others to compare with", similar
    yield "how to make a model again", recipe
    yield "query builder: thirty clicks", clicked
    yield "completion in SPARQL", completed
    yield "SPARQL: first rows of everything", first_rows
    yield "SPARQL: sums and means by class", partial(asked, SUM)
    yield "question Q1", partial(question, "Q1")
    yield "question Q5", partial(question, "Q5")
    yield "question Q7", partial(question, "Q7")
    yield "a question in English", english
    yield "FAIR: one dataset", fair
    yield "FAIR: repairs and plan", fair_plan
    yield "FAIR: what can be assessed", assessable
    yield "check of a model", checked
    yield "check of the graph, to 100 findings", checked_all
    yield "form of a model", form
    yield "export: preview of all", preview
    yield "export: a model", partial(exported, "model")
    yield "export: all", partial(exported, "")
    yield "page to share", shared
    yield "Monitor: a run", monitored
    yield "inference", inferred


# In the process of one server


def ask(address: str, scale: str, only: str) -> None:
    """Do the operations over a server, and print each with its figures as a line of JSON as soon as it is done."""
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session
    from tests.helpers.counting_relay import counting_relay

    with counting_relay(address) as traffic, tempfile.TemporaryDirectory() as folder:
        session = Session.new()

        def opened() -> str:
            # A deadline here would hold for all that is asked later.
            open_sources(session, [traffic.address])
            return f"{session.sources[0].triples} triples"

        at = Places(scale, Path(folder))
        everything: list[tuple[str, Operation]] = [("open", lambda session, at, limits: opened())]
        for name, work in (*everything, *operations()):
            if only and name != "open" and not name.startswith("home: classes") and only not in name:
                continue
            requests, received = traffic.requests, traffic.received
            began = time.perf_counter()
            shows, told = _done(work, session, at, PATIENCE)
            seconds = time.perf_counter() - began
            asked, came = traffic.requests - requests, traffic.received - received
            stopped = None
            if seconds > SOON and name not in ("open", "inference"):
                stopped = _stopped(work, session, at, traffic.address if name.startswith("home: classes") else "")
            print(json.dumps([name, shows, told, asked, came, seconds, stopped]), flush=True)
        session.close()


def _done(work: Operation, session: Session, at: Places, patience: float) -> tuple[str, str]:
    """What an operation shows, or the words of the error that it ends with."""
    from hpc_explorer.errors import ExplorerError
    from hpc_explorer.stores.base import CancelToken, Limits

    # What does not heed its limits shows where it hangs, and ends this process.
    faulthandler.dump_traceback_later(patience + 60, exit=True)
    try:
        return work(session, at, Limits.seconds(patience, CancelToken())), ""
    except ExplorerError as error:
        return "", str(error)
    except Exception as error:  # noqa: BLE001  a fault of the program is a line of the table
        return "", f"FAULT: {type(error).__name__}: {error}"
    finally:
        faulthandler.cancel_dump_traceback_later()


def _stopped(work: Operation, session: Session, at: Places, anew: str) -> float | None:
    """The seconds from the cancel of an operation to its end; None if it was done before.

    Args:
        anew: the address to open for it, because the session keeps what it found; empty: the session will do.
    """
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.errors import Cancelled
    from hpc_explorer.stores.base import CancelToken, Limits

    token = CancelToken()
    told: list[float] = []

    def cancel() -> None:
        told.append(time.perf_counter())
        token.cancel()

    with contextlib.ExitStack() as ends:
        if anew:
            session = Session.new()
            ends.callback(session.close)
            open_sources(session, [anew])
        faulthandler.dump_traceback_later(PATIENCE + 60, exit=True)
        timer = threading.Timer(STOPPED_AFTER, cancel)
        timer.start()
        try:
            work(session, at, Limits.seconds(PATIENCE, token))
        except Cancelled:
            return time.perf_counter() - told[0]
        except Exception:  # noqa: BLE001  its first run has told it
            return None
        finally:
            timer.cancel()
            faulthandler.cancel_dump_traceback_later()
    return None


# In the process that starts the servers


@contextlib.contextmanager
def oxigraph(graph: Path, folder: Path) -> Iterator[str]:
    """Oxigraph's server with a graph; the address of its queries."""
    from tests.helpers.oxigraph_server import oxigraph_server, server_program

    place = folder / "oxigraph"
    load = [server_program(), "load", "--location", str(place), "--file", str(graph)]
    subprocess.run(load, check=True, capture_output=True)
    subprocess.run([server_program(), "optimize", "--location", str(place)], check=True, capture_output=True)
    with oxigraph_server("--location", str(place)) as address:
        yield f"{address}/query"


@contextlib.contextmanager
def virtuoso(graph: Path, folder: Path) -> Iterator[str]:
    """A Virtuoso with a graph; the address of its queries."""
    from tests.helpers.virtuoso_server import virtuoso_server

    with virtuoso_server(buffers=VIRTUOSO_BUFFERS) as address:
        post(graph, address)
        yield address


STARTED = {"Oxigraph": oxigraph, "Virtuoso": virtuoso}

Found = dict[str, tuple[str, str, int, int, float, float | None]]


def measured(server: str, graph: Path, folder: Path, scale: str, only: str) -> tuple[Found, float]:
    """The figures of the operations over a server, and the seconds in which it loaded the graph."""
    began = time.perf_counter()
    found: Found = {}
    with STARTED[server](graph, folder) as address:
        loaded = time.perf_counter() - began
        environment = {**os.environ, "HPC_EXPLORER_CACHE": "off"}
        process = subprocess.Popen(
            [sys.executable, __file__, "--ask", address, scale, only],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert process.stdout is not None
        for line in process.stdout:
            name, *figures = json.loads(line)
            found[name] = tuple(figures)
            print(f"{scale} {server} {name}: {figures}", file=sys.stderr, flush=True)
        if process.wait():
            print(f"{scale} {server}: ended with {process.returncode}", file=sys.stderr, flush=True)
    return found, loaded


def table(scales: Sequence[str], only: str) -> list[str]:
    """The figures as Markdown, a table for each scale."""
    lines = [
        "Every operation of the window over a server on this machine that holds the graph, through a relay that",
        "counts: requests, kilobytes that the server sent (headers included), and seconds. *Shows* is what the",
        f"operation showed at the first of the servers. What took longer than {SOON:.0f} s was done once more and",
        f"cancelled after {STOPPED_AFTER:.0f} s; the last column of a server has the time until it had ended.",
        f"Operations end by themselves after {PATIENCE:.0f} s.",
    ]
    for scale in scales:
        found: dict[str, Found] = {}
        with tempfile.TemporaryDirectory() as folder:
            graph = Path(folder, "graph.nt")
            triples = write_graph(graph, scale)
            loads = {}
            for server in SERVERS:
                found[server], loads[server] = measured(server, graph, Path(folder), scale, only)
        lines += ["", f"### {scale}: {triples:,} triples at a server", ""]
        lines.append(" ".join(f"{server} loaded them in {seconds:.0f} s." for server, seconds in loads.items()))
        lines += ["", f"| operation | shows | {' | '.join(f'{one}: requests | kB | s | ' for one in SERVERS)} |"]
        lines.append(f"|---|---|{'--:|--:|--:|---|' * len(SERVERS)}")
        for name in dict.fromkeys(name for figures in found.values() for name in figures):
            shows = next((found[one][name][0] for one in SERVERS if name in found[one] and found[one][name][0]), "")
            cells = " | ".join(_cells(found[one].get(name)) for one in SERVERS)
            lines.append(f"| {name} | {shows} | {cells} |")
    return lines


def _cells(figures: tuple[str, str, int, int, float, float | None] | None) -> str:
    if figures is None:
        return "– | – | – | not reached"
    _, told, requests, received, seconds, stopped = figures
    outcome = [told.replace("|", "/").replace("\n", " ")] if told else []
    if seconds > SOON:
        outcome.append("" if stopped is None else f"ended {stopped:.2f} s after the cancel")
    return f"{requests} | {received / 1000:,.0f} | {seconds:.2f} | {'; '.join(filter(None, outcome))}"


def main(arguments: list[str]) -> None:
    """Measure the scales that are named, and keep the figures."""
    if arguments[:1] == ["--ask"]:
        ask(*arguments[1:])
        return
    before = busy()
    only = next((word.partition("=")[2] for word in arguments if word.startswith("--only=")), "")
    scales = [word for word in arguments if not word.startswith("--")] or ["1/100", "1/10"]
    lines = table(scales, only)
    if only:
        print("\n".join(lines))
    else:
        write_section(HEADING, lines, before)


if __name__ == "__main__":
    main(sys.argv[1:])
