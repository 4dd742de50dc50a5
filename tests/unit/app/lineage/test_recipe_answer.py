"""How to make it again as an answer: what is missing first, each step in its place, and documents of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.explore.finding import resolve
from hpc_explorer.app.lineage.recipe_answer import recipe_answer
from hpc_explorer.app.lineage.recipe_text import recipe_page
from hpc_explorer.app.lineage.reproducing import reproduce
from hpc_explorer.app.results.answer import Answer, AnswerText, Section
from hpc_explorer.app.results.answer_files import answer_markdown, write_answer
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownFormat
from hpc_explorer.query.table import Table
from tests.helpers.sessions import session_of


@pytest.fixture
def session() -> Iterator[Session]:
    session = session_of("sample:xplacer", "sample:seismic")
    yield session
    session.close()


def section(answer: Answer, title: str) -> Section:
    return next(one for one in answer.sections if one.title == title)


def lines(answer: Answer, title: str) -> list[str]:
    found = section(answer, title)
    assert isinstance(found, AnswerText)
    return [line.text for line in found.lines]


def test_it_says_what_is_missing_before_all_else(session: Session) -> None:
    answer = recipe_answer(session, resolve(session, "decisionTree.onnx"))
    assert [one.title for one in answer.sections] == [
        *("Missing", "Would help", "Data to begin with", "Programs", "Machines", "Plans", "People"),
        *("Steps, in order", "What should come out"),
    ]
    assert lines(answer, "Missing")[0] == "No location is recorded of Rodinia and Rodinia inputs."
    assert answer.summary[1] == "Some required information is missing; see below."
    assert answer.notes == ("This rests on 159 links (159 asserted), from sample:xplacer, sample:seismic.",)


def test_each_step_leads_to_what_was_done(session: Session) -> None:
    answer = recipe_answer(session, resolve(session, "decisionTree.onnx"))
    steps = section(answer, "Steps, in order")
    assert isinstance(steps, AnswerText)
    first = [line for line in steps.lines if not line.indent]
    assert [line.text.partition(".")[0] for line in first] == [str(number) for number in range(1, 18)]
    assert all(line.target is not None and line.target.label in line.text for line in first)
    assert "Set: criterion = gini" in " ".join(line.text for line in steps.lines)
    programs = section(answer, "Programs")
    assert isinstance(programs, Table)
    assert [column.title for column in programs.columns] == ["Program", "Version", "More"]


def test_epochs_are_one_sentence(session: Session) -> None:
    told = lines(recipe_answer(session, resolve(session, "seis:run1-validation-epoch2-model")), "Steps, in order")
    assert any(line.startswith("Done 2 times within Training, run 1, from Training epoch 1, run 1") for line in told)
    assert "learning_rate from 0.001 to 0.0009" in " ".join(told)


def test_documents_are_its_own_and_other_forms_are_those_of_any_answer(session: Session, tmp_path: Path) -> None:
    resource = resolve(session, "decisionTree.onnx")
    answer = recipe_answer(session, resource)
    page = write_answer(answer, tmp_path / "page.md").read_text(encoding="utf-8")
    assert page == recipe_page(reproduce(session, resource)) != answer_markdown(answer)
    statements = json.loads(write_answer(answer, tmp_path / "recipe.jsonld").read_text(encoding="utf-8"))
    assert resource.value in {node["@id"] for node in statements["@graph"]}
    assert write_answer(answer, tmp_path / "crate.zip").stat().st_size > 1000
    told = json.loads(write_answer(answer, tmp_path / "answer.json").read_text(encoding="utf-8"))
    assert told["title"] == "How to make decisionTree.onnx again"
    with pytest.raises(UnknownFormat, match="cannot be written in this format"):
        write_answer(answer, tmp_path / "answer.doc")
