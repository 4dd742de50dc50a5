"""Workflows told in English are read back as the same expressions."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hpc_explorer.app.ask.asking import reader_of
from hpc_explorer.language.expressions import Call
from hpc_explorer.language.step_telling import workflow_sentence
from tests.helpers.random_workflows import random_workflow
from tests.helpers.sessions import session_of
from tests.helpers.workflow_graph import workflow_graph


@pytest.mark.parametrize("number", [100, pytest.param(10_000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
def test_random_workflows_are_told_and_read_back(tmp_path: Path, number: int) -> None:
    session = session_of(workflow_graph(tmp_path / "graph"))
    reader, dice = reader_of(session), random.Random(20261124)
    read: dict[Call, bool] = {}
    expressions = [random_workflow(dice) for _ in range(number)]
    for expression in expressions:
        if expression not in read:
            readings = reader.read(workflow_sentence(expression, {})).readings
            read[expression] = [one.expression for one in readings[:1]] == [expression]
    session.close()
    wrong = [workflow_sentence(one, {}) for one in expressions if not read[one]]
    assert len(wrong) <= number * 0.01, wrong[:10]
