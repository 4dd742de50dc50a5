"""Measures inference beside owlrl and reasonable: the rules that each has, and the time on graphs of growing size.

    python benchmarks/inference.py            # all of it, into RESULTS.md
    python benchmarks/inference.py 1/100 1/10 # the PROV-ML graph in a workspace, with the shipped ontology, printed

`HPC_EXPLORER_REASONABLE` names the Python of an environment with `reasonable`, which is no dependency of this project;
without it, its columns are empty.
"""

from __future__ import annotations

import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from pyoxigraph import RdfFormat, parse, serialize
from results import busy, write_section

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hpc_explorer.errors import Cancelled
from hpc_explorer.ontology.explanation import why
from hpc_explorer.ontology.inference import infer
from hpc_explorer.ontology.rules import INFERRED, RuleSet
from hpc_explorer.rdf.namespaces import PROV, RDF
from hpc_explorer.rdf.syntax.reading import read_bytes
from hpc_explorer.rdf.terms import NamedNode, Quad, Triple
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import store_of
from tests.helpers.owl_rl_examples import CONTRADICTIONS, RULES_BY_HAND

GRAPH = NamedNode("urn:benchmark")
SCHEMA = """
@prefix prov: <http://www.w3.org/ns/prov#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
prov:wasGeneratedBy rdfs:subPropertyOf prov:wasInfluencedBy ; rdfs:domain prov:Entity ; rdfs:range prov:Activity .
prov:used rdfs:subPropertyOf prov:wasInfluencedBy ; rdfs:domain prov:Activity ; rdfs:range prov:Entity .
prov:wasDerivedFrom rdfs:subPropertyOf prov:wasInfluencedBy ; rdfs:domain prov:Entity ; rdfs:range prov:Entity .
prov:influenced owl:inverseOf prov:wasInfluencedBy . prov:Plan rdfs:subClassOf prov:Entity .
"""
OWLRL_UP_TO = 1_000
ERROR = NamedNode("http://www.daml.org/2002/03/agents/agent-ont#ErrorMessage")

BY_REASONABLE = """
import json, sys, time, warnings
import reasonable
warnings.simplefilter("ignore")
done = []
for name in sys.argv[1:]:
    began = time.process_time()
    reasoner = reasonable.PyReasoner()
    reasoner.load_file(name)
    found = reasoner.reason()
    seconds = time.process_time() - began
    done.append([seconds, [[term.n3() for term in one] for one in found] if len(found) < 1000 else []])
print(json.dumps(done))
"""


def data(steps: int) -> Iterator[Quad]:
    """Steps of a chain: an activity uses one entity and makes the next; four triples each."""

    def node(kind: str, number: int) -> NamedNode:
        return NamedNode(f"http://example.org/{kind}/{number}")

    for number in range(steps):
        activity, before, after = node("activity", number), node("entity", number), node("entity", number + 1)
        yield Quad(activity, RDF.type, PROV.Activity, GRAPH)
        yield Quad(activity, PROV.used, before, GRAPH)
        yield Quad(after, PROV.wasGeneratedBy, activity, GRAPH)
        yield Quad(after, PROV.wasDerivedFrom, before, GRAPH)


def written(steps: int, folder: Path) -> Path:
    """A file of the chain, and of what its properties mean."""
    store = LocalStore.in_memory()
    load_content(store, read_bytes(SCHEMA.encode(), name="schema.ttl", base="urn:schema"), GRAPH)
    store.add_quads(data(steps))
    file = folder / f"{steps}.ttl"
    serialize((quad.triple for quad in store.match()), str(file), format=RdfFormat.TURTLE)
    return file


def loaded(file: Path) -> LocalStore:
    """A store with the statements of a file."""
    store = LocalStore.in_memory()
    load_content(store, read_bytes(file.read_bytes(), name=file.name, base="urn:file"), GRAPH)
    return store


def best(work: Callable[[], object]) -> float:
    """The least seconds of processor time of three runs."""
    seconds = []
    for _ in range(3):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return min(seconds)


