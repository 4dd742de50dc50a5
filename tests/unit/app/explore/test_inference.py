"""Inference in an open workspace: shown apart, gone when sources change, exported only when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, parse

from hpc_explorer.app.explore.classes import class_tree
from hpc_explorer.app.explore.describing import describe_graph, describe_resource
from hpc_explorer.app.explore.drawing import neighbourhood_scene
from hpc_explorer.app.explore.inference import explain, infer, proof_steps, read_triple, withdraw
from hpc_explorer.app.export.exporting import Extent, export_graph
from hpc_explorer.app.lineage.tracing import find_path, trace_lineage
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import close_source, open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled, InputError, UnknownStatement, Unsupported
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import HPC, PROV, RDF
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Triple
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.local.profile import count_profile
from tests.helpers.sessions import session_of

MODEL = NamedNode("http://example.org/AIModel/MO000001")
EX = "http://example.org/"

FAMILY = """@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix prov: <http://www.w3.org/ns/prov#> .
ex:Cat rdfs:subClassOf ex:Animal . ex:Animal rdfs:subClassOf ex:Being .
ex:tom a ex:Cat ; ex:madeFrom ex:egg ; ex:note "Tom" . ex:egg ex:becomes ex:tom .
ex:madeFrom rdfs:subPropertyOf prov:wasDerivedFrom ; owl:inverseOf ex:becomes ; rdfs:range ex:Being .
ex:egg ex:madeFrom ex:hen .
"""


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], Session]]:
    sessions: list[Session] = []

    def open_turtle(turtle: str) -> Session:
        file = tmp_path / f"graph{len(sessions)}.ttl"
        file.write_text(turtle, encoding="utf-8")
        sessions.append(Session.new())
        open_sources(sessions[-1], [str(file)])
        return sessions[-1]

    yield open_turtle
    for session in sessions:
        session.close()


def ex(name: str) -> NamedNode:
    return NamedNode(EX + name)


def test_inferred_triples_are_counted_apart(opened: Callable[[str], Session]) -> None:
    session = opened(FAMILY)
    before = describe_graph(session)
    assert before.inference is None
    told: list[int] = []
    session.subscribe(lambda change: told.append(change.generation))
    report = infer(session, own_schema=True)
    assert told == [2]
    after = describe_graph(session)
    assert after.triples == before.triples
    assert after.sources == before.sources
    assert after.inference == report
    assert (after.defined_classes, after.defined_properties) == (before.defined_classes, before.defined_properties)
    assert sum(report.by_rule.values()) == report.triples == session.store.size().value - before.triples.value
    withdraw(session)
    assert describe_graph(session) == before


def test_the_class_tree_keeps_its_shape_and_counts_what_is_inferred(opened: Callable[[str], Session]) -> None:
    session = opened(FAMILY)
    (before,) = class_tree(session)
    infer(session, own_schema=True)
    (after,) = class_tree(session)
    assert [before.ref.resource, before.children[0].ref.resource] == [ex("Being"), ex("Animal")]
    assert [after.ref.resource, after.children[0].ref.resource] == [ex("Being"), ex("Animal")]
    assert [child.ref.resource for child in after.children] == [ex("Animal")]
    assert (before.instances.value, after.instances.value) == (1, 3), "what is made from is a being, by the range"
    assert (before.own_instances.value, after.own_instances.value) == (0, 0)


def test_a_resource_tells_inferred_types_and_values_from_stated_ones(opened: Callable[[str], Session]) -> None:
    session = opened(FAMILY)
    infer(session, own_schema=True)
    view = describe_resource(session, ex("tom"))
    assert view.ref.kind == "Cat"
    assert {ref.resource for ref in view.inferred_types} == {ex("Animal"), ex("Being")}
    origins = {one.predicate: {value.origin for value in one.values} for one in view.outgoing}
    assert origins[ex("madeFrom")] == {Origin.ASSERTED}
    assert origins[PROV.wasDerivedFrom] == {Origin.INFERRED}
    scene = neighbourhood_scene(session, ex("tom"))
    assert {edge.origin for edge in scene.edges} == {"asserted", "inferred"}


def test_lineage_edges_say_whether_they_are_inferred(opened: Callable[[str], Session]) -> None:
    turtle = FAMILY.replace("rdfs:subPropertyOf prov:wasDerivedFrom ;", "") + (
        "ex:origin rdfs:subPropertyOf prov:wasDerivedFrom ; owl:inverseOf ex:gave . ex:hen ex:gave ex:egg ."
    )
    session = opened(turtle)
    assert trace_lineage(session, ex("egg")).edges == ()
    infer(session, own_schema=True)
    (edge,) = trace_lineage(session, ex("egg")).edges
    assert (edge.cause, edge.origin) == (ex("hen"), Origin.INFERRED)
    assert {quad.graph_name for quad in edge.evidence} == {INFERRED}
    (step,) = find_path(session, ex("egg"), ex("hen")) or ()
    assert step.origin is Origin.INFERRED


def test_what_is_stated_gives_a_lineage_edge_its_origin_and_predicate() -> None:
    session = session_of("sample:xplacer")
    before = trace_lineage(session, MODEL)
    infer(session)
    after = trace_lineage(session, MODEL)
    stated = {(edge.effect, edge.relation, edge.cause): edge for edge in after.edges}
    for edge in before.edges:
        same = stated[edge.effect, edge.relation, edge.cause]
        assert same.origin is Origin.ASSERTED
        assert same.evidence[0].graph_name != INFERRED
    assert after.nodes.keys() >= before.nodes.keys()


def test_explanations_reach_the_shipped_ontology_and_the_source() -> None:
    session = session_of("sample:xplacer")
    infer(session)
    proof = explain(session, Triple(MODEL, RDF.type, PROV.Entity))
    waiting, stated = [proof], []
    while waiting:
        one = waiting.pop()
        waiting += one.premises
        stated += [one] if one.rule is None else []
    assert {one.in_background for one in stated} == {True, False}
    assert all(one.graphs for one in stated)
    infer(session, own_schema=True)
    with pytest.raises(UnknownStatement):
        explain(session, Triple(MODEL, RDF.type, PROV.Entity))


@pytest.mark.parametrize("change", ["open", "close"])
def test_inferences_go_when_sources_change(opened: Callable[[str], Session], change: str) -> None:
    session = opened(FAMILY)
    if change == "close":
        open_sources(session, ["sample:fugaku"])
    infer(session)
    assert INFERRED in session.store.graphs()
    if change == "open":
        open_sources(session, ["sample:fugaku"])
    else:
        close_source(session, session.opened[0].summary.graph)
    assert session.inference is None
    assert INFERRED not in session.store.graphs()


def test_a_source_that_cannot_be_opened_leaves_inferences_alone(
    opened: Callable[[str], Session], tmp_path: Path
) -> None:
    session = opened(FAMILY)
    report = infer(session)
    (tmp_path / "bad.ttl").write_text("<a> <b> oops", encoding="utf-8")
    with pytest.raises(InputError):
        open_sources(session, [str(tmp_path / "bad.ttl")])
    assert session.inference == report
    assert INFERRED in session.store.graphs()


def test_cancelled_inference_leaves_the_graph_as_it_was(opened: Callable[[str], Session]) -> None:
    session = opened(FAMILY)
    before = set(session.store.match())
    token = CancelToken()
    with pytest.raises(Cancelled):
        infer(session, progress=lambda text, fraction: token.cancel(), limits=Limits(cancel=token))
    assert set(session.store.match()) == before
    assert session.inference is None


def test_cancelling_a_second_inference_leaves_none(opened: Callable[[str], Session]) -> None:
    session = opened(FAMILY)
    before = describe_graph(session)
    infer(session)
    assert describe_graph(session) != before
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        infer(session, limits=Limits(cancel=token))
    assert describe_graph(session) == before


def test_only_an_export_that_asks_for_them_has_inferred_statements(
    opened: Callable[[str], Session], tmp_path: Path
) -> None:
    session = opened(FAMILY)
    plain = export_graph(session, tmp_path / "plain.nq")
    infer(session, own_schema=True)
    assert export_graph(session, tmp_path / "stated.nq") == plain.__class__(
        str(tmp_path / "stated.nq"), plain.format, plain.triples, plain.read_back
    )
    assert set(parse(path=str(tmp_path / "stated.nq"))) == set(parse(path=str(tmp_path / "plain.nq")))
    export_graph(session, tmp_path / "all.nq", extent=Extent(inferred=True))
    everything = list(parse(path=str(tmp_path / "all.nq"), format=RdfFormat.N_QUADS))
    assert sum(quad.graph_name == INFERRED for quad in everything) == session.inference.triples  # type: ignore[union-attr]
    # Read again, they are still told from what is stated.
    again = session_of(tmp_path / "all.nq")
    assert Origin.INFERRED in {
        value.origin for one in describe_resource(again, ex("tom")).outgoing for value in one.values
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"Tom"', Literal("Tom")),
        ('"Tom"@en', Literal("Tom", language="en")),
        ("12", Literal("12", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#integer"))),
        ("true", Literal("true", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#boolean"))),
        ("ex:egg", NamedNode(EX + "egg")),
    ],
)
def test_a_triple_is_read_from_three_texts(
    opened: Callable[[str], Session], text: str, expected: NamedNode | Literal
) -> None:
    session = opened(FAMILY)
    assert read_triple(session, "ex:tom", "a", text) == Triple(ex("tom"), RDF.type, expected)
    assert read_triple(session, "ex:tom", "hpc:name", text).predicate == HPC.name


@pytest.mark.parametrize("text", ['"open', '"a" . <urn:x> <urn:y> "b"', "nope:x", "12 13"])
def test_a_text_that_is_no_object_is_a_named_error(opened: Callable[[str], Session], text: str) -> None:
    with pytest.raises(InputError):
        read_triple(opened(FAMILY), "ex:tom", "a", text)


def test_a_proof_is_told_step_by_step_each_above_what_it_follows_from(opened: Callable[[str], Session]) -> None:
    session = opened(FAMILY)
    infer(session)
    tom, being = NamedNode(f"{EX}tom"), NamedNode(f"{EX}Being")
    steps = proof_steps(session, explain(session, Triple(tom, RDF.type, being)))
    first, *rest = steps
    assert (first.depth, first.subject.resource, first.predicate, first.text) == (0, tom, "is of class", "Being")
    assert first.target is not None
    assert first.target.resource == being
    assert first.origin is Origin.INFERRED
    assert first.reason.startswith("follows by ")
    assert {step.depth for step in rest} >= {1}
    assert all(after.depth <= before.depth + 1 for before, after in zip(steps, rest, strict=False))
    assert all(
        step.origin is Origin.ASSERTED and "graph0.ttl" in step.reason for step in steps if "stated" in step.reason
    )
    noted = Triple(tom, NamedNode(f"{EX}note"), Literal("Tom"))
    (alone,) = proof_steps(session, explain(session, noted))
    assert (alone.text, alone.target, alone.origin) == ("Tom", None, Origin.ASSERTED)


# Over a workspace


def counted(session: Session) -> dict[NamedNode, int]:
    return {item.term: item.count.value for item in describe_graph(session).classes}


def inferred_of_named(session: Session) -> set[Quad]:
    quads = session.store.match(graph=INFERRED)
    return {quad for quad in quads if not {BlankNode} & {type(quad.subject), type(quad.object)}}


@pytest.mark.slow
def test_over_a_workspace_the_same_follows_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    load_into(tmp_path / "kept", ["sample:xplacer"])
    with closing(Session.new()) as file, closing(Session.new()) as kept:
        open_sources(file, ["sample:xplacer"])
        open_sources(kept, [str(tmp_path / "kept")], keep_workspace=True)
        before = (counted(kept), kept.store.size(), sorted(path.name for path in (tmp_path / "kept/states").iterdir()))
        report = infer(kept)
        assert report == infer(file)
        assert counted(kept) == counted(file)
        assert kept.store.size() == file.store.size()
        assert inferred_of_named(kept) == inferred_of_named(file)
        withdraw(kept)
        assert (counted(kept), kept.store.size()) == before[:2]
        infer(kept)
    assert sorted(path.name for path in (tmp_path / "kept/states").iterdir()) == before[2]
    with closing(Session.new()) as again:
        open_sources(again, [str(tmp_path / "kept")])
        assert INFERRED not in again.store.graphs()
        assert counted(again) == before[0]


def test_edits_and_inferences_of_a_workspace_exclude_each_other(tmp_path: Path) -> None:
    load_into(tmp_path / "kept", ["sample:fugaku"])
    graph, name = NamedNode("urn:edits"), NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
    change = ChangeSet((), (Quad(ex("machine"), name, Literal("A machine"), graph),), "name")
    kind = ChangeSet((), (Quad(ex("machine"), RDF.type, HPC.AIModel, graph),), "classify")
    with closing(Session.new()) as session:
        open_sources(session, [str(tmp_path / "kept")], keep_workspace=True)
        session.edit(change)
        infer(session)
        with pytest.raises(Unsupported, match="inferred"):
            session.edit(kind)
        withdraw(session)
        session.edit(kind)
        infer(session)
        assert Triple(ex("machine"), RDF.type, HPC.Data) in {
            quad.triple for quad in session.store.match(graph=INFERRED)
        }
    with closing(Session.new()) as again:
        open_sources(again, [str(tmp_path / "kept")])
        assert {quad.object for quad in again.store.match(ex("machine"))} == {Literal("A machine"), HPC.AIModel}


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["statements inferred", "counting", "writing"])
def test_a_cancelled_inference_leaves_a_workspace_as_it_was(tmp_path: Path, stage: str) -> None:
    load_into(tmp_path / "kept", ["sample:xplacer"])
    token = CancelToken()
    told: list[str] = []

    def progress(text: str, share: float | None) -> None:
        told.append(text)
        if stage in text:
            token.cancel()

    with closing(Session.new()) as session:
        open_sources(session, [str(tmp_path / "kept")])
        assert session.workspace is not None
        before, profile = set(session.store.match()), session.workspace.profile
        with pytest.raises(Cancelled):
            infer(session, progress=progress, limits=Limits(cancel=token))
        assert stage in told[-1], "it went on after the cancel"
        assert session.inference is None
        assert set(session.store.match()) == before
        assert session.workspace.profile == profile
        assert infer(session).triples
        assert session.workspace.profile == count_profile(session.local_store) != profile
    assert len(list((tmp_path / "kept/states").iterdir())) == 1
