"""The commands give the same answers on an endpoint as on a file with the same triples."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hpc_explorer.app.explore.finding import resolve, search
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace.opening import close_source, open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.cli.main import run_command
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset, DefaultGraph, Literal, NamedNode, Quad
from hpc_explorer.stores.local.spellings import stored_form
from hpc_explorer.stores.protocol.http import HttpClient
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.contract.conftest import insertion
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.sessions import session_of
from tests.helpers.virtuoso_server import load, virtuoso_server

SAMPLE = "sample:xplacer"
MODEL = "decisionTree.onnx"


@pytest.fixture(scope="module", params=[(), ("--union-default-graph",), None], ids=["separate", "union", "virtuoso"])
def endpoint(request: pytest.FixtureRequest) -> Iterator[str]:
    """An endpoint with the triples of the sample, in a graph of the same name."""
    local = session_of(SAMPLE)
    quads = list(local.store.match())
    local.close()
    if request.param is None:
        with virtuoso_server() as address:
            load(address, quads)
            yield address
        return
    with oxigraph_server(*request.param) as address:
        store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
        # In one piece, so that a blank node stays one.
        store.update(insertion(quads))
        store.close()
        yield f"{address}/query"


def printed(capsys: pytest.CaptureFixture[str], command: str, source: str, *words: str) -> str:
    code = run_command([command, source, *words])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def as_kept(term: object) -> Any:
    """A literal as the server keeps it, by value: "18200.0" is "18200" there, and shown so."""
    return stored_form(term) if isinstance(term, Literal) else term


def comparable(value: Any) -> Any:
    """A JSON answer without what may differ: order, labels of blank nodes, prefixes, and what is told of endpoints."""
    if isinstance(value, dict):
        if value.get("type") == "bnode":
            return "a blank node"
        if value.get("type") == "literal" and "datatype" in value:
            return str(as_kept(Literal(value["value"], datatype=NamedNode(value["datatype"]))))
        term = value.get("term")
        # The text of a literal follows its spelling, which is the endpoint's; its value is compared by the term.
        dropped = {"curie", "sources", "endpoint"} | (
            {"text"} if isinstance(term, dict) and "datatype" in term else set()
        )
        return {key: comparable(part) for key, part in sorted(value.items()) if key not in dropped}
    if isinstance(value, list):
        return sorted((comparable(part) for part in value), key=json.dumps)
    if isinstance(value, str) and re.fullmatch(r"_:[0-9a-f]+", value):
        return "_:"
    return value


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("info", "--json"),
        ("classes", "--json"),
        ("classes", "--root", "hpc:Data", "--json"),
        ("show", MODEL, "--json"),
        ("show", "hpc:AIModel", "--json"),
        ("show", "Rodinia inputs", "--json"),
        ("lineage", MODEL, "--format", "json"),
        ("lineage", "Rodinia inputs", "--downstream", "--format", "json"),
        ("lineage", MODEL, "--depth", "2", "--format", "json"),
        ("query", "--text", "SELECT ?c (COUNT(*) AS ?n) WHERE { ?s a ?c } GROUP BY ?c ORDER BY ?c", "--format", "json"),
        ("query", "--text", "ASK { ?m a hpc:AIModel }", "--format", "json"),
    ],
    ids=" ".join,
)
def test_json_answers_are_equal(capsys: pytest.CaptureFixture[str], endpoint: str, words: tuple[str, ...]) -> None:
    command, *rest = words
    there = json.loads(printed(capsys, command, endpoint, *rest))
    here = json.loads(printed(capsys, command, SAMPLE, *rest))
    assert comparable(there) == comparable(here)


def test_a_path_has_the_same_steps(capsys: pytest.CaptureFixture[str], endpoint: str) -> None:
    """Of several shortest chains either is right."""
    steps = [
        json.loads(printed(capsys, "path", source, MODEL, "Rodinia inputs", "--json"))["steps"]
        for source in (endpoint, SAMPLE)
    ]
    assert len(steps[0]) == len(steps[1]) > 1
    assert [step["effect"] for step in steps[0][1:]] == [step["cause"] for step in steps[0][:-1]]


@pytest.mark.parametrize("words", [(), ("--resource", MODEL), ("--resource", "lassen")], ids=" ".join)
def test_exports_are_the_same_graph(
    capsys: pytest.CaptureFixture[str], endpoint: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    graphs = []
    for source in (endpoint, SAMPLE):
        written = tmp_path / f"{len(graphs)}.nq"
        printed(capsys, "export", source, *words, "-o", str(written))
        quads = read_source(written).quads()
        graph = Dataset(Quad(quad.subject, quad.predicate, as_kept(quad.object), DefaultGraph()) for quad in quads)
        graph.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
        graphs.append(graph)
    assert graphs[0] == graphs[1]


@pytest.fixture
def both(endpoint: str) -> Iterator[tuple[Session, Session]]:
    sessions = (Session.new(), Session.new())
    open_sources(sessions[0], [endpoint])
    open_sources(sessions[1], [SAMPLE])
    yield sessions
    for session in sessions:
        session.close()


def test_search_finds_the_same(both: tuple[Session, Session]) -> None:
    for text in ("decision", "tree onnx", "lassen", "MO000001", "AI mod", "no such thing", "ecisionTre", "%"):
        there, here = (search(session, text, limit=20) for session in both)
        assert [hit.ref.iri for hit in there.hits] == [hit.ref.iri for hit in here.hits], text
        assert there.total == here.total, text


def test_a_lineage_costs_requests_by_level_and_not_by_node(
    both: tuple[Session, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = both[0]
    model = resolve(session, MODEL)
    session.lineage_vocabulary()
    sent: list[str] = []
    honest = HttpClient.open

    def counting(self: HttpClient, request: Any, *rest: Any) -> Any:
        sent.append(request.address)
        return honest(self, request, *rest)

    monkeypatch.setattr(HttpClient, "open", counting)
    lineage = trace_lineage(session, model)
    levels = max(node.depth for node in lineage.nodes.values()) + 1
    assert len(lineage.nodes) > 5 * levels
    assert len(sent) <= 5 * levels


def test_an_endpoint_is_opened_alone_and_closed_again(endpoint: str) -> None:
    session = Session.new()
    with pytest.raises(UsageError, match="by itself"):
        open_sources(session, ["sample:xplacer", endpoint])
    changes = []
    session.subscribe(changes.append)
    (source,) = open_sources(session, [endpoint.replace("http://", "http://ann:secret@")])
    assert source.format == "SPARQL endpoint"
    assert "secret" not in repr(session.opened)
    assert session.store.capabilities.remote
    with pytest.raises(UsageError, match="by itself"):
        open_sources(session, ["sample:xplacer"])
    close_source(session, source.graph)
    open_sources(session, ["sample:xplacer"])
    assert len(changes) == 3
    session.close()
