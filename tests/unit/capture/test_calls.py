"""A batch and a metric belong to what is running where they are called: in loops, threads, tasks and processes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.capture.spool import Record
from tests.helpers.examples import examples
from tests.helpers.recorded import of_kind, records_in, run_program


def recorded(code: str, folder: Path) -> list[Record]:
    assert run_program(code, folder / "spool") == ""
    return records_in(folder / "spool")


def places(records: Iterable[Record], kind: str) -> list[str]:
    """The activities of records of a kind, below the run."""
    return [record[1].partition("/")[2] for record in of_kind(records, kind)]


def test_metrics_belong_to_the_batch_or_epoch_that_runs(tmp_path: Path) -> None:
    code = """
with capture.workflow("w"):
    for number in capture.epochs(range(2)):
        capture.log_metric("before", 0.5)
        for _ in capture.batches(range(2)):
            capture.log_metric("loss", 0.5)
            capture.log_metric("loss", 1)
        capture.log_metric("after", 0.5)
    capture.log_metric("end", 0.5)
"""
    records = recorded(code, tmp_path)
    metrics = [(record[2], record[1].partition("/")[2], record[4]) for record in of_kind(records, "metric")]
    expected = []
    for epoch in ("epoch:0", "epoch:1"):
        expected.append(("before", epoch, 0))
        expected += [("loss", f"{epoch}/batch:{batch}", number) for batch in (0, 1) for number in (0, 1)]
        expected.append(("after", epoch, 0))
    assert metrics == [*expected, ("end", "", 0)]
    assert places(records, "batch") == [f"epoch:{epoch}/batch:{batch}" for epoch in (0, 1) for batch in (0, 1)]


def test_an_index_that_comes_again_belongs_to_another_loop(tmp_path: Path) -> None:
    code = """
with capture.workflow("w"):
    for _ in range(2):
        for _ in capture.batches(range(2)):
            for _ in capture.batches(range(2)): pass
    with capture.batch(): pass
    with capture.batch(7): pass
    with capture.batch(7): pass
"""
    inner = [f"{outer}/batch:{number}" for outer in ("batch:0", "batch:1") for number in (0, 1)]
    again = [f"{outer}/batch:{number}" for outer in ("batch:2-0", "batch:2-1") for number in (0, 1)]
    expected = [*inner[:2], "batch:0", *inner[2:], "batch:1", *again[:2], "batch:2-0", *again[2:], "batch:2-1"]
    assert places(recorded(code, tmp_path), "batch") == [*expected, "batch:2-2", "batch:2-7", "batch:3-7"]


def test_a_step_that_is_entered_again_is_another_batch(tmp_path: Path) -> None:
    code = """
step = capture.batch()
@capture.batch()
def train(number):
    capture.log_metric("called", number)
with capture.workflow("w"):
    for number in range(3):
        with step:
            capture.log_metric("loss", number)
    for number in range(2):
        train(number)
"""
    records = recorded(code, tmp_path)
    assert places(records, "batch") == [f"batch:{number}" for number in range(5)]
    found = [(record[1].partition("/")[2], record[3]) for record in of_kind(records, "metric")]
    assert found == [("batch:0", 0), ("batch:1", 1), ("batch:2", 2), ("batch:3", 0), ("batch:4", 1)]


def test_the_error_of_a_batch_is_recorded(tmp_path: Path) -> None:
    code = """
with capture.workflow("w"):
    try:
        with capture.batch(0):
            raise ValueError("no data")
    except ValueError: pass
    with capture.batch(1): pass
"""
    assert [record[4] for record in of_kind(recorded(code, tmp_path), "batch")] == ["ValueError: no data", None]


def test_a_process_that_is_forked_in_a_batch_does_not_end_it(tmp_path: Path) -> None:
    code = """
with capture.workflow("w"):
    with capture.batch(0):
        child = os.fork()
        if not child:
            capture.log_metric("of the child", 0.5)
            with capture.batch(0): pass
        else:
            os.waitpid(child, 0)
            capture.log_metric("of the parent", 0.5)
    if not child:
        capture.stop()
        os._exit(0)
"""
    records = recorded(code, tmp_path)
    metrics = {record[2]: record[1].partition("/")[2] for record in of_kind(records, "metric")}
    assert metrics["of the parent"] == "batch:0"
    own = metrics["of the child"]
    assert own.startswith("batch:0/process:")
    assert sorted(places(records, "batch")) == ["batch:0", f"{own}/batch:0"]


def test_asynchronous_tasks_have_their_own_batches(tmp_path: Path) -> None:
    code = """
import asyncio
async def work(number):
    for index in range(3):
        with capture.batch():
            await asyncio.sleep(0)
            capture.log_metric("number", number)
            await asyncio.sleep(0)
        capture.log_metric("between", number)
