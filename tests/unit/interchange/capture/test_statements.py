"""What records mean: statements that depend on neither order nor repetition, and that PROV-ML's shapes accept."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from hpc_explorer.capture.specification import specification_of
from hpc_explorer.capture.spool import Record
from hpc_explorer.interchange.capture.statements import ProvMlStatements, UnknownRecord
from tests.helpers.recorded import records_in, run_program, statements_of

TRAINING = """
from pathlib import Path
work = Path(os.environ["WORK"]); work.mkdir(exist_ok=True)
(work / "raw.csv").write_text("1,2\\n3,4\\n")
with capture.workflow("fit", persons=[capture.Person("Ada", "ML engineer")], study="s", task="Regression"):
    with capture.task("prepare", "preparation"):
        capture.log_input(work / "raw.csv", kind="raw", refers_to="https://example.org/r/survey")
        for name, value in (("slice_start", 1), ("slice_end", 2)):
            capture.log_parameter(name, value)
        (work / "train.npy").write_text("data")
        capture.log_output(work / "train.npy", kind="dataset")
        capture.log_dataset_characteristic(work / "train.npy", "n_instances", 2)
    with capture.stage("training"):
        capture.log_input(work / "train.npy")
        capture.log_parameter("learning_rate", 0.1)
        for number in capture.epochs(range(2)):
            capture.log_parameter("momentum", 0.9)
            for item in capture.batches(range(3)):
                capture.log_metric("loss", 1.0)
            capture.log_metric("accuracy", 0.5)
            (work / f"{number}.pt").write_text(f"weights {number}")
            capture.log_model(work / f"{number}.pt", "net", algorithm="SGD")
            with capture.stage("validation"):
                (work / f"{number}.v.pt").write_text(f"checked {number}")
                capture.log_model(work / f"{number}.v.pt", "net", derived_from=work / f"{number}.pt")
                capture.log_metric("accuracy", 0.4)
"""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """The records of a small training."""
    folder = tmp_path_factory.mktemp("recorded")
    assert run_program(TRAINING, folder / "spool", {"WORK": str(folder / "work")}) == ""
    return records_in(folder / "spool")


def test_order_and_repetition_change_nothing(records: list[Record]) -> None:
    wanted = statements_of(records)
    draw = random.Random(1)
    for _ in range(20):
        mixed = [*records, *draw.sample(records, len(records) // 2)]
        draw.shuffle(mixed)
        cut = draw.randrange(len(mixed))
        assert statements_of(mixed[:cut]) | statements_of(mixed[cut:]) == wanted
        assert statements_of(mixed) == wanted


def test_equal_values_are_different_things(records: list[Record]) -> None:
    given = [line for line in statements_of(records) if '#value> "0.9"' in line]
    assert len(given) == 2


def test_a_file_that_was_written_and_read_is_one(records: list[Record]) -> None:
    lines = statements_of(records)
    generated = {line.split()[0] for line in lines if "wasGeneratedBy" in line and "train.npy" in line}
    used = {line.split()[2] for line in lines if "#used>" in line and "train.npy" in line}
    assert len(generated) == 1
    assert generated == used


def test_a_validation_within_an_epoch_is_a_section_of_a_stage(records: list[Record]) -> None:
    lines = statements_of(records)
    (stage,) = {line.split()[0] for line in lines if "provml#ValidationExecution>" in line}
    sections = {line.split()[0] for line in lines if "provml#ValidationSectionExecution>" in line}
    assert len(sections) == 2
    assert {line.split()[0] for line in lines if "wasInformedBy" in line and line.split()[2] == stage} == sections


@pytest.mark.parametrize(
    "record",
    [
        ["planet", "w.1"],
        ["metric", "w.1"],
        ["run", "w.1", "yesterday", {}],
        ["begin", 3, 1, {}],
        ["file", "w.1", "input", {}],
    ],
)
def test_a_record_of_another_form_is_named(record: Record) -> None:
    with pytest.raises(UnknownRecord, match=record[0]):
        ProvMlStatements().of(record)


def test_texts_are_escaped() -> None:
    odd = 'a "b" \\ \n\t\x00 ünï \ud800'
    (line,) = [line for line in statements_of([["parameter", "w.1", odd, odd, 0, "value"]]) if "#value>" in line]
    assert line.endswith('"a \\"b\\" \\\\ \\n\\t\\u0000 ünï \\uFFFD" .')


def test_the_specification_of_provlake_is_read(shared_data: Callable[[str], Path]) -> None:
    plan = specification_of(shared_data("provenance/provlake-library/synthetic_dataflow.json"))
    assert plan["name"] == "synthetic-workflow"
    assert "act_1" in plan["transformations"]
    lines = statements_of([["specification", "synthetic-workflow.1", plan]])
    raw = json.loads(shared_data("provenance/provlake-library/synthetic_dataflow.json").read_text())
    planned = sum("provlake#DataTransformation>" in line for line in lines)
    assert planned == len(raw["data_transformations"])
    assert any('label> "a1"' in line for line in lines)


def test_a_specification_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{")
    plan = specification_of(tmp_path / "plan.json")
    assert "plan.json" in plan["problem"]
    assert any("cannot be read" in line for line in statements_of([["specification", "w.1", plan]]))


def test_no_statement_is_given_twice(records: list[Record]) -> None:
    """A file without repetitions loads on a faster path."""
    lines = [line for text in ProvMlStatements().lines(records) for line in text.split("\n") if line]
    assert len(lines) == len(set(lines))
