"""Recording never gets in the way, and what was acknowledged is on disk: real processes, disks and signals."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.helpers.full_disk import files_no_larger_than
from tests.helpers.recorded import SRC, damages_in, of_kind, records_in, run_program, start_program
from tests.helpers.waiting import until

ENDLESS = """
with capture.workflow("w"), capture.stage("training"), capture.epoch():
    print("ready", flush=True)
    number = 0
    while True:
        for _ in range(50):
            capture.log_metric("loss", number + 0.5)
            number += 1
        if capture.flush():
            print(number, flush=True)
"""


def kill_and_check(spool: Path, seconds: float) -> tuple[int, int]:
    """Kill a program that records; the number of acknowledged records and of torn ones."""
    process = start_program(ENDLESS, spool)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    process.kill()
    told, _ = process.communicate(timeout=60)
    acknowledged = int(told.splitlines()[-1]) if told.endswith("\n") and told.strip() else 0
    found = [record[4] for record in of_kind(records_in(spool), "metric")]
    assert found == list(range(len(found)))
    assert len(found) >= acknowledged
    return acknowledged, len(damages_in(spool))


def test_it_needs_the_standard_library_alone() -> None:
    code = f"import sys; sys.path.insert(0, {str(SRC)!r}); import hpc_explorer.capture; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    ours = [name for name in done.stdout.split() if name.startswith("hpc_explorer.")]
    assert all(name.startswith("hpc_explorer.capture") for name in ours)
    others = {name.partition(".")[0] for name in done.stdout.split()} - {"hpc_explorer", "__main__"}
    assert others <= set(sys.stdlib_module_names) | {"_distutils_hack", "sitecustomize"}


@pytest.mark.slow
def test_many_kills_lose_no_acknowledged_record(tmp_path: Path) -> None:
    draw = random.Random(2)
    kills = [kill_and_check(tmp_path / f"spool-{number}", draw.random() * 0.3) for number in range(25)]
    assert sum(acknowledged for acknowledged, _ in kills) > 0
    assert all(torn <= 1 for _, torn in kills)


def test_sigterm_writes_what_waits_and_ends_as_before(tmp_path: Path) -> None:
    code = """
capture.configure(interval=60.0)
with capture.workflow("w"):
    for number in range(1000):
        capture.log_metric("loss", 0.5)
    print("ready", flush=True)
    time.sleep(60)
"""
    process = start_program(code, tmp_path / "spool")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM
    assert len(of_kind(records_in(tmp_path / "spool"), "metric")) == 1000


def test_the_exit_writes_what_waits(tmp_path: Path) -> None:
    code = """
capture.configure(interval=60.0)
step = capture.workflow("w")
step.__enter__()
for number in range(1000):
    capture.log_metric("loss", 0.5)
raise SystemExit(0)
"""
    assert run_program(code, tmp_path / "spool") == ""
    assert len(of_kind(records_in(tmp_path / "spool"), "metric")) == 1000


def test_a_full_disk_costs_records_and_not_the_training(tmp_path: Path) -> None:
    code = """
capture.configure(exit_wait=1.0)
with capture.workflow("w"):
    for number in range(20_000):
        capture.log_metric("loss", 0.5)
print("trained")
"""
    with files_no_larger_than(100_000):
        process = start_program(code, tmp_path / "spool")
        out, said = process.communicate(timeout=240)
    assert (process.returncode, out) == (0, "trained\n")
    written = of_kind(records_in(tmp_path / "spool"), "metric")
    assert [record[4] for record in written] == list(range(len(written)))
    assert damages_in(tmp_path / "spool") == []
    assert len(said.splitlines()) == 1
    assert "records that were not written" in said
    assert 0 < len(written) < 20_000


def test_a_disk_that_has_room_again_gets_all_records(tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    spool.write_text("in the way")
    process = start_program(
        """
with capture.workflow("w"):
    for number in range(100):
        capture.log_metric("loss", 0.5)
    print(capture.flush(0.2), flush=True)
    sys.stdin.readline()
    while not capture.flush(): pass
""",
        spool,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "False\n"
    spool.unlink()
    out, said = process.communicate(timeout=60)
    assert (process.returncode, out, said) == (0, "", "")
    assert len(of_kind(records_in(spool), "metric")) == 100


def test_many_waiting_records_are_written_before_the_interval_is_over(tmp_path: Path) -> None:
    code = """
capture.configure(interval=3600.0, queue_size=100)
with capture.workflow("w"):
    for part in range(2):
        for number in range(150):
            capture.log_metric("loss", 0.5)
        print("logged", flush=True)
        sys.stdin.readline()
