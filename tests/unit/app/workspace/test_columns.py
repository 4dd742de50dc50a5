"""A large workspace keeps its facts by column: built while loading, in step with edits, built anew when they are gone."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.provml_graph import BASE, model_of, write_graph
from hpc_explorer.app.explore import finding
from hpc_explorer.app.lineage.comparing import compare_resources
from hpc_explorer.app.lineage.impact import Impact, find_impact
from hpc_explorer.app.lineage.phasing import section_facts
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.query.checking import how_answered
from hpc_explorer.app.workspace.build_columns import build_columns
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.replacing import load_workspace
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.lineage.columns.sections import ColumnSections
from hpc_explorer.lineage.phases.section_facts import Sections
from hpc_explorer.lineage.phases.store_sections import StoreSections
from hpc_explorer.rdf.namespaces import HPC, PROV, RDF, RDFS, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Resource
from hpc_explorer.stores.changes.changes import ChangeSet

RAW, MODEL = NamedNode(f"{BASE}raw"), NamedNode(model_of("1/100"))
EVALUATION = NamedNode("https://example.org/provml#ModelEvaluation")
COUNTS = f"""SELECT (COUNT(?v) AS ?n) (MIN(?x) AS ?low) WHERE {{
  ?v {PROV.wasGeneratedBy} ?batch ; {RDF.type} {EVALUATION} ; {PROV.value} ?x . ?batch {PROV.startedAtTime} ?began }}"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The PROV-ML graph of 100,000 triples, loaded into a workspace."""
    folder = tmp_path_factory.mktemp("columns")
    write_graph(folder / "graph.nt", "1/100")
    steps: list[str] = []
    load_into(folder / "workspace", [str(folder / "graph.nt")], report=lambda progress: steps.append(progress.step))
    assert "building the facts by column" in steps
    return folder / "workspace"


