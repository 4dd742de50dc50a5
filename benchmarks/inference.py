"""Measures inference beside owlrl, on PROV-like graphs of growing size."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator

from results import busy, write_section

from hpc_explorer.ontology.explanation import why
from hpc_explorer.ontology.inference import infer
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import PROV, RDF
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.local.local import LocalStore

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


def store_of(steps: int) -> LocalStore:
    """The chain, and what its properties mean."""
    from hpc_explorer.rdf.syntax.reading import read_bytes
    from hpc_explorer.stores.local.loading import load_content

    store = LocalStore.in_memory()
    load_content(store, read_bytes(SCHEMA.encode(), name="schema.ttl", base="urn:schema"), GRAPH)
    store.add_quads(data(steps))
    return store


def best(work: Callable[[], object]) -> float:
    """The least seconds of processor time of three runs."""
    seconds = []
    for _ in range(3):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return min(seconds)


def by_owlrl(steps: int) -> float:
    """The seconds that owlrl's OWL 2 RL closure of the same graph takes, once."""
    import owlrl
    import rdflib

    graph = rdflib.Graph().parse(data=SCHEMA, format="turtle")
    for quad in data(steps):
        graph.add(tuple(rdflib.URIRef(term.value) for term in (quad.subject, quad.predicate, quad.object)))
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    return time.process_time() - began


def table() -> list[str]:
    """The figures as Markdown."""
    lines = [
        "PROV-like graphs, seconds of processor time, best of three.",
        "",
        "| triples | inferred | s | µs a triple inferred | ms to explain one | owlrl s |",
        "|---|---|---|---|---|---|",
    ]
    for steps in (100, 1_000, 10_000, 50_000):
        store = store_of(steps)
        stated = store.size().value
        seconds = best(lambda store=store: infer(store))
        inferred = store.size().value - stated
        some = [quad.triple for quad, _ in zip(store.match(graph=INFERRED), range(100), strict=False)]
        explained = best(lambda store=store, some=some: [why(store, one) for one in some]) / len(some)
        peer = f"{by_owlrl(steps):.2f}" if steps <= OWLRL_UP_TO else "–"
        figures = f"{seconds:.2f} | {seconds / inferred * 1e6:.1f} | {explained * 1e3:.2f}"
        lines.append(f"| {stated:,} | {inferred:,} | {figures} | {peer} |")
    return lines


if __name__ == "__main__":
    before = busy()
    write_section("Inference", table(), before)