"""
    process = start_program(code, tmp_path / "spool")
    assert process.stdin is not None
    assert process.stdout is not None
    for part in range(2):
        assert process.stdout.readline() == "logged\n"
        least = 150 * part + 90  # the run's own records are among those that wait
        until(
            lambda least=least: (
                (tmp_path / "spool").exists() and len(of_kind(records_in(tmp_path / "spool"), "metric")) >= least
            )
        )
        process.stdin.write("\n")
        process.stdin.flush()
    assert process.communicate(timeout=60) == ("", "")
    assert len(of_kind(records_in(tmp_path / "spool"), "metric")) == 300


def test_the_memory_for_waiting_records_is_limited_and_its_losses_are_counted(tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    spool.write_text("in the way")
    process = start_program(
        """
capture.configure(memory=50)
with capture.workflow("w"):
    for number in range(200):
        capture.log_metric("loss", 0.5)
    print("full", flush=True)
    sys.stdin.readline()
    while not capture.flush(): pass
    for number in range(30):
        capture.log_metric("loss", 0.25)
""",
        spool,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "full\n"
    spool.unlink()
    out, said = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")
    metrics = of_kind(records_in(spool), "metric")
    lost = 230 - len(metrics)
    assert 150 <= lost <= 152
    assert [record[4] for record in metrics[-30:]] == list(range(200, 230))
    assert [record[3] for record in metrics[-30:]] == [0.25] * 30
    assert said.startswith(f"hpc-explorer-capture: records that were not written: {lost} (")
    assert sum(record[1] for record in of_kind(records_in(spool), "lost")) == lost


def test_a_folder_that_cannot_be_made_is_one_line_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "spool").write_text("a file")
    code = "capture.configure(exit_wait=0.5)\nwith capture.workflow('w'):\n    capture.log_metric('loss', 1.0)\n"
    said = run_program(code, tmp_path / "spool").splitlines()
    assert len(said) == 1
    assert str(tmp_path / "spool") in said[0]


def test_calls_outside_a_workflow_are_counted(tmp_path: Path) -> None:
    code = "capture.log_metric('loss', 1.0)\ncapture.log_metric('loss', 1.0)\nwith capture.workflow('w'): pass\n"
    assert "2 (a metric outside a workflow)" in run_program(code, tmp_path / "spool")


def test_times_never_go_back_with_the_clock(tmp_path: Path) -> None:
    code = """
with capture.workflow("w"), capture.stage("training"):
    for number in capture.batches(range(5)):
        back = time.time_ns() - 3600 * 10**9
        time.time_ns = lambda: back
        time.time = lambda: back / 1e9
"""
    run_program(code, tmp_path / "spool")
    times = [time for record in of_kind(records_in(tmp_path / "spool"), "batch") for time in record[2:4]]
    assert times == sorted(times)
    assert len(times) == 10


def test_a_file_that_changes_before_its_checksum_is_not_said_to_have_one(tmp_path: Path) -> None:
    code = """
from pathlib import Path
from hpc_explorer.capture.files import FileRecord, file_state
path = Path(sys.argv[0]).parent / "model.bin"
path.write_bytes(b"first")
record = FileRecord("w.1", "model", str(path), {}, file_state(str(path)))
print(record.with_checksum()[3].get("sha256"), flush=True)
os.utime(path, ns=(1, 1)); path.write_bytes(b"second and longer")
told = record.with_checksum()[3]
assert "sha256" not in told and "changed" in told["note"], told
"""
    assert run_program(code, tmp_path / "spool") == ""


def test_threads_record_into_the_workflow(tmp_path: Path) -> None:
    code = """
import threading
def work(name):
    with capture.task(name):
        for number in range(2000):
            capture.log_metric("loss", 0.5)