async def main():
    await asyncio.gather(*(work(number) for number in range(4)))
with capture.workflow("w"), capture.epoch():
    asyncio.run(main())
"""
    records = recorded(code, tmp_path)
    within = [record[1] for record in of_kind(records, "metric") if record[2] == "number"]
    assert sorted(within) == sorted(record[1] for record in of_kind(records, "batch"))
    assert len(set(within)) == 12
    between = [record[1] for record in of_kind(records, "metric") if record[2] == "between"]
    assert {path.partition("/")[2] for path in between} == {"epoch:0"}
    assert len(between) == 12


def test_a_thread_follows_the_workflows_that_come_one_after_another(tmp_path: Path) -> None:
    code = """
from concurrent.futures import ThreadPoolExecutor
def work():
    with capture.batch():
        capture.log_metric("loss", 0.5)
    capture.log_metric("total", 0.5)
with ThreadPoolExecutor(1) as pool:
    for name in "ab":
        with capture.workflow(name):
            pool.submit(work).result()
"""
    metrics = of_kind(recorded(code, tmp_path), "metric")
    assert [record[1][0] for record in metrics] == ["a", "a", "b", "b"]
    assert [record[1].partition("/")[2] for record in metrics] == ["batch:0", "", "batch:0", ""]


def test_another_folder_gets_the_records_from_then_on(tmp_path: Path) -> None:
    code = """
with capture.workflow("w"):
    capture.log_metric("loss", 0.5)
    capture.configure(folder=os.environ["HPC_EXPLORER_SPOOL"] + "-2")
    capture.log_metric("loss", 0.25)
"""
    first = of_kind(recorded(code, tmp_path), "metric")
    second = of_kind(records_in(tmp_path / "spool-2"), "metric")
    assert [(record[3], record[4]) for record in (*first, *second)] == [(0.5, 0), (0.25, 1)]
    files = [file.name for folder in ("spool", "spool-2") for file in (tmp_path / folder).iterdir()]
    assert len(set(files)) == 2


def test_a_loop_that_is_left_early_ended_without_an_error(tmp_path: Path) -> None:
    code = """
try:
    with capture.workflow("w"):
        for number in capture.epochs(range(9)):
            for _ in capture.batches(range(9)):
                capture.log_metric("loss", 0.5)
                break
            if number == 1:
                break
        capture.log_metric("loss", 0.5)
        for _ in capture.batches([1]):
            raise ValueError("broken")
except ValueError: pass
"""
    records = recorded(code, tmp_path)
    assert places(records, "metric") == ["epoch:0/batch:0", "epoch:1/batch:0", ""]
    assert places(records, "batch") == ["epoch:0/batch:0", "epoch:1/batch:0", "batch:0"]
    assert [record[4] for record in of_kind(records, "batch")] == [None] * 3
    ends = {record[1].partition("/")[2]: record[3] for record in of_kind(records, "end")}
    assert ends == {"epoch:0": None, "epoch:1": None, "": "ValueError: broken"}


_ACTS = st.recursive(
    st.sampled_from(["metric"]),
    lambda inner: st.tuples(st.sampled_from(["epoch", "batch"]), st.lists(st.lists(inner, max_size=3), max_size=3)),
    max_leaves=12,
)


@examples(10)
@given(st.lists(_ACTS, max_size=4))
def test_a_loop_records_what_explicit_steps_record(acts: list[Any]) -> None:
    def lines(acts: list[Any], depth: int, *, in_loops: bool) -> list[str]:
        pad, made = "    " * depth, []
        for act in acts:
            if act == "metric":
                made.append(f"{pad}capture.log_metric('loss', 0.5)")
                continue
            kind, turns = act
            if in_loops:
                plural = "batches" if kind == "batch" else "epochs"
                made.append(f"{pad}for turn{depth} in capture.{plural}(range({len(turns)})):")
            for number, turn in enumerate(turns):
                begin = f"if turn{depth} == {number}:" if in_loops else f"with capture.{kind}({number}):"
                inside = f"{pad}    " if in_loops else pad
                deeper = depth + 2 if in_loops else depth + 1
                made += [f"{inside}{begin}", *lines(turn, deeper, in_loops=in_loops), f"{inside}    pass"]
            if in_loops:
                made.append(f"{pad}    pass")
        return made

    found = []
    for in_loops in (True, False):
        with tempfile.TemporaryDirectory() as place:
            code = "\n".join(["with capture.workflow('w', run='1'):", *lines(acts, 1, in_loops=in_loops), "    pass"])
            records = recorded(code, Path(place))
        timeless = [
            [item for item in record if not (isinstance(item, int) and item > 10**15)]
            for record in records
            if record[0] not in ("run", "surroundings")
        ]
        found.append(timeless)
    assert found[0] == found[1]