def by_owlrl(file: Path) -> tuple[float, set[Triple]]:
    """The seconds in which owlrl reads a file and makes its OWL 2 RL closure, once; and the closure."""
    import owlrl
    import rdflib

    began = time.process_time()
    graph = rdflib.Graph().parse(str(file), format="turtle")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    seconds = time.process_time() - began
    for one in list(graph):
        if isinstance(one[0], rdflib.Literal) or not isinstance(one[1], rdflib.URIRef):
            graph.remove(one)
    text = graph.serialize(format="nt", encoding="utf-8")
    return seconds, {quad.triple for quad in parse(io.BytesIO(text), RdfFormat.N_TRIPLES)}


def by_reasonable(files: list[Path]) -> list[tuple[float, set[Triple]]] | None:
    """The seconds in which reasonable reads each file and reasons, once, and small results; None if it is not there."""
    python = os.environ.get("HPC_EXPLORER_REASONABLE")
    if not python:
        return None
    done = subprocess.run([python, "-c", BY_REASONABLE, *map(str, files)], capture_output=True, text=True, check=True)
    results = []
    for seconds, statements in json.loads(done.stdout):
        lines = (f"{s} {p} {o} .\n" for s, p, o in statements if not s.startswith('"') and p.startswith("<"))
        results.append((seconds, {quad.triple for quad in parse("".join(lines), RdfFormat.N_TRIPLES)}))
    return results


def is_contradictory_to_owlrl(turtle: str, folder: Path) -> bool:
    """Whether owlrl adds an error message to a graph."""
    file = folder / "contradiction.ttl"
    serialize((quad.triple for quad in store_of(turtle + " .").match()), str(file), format=RdfFormat.TURTLE)
    return any(one.object == ERROR for one in by_owlrl(file)[1])


def passes(folder: Path) -> list[str]:
    """How many examples of rules each passes, as Markdown."""
    examples = [(store_of(turtle + " ."), store_of(conclusion + " .")) for _, turtle, conclusion in RULES_BY_HAND]
    files = []
    for number, (store, _) in enumerate(examples):
        files.append(folder / f"rule{number}.ttl")
        serialize((quad.triple for quad in store.match()), str(files[-1]), format=RdfFormat.TURTLE)
    reasonable = by_reasonable(files)
    passed: dict[str, set[int]] = {"ours": set(), "owlrl": set(), "reasonable": set()}
    for number, (store, conclusion) in enumerate(examples):
        (expected,) = (quad.triple for quad in conclusion.match())
        infer(store, None, RuleSet.OWL_RL)
        found = {"ours": {quad.triple for quad in store.match()}, "owlrl": by_owlrl(files[number])[1]}
        if reasonable is not None:
            found["reasonable"] = reasonable[number][1]
        for name, triples in found.items():
            if expected in triples:
                passed[name].add(number)
    told = sum(
        [one.rule for one in infer(store_of(turtle + " ."), None, RuleSet.OWL_RL).contradictions] == [rule]
        for rule, turtle, _ in CONTRADICTIONS
    )
    lines = ["| of all of OWL 2 RL | ours | owlrl | reasonable |", "|---|---|---|---|"]
    counts = [str(len(passed[name])) for name in ("ours", "owlrl")]
    counts.append("–" if reasonable is None else str(len(passed["reasonable"])))
    lines.append(f"| conclusions, of {len(examples)} examples | {' | '.join(counts)} |")
    told_by_owlrl = sum(is_contradictory_to_owlrl(turtle, folder) for _, turtle, _ in CONTRADICTIONS)
    lines.append(f"| contradictions, of {len(CONTRADICTIONS)} examples | {told} | {told_by_owlrl} | not told |")
    if reasonable is not None:
        missed = [name for number, (name, _, _) in enumerate(RULES_BY_HAND) if number not in passed["reasonable"]]
        lines += [
            "",
            f"Rules with an example that reasonable does not conclude: {', '.join(dict.fromkeys(missed)) or 'none'}.",
        ]
    missed = [name for number, (name, _, _) in enumerate(RULES_BY_HAND) if number not in passed["owlrl"]]
    return [
        *lines,
        "",
        f"Rules with an example that owlrl does not conclude: {', '.join(dict.fromkeys(missed)) or 'none'}.",
    ]


