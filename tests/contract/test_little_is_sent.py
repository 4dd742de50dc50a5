"""A server sends what is shown, not what is counted: hubs and large classes, also where it cuts long answers off."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from hpc_explorer.app.ask.asking import interpret
from hpc_explorer.app.explore.classes import instances_of
from hpc_explorer.app.explore.described import all_values
from hpc_explorer.app.explore.describing import describe_resource
from hpc_explorer.app.explore.drawing import neighbourhood_scene
from hpc_explorer.app.export.requests import ExportOrder, preview_export
from hpc_explorer.app.graph.expanding import classes_in, expand, neighbour_sets, show_resources
from hpc_explorer.app.home.class_table import class_table
from hpc_explorer.app.home.property_groups import property_groups, property_table
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.view.state import GraphView
from hpc_explorer.errors import DeadlineExceeded, EndpointTooSlow
from hpc_explorer.monitor.graph import jobs_in
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.syntax.formats import N_TRIPLES
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import Count
from hpc_explorer.stores.protocol.http import Timeouts
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.contract.conftest import insertion
from tests.helpers.counting_relay import Traffic, counting_relay
from tests.helpers.graphs import ex
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.virtuoso_server import load, virtuoso_server

LOSSES, RUNS = 2_000, 3
MOST_ROWS = 1_200
"""What the Virtuoso sends of an answer: less than there are losses."""

GRAPH = NamedNode("http://example.org/graph")
HUB, LOSS, RUN = ex("losses"), ex("Loss"), ex("Run")
STATED = [
    *(Quad(ex(f"loss{number}"), RDF.type, LOSS, GRAPH) for number in range(LOSSES)),
    *(Quad(ex(f"loss{number}"), ex("of"), HUB, GRAPH) for number in range(LOSSES)),
    *(Quad(ex(f"loss{number}"), ex("part"), ex(f"part{number % 3}"), GRAPH) for number in range(LOSSES)),
    *(Quad(ex(f"run{number}"), RDF.type, RUN, GRAPH) for number in range(RUNS)),
    *(Quad(ex(f"run{number}"), ex("of"), HUB, GRAPH) for number in range(RUNS)),
    Quad(HUB, ex("of"), HUB, GRAPH),
    Quad(HUB, RDFS.label, Literal("all losses"), GRAPH),
    *(Quad(HUB, ex("note"), Literal(f"note {number}"), GRAPH) for number in range(LOSSES)),
    *(Quad(HUB, ex("note"), ex(f"run{number}"), GRAPH) for number in range(RUNS)),
]


@dataclass(frozen=True)
class Server:
    """A session over a server, and the traffic between them."""

    session: Session
    traffic: Traffic


@pytest.fixture(scope="module", params=["oxigraph", "virtuoso"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The graph at each server; what every operation needs is known already."""
    if request.param == "oxigraph":
        with oxigraph_server() as address:
            filled = RemoteStore(f"{address}/query", update_address=f"{address}/update")
            filled.update(insertion(STATED))
            filled.close()
            yield from _opened(f"{address}/query")
        return
    with virtuoso_server(most_rows=MOST_ROWS) as address:
        load(address, STATED)
        yield from _opened(address)


def _opened(address: str) -> Iterator[Server]:
    with counting_relay(address) as traffic:
        session = Session.new()
        open_sources(session, [traffic.address])
        session.schema()
        yield Server(session, traffic)
        session.close()


@pytest.fixture
def kilobytes(server: Server) -> Iterator[list[float]]:
    """What may be sent in the test, to be set by it."""
    allowed: list[float] = []
    before = server.traffic.received
    yield allowed
    assert (server.traffic.received - before) / 1_000 <= sum(allowed)


