"""The facts by column say of impact and of projects what the triples say."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.lineage.columns.impact import column_impact, column_projects_of
from hpc_explorer.lineage.impact.impact import impact
from hpc_explorer.lineage.impact.projects import PROJECT_CLASSES, projects_of
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVLAKE, RDF
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource
from hpc_explorer.stores.columns.building import build_columns
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.graphs import GRAPH, ex

STEPS = [
    PROV.wasDerivedFrom, PROV.generated, PROV.wasInfluencedBy, PROV.wasAssociatedWith, PROV.wasAttributedTo,
    PROV.actedOnBehalfOf, PROV.contributed, PROV.wasGeneratedBy,
]  # fmt: skip
PARTS = [HPC.project, PROVLAKE.isPartOf, DCTERMS.hasPart, HPC.aiModel]
VOCABULARY = LINEAGE_VOCABULARY.only(set(STEPS))
INFERRED = NamedNode("http://example.org/inferred")
THINGS = st.sampled_from([*map(ex, "abcdefgh"), BlankNode("x")])
_LINKS = st.builds(Quad, THINGS, st.sampled_from(STEPS), THINGS, st.sampled_from([GRAPH, INFERRED]))
_OTHERS = (
    st.builds(Quad, THINGS, st.sampled_from(PARTS), THINGS, st.just(GRAPH))
    | st.builds(Quad, THINGS, st.just(RDF.type), st.sampled_from([ex("Model"), HPC.Project, PROV.Plan]), st.just(GRAPH))
    | st.builds(Quad, THINGS, st.just(PROV.wasDerivedFrom), st.just(Literal("x")), st.just(GRAPH))
)
STATEMENTS = st.tuples(
    st.lists(_LINKS, min_size=4, max_size=18, unique=True), st.lists(_OTHERS, min_size=6, max_size=16, unique=True)
).map(lambda both: [*both[0], *both[1]])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("columns")


@contextmanager
def both(quads: list[Quad], folder: Path) -> Iterator[tuple[LocalStore, Columns]]:
    store = LocalStore.in_memory()
    store.add_quads(quads)
    store.settle(set(store.graphs()))
    file = folder / "columns.db"
    file.unlink(missing_ok=True)
    build_columns(store, file)
    columns = Columns(file)
    try:
        yield store, columns
    finally:
        columns.close()


@examples(40)
@given(STATEMENTS)
def test_impact_is_that_of_the_triples(folder: Path, quads: list[Quad]) -> None:
    with both(quads, folder) as (store, columns):
        for start in sorted({quad.subject for quad in quads}, key=str):
            check_impact(store, columns, quads, start)  # type: ignore[arg-type]  # no quoted triples


def check_impact(store: LocalStore, columns: Columns, quads: list[Quad], start: Resource) -> None:
    models = {quad.subject for quad in quads if quad.predicate == RDF.type and quad.object == ex("Model")}
    expected = impact(store, start, VOCABULARY, models)  # type: ignore[arg-type]  # no quoted triples
    answer = column_impact(columns, store, start, VOCABULARY, [ex("Model")], inferred_graphs=frozenset({INFERRED}))
    assert answer is not None
    found, count = answer
    assert count == len(models - {start})
    assert found == expected
    for one in found:
        way = [start, *(edge.effect for edge in one.path)]
        assert [(edge.cause, edge.effect) for edge in one.path] == list(itertools.pairwise(way))
        assert (way[-1], len(one.path)) == (one.resource, one.distance)
        for edge in one.path:
            stated = [Quad(*quad.triple, quad.graph_name) for quad in edge.evidence]
            assert set(stated) <= set(quads)
            is_inferred = all(quad.graph_name == INFERRED for quad in stated)
            assert edge.origin is (Origin.INFERRED if is_inferred else Origin.ASSERTED)


def test_influence_beside_a_derivation_leads_to_no_project(folder: Path) -> None:
    b, project = ex("b"), ex("project")
    quads = [
        Quad(project, RDF.type, HPC.Project, GRAPH),
        Quad(b, PROV.wasInfluencedBy, project, GRAPH),
        Quad(b, PROV.generated, ex("c"), GRAPH),
    ]
    for derived, expected in (([], {b: {project}}), ([Quad(b, PROV.wasDerivedFrom, project, GRAPH)], {})):
        with both([*quads, *derived], folder) as (store, columns):
            assert projects_of(store, [b], VOCABULARY) == expected
            assert column_projects_of(columns, [b], VOCABULARY) == expected


@pytest.mark.slow
@examples(40)
@given(STATEMENTS, st.sets(THINGS, min_size=3))
def test_projects_are_those_of_the_triples(folder: Path, quads: list[Quad], resources: set[Resource]) -> None:
    with both(quads, folder) as (store, columns):
        found = column_projects_of(columns, resources, VOCABULARY)
        assert found == projects_of(store, resources, VOCABULARY)
        # However often a predicate is used, and whichever way of asking that makes the cheaper one.
        for number in (0, 3, 99):
            used = dict.fromkeys([quad.predicate for quad in quads], number)
            assert projects_of(store, resources, VOCABULARY, PROJECT_CLASSES, used=used) == found


def test_what_columns_cannot_tell_is_left_to_the_triples(folder: Path) -> None:
    with both([Quad(ex("a"), PROV.wasDerivedFrom, ex("b"), GRAPH)], folder) as (store, columns):
        assert column_impact(columns, store, ex("b"), LINEAGE_VOCABULARY, [ex("Model")]) is None
        assert column_projects_of(columns, [ex("a")], LINEAGE_VOCABULARY) is None