@pytest.fixture(scope="module")
def unbuilt(loaded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same graph in a workspace whose columns are not built yet."""
    folder = tmp_path_factory.mktemp("unbuilt") / "soon"
    session = Session.new()
    load_workspace(session, folder, [str(loaded.parent / "graph.nt")])
    open_sources(session, [str(folder)], keep_workspace=True)
    assert session.columns is None
    session.close()
    return folder


@pytest.fixture
def soon(unbuilt: Path, tmp_path: Path) -> Session:
    """That workspace, open."""
    shutil.copytree(unbuilt, tmp_path / "soon")
    return opened(tmp_path / "soon", alone=True)


@pytest.fixture
def workspace(loaded: Path, tmp_path: Path) -> Path:
    shutil.copytree(loaded, tmp_path / "workspace")
    return tmp_path / "workspace"


def opened(workspace: Path, *, alone: bool = False) -> Session:
    session = Session.new()
    open_sources(session, [str(workspace)], keep_workspace=alone)
    return session


def test_names_by_columns_are_those_of_the_triples(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(workspace, alone=True)
    resources: list[Resource] = [*dict.fromkeys(quad.subject for quad in session.store.match(None, RDF.type))][::977]  # type: ignore[list-item]  # subjects
    resources += [NamedNode(f"{BASE}nowhere"), RAW]
    graph = session.sources[0].graph
    named = Quad(resources[3], RDFS.label, Literal("by hand"), graph)
    session.edit(ChangeSet(added=(named, Quad(resources[5], RDF.type, HPC.Dataset, graph))))
    monkeypatch.setattr(finding, "WORTH_FROM", 10**9)
    expected = finding.references(session, resources)
    assert expected[resources[3]].label == "by hand"
    monkeypatch.setattr(finding, "WORTH_FROM", 1)
    assert finding.references(session, resources) == expected
    session.close()


def answers(session: Session) -> list[tuple[tuple[str, str], ...]]:
    """The rows of the question, which the columns must answer."""
    assert session.columns is not None
    rows = [tuple((name, str(term)) for name, term in row.items()) for row in session.columns.select(COUNTS)]
    assert rows == [tuple((name, str(term)) for name, term in row.items()) for row in session.store.select(COUNTS)]
    return rows


def told(found: Impact) -> tuple[object, ...]:
    models = [(model.ref, model.projects, model.reached.distance) for model in found.models]
    return found.start, sorted(models, key=str), found.projects, found.total, found.candidates


@pytest.mark.parametrize("start", [RAW, NamedNode(f"{BASE}w1/dataset0"), NamedNode(f"{BASE}trainer"), MODEL])
def test_impact_is_what_the_triples_say(loaded: Path, unbuilt: Path, start: NamedNode) -> None:
    session, triples_only = opened(loaded), opened(unbuilt)
    assert triples_only.columns is None
    found, expected = find_impact(session, start), find_impact(triples_only, start)
    triples_only.close()
    assert told(found) == told(expected)
    for model, other in zip(sorted(found.models, key=str), sorted(expected.models, key=str), strict=True):
        assert len(model.reached.path) == len(other.reached.path) == model.reached.distance
        assert all(edge.evidence for edge in model.reached.path)
        assert model.reached.path[0].cause == start
    session.close()


@pytest.mark.slow
def test_comparing_asks_each_thing_once_and_says_the_same(loaded: Path) -> None:
    session = opened(loaded)
    found = compare_resources(session, NamedNode(f"{BASE}w0"), NamedNode(f"{BASE}w1"))
    assert found.first_parameter is not None
    assert found.first_parameter.name in ("slice_start", "slice_end")
    session.close()


@pytest.mark.slow
def test_edits_are_followed_and_kept(workspace: Path) -> None:
    session = opened(workspace, alone=True)
    (before,) = answers(session)
    graph = session.store.graphs()[0]
    batch = next(session.store.match(None, PROV.startedAtTime, None)).subject
    loss = NamedNode(f"{BASE}new/loss")
    session.edit(
        ChangeSet(
            added=(
                Quad(loss, RDF.type, EVALUATION, graph),
                Quad(loss, PROV.wasGeneratedBy, batch, graph),
                Quad(loss, PROV.value, Literal("-7.5", datatype=XSD.double), graph),
            )
        )
    )
    (after,) = answers(session)
    assert after != before
    assert "-7.5" in dict(after)["low"]
    session.close()

    again = opened(workspace, alone=True)
    assert answers(again) == [after]
    again.edit(ChangeSet(removed=tuple(again.store.match(loss))))
    assert answers(again) == [before]
    again.close()
    last = opened(workspace)
    assert answers(last) == [before]
    last.close()


def test_sections_are_told_by_columns_and_after_edits_too(workspace: Path) -> None:
    session = opened(workspace, alone=True)
    graph, training = session.store.graphs()[0], NamedNode(f"{BASE}w0/training")
    lost, stray = NamedNode(f"{training.value}/e0/b0"), NamedNode(f"{training.value}/e9")

    def batches() -> tuple[Sections, ...]:
        told = section_facts(session)
        assert isinstance(told, ColumnSections)
        triples = StoreSections(session.store)
        found = told.sections([training], 2)[training]
        assert found == triples.sections([training], 2)[training]
        (loss,) = told.values(found)[found[0]]
        (other,) = triples.values(found)[found[0]]
        assert (loss.count, loss.lowest, loss.first, loss.last) == (other.count, other.lowest, other.first, other.last)
        series, expected = told.series(found[0], loss.kind), triples.series(found[0], loss.kind)
        assert [*series.sections] == [*expected.sections]
        assert [*series.numbers] == [*expected.numbers]
        return found

    (before,) = batches()
    session.edit(ChangeSet(removed=tuple(session.store.match(lost, PROV.wasInformedBy))))
    (less,) = batches()
    assert less.count == before.count - 1
    session.edit(
        ChangeSet(
            added=(Quad(stray, PROV.wasInformedBy, training, graph), Quad(lost, PROV.wasInformedBy, stray, graph))
        )
    )
    (again,) = batches()
    assert again.count == before.count
    session.close()


@pytest.mark.slow
def test_a_second_value_is_no_reason_for_a_wrong_answer(workspace: Path) -> None:
    session = opened(workspace, alone=True)
    loss = next(session.store.match(None, RDF.type, EVALUATION)).subject
    (quad,) = session.store.match(loss, PROV.value)
    session.edit(
        ChangeSet(added=(Quad(quad.subject, PROV.value, Literal("0.25", datatype=XSD.double), quad.graph_name),))
    )
    store = session.with_columns(session.store)
    assert list(store.select(COUNTS)) == list(session.store.select(COUNTS))
    session.close()
    # What the tables cannot hold is built anew.
    again = opened(workspace, alone=True)
    assert again.workspace is not None
    assert again.workspace.lacks_columns
    again.workspace.build_columns()
    answers(again)
    again.close()


@pytest.mark.slow
def test_what_is_gone_or_damaged_is_built_anew(workspace: Path) -> None:
    (file,) = workspace.glob("states/*/columns.db")
    file.write_bytes(b"damaged")
    session = opened(workspace)
    assert session.columns is None
    assert session.workspace is not None
    assert session.workspace.lacks_columns
    steps: list[str] = []
    session.workspace.build_columns(report=steps.append)
    assert steps == ["reading the facts", "building the facts by column"]
    answers(session)
    session.close()


def test_a_workspace_is_used_before_its_columns_are_built(soon: Session) -> None:
    session = soon
    assert session.columns is None
    assert finding.search(session, "seismic").hits
    assert len(trace_lineage(session, MODEL).nodes) > 10
    before = [tuple(map(str, row.values())) for row in session.with_columns(session.store).select(COUNTS)]
    assert build_columns(session)
    assert [tuple(value for _, value in row) for row in answers(session)] == before
    session.close()


def test_an_edit_before_the_columns_are_built_is_in_them(soon: Session, tmp_path: Path) -> None:
    """The file of the source says something else then, with as many statements."""
    session = soon
    (evaluation,) = islice(session.store.match(None, RDF.type, EVALUATION), 1)
    (value,) = session.store.match(evaluation.subject, PROV.value)
    other = Quad(value.subject, PROV.value, Literal(-5.0), value.graph_name)
    session.edit(ChangeSet((value,), (other,)))
    session.close()
    again = opened(tmp_path / "soon")
    assert build_columns(again)
    assert "-5" in str(answers(again))
    again.close()


def test_a_small_workspace_has_none(tmp_path: Path) -> None:
    load_into(tmp_path / "small", ["sample:seismic"])
    session = opened(tmp_path / "small")
    assert session.columns is None
    assert session.workspace is not None
    assert not session.workspace.lacks_columns
    session.close()


@pytest.mark.slow
def test_what_is_inferred_is_not_answered_from_what_is_stated(workspace: Path) -> None:
    session = opened(workspace)
    assert session.columns is not None
    with session.changing(), session.inferring():
        assert session.columns is None
    session.close()


def test_what_answers_a_query_is_said_with_its_sql_and_plan(workspace: Path) -> None:
    session = opened(workspace)
    how = how_answered(session, COUNTS)
    assert how.by == "facts by column"
    assert how.sql.startswith("SELECT")
    assert len(how.plan.splitlines()) > 3
    one_by_one = how_answered(session, "SELECT ?v { ?v ?p ?x } LIMIT 1")
    assert (one_by_one.by, one_by_one.sql, one_by_one.plan) == ("the triples", "", "")
    uncertain = how_answered(session, "SELECT (SAMPLE(REPLACE(STR(?v), '(', '')) AS ?n) (COUNT(*) AS ?c) { ?v ?p ?x }")
    assert uncertain.by == "the triples"
    assert "cannot answer it exactly" in uncertain.why
    session.close()
