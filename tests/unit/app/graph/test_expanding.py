"""A graph laid open step by step: what a step would bring, and what it brings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hpc_explorer.app.explore.finding import resolve
from hpc_explorer.app.explore.inference import infer
from hpc_explorer.app.explore.links import MANY
from hpc_explorer.app.graph.expanding import (
    PAGE,
    classes_in,
    expand,
    filter_choices,
    neighbour_sets,
    refreshed,
    show_path,
    show_resources,
)
from hpc_explorer.app.graph.looks import recoloured
from hpc_explorer.app.workspace.opening import close_source, open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.kinds import Style
from hpc_explorer.canvas.view import steps
from hpc_explorer.canvas.view.placing import visible_scene
from hpc_explorer.canvas.view.state import GraphView, NeighbourSet
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import Count, CountKind
from tests.helpers.sessions import session_of

EX = "http://example.org/"
BATCHES = MANY + 120


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A dataset used by very many batches and by one run, which made a model of it."""
    file = tmp_path_factory.mktemp("training") / "training.ttl"
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(f"@prefix ex: <{EX}> . @prefix prov: <http://www.w3.org/ns/prov#> .\n")
        stream.write('ex:data a ex:Dataset ; ex:name "rows" ; prov:wasDerivedFrom ex:raw .\n')
        stream.write(
            "ex:run a ex:Run ; prov:used ex:data, ex:raw .\nex:model a ex:Model ; prov:wasGeneratedBy ex:run .\n"
        )
        for number in range(BATCHES):
            stream.write(f"ex:batch{number} a ex:Batch ; prov:used ex:data .\n")
    session = session_of(file)
    yield session
    session.close()


DATA, RUN, RAW, MODEL = (NamedNode(EX + name) for name in ("data", "run", "raw", "model"))
PROV = "http://www.w3.org/ns/prov#"
USED_BY = NeighbourSet(DATA.value, PROV + "used", outgoing=False)


def test_the_sets_of_a_node_are_told_with_their_sizes(training: Session) -> None:
    found = neighbour_sets(training, DATA)
    assert [(one.of.predicate, one.of.outgoing, one.count) for one in found] == [
        (PROV + "wasDerivedFrom", True, Count(1)),
        (PROV + "used", False, Count(BATCHES + 1)),
    ]


def test_a_hub_opens_in_pages_and_each_brings_new_nodes(training: Session) -> None:
    view = show_resources(training, GraphView(), [DATA])
    for pages in (1, 2, 3):
        view = expand(training, view, USED_BY)
        assert len(view.nodes) == 1 + pages * PAGE
        rest = [node.label for node in visible_scene(view).nodes if node.group]
        assert rest == [f"{BATCHES + 1 - pages * PAGE:,} more"]
    assert all(edge.target == DATA.value for edge in view.edges.values())


@pytest.mark.slow
def test_the_pages_of_a_hub_go_on_beyond_what_is_looked_at_one_by_one(training: Session) -> None:
    view = show_resources(training, GraphView(), [DATA])
    view = expand(training, view, USED_BY, number=MANY)
    view = expand(training, view, USED_BY, number=PAGE)
    view = expand(training, view, USED_BY, number=1_000)
    assert len(view.nodes) == 1 + BATCHES + 1
    assert not [node for node in visible_scene(view).nodes if node.group]


def test_a_set_is_told_and_opened_class_by_class(training: Session) -> None:
    classes = classes_in(training, USED_BY)
    assert classes[0].label.endswith(": Batch")
    assert classes[0].count.kind is CountKind.AT_LEAST
    view = show_resources(training, GraphView(), [DATA])
    view = expand(training, view, USED_BY._replace(cls=EX + "Batch"), number=5)
    assert {node.classes for key, node in view.nodes.items() if key != DATA.value} == {(EX + "Batch",)}


def test_links_among_what_is_shown_are_shown_whichever_came_first(training: Session) -> None:
    wanted = {(RUN.value, DATA.value), (RUN.value, RAW.value), (DATA.value, RAW.value), (MODEL.value, RUN.value)}
    for order in ([DATA, RUN, RAW, MODEL], [MODEL, RAW, RUN, DATA]):
        view = GraphView()
        for resource in order:
            view = show_resources(training, view, [resource])
        assert {(edge.source, edge.target) for edge in view.edges.values()} == wanted
        assert all(edge.origin == "asserted" and len(edge.graphs) == 1 for edge in view.edges.values())


def test_what_is_inferred_is_drawn_as_inferred() -> None:
    session = Session.new()
    try:
        open_sources(session, ["sample:xplacer"])
        infer(session)
        model = NamedNode("http://example.org/AIModel/MO000001")
        view = show_resources(session, GraphView(), [model])
        for found in neighbour_sets(session, model):
            view = expand(session, view, found.of)
        assert {edge.origin for edge in view.edges.values()} == {"asserted", "inferred"}
    finally:
        session.close()


