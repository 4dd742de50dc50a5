"""Runs that are slow as a whole: found, named, kept and undone; and what is not enough to compare."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hpc_explorer.errors import UnusableModel
from hpc_explorer.monitor.jobs import Job, usual_times
from hpc_explorer.monitor.whole_runs import LEAST_RUNS, PROCESSOR_TIME, usual_runs
from tests.helpers.program import run

HEAD = ",execute_start,execute_end,runtime,stage_in_delay,stage_out_delay,kickstart_executables_cpu_time\n"


def jobs_of(name: str, seed: int, *, moving: float = 1.0, work: float = 1.0) -> list[Job]:
    """Twenty jobs whose times vary by 5 %."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(20):
        some = np.exp(random.normal(0, 0.05, 3))
        staging, working, processors = 30 * moving * some[0], 100 * work * some[1], 80 * some[2]
        measures = {PROCESSOR_TIME: processors}
        key = f"fit_{number}"
        began = 1000.0 * seed
        found.append(
            Job(f"{name}/{key}", key, "fit", name, began, began + 50, staging + working, staging, "", 0, measures)
        )
    return found


def test_a_run_in_which_no_job_alone_is_slow_is_found() -> None:
    normal = [job for seed in range(10) for job in jobs_of(f"normal{seed}", seed)]
    usual = usual_runs(normal)
    slow = jobs_of("slow", 20, moving=1.4)
    assert usual_times(normal).slow_jobs(slow) == ()
    (found,) = usual.slow_runs([*slow, *jobs_of("fast", 21, work=0.7), *jobs_of("usual", 22, moving=0.95, work=0.95)])
    assert (found.run, len(found.jobs), found.begin, found.end) == ("slow", 20, 20_000, 20_050)
    assert found.score > 1
    assert "moving files" in found.evidence


def test_jobs_whose_names_do_not_recur_are_compared_by_their_task() -> None:
    def renamed(jobs: list[Job]) -> list[Job]:
        return [Job(one.iri, one.iri, one.task, one.run, seconds=one.seconds, staging=one.staging) for one in jobs]

    usual = usual_runs([job for seed in range(10) for job in renamed(jobs_of(f"normal{seed}", seed))])
    assert {kind for kind, *_ in usual.keys} == {"task"}
    assert [one.run for one in usual.slow_runs(renamed(jobs_of("slow", 20, work=1.5)))] == ["slow"]


def test_too_few_runs_and_runs_with_nothing_in_common_are_refused() -> None:
    with pytest.raises(UnusableModel, match=f"3 normal runs, and at least {LEAST_RUNS} are needed"):
        usual_runs([job for seed in range(3) for job in jobs_of(f"normal{seed}", seed)])
    with pytest.raises(UnusableModel, match="no job recurs"):
        usual_runs([Job(f"urn:{number}", f"a{number}", f"b{number}", f"r{number}", seconds=9) for number in range(6)])


def test_the_command_names_slow_runs_and_keeps_them_once(tmp_path: Path) -> None:
    (tmp_path / "normal").mkdir()

    def write(path: Path, jobs: list[Job]) -> None:
        rows = (
            f"{one.name},{one.started},{one.ended},{one.seconds},{one.staging},0,{(one.measures or {})[PROCESSOR_TIME]}\n"
            for one in jobs
        )
        path.write_text(HEAD + "".join(rows))

    for seed in range(10):
        write(tmp_path / "normal" / f"run{seed}.csv", jobs_of("normal", seed))
    write(tmp_path / "slow.csv", jobs_of("slow", 20, moving=1.4))
    write(tmp_path / "usual.csv", jobs_of("usual", 22, moving=0.95, work=0.95))
    normal = [word for path in sorted((tmp_path / "normal").iterdir()) for word in ("--normal", path)]
    assert run("load", tmp_path / "slow.csv", tmp_path / "usual.csv", "--into", tmp_path / "ws").code == 0
    words = ("monitor", "detect", tmp_path / "ws", *normal)
    assert run(*words).out.endswith("no slow job\n")
    done = run(*words, "--whole-runs", "--keep")
    assert done.code == 1
    assert "2 runs compared with 10 normal runs" in done.out
    assert "slow.csv: " in done.out
    assert "usual.csv" not in done.out
    assert "added" in done.out
    again = json.loads(run(*words, "--whole-runs", "--keep", "--json").out)
    assert (again["added"], again["runs"], [len(one["jobs"]) for one in again["slow_runs"]]) == (0, 2, [20])
    (anomaly,) = json.loads(run("monitor", "events", tmp_path / "ws", "--json").out)
    assert (anomaly["label"], anomaly["jobs"]) == ("slow run slow.csv", 20)
    assert run("journal", "undo", tmp_path / "ws").code == 0
    assert json.loads(run("monitor", "events", tmp_path / "ws", "--json").out) == []
