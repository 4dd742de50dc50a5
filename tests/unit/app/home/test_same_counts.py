"""One question has one number, wherever it is asked: in the class tree, a table, a list, a query, the query builder."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, serialize

from hpc_explorer.app.explore.class_picture import every_class
from hpc_explorer.app.explore.classes import instances_of
from hpc_explorer.app.explore.describing import describe_graph
from hpc_explorer.app.explore.inference import infer
from hpc_explorer.app.explore.overview import overview
from hpc_explorer.app.home.class_table import class_table
from hpc_explorer.app.home.property_groups import property_groups, property_table, without_class, without_class_table
from hpc_explorer.app.query.facets import facet_store, properties_in_focus
from hpc_explorer.app.query.run_query import run_query
from hpc_explorer.app.workspace import loading
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.building import Direction, new_query
from hpc_explorer.query.facets.suggestions import solution_count
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Resource
from hpc_explorer.stores.base import Count
from tests.helpers.datasets import LITERALS
from tests.helpers.examples import examples
from tests.helpers.graphs import ex
from tests.helpers.sessions import session_of

CLASSES = [ex(name) for name in ("A", "B", "C", "D")]
THINGS = st.sampled_from([*map(ex, "abcdef"), BlankNode("x"), BlankNode("y")])
STATEMENTS = st.lists(
    st.builds(Quad, THINGS, st.just(RDF.type), st.sampled_from([*CLASSES, BlankNode("z")]))
    | st.builds(Quad, THINGS, st.sampled_from([ex("p"), ex("q"), RDFS.label]), THINGS | LITERALS)
    | st.builds(
        Quad,
        st.sampled_from(CLASSES),
        st.sampled_from([RDFS.subClassOf, OWL.equivalentClass]),
        st.sampled_from(CLASSES),
    ),
    min_size=1,
    max_size=14,
)


@contextmanager
def sessions(sources: Collection[list[Quad]]) -> Iterator[tuple[Session, Session]]:
    """Files in memory, and the same files loaded into a workspace in bulk, with columns."""
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patched:
        files = [Path(name) / f"{number}.nt" for number in range(len(sources))]
        for file, quads in zip(files, sources, strict=True):
            serialize((quad.triple for quad in quads), str(file), format=RdfFormat.N_TRIPLES)
        patched.setattr(loading, "BULK_FROM", 1)
        patched.setattr(loading, "WORTH_FROM", 1)
        load_into(Path(name) / "workspace", list(map(str, files)))
        in_memory, workspace = session_of(*files), session_of(Path(name) / "workspace")
        yield in_memory, workspace
        in_memory.close()
        workspace.close()


def number_of(session: Session, pattern: str) -> Count:
    """What a query counts."""
    answer = run_query(session, f"SELECT (COUNT(DISTINCT ?s) AS ?n) WHERE {{ {pattern} }}")
    return Count(int(answer.rows[0][0].value))  # type: ignore[union-attr]


def counts(session: Session) -> dict[object, Count]:
    """The numbers of a graph, each asked for in all ways there are."""
    found: dict[object, Count] = {}
    summary, schema = describe_graph(session), session.schema()
    store = facet_store(session)
    for node in every_class(overview(session).classes).values():
        cls = node.ref.resource
        assert isinstance(cls, NamedNode)
        below = " ".join(map(str, schema.at_or_below(cls)))
        page, table = instances_of(session, cls), class_table(session, cls)
        assert node.instances == page.total == table.total == number_of(session, f"VALUES ?c {{ {below} }} ?s a ?c")
        assert node.instances.value == len(page.items) == len(table.rows)
        found[cls] = node.instances
    stated = {one.term: one.count for one in summary.classes}
    for cls, count in stated.items():
        assert count == number_of(session, f"?s a {cls}"), cls
    for predicate in summary.predicates:
        rows = run_query(session, f"SELECT (COUNT(*) AS ?n) WHERE {{ ?s {predicate.term} ?o }}").rows
        assert rows[0][0] == Literal(predicate.count.value)
        found[predicate.term] = predicate.count
    for group in property_groups(session):
        table = property_table(session, group)
        assert (
            group.resources
            == table.total
            == Count(len(table.rows))
            == number_of(session, f"?s {group.ref.resource} ?o")
        )
        found["with", group.ref.resource] = group.resources
    rest = without_class(session)
    table = without_class_table(session, rest)
    said = [quad for quad in session.store.match() if quad.predicate not in (RDF.first, RDF.rest)]
    classed = {quad.subject for quad in said if quad.predicate == RDF.type and isinstance(quad.object, NamedNode)}
    assert (
        rest.resources == table.total == Count(len(table.rows)) == Count(len({quad.subject for quad in said} - classed))
    )
    found["without"] = rest.resources
    for cls in CLASSES:
        built = new_query(cls, name="s")
        instances = number_of(session, f"?s a/<{RDFS.subClassOf.value}>* {cls}")
        assert solution_count(store, built.query) == instances
        options = properties_in_focus(session, built.query, built.focus, Direction.FORWARD).options
        for option in options:
            pattern = f"?s a/<{RDFS.subClassOf.value}>* {cls} ; {option.property} ?o"
            assert option.count == number_of(session, pattern)
            found[cls, option.property] = option.count
    return found


def triples(*said: tuple[Resource, NamedNode, Resource | Literal]) -> list[Quad]:
    return [Quad(*one, DefaultGraph()) for one in said]


A, B, C = CLASSES[:3]
MIXED = [
    triples(
        (B, RDFS.subClassOf, A), (C, OWL.equivalentClass, B), (ex("a"), RDF.type, A), (ex("a"), RDF.type, B),
        (ex("b"), RDF.type, B), (ex("c"), RDF.type, C), (BlankNode("x"), RDF.type, C), (ex("a"), ex("p"), ex("b")),
        (ex("a"), ex("p"), ex("c")), (ex("a"), RDFS.label, Literal("one", language="en")),
        (ex("a"), RDFS.label, Literal("eins", language="de")), (ex("d"), ex("q"), Literal(1)),
        (ex("e"), RDF.type, BlankNode("z")), (BlankNode("y"), ex("p"), ex("a")),
    ),
    triples((ex("a"), RDF.type, A), (ex("a"), ex("p"), ex("b")), (ex("b"), RDF.type, A), (ex("f"), ex("q"), Literal("x"))),
]  # fmt: skip
"""Every way to count something twice or not at all."""


def test_the_numbers_of_a_graph_that_says_things_twice() -> None:
    with sessions(MIXED) as (in_memory, workspace):
        assert counts(in_memory) == counts(workspace)


@pytest.mark.slow
@examples(15)
@example(MIXED, True)
@given(st.lists(STATEMENTS, min_size=1, max_size=2), st.booleans())
def test_a_number_is_the_same_wherever_it_is_asked_for(sources: list[list[Quad]], inferred: bool) -> None:
    with sessions(sources) as (in_memory, workspace):
        if inferred:
            for session in (in_memory, workspace):
                infer(session)
        assert counts(in_memory) == counts(workspace)
