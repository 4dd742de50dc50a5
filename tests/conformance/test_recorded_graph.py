"""The run of the paper's benchmark, recorded through the library: PROV-ML Q1 to Q7 answer as on the generated graph.

Times of batches are those of the clock here, so the durations in Q4 and Q5 are left out.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.query.questions import ask_question, parameter_choices
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.query.questions.question import Question
from hpc_explorer.rdf.terms import Literal
from tests.helpers.recorded import run_program

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
QUESTIONS = [question for question in shipped_questions() if question.name.startswith("prov-ml-q")]
STAGES = ("training", "validation", "evaluation")
BATCHES = 4

TRAINING = """
import json
from pathlib import Path
work = Path(os.environ["WORK"])
told = json.loads((work / "values.json").read_text())
for which, stages in told.items():
    def place(name):
        path = work / f"{which}-{name}"
        if not path.exists(): path.write_text(f"{which} {name}")
        return path
    with capture.workflow("salt", persons=[capture.Person("trainer", "ML engineer")]):
        with capture.task("curation", "curation"):
            capture.log_input(work / "f3.sgy", kind="raw", refers_to="https://example.org/r/survey")
            capture.log_output(place("curated"), kind="curated")
        for number, stage in enumerate(stages):
            with capture.task("preparation", "preparation"):
                capture.log_input(place("curated"), kind="curated")
                for name, value in told[which][stage]["preparation"].items():
                    capture.log_parameter(name, value)
                capture.log_output(place(stage), kind="dataset")
        for stage, facts in stages.items():
            with capture.stage(stage):
                capture.log_input(place(stage))
                for name, value in (("batch_size", 32), ("optimizer", "adam"), ("learning_rate", 0.001)):
                    capture.log_parameter(name, value)
                for facts_of_epoch in capture.epochs(facts["epochs"]):
                    epoch = facts_of_epoch["epoch"]
                    if stage == "evaluation":
                        capture.log_input(place(f"validation {epoch}"), kind="model")
                    else:
                        capture.log_parameter("learning_rate", facts_of_epoch["rate"])
                        source = place(f"training {epoch}") if stage == "validation" else None
                        capture.log_model(place(f"{stage} {epoch}"), "unet", derived_from=source)
                    for loss in capture.batches(facts_of_epoch["losses"]):
                        capture.log_metric("batch_loss", loss)
                    capture.log_metric("accuracy", facts_of_epoch["accuracy"])
"""


def values_in(graph: Path) -> dict[str, dict[str, dict[str, object]]]:
    """The values of the generated graph, by workflow and stage."""
    values = dict(re.findall(r'<https://example.org/r/([^>]+)> <[^>]+#value> "([^"]*)"', graph.read_text()))
    found: dict[str, dict[str, dict[str, object]]] = {}
    for which in sorted({name.partition("/")[0] for name in values if "/" in name}):
        found[which] = {}
        for number, stage in enumerate(STAGES):
            prepared = f"{which}/preparation{number}"
            preparation = {
                "tile_size": int(values[f"{prepared}/tile_size"]),
                "noise_filter_threshold": float(values[f"{prepared}/noise_filter_threshold"]),
                "slice_start": int(values[f"{prepared}/slice_start"]),
                "slice_end": int(values[f"{prepared}/slice_end"]),
            }
            epochs = []
            while (here := f"{which}/{stage}/e{len(epochs)}") + "/accuracy" in values:
                epochs.append(
                    {
                        "epoch": len(epochs),
                        "rate": float(values.get(f"{here}/rate", "0")),
                        "accuracy": float(values[f"{here}/accuracy"]),
                        "losses": [float(values[f"{here}/b{batch}/loss"]) for batch in range(BATCHES)],
                    }
                )
            found[which][stage] = {"preparation": preparation, "epochs": epochs}
    return found


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Session, Session]]:
    """The generated graph, and the recorded one with the survey from the generated one."""
    folder = tmp_path_factory.mktemp("graphs")
    sys.path.insert(0, str(BENCHMARKS))
    writer = importlib.import_module("provml_graph")
    sys.path.remove(str(BENCHMARKS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "BATCHES", BATCHES)
        patch.setattr(writer, "WORKFLOWS", 2)
        writer.write_graph(folder / "generated.nt", "1/100")
    lines = (folder / "generated.nt").read_text().splitlines(keepends=True)
    (folder / "survey.nt").write_text(
        "".join(line for line in lines if line.startswith("<https://example.org/r/survey>"))
    )
    (folder / "f3.sgy").write_text("seismic")
    (folder / "values.json").write_text(json.dumps(values_in(folder / "generated.nt")))
    assert run_program(TRAINING, folder / "spool", {"WORK": str(folder)}) == ""
    generated, recorded = Session.new(), Session.new()
    open_sources(generated, [str(folder / "generated.nt")])
    open_sources(recorded, [str(folder / "spool"), str(folder / "survey.nt")])
    yield generated, recorded
    generated.close()
    recorded.close()


def answers(session: Session, question: Question) -> Counter[tuple[object, ...]]:
    """The literals of all rows, for all values of the first blank, without durations and names of files."""
    found: Counter[tuple[object, ...]] = Counter()
    first = question.parameters[0]
    choices = [{first.name: choice.value} for choice in parameter_choices(session, first, {}).items]
    for chosen in choices:
        table = ask_question(session, question, chosen).table
        for row in table.rows:
            literals = [term.value for term in row if isinstance(term, Literal)]
            kept = [plain(text) for text in literals if "f3.sgy" not in text]
            found[
                tuple(kept[: 2 if question.name == "prov-ml-q5" else 0 if question.name == "prov-ml-q4" else None])
            ] += 1
    return found


def plain(text: str) -> object:
    try:
        return round(float(text), 9)
    except ValueError:
        return text


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.name)
def test_the_recorded_run_answers_as_the_generated_one(question: Question, sessions: tuple[Session, Session]) -> None:
    generated, recorded = (answers(session, question) for session in sessions)
    assert generated.total() > 0
    assert recorded == generated
