"""A run is seen in the window while another process records it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTreeWidgetItem, QTreeWidgetItemIterator

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.window.address_dialogs import AddressDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.recorded import start_program
from tests.helpers.redis_server import redis_server
from tests.helpers.windows import User

TRAINING = """
with capture.workflow("fit", run="1"), capture.stage("training"):
    capture.log_input(__file__)
    for number in capture.epochs(range(100)):
        for _ in capture.batches(range(3)):
            capture.log_metric("loss", 1.0 / (number + 1))
        capture.log_metric("loss", 1.0 / (number + 1))
        if number:
            capture.log_model(__file__, f"model-{number}")
        capture.flush()
        print(number, flush=True)
        if sys.stdin.readline() != "on\\n":
            break
"""


@pytest.fixture
def training(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A training that waits after each epoch."""
    process = start_program(TRAINING, tmp_path / "spool")
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate(timeout=60)


def go_on(process: subprocess.Popen[str], word: str = "on") -> None:
    assert process.stdin is not None
    process.stdin.write(f"{word}\n")
    process.stdin.flush()


def rows(window: MainWindow) -> dict[str, QTreeWidgetItem]:
    """The rows of the page by their names."""
    found = {}
    walk = QTreeWidgetItemIterator(window.features.runs.page.tree)
    while (item := walk.value()) is not None:
        found[item.text(0)] = item
        walk += 1
    return found


def drawn(window: MainWindow) -> list[float]:
    """The drawn values."""
    plot = window.features.runs.page.view.plot
    return [] if plot is None else list(plot.series[0].ys)


def test_each_epoch_of_a_running_training_is_seen_in_order(
    window: MainWindow, user: User, tmp_path: Path, training: subprocess.Popen[str]
) -> None:
    assert training.stdout is not None
    assert training.stdout.readline() == "0\n"
    user.open_files([tmp_path / "spool"])
    user.until(lambda: drawn(window) == [1.0])
    assert window.navigator.place.view is View.RUNS
    loss = NamedNode("urn:hpc-explorer:run:fit.1/stage:training.1/epoch:3/metric:loss.0")
    for number in range(1, 5):
        go_on(training)
        assert training.stdout.readline() == f"{number}\n"
        user.until(lambda number=number: len(drawn(window)) > number)
        assert drawn(window) == [1.0 / (one + 1) for one in range(number + 1)]
        step = rows(window)["training"]
        # The epoch whose end is not recorded yet waits for the test.
        assert (step.text(1), step.text(2), step.text(3)) == ("running", str(number), str(3 * (number + 1)))
        assert step.text(4) == f"loss {1.0 / (number + 1):.4g}"
    window.navigator.trace(loss, downstream=False)
    user.until(lambda: window.features.presenter.lineage is not None)
    assert window.features.presenter.lineage is not None
    epoch = NamedNode("urn:hpc-explorer:run:fit.1/stage:training.1/epoch:3")
    assert epoch in window.features.presenter.lineage.nodes
    window.navigator.show_view(View.RUNS)
    go_on(training, "stop")
    user.until(lambda: rows(window)["training"].text(1) == "done")
    assert rows(window)["fit, run 1"].text(1) == "done"


def test_a_run_that_is_recorded_into_a_stream_grows_in_the_window(
    window: MainWindow, user: User, tmp_path: Path
) -> None:
    with redis_server() as server:
        code = f"capture.configure(online={server.address!r}, disk=False)\n{TRAINING}"
        process = start_program(code, tmp_path / "spool", libraries=True)
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "0\n"
            user.window.run("file.open_address")
            dialog = user.dialog(AddressDialog)
            user.type(f"{server.address}/hpc-explorer", dialog.line)
            user.click(dialog.open_button)
            user.until(lambda: drawn(window) == [1.0])
            assert window.navigator.place.view is View.RUNS
            for number in range(1, 3):
                go_on(process)
                assert process.stdout.readline() == f"{number}\n"
                user.until(lambda number=number: drawn(window) == [1.0 / (one + 1) for one in range(number + 1)])
            server.stop()
            user.until(lambda: "does not answer" in window.features.runs.page.warning.text())
            server.start()
            user.until(lambda: not window.features.runs.page.warning.text())
            go_on(process, "stop")
            user.until(lambda: rows(window)["training"].text(1) == "done")
            window.close()
        finally:
            process.kill()
            process.communicate(timeout=60)


def test_a_killed_training_is_marked_as_stalled_with_the_evidence(
    window: MainWindow, user: User, tmp_path: Path, training: subprocess.Popen[str]
) -> None:
    assert training.stdout is not None
    training.stdout.readline()
    user.open_files([tmp_path / "spool"])
    for number in range(1, 4):
        go_on(training)
        assert training.stdout.readline() == f"{number}\n"
    training.kill()
    user.until(lambda: rows(window).get("training") and rows(window)["training"].text(1) == "stalled")
    assert "no record for" in window.features.runs.page.warning.text()
    assert "on average one every" in window.features.runs.page.warning.text()
