"""Find, describe, draw, ask and hand over, on the sample graphs and small ones."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hpc_explorer.app.explore.class_picture import class_scene
from hpc_explorer.app.explore.classes import class_tree, instances_of
from hpc_explorer.app.explore.describing import describe_graph, describe_resource
from hpc_explorer.app.explore.drawing import lineage_scene, neighbourhood_scene
from hpc_explorer.app.explore.finding import key_of, resolve, resource_of_key, search
from hpc_explorer.app.export.exporting import export_graph, export_lineage
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.query.run_query import query_form, run_query, with_prefixes
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.source_files import sample_names
from hpc_explorer.errors import QuerySyntaxError, UnknownPrefix, UnknownResource
from hpc_explorer.query.table import Table
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import BlankNode, CanonicalizationAlgorithm, Dataset, NamedNode, Quad
from tests.helpers.sessions import session_of

MODEL = NamedNode("http://example.org/AIModel/MO000001")


@pytest.fixture(scope="module")
def xplacer() -> Iterator[Session]:
    session = session_of("sample:xplacer")
    yield session
    session.close()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], Session]]:
    sessions: list[Session] = []

    def open_turtle(turtle: str) -> Session:
        (tmp_path / "graph.ttl").write_text("@prefix ex: <http://example.org/> .\n" + turtle, encoding="utf-8")
        sessions.append(Session.new())
        open_sources(sessions[-1], [str(tmp_path / "graph.ttl")])
        return sessions[-1]

    yield open_turtle
    for session in sessions:
        session.close()


def canonical(quads: Iterator[Quad]) -> Dataset:
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset


# Find


@pytest.mark.parametrize(
    "text", ["decision tree", "decisionTree.onnx", "DECISION", "aimodel:MO000001", f"<{MODEL.value}>", MODEL.value]
)
def test_search_finds_the_model(xplacer: Session, text: str) -> None:
    assert MODEL in [hit.ref.resource for hit in search(xplacer, text).hits]


def test_search_tells_how_many_and_finds_inside_words(xplacer: Session) -> None:
    result = search(xplacer, "log", limit=3)
    assert len(result.hits) == 3
    assert result.total.value > 3
    assert search(xplacer, "isionTre").hits[0].ref.resource == MODEL
    assert search(xplacer, "zzz").hits == ()
    assert search(xplacer, "  ").hits == ()


@example("_:")
@given(st.text(max_size=12))
def test_search_takes_any_text(xplacer: Session, text: str) -> None:
    result = search(xplacer, text)
    assert len(result.hits) <= 50


def test_resolve_by_name_prefixed_name_and_iri(xplacer: Session) -> None:
    for text in ("decisionTree.onnx", "DECISIONTREE.ONNX", "aimodel:MO000001", MODEL.value, f" <{MODEL.value}> "):
        assert resolve(xplacer, text) == MODEL
    with pytest.raises(UnknownPrefix):
        resolve(xplacer, "nope:x")
    with pytest.raises(UnknownResource, match="nothing about"):
        resolve(xplacer, "http://example.org/nothing")
    with pytest.raises(UnknownResource, match=r"decisionTree\.onx: did you mean 'decisionTree\.onnx'"):
        resolve(xplacer, "decisionTree.onx")


def test_a_name_of_two_things_is_refused(opened: Callable[[str], Session]) -> None:
    session = opened("ex:a <http://schema.org/name> 'twin' . ex:b <http://schema.org/name> 'twin' .")
    with pytest.raises(UnknownResource, match="2 resources"):
        resolve(session, "twin")


def test_keys_lead_back_to_their_resources() -> None:
    for resource in (MODEL, BlankNode("x1")):
        assert resource_of_key(key_of(resource)) == resource


# Describe


def test_a_resource_with_its_values_links_and_quantities(xplacer: Session) -> None:
    view = describe_resource(xplacer, MODEL)
    assert (view.ref.label, view.ref.kind, view.ref.colour_key) == ("decisionTree.onnx", "AI model", "model")
    values = {prop.curie: [value.text for value in prop.values] for prop in view.outgoing}
    assert values["hpc:hyperParameter"] == ["criterion = gini", "max_depth = 12", "min_samples_leaf = 4"]
    assert values["hpc:targetMachine"] == ["lassen"]
    assert {prop.curie for prop in view.incoming} == {"hpc:aiModel", "hpc:generated"} or view.incoming
    gpu = resolve(xplacer, "Nvidia V100")
    texts = [value.text for prop in describe_resource(xplacer, gpu).outgoing for value in prop.values]
    assert any(text.endswith(" GB") for text in texts)


def test_only_the_first_values_are_given_and_all_counted(opened: Callable[[str], Session]) -> None:
    session = opened(" ".join(f"ex:hub ex:p ex:n{number} . ex:m{number} ex:q ex:hub ." for number in range(120)))
    view = describe_resource(session, NamedNode("http://example.org/hub"), values_per_property=7)
    (outgoing,), (incoming,) = view.outgoing, view.incoming
    assert (len(outgoing.values), outgoing.total.value) == (7, 120)
    assert (len(incoming.values), incoming.total.value) == (7, 120)


def test_blank_nodes_are_unfolded_and_circles_end(opened: Callable[[str], Session]) -> None:
    session = opened("ex:a ex:p [ ex:q [ ex:r 'deep' ] ] ; ex:p _:x . _:x ex:p _:y . _:y ex:p _:x .")
    view = describe_resource(session, NamedNode("http://example.org/a"))
    texts = [part.values[0].text for value in view.outgoing[0].values for part in value.parts]
    assert texts
    with pytest.raises(UnknownResource):
        describe_resource(session, NamedNode("http://example.org/unheard-of"))


def test_numbers_are_shown_as_they_are_spelled(opened: Callable[[str], Session]) -> None:
    session = opened("ex:a ex:rmax 442010.00 ; ex:cores 007630848 ; ex:size 7630848 .")
    view = describe_resource(session, NamedNode("http://example.org/a"))
    assert [prop.values[0].text for prop in view.outgoing] == ["007630848", "442,010.00", "7,630,848"]


def test_the_instances_of_a_class_are_those_of_the_classes_below_too(xplacer: Session) -> None:
    page = instances_of(xplacer, HPC.Data, limit=5)
    tree = class_tree(xplacer, HPC.Data)
    assert len(page.items) == 5
    assert page.total == tree[0].instances
    last = instances_of(xplacer, HPC.Data, offset=page.total.value - 1)
    assert len(last.items) == 1
    with pytest.raises(UnknownResource):
        class_tree(xplacer, NamedNode("http://example.org/NoClass"))


# Draw


def test_the_scene_of_a_lineage_names_what_it_leaves_out(xplacer: Session) -> None:
    lineage = trace_lineage(xplacer, MODEL)
    plain = lineage_scene(xplacer, lineage)
    whole = lineage_scene(xplacer, lineage, with_setting=True, with_shortcuts=True)
    assert len(whole.nodes) == len(lineage.nodes)
    assert len(whole.edges) == len(lineage.edges)
    assert len(plain.nodes) < len(whole.nodes)
    assert "named on the cards" in plain.note
    assert whole.note == ""
    trained = next(node for node in plain.nodes if node.label == "Train the decision tree")
    assert "lassen" in (trained.caption or "")
    assert all(edge.tooltip.startswith("asserted: ") for edge in whole.edges)


def test_a_hub_is_counted_instead_of_drawn(opened: Callable[[str], Session]) -> None:
    session = opened(" ".join(f"ex:m{number} ex:q ex:hub ." for number in range(1176)))
    scene = neighbourhood_scene(session, NamedNode("http://example.org/hub"), per_predicate=12)
    assert len(scene.nodes) == 14
    assert [node.label for node in scene.nodes if node.group] == ["… and 1,164 more"]


def test_a_huge_lineage_is_drawn_in_part_and_says_so(opened: Callable[[str], Session]) -> None:
    prov = "http://www.w3.org/ns/prov#wasDerivedFrom"
    session = opened(" ".join(f"ex:model <{prov}> ex:d{number} ." for number in range(1000)))
    lineage = trace_lineage(session, NamedNode("http://example.org/model"))
    scene = lineage_scene(session, lineage)
    assert len(lineage.nodes) == 1001
    assert [node.label for node in scene.nodes if node.group] == [f"… and {1001 - (len(scene.nodes) - 1):,} more"]


def test_the_scene_of_the_classes(xplacer: Session) -> None:
    scene = class_scene(xplacer)
    assert scene.arrangement == "tree"
    assert {"AI model", "Dataset"} <= {node.label for node in scene.nodes}
    few = class_scene(xplacer, most=12)
    assert len(few.nodes) <= 13 < len(scene.nodes)  # "Quantity" has none above or below it
    assert any(badge.startswith("+") for node in few.nodes for badge in node.badges)


# Ask


def test_the_three_kinds_of_answers(xplacer: Session) -> None:
    table = run_query(xplacer, "SELECT ?name { ?m a hpc:AIModel ; hpc:name ?name } ORDER BY ?name")
    assert isinstance(table, Table)
    assert table.names == ("name",)
    assert table.total.value == 3
    assert run_query(xplacer, "# really?\nASK { ?m a hpc:AIModel }") is True
    triples = run_query(xplacer, f"DESCRIBE <{MODEL.value}>")
    assert isinstance(triples, tuple)
    assert triples


def test_only_missing_prefixes_are_added() -> None:
    prefixes = {"ex": "http://example.org/", "hpc": str(HPC)}
    query = "PREFIX ex: <urn:own:> SELECT * { ?s hpc:name 'hpc:ex' ; ex:p <http://a/b:c> }"
    assert with_prefixes(query, prefixes) == f"PREFIX hpc: <{HPC}> {query}"
    assert with_prefixes("SELECT * { ?s ?p ?o }", prefixes) == "SELECT * { ?s ?p ?o }"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("select * {}", "SELECT"),
        ("PREFIX a: <urn:ASK#> BASE <urn:x> ASK {}", "ASK"),
        ("# SELECT\nCONSTRUCT WHERE {}", "CONSTRUCT"),
        ("DESCRIBE <urn:x>", "DESCRIBE"),
    ],
)
def test_the_form_of_a_query(text: str, form: str) -> None:
    assert query_form(text) == form


@pytest.mark.parametrize("text", ["", "INSERT DATA {}", "hello", "PREFIX a: <urn:a>"])
def test_what_is_no_query(text: str) -> None:
    with pytest.raises(QuerySyntaxError):
        query_form(text)


# Hand over


def test_an_exported_lineage_reads_back_and_traces_the_same(xplacer: Session, tmp_path: Path) -> None:
    lineage = trace_lineage(xplacer, MODEL)
    export_lineage(xplacer, lineage, tmp_path / "lineage.jsonld")
    again = session_of(tmp_path / "lineage.jsonld")
    traced = trace_lineage(again, MODEL)
    assert set(traced.nodes) == set(lineage.nodes)
    assert len(traced.edges) == len(lineage.edges)
    again.close()


def test_a_source_is_written_back_in_its_own_spelling(tmp_path: Path) -> None:
    text = (
        "@prefix hpc: <https://example.org/HPC-Ontology#> .\n"
        "<http://example.org/m> a hpc:AIModel ; hpc:accuracy 0.9340 ; <https://hpc-fair.github.io/ontology#name> 'm' .\n"
    )
    path = tmp_path / "paper.ttl"
    path.write_text(text, encoding="utf-8")
    before = canonical(_spelled(path))
    session = session_of(path)
    assert session.sources[0].aliases == (("https://example.org/HPC-Ontology#", str(HPC)),)
    assert [cls.curie for cls in describe_graph(session).classes] == ["hpc:AIModel"]
    export_graph(session, path)
    assert canonical(_spelled(path)) == before
    export_graph(session, tmp_path / "elsewhere.ttl")
    assert "HPC-Ontology" not in (tmp_path / "elsewhere.ttl").read_text(encoding="utf-8")
    session.close()


def _spelled(path: Path) -> Iterator[Quad]:
    """The quads of a file as it spells them."""
    from hpc_explorer.rdf.aliases import undo_aliases

    content = read_source(path)
    quads = list(content.quads())
    return undo_aliases(quads, content.aliases)


@pytest.mark.parametrize(
    "name",
    [name for name, _ in sample_names()],
)
def test_every_sample_is_handed_over_exactly(tmp_path: Path, name: str) -> None:
    session = session_of(f"sample:{name}")
    report = export_graph(session, tmp_path / "out.jsonld")
    assert report.triples == session.store.size().value
    original = read_source(session.opened[0].path).quads()
    assert canonical(read_source(tmp_path / "out.jsonld").quads()) == canonical(original)
    session.close()


@pytest.mark.parametrize("name", ["out.nt", "out.ttl", "out.trig", "out.nq", "out.jsonld"])
def test_a_large_graph_is_written_as_it_comes_and_read_back(
    xplacer: Session, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hpc_explorer.app.export import exporting

    monkeypatch.setattr(exporting, "MOST_IN_ORDER", 100)
    report = export_graph(xplacer, tmp_path / name)
    assert report.read_back == f"read back: the same {xplacer.store.size().value:,} statements"
    original = read_source(xplacer.opened[0].path).quads()
    assert canonical(read_source(tmp_path / name).quads()) == canonical(original)
