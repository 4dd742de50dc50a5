"""Answers on lineage, of the samples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.explore.finding import resolve
from hpc_explorer.app.lineage.answering import MOST_PAIRS, MOST_SHARED, comparison_answer, impact_answer
from hpc_explorer.app.lineage.comparing import alike, compare_resources
from hpc_explorer.app.lineage.impact import find_impact
from hpc_explorer.app.results.answer import AnswerTable
from hpc_explorer.app.results.answer_files import answer_json, answer_markdown
from hpc_explorer.app.results.table_files import table_csv
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import HPC
from tests.helpers.sessions import session_of


@pytest.fixture
def session() -> Iterator[Session]:
    session = session_of("sample:seismic", "sample:xplacer")
    yield session
    session.close()


def labels(table: AnswerTable, column: int) -> list[str]:
    cells = [row[column] for row in table.rows]
    return [cell.label if isinstance(cell, ResourceRef) else str(cell) for cell in cells]


def test_what_a_machine_reached(session: Session) -> None:
    start = resolve(session, "cluster:lassen")
    found = impact_answer(session, start)
    total = find_impact(session, start).candidates.value
    assert found.summary == (f"If this is retracted, 2 of {total} models are affected.", "Of the project Xplacer.")
    models, projects = found.tables
    assert sorted(labels(models, 0)) == ["decisionTree.onnx", "randomForest.onnx"]
    assert labels(projects, 0) == ["Xplacer"]
    assert projects.rows[0][1] == 2
    assert all(way for way in labels(models, 3))
    assert found.picture is not None
    keys = {node.key for node in found.picture.nodes}
    assert {model.iri for model, *_ in models.rows if isinstance(model, ResourceRef)} < keys
    assert "decisionTree.onnx" in table_csv(models, {})
    assert "decisionTree.onnx" in answer_json(found)
    assert "decisionTree.onnx" in answer_markdown(found)


def test_an_anomaly_is_not_retracted() -> None:
    session = session_of("sample:sns")
    try:
        found = impact_answer(session, resolve(session, "slow host compute03"))
    finally:
        session.close()
    assert found.summary == ("2 of 5 models are affected.",)


def test_the_models_are_those_that_the_operation_finds(session: Session) -> None:
    start = resolve(session, "f3.segy")
    found = impact_answer(session, start)
    assert len(found.tables[0].rows) == find_impact(session, start).total.value


def test_another_class_is_counted_on_demand(session: Session) -> None:
    start = resolve(session, "cluster:lassen")
    found = impact_answer(session, start, kinds=[HPC.Dataset])
    number = find_impact(session, start, kinds=[HPC.Dataset])
    assert found.summary[0] == (
        f"If this is retracted, {number.total.value} of {number.candidates.value} of the class Dataset are affected."
    )


def test_what_reached_nothing_says_so(session: Session) -> None:
    found = impact_answer(session, resolve(session, "decisionTree.onnx"))
    assert found.summary[0].startswith("If this is retracted, 0 of ")
    assert found.sections == ()
    assert found.picture is None


def test_two_runs_are_compared_from_the_first_difference_on(session: Session) -> None:
    first, second = resolve(session, "seis:run1"), resolve(session, "seis:run2")
    known = compare_resources(session, first, second)
    found = comparison_answer(session, first, second)
    divergent = known.first_parameter
    assert divergent is not None
    assert found.summary[0] == (
        f"The first parameter that differs is {divergent.name}: {divergent.first} in A, {divergent.second} in B."
    )
    (table,) = found.tables
    assert len(table.rows) == len(known.differences)
    assert [row[1] for row in table.rows] == [one.name for one in known.differences]
    assert f"{known.aligned:,} pairs" in found.notes[0]
    assert found.picture is not None
    badges = [node.badges for node in found.picture.nodes]
    assert {("A",), ("B",), (), ("A", "≠"), ("B", "≠")} <= set(badges)
    assert 10 < len(badges) <= 2 * MOST_PAIRS + MOST_SHARED
    assert all(way[0] == (first, second) for way in known.ways)
    assert len(known.ways) == len(known.differences)
    shared = [node for node in found.picture.nodes if not node.badges]
    assert all(node.label for node in shared)


def test_a_thing_compared_with_itself_differs_in_nothing(session: Session) -> None:
    run = resolve(session, "seis:run1")
    found = comparison_answer(session, run, run)
    assert found.summary == ("No difference found.",)
    assert found.tables[0].rows == ()
    assert found.picture is None


def test_others_of_the_class_are_offered_to_compare_with(session: Session) -> None:
    tree = resolve(session, "decisionTree.onnx")
    offered = alike(session, tree)
    assert offered.kind == "AI model"
    assert "randomForest.onnx" in {ref.label for ref in offered.others}
    assert tree not in {ref.resource for ref in offered.others}


def test_names_of_any_length_leave_the_title_readable(tmp_path: Path) -> None:
    source = tmp_path / "long.ttl"
    source.write_text(
        "@prefix e: <http://e.org/> . @prefix prov: <http://www.w3.org/ns/prov#> .\n"
        + "".join(
            f'e:m{n} a <{HPC.AIModel.value}> ; <http://www.w3.org/2000/01/rdf-schema#label> "{n} {"long " * 60}" ;'
            f" prov:wasDerivedFrom e:d{n}, e:d .\n"
            for n in (1, 2)
        ),
        encoding="utf-8",
    )
    session = Session.new()
    try:
        open_sources(session, [str(source)])
        compared = comparison_answer(session, resolve(session, "http://e.org/m1"), resolve(session, "http://e.org/m2"))
        assert "… compared with 2 long" in compared.title
        assert compared.summary == ("No parameter differs.", "1 difference, of input.")
        reached = impact_answer(session, resolve(session, "http://e.org/d"))
        assert reached.summary == ("If this is retracted, 2 of 2 models are affected.",)
        assert len(reached.tables) == 1, "where no project is known, nothing is said of projects"
    finally:
        session.close()
