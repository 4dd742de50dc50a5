"""SERVICE on the command line: nothing goes out that `--allow-service` does not name, from queries and questions alike."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.bad_server import BadServer, bad_server
from tests.helpers.program import run_installed

pytestmark = pytest.mark.slow

GRAPH = '<http://e/a> <http://e/b> "1" .'
QUESTIONS = """
@prefix dcterms: <http://purl.org/dc/terms/> . @prefix q: <urn:hpc-explorer:question#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:q:stranger> a sh:SPARQLSelectExecutable ; dcterms:identifier "stranger" ; rdfs:label "Stranger's" ;
    sh:select "SELECT ?s { ?s ?p $n }" ;
    sh:parameter [ sh:path <urn:hpc-explorer:parameter:n> ; sh:name "number" ; sh:nodeKind sh:IRI ;
        q:choices [ a sh:SPARQLSelectExecutable ; sh:select "SELECT ?n { SERVICE SILENT <%s> { ?n ?p ?o } }" ] ] .
"""


@pytest.fixture
def server() -> Iterator[BadServer]:
    with bad_server() as server:
        yield server


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    file = tmp_path / "graph.nt"
    file.write_text(GRAPH, encoding="utf-8")
    return file


def host(server: BadServer) -> str:
    return f"127.0.0.1:{server.server_address[1]}"


def query(server: BadServer, path: str) -> tuple[str, str]:
    return (
        "--text",
        f"SELECT * {{ ?s <http://e/b> ?n . SERVICE <http://{host(server)}{path}> {{ SELECT ?n {{ ?x ?y ?n }} }} }}",
    )


def test_what_is_not_allowed_does_not_go_out(server: BadServer, graph: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.ttl"
    questions.write_text(QUESTIONS % f"http://{host(server)}/good", encoding="utf-8")
    workspace = tmp_path / "workspace"
    assert run_installed("load", graph, "--into", workspace).code == 0
    for words in (
        ("query", graph, *query(server, "/good")),
        ("query", graph, *query(server, "/good"), "--timeout", "30"),
        ("query", graph, *query(server, "/good"), "--allow-service", "localhost"),
        ("query", workspace, *query(server, "/good")),
        ("facets", graph, *query(server, "/good")),
        ("questions", graph, "--questions", questions, "--question", "stranger"),
        ("query", graph, "--questions", questions, "--question", "stranger"),
    ):
        done = run_installed(*words)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), (words, done.err)
        assert done.err.endswith(f"{host(server)}: allow it with --allow-service {host(server)}\n")
    assert server.requests == []


def test_what_is_allowed_is_answered(server: BadServer, graph: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    assert run_installed("load", graph, "--into", workspace).code == 0
    for source in (graph, workspace):
        done = run_installed(
            "query", source, *query(server, "/good"), "--allow-service", host(server), "--format", "csv"
        )
        assert (done.code, done.err) == (0, "")
        assert list(csv.reader(io.StringIO(done.out))) == [["s", "n"], ["http://e/a", "1"]]
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("path", "words"), [("/slow-first-byte", ("--timeout", "5")), ("/error-page", ()), ("/silent", ())]
)
def test_it_fails_as_an_endpoint_fails(server: BadServer, graph: Path, path: str, words: tuple[str, ...]) -> None:
    done = run_installed("query", graph, *query(server, path), "--allow-service", "all", *words)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1), done.err
    assert f"http://{host(server)}{path}" in done.err


def test_no_test_of_a_question_file_asks_a_server(server: BadServer, graph: Path, tmp_path: Path) -> None:
    fits = f"q:fits [ a sh:SPARQLAskExecutable ; sh:ask 'ASK {{ SERVICE <http://{host(server)}/good> {{ }} }}' ] ; sh:select"
    questions = tmp_path / "questions.ttl"
    questions.write_text((QUESTIONS % "http://e/").replace("sh:select", fits, 1), encoding="utf-8")
    done = run_installed("questions", graph, "--questions", questions, "--allow-service", "all")
    assert (done.code, done.err.count("\n")) == (2, 1), done.err
    assert "a test whether it fits a graph asks another server" in done.err
    assert server.requests == []


DEPTH = 20_000


@pytest.mark.parametrize(
    "text",
    [
        "ASK " + "{" * DEPTH + "}" * DEPTH,
        "ASK { FILTER(" + "(" * DEPTH + "1" + ")" * DEPTH + ") }",
        "ASK { FILTER(1" + "+1" * DEPTH + ") }",
        "ASK { ?s <a:a>" + "/<a:a>" * DEPTH + " ?o }",
        "ASK { {}" + " UNION {}" * DEPTH + " }",
        "ASK { " + "?s <a:a> ?o . " * DEPTH + "}",
    ],
    ids=["groups", "parentheses", "sum", "path", "union", "triples"],
)
def test_a_query_that_is_too_large_is_one_line_and_no_crash(text: str, graph: Path, tmp_path: Path) -> None:
    file = tmp_path / "query.rq"
    file.write_text(text, encoding="utf-8")
    questions = tmp_path / "questions.ttl"
    large = (QUESTIONS % "http://e/").replace(
        "SELECT ?s { ?s ?p $n }", f"SELECT ?s {{ ?s ?p $n FILTER EXISTS {text[4:]} }}"
    )
    questions.write_text(large, encoding="utf-8")
    for words in (
        ("query", graph, "--file", file),
        ("facets", graph, "--file", file),
        ("questions", graph, "--questions", questions),
    ):
        done = run_installed(*words)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), (words[0], done.err[:500])
        assert "too large" in done.err
        assert len(done.err) < 400