def test_sets_are_named_from_the_end_they_are_read_from(training: Session) -> None:
    labels = {one.of.predicate: one.label for one in neighbour_sets(training, DATA)}
    assert labels[PROV + "used"] == "used by"
    labels = {one.of.predicate: one.label for one in neighbour_sets(training, RAW)}
    assert labels[PROV + "wasDerivedFrom"] == "was derived from (from)"


def test_a_path_is_shown_whichever_end_is_named_first(training: Session) -> None:
    there = show_path(training, GraphView(), MODEL, RAW)
    back = show_path(training, GraphView(), RAW, MODEL)
    assert there is not None
    assert back is not None
    assert there.nodes.keys() == back.nodes.keys() >= {MODEL.value, RUN.value, RAW.value}
    assert {edge.predicate for edge in there.edges.values()} >= {PROV + "wasGeneratedBy", PROV + "used"}


def test_things_that_do_not_derive_from_each_other_are_joined_by_what_both_are_linked_with(training: Session) -> None:
    batches = [NamedNode(EX + "batch1"), NamedNode(EX + "batch2")]
    joined = show_path(training, GraphView(), *batches)
    assert joined is not None
    assert joined.nodes.keys() == {DATA.value, *(batch.value for batch in batches)}
    assert show_path(training, GraphView(), DATA, NamedNode(EX + "Batch")) is None


def test_what_can_be_left_out_is_told_with_its_number(training: Session) -> None:
    view = expand(training, show_resources(training, GraphView(), [DATA]), USED_BY, number=7)
    choices = filter_choices(training, view)
    assert sum(one.number for one in choices.classes) == 8
    assert [(one.label, one.number) for one in choices.predicates] == [("used", 7)]
    assert [(one.label, one.number) for one in choices.graphs] == [("training.ttl", 7)]
    assert [(one.key, one.number) for one in choices.origins] == [("asserted", 7)]


def test_a_view_follows_the_graph_that_was_changed(tmp_path: Path) -> None:
    file, more = tmp_path / "first.ttl", tmp_path / "more.ttl"
    file.write_text(f"@prefix ex: <{EX}> .\nex:a ex:likes ex:b, ex:c . ex:d ex:likes ex:a .\n", encoding="utf-8")
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    more.write_text(
        f'@prefix ex: <{EX}> .\nex:a {label} "Anna" ; ex:likes ex:e . ex:b ex:likes ex:c .\n', encoding="utf-8"
    )
    with closing(Session.new()) as session:
        open_sources(session, [str(file)])
        a = NamedNode(EX + "a")
        likes = NeighbourSet(a.value, EX + "likes", outgoing=True)
        view = expand(session, show_resources(session, GraphView(), [a]), likes)
        view = show_resources(session, view, [NamedNode(EX + "d")])
        open_sources(session, [str(more)])
        grown = refreshed(session, view)
        assert grown.nodes.keys() == view.nodes.keys()
        assert grown.nodes[a.value].label == "Anna"
        assert (grown.expansions[likes].shown, grown.expansions[likes].total) == (2, 3)
        assert len(grown.edges) == len(view.edges) + 1
        close_source(session, session.sources[0].graph)
        left = refreshed(session, grown)
        assert left.nodes.keys() == {EX + name for name in ("a", "b", "c")}
        assert {(edge.source, edge.target) for edge in left.edges.values()} == {(EX + "b", EX + "c")}


def test_a_look_of_a_view_holds_for_the_classes_below_and_goes_when_it_is_taken_back() -> None:
    session = session_of("sample:xplacer")
    data = "https://hpc-fair.github.io/ontology#Data"
    named = resolve(session, "dataset:DA000001"), resolve(session, "Mira Solberg")
    view = show_resources(session, GraphView(), named)
    plain = {node.label: node.colour_key for node in view.nodes.values()}
    assert plain == {"bfs-labelled.csv": "data", "Mira Solberg": "agent"}
    styled = recoloured(session, steps.styled(view, data, Style("spare-1")))
    assert {node.label: node.colour_key for node in styled.nodes.values()} == {**plain, "bfs-labelled.csv": data}
    assert visible_scene(styled).styles == {data: Style("spare-1")}
    back = recoloured(session, steps.styled(styled, data, None))
    assert back == view
    session.styled = frozenset({data})
    again = recoloured(session, view)
    assert {node.label: node.colour_key for node in again.nodes.values()} == {**plain, "bfs-labelled.csv": data}
    session.close()
