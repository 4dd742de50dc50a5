"""Counts of an endpoint say where they come from: counted there, stated by it, or sampled."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from hpc_explorer.app.explore.classes import class_tree
from hpc_explorer.app.explore.describing import describe_graph
from hpc_explorer.cli.main import run_command
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import UNKNOWN_COUNT, Count, CountKind, CountOrigin
from hpc_explorer.stores.remote import profile as endpoint_profile
from hpc_explorer.stores.remote.profile import EndpointProfile, profile_endpoint
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.bad_server import BadServer, bad_server
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.sessions import session_of

RUN, STEP, PART = NamedNode("urn:x:Run"), NamedNode("urn:x:Step"), NamedNode("urn:x:part")
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def void(address: str, triples: int, *, subset: bool = False) -> str:
    return f"""@prefix void: <http://rdfs.org/ns/void#> .
<urn:d> a void:Dataset ; void:sparqlEndpoint <{address}> ; void:triples {triples} ;
  void:classPartition [ void:class <urn:x:Run> ; void:entities 70 ] , [ void:class <urn:x:Step> ; void:entities 900 ] ;
  void:propertyPartition [ void:property <urn:x:part> ; void:triples 800 ] .
{f"<urn:e> void:sparqlEndpoint <{address}> ; void:subset <urn:d> ." if subset else ""}"""


@pytest.fixture
def store() -> Iterator[RemoteStore]:
    with oxigraph_server() as address:
        store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
        runs = " ".join(f"<urn:x:r{number}> a <urn:x:Run> ; <urn:x:part> <urn:x:s{number}> ." for number in range(30))
        store.update(f"INSERT DATA {{ {runs} <urn:x:s0> a <urn:x:Step> }}")
        yield store
        store.close()


def insert(store: RemoteStore, turtle: str) -> None:
    prefix, _, data = turtle.partition("\n")
    store.update(f"{prefix.replace('@prefix', 'PREFIX').rstrip(' .')} INSERT DATA {{ {data} }}")


def test_a_small_endpoint_is_counted_whatever_it_states(store: RemoteStore) -> None:
    insert(store, void(store.address, 61))
    found = profile_endpoint(store)
    assert (found.origin, found.sets_known, found.note) == (CountOrigin.COUNTED, True, "")
    assert found.predicates[PART] == 30


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any endpoint counts as a large one."""
    monkeypatch.setattr(endpoint_profile, "COUNTED_ANYWAY", 0)


@pytest.mark.usefixtures("large")
def test_what_a_large_one_states_in_its_data_is_taken_as_stated(store: RemoteStore) -> None:
    insert(store, void(store.address, 73))
    assert store.size() == Count(73)
    found = profile_endpoint(store)
    assert found == EndpointProfile(
        {frozenset({RUN}): 70, frozenset({STEP}): 900},
        False,
        {PART: 800},
        CountOrigin.STATED,
        "VoID in its data; may be out of date",
    )


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize(
    ("description", "note"),
    [
        (void("{address}", 1_000), "its VoID description (its data) is out of date: it states 1,000 triples"),
        (void("http://elsewhere.example/sparql", 73), ""),
        (f"{void('{address}', 73)} <urn:f> void:sparqlEndpoint <{{address}}> .", ""),
    ],
    ids=["out of date", "of another endpoint", "of two datasets"],
)
def test_what_cannot_be_believed_is_not(store: RemoteStore, description: str, note: str) -> None:
    insert(store, description.replace("{address}", store.address))
    found = profile_endpoint(store)
    assert (found.origin, found.predicates[PART], found.note) == (CountOrigin.COUNTED, 30, note)


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("path", ["/good", "/.well-known/void"])
def test_a_service_description_or_the_well_known_place(path: str) -> None:
    with bad_server() as server:
        address = f"http://127.0.0.1:{server.server_address[1]}/good"
        answers = server.behaviours["/good"]
        turtle = void(address, 1)

        def behave(exchange: object, server: BadServer = server) -> None:
            asked = server.requests[-1].split()[1]
            if asked == path:
                exchange.answer("200 OK", turtle.encode(), "text/turtle")  # type: ignore[attr-defined]
            elif asked.startswith("/good?") and "sparqlEndpoint" in asked:
                exchange.answer("200 OK", b'{"head":{"vars":["d"]},"results":{"bindings":[]}}')  # type: ignore[attr-defined]
            elif asked.startswith("/good?query=ASK"):
                exchange.answer("200 OK", b'{"head":{},"boolean":true}')  # type: ignore[attr-defined]
            else:
                answers(exchange)  # type: ignore[arg-type]

        server.behaviours |= {"/good": behave, "/.well-known/void": behave}
        store = RemoteStore(address)
        found = profile_endpoint(store)
        store.close()
        assert found.origin is CountOrigin.STATED
        assert found.predicates == {PART: 800}
        assert ("service description" in found.note) == (path == "/good")


def test_what_takes_too_long_to_count_is_sampled(store: RemoteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_profile, "SECONDS_FOR_COUNTS", 0.0)
    monkeypatch.setattr(endpoint_profile, "SAMPLED_UP_TO", 20)
    found = profile_endpoint(store)
    assert (found.origin, found.sets_known) == (CountOrigin.SAMPLED, False)
    assert found.type_sets == {frozenset({RUN}): 20, frozenset({STEP}): 1}
    assert found.predicates == {PART: 20, TYPE: 20}
    assert found.kinds == {
        RUN: CountKind.AT_LEAST,
        STEP: CountKind.EXACT,
        PART: CountKind.AT_LEAST,
        TYPE: CountKind.AT_LEAST,
    }
    monkeypatch.setattr(endpoint_profile, "SECONDS_FOR_SAMPLES", 0.0)
    assert set(profile_endpoint(store).kinds.values()) == {CountKind.UNKNOWN}, "unknown is not zero"


@pytest.mark.usefixtures("large")
def test_what_a_person_sees_says_so(store: RemoteStore, capsys: pytest.CaptureFixture[str]) -> None:
    insert(store, void(store.address, 76))
    insert(
        store,
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "<urn:x:Run> rdfs:subClassOf <urn:x:Event> . <urn:x:Step> rdfs:subClassOf <urn:x:Event> . <urn:x:Rare> a rdfs:Class",
    )
    session = session_of(store.address)
    assert session.usage().note == "VoID in its data; may be out of date"
    (event,) = (node for node in class_tree(session) if node.ref.iri == "urn:x:Event")
    assert str(event.instances) == "900+", "an instance of both must count once"
    assert [str(node.instances) for node in event.children] == ["~70", "~900"]
    summary = describe_graph(session)
    assert str(summary.predicates[0].count) == "~800"
    assert session.usage().class_count(NamedNode("urn:x:Rare"), 0) == UNKNOWN_COUNT, "silence is not zero"
    session.close()
    assert run_command(["info", store.address]) == 0
    text = capsys.readouterr().out
    assert "counts of classes and predicates: stated by the endpoint (VoID in its data; may be out of date)" in text
    assert "search: looks through" in text
    assert run_command(["info", store.address, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["endpoint"]["counts"] == "stated"
    assert told["predicates"][0]["count"] == {"value": 800, "kind": "stated"}
