"""The window's thread does not stand still while a large file is read and while a large lineage is drawn."""

from __future__ import annotations

import gc
import platform
import threading
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.window import garbage as pauses
from hpc_explorer.ui.window.garbage import no_pauses, return_free_memory
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.watchdog import LONGEST, Watchdog, longest_here, usual, watched
from tests.helpers.windows import User

RUNS = 50_000
"""Of six triples each."""

PROV = "http://www.w3.org/ns/prov#"


def large_file(folder: Path) -> Path:
    path = folder / "runs.nt"
    with open(path, "w", encoding="utf-8") as file:
        for run in range(RUNS):
            about = f"<http://example.org/run/{run}>"
            file.write(
                f"{about} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{PROV}Activity> .\n"
                f'{about} <http://www.w3.org/2000/01/rdf-schema#label> "Run {run}" .\n'
                f"{about} <{PROV}used> <http://example.org/data/{run // 3}> .\n"
                f"<http://example.org/data/{run + 1}> <{PROV}wasGeneratedBy> {about} .\n"
                f'{about} <http://example.org/loss> "{run / 7:.4f}" .\n'
                f'{about} <{PROV}startedAtTime> "2026-01-01T00:00:00Z" .\n'
            )
    return path


def looks_at_everything() -> int:
    """How often all objects were looked at for garbage: a pause of 50 to 100 ms each time, with so many triples."""
    return int(gc.get_stats()[2]["collections"])


@pytest.mark.slow
def test_reading_300_000_triples_and_tracing_them_leaves_the_window_free(
    window: MainWindow, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All objects are looked at when nothing was done for three seconds, which a slow machine takes from job to job.
    monkeypatch.setattr(pauses, "REST", 3_600_000)
    path = large_file(tmp_path)
    with watched(window.bridge.jobs) as loading:
        looks = looks_at_everything()
        user.open_files([path])
        assert looks_at_everything() == looks
    assert window.features.overview.size_label.text() == "300,000 triples"
    with watched(window.bridge.jobs) as tracing:
        looks = looks_at_everything()
        window.navigator.trace(NamedNode("http://example.org/data/5"), downstream=True)
        user.rest()
        assert looks_at_everything() == looks
    assert window.pictures.canvas.scene().nodes
    assert len(loading.gaps) > 50
    assert usual(loading.held) < longest_here(), sorted(loading.held)[-60:]
    assert usual(tracing.held) < longest_here(), sorted(tracing.held)[-60:]


def test_the_watchdog_sees_a_thread_that_stands_still(window: MainWindow, user: User) -> None:
    watchdog = Watchdog()
    watchdog.start()
    user.until(lambda: len(watchdog.gaps) > 3)
    sum(number * number for number in range(6_000_000))
    watchdog.stop()
    assert watchdog.longest > LONGEST
    assert max(watchdog.work) > LONGEST
    assert max(watchdog.held) > LONGEST


def test_the_watchdog_sees_a_thread_that_waits_for_another_of_the_program(window: MainWindow, user: User) -> None:
    watchdog = Watchdog()
    watchdog.start()
    user.until(lambda: len(watchdog.gaps) > 3)
    computing = threading.Thread(target=lambda: sum(number * number for number in range(6_000_000)))
    computing.start()
    computing.join()
    watchdog.stop()
    assert max(watchdog.work) < max(watchdog.held)
    assert max(watchdog.held) > LONGEST


def test_garbage_of_long_work_is_not_looked_at_and_new_garbage_is_found_at_rest(
    window: MainWindow, user: User, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(pauses, "LONG", 3600.0)  # the work below is short, however long it takes
    request.addfinalizer(partial(gc.set_threshold, *gc.get_threshold()))  # those of tests are the window's
    thresholds = (700, 10, 10)
    gc.set_threshold(*thresholds)
    with no_pauses(window.bridge.jobs):
        assert gc.get_threshold() != thresholds
        frozen = gc.get_freeze_count()
        assert frozen > 0
        gone: list[str] = []
        cycle = QObject()
        cycle.destroyed.connect(lambda: gone.append("cycle"))
        cycle.me = cycle  # type: ignore[attr-defined]
        del cycle
        window.bridge.jobs.run(_nothing, title="Look")
        user.until(lambda: gone)
    assert gc.get_threshold() == thresholds
    assert gc.get_freeze_count() == 0


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries return free memory by themselves")
def test_free_memory_between_pieces_in_use_is_returned() -> None:
    pieces = [bytes(4_000) for _ in range(10_000)]
    kept = pieces[::100]
    full = in_memory()
    del pieces
    return_free_memory()
    assert in_memory() < full - 20_000_000
    assert len(kept) == 100


def in_memory() -> int:
    """Bytes that the program has in memory."""
    return 4096 * int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])


def _nothing() -> None:
    """Work that is soon done."""
