"""What holds for every test: it leaves no log record, no thread and no file behind that it did not announce."""

from __future__ import annotations

import atexit
import gc
import itertools
import logging
import os
import re
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
"""Data that is too large, or not ours, to stand in the repository."""

_NUMBERS = itertools.count()

GRACE = 60.0
"""Seconds a thread that was told to stop may take to end."""

# The examples of a property are the same each time, so that what passed here passes there; `make test-properties` draws
# others, and what it finds becomes an example of its own, or a fixed property. `max_examples` is for a property that
# names no number; those that do (tests/helpers/examples.py) try as many times more or fewer.
# A slow machine is no failure, nor are draws that are often too large or of no use; all examples share their fixtures.
_HEALTH = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.function_scoped_fixture,
]
settings.register_profile("same examples", deadline=None, derandomize=True, suppress_health_check=_HEALTH)
# `make test` tries a fifth of them, to be quick; `make test-slow` tries all.
settings.register_profile("a fifth of the examples", settings.get_profile("same examples"), max_examples=20)
settings.register_profile(
    "new examples",
    deadline=None,
    derandomize=False,  # where CI is set, hypothesis would have it otherwise
    max_examples=int(os.environ.get("EXAMPLES", "500")),
    print_blob=True,
    suppress_health_check=_HEALTH,
)
settings.register_profile(
    "mutants",  # make mutants: half the examples, and that one fails is enough, the smallest one is not looked for
    settings.get_profile("same examples"),
    max_examples=50,
    phases=[Phase.explicit, Phase.generate],
    database=None,
)
settings.load_profile("same examples")


@pytest.hookimpl(trylast=True)  # the profile is chosen by then
def pytest_configure(config: pytest.Config) -> None:
    """Declare the marks of this file, and have examples that are the same each time."""
    if settings.default.derandomize:
        # Hypothesis draws the constants of our modules too, of those that are imported by then: the examples would be
        # others in another order of tests, and after any edit. No setting says so: tests/unit/test_frame.py checks it.
        providers._get_local_constants = providers.Constants
    config.addinivalue_line(
        "markers", "expected_logs(*patterns): log records of level WARNING and above that this test must cause"
    )


@pytest.hookimpl(wrapper=True, optionalhook=True)  # a project without xdist runs this file too
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Half as many tests at once again as there are processors: a third of its time, a test waits for a timer, a disk or a server."""
    return (yield) * 3 // 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep all tests and imported modules from the garbage collector, which would look through them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        atexit.register(gc.unfreeze)


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, caches and state lie in a folder of the test's own, and a command buffers its output as a user's does."""
    # A numbered folder would be sought among those of all tests before.
    home = tmp_path_factory.getbasetemp() / f"home-{next(_NUMBERS)}"
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    # No test reads or fills the keyring of whoever runs it.
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


@pytest.fixture(autouse=True)
def _no_leaked_thread() -> Iterator[None]:
    """A thread that the test started and that would keep the program from ending fails the test."""
    before = set(threading.enumerate())
    yield
    leaked = [thread for thread in threading.enumerate() if thread not in before and not thread.daemon]
    for thread in leaked:
        thread.join(GRACE)
    alive = sorted(thread.name for thread in leaked if thread.is_alive())
    if alive:
        pytest.fail(f"threads still running after the test: {', '.join(alive)}")


class _Recorder(logging.Handler):
    """Keeps each record as one line."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def expected_logs(request: pytest.FixtureRequest) -> Iterator[Callable[[str], None]]:
    """Announce a log record: `expected_logs("pattern")`, or the mark `expected_logs("pattern", …)`.

    A record of level WARNING or above that no pattern matches fails the test, and so does a pattern that matched none.
    A pattern is searched in `LEVEL logger: message`.
    """
    patterns = [pattern for mark in request.node.iter_markers("expected_logs") for pattern in mark.args]
    recorder = _Recorder()
    logging.getLogger().addHandler(recorder)
    yield patterns.append
    logging.getLogger().removeHandler(recorder)
    unexpected = [line for line in recorder.lines if not any(re.search(pattern, line) for pattern in patterns)]
    if unexpected:
        pytest.fail("unexpected log records:\n" + "\n".join(unexpected))
    absent = [pattern for pattern in patterns if not any(re.search(pattern, line) for line in recorder.lines)]
    if absent:
        pytest.fail("expected log records that did not come: " + ", ".join(absent))


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """`shared_data("provenance/x.ttl")`: a file or folder of the shared data; the test is skipped if it is missing."""

    def find(name: str) -> Path:
        path = SHARED_DATA / name
        if not path.exists():
            pytest.skip(f"shared data missing: {name}")
        return path

    return find
