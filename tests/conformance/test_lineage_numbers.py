"""The numbers of lineage are those of plain queries: sizes and depths of traces, what lies beyond, impact, projects."""

from __future__ import annotations

import itertools
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.lineage.impact import find_impact
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace import loading
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.lineage.trace.counts import next_level
from hpc_explorer.rdf.namespaces import HPC, PROV, PROVML, RDF
from hpc_explorer.rdf.syntax.formats import N_TRIPLES
from hpc_explorer.rdf.terms import DefaultGraph, NamedNode, Quad
from hpc_explorer.stores.base import Count
from hpc_explorer.stores.changes.changes import ChangeSet
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, text_of
from tests.helpers.plain_engine import PlainEngine

NODES = [ex(f"n{number}") for number in range(6)]
PROJECTS = [ex("p1"), ex("p2")]
# From an effect to its causes; what is only credited leads on from the start alone.
CARRY = "prov:used|prov:wasGeneratedBy|prov:wasDerivedFrom|^prov:generated|prov:wasInformedBy|prov:wasAssociatedWith"
CREDIT = "prov:wasAttributedTo|prov:actedOnBehalfOf"
_predicates = st.sampled_from(
    [PROV.term(name) for name in ("used", "wasGeneratedBy", "wasDerivedFrom", "generated", "wasInformedBy")] * 2
    + [PROV.wasAssociatedWith, PROV.wasAttributedTo, PROV.actedOnBehalfOf]
)
_nodes = st.sampled_from(NODES)
_links = st.tuples(_nodes, _predicates, _nodes)
_others = st.one_of(
    st.tuples(_nodes, st.just(RDF.type), st.just(PROVML.Model)),
    st.tuples(_nodes, st.just(HPC.project), st.sampled_from([*PROJECTS, *NODES])),
    st.tuples(st.sampled_from(PROJECTS), st.just(HPC.aiModel), _nodes),
)
_triples = _links | _others
_graphs = st.tuples(
    st.lists(_links, min_size=9, max_size=18, unique=True), st.lists(_others, min_size=8, max_size=14, unique=True)
).map(lambda both: [*both[0], *both[1]])
ALWAYS = [(project, RDF.type, HPC.Project) for project in PROJECTS]


def check(session: Session, plain: PlainEngine, start: NamedNode) -> None:
    """Compare what is said of one thing with plain queries."""
    if not plain.rows(f"SELECT * {{ {{ {start} ?p ?o }} UNION {{ ?s ?p {start} }} }} LIMIT 1"):
        return
    vocabulary = session.lineage_vocabulary()
    for downstream, step in ((False, f"({CARRY}|{CREDIT})"), (True, f"^({CARRY}|{CREDIT})")):
        sizes = [
            plain.number(f"SELECT (COUNT(DISTINCT ?x) AS ?n) {{ {start} {'/'.join([f'{step}?'] * depth)} ?x }}")
            for depth in range(1, 5)
        ]
        whole = plain.number(f"SELECT (COUNT(DISTINCT ?x) AS ?n) {{ {start} {step}* ?x }}")
        assert len(trace_lineage(session, start, downstream=downstream).nodes) == whole
        for depth, (size, after) in enumerate(itertools.pairwise(sizes), 1):
            found = trace_lineage(session, start, downstream=downstream, depth=depth)
            assert len(found.nodes) == size
            assert max(node.depth for node in found.nodes.values()) <= depth
            assert next_level(session.store, found, vocabulary) == Count(after - size)
            assert found.complete == (whole == size)

    found = find_impact(session, start)
    models = {model for (model,) in plain.rows(f"SELECT ?m {{ ?m a {PROVML.Model} FILTER(?m != {start}) }}")}
    up = f"({CARRY})*/({CARRY}|{CREDIT})"
    reached = {model for (model,) in plain.rows(f"SELECT DISTINCT ?m {{ ?m {up} {start} }}")} & models
    assert {model.ref.resource for model in found.models} == reached
    assert (found.total, found.candidates) == (Count(len(reached)), Count(len(models)))
    for model in found.models:
        assert len(model.reached.path) == model.reached.distance
        assert (model.reached.path[0].cause, model.reached.path[-1].effect) == (start, model.ref.resource)
        near = f"({CARRY}|{CREDIT})"
        steps = "/".join([f"({CARRY})?"] * (model.reached.distance - 1) + [near])
        assert plain.rows(f"SELECT * {{ VALUES ?m {{ {model.ref.resource} }} ?m {steps} {start} }}")
        if model.reached.distance > 1:
            nearer = "/".join([f"({CARRY})?"] * (model.reached.distance - 2) + [near])
            assert not plain.rows(f"SELECT * {{ VALUES ?m {{ {model.ref.resource} }} ?m {nearer} {start} }}")
    numbers: Counter[object] = Counter()
    for model in reached:
        numbers.update(owners_of(plain, model) or {None})
    assert {project and project.resource: number for project, number in found.projects} == {
        project: Count(number) for project, number in numbers.items()
    }


