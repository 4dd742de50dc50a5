"""Measures what follows recording: how soon a call is seen in the window, and what collecting a large run takes."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from capture_paper import PROGRAM, answers, write_survey  # noqa: E402
from provml_graph import EPOCHS, write_graph  # noqa: E402


def collecting_lines(epochs: list[int]) -> list[str]:
    """Record runs of the paper's shape; compare collecting each with loading the same triples, in a table."""
    return [
        "A run of the paper's shape (8 workflows, 3 stages, 200 batches) is recorded and collected into a workspace.",
        "Its statements are loaded into another from N-Triples. Processor time in seconds of all processes; *equal",
        "answers* are those to Q1 to Q7 about each workflow (Q1 and Q2: about three models of each) that are the same",
        "as on the generated graph:",
        "",
        "| epochs | statements | record | collect | load | collect / load | equal answers |",
        "|---|---|---|---|---|---|---|",
        *map(_collecting, epochs),
    ]


def _collecting(epochs: int) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}

    def took(*words: object) -> float:
        before = os.times()
        subprocess.run([sys.executable, *map(str, words)], check=True, env=environment, capture_output=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        recorded = took("-c", PROGRAM, ROOT / "src", folder, epochs)
        collected = took("-m", "hpc_explorer", "collect", folder / "spool", "--into", folder / "collected")
        (statements,) = (folder / "collected" / "collected").glob("*.nt")
        with open(statements, "rb") as lines:
            number = sum(1 for _ in lines)
        loaded = took("-m", "hpc_explorer", "load", statements, "--into", folder / "loaded")
        generated = folder / "generated.nt"
        write_graph(generated, {epochs: scale for scale, epochs in reversed(EPOCHS.items())}[epochs])
        write_survey(generated, folder / "survey.nt")
        took("-m", "hpc_explorer", "load", folder / "survey.nt", "--into", folder / "collected")
        took("-m", "hpc_explorer", "load", generated, "--into", folder / "of-generated")
        expected, found = (answers(folder / name, epochs) for name in ("of-generated", "collected"))
    equal = sum(found[asked] == rows for asked, rows in expected.items() if rows)
    return (
        f"| {epochs} | {number:,} | {recorded:.1f} | {collected:.1f} | {loaded:.1f} | {collected / loaded:.2f} "
        f"| {equal} of {len(expected)} |"
    )


CALLS = """
import sys, time
sys.path.insert(0, sys.argv[1])
from hpc_explorer import capture
capture.configure(folder=sys.argv[2])
with capture.workflow("live"), capture.stage("training"):
    for number in range(200):
        capture.log_metric("called", time.time())
        if not number:
            capture.flush()
            print("begun", flush=True)
        time.sleep(0.1 + number % 7 / 100)
"""


def live_lines() -> list[str]:
    """How long after a call its statements are in the store and its value in the window; in lines."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtWidgets import QApplication

    from hpc_explorer.app.settings import Settings
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.ui.window.main_window import MainWindow

    application = QApplication.instance() or QApplication([])
    session = Session.new()
    stored: dict[int, float] = {}
    shown: dict[float, float] = {}
    with tempfile.TemporaryDirectory() as place:
        spool = Path(place) / "spool"
        words = [sys.executable, "-c", CALLS, str(ROOT / "src"), str(spool)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        window = MainWindow(session, Settings())
        window.show()
        window.open_sources([str(spool)])
        session.subscribe(lambda change: stored.setdefault(session.sources[0].triples.value, time.time()))
        ended = 0.0
        while not ended or time.monotonic() < ended:
            application.processEvents()
            time.sleep(0.001)
            plot = window.features.runs.page.view.plot
            for called in () if plot is None else plot.series[0].ys:
                shown.setdefault(called, time.time())
            if not ended and process.poll() is not None:
                ended = time.monotonic() + 1.0
        window.close()
    moments = sorted(stored.values())
    opened = next(iter(shown.values()))
    calls = [called for called in list(shown)[:-3] if called > opened]
    in_store = [next((at for at in moments if at > called), math.inf) - called for called in calls]
    in_window = [shown[called] - called for called in calls]
    return [
        "From a call in a training to its statements in the store, and to its value in the plot of the window, both in",
        "other processes, through the spool:",
        "",
        f"| {len(calls)} calls | p50 ms | p90 ms | p99 ms | within 250 ms |",
        "|---|---|---|---|---|",
        *(
            f"| {name} | {' | '.join(f'{_share(values, share) * 1000:.0f}' for share in (0.5, 0.9, 0.99))} "
            f"| {sum(value <= 0.25 for value in values) / len(values):.1%} |"
            for name, values in (("in the store", in_store), ("in the window", in_window))
        ),
    ]


def _share(values: list[float], share: float) -> float:
    return sorted(values)[int(len(values) * share)]
