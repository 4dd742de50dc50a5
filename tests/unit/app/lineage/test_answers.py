"""Impact, comparing, moments and costs on the samples, and on a real endpoint with its requests counted."""

from collections.abc import Iterator
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from hpc_explorer.app.explore.finding import resolve
from hpc_explorer.app.lineage.comparing import compare_resources
from hpc_explorer.app.lineage.impact import find_impact, impact_document
from hpc_explorer.app.lineage.tracing import find_path, next_level_count, states_in, trace_lineage
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import DamagedSettings, SourceNotFound
from hpc_explorer.lineage.facts.aspects import Aspect
from hpc_explorer.lineage.time.as_of import State, read_moment
from hpc_explorer.lineage.trace.counts import next_level
from hpc_explorer.lineage.trace.trace import trace
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY
from hpc_explorer.stores.base import CountKind
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.graphs import ex
from tests.helpers.limiting_proxy import limiting_proxy
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.sessions import session_of


@pytest.fixture
def session() -> Iterator[Session]:
    session = session_of("sample:seismic", "sample:xplacer")
    yield session
    session.close()


def test_impact_of_a_machine_by_project(session: Session) -> None:
    found = find_impact(session, resolve(session, "cluster:lassen"))
    assert {model.ref.label for model in found.models} == {"decisionTree.onnx", "randomForest.onnx"}
    assert [(project.label if project else None, count.value) for project, count in found.projects] == [("Xplacer", 2)]
    assert "decisionTree.onnx" in impact_document(session, found)


def test_impact_of_the_raw_survey_counts_all_models_and_grows_with_time(session: Session) -> None:
    raw = resolve(session, "f3.segy")
    everything = find_impact(session, raw)
    assert everything.total.value == len(everything.models) > 3
    assert [project.label for project, _ in everything.projects if project] == [
        "Autonomous identification of salt bodies"
    ]
    numbers = [
        find_impact(session, raw, as_of=read_moment(day)).total.value
        for day in ("2021-02-20", "2021-03-01", "2021-03-03", "2030-01-01")
    ]
    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1]) == (0, everything.total.value)


def test_two_runs_of_the_seismic_sample(session: Session) -> None:
    first, second = resolve(session, "seis:run1"), resolve(session, "seis:run2")
    found = compare_resources(session, first, second)
    assert found.first_parameter is not None
    assert (found.first_parameter.name, found.first_parameter.second) == ("noise_filter_threshold", "0.10")
    assert {one.aspect for one in found.differences} >= {Aspect.PARAMETER, Aspect.RESULT}
    dated = [one.when for one in found.differences if one.when is not None]
    assert dated == sorted(dated)
    assert compare_resources(session, first, first).differences == ()


def test_two_models_of_the_xplacer_sample(session: Session) -> None:
    tree, forest = resolve(session, "decisionTree.onnx"), resolve(session, "randomForest.onnx")
    found = compare_resources(session, tree, forest)
    said = {one.name: (one.aspect, one.first, one.second) for one in found.differences}
    assert said["max_depth"] == (Aspect.PARAMETER, "12", "16")
    assert said["n_estimators"] == (Aspect.PARAMETER, None, "100")
    assert said["accuracy"] == (Aspect.RESULT, "0.934", "0.957")
    assert said["subject"][0] is Aspect.FACT


def test_path_and_lineage_as_of(session: Session) -> None:
    curated, raw = resolve(session, "Curated F3 survey"), resolve(session, "f3.segy")
    assert find_path(session, curated, raw, as_of=read_moment("2021-02-25"))
    assert find_path(session, curated, raw, as_of=read_moment("2021-02-20")) is None
    moment = read_moment("2021-02-25")
    lineage = trace_lineage(session, curated, as_of=moment)
    assert states_in(session, lineage, moment)[raw] is State.UNDATED


def test_a_level_is_counted_before_it_is_fetched(session: Session) -> None:
    raw = resolve(session, "f3.segy")
    for depth in (1, 2, 3):
        near = trace_lineage(session, raw, downstream=True, depth=depth)
        counted = next_level_count(session, near)
        far = trace_lineage(session, raw, downstream=True, depth=depth + 1)
        assert counted.value == len(far.nodes) - len(near.nodes)
    assert next_level_count(session, trace_lineage(session, raw, downstream=True)).value == 0


def test_own_terms_of_the_settings_folder_and_of_a_named_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HPC_EXPLORER_CONFIG", str(tmp_path))
    graph = tmp_path / "graph.ttl"
    graph.write_text("@prefix : <http://example.org/> . :b :madeFrom :a ; :grownFrom :c .")
    row = '[[predicate]]\niri = "http://example.org/{}"\nmeans = "derived"\n'

    def nodes(named: Path | None) -> int:
        session = Session.new()
        session.vocabulary_file = named
        open_sources(session, [str(graph)])
        try:
            return len(trace_lineage(session, ex("b")).nodes)
        finally:
            session.close()

    assert nodes(None) == 1
    (tmp_path / "lineage.toml").write_text(row.format("madeFrom"))
    assert nodes(None) == 2
    own = tmp_path / "own.toml"
    own.write_text(row.format("grownFrom"))
    assert nodes(own) == 3
    with pytest.raises(SourceNotFound, match="no such lineage vocabulary"):
        nodes(tmp_path / "missing.toml")
    own.write_text("means nothing")
    with pytest.raises(DamagedSettings):
        nodes(own)


LEVELS, WIDTH = 6, 40


def test_a_remote_trace_takes_requests_by_level_and_not_by_node() -> None:
    lines = [
        f"<{ex(f'n{level}-{number}').value}> <http://www.w3.org/ns/prov#wasDerivedFrom> "
        f"<{ex(f'n{level + 1}-{(number * 7 + step) % WIDTH}').value}> .\n"
        for level in range(LEVELS)
        for number in range(WIDTH)
        for step in range(WIDTH)
    ]
    lines.append(f"<{ex(f'n{LEVELS}-0').value}> <http://www.w3.org/ns/prov#wasDerivedFrom> <{ex('n0-0').value}> .\n")
    asked: list[int] = []
    with oxigraph_server() as server:
        request = Request(
            f"{server}/store?default",
            "".join(lines).encode(),
            {"Content-Type": "application/n-triples"},
            method="PUT",
        )
        build_opener(ProxyHandler({})).open(request).close()
        with limiting_proxy(f"{server}/query", 1_000_000, told=False, at_query=asked.append) as address:
            store = RemoteStore(address)
            try:
                before = len(asked)
                lineage = trace(store, ex("n0-0"), LINEAGE_VOCABULARY)
                requests = len(asked) - before
                near = trace(store, ex("n0-0"), LINEAGE_VOCABULARY, depth=1)
                between = len(asked)
                counted = next_level(store, near, LINEAGE_VOCABULARY)
                assert (counted.value, counted.kind) == (WIDTH, CountKind.EXACT)
                assert len(asked) - between == 1
            finally:
                store.close()
    assert len(lineage.nodes) == LEVELS * WIDTH + 1
    assert requests <= 4 * (LEVELS + 2), requests
