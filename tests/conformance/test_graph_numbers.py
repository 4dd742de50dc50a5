"""The numbers of a graph are those of a plain query: classes, predicates, graphs, the values of a resource.

In memory and in a workspace, where several sources and graphs state the same triple, after edits, undo and inference,
and read back from the counts that a workspace keeps.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, parse

from hpc_explorer.app.explore.class_picture import every_class
from hpc_explorer.app.explore.classes import class_tree, instances_of
from hpc_explorer.app.explore.describing import describe_graph, describe_resource
from hpc_explorer.app.explore.inference import infer, withdraw
from hpc_explorer.app.export.exporting import export_graph, void_document
from hpc_explorer.app.journal.journal import working_diff
from hpc_explorer.app.journal.push import push, push_plan
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownResource
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS, XSD
from hpc_explorer.rdf.syntax.formats import N_QUADS
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad
from hpc_explorer.stores.base import Count
from hpc_explorer.stores.changes.changes import ChangeSet
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, text_of
from tests.helpers.plain_engine import PlainEngine
from tests.helpers.sessions import session_of

CLASSES = [ex(name) for name in "ABCDE"]
THINGS = [ex(name) for name in "uvwxyz"]
VALUES = [
    Literal("1"),
    Literal("1", language="en"),
    *(
        Literal(text, datatype=datatype)
        for text, datatype in [("1", XSD.integer), ("1.5", XSD.decimal), ("NaN", XSD.double), ("2021-03-01", XSD.date)]
    ),
]
_things, _classes = st.sampled_from(THINGS), st.sampled_from(CLASSES)
_types = st.tuples(_things | st.just(BlankNode("b")), st.just(RDF.type), _classes | st.just(BlankNode("c")))
_triples = st.one_of(
    _types,
    _types,
    st.tuples(_classes, st.sampled_from([RDFS.subClassOf, RDFS.subClassOf, OWL.equivalentClass]), _classes),
    st.tuples(_classes, st.just(RDF.type), st.just(OWL.Class)),
    st.tuples(
        _things, st.sampled_from([ex("p"), ex("q")]), _things | st.sampled_from(VALUES) | st.just(BlankNode("b"))
    ),
    st.tuples(st.just(ex("p")), st.sampled_from([RDFS.domain, RDFS.range]), _classes),
)
_quads = st.builds(lambda triple, graph: Quad(*triple, graph), _triples, st.sampled_from([DefaultGraph(), ex("g")]))
_documents = st.lists(st.lists(_quads, min_size=6, max_size=18), min_size=1, max_size=3)
_named_triples = _triples.filter(lambda triple: not any(isinstance(term, BlankNode) for term in triple))
_steps = st.lists(
    st.sampled_from(["undo", "infer", "open again"])
    | st.tuples(st.lists(_named_triples, max_size=3), st.lists(st.integers(0, 50), max_size=3), st.integers(0, 5)),
    max_size=5,
)


def written(folder: Path, documents: Sequence[Sequence[Quad]]) -> list[str]:
    files = []
    for number, quads in enumerate(documents):
        file = folder / f"{number}.nq"
        file.write_text(text_of(quads, N_QUADS), encoding="utf-8")
        files.append(str(file))
    return files


def check(session: Session, quads: set[Quad]) -> None:
    """Compare each number with those of plain queries over what is stated, given here, and what was inferred."""
    stated = PlainEngine(quads)
    # What is inferred speaks of blank nodes by the labels that the store gave them.
    everything = PlainEngine(session.store.match()) if session.inference else stated
    summary = describe_graph(session)
    assert summary.triples == Count(stated.number("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"))
    of_graphs = "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g"
    assert dict(summary.graphs) == exact(everything.numbers(of_graphs))
    of_predicates = "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p"
    predicates = everything.numbers(of_predicates)
    assert {one.term: one.count for one in summary.predicates} == exact(predicates)
    of_classes = "SELECT ?c (COUNT(?s) AS ?n) { ?s a ?c FILTER(isIRI(?c)) } GROUP BY ?c"
    assert {one.term: one.count for one in summary.classes} == exact(everything.numbers(of_classes))

    up = "(rdfs:subClassOf|owl:equivalentClass|^owl:equivalentClass)*"
    for node in every_class(class_tree(session)).values():
        cls = node.ref.resource
        merged = everything.rows(f"SELECT DISTINCT ?c {{ {cls} {up} ?c . ?c {up} {cls} }}") or [(cls,)]
        assert {cls, *(one.resource for one in node.equivalents)} == {term for (term,) in merged}
        values = " ".join(str(term) for (term,) in merged)
        own = stated.number(f"SELECT (COUNT(DISTINCT ?s) AS ?n) {{ VALUES ?c {{ {values} }} ?s a ?c }}")
        assert node.own_instances == Count(own)
        below = f"SELECT (COUNT(DISTINCT ?s) AS ?n) {{ ?s a/{up} {cls} }}"
        assert node.instances == Count(everything.number(below))
        if not session.inference:
            assert instances_of(session, cls).total == node.instances
    of_resource = "SELECT ?p (COUNT(?o) AS ?n) { %s ?p ?o FILTER(?p != rdf:type) } GROUP BY ?p"
    to_resource = "SELECT ?p (COUNT(?s) AS ?n) { ?s ?p %s } GROUP BY ?p"
    for thing in THINGS[:3]:
        outgoing, incoming = (exact(everything.numbers(text % thing)) for text in (of_resource, to_resource))
        try:
            view = describe_resource(session, thing)
        except UnknownResource:
            assert not stated.rows(f"SELECT * {{ {{ {thing} ?p ?o }} UNION {{ ?s ?p {thing} }} }}")
            continue
        assert {one.predicate: one.total for one in view.outgoing} == outgoing
        assert {one.predicate: one.total for one in view.incoming} == incoming


def exact(numbers: dict[NamedNode, int]) -> dict[NamedNode, Count]:
    return {term: Count(number) for term, number in numbers.items()}


def check_void(session: Session, quads: set[Quad]) -> None:
    """Compare what the program tells in VoID; the counts by class and predicate are shown nowhere else."""
    stated = PlainEngine(quads)
    void = PlainEngine(parse(void_document(session), RdfFormat.TURTLE))
    words = "PREFIX void: <http://rdfs.org/ns/void#> PREFIX ext: <http://ldf.fi/void-ext#> "
    whole = void.rows(words + "SELECT ?n { ?d void:triples ?n FILTER NOT EXISTS { ?x (void:subset|void:classPartition|"
        "void:propertyPartition|ext:datatypePartition) ?d } }")  # fmt: skip
    assert [int(number.value) for (number,) in whole] == [stated.number("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")]
    told = void.rows(words + "SELECT ?c ?p ?n { [] void:classPartition [ void:class ?c ; void:propertyPartition "
        "[ void:property ?p ; void:triples ?n ] ] }")  # fmt: skip
    plain = stated.rows("SELECT ?c ?p (COUNT(*) AS ?n) { ?s a ?c ; ?p ?o FILTER(isIRI(?c)) } GROUP BY ?c ?p")
    assert sorted(told, key=str) == sorted(plain, key=str)
    told = void.rows(words + "SELECT ?p ?d ?n { [] void:propertyPartition [ void:property ?p ; ext:datatypePartition "
        "[ ext:datatype ?d ; void:triples ?n ] ] }")  # fmt: skip
    plain = stated.rows("SELECT ?p ?d (COUNT(*) AS ?n) { ?s ?p ?o FILTER(isLiteral(?o)) BIND(DATATYPE(?o) AS ?d) } "
        "GROUP BY ?p ?d")  # fmt: skip
    assert sorted(told, key=str) == sorted(plain, key=str)


def check_changes(session: Session, before: set[Quad], after: set[Quad]) -> None:
    """Compare what is told to be unpushed with what the edits made of the quads that were loaded."""
    diffs = working_diff(session)
    removed, added = ([quad for diff in diffs for quad in getattr(diff, name)] for name in ("removed", "added"))
    assert (len(removed), set(removed)) == (len(before - after), before - after)
    assert (len(added), set(added)) == (len(after - before), after - before)


def check_export(session: Session, quads: set[Quad], folder: Path) -> None:
    """Compare what is told to be written with what another reader finds in the file."""
    own = {source.graph for source in session.sources}
    written = [Quad(*quad.triple, DefaultGraph()) if quad.graph_name in own else quad for quad in quads]
    plain = PlainEngine(written)
    triples = plain.number("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
    named = plain.number("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }")
    unnamed = len({quad for quad in written if isinstance(quad.graph_name, DefaultGraph)})
    for name, format, number in (
        ("all.nq", RdfFormat.N_QUADS, named + unnamed),
        ("all.nt", RdfFormat.N_TRIPLES, triples),
    ):
        report = export_graph(session, folder / name)
        assert report.triples == number
        assert len(list(parse((folder / name).read_bytes(), format))) == number


def check_push(session: Session, before: set[Quad], after: set[Quad], folder: Path) -> None:
    """Compare what a push to the one file tells with what changed, and with what the file has then."""
    plan = push_plan(session)
    graphs = {graph for source in session.workspace.sources for graph in source.graphs}  # type: ignore[union-attr]
    sent = {quad for quad in before ^ after if quad.graph_name in graphs}
    assert {quad for target in plan.targets for quad in (*target.removed, *target.added)} == sent
    assert set(plan.left) == (before ^ after) - sent
    if any(target.refused for target in plan.targets):
        return
    report = push(session, plan, rewrite=True)
    numbers = [(one.removed, one.added) for one in report.pushed]
    assert numbers == ([(len(sent & before), len(sent & after))] if sent else [])
    there = len(set(parse((folder / "0.nq").read_bytes(), RdfFormat.N_QUADS)))
    assert there == sum(quad.graph_name in graphs for quad in after)
    check_changes(session, before - sent | sent & after, after)


def as_opened(session: Session, documents: Sequence[Sequence[Quad]]) -> set[Quad]:
    """The quads of the documents in the graphs that their sources have, blank nodes apart."""
    graphs = {Path(source.name).name: source.graph for source in session.sources}
    return {
        Quad(
            *(BlankNode(f"{one.value}{number}") if isinstance(one, BlankNode) else one for one in quad.triple),
            graphs[f"{number}.nq"] if isinstance(quad.graph_name, DefaultGraph) else quad.graph_name,
        )
        for number, quads in enumerate(documents)
        for quad in quads
    }


def an_edit(step: object, quads: set[Quad], graph: NamedNode) -> ChangeSet:
    """Triples added to one graph, and some of what is stated removed."""
    added, removed, where = step  # type: ignore[misc]  # as `_steps` has them
    known = sorted((quad for quad in quads if "_:" not in str(quad)), key=str)
    target = (graph, graph, graph, ex("g"), ex("g"), ex("new"))[where]
    return ChangeSet(
        tuple({known[number % len(known)] for number in removed}) if known else (),
        tuple({Quad(*triple, target) for triple in added}),
        "edit",
    )


_CASE = itertools.count()


@pytest.mark.slow
@examples(40)
@given(_documents, st.booleans())
def test_numbers_of_files(tmp_path: Path, documents: list[list[Quad]], inferring: bool) -> None:
    folder = tmp_path / str(next(_CASE))
    folder.mkdir()
    with closing(Session.new()) as session:
        open_sources(session, written(folder, documents))
        quads = as_opened(session, documents)
        check(session, quads)
        check_void(session, quads)
        if inferring:
            infer(session, own_schema=True)
            check(session, quads)
            withdraw(session)
            check(session, quads)


@pytest.mark.slow
@examples(25)
@given(_documents, _steps)
def test_numbers_of_a_workspace(tmp_path: Path, documents: list[list[Quad]], steps: list[object]) -> None:
    folder = tmp_path / str(next(_CASE))
    folder.mkdir()
    load_into(folder / "workspace", written(folder, documents))
    session = Session.new()
    try:
        open_sources(session, [str(folder / "workspace")], keep_workspace=True)
        before = quads = as_opened(session, documents)
        check(session, quads)
        done: list[ChangeSet] = []
        for step in steps:
            if step == "infer":
                infer(session, own_schema=True)
                check(session, quads)
                withdraw(session)
            elif step == "open again":
                session.close()
                session = session_of(folder / "workspace", keep_workspace=True)
            else:
                if step == "undo":
                    change = done.pop().inverse("undo") if done else ChangeSet()
                else:
                    change = an_edit(step, quads, session.sources[0].graph)
                effect = session.edit(change)
                restated = {quad.triple for quad in effect.already_stated}
                assert restated <= {quad.triple for quad in quads}
                after = quads - set(change.removed) | {quad for quad in change.added if quad.triple not in restated}
                assert (set(effect.change.added), set(effect.change.removed)) == (after - quads, quads - after)
                if step != "undo" and effect.change:
                    done.append(effect.change)
                quads = after
            check(session, quads)
            check_void(session, quads)
            check_changes(session, before, quads)
        check_export(session, quads, folder)
        if len(documents) == 1:
            check_push(session, before, quads, folder)
    finally:
        session.close()
