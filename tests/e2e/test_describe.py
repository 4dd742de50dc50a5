"""`describe`: what a model's file says, asked like any graph; and files that are made to do harm."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from tests.helpers.program import run
from tests.unit.annotate.models.estimators import trained

MODEL = "https://example.org/models/advice"


def test_a_model_becomes_triples_that_can_be_asked(tmp_path: Path) -> None:
    (tmp_path / "advice.pkl").write_bytes(pickle.dumps(trained("tree")))
    done = run("describe", "advice.pkl", "--iri", MODEL, "-o", "advice.ttl", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("triples to advice.ttl: pickle, Decision Tree (scikit-learn)\n")
    query = "SELECT (COUNT(?n) AS ?nodes) { ?n a hpc:DecisionTreeNode ; hpc:relationValue ?v }"
    asked = run("query", "advice.ttl", "--text", query, "--format", "csv", cwd=tmp_path)
    inner = sum(1 for left in trained("tree").tree_.children_left if left >= 0)
    assert asked.out.split() == ["nodes", str(inner)]


def test_without_a_file_the_statements_are_printed(tmp_path: Path) -> None:
    (tmp_path / "speed.pkl").write_bytes(pickle.dumps(trained("linear")))
    done = run("describe", "speed.pkl", "--no-trees", cwd=tmp_path)
    assert done.code == 0
    assert 'hpc:learningAlgorithm "Linear Regression"' in done.out
    assert "<urn:sha256:" in done.out


class Payload:
    """Leaves a mark where it is run."""

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return open, ("ran", "w")


def test_a_payload_is_refused_in_one_line_and_not_run(tmp_path: Path) -> None:
    (tmp_path / "model.pkl").write_bytes(pickle.dumps(Payload()))
    done = run("describe", "model.pkl", "-o", "model.ttl", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "hpc-explorer: a pickle of io.open, which is not a scikit-learn model; nothing was executed: model.pkl:"
        " describe it in a form, or save the model as ONNX\n"
    )
    assert {path.name for path in tmp_path.iterdir()} == {"model.pkl"}