def owners_of(plain: PlainEngine, model: NamedNode) -> set[object]:
    """The projects of a model: of each thing on the way its own, else those of what holds it or made it."""
    found: set[object] = set()
    waiting, seen = [model], {model}
    while waiting:
        one = waiting.pop()
        wholes = {whole for (whole,) in plain.rows(f"SELECT ?w {{ {one} {HPC.project}|^{HPC.aiModel} ?w }}")}
        own = wholes & set(PROJECTS)
        made = plain.rows(f"SELECT ?w {{ {one} prov:wasGeneratedBy|^prov:generated|prov:wasInformedBy ?w }}")
        found |= own
        for above in set() if own else wholes | {maker for (maker,) in made}:
            if above not in seen:
                seen.add(above)
                waiting.append(above)
    return found


_CASE = itertools.count()


@examples(40)
@given(_graphs)
def test_lineage_of_a_file(tmp_path: Path, triples: list[tuple[NamedNode, NamedNode, NamedNode]]) -> None:
    quads = [Quad(*triple, DefaultGraph()) for triple in (*triples, *ALWAYS)]
    file = tmp_path / f"{next(_CASE)}.nt"
    file.write_text(text_of(quads, N_TRIPLES), encoding="utf-8")
    with closing(Session.new()) as session:
        open_sources(session, [str(file)])
        for start in NODES[:3]:
            check(session, PlainEngine(quads), start)


@pytest.mark.slow
@examples(10)
@given(_graphs, st.lists(_triples, max_size=4))
def test_lineage_of_a_workspace_with_columns(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    triples: list[tuple[NamedNode, NamedNode, NamedNode]],
    added: list[tuple[NamedNode, NamedNode, NamedNode]],
) -> None:
    monkeypatch.setattr(loading, "WORTH_FROM", 1)
    quads = [Quad(*triple, DefaultGraph()) for triple in (*triples, *ALWAYS)]
    folder = tmp_path / str(next(_CASE))
    folder.mkdir()
    (folder / "graph.nt").write_text(text_of(quads, N_TRIPLES), encoding="utf-8")
    load_into(folder / "workspace", [str(folder / "graph.nt")])
    with closing(Session.new()) as session:
        open_sources(session, [str(folder / "workspace")], keep_workspace=True)
        assert session.columns is not None
        for start in NODES[:3]:
            check(session, PlainEngine(quads), start)
        graph = session.sources[0].graph
        removed = [Quad(*triple, graph) for triple in triples[::3]]
        session.edit(ChangeSet(tuple(removed), tuple(Quad(*triple, graph) for triple in added), "edit"))
        after = {*triples, *ALWAYS} - set(triples[::3]) | set(added)
        plain = PlainEngine(Quad(*triple, DefaultGraph()) for triple in after)
        for start in NODES[:3]:
            check(session, plain, start)
