"""A resource with more links than one would list, and a class with more instances: the first ones, and how many."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hpc_explorer.app.explore.classes import instances_of
from hpc_explorer.app.explore.describing import describe_resource
from hpc_explorer.app.explore.drawing import neighbourhood_scene
from hpc_explorer.app.explore.links import COUNTED, MANY, links_of
from hpc_explorer.app.graph.expanding import neighbour_sets
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.sessions import session_of

BATCHES = MANY + 500
EX = "http://example.org/"
BATCH, DATASET, USED, PART = (NamedNode(EX + name) for name in ("Batch", "dataset", "used", "hasPart"))


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A dataset that is used by many batches and has as many parts."""
    file = tmp_path_factory.mktemp("hub") / "hub.nt"
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(f"<{EX}dataset> {RDF.type} <{EX}Dataset> .\n")
        for number in range(BATCHES):
            batch = f"<{EX}batch{number}>"
            stream.write(f"{batch} {RDF.type} {BATCH} .\n{batch} {USED} {DATASET} .\n{DATASET} {PART} {batch} .\n")
    session = session_of(file)
    yield session
    session.close()


def test_a_hub_is_described_by_its_first_links_and_their_number(hub: Session) -> None:
    view = describe_resource(hub, DATASET)
    for side, predicate in ((view.outgoing, PART), (view.incoming, USED)):
        [found] = [one for one in side if one.predicate == predicate]
        assert found.total == Count(BATCHES)
        assert len(found.values) == 50
    assert [ref.resource for ref in view.types] == [NamedNode(EX + "Dataset")]


def test_a_class_with_many_instances_is_described_at_once(hub: Session) -> None:
    [instances] = describe_resource(hub, BATCH).incoming
    assert (instances.label, instances.total) == ("instance of", Count(BATCHES))


def test_the_pages_of_a_large_class_hold_each_instance_once(hub: Session) -> None:
    found: list[str] = []
    while True:
        page = instances_of(hub, BATCH, offset=len(found), limit=4_000)
        assert (page.total, page.by_label) == (Count(BATCHES), False)
        if not page.items:
            break
        found += [ref.iri for ref in page.items]
    assert sorted(found) == sorted(f"{EX}batch{number}" for number in range(BATCHES))


def test_a_picture_of_a_hub_tells_how_many_it_leaves_out(hub: Session) -> None:
    scene = neighbourhood_scene(hub, DATASET)
    more = sorted(node.label for node in scene.nodes if node.group)
    assert more == [f"… and {BATCHES - 12:,} more"] * 2


@pytest.mark.slow
def test_beyond_what_is_counted_a_number_is_a_lower_bound() -> None:
    store = LocalStore.in_memory()
    store.add_quads(Quad(NamedNode(f"{EX}b{number}"), USED, DATASET, DATASET) for number in range(COUNTED + 10))
    session = Session(store)
    try:
        [links] = links_of(session, DATASET, outgoing=False)
        assert links.total == Count(COUNTED, CountKind.AT_LEAST)
        assert len(links.quads) == MANY
    finally:
        session.close()


def test_what_two_graphs_state_counts_once_however_much_it_is(tmp_path: Path) -> None:
    """A hub's statements are read up to a number of ends, and its literals are no neighbours."""
    lines = [f"{DATASET} {PART} <{EX}part{number}> .\n" for number in range(MANY // 2 + 10)]
    texts = [f'{DATASET} {USED} "{number}" .\n' for number in range(MANY + 20)]
    (tmp_path / "one.nt").write_text("".join(lines))
    (tmp_path / "two.nt").write_text("".join([*lines, *texts]))
    (tmp_path / "three.nt").write_text(f"{DATASET} {USED} <{EX}tool> .\n{DATASET} {USED} {DATASET} .\n")
    with closing(Session.new()) as session:
        open_sources(session, [str(tmp_path / name) for name in ("three.nt", "one.nt", "two.nt")])
        totals = {one.predicate: one.total for one in describe_resource(session, DATASET).outgoing}
        assert totals == {PART: Count(MANY // 2 + 10), USED: Count(MANY + 22)}
        numbers = {one.of.predicate: one.count for one in neighbour_sets(session, DATASET) if one.of.outgoing}
        assert numbers == {PART.value: Count(MANY // 2 + 10), USED.value: Count(1)}


def test_a_hub_at_an_endpoint_is_told_by_all_its_predicates() -> None:
    with oxigraph_server() as address:
        store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
        parts = "".join(f"{DATASET} {PART} <{EX}part{number}> .\n" for number in range(MANY + 5))
        store.update(f"INSERT DATA {{ {parts} {DATASET} {USED} <{EX}tool> }}")
        store.close()
        with closing(Session.new()) as session:
            open_sources(session, [f"{address}/query"])
            found = {links.predicate: links.total for links in links_of(session, DATASET, outgoing=True)}
    assert found == {PART: Count(MANY + 5), USED: Count(1)}