with capture.workflow("w"):
    threads = [threading.Thread(target=work, args=(f"t{number % 4}",)) for number in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""
    run_program(code, tmp_path / "spool")
    records = records_in(tmp_path / "spool")
    assert len({(record[1], record[4]) for record in of_kind(records, "metric")}) == 16_000
    assert len({record[1] for record in of_kind(records, "begin")}) == 8


def test_threads_never_give_two_values_one_number(tmp_path: Path) -> None:
    code = """
import threading
sys.setswitchinterval(1e-6)
def work():
    for number in range(1000):
        with capture.batch():
            capture.log_metric("inner", 0.5, step=1)
        capture.log_metric("loss", 0.5)
with capture.workflow("w"):
    threads = [threading.Thread(target=work) for number in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""
    run_program(code, tmp_path / "spool")
    records = records_in(tmp_path / "spool")
    metrics = [(record[1], record[2], record[4]) for record in of_kind(records, "metric")]
    assert len(metrics) == len(set(metrics)) == 8000
    assert len({record[1] for record in of_kind(records, "batch")}) == 4000


def test_a_thread_is_in_no_workflow_if_several_run(tmp_path: Path) -> None:
    code = """
import threading
with capture.workflow("a"), capture.workflow("b"):
    thread = threading.Thread(target=lambda: capture.log_metric("loss", 0.5))
    thread.start(); thread.join()
    capture.log_metric("loss", 0.25)
"""
    assert "1 (a metric outside a workflow)" in run_program(code, tmp_path / "spool")
    (metric,) = of_kind(records_in(tmp_path / "spool"), "metric")
    assert metric[1].startswith("b.")
    assert metric[3] == 0.25


@pytest.mark.parametrize(("way", "within"), [("fork", "/stage:training.1"), ("spawn", "")])
def test_processes_join_the_run_without_communication(tmp_path: Path, way: str, within: str) -> None:
    """A forked process knows the activity, a new one the workflow."""
    code = f"""
import multiprocessing
def work(number):
    with capture.task("load"):
        capture.log_metric("rows", number)
if __name__ == "__main__":
    context = multiprocessing.get_context({way!r})
    with capture.workflow("w"), capture.stage("training"):
        processes = [context.Process(target=work, args=(number,)) for number in range(4)]
        for process in processes: process.start()
        for process in processes: process.join()
        assert [process.exitcode for process in processes] == [0] * 4
"""
    assert run_program(code, tmp_path / "spool") == ""
    records = records_in(tmp_path / "spool")
    (run,) = of_kind(records, "run")
    metrics = of_kind(records, "metric")
    assert sorted(record[3] for record in metrics) == [0, 1, 2, 3]
    assert len({record[1] for record in metrics}) == 4
    assert all(record[1].startswith(f"{run[1]}{within}/process:") for record in metrics)
    assert len(list((tmp_path / "spool").iterdir())) == 5
    assert len(of_kind(records, "end")) == 6


def test_asynchronous_tasks_have_their_own_activity(tmp_path: Path) -> None:
    code = """
import asyncio
@capture.task("fetch")
async def fetch(number):
    await asyncio.sleep(0)
    capture.log_parameter("number", number)
    await asyncio.sleep(0)
    capture.log_metric("rows", number)
async def main():
    await asyncio.gather(*(fetch(number) for number in range(5)))
with capture.workflow("w"):
    asyncio.run(main())
"""
    run_program(code, tmp_path / "spool")
    records = records_in(tmp_path / "spool")
    parameters = {record[1]: record[3] for record in of_kind(records, "parameter")}
    assert parameters == {record[1]: record[3] for record in of_kind(records, "metric")}
    assert len(parameters) == 5


def test_ranks_agree_on_the_run(tmp_path: Path) -> None:
    code = "with capture.workflow('w'), capture.stage('training'):\n    capture.log_metric('loss', 1.0)\n"
    for rank in range(3):
        job = {"SLURM_JOB_ID": "77", "SLURM_STEP_ID": "0", "SLURM_NTASKS": "3", "SLURM_PROCID": str(rank)}
        run_program(code, tmp_path / "spool", job)
    runs = of_kind(records_in(tmp_path / "spool"), "run")
    assert len({run[1].partition("/")[0] for run in runs}) == 1
    assert sorted(run[1].partition("/")[2] for run in runs) == ["rank:0", "rank:1", "rank:2"]
    assert {run[3]["job"]["id"] for run in runs} == {"77"}
    assert len({record[1] for record in of_kind(records_in(tmp_path / "spool"), "metric")}) == 3


@pytest.mark.slow
def test_many_processes_write_into_one_folder(tmp_path: Path) -> None:
    code = "with capture.workflow('w'):\n    for number in range(500): capture.log_metric('loss', 0.5)\n"
    processes = []
    for number in range(64):
        spool = tmp_path / f"s{number}"
        processes.append(start_program(code, spool, {"HPC_EXPLORER_SPOOL": str(tmp_path / "one")}))
    for process in processes:
        process.communicate(timeout=240)
        assert process.returncode == 0
    assert len(list((tmp_path / "one").iterdir())) == 64
    assert len(of_kind(records_in(tmp_path / "one"), "metric")) == 64 * 500
    assert damages_in(tmp_path / "one") == []


def test_records_are_there_while_the_program_runs(tmp_path: Path) -> None:
    process = start_program(ENDLESS, tmp_path / "spool")
    try:
        until(lambda: (tmp_path / "spool").exists() and of_kind(records_in(tmp_path / "spool"), "metric"))
    finally:
        process.kill()
        process.communicate(timeout=60)
