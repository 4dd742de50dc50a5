"""Following a spool with the installed command, while a program records into it."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from hpc_explorer.stores.changes.manifest import is_workspace
from tests.helpers.processes import interrupts_heard
from tests.helpers.program import installed_command, run, run_installed
from tests.helpers.recorded import start_program
from tests.helpers.waiting import until

TRAINING = """
with capture.workflow("w", run="1"), capture.stage("training"):
    for number in capture.epochs(range(3)):
        capture.log_metric("loss", 0.5)
        capture.flush()
        print(number, flush=True)
        sys.stdin.readline()
"""


def epochs_in(workspace: Path) -> int:
    text = "SELECT (COUNT(*) AS ?n) { ?e a <https://example.org/provml#TrainingSectionExecution> }"
    done = run("query", workspace, "--text", text, "--format", "csv")
    return int(done.out.split()[1]) if done.code == 0 else 0


def test_a_run_is_followed_while_it_is_recorded(tmp_path: Path) -> None:
    """The spool appears after the collector has begun, and each epoch is in the workspace before the next begins."""
    spool, workspace = tmp_path / "spool", tmp_path / "ws"
    words = [installed_command(), "collect", str(spool), "--into", str(workspace), "--follow", "--interval", "0.1"]
    with interrupts_heard():
        collector = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    training = start_program(TRAINING, spool)
    assert training.stdin is not None
    assert training.stdout is not None
    for number in range(3):
        assert training.stdout.readline() == f"{number}\n"
        until(lambda number=number: is_workspace(workspace) and epochs_in(workspace) == number + 1)  # type: ignore[misc]
        training.stdin.write("\n")
        training.stdin.flush()
    training.communicate(timeout=60)
    collector.send_signal(signal.SIGINT)
    out, said = collector.communicate(timeout=120)
    assert collector.returncode == 0, said
    assert "stopped following" in said
    assert f"records of {spool} are in {workspace}" in out


def test_following_ends_when_nothing_comes(tmp_path: Path) -> None:
    process = start_program(TRAINING, tmp_path / "spool")
    process.communicate("\n\n\n", timeout=120)
    done = run_installed(
        "collect", tmp_path / "spool", "--into", tmp_path / "ws", "--follow", "--interval", "0.1", "--idle", "0.2"
    )
    assert done.code == 0, done.err
    assert epochs_in(tmp_path / "ws") == 3


def test_idle_without_follow_is_refused(tmp_path: Path) -> None:
    done = run("collect", tmp_path, "--into", tmp_path / "ws", "--idle", "1")
    assert done.code == 2
    assert "--follow" in done.err