def table(folder: Path) -> list[str]:
    """The figures as Markdown."""
    lines = [
        "PROV-like graphs in Turtle, seconds of processor time from the file to the conclusions: in a store (ours,",
        "best of three), in a graph (owlrl, once) and in a list (reasonable, once).",
        "",
        "| triples | inferred | common rules | OWL 2 RL | owlrl | reasonable | reasonable / OWL 2 RL | ms to explain |",
        "|---|---|---|---|---|---|---|---|",
    ]
    sizes = (100, 1_000, 10_000)
    files = [written(steps, folder) for steps in sizes]
    reasonable = by_reasonable(files)
    for number, (steps, file) in enumerate(zip(sizes, files, strict=True)):
        store = loaded(file)
        stated = store.size().value
        common = best(lambda file=file: infer(loaded(file)))
        whole = best(lambda file=file: infer(loaded(file), None, RuleSet.OWL_RL))
        inferred = infer(store).triples
        some = [quad.triple for quad, _ in zip(store.match(graph=INFERRED), range(100), strict=False)]
        explained = best(lambda store=store, some=some: [why(store, one) for one in some]) / len(some)
        owlrl = f"{by_owlrl(file)[0]:.2f}" if steps <= OWLRL_UP_TO else "–"
        peer = (
            ("–", "–")
            if reasonable is None
            else (f"{reasonable[number][0]:.2f}", f"{reasonable[number][0] / whole:.1f}")
        )
        figures = f"{common:.2f} | {whole:.2f} | {owlrl} | {peer[0]} | {peer[1]} | {explained * 1e3:.2f}"
        lines.append(f"| {stated:,} | {inferred:,} | {figures} |")
    return lines


def in_workspace(scale: str, folder: Path) -> str:
    """Infer from the PROV-ML graph in a workspace, in this process, as a line of a table."""
    from provml_graph import write_graph

    from hpc_explorer.app.explore.inference import infer as infer_in
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session

    graph, workspace = folder / "graph.nt", folder / "workspace"
    triples = write_graph(graph, scale)
    load = [sys.executable, "-m", "hpc_explorer", "load", str(graph), "--into", str(workspace)]
    subprocess.run(load, check=True, capture_output=True)
    session = Session.new()
    open_sources(session, [str(workspace)])
    said: list[tuple[str, float, float]] = []

    def progress(text: str, fraction: float | None) -> None:
        said.append((text, time.perf_counter(), time.process_time()))

    began, used = time.perf_counter(), time.process_time()
    report = infer_in(session, progress=progress)
    seconds, cpu = time.perf_counter() - began, time.process_time() - used
    writing = [(at, worked) for text, at, worked in said if text.startswith("writing")]
    written = time.process_time() - writing[-1][1] if writing else 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    # A cancelled run ends in a moment, and leaves nothing.
    token = CancelToken()
    timer = threading.Timer(min(seconds / 2, 5.0), token.cancel)
    timer.start()
    cancelled = "–"
    try:
        infer_in(session, limits=Limits(cancel=token))
    except Cancelled:
        cancelled = "yes" if session.inference is None else "left statements"
    timer.cancel()
    session.close()
    return (
        f"| {triples:,} | {report.triples:,} | {seconds:.0f} | {cpu:.0f} | {written:.0f} | {most:,.0f} | {cancelled} |"
    )


def main() -> None:
    """Measure the scales that are named, or what RESULTS.md has."""
    if sys.argv[1:]:
        print("| triples | inferred | s | processor s | of it writing and counting | most resident MB | cancelled |")
        print("|--:|--:|--:|--:|--:|--:|---|", flush=True)
        for scale in sys.argv[1:]:
            with tempfile.TemporaryDirectory() as place:
                print(in_workspace(scale, Path(place)), flush=True)
        return
    before = busy()
    with tempfile.TemporaryDirectory() as made:
        write_section("Inference", [*passes(Path(made)), "", *table(Path(made))], before)


if __name__ == "__main__":
    main()