def test_a_hub_is_counted_there(server: Server, kilobytes: list[float]) -> None:
    kilobytes += [400]  # all of its statements are 1,000 and more, twice
    view = describe_resource(server.session, HUB)
    incoming = {one.predicate: one for one in view.incoming}
    outgoing = {one.predicate: one for one in view.outgoing}
    assert incoming[ex("of")].total == Count(LOSSES + RUNS + 1)
    assert len(incoming[ex("of")].values) == 50
    assert outgoing[ex("note")].total == Count(LOSSES + RUNS)
    assert outgoing[RDFS.label].total == Count(1)
    scene = neighbourhood_scene(server.session, HUB)
    assert any(f"{LOSSES + RUNS - 12:,} more" in node.label for node in scene.nodes)


def test_a_hub_is_expanded_page_by_page(server: Server, kilobytes: list[float]) -> None:
    kilobytes += [900]
    session = server.session
    (of,) = (one for one in neighbour_sets(session, HUB) if not one.of.outgoing)
    assert of.count == Count(LOSSES + RUNS)
    by_class = {NamedNode(one.of.cls): one for one in classes_in(session, of.of)}
    assert {cls: one.count for cls, one in by_class.items()} == {LOSS: Count(LOSSES), RUN: Count(RUNS)}
    view = show_resources(session, GraphView(), [HUB])
    assert len(expand(session, view, of.of).nodes) == 1 + 50
    runs = expand(session, view, by_class[RUN].of)
    assert {one for one in runs.nodes if "run" in one} == {ex(f"run{number}").value for number in range(RUNS)}


def test_all_values_of_a_property_are_fetched_when_they_are_wanted(server: Server) -> None:
    view = describe_resource(server.session, HUB)
    shown = next(one for one in view.outgoing if one.predicate == RDFS.label)
    assert all_values(server.session, HUB, shown, incoming=False) == shown


def test_a_page_of_a_large_class(server: Server, kilobytes: list[float]) -> None:
    kilobytes += [200]  # all instances are 500 and more
    first = instances_of(server.session, LOSS, limit=200)
    assert (len(first.items), first.total, first.by_label) == (200, Count(LOSSES), False)
    last = instances_of(server.session, LOSS, offset=LOSSES - 5, limit=200)
    assert len(last.items) == 5
    few = instances_of(server.session, RUN)
    assert ([one.label for one in few.items], few.by_label) == (["run0", "run1", "run2"], True)


def test_a_table_of_a_large_class(server: Server, kilobytes: list[float]) -> None:
    kilobytes += [300]
    table = class_table(server.session, LOSS, most_rows=100)
    assert (len(table.rows), table.total) == (100, Count(LOSSES))
    group = next(one for one in property_groups(server.session) if one.ref.resource == ex("part"))
    assert len(property_table(server.session, group, most_rows=100).rows) == 100


def test_a_preview_of_an_export(server: Server, kilobytes: list[float]) -> None:
    kilobytes += [200]  # the whole graph is 900 and more
    preview = preview_export(server.session, ExportOrder(format=N_TRIPLES))
    assert preview.heading == "Preview of the beginning"
    assert len(preview.text.splitlines()) == 200


def test_a_graph_without_jobs_is_not_searched_for_their_names(server: Server) -> None:
    before = server.traffic.requests
    assert jobs_in(server.session.store) == ()
    assert server.traffic.requests - before == 1


def test_the_deadline_of_the_opening_is_lifted(server: Server) -> None:
    over = RemoteStore(server.traffic.address, patience=Timeouts(until=time.monotonic() - 1))
    with pytest.raises((DeadlineExceeded, EndpointTooSlow)):
        over.ask("ASK {}")
    over.lift_deadline()
    assert over.ask("ASK {}")
    over.close()


def test_a_question_in_english_reads_a_sample_of_the_words(server: Server, kilobytes: list[float]) -> None:
    kilobytes += [1_500]  # each of five properties has 2,000 statements
    found = interpret(server.session, "How many Runs are there?")
    assert found.readings


def test_what_is_cut_off_is_asked_for_in_halves(server: Server) -> None:
    """Three parts have more links together than the Virtuoso sends, and each has fewer."""
    found = list(server.session.store.match_many(objects=[ex(f"part{number}") for number in range(3)]))
    assert len(found) == len(set(found)) == LOSSES
