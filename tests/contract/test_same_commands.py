"""The commands give equal answers on the same data in memory, in a workspace, and behind two kinds of server."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset, DefaultGraph, Quad
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.contract.conftest import insertion
from tests.contract.test_same_answers import as_kept, comparable
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.program import run
from tests.helpers.sessions import session_of
from tests.helpers.virtuoso_server import load, virtuoso_server

PLACES = ("workspace", "oxigraph server", "virtuoso")
RESOURCES = {
    "sample:xplacer": "decisionTree.onnx",
    "sample:seismic": "Evaluation of the best model, run 2",
}
QUERIES = (
    "SELECT ?c (COUNT(*) AS ?n) WHERE { ?s a ?c } GROUP BY ?c ORDER BY ?c",
    "SELECT ?p ?v WHERE { ?s ?p ?v FILTER(isLITERAL(?v)) } ORDER BY STR(?p) STR(?v)",
    "ASK { ?s a ?c }",
)


@pytest.fixture(
    scope="module", params=["sample:xplacer", pytest.param("sample:seismic", marks=pytest.mark.slow)], ids=RESOURCES
)
def sample(request: pytest.FixtureRequest) -> str:
    """The name of a sample graph."""
    name: str = request.param
    return name


@pytest.fixture(scope="module", params=PLACES)
def place(request: pytest.FixtureRequest, sample: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where else its triples lie: a folder, or an address."""
    if request.param == "workspace":
        folder = tmp_path_factory.mktemp("place") / "workspace"
        assert run("load", sample, "--into", folder).code == 0
        yield str(folder)
        return
    session = session_of(sample)
    quads = list(session.store.match())
    session.close()
    if request.param == "virtuoso":
        with virtuoso_server() as address:
            load(address, quads)
            yield address
        return
    with oxigraph_server() as address:
        store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
        store.update(insertion(quads))
        store.close()
        yield f"{address}/query"


def answer(*words: str | Path) -> str:
    """What the command prints."""
    done = run(*words)
    assert (done.code, done.err) == (0, "")
    return done.out


answer_here = cache(answer)
"""The same of a sample, asked once for all places."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("info", ("--json",)),
        ("classes", ("--json",)),
        ("show", ("RESOURCE", "--json")),
        ("lineage", ("RESOURCE", "--format", "json")),
        ("lineage", ("RESOURCE", "--downstream", "--format", "json")),
        *(("query", ("--text", query, "--format", "json")) for query in QUERIES),
    ],
    ids=lambda part: part if isinstance(part, str) else " ".join(part),
)
def test_answers_are_equal(sample: str, place: str, command: str, options: tuple[str, ...]) -> None:
    words = [RESOURCES[sample] if word == "RESOURCE" else word for word in options]
    there, here = answer(command, place, *words), answer_here(command, sample, *words)
    assert comparable(json.loads(there)) == comparable(json.loads(here))


def without_spelling(value: Any) -> Any:
    """A JSON answer with each number in its texts by its value: an endpoint may keep 0.10 as 0.1."""
    if isinstance(value, dict):
        return {key: without_spelling(part) for key, part in value.items()}
    if isinstance(value, list):
        return [without_spelling(part) for part in value]
    if isinstance(value, str):
        return re.sub(r"\d[\d,]*(\.\d+)?", lambda found: f"{float(found[0].replace(',', '')):.12g}", value)
    return value


def test_recipes_are_equal(sample: str, place: str) -> None:
    there, here = (run("reproduce", source, RESOURCES[sample], "--json") for source in (place, sample))
    assert (there.code, there.err) == (here.code, here.err) == (1, "")
    told, known = (without_spelling(comparable(json.loads(done.out))) for done in (there, here))
    assert told == known


@pytest.mark.parametrize("options", [(), ("--resource", "RESOURCE")], ids=["all", "one"])
def test_exports_are_the_same_graph(sample: str, place: str, tmp_path: Path, options: tuple[str, ...]) -> None:
    words = [RESOURCES[sample] if word == "RESOURCE" else word for word in options]
    graphs = []
    for number, source in enumerate((place, sample)):
        written = tmp_path / f"{number}.nq"
        answer("export", source, *words, "-o", written)
        quads = read_source(written).quads()
        graph = Dataset(Quad(quad.subject, quad.predicate, as_kept(quad.object), DefaultGraph()) for quad in quads)
        graph.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
        graphs.append(graph)
    assert graphs[0] == graphs[1]
